// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_DIAGONALFACTORIZATION_HPP
#define KONTRACT_DIAGONALFACTORIZATION_HPP

#include "Kontract_BasisContraction.hpp"
#include "Kontract_FormPoint.hpp"
#include "Kontract_TeamCells.hpp"
#include "Kontract_Workers.hpp"
#include "detail/problem/Kontract_FormWork.hpp"

namespace Kontract {
namespace Impl {

/// Diagonals of a term of tensor-product bases that have the same functions on both sides, some
/// cells by each team: as Kontract_HostFormDiagonals.ipp, with the cells of a team in the place of
/// those of a vector. In scratch memory are the sums of all fields, and what stands between a left
/// component and the right ones at points.
template <class Problem, int D>
struct DiagonalFactorization {
  using Point = FormPoint<Problem, D>;
  using Acc = typename Point::Acc;
  using Tables = BasisTables<Acc, D>;
  using Contraction = BasisContraction<Acc, D>;

  Problem problem;
  FactorizationSizes sizes;
  int cells;  ///< of a team
  FastDivisor by_cells;

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(const Workers<Member>& team, std::int64_t piece) const {
    const auto& term = problem.terms.terms[0];
    Scratch scratch;
    scratch.cells.first = piece * cells;
    Acc* next = static_cast<Acc*>(team.scratch);
    scratch.tables[0] = next;
    scratch.tables[1] = next + sizes.tables;
    next += 2 * sizes.tables;
    scratch.contraction.cells = cells;
    scratch.contraction.by_cells = by_cells;
    for (int n = 0; n < 2; ++n) {
      scratch.contraction.buffers[n] = next;
      next += sizes.buffers[n] * cells;
    }
    scratch.sums = next;
    scratch.matrices = next + sizes.values * cells;
    const Tables left(term.left, scratch.tables[0]), right(term.right, scratch.tables[1]);
    scratch.products = scratch.tables[0] + left.size();
    left.fill(team, term.left);
    right.fill(team, term.right);
    const FormShape& s = problem.shape;
    const int columns = s.diagonal_columns;
    for (int block = 0; block < s.left_blocks * columns; ++block) {
      const int i = block / columns, column = block - i * columns;
      const int j = columns == 1 ? i : column;
      clearSums(team, scratch);
      if (i == j || term.kind == CoefficientKind::Elastic) {
        withComponents<D>(term, [&](auto nl, auto nr) {
          this->template sum<decltype(nl)::value, decltype(nr)::value>(term, team, scratch, i, j);
        });
      }
      leaveSums(team, scratch, i, column);
    }
  }

 private:
  /// What a team works in.
  struct Scratch {
    CellBatch cells;
    Acc* tables[2];  ///< of the left and the right side
    Acc* products;   ///< of functions of both, by direction, point and function
    Contraction contraction;
    Acc* sums;      ///< by field and cell
    Acc* matrices;  ///< by right component, point and cell
  };

  template <class Team>
  KOKKOS_INLINE_FUNCTION void clearSums(const Team& team, const Scratch& scratch) const {
    team.wait();
    team.share(problem.shape.lefts * cells, [&](std::int64_t n) { scratch.sums[n] = Acc(0); });
    team.wait();
  }

  template <class Team>
  KOKKOS_INLINE_FUNCTION void leaveSums(const Team& team, const Scratch& scratch, int i,
                                        int column) const {
    const FormShape& s = problem.shape;
    team.wait();
    team.share(s.lefts * cells, [&](std::int64_t n) {
      int field = static_cast<int>(n);
      const int cell = scratch.contraction.takeCell(field);
      if (!scratch.cells.isThere(problem, cell)) return;
      const std::int64_t c = scratch.cells.at(problem, cell);
      Acc sum = scratch.sums[n];
      Point::applySign(problem.left_signs, c, field, sum);
      Point::applySign(problem.right_signs, c, field, sum);
      leaveSum(problem, c, field * s.left_blocks + i, column, s.diagonal_columns, sum);
    });
  }

  /// Adds a term's entries between components i and j of fields.
  template <int NL, int NR, class Term, class Team>
  KOKKOS_INLINE_FUNCTION void sum(const Term& term, const Team& team, const Scratch& scratch, int i,
                                  int j) const {
    for (int a = 0; a < NL; ++a) {
      findMatrices<NL, NR>(term, team, scratch, i, j, a);
      int first = 0;
      for (int m = 0; m < term.left.families.count; ++m) {
        const Tables left(term.left, scratch.tables[0], m), right(term.right, scratch.tables[1], m);
        for (int b = 0; b < NR; ++b) {
          const int sign = term.left.families.sign[m][a] * term.right.families.sign[m][b];
          if (sign != 0) sumPart(team, scratch, left, right, {a, b, sign}, first);
        }
        first += left.intermediateSize(0, 0);
      }
    }
  }

  /// A pair of components of values.
  struct Part {
    int a, b, sign;
  };

  template <class Team>
  KOKKOS_INLINE_FUNCTION void sumPart(const Team& team, const Scratch& scratch, const Tables& left,
                                      const Tables& right, const Part& part, int first) const {
    const Acc* tables[D];
    Acc* to = scratch.products;
    for (int d = 0; d < D; ++d) {
      const int count = left.functions[d] * left.points[d];
      const Acc* const x = left.table(d, left.component[d] == part.a);
      const Acc* const y = right.table(d, right.component[d] == part.b);
      Acc* const products = to;
      team.share(count, [&](std::int64_t n) { products[n] = x[n] * y[n]; });
      tables[d] = to;
      to += count;
    }
    team.wait();
    const Acc* const matrices =
        scratch.matrices + part.b * static_cast<int>(problem.shape.points) * cells;
    scratch.contraction.sumAgainst(team, left, tables, matrices,
                                   [&](int field, int cell, const Acc& sum) {
                                     Acc& all = scratch.sums[(first + field) * cells + cell];
                                     all += part.sign < 0 ? -sum : sum;
                                   });
  }

  /// What is between left component a and the right ones at points.
  template <int NL, int NR, class Term, class Team>
  KOKKOS_INLINE_FUNCTION void findMatrices(const Term& term, const Team& team,
                                           const Scratch& scratch, int i, int j, int a) const {
    const int all = static_cast<int>(problem.shape.points) * cells;
    team.share(all, [&](std::int64_t n) {
      int p = static_cast<int>(n);
      const std::int64_t c = scratch.cells.at(problem, scratch.contraction.takeCell(p));
      typename Point::template Of<Term>::K k[NL][NR] = {};
      Point::template pointMatrix<NL, NR>(problem, term, Point::geometry(problem, c, p), c, p, i, j,
                                          k);
      for (int b = 0; b < NR; ++b) {
        Acc of_row(0);  // k[a], whose index would move k from registers to memory
        for (int row = 0; row < NL; ++row) {
          if (row == a) of_row = Acc(k[row][b]);
        }
        scratch.matrices[b * all + n] = of_row;
      }
    });
    team.wait();
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
