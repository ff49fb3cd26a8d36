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
/// numbers, and where the entries of their larger matrices are in rows.
template <class Space>
class ExpandedOffsets {
  using Memory = typename Space::memory_space;
  using Bytes = Kokkos::View<std::uint8_t*, Memory>;

 public:
  /// \param starts, graph_columns, offset_bytes, are_sorted  as SharedOffsets has them
  template <class Starts, class Entries, class Fixed>
  ExpandedOffsets(const Space& space, const Starts& starts, const Entries& graph_columns,
                  const SharedNumbers<Space>& rows, const SharedNumbers<Space>& columns,
                  const Fixed& is_fixed, int offset_bytes, bool are_sorted) {
    auto cells = unionOf(rows.expanded().table(), columns.expanded().table());
    // Numbers of the first cells alone still know all that are expanded.
    cells.erase(std::lower_bound(cells.begin(), cells.end(), rows.cells()), cells.end());
    _rows = amongOthers(rows, cells);
    _columns = amongOthers(columns, cells);
    _offsets = Bytes(
        Kokkos::view_alloc(std::string("Kontract::ScatterPlan"), space,
                           Kokkos::WithoutInitializing),
        cells.size() * static_cast<std::size_t>(_rows.fields() * _columns.fields() * offset_bytes));
    const auto find = [&](auto nothing) {
      using Offset = decltype(nothing);
      using Numbers = decltype(_rows.numbers());
      const FindOffsets<!is_host_space<Space>, Numbers, Starts, Entries, Fixed, Offset> finder{
          _rows.numbers(), _columns.numbers(), starts,
          graph_columns,   is_fixed,           reinterpret_cast<Offset*>(_offsets.data()),
          are_sorted};
      return launchForFirst(space, "Kontract::ScatterPlan",
                            finder.pieces(_rows.count() * _rows.fields()), finder);
    };
    const std::int64_t first = offset_bytes == 1   ? find(std::uint8_t())
                               : offset_bytes == 2 ? find(std::uint16_t())
                                                   : find(std::uint32_t());
    if (first >= 0) refuseMissing(first);
  }

  ExpandedCells plain(std::int64_t first_cell) const {
    ExpandedCells plain = _rows.plain(first_cell, FieldDirection::Out);
    plain.columns = _columns.fields();
    plain.offsets = _offsets.data();
    plain.right = _columns.operators(FieldDirection::Out);
    return plain;
  }

  std::int64_t bytes() const {
    return static_cast<std::int64_t>(_offsets.extent(0)) + _rows.bytes() + _columns.bytes();
  }

 private:
  static SharedExpanded<Space> amongOthers(const SharedNumbers<Space>& numbers,
                                           const std::vector<std::int32_t>& cells) {
    const auto own = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), numbers.table());
    return SharedExpanded<Space>(
        Impl::amongOthers(numbers.expanded().table(), cells, own.data(), numbers.fields()));
  }

  /// \param i  place of an entry of a cell that is not there
  [[noreturn]] void refuseMissing(std::int64_t i) const {
    const ExpandedTable &rows = _rows.table(), &columns = _columns.table();
    const std::int64_t r = i % columns.fields, of_row = i / columns.fields;
    const std::int64_t k = of_row / rows.fields;
    const std::int32_t row = rows.numbers[static_cast<std::size_t>(of_row)];
    const std::int32_t column = columns.numbers[static_cast<std::size_t>(k * columns.fields + r)];
    refuse("ScatterPlan", "cell " + std::to_string(rows.cells[static_cast<std::size_t>(k)]) +
                              " adds to row " + std::to_string(row) + ", column " +
                              std::to_string(column) +
                              ", by constraints, which the graph does not have");
  }

  SharedExpanded<Space> _rows, _columns;
  Bytes _offsets;
};

}  // namespace Impl
}  // namespace Kontract

#endif
