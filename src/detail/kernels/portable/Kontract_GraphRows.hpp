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

/// Slots of a table for the columns of a row: the least power of two that leaves one empty.
KOKKOS_INLINE_FUNCTION std::uint32_t tableSlots(std::uint32_t columns) {
  std::uint32_t slots = 2;
  while (slots <= columns) slots *= 2;
  return slots;
}

/// Columns of a row, each once, in memory that a team shares: a table with open addressing (D.
/// Knuth, The Art of Computer Programming 3, 6.4), and a list of them in the order in which they
/// came.
class ColumnTable {
 public:
  /// \param memory  4 (2 slots + 1) bytes
  KOKKOS_INLINE_FUNCTION ColumnTable(void* memory, std::uint32_t slots)
      : _table(static_cast<std::int32_t*>(memory)),
        _list(_table + slots),
        _count(_list + slots),
        _slots(slots) {
    while ((_slots - 1) >> (32 - _shift) != 0) --_shift;
  }

  template <class Workers>
  KOKKOS_INLINE_FUNCTION void clear(const Workers& workers) {
    workers.share(_slots, [&](const std::uint32_t i) { _table[i] = -1; });
    workers.share(1, [&](int) { *_count = 0; });
  }

  KOKKOS_INLINE_FUNCTION void insert(std::int32_t column) {
    const std::uint32_t golden = 2654435769u;  // 2^32 times the golden section
    for (std::uint32_t i = static_cast<std::uint32_t>(column) * golden >> _shift;; ++i) {
      const std::uint32_t slot = i & (_slots - 1);
      std::int32_t there = *static_cast<const volatile std::int32_t*>(_table + slot);
      if (there < 0) {
        there = Kokkos::atomic_compare_exchange(_table + slot, -1, column);
        if (there < 0) {
          _list[Kokkos::atomic_fetch_add(_count, 1)] = column;
          return;
        }
      }
      if (there == column) return;
    }
  }

  KOKKOS_INLINE_FUNCTION std::int32_t count() const { return *_count; }

  /// Writes the columns, ascending.
  template <class Workers, class Entries>
  KOKKOS_INLINE_FUNCTION void write(const Workers& workers, const Entries& entries,
                                    std::int64_t begin) const {
    const std::int32_t count = *_count;
    workers.share(count, [&](const std::int32_t i) {
      std::int32_t before = 0;
      for (std::int32_t k = 0; k < count; ++k) before += _list[k] < _list[i] ? 1 : 0;
      entries(begin + before) = _list[i];
    });
  }

 private:
  std::int32_t *_table, *_list, *_count;
  std::uint32_t _slots;
  int _shift = 31;  ///< leaves as many of the first bits as number slots
};

/// What rows of a graph are made of.
template <class Numbers, class Counts, class Cells>
struct RowSources {
  Numbers columns;
  Counts starts;  ///< of rows in cells
  Cells cells;
  Counts long_starts;  ///< of long rows in what is sorted; others have nothing there
  Cells sorted;

  KOKKOS_INLINE_FUNCTION bool isLong(std::int64_t row) const {
    return long_starts(row) < long_starts(row + 1);
  }
};

/// Counts the columns of a row, or writes them, by a team. Long rows are left to ColumnsOfLongRow.
template <class Sources, class Counts, class Entries>
struct ColumnsOfRow {
  Sources of;
  Counts counts;    ///< counting, that of row n goes to n + 1; writing, where rows begin
  Entries entries;  ///< ascending in each row
  bool is_counting;

  template <class Workers>
  KOKKOS_INLINE_FUNCTION void operator()(const Workers& workers, std::int64_t row) const {
    const std::int64_t begin = of.starts(row);
    const std::uint32_t fields = static_cast<std::uint32_t>(of.columns.extent(1));
    const std::int64_t all = (of.starts(row + 1) - begin) * fields;
    if (all == 0 || of.isLong(row)) return;
    const std::uint32_t count = static_cast<std::uint32_t>(all);
    ColumnTable table(workers.scratch, tableSlots(count));
    table.clear(workers);
    workers.wait();
    workers.share(count, [&](const std::uint32_t i) {
      const std::int32_t column = of.columns(of.cells(begin + i / fields), i % fields);
      if (column >= 0) table.insert(column);
    });
    workers.wait();
    if (is_counting) {
      workers.share(1, [&](int) { counts(row + 1) = table.count(); });
    } else {
      table.write(workers, entries, counts(row));
    }
  }
};

/// The same for a long row, whose columns are sorted already, by a thread.
template <class Sources, class Counts, class Entries>
struct ColumnsOfLongRow {
  Sources of;
  Counts counts;
  Entries entries;
  bool is_counting;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t row) const {
    const std::int64_t begin = of.long_starts(row), end = of.long_starts(row + 1);
    std::int64_t count = 0;
    for (std::int64_t n = begin; n < end; ++n) {
      if (of.sorted(n) < 0 || (n > begin && of.sorted(n) == of.sorted(n - 1))) continue;
      if (!is_counting) entries(counts(row) + count) = of.sorted(n);
      ++count;
    }
    if (is_counting && begin < end) counts(row + 1) = count;
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
