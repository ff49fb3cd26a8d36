// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FORMFACTORIZATION_HPP
#define KONTRACT_FORMFACTORIZATION_HPP

#include "Kontract_BasisContraction.hpp"
#include "Kontract_FormPoint.hpp"
#include "Kontract_TeamCells.hpp"
#include "Kontract_Workers.hpp"
#include "detail/problem/Kontract_FormWork.hpp"

namespace Kontract {
namespace Impl {

/// Element vectors and matrix-free products of tensor-product bases by sum factorization, some
/// cells by each team: as Kontract_HostFormVectors.ipp, with the cells of a team in the place of
/// those of a vector.
template <class Problem, int D>
struct FormFactorization {
  using Point = FormPoint<Problem, D>;
  using Acc = typename Point::Acc;
  using Tables = BasisTables<Acc, D>;
  using Contraction = BasisContraction<Acc, D>;
  static constexpr bool is_load = Problem::kind == FormKind::Vectors;

  Problem problem;
  FactorizationSizes sizes;
  int cells;  ///< of a team
  FastDivisor by_cells;

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(const Workers<Member>& team, std::int64_t piece) const {
    Scratch scratch;
    scratch.cells.first = piece * cells;
    Acc* next = static_cast<Acc*>(team.scratch);
    scratch.tables[0] = next;
    scratch.tables[1] = next += sizes.tables;
    next += sizes.tables;
    scratch.contraction.cells = cells;
    scratch.contraction.by_cells = by_cells;
    for (int n = 0; n < 2; ++n) {
      scratch.contraction.buffers[n] = next;
      next += sizes.buffers[n] * cells;
    }
    scratch.values = next;
    scratch.fluxes = next + sizes.values * cells;
    bool is_first = true;
    forEachTerm(problem.terms, [&](const auto& term) {
      withComponents<D>(term, [&](auto nl, auto nr) {
        this->template addTerm<decltype(nl)::value, decltype(nr)::value>(term, team, scratch,
                                                                         is_first);
      });
      is_first = false;
    });
  }

 private:
  /// What a team works in.
  struct Scratch {
    CellBatch cells;
    Acc* tables[2];  ///< of the left and the right side
    Contraction contraction;
    Acc* values;  ///< at points, of what several families have
    Acc* fluxes;
  };

  template <int NL, int NR, class Term, class Team>
  KOKKOS_INLINE_FUNCTION void addTerm(const Term& term, const Team& team, const Scratch& scratch,
                                      bool is_first) const {
    const FormShape& s = problem.shape;
    const auto& left_basis = term.left;
    const Tables left(left_basis, scratch.tables[0]);
    left.fill(team, left_basis);
    Acc* const at_points = scratch.contraction.buffers[Contraction::at_points];
    const bool has_one_left = left_basis.families.count == 1;
    if constexpr (is_load) {
      team.wait();
      Acc* const fluxes = has_one_left ? at_points : scratch.fluxes;
      for (int i = 0; i < s.left_blocks; ++i) {
        makeFluxes<NL, 1>(term, team, scratch, {i, i + 1, 0}, nullptr, fluxes);
        integrateFamilies(term, team, scratch, i, fluxes, is_first);
      }
    } else {
      const auto& right_basis = term.right;
      const Tables right(right_basis, scratch.tables[1]);
      right.fill(team, right_basis);
      // Where there is one component of fields, fluxes may come in the place of values.
      const bool has_one_right = right_basis.families.count == 1;
      const bool has_one_block = s.left_blocks * s.right_blocks == 1;
      Acc* const fluxes = !has_one_block   ? scratch.fluxes
                          : !has_one_right ? scratch.values
                          : has_one_left   ? at_points
                                           : scratch.fluxes;
      for (int j = 0; j < s.right_blocks; ++j) {
        const Acc* values = at_points;
        if (has_one_right) {
          readVector(term, team, scratch, right, 0, j);
          scratch.contraction.evaluate(team, right);
        } else {
          evaluateFamilies(term, team, scratch, j);
          values = scratch.values;
        }
        makeFluxes<NL, NR>(term, team, scratch, {0, s.left_blocks, j}, values, fluxes);
      }
      const int of_block = NL * static_cast<int>(s.points) * cells;
      for (int i = 0; i < s.left_blocks; ++i) {
        integrateFamilies(term, team, scratch, i, fluxes + i * of_block, is_first);
      }
    }
  }

  /// Values at points of component j of a field of several families.
  template <class Term, class Team>
  KOKKOS_INLINE_FUNCTION void evaluateFamilies(const Term& term, const Team& team,
                                               const Scratch& scratch, int j) const {
    const BasisFamilies& families = term.right.families;
    int first = 0;
    for (int m = 0; m < families.count; ++m) {
      const Tables right(term.right, scratch.tables[1], m);
      readVector(term, team, scratch, right, first, j);
      scratch.contraction.evaluate(team, right, scratch.values, [&](int component) {
        bool is_first = true;
        for (int n = 0; n < m; ++n) is_first = is_first && families.sign[n][component] == 0;
        return is_first;
      });
      first += right.intermediateSize(0, 0);
    }
  }

  template <class Term, class Team>
  KOKKOS_INLINE_FUNCTION void integrateFamilies(const Term& term, const Team& team,
                                                const Scratch& scratch, int i, const Acc* fluxes,
                                                bool is_first) const {
    int first = 0;
    for (int m = 0; m < term.left.families.count; ++m) {
      const Tables left(term.left, scratch.tables[0], m);
      integrate(term, team, scratch, left, first, i, fluxes, is_first);
      first += left.intermediateSize(0, 0);
    }
  }

  /// \param first  field of the family
  template <class Term, class Team>
  KOKKOS_INLINE_FUNCTION void readVector(const Term& term, const Team& team, const Scratch& scratch,
                                         const Tables& right, int first, int j) const {
    const FormShape& s = problem.shape;
    team.wait();  // the buffer may still be read
    team.share(right.intermediateSize(0, 0) * cells, [&](std::int64_t n) {
      int r = static_cast<int>(n);
      const std::int64_t c = scratch.cells.at(problem, scratch.contraction.takeCell(r));
      r += first;
      Acc x(problem.vector.at(c, r * s.right_blocks + j, 0));
      Point::applySign(term.right_signs, c, r, x);
      Point::applySign(problem.right_signs, c, r, x);
      scratch.contraction.buffers[0][n] = x;
    });
    team.wait();
  }

  /// From fluxes of left component i to the output.
  template <class Term, class Team>
  KOKKOS_INLINE_FUNCTION void integrate(const Term& term, const Team& team, const Scratch& scratch,
                                        const Tables& left, int first, int i, const Acc* fluxes,
                                        bool is_first) const {
    scratch.contraction.integrate(team, left, fluxes, [&](int of_family, int cell, Acc sum) {
      const FormShape& s = problem.shape;
      if (!scratch.cells.isThere(problem, cell)) return;
      const std::int64_t c = scratch.cells.at(problem, cell);
      const int l = first + of_family;
      Point::applySign(term.left_signs, c, l, sum);
      Point::applySign(problem.left_signs, c, l, sum);
      if constexpr (Problem::scatter_type::is_ever_there) {
        if (problem.isScattered()) {
          return problem.scatter.add(problem.out.data, c, l * s.left_blocks + i, 0, 1, sum);
        }
      }
      const FormStrides& strides = problem.out_strides;
      auto&& to = problem.out[c * strides.cell + (l * s.left_blocks + i) * strides.row];
      if (is_first && !s.sum_into) {
        Impl::store<false>(to, sum);
      } else {
        Impl::store<true>(to, sum);
      }
    });
  }

  /// Left components first to last, and a right one.
  struct Blocks {
    int first, last, right;
  };

  /// What a right component contributes to left ones at all points.
  template <int NL, int NR, class Term, class Team>
  KOKKOS_INLINE_FUNCTION void makeFluxes(const Term& term, const Team& team, const Scratch& scratch,
                                         const Blocks& blocks, const Acc* values,
                                         Acc* fluxes) const {
    const int component = static_cast<int>(problem.shape.points) * cells;
    team.share(component, [&](std::int64_t n) {
      int p = static_cast<int>(n);
      const std::int64_t c = scratch.cells.at(problem, scratch.contraction.takeCell(p));
      const auto geometry = Point::geometry(problem, c, p);
      Acc u[NR];
      for (int b = 0; b < NR; ++b) u[b] = is_load ? Acc(1) : values[b * component + n];
      for (int i = blocks.first; i < blocks.last; ++i) {
        Acc flux[NL] = {};
        Point::addFlux(problem, term, geometry, c, p, i, blocks.right, u, flux);
        Acc* const to = fluxes + (i - blocks.first) * NL * component + n;
        for (int a = 0; a < NL; ++a) {
          to[a * component] = blocks.right == 0 ? flux[a] : to[a * component] + flux[a];
        }
      }
    });
    team.wait();
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
