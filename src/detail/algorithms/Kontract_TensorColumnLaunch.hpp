// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TENSORCOLUMNLAUNCH_HPP
#define KONTRACT_TENSORCOLUMNLAUNCH_HPP

#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "Kontract_ColumnForms.hpp"
#include "Kontract_TensorColumnPlan.hpp"
#include "detail/kernels/portable/Kontract_TensorColumns.hpp"

namespace Kontract {
namespace Impl {

// What starts kernels of TensorColumns, of any sides.

/// Calls f(extents) with functions and points that are known when compiling, if those are.
/// \tparam one, two  arrays after the first direction, and after the second one
/// \return whether they are
template <int one, int two, int... functions, class F>
bool withKnownColumns(std::integer_sequence<int, functions...>, const TensorColumnSizes& sizes,
                      const F& f) {
  const int N = sizes.functions, Q = sizes.points[0];
  if (sizes.points[1] != Q || sizes.points[2] != Q) return false;
  const auto isKnown = [&](auto of) {
    constexpr int M = decltype(of)::value;
    if (N != M || Q < M || Q > M + 1) return false;
    if (Q == M) {
      f(KnownColumns<M, M, one, two>(sizes));
    } else {
      f(KnownColumns<M, M + 1, one, two>(sizes));
    }
    return true;
  };
  return (isKnown(std::integral_constant<int, functions>()) || ...);
}

/// Calls f(extents) with what is known of them at run time.
template <class F>
void withAnyColumns(const TensorColumnPlan& plan, const F& f) {
  const TensorColumnSteps& steps = plan.steps;
  const auto withPoints = [&](auto functions) {
    constexpr int few = decltype(functions)::value;
    if (steps.points == few) return f(AnyColumns<few, few>(plan.sizes));
    if (steps.points == few + 1) return f(AnyColumns<few, few + 1>(plan.sizes));
    throw std::logic_error("Kontract: no kernel for " + std::to_string(steps.points) +
                           " steps of points in a direction");
  };
  switch (steps.functions) {
    case 1: return withPoints(std::integral_constant<int, 1>());
    case 2: return withPoints(std::integral_constant<int, 2>());
    default: return withPoints(std::integral_constant<int, 3>());
  }
}

/// Whether neighbours in memory are neighbouring cells in what a term reads most of.
template <class T>
bool hasCellsFirst(const PlainForm<T>& form, const PlainTerm<T>& term) {
  if (form.gradients.is_there) {
    // Tables of nodes are read for many cells at once.
    if (form.nodes != TrilinearCells::nodes) return true;
  } else if (form.has_mapping) {
    return form.mapping.cell == 1;
  }
  // One number for all points of a cell is not much.
  if (term.coefficient.is_there && term.coefficient.point != 0) return term.coefficient.cell == 1;
  return form.cell_fastest;
}

/// What kernels prefetch of an array of a form.
/// \param cell    how far neighbouring cells are apart
/// \param number  how far neighbouring numbers of a cell are; 0: not equally far
/// \param count   numbers of a cell
template <class T>
CellBytes cellBytes(const T* data, std::int64_t cell, std::int64_t number, std::int64_t count) {
  constexpr std::int64_t size = sizeof(T);
  CellBytes array;
  array.data = reinterpret_cast<const char*>(data);
  if (number == 1 && cell == count) {
    array.bytes = static_cast<int>(count * size);
  } else if (number != 0 && cell == 1 && count > 0) {
    array.bytes = static_cast<int>(size);
    array.pieces = static_cast<int>(count);
    array.step = number * size;
  }
  return array;
}
/// How far neighbours of numbers with two indices are apart, if equally far; else 0.
/// \param row, column    how far neighbouring rows and columns are
/// \param rows, columns  how many there are
inline std::int64_t stepOf(std::int64_t row, std::int64_t rows, std::int64_t column,
                           std::int64_t columns) {
  if (row == columns * column) return column;
  return column == rows * row ? row : 0;
}
template <class Problem>
CellBytes vectorBytes(const Problem& problem) {
  if constexpr (Problem::kind == FormKind::Products) {
    const auto& vector = problem.vector;
    if (vector.numbers != nullptr) {
      return cellBytes(vector.numbers, vector.fields, 1, vector.fields);
    }
    return cellBytes(vector.elements.data, vector.strides.cell, vector.strides.field,
                     problem.shape.rights * problem.shape.right_blocks);
  }
  return {};
}
/// An array whose numbers of a cell lie together, or nothing. To prefetch others takes as long as
/// it saves where they are many and there is little to compute.
inline CellBytes together(const CellBytes& array) {
  return array.pieces == 0 ? array : CellBytes();
}
/// Of a coefficient, or of factors. Of matrices with all entries nothing is prefetched.
template <class Term>
CellBytes coefficientBytes(const Term& term, std::int64_t points) {
  if (!term.coefficient.isThere()) return {};
  constexpr int D = 3, half = 6;
  const FormStrides& s = term.coefficient.strides;
  const auto bytesOf = [&](std::int64_t entries) {
    const std::int64_t step = entries == 1 ? s.point : stepOf(s.row, entries, s.point, points);
    return cellBytes(term.coefficient.elements.data, s.cell, step, entries * points);
  };
  const bool are_vectors = term.left_is_vector && term.right_is_vector;
  switch (term.kind) {
    case CoefficientKind::Scalar: return bytesOf(1);
    case CoefficientKind::Symmetric: return together(bytesOf(half));
    case CoefficientKind::Full: return are_vectors ? CellBytes() : bytesOf(D);
    default: return {};
  }
}
/// Of Jacobians.
template <class Problem>
CellBytes mappingBytes(const Problem& problem) {
  if constexpr (Problem::mapping_type::is_ever_there && !Problem::gradients_type::is_ever_there) {
    constexpr std::int64_t D = 3;
    const FormStrides& s = problem.mapping.strides;
    const std::int64_t points = problem.shape.points;
    const bool are_rows = s.row == D * s.column && s.point == D * s.row;
    const bool are_columns = s.row == points * s.point && s.column == D * s.row;
    const std::int64_t step = are_rows ? s.column : are_columns ? s.point : 0;
    return cellBytes(problem.mapping.elements.data, s.cell, step, D * D * points);
  }
  return {};
}

/// Starts the kernel of a term. \tparam Flux  what stands between values at points
template <class Left, class Right, class Flux, class Launcher, class Problem, class Extents>
void launchTensorColumns(const Launcher& launcher, const Problem& problem,
                         const TensorColumnPlan& plan, const Extents& extents) {
  const auto& term = problem.terms.terms[0];
  // A load has no right side, and does not ask for it.
  const auto rightSide = [&] {
    if constexpr (Flux::is_load) {
      return Right(extents, term.left);
    } else {
      return Right(extents, term.right);
    }
  };
  TensorColumns<Problem, Extents, Left, Right, Flux, typename Launcher::Block> kernel{
      problem,     plan.sizes,
      extents,     Left(extents, term.left),
      rightSide(), FastDivisor(plan.sizes.cells)};
  if (problem.scatter.cells == nullptr) {  // cells of a color do not follow each other
    kernel.prefetched_vector = vectorBytes(problem);
    kernel.prefetched_coefficient = coefficientBytes(term, problem.shape.points);
    const CellBytes mapping = mappingBytes(problem);
    constexpr int many_paths = 6;
    kernel.prefetched_mapping = Left::most_paths < many_paths ? together(mapping) : mapping;
  }
  if (kernel.sharedBytes() > plan.shared_bytes) {
    throw std::logic_error("Kontract: a kernel takes more shared memory than its plan");
  }
  launcher(plan, kernel);
}

}  // namespace Impl
}  // namespace Kontract

#endif
