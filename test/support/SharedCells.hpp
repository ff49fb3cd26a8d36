// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_SHAREDCELLS_HPP
#define KONTRACT_TEST_SHAREDCELLS_HPP

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

namespace KontractTest {

/// Numbers of unknowns of cells, drawn by chance: cells share many, and some lack one.
/// \param is_distinct  no cell has one twice
struct DrawnNumbers {
  int cells, fields, count;
  std::vector<int> numbers;

  DrawnNumbers(int c, int f, int n, bool has_holes, std::mt19937& random, bool is_distinct = false)
      : cells(c),
        fields(f),
        count(is_distinct ? std::max(n, f) : n),
        numbers(std::size_t(c) * std::size_t(f)) {
    std::uniform_int_distribution<int> any(has_holes ? -1 : 0, count - 1);
    for (int& number : numbers) number = any(random);
    for (std::size_t i = 0; i < numbers.size() && is_distinct; ++i) {
      const int place = int(i) % f, first = numbers[i - std::size_t(place)];
      if (place > 0 && numbers[i] >= 0) numbers[i] = (std::max(first, 0) + place) % count;
    }
  }
  int operator()(int c, int f) const { return numbers[std::size_t(c * fields + f)]; }
};

/// A graph in compressed rows that has what cells need, and more.
struct DrawnGraph {
  std::vector<std::int64_t> starts{0};
  std::vector<int> columns;

  DrawnGraph(const DrawnNumbers& rows, const DrawnNumbers& of_columns, int longest, bool is_sorted,
             std::mt19937& random) {
    std::vector<std::set<int>> all(std::size_t(rows.count + 1));  // and a row of nobody
    for (int c = 0; c < rows.cells; ++c) {
      for (int l = 0; l < rows.fields; ++l) {
        for (int r = 0; r < of_columns.fields; ++r) {
          if (rows(c, l) >= 0 && of_columns(c, r) >= 0)
            all[std::size_t(rows(c, l))].insert(of_columns(c, r));
        }
      }
    }
    for (auto& row : all) row.insert(of_columns.count + 3);
    for (int n = 0; n < longest; ++n) all[0].insert(of_columns.count + 4 + n);
    for (const auto& row : all) {
      columns.insert(columns.end(), row.begin(), row.end());
      if (!is_sorted) std::shuffle(columns.begin() + starts.back(), columns.end(), random);
      starts.push_back(static_cast<std::int64_t>(columns.size()));
    }
  }

  /// Where an entry is; -1 if it is not there.
  std::int64_t find(int row, int column) const {
    const auto begin = columns.begin() + starts[std::size_t(row)];
    const auto end = columns.begin() + starts[std::size_t(row) + 1];
    const auto at = std::find(begin, end, column);
    return at == end ? -1 : at - columns.begin();
  }
};

/// Copies a vector to the memory of a space.
template <class T, class Space, class From>
Kokkos::View<T*, Space> placed(const std::vector<From>& from) {
  Kokkos::View<T*, Space> to("placed", from.size());
  const auto host = Kokkos::create_mirror_view(to);
  for (std::size_t i = 0; i < from.size(); ++i) host(i) = static_cast<T>(from[i]);
  Kokkos::deep_copy(to, host);
  return to;
}

/// Numbers of cells in the memory of a space, of some integer type and layout.
template <class T, class Layout, class Space>
Kokkos::View<T**, Layout, Space> placed(const DrawnNumbers& from) {
  Kokkos::View<T**, Layout, Space> to("numbers", from.cells, from.fields);
  const auto host = Kokkos::create_mirror_view(to);
  for (int c = 0; c < from.cells; ++c) {
    for (int f = 0; f < from.fields; ++f) host(c, f) = static_cast<T>(from(c, f));
  }
  Kokkos::deep_copy(to, host);
  return to;
}

}  // namespace KontractTest

#endif
