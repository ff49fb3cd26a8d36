// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_SHAREDNUMBERS_HPP
#define KONTRACT_SHAREDNUMBERS_HPP

#include <Kokkos_Core.hpp>
#include <Kokkos_DynRankView.hpp>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>

#include "Kontract_Launch.hpp"
#include "detail/kernels/portable/Kontract_ScatterPlaces.hpp"
#include "detail/problem/Kontract_CellColors.hpp"
#include "detail/support/Kontract_Error.hpp"
#include "detail/view/Kontract_DescribeView.hpp"

namespace Kontract {
namespace Impl {

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
    static_assert(Kokkos::SpaceAccessibility<Space, typename View::memory_space>::accessible,
                  "Kontract: numbers of cells are where the execution space reaches them");
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
    return part;
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
  const Table& table() const { return _state->numbers; }

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
    std::int64_t count = 0;
    std::once_flag is_colored;
    CellColors colors;
    Kokkos::View<std::int32_t*, Memory> device_blocks;
  };

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
    const std::int64_t first = launchForFirst(
        space, "Kontract::CellNumbers", all,
        CopyNumbers<std::decay_t<decltype(matrix)>, Table>{matrix, _state->numbers, count()});
    if (first < 0) return;
    const auto bad = Kokkos::subview(_state->numbers, first / fields(), first % fields());
    std::int32_t number = 0;
    Kokkos::deep_copy(number, bad);
    refuse("CellNumbers", "field " + std::to_string(first % fields()) + " of cell " +
                              std::to_string(first / fields()) + " has the number " +
                              std::to_string(number) + ", but it must be below " +
                              std::to_string(count()));
  }

  static void color(State& state) {
    const auto numbers = Kokkos::create_mirror_view(state.numbers);
    Kokkos::deep_copy(numbers, state.numbers);
    const std::int64_t cells = static_cast<std::int64_t>(numbers.extent(0));
    const std::int64_t fields = static_cast<std::int64_t>(numbers.extent(1));
    state.colors = colorCells(numbers.data(), cells, fields, state.count,
                              is_host_space<Space> ? blockCellsOfHosts(cells, fields) : 1);
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
  std::int64_t _first = 0, _cells = 0;
};

}  // namespace Impl
}  // namespace Kontract

#endif
