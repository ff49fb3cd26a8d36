// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_SHAREDCONSTRAINTS_HPP
#define KONTRACT_SHAREDCONSTRAINTS_HPP

#include <Kokkos_Core.hpp>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "Kontract_Launch.hpp"
#include "Kontract_SharedOperators.hpp"
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

/// Constrained unknowns and what they are sums of, where an execution space reads them.
template <class Space>
struct ConstraintTable {
  template <class T>
  using Numbers = Kokkos::View<T*, typename Space::memory_space>;
  Numbers<std::int32_t> constrained, unknowns;
  Numbers<std::int64_t> starts;
  Numbers<double> weights;

  explicit ConstraintTable(const ConstraintRows& rows) {
    std::vector<std::int32_t> all_constrained, all_unknowns;
    std::vector<std::int64_t> all_starts{0};
    std::vector<double> all_weights;
    for (std::int64_t i = 0; i < rows.count(); ++i) {
      if (!rows.isConstrained(i)) continue;
      all_constrained.push_back(static_cast<std::int32_t>(i));
      for (const auto& [unknown, weight] : rows.row(i)) {
        all_unknowns.push_back(unknown);
        all_weights.push_back(weight);
      }
      all_starts.push_back(static_cast<std::int64_t>(all_unknowns.size()));
    }
    const std::string label = "Kontract::LinearConstraints";
    constrained = placedNumbers<Space>(label, all_constrained);
    unknowns = placedNumbers<Space>(label, all_unknowns);
    starts = placedNumbers<Space>(label, all_starts);
    weights = placedNumbers<Space>(label, all_weights);
  }
};

/// Gives a constrained unknown its value. What it is a sum of is never constrained.
template <class Table, class Vector>
struct CompleteUnknown {
  Table of;
  Vector vector;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    double sum = 0;
    for (std::int64_t n = of.starts(i); n < of.starts(i + 1); ++n) {
      sum += of.weights(n) * double(vector(of.unknowns(n)));
    }
    vector(of.constrained(i)) = static_cast<typename Vector::non_const_value_type>(sum);
  }
};

/// What LinearConstraints keeps. Copies share it.
template <class Space>
class SharedConstraints {
 public:
  SharedConstraints() = default;
  explicit SharedConstraints(std::shared_ptr<const ConstraintRows> rows)
      : _rows(std::move(rows)), _table(std::make_shared<const ConstraintTable<Space>>(*_rows)) {}

  const std::shared_ptr<const ConstraintRows>& rows() const { return _rows; }

  template <class Vector>
  void complete(const Space& space, const Vector& vector) const {
    static_assert(Kokkos::SpaceAccessibility<Space, typename Vector::memory_space>::accessible,
                  "Kontract: complete() takes a vector that the execution space reaches");
    requireNumbers("elements of the vector", vector);
    const std::int64_t count = _rows ? _rows->count() : 0;
    if (static_cast<std::int64_t>(vector.extent(0)) < count) {
      refuse("LinearConstraints", "the vector has " + std::to_string(vector.extent(0)) +
                                      " elements, but there are " + std::to_string(count) +
                                      " unknowns");
    }
    if (!_rows) return;
    launch(space, "Kontract::LinearConstraints", _rows->constrained(),
           CompleteUnknown<ConstraintTable<Space>, Vector>{*_table, vector});
  }

 private:
  std::shared_ptr<const ConstraintRows> _rows;
  std::shared_ptr<const ConstraintTable<Space>> _table;
};

}  // namespace Impl
}  // namespace Kontract

#endif
