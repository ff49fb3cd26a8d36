// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FORMPRODUCT_HPP
#define KONTRACT_FORMPRODUCT_HPP

#include "Kontract_FormPoint.hpp"

namespace Kontract {
namespace Impl {

/// The product of a cell's matrix with a vector (C,R), without the matrix: at each point the field
/// on the right is evaluated, and what it contributes to all left fields is added to the output.
template <class Problem, int D>
struct FormProduct {
  using Point = FormPoint<Problem, D>;
  using Acc = typename Point::Acc;
  using G = typename Point::G;
  /// Sums grow in the output, unless that is narrower than they are.
  static constexpr bool sums_in_output =
      std::is_same_v<Acc, typename Problem::out_type::value_type>;
  /// Otherwise they wait here, those of a few fields; for others the right side is evaluated anew.
  static constexpr int most_rows = 32;

  Problem problem;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t n) const {
    const std::int64_t c = problem.scatter.cell(n);
    if constexpr (sums_in_output && !Problem::scatter_type::is_ever_there) {
      sumInOutput(c);
    } else if constexpr (sums_in_output) {
      if (problem.isScattered()) {
        sumApart(c);
      } else {
        sumInOutput(c);
      }
    } else {
      sumApart(c);
    }
  }

 private:
  KOKKOS_INLINE_FUNCTION void sumInOutput(std::int64_t c) const {
    const FormShape& s = problem.shape;
    for (std::int64_t row = 0; row < s.lefts * s.left_blocks && !s.sum_into; ++row) {
      put<false>(c, row, Acc(0));
    }
    addPoints(c, 0, s.lefts,
              [&](std::int64_t row, const Acc& sum) { this->template put<true>(c, row, sum); });
  }

  KOKKOS_INLINE_FUNCTION void sumApart(std::int64_t c) const {
    const FormShape& s = problem.shape;
    const std::int64_t fields = most_rows / s.left_blocks;
    for (std::int64_t first = 0; first < s.lefts; first += fields) {
      const std::int64_t last = first + fields < s.lefts ? first + fields : s.lefts;
      const std::int64_t first_row = first * s.left_blocks, last_row = last * s.left_blocks;
      Acc sums[most_rows];
      for (Acc& sum : sums) sum = Acc(0);
      addPoints(c, first, last,
                [&](std::int64_t row, const Acc& sum) { sums[row - first_row] += sum; });
      for (std::int64_t row = first_row; row < last_row; ++row) {
        leaveSum(problem, c, row, 0, 1, sums[row - first_row]);
      }
    }
  }

  template <bool adds>
  KOKKOS_FORCEINLINE_FUNCTION void put(std::int64_t c, std::int64_t row, const Acc& sum) const {
    Impl::store<adds>(problem.out[c * problem.out_strides.cell + row * problem.out_strides.row],
                      sum);
  }

  /// Calls add(row, sum) with what each point contributes to the rows of some left fields.
  template <class Add>
  KOKKOS_FORCEINLINE_FUNCTION void addPoints(std::int64_t c, std::int64_t first, std::int64_t last,
                                             const Add& add) const {
    const Lefts lefts{first, last};
    for (std::int64_t p = 0; p < problem.shape.points; ++p) {
      const PointGeometry<D, G> geometry = Point::geometry(problem, c, p);
      forEachTerm(problem.terms, [&](const auto& term) {
        withComponents<D>(term, [&](auto nl, auto nr) {
          for (int j = 0; j < problem.shape.right_blocks; ++j) {
            this->template addTerm<decltype(nl)::value, decltype(nr)::value>(
                term, geometry, CellPoint{c, p}, j, lefts, add);
          }
        });
      });
    }
  }

  struct Lefts {
    std::int64_t first, last;
  };
  struct CellPoint {
    std::int64_t c, p;
  };

  /// What component j of the vector contributes at a point.
  template <int NL, int NR, class Term, class Add>
  KOKKOS_INLINE_FUNCTION void addTerm(const Term& term, const PointGeometry<D, G>& geometry,
                                      const CellPoint& at, int j, const Lefts& lefts,
                                      const Add& add) const {
    const std::int64_t c = at.c, p = at.p;
    using Types = typename Point::template Of<Term>;
    using Left = typename Types::Left;
    using Right = typename Types::Right;
    const FormShape& s = problem.shape;
    Acc value[NR];
    for (Acc& v : value) v = Acc(0);
    for (std::int64_t r = 0; r < s.rights; ++r) {
      Acc x(problem.vector.at(c, r * s.right_blocks + j, 0));
      Point::applySign(term.right_signs, c, r, x);
      Point::applySign(problem.right_signs, c, r, x);
      for (int b = 0; b < NR; ++b) {
        multiplyAdd(value[b], Point::template value<Right>(term.right.at(c, r, p, b)), x);
      }
    }
    for (int i = 0; i < s.left_blocks; ++i) {
      typename Types::K k[NL][NR] = {};
      if (!Point::pointMatrix(problem, term, geometry, c, p, i, j, k)) continue;
      Acc flux[NL];
      for (int a = 0; a < NL; ++a) {
        flux[a] = Acc(0);
        for (int b = 0; b < NR; ++b) multiplyAdd(flux[a], k[a][b], value[b]);
      }
      for (std::int64_t l = lefts.first; l < lefts.last; ++l) {
        Acc sum(0);
        for (int a = 0; a < NL; ++a) {
          multiplyAdd(sum, Point::template value<Left>(term.left.at(c, l, p, a)), flux[a]);
        }
        Point::applySign(term.left_signs, c, l, sum);
        Point::applySign(problem.left_signs, c, l, sum);
        add(l * s.left_blocks + i, sum);
      }
    }
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
