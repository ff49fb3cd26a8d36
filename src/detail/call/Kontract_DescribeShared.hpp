// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_DESCRIBESHARED_HPP
#define KONTRACT_DESCRIBESHARED_HPP

#include <type_traits>

#include "Kontract_CellNumbers.hpp"
#include "Kontract_ScatterPlan.hpp"
#include "detail/dispatch/Kontract_CallOptions.hpp"
#include "detail/problem/Kontract_FormDescription.hpp"
#include "detail/view/Kontract_DescribeView.hpp"

namespace Kontract {
namespace Impl {

// Arrays of a call that cells share: gathered() and scattered() ones.

template <class T>
inline constexpr bool is_gathered = false;
template <class Array, class Numbers>
inline constexpr bool is_gathered<Gathered<Array, Numbers>> = true;

template <class T>
inline constexpr bool is_scattered = false;
template <class Array, class Plan>
inline constexpr bool is_scattered<Scattered<Array, Plan>> = true;

template <class T>
inline constexpr bool is_scattered_by_plan = false;
template <class Array, class DeviceType>
inline constexpr bool is_scattered_by_plan<Scattered<Array, ScatterPlan<DeviceType>>> = true;

template <class T>
inline constexpr bool is_oriented = false;
template <class Array, class DeviceType>
inline constexpr bool is_oriented<Oriented<Array, DeviceType>> = true;

template <class T>
inline constexpr bool is_shared = is_gathered<T> || is_scattered<T>;

/// The view of an argument.
template <class T>
const auto& viewOf(const T& argument) {
  if constexpr (is_shared<T>) {
    static_assert(is_array<std::decay_t<decltype(argument.array)>>,
                  "Kontract: what is gathered or scattered is a Kokkos::View or DynRankView");
    return argument.array;
  } else if constexpr (is_oriented<T>) {
    static_assert(is_array<std::decay_t<decltype(argument.array)>>,
                  "Kontract: what is oriented() is a Kokkos::View or DynRankView; numbers of "
                  "unknowns that are gathered or scattered by have orientations of their own");
    return argument.array;
  } else {
    return argument;
  }
}

template <class T>
using ViewOf = std::decay_t<decltype(viewOf(std::declval<const T&>()))>;

/// An array that cells share by numbers.
template <class Space, class Array, class Numbers>
SharedDescription describeShared(const Array& array, const SharedNumbers<Numbers>& numbers) {
  static_assert(Kokkos::SpaceAccessibility<Space, typename Numbers::memory_space>::accessible,
                "Kontract: the numbers of cells are where the execution space does not reach them");
  SharedDescription shared;
  shared.array = describe<Space>(array);
  shared.cells = numbers.cells();
  shared.fields = numbers.fields();
  shared.count = numbers.count();
  shared.is_there = true;
  return shared;
}

/// Operators that fields of cells may have.
template <class Space>
OperatorsDescription describeOperators(const SharedOperators<Space>& operators,
                                       FieldDirection direction) {
  return {operators.plain(direction), operators.cells(), operators.fields(), operators.isThere()};
}

/// Cells that have constrained unknowns.
template <class Space>
ExpandedCells expandedCellsOf(const SharedNumbers<Space>& numbers, FieldDirection direction) {
  if (!numbers.isConstrained()) return {};
  return numbers.expanded().plain(numbers.firstCell(), direction);
}

template <class Space, class Array, class Numbers>
SharedDescription describeGathered(const Gathered<Array, Numbers>& gathered) {
  SharedDescription shared = describeShared<Space>(gathered.array, gathered.numbers.impl());
  shared.numbers = gathered.numbers.impl().plain();
  shared.expanded = expandedCellsOf(gathered.numbers.impl(), FieldDirection::In);
  return shared;
}

/// Gives cells colors where somebody asks for them, or where several threads of a host add and have
/// a block of each color for each of them: cells that are numbered at random have not.
template <class Space>
void takeColors(const Space& space, const SharedNumbers<Space>& numbers, ScatterWay asked,
                Scatter& scatter) {
  if (numbers.cells() == 0) return;
  const std::int64_t threads = is_host_space<Space> ? space.concurrency() : 1;
  if (asked == ScatterWay::Colored) {
    scatter.colors = numbers.colors();
  } else if (asked == ScatterWay::Auto && threads > 1) {
    const BlockColors colors = numbers.colors();
    // Of a workset, which may have few of them.
    const std::int64_t each = colors.block_cells, first = numbers.firstCell() / each,
                       last = (numbers.firstCell() + numbers.cells() + each - 1) / each;
    if (last - first >= threads * colors.colors) scatter.colors = colors;
  }
}

/// An output that is scattered.
/// \param asked  the way that options ask for
template <class Space, class Array, class DeviceType>
SharedDescription describeScattered(const Space& space,
                                    const Scattered<Array, CellNumbers<DeviceType>>& scattered,
                                    ScatterWay asked) {
  const auto& numbers = scattered.plan.impl();
  SharedDescription shared = describeShared<Space>(scattered.array, numbers);
  shared.scatter.rows = numbers.plain();
  shared.scatter.stride = shared.array.rank > 0 ? shared.array.strides[0] : 0;
  shared.scatter.is_there = true;
  shared.scatter.first_cell = numbers.firstCell();
  shared.expanded = expandedCellsOf(numbers, FieldDirection::Out);
  takeColors(space, numbers, asked, shared.scatter);
  return shared;
}
template <class Space, class Array, class DeviceType>
SharedDescription describeScattered(const Space& space,
                                    const Scattered<Array, ScatterPlan<DeviceType>>& scattered,
                                    ScatterWay asked) {
  const auto &rows = scattered.plan.rows().impl(), &columns = scattered.plan.columns().impl();
  SharedDescription shared = describeShared<Space>(scattered.array, rows);
  shared.columns = columns.fields();
  shared.count = scattered.plan.numEntries();
  shared.scatter = scattered.plan.impl().plain(rows, columns);
  shared.scatter.first_cell = rows.firstCell();
  shared.expanded = scattered.plan.impl().expanded(rows.firstCell());
  takeColors(space, rows, asked, shared.scatter);
  // Threads of a device share a cell, and add to the same entry where it has a column twice.
  BlockColors& colors = shared.scatter.colors;
  const bool is_device = !is_host_space<Space>;
  if (is_device && colors.colors > 0 && colors.cell_with_repeat < 0 && columns.cells() > 0) {
    colors.cell_with_repeat = columns.colors().cell_with_repeat;
  }
  return shared;
}

/// Operators of the fields of an output, by rows and by columns, or of a vector.
struct OperatorsOfArray {
  OperatorsDescription left, right;
};
/// \param direction  In: of a vector that is read
template <class Array>
OperatorsOfArray operatorsOfArray(const Array&, FieldDirection) {
  return {};
}
template <class Array, class DeviceType>
OperatorsOfArray operatorsOfArray(const Oriented<Array, DeviceType>& oriented,
                                  FieldDirection direction) {
  return {describeOperators(oriented.left.impl(), direction),
          describeOperators(oriented.right.impl(), direction)};
}
template <class Array, class DeviceType>
OperatorsOfArray operatorsOfArray(const Gathered<Array, CellNumbers<DeviceType>>& gathered,
                                  FieldDirection direction) {
  return {describeOperators(gathered.numbers.impl().orientations(), direction), {}};
}
template <class Array, class DeviceType>
OperatorsOfArray operatorsOfArray(const Scattered<Array, CellNumbers<DeviceType>>& scattered,
                                  FieldDirection direction) {
  return {describeOperators(scattered.plan.impl().orientations(), direction), {}};
}
template <class Array, class DeviceType>
OperatorsOfArray operatorsOfArray(const Scattered<Array, ScatterPlan<DeviceType>>& scattered,
                                  FieldDirection direction) {
  return {describeOperators(scattered.plan.rows().impl().orientations(), direction),
          describeOperators(scattered.plan.columns().impl().orientations(), direction)};
}

}  // namespace Impl
}  // namespace Kontract

#endif
