// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FORMFLAT_HPP
#define KONTRACT_FORMFLAT_HPP

#include <string>

#include "Kontract_FormPoint.hpp"
#include "detail/launch/Kontract_Launch.hpp"

namespace Kontract {
namespace Impl {

/// A block of outputs of one cell: the geometry and the coefficient at a point are computed once
/// for all of them.
template <class Problem, int D, int block_lefts, int block_rights>
struct FusedBlock {
  using Point = FusedPoint<Problem, D>;
  using Acc = typename Point::Acc;
  using G = typename Point::G;

  Problem problem;
  std::int64_t left_parts, right_parts;

  /// What a piece of work is: its cell, first fields, and components of them.
  struct Place {
    std::int64_t cell, left, right;
    int i, j;
  };

  static std::int64_t parts(std::int64_t fields, int block) { return (fields + block - 1) / block; }

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t n) const {
    const FusedShape& s = problem.shape;
    Place at;
    const auto take = [&n](std::int64_t extent) {
      const std::int64_t part = n % extent;
      n /= extent;
      return part;
    };
    if (s.cell_fastest) at.cell = take(s.cells);
    at.j = static_cast<int>(take(s.right_blocks));
    at.i = static_cast<int>(take(s.left_blocks));
    at.right = take(right_parts) * block_rights;
    at.left = take(left_parts) * block_lefts;
    if (!s.cell_fastest) at.cell = n;
    const bool is_above = at.right > at.left + block_lefts - 1;
    if (s.is_symmetric && is_above) return;

    Acc sums[block_lefts][block_rights];
    for (auto& row : sums) {
      for (Acc& sum : row) sum = Acc(0);
    }
    for (std::int64_t p = 0; p < s.points; ++p) {
      const PointGeometry<D, G> geometry = Point::geometry(problem, at.cell, p);
      addTerms(problem.terms, geometry, at, p, sums);
    }
    store(at, sums);
  }

 private:
  using Sums = Acc[block_lefts][block_rights];

  KOKKOS_FORCEINLINE_FUNCTION void addTerms(const TermList<>&, const PointGeometry<D, G>&,
                                            const Place&, std::int64_t, Sums&) const {}
  template <class First, class... Rest>
  KOKKOS_FORCEINLINE_FUNCTION void addTerms(const TermList<First, Rest...>& terms,
                                            const PointGeometry<D, G>& geometry, const Place& at,
                                            std::int64_t p, Sums& sums) const {
    withComponents<D>(terms.first, [&](auto nl, auto nr) {
      this->template add<decltype(nl)::value, decltype(nr)::value>(terms.first, geometry, at, p,
                                                                   sums);
    });
    addTerms(terms.rest, geometry, at, p, sums);
  }

  /// Fields past the last one stand for it; what is computed for them is not stored.
  static KOKKOS_FORCEINLINE_FUNCTION std::int64_t atMost(std::int64_t i, std::int64_t last) {
    return i < last ? i : last;
  }

  template <int NL, int NR, class Term>
  KOKKOS_INLINE_FUNCTION void add(const Term& term, const PointGeometry<D, G>& geometry,
                                  const Place& at, std::int64_t p, Sums& sums) const {
    using Types = typename Point::template Of<Term>;
    using Left = typename Types::Left;
    using SignedLeft = typename Types::SignedLeft;
    using Right = typename Types::Right;
    using KRight = typename Types::KRight;
    typename Types::K k[NL][NR] = {};
    if (!Point::metric(term, geometry, at.cell, p, at.i, at.j, k)) return;
    const FusedShape& s = problem.shape;
    KRight products[block_rights][NL];
    for (int r = 0; r < block_rights; ++r) {
      const std::int64_t field = atMost(at.right + r, s.rights - 1);
      for (int a = 0; a < NL; ++a) {
        if constexpr (Term::right_type::is_there) {
          KRight sum = KRight(0);
          for (int b = 0; b < NR; ++b) {
            sum = sum + k[a][b] * Point::template value<Right>(term.right.at(at.cell, field, p, b));
          }
          products[r][a] = sum;
        } else {
          products[r][a] = KRight(k[a][0]);
        }
        if constexpr (std::decay_t<decltype(term.right_signs)>::is_there) {
          products[r][a] = products[r][a] * Point::sign(term.right_signs, at.cell, field);
        }
      }
    }
    for (int l = 0; l < block_lefts; ++l) {
      const std::int64_t field = atMost(at.left + l, s.lefts - 1);
      for (int a = 0; a < NL; ++a) {
        SignedLeft left(Point::template value<Left>(term.left.at(at.cell, field, p, a)));
        if constexpr (std::decay_t<decltype(term.left_signs)>::is_there) {
          left = left * Point::sign(term.left_signs, at.cell, field);
        }
        for (int r = 0; r < block_rights; ++r) multiplyAdd(sums[l][r], left, products[r][a]);
      }
    }
  }

  KOKKOS_INLINE_FUNCTION void store(const Place& at, const Sums& sums) const {
    const FusedShape& s = problem.shape;
    for (int l = 0; l < block_lefts && at.left + l < s.lefts; ++l) {
      for (int r = 0; r < block_rights && at.right + r < s.rights; ++r) {
        const std::int64_t row = (at.left + l) * s.left_blocks + at.i;
        const std::int64_t column = (at.right + r) * s.right_blocks + at.j;
        if (s.is_symmetric && column > row) break;
        storeOne(at.cell, row, column, sums[l][r]);
        if (s.is_symmetric && column < row) storeOne(at.cell, column, row, sums[l][r]);
      }
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void storeOne(std::int64_t c, std::int64_t row, std::int64_t column,
                                            const Acc& sum) const {
    const auto& out = problem.out;
    const std::int64_t offset = c * out.cell + row * out.row + column * out.column;
    if (problem.shape.sum_into) {
      Impl::store<true>(out.elements[offset], sum);
    } else {
      Impl::store<false>(out.elements[offset], sum);
    }
  }
};

/// Matrices and vectors of any scalars on any execution space, a block of outputs for each item of
/// work.
template <int D, class Space, class Problem>
void runFusedFlat(const Space& space, const Problem& problem, const std::string& label) {
  using Terms = typename Problem::terms_type;
  const auto run = [&](auto lefts, auto rights) {
    using Block = FusedBlock<Problem, D, decltype(lefts)::value, decltype(rights)::value>;
    const FusedShape& s = problem.shape;
    const std::int64_t left_parts = Block::parts(s.lefts, decltype(lefts)::value);
    const std::int64_t right_parts = Block::parts(s.rights, decltype(rights)::value);
    launch(space, label, s.cells * left_parts * right_parts * s.left_blocks * s.right_blocks,
           Block{problem, left_parts, right_parts});
  };
  constexpr bool is_vector = !decltype(std::declval<Terms>().first)::right_type::is_there;
  if constexpr (is_vector) {
    run(std::integral_constant<int, 4>(), std::integral_constant<int, 1>());
  } else {
    // Threads of a device have registers for more, which halves what they compute again and again.
    using Acc = typename FusedPoint<Problem, D>::Acc;
    constexpr bool has_registers = !is_host_space<Space> && is_plain<Acc> && sizeof(Acc) <= 8;
    constexpr std::int64_t many_fields = 16;
    if constexpr (has_registers) {
      if (problem.shape.lefts >= many_fields) {
        run(std::integral_constant<int, 8>(), std::integral_constant<int, 8>());
        return;
      }
    }
    run(std::integral_constant<int, 4>(), std::integral_constant<int, 8>());
  }
}

}  // namespace Impl
}  // namespace Kontract

#endif
