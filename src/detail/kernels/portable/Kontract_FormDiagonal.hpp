// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FORMDIAGONAL_HPP
#define KONTRACT_FORMDIAGONAL_HPP

#include "Kontract_FormPoint.hpp"

namespace Kontract {
namespace Impl {

/// Some fields' entries of the diagonals of some cells' matrices, without the matrices: one for
/// each component, or a block of the components of each field. \tparam most_cells  that are taken
/// together, so that what they have in common is computed once for all
template <class Problem, int D, int most_cells>
struct FormDiagonal {
  using Point = FormPoint<Problem, D>;
  using Acc = typename Point::Acc;
  using G = typename Point::G;
  /// For which the geometry and the coefficient at a point are computed once.
  static constexpr int most_fields = 8;
  using Sums = Acc[most_fields][most_cells];

  Problem problem;
  std::int64_t batches, parts;  ///< of cells, and of the fields of a cell

  explicit FormDiagonal(const Problem& of)
      : problem(of),
        batches((of.shape.cells + most_cells - 1) / most_cells),
        parts((of.shape.lefts + most_fields - 1) / most_fields) {}

  /// Number of work items.
  std::int64_t count() const {
    const FormShape& s = problem.shape;
    return batches * parts * s.left_blocks * s.diagonal_columns;
  }

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t n) const {
    const Entries at = entries(n);
    Sums sums;
    for (auto& of_field : sums) {
      for (Acc& sum : of_field) sum = Acc(0);
    }
    for (std::int64_t p = 0; p < problem.shape.points; ++p) {
      PointGeometry<D, G> geometry[most_cells];
      for (int i = 0; i < most_cells; ++i) geometry[i] = Point::geometry(problem, at.cell[i], p);
      forEachTerm(problem.terms, [&](const auto& term) {
        withComponents<D>(term, [&](auto nl, auto nr) {
          this->template add<decltype(nl)::value, decltype(nr)::value>(term, geometry, at, p, sums);
        });
      });
    }
    for (int f = 0; f < most_fields && at.first + f < problem.shape.lefts; ++f) {
      for (int i = 0; i < at.cells; ++i) {
        Point::applySign(problem.left_signs, at.cell[i], at.first + f, sums[f][i]);
        Point::applySign(problem.right_signs, at.cell[i], at.first + f, sums[f][i]);
        const std::int64_t row = (at.first + f) * problem.shape.left_blocks + at.i;
        const int columns = problem.shape.diagonal_columns;
        leaveSum(problem, at.cell[i], row, columns == 1 ? 0 : at.j, columns, sums[f][i]);
      }
    }
  }

 private:
  /// Those of fields from the first one on, between components i and j, in some cells.
  struct Entries {
    std::int64_t cell[most_cells];  ///< the last one stands for those that are not there
    int cells;
    std::int64_t first;
    int i, j;
  };

  KOKKOS_FORCEINLINE_FUNCTION Entries entries(std::int64_t n) const {
    const FormShape& s = problem.shape;
    const auto take = [&n](std::int64_t extent) { return takeIndex(n, extent); };
    Entries at;
    std::int64_t batch = s.cell_fastest ? take(batches) : 0;
    at.j = static_cast<int>(take(s.diagonal_columns));
    at.i = static_cast<int>(take(s.left_blocks));
    if (s.diagonal_columns == 1) at.j = at.i;
    at.first = take(parts) * most_fields;
    if (!s.cell_fastest) batch = n;
    const std::int64_t begin = batch * most_cells, left = s.cells - begin;
    at.cells = left < most_cells ? static_cast<int>(left) : most_cells;
    for (int i = 0; i < most_cells; ++i) {
      at.cell[i] = problem.scatter.cell(begin + (i < at.cells ? i : at.cells - 1));
    }
    return at;
  }

  template <int NL, int NR, class Term>
  KOKKOS_INLINE_FUNCTION void add(const Term& term,
                                  const PointGeometry<D, G> (&geometry)[most_cells],
                                  const Entries& at, std::int64_t p, Sums& sums) const {
    using K = typename Point::template Of<Term>::K;
    K k[NL][NR][most_cells];
    for (int i = 0; i < most_cells; ++i) {
      K of_cell[NL][NR] = {};
      if (!Point::pointMatrix(problem, term, geometry[i], at.cell[i], p, at.i, at.j, of_cell)) {
        return;  // nor in other cells
      }
      for (int a = 0; a < NL; ++a) {
        for (int b = 0; b < NR; ++b) k[a][b][i] = of_cell[a][b];
      }
    }
    for (int f = 0; f < most_fields && at.first + f < problem.shape.lefts; ++f) {
      const std::int64_t field = at.first + f;
      Acc of_field[most_cells];
      for (Acc& sum : of_field) sum = Acc(0);
      if (problem.shape.has_values_of_reference) {
        const Values<NL, NR, Term> values(term, at.cell[0], field, p);
        for (int i = 0; i < most_cells; ++i) values.template add<most_cells>(k, i, of_field[i]);
      } else {
        for (int i = 0; i < most_cells; ++i) {
          const Values<NL, NR, Term> values(term, at.cell[i], field, p);
          values.template add<most_cells>(k, i, of_field[i]);
        }
      }
      for (int i = 0; i < most_cells; ++i) {
        Point::applySign(term.left_signs, at.cell[i], field, of_field[i]);
        Point::applySign(term.right_signs, at.cell[i], field, of_field[i]);
        sums[f][i] += of_field[i];
      }
    }
  }

  /// Left and right values of a field at a point.
  template <int NL, int NR, class Term>
  struct Values {
    using Types = typename Point::template Of<Term>;
    using Left = typename Types::Left;
    Left left[NL];
    Acc right[NR];

    KOKKOS_FORCEINLINE_FUNCTION Values(const Term& term, std::int64_t c, std::int64_t field,
                                       std::int64_t p) {
      for (int a = 0; a < NL; ++a) {
        left[a] = Point::template value<Left>(term.left.at(c, field, p, a));
      }
      for (int b = 0; b < NR; ++b) {
        using Right = typename Types::Right;
        right[b] = Acc(Point::template value<Right>(term.right.at(c, field, p, b)));
      }
    }

    /// Adds left . k right, with k of cell i.
    template <int cells>
    KOKKOS_FORCEINLINE_FUNCTION void add(const typename Types::K (&k)[NL][NR][cells], int i,
                                         Acc& sum) const {
      for (int a = 0; a < NL; ++a) {
        Acc flux(0);
        for (int b = 0; b < NR; ++b) multiplyAdd(flux, k[a][b][i], right[b]);
        multiplyAdd(sum, left[a], flux);
      }
    }
  };
};

}  // namespace Impl
}  // namespace Kontract

#endif
