// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_SHAREDCONSTRAINTS_HPP
#define KONTRACT_SHAREDCONSTRAINTS_HPP

#include <Kokkos_Core.hpp>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "detail/problem/Kontract_ConstraintRows.hpp"
#include "detail/support/Kontract_Error.hpp"
#include "detail/view/Kontract_DescribeView.hpp"

namespace Kontract {
namespace Impl {

template <class Matrix, class = void>
inline constexpr bool has_row_map = false;
template <class Matrix>
inline constexpr bool has_row_map<Matrix, std::void_t<decltype(Matrix::row_map)>> = true;

/// The graph of a matrix, or a graph itself.
template <class Matrix>
const auto& graphOf(const Matrix& matrix) {
  if constexpr (has_row_map<Matrix>) {
    return matrix;
  } else {
    return matrix.graph;
  }
}

/// Refuses an array that is no row of numbers, or that has elements, but no memory.
template <class View>
void requireNumbers(const char* what, const View& view) {
  if (rankOf(view) != 1) {
    refuse("LinearConstraints", std::string(what) + " have rank " + std::to_string(rankOf(view)) +
                                    ", but they must have rank 1");
  }
  if (view.data() == nullptr && view.size() > 0) {
    refuse("LinearConstraints", std::string(what) + " have no memory: their data() is null");
  }
}

/// The numbers of a view, on the host.
template <class T, class View>
std::vector<T> numbersOnHost(const char* what, const View& view) {
  requireNumbers(what, view);
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  std::vector<T> numbers(host.extent(0));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<T>(host(i));
  return numbers;
}

template <class RowMap, class Unknowns, class Weights>
std::shared_ptr<const ConstraintRows> constraintRows(const RowMap& row_map,
                                                     const Unknowns& unknowns,
                                                     const Weights& weights) {
  return std::make_shared<const ConstraintRows>(
      numbersOnHost<std::int64_t>("starts of rows", row_map),
      numbersOnHost<std::int64_t>("unknowns", unknowns), numbersOnHost<double>("weights", weights));
}

template <class Vector>
void completeByConstraints(const std::shared_ptr<const ConstraintRows>& rows,
                           const Vector& vector) {
  static_assert(
      Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename Vector::memory_space>::accessible,
      "Kontract: complete() takes a vector that hosts reach");
  requireNumbers("elements of the vector", vector);
  const std::int64_t count = rows ? rows->count() : 0;
  if (static_cast<std::int64_t>(vector.extent(0)) < count) {
    refuse("LinearConstraints", "the vector has " + std::to_string(vector.extent(0)) +
                                    " elements, but there are " + std::to_string(count) +
                                    " unknowns");
  }
  for (std::int64_t i = 0; i < count; ++i) {
    if (!rows->isConstrained(i)) continue;
    double sum = 0;
    for (const auto& [unknown, weight] : rows->row(i)) sum += weight * double(vector(unknown));
    vector(i) = static_cast<typename Vector::non_const_value_type>(sum);
  }
}

}  // namespace Impl
}  // namespace Kontract

#endif
