// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_EXPANDEDOFFSETS_HPP
#define KONTRACT_EXPANDEDOFFSETS_HPP

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <string>
#include <vector>

#include "Kontract_SharedNumbers.hpp"

namespace Kontract {
namespace Impl {

/// What a plan keeps for cells that have constrained unknowns on the left or on the right: all
/// numbers, and where the entries of their larger matrices are in rows. On hosts.
template <class Space>
class ExpandedOffsets {
  using Memory = typename Space::memory_space;
  using Numbers = Kokkos::View<const std::int32_t**, Kokkos::LayoutRight, Memory,
                               Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

 public:
  /// \param starts, graph_columns, offset_bytes, are_sorted  as SharedOffsets has them
  template <class Starts, class Entries, class Fixed>
  ExpandedOffsets(const Space& space, const Starts& starts, const Entries& graph_columns,
                  const SharedNumbers<Space>& rows, const SharedNumbers<Space>& columns,
                  const Fixed& is_fixed, int offset_bytes, bool are_sorted) {
    auto cells = unionOf(rows.expanded(), columns.expanded());
    // Numbers of the first cells alone still know all that are expanded.
    cells.erase(std::lower_bound(cells.begin(), cells.end(), rows.cells()), cells.end());
    _rows = amongOthers(rows.expanded(), cells, rows.table().data(), rows.fields());
    _columns = amongOthers(columns.expanded(), cells, columns.table().data(), columns.fields());
    _offsets.resize(cells.size() *
                    static_cast<std::size_t>(_rows.fields * _columns.fields * offset_bytes));
    const auto find = [&](auto nothing) {
      using Offset = decltype(nothing);
      return launchForFirst(space, "Kontract::ScatterPlan", _rows.count() * _rows.fields,
                            FindOffsets<Numbers, Starts, Entries, Fixed, Offset>{
                                viewOf(_rows), viewOf(_columns), starts, graph_columns, is_fixed,
                                reinterpret_cast<Offset*>(_offsets.data()), are_sorted});
    };
    const std::int64_t first = offset_bytes == 1   ? find(std::uint8_t())
                               : offset_bytes == 2 ? find(std::uint16_t())
                                                   : find(std::uint32_t());
    if (first >= 0) refuseMissing(first);
  }

  ExpandedCells plain(std::int64_t first_cell) const {
    ExpandedCells plain = _rows.plain(first_cell);
    plain.columns = _columns.fields;
    plain.offsets = _offsets.data();
    plain.right = _columns.operators.plain();
    return plain;
  }

  std::int64_t bytes() const {
    std::int64_t bytes = static_cast<std::int64_t>(_offsets.size());
    for (const ExpandedTable* table : {&_rows, &_columns}) {
      bytes += static_cast<std::int64_t>(4 * (table->cells.size() + table->numbers.size()));
      if (table->operators.isThere()) bytes += table->operators.store().bytes();
    }
    return bytes;
  }

 private:
  static Numbers viewOf(const ExpandedTable& table) {
    return Numbers(table.numbers.data(), table.cells.size(),
                   static_cast<std::size_t>(table.fields));
  }

  /// \param i  place of an entry of a cell that is not there
  [[noreturn]] void refuseMissing(std::int64_t i) const {
    const std::int64_t r = i % _columns.fields, of_row = i / _columns.fields;
    const std::int64_t k = of_row / _rows.fields;
    const std::int32_t row = _rows.numbers[static_cast<std::size_t>(of_row)];
    const std::int32_t column = _columns.numbers[static_cast<std::size_t>(k * _columns.fields + r)];
    refuse("ScatterPlan", "cell " + std::to_string(_rows.cells[static_cast<std::size_t>(k)]) +
                              " adds to row " + std::to_string(row) + ", column " +
                              std::to_string(column) +
                              ", by constraints, which the graph does not have");
  }

  ExpandedTable _rows, _columns;
  std::vector<std::uint8_t> _offsets;
};

}  // namespace Impl
}  // namespace Kontract

#endif
