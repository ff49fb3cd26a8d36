// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FORMBLOCK_HPP
#define KONTRACT_FORMBLOCK_HPP

#include "Kontract_FormPoint.hpp"

namespace Kontract {
namespace Impl {

/// A block of outputs of one cell, matrices or vectors: the geometry and the coefficient at a point
/// are computed once for all of them.
template <class Problem, int D, int block_lefts, int block_rights>
struct FormBlock {
  using Point = FormPoint<Problem, D>;
  using Acc = typename Point::Acc;
  using G = typename Point::G;
  using Sums = Acc[block_lefts][block_rights];

  Problem problem;
  std::int64_t left_parts, right_parts;

  explicit FormBlock(const Problem& of)
      : problem(of),
        left_parts(parts(of.shape.lefts, block_lefts)),
        right_parts(parts(of.shape.rights, block_rights)) {}

  /// Number of work items.
  std::int64_t count() const {
    const FormShape& s = problem.shape;
    return s.cells * left_parts * right_parts * s.left_blocks * s.right_blocks;
  }

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t n) const {
    WorkItem at = workItem(n);
    at.cell = problem.scatter.cell(at.cell);
    const bool is_above = at.right > at.left + block_lefts - 1;
    if (problem.shape.is_symmetric && is_above) return;
    Sums sums;
    for (auto& row : sums) {
      for (Acc& sum : row) sum = Acc(0);
    }
    for (std::int64_t p = 0; p < problem.shape.points; ++p) {
      const PointGeometry<D, G> geometry = Point::geometry(problem, at.cell, p);
      forEachTerm(problem.terms, [&](const auto& term) {
        withComponents<D>(term, [&](auto nl, auto nr) {
          this->template add<decltype(nl)::value, decltype(nr)::value>(term, geometry, at, p, sums);
        });
      });
    }
    applySigns(at, sums);
    store(at, sums);
  }

 private:
  /// A block: its cell, first fields, and components of them.
  struct WorkItem {
    std::int64_t cell, left, right;
    int i, j;
  };

  static std::int64_t parts(std::int64_t fields, int block) { return (fields + block - 1) / block; }

  KOKKOS_FORCEINLINE_FUNCTION WorkItem workItem(std::int64_t n) const {
    const FormShape& s = problem.shape;
    const auto take = [&n](std::int64_t extent) { return takeIndex(n, extent); };
    WorkItem at;
    if (s.cell_fastest) at.cell = take(s.cells);
    at.j = static_cast<int>(take(s.right_blocks));
    at.i = static_cast<int>(take(s.left_blocks));
    at.right = take(right_parts) * block_rights;
    at.left = take(left_parts) * block_lefts;
    if (!s.cell_fastest) at.cell = n;
    return at;
  }

  /// Fields past the last one stand for it; what is computed for them is not stored.
  static KOKKOS_FORCEINLINE_FUNCTION std::int64_t atMost(std::int64_t i, std::int64_t last) {
    return i < last ? i : last;
  }

  template <int NL, int NR, class Term>
  KOKKOS_INLINE_FUNCTION void add(const Term& term, const PointGeometry<D, G>& geometry,
                                  const WorkItem& at, std::int64_t p, Sums& sums) const {
    using Types = typename Point::template Of<Term>;
    using Left = typename Types::Left;
    using SignedLeft = typename Types::SignedLeft;
    using Right = typename Types::Right;
    using KRight = typename Types::KRight;
    typename Types::K k[NL][NR] = {};
    if (!Point::pointMatrix(problem, term, geometry, at.cell, p, at.i, at.j, k)) return;
    const FormShape& s = problem.shape;
    KRight products[block_rights][NL];
    for (int r = 0; r < block_rights; ++r) {
      const std::int64_t field = atMost(at.right + r, s.rights - 1);
      for (int a = 0; a < NL; ++a) {
        if constexpr (Term::right_type::is_ever_there) {
          KRight sum = KRight(0);
          for (int b = 0; b < NR; ++b) {
            sum = sum + k[a][b] * Point::template value<Right>(term.right.at(at.cell, field, p, b));
          }
          products[r][a] = sum;
        } else {
          products[r][a] = KRight(k[a][0]);
        }
        Point::applySign(term.right_signs, at.cell, field, products[r][a]);
      }
    }
    for (int l = 0; l < block_lefts; ++l) {
      const std::int64_t field = atMost(at.left + l, s.lefts - 1);
      for (int a = 0; a < NL; ++a) {
        SignedLeft left(Point::template value<Left>(term.left.at(at.cell, field, p, a)));
        Point::applySign(term.left_signs, at.cell, field, left);
        for (int r = 0; r < block_rights; ++r) multiplyAdd(sums[l][r], left, products[r][a]);
      }
    }
  }

  /// Multiplies sums by the signs that all terms have.
  KOKKOS_FORCEINLINE_FUNCTION void applySigns(const WorkItem& at, Sums& sums) const {
    const FormShape& s = problem.shape;
    if (problem.right_signs.isThere()) {
      for (int r = 0; r < block_rights; ++r) {
        const std::int64_t field = atMost(at.right + r, s.rights - 1);
        for (int l = 0; l < block_lefts; ++l) {
          Point::applySign(problem.right_signs, at.cell, field, sums[l][r]);
        }
      }
    }
    if (problem.left_signs.isThere()) {
      for (int l = 0; l < block_lefts; ++l) {
        const std::int64_t field = atMost(at.left + l, s.lefts - 1);
        for (int r = 0; r < block_rights; ++r) {
          Point::applySign(problem.left_signs, at.cell, field, sums[l][r]);
        }
      }
    }
  }

  KOKKOS_INLINE_FUNCTION void store(const WorkItem& at, const Sums& sums) const {
    const FormShape& s = problem.shape;
    for (int l = 0; l < block_lefts && at.left + l < s.lefts; ++l) {
      for (int r = 0; r < block_rights && at.right + r < s.rights; ++r) {
        const std::int64_t row = (at.left + l) * s.left_blocks + at.i;
        const std::int64_t column = (at.right + r) * s.right_blocks + at.j;
        if (s.is_symmetric && column > row) break;
        const std::int64_t columns = s.rights * s.right_blocks;
        leaveSum(problem, at.cell, row, column, columns, sums[l][r]);
        if (s.is_symmetric && column < row) {
          leaveSum(problem, at.cell, column, row, columns, sums[l][r]);
        }
      }
    }
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
