// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FORMDIAGONAL_HPP
#define KONTRACT_FORMDIAGONAL_HPP

#include "Kontract_FormPoint.hpp"

namespace Kontract {
namespace Impl {

/// Some fields' entries of the diagonal of a cell's matrix, without the matrix: one for each
/// component, or a block of the components of each field.
template <class Problem, int D>
struct FormDiagonal {
  using Point = FormPoint<Problem, D>;
  using Acc = typename Point::Acc;
  using G = typename Point::G;
  /// For which the geometry and the coefficient at a point are computed once.
  static constexpr int most_fields = 8;

  Problem problem;
  std::int64_t parts;  ///< of the fields of a cell

  explicit FormDiagonal(const Problem& of)
      : problem(of), parts((of.shape.lefts + most_fields - 1) / most_fields) {}

  /// Number of work items.
  std::int64_t count() const {
    const FormShape& s = problem.shape;
    return s.cells * parts * s.left_blocks * s.diagonal_columns;
  }

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t n) const {
    const Entries at = entries(n);
    Acc sums[most_fields];
    for (Acc& sum : sums) sum = Acc(0);
    for (std::int64_t p = 0; p < problem.shape.points; ++p) {
      const PointGeometry<D, G> geometry = Point::geometry(problem, at.cell, p);
      forEachTerm(problem.terms, [&](const auto& term) {
        withComponents<D>(term, [&](auto nl, auto nr) {
          this->template add<decltype(nl)::value, decltype(nr)::value>(term, geometry, at, p, sums);
        });
      });
    }
    for (int f = 0; f < most_fields && at.first + f < problem.shape.lefts; ++f) {
      Point::applySign(problem.left_signs, at.cell, at.first + f, sums[f]);
      Point::applySign(problem.right_signs, at.cell, at.first + f, sums[f]);
      store(at, at.first + f, sums[f]);
    }
  }

 private:
  /// Those of fields from the first one on, between components i and j.
  struct Entries {
    std::int64_t cell, first;
    int i, j;
  };

  KOKKOS_FORCEINLINE_FUNCTION Entries entries(std::int64_t n) const {
    const FormShape& s = problem.shape;
    const auto take = [&n](std::int64_t extent) {
      const std::int64_t part = n % extent;
      n /= extent;
      return part;
    };
    Entries at;
    if (s.cell_fastest) at.cell = take(s.cells);
    at.j = static_cast<int>(take(s.diagonal_columns));
    at.i = static_cast<int>(take(s.left_blocks));
    if (s.diagonal_columns == 1) at.j = at.i;
    at.first = take(parts) * most_fields;
    if (!s.cell_fastest) at.cell = n;
    at.cell = problem.scatter.cell(at.cell);
    return at;
  }

  template <int NL, int NR, class Term>
  KOKKOS_INLINE_FUNCTION void add(const Term& term, const PointGeometry<D, G>& geometry,
                                  const Entries& at, std::int64_t p,
                                  Acc (&sums)[most_fields]) const {
    using Types = typename Point::template Of<Term>;
    using Left = typename Types::Left;
    using Right = typename Types::Right;
    typename Types::K k[NL][NR] = {};
    if (!Point::pointMatrix(problem, term, geometry, at.cell, p, at.i, at.j, k)) return;
    for (int f = 0; f < most_fields && at.first + f < problem.shape.lefts; ++f) {
      const std::int64_t field = at.first + f;
      Acc value[NR];
      for (int b = 0; b < NR; ++b) {
        value[b] = Acc(Point::template value<Right>(term.right.at(at.cell, field, p, b)));
      }
      Acc sum(0);
      for (int a = 0; a < NL; ++a) {
        Acc flux(0);
        for (int b = 0; b < NR; ++b) multiplyAdd(flux, k[a][b], value[b]);
        multiplyAdd(sum, Point::template value<Left>(term.left.at(at.cell, field, p, a)), flux);
      }
      Point::applySign(term.left_signs, at.cell, field, sum);
      Point::applySign(term.right_signs, at.cell, field, sum);
      sums[f] += sum;
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void store(const Entries& at, std::int64_t field,
                                         const Acc& sum) const {
    const FormShape& s = problem.shape;
    const std::int64_t row = field * s.left_blocks + at.i;
    if constexpr (Problem::scatter_type::is_ever_there) {
      if (problem.isScattered())
        return problem.scatter.add(problem.out.data, at.cell, row, 0, 1, sum);
    }
    const FormStrides& strides = problem.out_strides;
    const std::int64_t column = s.diagonal_columns == 1 ? 0 : at.j;
    const std::int64_t offset =
        at.cell * strides.cell + row * strides.row + column * strides.column;
    if (s.sum_into) {
      Impl::store<true>(problem.out[offset], sum);
    } else {
      Impl::store<false>(problem.out[offset], sum);
    }
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
