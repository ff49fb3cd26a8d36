// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_SHAREDNUMBERS_HPP
#define KONTRACT_SHAREDNUMBERS_HPP

#include <Kokkos_Core.hpp>
#include <Kokkos_DynRankView.hpp>
#include <algorithm>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>

#include "Kontract_Launch.hpp"
#include "Kontract_SharedExpanded.hpp"
#include "Kontract_SharedOperators.hpp"
#include "detail/kernels/portable/Kontract_ScatterPlaces.hpp"
#include "detail/problem/Kontract_CellColors.hpp"
#include "detail/support/Kontract_Error.hpp"
#include "detail/view/Kontract_DescribeView.hpp"

namespace Kontract {
namespace Impl {

/// Checks an array that a plan is made of.
/// \throws std::invalid_argument if it has elements, but no memory
template <class Space, class View>
void requireElements(const char* object, const char* what, const View& view) {
  if constexpr (is_array<View>) {
    static_assert(Kokkos::SpaceAccessibility<Space, typename View::memory_space>::accessible,
                  "Kontract: numbers of cells, graphs and flags are where the execution space "
                  "reaches them");
    if (view.data() != nullptr || view.size() == 0) return;
    refuse(object, std::string(what) + " have no memory: their data() is null");
  }
}

/// What CellNumbers keeps: numbers (C,F) and, once somebody asks for them, colors of cells. Copies
/// share both.
template <class Space>
class SharedNumbers {
  using Memory = typename Space::memory_space;
  using Table = Kokkos::View<std::int32_t**, Kokkos::LayoutRight, Memory>;

 public:
  SharedNumbers() = default;

  template <class View>
  SharedNumbers(const Space& space, const View& numbers, std::int64_t count) {
    static_assert(is_array<View>, "Kontract: numbers of cells are a Kokkos::View or DynRankView");
    using Number = typename View::non_const_value_type;
    static_assert(std::is_integral_v<Number>, "Kontract: numbers of cells are integers");
    if constexpr (Kokkos::is_view<View>::value) {
      static_assert(int(View::rank) == 2, "Kontract: numbers of cells are (C,F)");
    }
    if (rankOf(numbers) != 2) {
      refuse("CellNumbers",
             "numbers have rank " + std::to_string(rankOf(numbers)) + ", but they must be (C,F)");
    }
    if (count < 0 || count > std::numeric_limits<std::int32_t>::max()) {
      refuse("CellNumbers",
             "there are " + std::to_string(count) + " unknowns, but 0 to 2147483647 are possible");
    }
    requireElements<Space>("CellNumbers", "numbers", numbers);
    const std::size_t cells = numbers.extent(0), fields = numbers.extent(1);
    _state = std::make_shared<State>();
    _state->count = count;
    _state->numbers =
        Table(Kokkos::view_alloc("Kontract::CellNumbers", space, Kokkos::WithoutInitializing),
              cells, fields);
    _cells = static_cast<std::int64_t>(cells);
    copy(space, numbers);
  }

  std::int64_t cells() const { return _cells; }
  std::int64_t fields() const {
    return _state ? static_cast<std::int64_t>(_state->numbers.extent(1)) : 0;
  }
  std::int64_t count() const { return _state ? _state->count : 0; }
  std::int64_t firstCell() const { return _first; }

  SharedNumbers part(std::int64_t first, std::int64_t last) const {
    if (first < 0 || last < first || last > _cells) {
      refuse("CellNumbers", "cells " + std::to_string(first) + " to " + std::to_string(last) +
                                " were asked for, but there are " + std::to_string(_cells));
    }
    SharedNumbers part(*this);
    part._first = _first + first;
    part._cells = last - first;
    if (_orientations.isThere()) part._orientations = _orientations.part(first, last);
    return part;
  }

  /// The same numbers, of fields that are transformed before.
  SharedNumbers oriented(const SharedOperators<Space>& orientations) const {
    if (orientations.isThere()) checkOrientations(orientations);
    SharedNumbers oriented(*this);
    oriented._orientations = orientations;
    return oriented;
  }
  const SharedOperators<Space>& orientations() const { return _orientations; }

  /// The same, where cells add to what constrained unknowns depend on.
  SharedNumbers constrained(const ConstraintRows& constraints) const {
    checkConstraints(constraints);
    SharedNumbers constrained(*this);
    constrained._state = std::make_shared<State>();
    State& state = *constrained._state;
    state.count = count();
    state.numbers =
        Table(Kokkos::view_alloc(std::string("Kontract::CellNumbers"), Kokkos::WithoutInitializing),
              static_cast<std::size_t>(_cells), static_cast<std::size_t>(fields()));
    const auto numbers = Kokkos::create_mirror_view(state.numbers);
    Kokkos::deep_copy(numbers, table());
    state.expanded =
        SharedExpanded<Space>(expandedTable(constraints, numbers.data(), _cells, fields()));
    Kokkos::deep_copy(state.numbers, numbers);
    return constrained;
  }
  bool isConstrained() const { return _state && _state->expanded.count() > 0; }
  /// Of all cells.
  const SharedExpanded<Space>& expanded() const { return _state->expanded; }
  bool isSameAs(const SharedNumbers& other) const { return _state == other._state; }

  /// All that cells of this part add to: those of view(), or more where some are constrained.
  Table viewOfAll() const {
    if (!isConstrained()) return view();
    const Table all("Kontract::CellNumbers", static_cast<std::size_t>(_cells),
                    static_cast<std::size_t>(_state->expanded.fields()));
    const auto numbers = Kokkos::create_mirror_view(all);
    fillAll(*_state, numbersOnHost(*_state), _first, _cells, numbers.data());
    Kokkos::deep_copy(all, numbers);
    return all;
  }

  /// Those of the cells of a list, which are kept apart: they have colors of their own.
  template <class List>
  SharedNumbers subset(const Space& space, const List& list) const {
    static_assert(is_array<List>, "Kontract: a list of cells is a Kokkos::View or DynRankView");
    static_assert(std::is_integral_v<typename List::non_const_value_type>,
                  "Kontract: a list of cells is of integers");
    static_assert(Kokkos::SpaceAccessibility<Space, typename List::memory_space>::accessible,
                  "Kontract: a list of cells is where the execution space reaches it");
    if (rankOf(list) != 1) {
      refuse("CellNumbers", "a list of cells has rank " + std::to_string(rankOf(list)) +
                                ", but it must have rank 1");
    }
    requireElements<Space>("CellNumbers", "elements of a list of cells", list);
    if (orientations().isThere() || isConstrained()) {
      refuse("CellNumbers",
             "these numbers are oriented or constrained, but those of the cells of a "
             "list are taken from plain ones");
    }
    const std::size_t cells = list.extent(0);
    SharedNumbers chosen;
    chosen._state = std::make_shared<State>();
    chosen._state->count = count();
    chosen._state->numbers =
        Table(Kokkos::view_alloc("Kontract::CellNumbers", space, Kokkos::WithoutInitializing),
              cells, static_cast<std::size_t>(fields()));
    chosen._cells = static_cast<std::int64_t>(cells);
    const std::int64_t first =
        launchForFirst(space, "Kontract::CellNumbers", chosen._cells,
                       CopyNumbersOfCells<Table, List>{view(), list, chosen._state->numbers});
    if (first >= 0) {
      refuse("CellNumbers", "element " + std::to_string(first) +
                                " of a list of cells is none of the " + std::to_string(_cells) +
                                " cells that there are");
    }
    return chosen;
  }

  /// Those of all cells, whatever part this is.
  Table table() const { return _state ? _state->numbers : Table(); }

  /// Those of this part.
  Table view() const {
    if (!_state) return {};
    return Kokkos::subview(_state->numbers, std::make_pair(_first, _first + _cells), Kokkos::ALL);
  }

  NumberTable plain() const {
    if (!_state) return {};
    return {_state->numbers.data() + _first * fields(), fields(), true};
  }

  /// Colors of all cells, found when they are first asked for.
  BlockColors colors() const {
    State& state = *_state;
    std::call_once(state.is_colored, [&] { color(state); });
    return {state.colors.block_cells,   static_cast<int>(state.colors.starts.size()) - 1,
            state.colors.starts.data(), state.colors.blocks.data(),
            state.device_blocks.data(), state.colors.cell_with_repeat};
  }

 private:
  struct State {
    Table numbers;
    SharedExpanded<Space> expanded;  ///< cells of constrained unknowns, without other numbers
    std::int64_t count = 0;
    std::once_flag is_colored;
    CellColors colors;
    Kokkos::View<std::int32_t*, Memory> device_blocks;
  };

  void checkOrientations(const SharedOperators<Space>& of) const {
    const bool fits =
        of.cells() == _cells && fields() % std::max<std::int64_t>(1, of.fields()) == 0;
    if (fits) return;
    refuse("CellNumbers", "numbers are of " + std::to_string(_cells) + " cells with " +
                              std::to_string(fields()) + " fields, but orientations are of " +
                              std::to_string(of.cells()) + " cells with " +
                              std::to_string(of.fields()) + " fields");
  }

  void checkConstraints(const ConstraintRows& constraints) const {
    if (isConstrained()) refuse("CellNumbers", "unknowns are constrained already");
    if (_state && (_first != 0 || _cells != static_cast<std::int64_t>(table().extent(0)))) {
      refuse("CellNumbers", "constraints are for numbers of all cells, not of a part of them");
    }
    if (constraints.count() != count()) {
      refuse("CellNumbers", "numbers are of " + std::to_string(count()) +
                                " unknowns, but constraints of " +
                                std::to_string(constraints.count()));
    }
  }

  static auto numbersOnHost(const State& state) {
    return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), state.numbers);
  }

  /// Numbers of some cells with those of expanded ones, in rows of as many as these have.
  /// \param numbers  of all cells
  template <class Numbers>
  static void fillAll(const State& state, const Numbers& numbers, std::int64_t first,
                      std::int64_t cells, std::int32_t* all) {
    const std::int64_t own = static_cast<std::int64_t>(numbers.extent(1));
    const ExpandedTable& expanded = state.expanded.table();
    std::fill(all, all + cells * expanded.fields, -1);
    for (std::int64_t c = 0; c < cells; ++c) {
      const std::int32_t* const from = numbers.data() + (first + c) * own;
      std::copy(from, from + own, all + c * expanded.fields);
    }
    for (std::int64_t k = 0; k < expanded.count(); ++k) {
      const std::int64_t c = expanded.cells[static_cast<std::size_t>(k)] - first;
      if (c < 0 || c >= cells) continue;
      const std::int32_t* const from = expanded.numbers.data() + k * expanded.fields;
      std::copy(from, from + expanded.fields, all + c * expanded.fields);
    }
  }

  template <class View>
  void copy(const Space& space, const View& numbers) {
    const std::int64_t all = _cells * fields();
    const auto matrix = [&] {
      if constexpr (Kokkos::is_dyn_rank_view<View>::value) {
        return numbers;  // its rank is asked for at each element
      } else {
        return Kokkos::View<typename View::const_data_type, typename View::array_layout,
                            typename View::device_type, Kokkos::MemoryUnmanaged>(numbers);
      }
    }();
    using Number = typename View::non_const_value_type;
    using From = std::decay_t<decltype(matrix)>;
    const std::int64_t first = launchForFirst(
        space, "Kontract::CellNumbers", all,
        CopyNumbers<Number, From, Table>{matrix, _state->numbers, std::uint64_t(count())});
    if (first < 0) return;
    const std::int64_t c = first / fields(), f = first % fields();
    const Kokkos::View<Number*, Memory> of_cell("Kontract::CellNumbers", 1);
    launch(space, "Kontract::CellNumbers", 1,
           ReadNumber<From, Kokkos::View<Number*, Memory>>{matrix, of_cell, c, f});
    space.fence();
    const auto number = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), of_cell);
    refuse("CellNumbers", "field " + std::to_string(f) + " of cell " + std::to_string(c) +
                              " has the number " + std::to_string(number(0)) +
                              ", but it must be below " + std::to_string(count()));
  }

  static void color(State& state) {
    const auto numbers = numbersOnHost(state);
    const std::int64_t cells = static_cast<std::int64_t>(numbers.extent(0));
    const std::int64_t fields = static_cast<std::int64_t>(numbers.extent(1));
    const std::int64_t block_cells = is_host_space<Space> ? blockCellsOfHosts(cells, fields) : 1;
    if (state.expanded.count() > 0) {
      const std::int64_t most = state.expanded.fields();
      std::vector<std::int32_t> all(static_cast<std::size_t>(cells * most));
      fillAll(state, numbers, 0, cells, all.data());
      state.colors = colorCells(all.data(), cells, most, state.count, block_cells);
    } else {
      state.colors = colorCells(numbers.data(), cells, fields, state.count, block_cells);
    }
    if constexpr (!is_host_space<Space>) {
      const auto& blocks = state.colors.blocks;
      state.device_blocks =
          Kokkos::View<std::int32_t*, Memory>("Kontract::CellNumbers", blocks.size());
      Kokkos::deep_copy(
          state.device_blocks,
          Kokkos::View<const std::int32_t*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(
              blocks.data(), blocks.size()));
    }
  }

  std::shared_ptr<State> _state;
  SharedOperators<Space> _orientations;  ///< of this part
  std::int64_t _first = 0, _cells = 0;
};

}  // namespace Impl
}  // namespace Kontract

#endif
