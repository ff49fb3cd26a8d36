// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_GRAPHROWS_HPP
#define KONTRACT_GRAPHROWS_HPP

#include <Kokkos_Core.hpp>
#include <cstdint>

#include "Kontract_LongRows.hpp"

namespace Kontract {
namespace Impl {

// What graphs are made by from the numbers of cells, for any execution space. First the places of
// each row, a place being a cell and a field of it; then, row by row, the columns of these cells.

/// Counts the places of each row.
template <class Numbers, class Counts>
struct CountPlaces {
  Numbers rows;
  Counts counts;  ///< zeros; that of row n goes to n + 1

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    const std::int64_t fields = rows.extent(1);
    const std::int64_t row = rows(i / fields, i % fields);
    if (row >= 0) Kokkos::atomic_add(&counts(row + 1), std::int64_t(1));
  }
};

/// Sums up what was counted: where each row begins.
template <class Counts>
struct SumCounts {
  Counts counts;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i, std::int64_t& sum, bool is_final) const {
    sum += counts(i);
    if (is_final) counts(i) = sum;
  }
};

/// Notes the cells of each row, those that have it twice twice.
template <class Numbers, class Counts, class Cells>
struct ListCells {
  Numbers rows;
  Counts next;  ///< begins as where rows begin
  Cells cells;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    const std::int64_t fields = rows.extent(1), c = i / fields;
    const std::int64_t row = rows(c, i % fields);
    if (row < 0) return;
    cells(Kokkos::atomic_fetch_add(&next(row), std::int64_t(1))) = static_cast<std::int32_t>(c);
  }
};

/// Visits each column of a row once.
template <class Numbers, class Counts, class Cells>
struct ColumnsOfRow {
  Numbers columns;
  Counts starts;
  Cells cells;
  Counts long_starts;  ///< of long rows in what is sorted; others have nothing there
  Cells sorted;

  template <class F>
  KOKKOS_INLINE_FUNCTION void forEach(std::int64_t row, const F& f) const {
    if (long_starts(row) < long_starts(row + 1)) {
      forEachSorted(row, f);
    } else {
      forEachCompared(row, f);
    }
  }

 private:
  template <class F>
  KOKKOS_INLINE_FUNCTION void forEachSorted(std::int64_t row, const F& f) const {
    const std::int64_t begin = long_starts(row);
    for (std::int64_t n = begin; n < long_starts(row + 1); ++n) {
      if (sorted(n) >= 0 && (n == begin || sorted(n) != sorted(n - 1))) f(sorted(n));
    }
  }

  template <class F>
  KOKKOS_INLINE_FUNCTION void forEachCompared(std::int64_t row, const F& f) const {
    const std::int64_t begin = starts(row), end = starts(row + 1);
    const std::int64_t fields = columns.extent(1);
    for (std::int64_t n = begin; n < end; ++n) {
      if (isListed(begin, n, cells(n))) continue;
      for (std::int64_t r = 0; r < fields; ++r) {
        const std::int32_t column = columns(cells(n), r);
        if (column >= 0 && isNew(begin, n, r, column)) f(column);
      }
    }
  }

  KOKKOS_INLINE_FUNCTION bool isListed(std::int64_t begin, std::int64_t n,
                                       std::int32_t cell) const {
    for (std::int64_t m = begin; m < n; ++m) {
      if (cells(m) == cell) return true;
    }
    return false;
  }

  /// Whether no cell before has a column, nor a field before.
  KOKKOS_INLINE_FUNCTION bool isNew(std::int64_t begin, std::int64_t n, std::int64_t r,
                                    std::int32_t column) const {
    const std::int64_t fields = columns.extent(1);
    for (std::int64_t m = begin; m <= n; ++m) {
      const std::int64_t last = m < n ? fields : r;
      for (std::int64_t s = 0; s < last; ++s) {
        if (columns(cells(m), s) == column) return false;
      }
    }
    return true;
  }
};

template <class Columns, class Counts>
struct CountColumns {
  Columns columns;
  Counts counts;  ///< that of row n goes to n + 1

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t row) const {
    std::int64_t count = 0;
    columns.forEach(row, [&](std::int32_t) { ++count; });
    counts(row + 1) = count;
  }
};

/// Writes the columns of each row, ascending.
template <class Columns, class Counts, class Entries>
struct FillColumns {
  Columns columns;
  Counts starts;
  Entries entries;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t row) const {
    const std::int64_t begin = starts(row);
    std::int64_t count = 0;
    columns.forEach(row, [&](std::int32_t column) { entries(begin + count++) = column; });
    HeapSort<Entries>{entries, begin, count}.run();
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
