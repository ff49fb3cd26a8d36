// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_LONGROWS_HPP
#define KONTRACT_LONGROWS_HPP

#include <Kokkos_Core.hpp>
#include <cstdint>

namespace Kontract {
namespace Impl {

/// Counts the columns that the cells of a row have, in rows that have more than a team has memory
/// for; those are sorted. Finds how many the others have at most.
template <class Counts>
struct CountLongRows {
  static constexpr std::int64_t most_in_table = 4095;

  Counts starts;
  std::int64_t fields;
  Counts counts;  ///< zeros; that of row n goes to n + 1

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t row, std::int64_t& most) const {
    const std::int64_t count = (starts(row + 1) - starts(row)) * fields;
    if (count > most_in_table) {
      counts(row + 1) = count;
    } else if (count > most) {
      most = count;
    }
  }
};

/// Sorts integers by heaps, which needs no memory.
template <class Integers>
struct HeapSort {
  Integers integers;
  std::int64_t begin, count;

  KOKKOS_INLINE_FUNCTION void run() const {
    for (std::int64_t root = count / 2 - 1; root >= 0; --root) sink(root, count);
    for (std::int64_t last = count - 1; last > 0; --last) {
      swap(0, last);
      sink(0, last);
    }
  }

 private:
  KOKKOS_INLINE_FUNCTION void sink(std::int64_t root, std::int64_t end) const {
    for (std::int64_t child = 2 * root + 1; child < end; child = 2 * root + 1) {
      if (child + 1 < end && at(child) < at(child + 1)) ++child;
      if (at(root) >= at(child)) return;
      swap(root, child);
      root = child;
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION auto& at(std::int64_t i) const { return integers(begin + i); }
  KOKKOS_FORCEINLINE_FUNCTION void swap(std::int64_t i, std::int64_t j) const {
    const auto integer = at(i);
    at(i) = at(j);
    at(j) = integer;
  }
};

/// Sorts the columns of the cells of long rows.
template <class Numbers, class Counts, class Cells>
struct SortLongRows {
  Numbers columns;
  Counts starts;
  Cells cells;
  Counts long_starts;
  Cells sorted;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t row) const {
    const std::int64_t begin = long_starts(row), end = long_starts(row + 1);
    const std::int64_t fields = columns.extent(1);
    for (std::int64_t i = 0; i < end - begin; ++i) {
      sorted(begin + i) = columns(cells(starts(row) + i / fields), i % fields);
    }
    HeapSort<Cells>{sorted, begin, end - begin}.run();
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
