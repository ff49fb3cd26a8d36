// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_SHAREDOFFSETS_HPP
#define KONTRACT_SHAREDOFFSETS_HPP

#include <algorithm>
#include <exception>
#include <sstream>

#include "Kontract_ExpandedOffsets.hpp"
#include "Kontract_SharedConstraints.hpp"
#include "Kontract_SharedNumbers.hpp"

namespace Kontract {
namespace Impl {

/// Flags of unknowns that have given values.
template <class Space, class Flags>
FixedUnknowns<Flags> fixedUnknowns(const Flags& flags, const SharedNumbers<Space>& rows,
                                   const SharedNumbers<Space>& columns) {
  if (static_cast<std::int64_t>(flags.extent(0)) < rows.count()) {
    refuse("ScatterPlan", "there are flags for " + std::to_string(flags.extent(0)) +
                              " unknowns, but there are " + std::to_string(rows.count()));
  }
  requireElements<Space>("ScatterPlan", "flags", flags);
  if ((rows.isConstrained() || columns.isConstrained()) && !rows.isSameAs(columns)) {
    refuse("ScatterPlan",
           "left and right unknowns are not of one object, but where some are fixed and others "
           "are constrained both must be the same");
  }
  if (rows.fields() != columns.fields()) {
    refuse("ScatterPlan", "cells have " + std::to_string(rows.fields()) + " left and " +
                              std::to_string(columns.fields()) +
                              " right unknowns, but where some are fixed both must be the same");
  }
  return {flags};
}

/// What ScatterPlan keeps: where rows begin, and where the entries of element matrices are in them.
template <class Space>
class SharedOffsets {
  using Memory = typename Space::memory_space;
  using Starts = Kokkos::View<std::int64_t*, Memory>;
  static constexpr const char* label = "Kontract::ScatterPlan";

 public:
  SharedOffsets() = default;

  template <class RowMap, class Entries, class Fixed>
  SharedOffsets(const Space& space, const RowMap& row_map, const Entries& graph_columns,
                const SharedNumbers<Space>& rows, const SharedNumbers<Space>& columns,
                const Fixed& is_fixed) {
    check(space, row_map, rows, columns);
    requireElements<Space>("ScatterPlan", "starts of rows", row_map);
    requireElements<Space>("ScatterPlan", "columns of entries", graph_columns);
    const std::int64_t row_count =
        std::max<std::int64_t>(0, static_cast<std::int64_t>(row_map.extent(0)) - 1);
    _starts = Starts(Kokkos::view_alloc(std::string(label), space, Kokkos::WithoutInitializing),
                     static_cast<std::size_t>(row_count + 1));
    if (row_map.extent(0) == 0) Kokkos::deep_copy(_starts, 0);
    _longest = launchForMost(space, label, static_cast<std::int64_t>(row_map.extent(0)),
                             CopyStarts<RowMap, Starts>{row_map, _starts});
    const std::int64_t falling =
        launchForFirst(space, label, row_count, FindFallingRow<Starts>{_starts});
    if (falling >= 0) refuseRow(falling);
    Kokkos::deep_copy(_entries, Kokkos::subview(_starts, row_count));
    if (_entries != static_cast<std::int64_t>(graph_columns.extent(0))) {
      refuse("ScatterPlan", "rows end at entry " + std::to_string(_entries) + ", but there are " +
                                std::to_string(graph_columns.extent(0)) + " columns of entries");
    }
    _are_sorted = launchForFirst(space, label, row_count,
                                 FindUnsortedRow<Entries, Starts>{graph_columns, _starts}) < 0;
    _offset_bytes = _longest < 0xff ? 1 : _longest < 0xffff ? 2 : 4;
    allocate(space, rows.cells() * rows.fields() * columns.fields());
    switch (_offset_bytes) {
      case 1: find<std::uint8_t>(space, graph_columns, rows, columns, is_fixed); break;
      case 2: find<std::uint16_t>(space, graph_columns, rows, columns, is_fixed); break;
      default: find<std::uint32_t>(space, graph_columns, rows, columns, is_fixed);
    }
    if (rows.cells() > 0 && (rows.isConstrained() || columns.isConstrained())) {
      _expanded = std::make_shared<const ExpandedOffsets<Space>>(
          space, _starts, graph_columns, rows, columns, is_fixed, _offset_bytes, _are_sorted);
    }
  }

  std::int64_t entries() const { return _entries; }
  std::int64_t bytes() const {
    return static_cast<std::int64_t>(_offsets.extent(0) + 8 * _starts.extent(0)) +
           (_expanded ? _expanded->bytes() : 0);
  }

  /// \param rows, columns  of the cells that add, which may be a part of all
  Scatter plain(const SharedNumbers<Space>& rows, const SharedNumbers<Space>& columns) const {
    Scatter scatter;
    scatter.rows = rows.plain();
    scatter.starts = _starts.data();
    scatter.offsets =
        _offsets.data() + rows.firstCell() * rows.fields() * columns.fields() * _offset_bytes;
    scatter.offset_bytes = _offset_bytes;
    scatter.leaves_out = _leaves_out;
    scatter.is_there = true;
    return scatter;
  }

  /// Cells that have constrained unknowns. \param first_cell  as of rows
  ExpandedCells expanded(std::int64_t first_cell) const {
    return _expanded ? _expanded->plain(first_cell) : ExpandedCells();
  }

 private:
  template <class RowMap>
  static void check(const Space& space, const RowMap& row_map, const SharedNumbers<Space>& rows,
                    const SharedNumbers<Space>& columns) {
    if (rows.cells() != columns.cells() || rows.firstCell() != 0 || columns.firstCell() != 0) {
      refuse("ScatterPlan", "there are numbers of rows of " + std::to_string(rows.cells()) +
                                " cells and of columns of " + std::to_string(columns.cells()) +
                                ", but both must be of all cells, not of a part of them");
    }
    const std::int64_t row_count =
        std::max<std::int64_t>(0, static_cast<std::int64_t>(row_map.extent(0)) - 1);
    if (row_count < rows.count()) refuseUnknowns(space, row_count, rows);
  }

  /// There are more unknowns than rows, whether or not a cell has one of these.
  [[noreturn]] static void refuseUnknowns(const Space& space, std::int64_t row_count,
                                          const SharedNumbers<Space>& rows) {
    const auto table = rows.table();
    const std::int64_t first =
        launchForFirst(space, label, static_cast<std::int64_t>(table.size()),
                       FindBeyond<std::decay_t<decltype(table)>>{table, row_count});
    std::string who;
    if (first >= 0) {
      const std::int64_t c = first / rows.fields(), f = first % rows.fields();
      std::int32_t row = 0;
      Kokkos::deep_copy(row, Kokkos::subview(table, c, f));
      who = ": field " + std::to_string(f) + " of cell " + std::to_string(c) + " adds to row " +
            std::to_string(row);
    }
    refuse("ScatterPlan", "the matrix has " + std::to_string(row_count) + " rows, but there are " +
                              std::to_string(rows.count()) + " unknowns" + who);
  }

  void allocate(const Space& space, std::int64_t entries) {
    const std::int64_t bytes = entries * _offset_bytes;
    try {
      _offsets = Kokkos::View<std::uint8_t*, Memory>(
          Kokkos::view_alloc(std::string(label), space, Kokkos::WithoutInitializing),
          static_cast<std::size_t>(bytes));
    } catch (const std::exception&) {
      std::ostringstream size;
      size.precision(3);
      size << double(bytes) * 1e-9;
      refuse("ScatterPlan", "the places of " + std::to_string(entries) + " entries take " +
                                size.str() + " GB, and there is not so much memory");
    }
  }

  template <class Offset, class Entries, class Fixed>
  void find(const Space& space, const Entries& graph_columns, const SharedNumbers<Space>& rows,
            const SharedNumbers<Space>& columns, const Fixed& is_fixed) {
    Offset* const offsets = reinterpret_cast<Offset*>(_offsets.data());
    using Table = std::decay_t<decltype(rows.table())>;
    const FindOffsets<!is_host_space<Space>, Table, Starts, Entries, Fixed, Offset> finder{
        rows.table(), columns.table(), _starts, graph_columns, is_fixed, offsets, _are_sorted};
    const std::int64_t row_count = rows.cells() * rows.fields();
    const std::int64_t first = launchForFirst(space, label, finder.pieces(row_count), finder);
    if (first >= 0) refuseMissing(first, rows, columns);
    _leaves_out = launchForFirst(space, label, row_count * columns.fields(),
                                 FindNothing<Offset>{offsets}) >= 0;
  }

  [[noreturn]] void refuseRow(std::int64_t row) const {
    std::int64_t begin = 0, end = 0;
    Kokkos::deep_copy(begin, Kokkos::subview(_starts, row));
    Kokkos::deep_copy(end, Kokkos::subview(_starts, row + 1));
    refuse("ScatterPlan", "row " + std::to_string(row) + " begins at entry " +
                              std::to_string(begin) + " and ends before entry " +
                              std::to_string(end) + ": rows must follow each other from 0 on");
  }

  /// \param i  place of an entry of a cell that is not there
  [[noreturn]] static void refuseMissing(std::int64_t i, const SharedNumbers<Space>& rows,
                                         const SharedNumbers<Space>& columns) {
    const std::int64_t r = i % columns.fields(), of_row = i / columns.fields();
    const std::int64_t c = of_row / rows.fields(), l = of_row % rows.fields();
    std::int32_t row = 0, column = 0;
    Kokkos::deep_copy(row, Kokkos::subview(rows.table(), c, l));
    Kokkos::deep_copy(column, Kokkos::subview(columns.table(), c, r));
    refuse("ScatterPlan", "cell " + std::to_string(c) + " adds to row " + std::to_string(row) +
                              ", column " + std::to_string(column) +
                              ", which the graph does not have");
  }

  Starts _starts;
  std::shared_ptr<const ExpandedOffsets<Space>> _expanded;  ///< null: no unknown is constrained
  Kokkos::View<std::uint8_t*, Memory> _offsets;
  std::int64_t _entries = 0, _longest = 0;
  int _offset_bytes = 1;
  bool _are_sorted = true, _leaves_out = false;
};

}  // namespace Impl
}  // namespace Kontract

#endif
