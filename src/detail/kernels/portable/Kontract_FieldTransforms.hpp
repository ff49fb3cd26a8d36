// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FIELDTRANSFORMS_HPP
#define KONTRACT_FIELDTRANSFORMS_HPP

#include <Kokkos_Core.hpp>
#include <cstdint>

#include "Kontract_FastDivisor.hpp"
#include "detail/problem/Kontract_FieldOperators.hpp"
#include "detail/problem/Kontract_FormProblem.hpp"

namespace Kontract {
namespace Impl {

// What stands between kernels of forms and cells whose fields are transformed: see FieldOperators.

/// Calls f(field, weight) with the entries of a row of the matrix of a cell.
/// \param row  a component of a field
template <class F>
KOKKOS_FORCEINLINE_FUNCTION void forEachOfRow(const FieldMatrices& of, std::int64_t cell,
                                              std::int64_t row, const F& f) {
  if (of.kinds == nullptr) return f(row, 1.0);
  const std::int64_t field = row / of.components, component = row % of.components;
  const std::int64_t* const starts = of.starts + of.kinds[cell] * (of.rows + 1) + field;
  for (std::int64_t n = starts[0]; n < starts[1]; ++n) {
    f(of.fields[n] * of.components + component, of.weights[n]);
  }
}

/// Cells that a launch transforms, and where they are in a buffer of a few cells.
struct CellsOfBuffer {
  std::int64_t first = 0;              ///< cell of the buffer
  std::int64_t begin = 0;              ///< of the launch, among the cells of a list if there is one
  const std::int32_t* list = nullptr;  ///< of cells, by numbers in all cells
  std::int64_t first_of_list = 0;      ///< the number of the form's first cell
  bool is_by_place = false;            ///< operators and targets are those of places in the list

  /// The cell by which a work item's operators and targets are known.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t cell(std::int64_t i) const {
    return list == nullptr || is_by_place ? begin + i : list[begin + i] - first_of_list;
  }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t place(std::int64_t i) const {
    return (list == nullptr ? begin + i : list[begin + i] - first_of_list) - first;
  }
};

/// Leaves T^T x of cells in a buffer.
template <class T>
struct ReadFields {
  NumberedFormArray<T> from;
  FieldMatrices transposed;
  CellsOfBuffer cells;
  std::int64_t fields;  ///< with components
  FastDivisor by_fields;
  T* to;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    auto item = static_cast<std::uint32_t>(i);
    const std::int64_t field = by_fields.takeFrom(item), c = cells.cell(item);
    T sum(0);
    forEachOfRow(transposed, c, field, [&](std::int64_t other, double weight) {
      sum += T(weight) * from.at(c, other, 0);
    });
    to[cells.place(item) * fields + field] = sum;
  }
};

/// Where outputs are those of each cell.
template <class T>
struct OwnOutputs {
  T* out;
  std::int64_t cell, row, column;  ///< strides
  bool sum_into;

  KOKKOS_FORCEINLINE_FUNCTION void take(std::int64_t c, std::int64_t l, std::int64_t r,
                                        std::int64_t, T x) const {
    T& to = out[c * cell + l * row + r * column];
    to = sum_into ? to + x : x;
  }
};

/// Where cells add to what they share.
template <class T>
struct ScatteredOutputs {
  T* values;
  ScatterTarget target;

  KOKKOS_FORCEINLINE_FUNCTION void take(std::int64_t c, std::int64_t l, std::int64_t r,
                                        std::int64_t columns, T x) const {
    target.add(values, c, l, r, columns, x);
  }
};

/// Gives T M T^T of matrices M in a buffer, or T v of vectors, which have one column, to their
/// target.
template <class T, class Target>
struct TransformOutputs {
  const T* from;               ///< (cells, lefts, rights)
  std::int64_t lefts, rights;  ///< of the kernel
  FieldMatrices left, right;
  CellsOfBuffer cells;
  std::int64_t columns;  ///< of the target
  FastDivisor by_rows, by_columns;
  Target target;

  /// \param i  entries of a launch are fewer than 2^31
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    auto item = static_cast<std::uint32_t>(i);
    const std::int64_t column = by_columns.takeFrom(item), row = by_rows.takeFrom(item);
    const std::int64_t c = cells.cell(item);
    const T* const matrix = from + cells.place(item) * lefts * rights;
    T sum(0);
    // Cells that expand have room for more fields than kernels have; those are 0 there.
    forEachOfRow(left, c, row, [&](std::int64_t l, double left_weight) {
      if (l >= lefts) return;
      T of_row(0);
      forEachOfRow(right, c, column, [&](std::int64_t r, double weight) {
        if (r < rights) of_row += T(weight) * matrix[l * rights + r];
      });
      sum += T(left_weight) * of_row;
    });
    target.take(c, row, column, columns, sum);
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
