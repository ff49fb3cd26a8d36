// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_DENSECONSTRAINTS_HPP
#define KONTRACT_TEST_DENSECONSTRAINTS_HPP

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "SharedCells.hpp"

namespace KontractTest {

using Wide = long double;

/// A dense matrix.
struct Dense {
  std::size_t rows, columns;
  std::vector<Wide> values;

  Dense(std::size_t r, std::size_t c) : rows(r), columns(c), values(r * c, 0) {}
  static Dense identity(std::size_t n) {
    Dense matrix(n, n);
    for (std::size_t i = 0; i < n; ++i) matrix(i, i) = 1;
    return matrix;
  }
  Wide& operator()(std::size_t r, std::size_t c) { return values[r * columns + c]; }
  Wide operator()(std::size_t r, std::size_t c) const { return values[r * columns + c]; }
  Dense transposed() const {
    Dense other(columns, rows);
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < columns; ++c) other(c, r) = (*this)(r, c);
    }
    return other;
  }
  Dense times(const Dense& right) const {
    Dense product(rows, right.columns);
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t k = 0; k < columns; ++k) {
        if ((*this)(r, k) == 0) continue;
        for (std::size_t c = 0; c < right.columns; ++c) {
          product(r, c) += (*this)(r, k) * right(k, c);
        }
      }
    }
    return product;
  }
};

/// Rows of weights, as they are written down: empty where there is no constraint.
struct Rows {
  std::vector<std::map<int, double>> rows;

  explicit Rows(int count) : rows(std::size_t(count)) {}
  bool isConstrained(std::size_t i) const {
    const auto& row = rows[i];
    return !row.empty() &&
           !(row.size() == 1 && row.begin()->first == int(i) && row.begin()->second == 1);
  }
  /// Sums of free unknowns.
  Dense dense() const {
    const std::size_t n = rows.size();
    Dense matrix(n, n);
    for (std::size_t i = 0; i < n; ++i) matrix(i, i) = 1;
    for (std::size_t step = 0; step <= n; ++step) {
      Dense next(n, n);
      for (std::size_t i = 0; i < n; ++i) {
        if (!isConstrained(i)) next(i, i) = 1;
        if (!isConstrained(i)) continue;
        for (const auto& [j, weight] : rows[i]) {
          for (std::size_t k = 0; k < n; ++k) next(i, k) += weight * matrix(std::size_t(j), k);
        }
      }
      if (next.values == matrix.values) break;
      matrix = next;
    }
    return matrix;
  }
  /// \tparam Constraints  LinearConstraints of a device
  template <class Constraints>
  Constraints constraints() const {
    std::vector<std::int64_t> starts{0};
    std::vector<int> unknowns;
    std::vector<double> weights;
    for (const auto& row : rows) {
      for (const auto& [j, weight] : row) {
        unknowns.push_back(j);
        weights.push_back(weight);
      }
      starts.push_back(std::int64_t(unknowns.size()));
    }
    return Constraints(placed<std::size_t, Kokkos::HostSpace>(starts),
                       placed<int, Kokkos::HostSpace>(unknowns),
                       placed<double, Kokkos::HostSpace>(weights));
  }
};

/// Rows by chance, some of which depend on constrained unknowns before them, so that none depends
/// on itself.
inline Rows drawnRows(int count, std::mt19937& random) {
  Rows rows(count);
  std::uniform_real_distribution<double> any(-1, 1);
  for (int i = 1; i < count; ++i) {
    auto& row = rows.rows[std::size_t(i)];
    switch (random() % 6) {
      case 0:  // of unknowns before
        for (unsigned k = 0; k <= random() % 3; ++k) row[int(random() % unsigned(i))] = any(random);
        break;
      case 1: row[i] = 1; break;  // itself
      case 2:
        if (random() % 4 == 0) row[int(random() % unsigned(i))] = 0;
        break;  // nothing
      default: break;
    }
  }
  return rows;
}

/// Relative to the largest element; NaN counts as infinite.
inline double differenceOf(const Dense& a, const Dense& b) {
  Wide largest = 1, difference = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    largest = std::max(largest, std::abs(a.values[i]));
    const Wide of_this = std::abs(a.values[i] - b.values[i]);
    difference =
        of_this >= 0 ? std::max(difference, of_this) : std::numeric_limits<Wide>::infinity();
  }
  return a.values.size() == b.values.size() ? double(difference / largest) : HUGE_VAL;
}

}  // namespace KontractTest

#endif
