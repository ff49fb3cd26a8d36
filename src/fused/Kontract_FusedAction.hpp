// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FUSEDACTION_HPP
#define KONTRACT_FUSEDACTION_HPP

#include <string>

#include "Kontract_FusedPoint.hpp"
#include "Kontract_Launch.hpp"

namespace Kontract {
namespace Impl {

/// The product of a cell's matrix with a vector (C,R), without the matrix: at each point the field
/// on the right is evaluated, and what it contributes to all left fields is added to the output.
template <class Problem, class Vector, int D>
struct FusedActionOfCell {
  using Point = FusedPoint<Problem, D>;
  using Acc = typename SumType<typename Point::Acc, Vector>::type;
  using G = typename Point::G;

  Problem problem;
  Vector vector;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t c) const {
    const FusedShape& s = problem.shape;
    if (!s.sum_into) {
      const Acc zero(0);
      for (std::int64_t l = 0; l < s.lefts * s.left_blocks; ++l) {
        Impl::store<false>(problem.out.elements[c * problem.out.cell + l * problem.out.row], zero);
      }
    }
    for (std::int64_t p = 0; p < s.points; ++p) {
      const PointGeometry<D, G> geometry = Point::geometry(problem, c, p);
      addTerms(problem.terms, geometry, c, p);
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void addTerms(const TermList<>&, const PointGeometry<D, G>&,
                                            std::int64_t, std::int64_t) const {}
  template <class First, class... Rest>
  KOKKOS_FORCEINLINE_FUNCTION void addTerms(const TermList<First, Rest...>& terms,
                                            const PointGeometry<D, G>& geometry, std::int64_t c,
                                            std::int64_t p) const {
    withComponents<D>(terms.first, [&](auto nl, auto nr) {
      for (int j = 0; j < problem.shape.right_blocks; ++j) {
        this->template add<decltype(nl)::value, decltype(nr)::value>(terms.first, geometry, c, p,
                                                                     j);
      }
    });
    addTerms(terms.rest, geometry, c, p);
  }

  /// What component j of the vector contributes at a point.
  template <int NL, int NR, class Term>
  KOKKOS_INLINE_FUNCTION void add(const Term& term, const PointGeometry<D, G>& geometry,
                                  std::int64_t c, std::int64_t p, int j) const {
    using Types = typename Point::template Of<Term>;
    using Left = typename Types::Left;
    using Right = typename Types::Right;
    const FusedShape& s = problem.shape;
    Acc value[NR];
    for (Acc& v : value) v = Acc(0);
    for (std::int64_t r = 0; r < s.rights; ++r) {
      Acc x(vector.at(c, r * s.right_blocks + j, 0));
      if constexpr (std::decay_t<decltype(term.right_signs)>::is_there) {
        x = x * Point::template value<Right>(term.right_signs.at(c, r, 0));
      }
      for (int b = 0; b < NR; ++b) {
        multiplyAdd(value[b], Point::template value<Right>(term.right.at(c, r, p, b)), x);
      }
    }
    for (int i = 0; i < s.left_blocks; ++i) {
      typename Types::K k[NL][NR] = {};
      if (!Point::metric(term, geometry, c, p, i, j, k)) continue;
      Acc flux[NL];
      for (int a = 0; a < NL; ++a) {
        flux[a] = Acc(0);
        for (int b = 0; b < NR; ++b) multiplyAdd(flux[a], k[a][b], value[b]);
      }
      for (std::int64_t l = 0; l < s.lefts; ++l) {
        Acc sum(0);
        for (int a = 0; a < NL; ++a) {
          multiplyAdd(sum, Point::template value<Left>(term.left.at(c, l, p, a)), flux[a]);
        }
        if constexpr (std::decay_t<decltype(term.left_signs)>::is_there) {
          sum = sum * Point::template value<Left>(term.left_signs.at(c, l, 0));
        }
        const std::int64_t row = l * s.left_blocks + i;
        Impl::store<true>(problem.out.elements[c * problem.out.cell + row * problem.out.row], sum);
      }
    }
  }
};

/// Matrix-free products of any scalars on any execution space, a cell for each item of work.
template <int D, class Space, class Problem, class Vector>
void runFusedAction(const Space& space, const Problem& problem, const Vector& vector,
                    const std::string& label) {
  launch(space, label, problem.shape.cells, FusedActionOfCell<Problem, Vector, D>{problem, vector});
}

}  // namespace Impl
}  // namespace Kontract

#endif
