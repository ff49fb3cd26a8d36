// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FORMFACTORS_HPP
#define KONTRACT_FORMFACTORS_HPP

#include "Kontract_FormPoint.hpp"

namespace Kontract {
namespace Impl {

/// The factors of a term at one point of a cell: the matrix between left and right values, or its
/// upper half.
template <class Problem, int D>
struct FormFactors {
  using Point = FormPoint<Problem, D>;

  Problem problem;

  /// Neighbours in memory are neighbouring work items.
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t n) const {
    const FormShape& s = problem.shape;
    const std::int64_t fast = s.cell_fastest ? s.cells : s.points;
    const std::int64_t slow_index = n / fast, fast_index = n - slow_index * fast;
    const std::int64_t c = s.cell_fastest ? fast_index : slow_index;
    const std::int64_t p = s.cell_fastest ? slow_index : fast_index;
    const auto geometry = Point::geometry(problem, c, p);
    forEachTerm(problem.terms, [&](const auto& term) {
      withComponents<D>(term, [&](auto nl, auto nr) {
        this->template compute<decltype(nl)::value, decltype(nr)::value>(term, geometry, c, p);
      });
    });
  }

 private:
  using Acc = typename Point::Acc;

  template <int NL, int NR, class Term, class G>
  KOKKOS_FORCEINLINE_FUNCTION void compute(const Term& term, const PointGeometry<D, G>& geometry,
                                           std::int64_t c, std::int64_t p) const {
    typename Point::template Of<Term>::K k[NL][NR] = {};
    Point::template pointMatrix<NL, NR>(problem, term, geometry, c, p, 0, 0, k);
    const bool is_half = problem.shape.factors < NL * NR;
    const FormStrides& strides = problem.out_strides;
    std::int64_t offset = c * strides.cell + p * strides.column;
    for (int a = 0; a < NL; ++a) {
      for (int b = is_half ? a : 0; b < NR; ++b, offset += strides.row) {
        if (problem.shape.sum_into) {
          Impl::store<true>(problem.out[offset], Acc(k[a][b]));
        } else {
          Impl::store<false>(problem.out[offset], Acc(k[a][b]));
        }
      }
    }
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
