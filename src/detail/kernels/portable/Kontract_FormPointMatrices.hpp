// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FORMPOINTMATRICES_HPP
#define KONTRACT_FORMPOINTMATRICES_HPP

#include "Kontract_FormEntry.hpp"
#include "Kontract_FormProductTable.hpp"
#include "Kontract_Unroll.hpp"
#include "Kontract_Workers.hpp"

namespace Kontract {
namespace Impl {

/// How teams share the matrices of points.
struct PointMatrixSizes {
  std::int64_t first_cell = 0, end_cell = 0;
  int cells = 1;                 ///< of a team
  int points = 1;                ///< of a team, at most
  int parts = 1;                 ///< that they are cut into, one after another
  int block_cells = 1;           ///< that are neighbours in a row, a multiple of a team's
  int pairs = 1;                 ///< of components of fields
  bool keeps_jacobians = false;  ///< those of a team come into scratch memory

  /// Numbers between the Jacobians of cells there: an odd number, as workers of neighbouring cells
  /// read them.
  KOKKOS_FORCEINLINE_FUNCTION int jacobianStep(int dimension) const {
    return points * dimension * dimension | 1;
  }
};

/// The matrices of all points of some cells, for a product with a table that cells share: by block
/// of cells, pair of components of fields, row of the table, and cell. Nodes of a team's cells come
/// into scratch memory. Where gradients repeat from point to point, as on simplices, a worker
/// computes the geometry of a cell once. Jacobians that are not neighbours in memory from cell to
/// cell come into scratch memory, too.
template <class Problem, int D>
struct FormPointMatrices {
  using Point = FormPoint<Problem, D>;
  using Acc = typename Point::Acc;

  Problem problem;
  FormProducts products;
  PointMatrixSizes sizes;
  double* matrices;

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(const Workers<Member>& team, std::int64_t piece) const {
    const int workers = team.member.team_size(), rank = team.member.team_rank();
    const std::int64_t group = piece / sizes.parts;
    Piece of;
    of.first_cell = sizes.first_cell + group * sizes.cells;
    of.first_point = static_cast<int>(piece - group * sizes.parts) * sizes.points;
    of.nodes = static_cast<Acc*>(team.scratch);
    of.workers_of_cell = workers > sizes.cells ? workers / sizes.cells : 1;
    of.gradients = of.nodes + std::int64_t(nodes()) * D * sizes.cells;
    if (sizes.keeps_jacobians) {
      loadJacobians(of, rank, workers);
    } else {
      loadNodes(of, rank, workers);
      loadGradients(of, rank, workers);
    }
    team.wait();
    const int groups_of_block = sizes.block_cells / sizes.cells;
    const std::int64_t block = group / groups_of_block;
    double* const to = matrices + block * sizes.pairs * pairSize() +
                       (group - block * groups_of_block) * sizes.cells;
    for (int n = rank; n < of.workers_of_cell * sizes.cells; n += workers) {
      const int worker = n / sizes.cells, cell = n - worker * sizes.cells;
      compute(of, cell, worker, to + cell);
      // Rows up to a whole step are zeros.
      if (of.first_point > 0) continue;
      for (std::int64_t row = products.rows() + worker; row < 8 * products.steps();
           row += of.workers_of_cell) {
        for (int pair = 0; pair < sizes.pairs; ++pair) {
          to[pair * pairSize() + row * sizes.block_cells + cell] = 0;
        }
      }
    }
  }

 private:
  /// What a team computes.
  struct Piece {
    std::int64_t first_cell;
    int first_point, workers_of_cell;
    Acc *nodes, *gradients;  ///< or Jacobians, and none
  };

  /// Numbers of a block of cells, of a pair.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t pairSize() const {
    return 8 * products.steps() * sizes.block_cells;
  }

  /// A cell, or the last one for those past it.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t cellOf(const Piece& of, int cell) const {
    const std::int64_t c = of.first_cell + cell, last = sizes.end_cell - 1;
    return problem.scatter.cell(c < last ? c : last);
  }
  KOKKOS_FORCEINLINE_FUNCTION int nodes() const {
    return problem.gradients.isThere() ? static_cast<int>(problem.shape.nodes) : 0;
  }

  /// By node, component and cell, so that neighbouring workers have neighbouring cells.
  KOKKOS_FORCEINLINE_FUNCTION void loadNodes(const Piece& of, int rank, int workers) const {
    const int count = nodes() * sizes.cells;
    for (int n = rank; n < count; n += workers) {
      const int node = n / sizes.cells, cell = n - node * sizes.cells;
      const std::int64_t c = cellOf(of, cell);
      for (int i = 0; i < D; ++i) {
        of.nodes[(node * D + i) * sizes.cells + cell] = Acc(problem.mapping.at(c, node, 0, i));
      }
    }
  }

  /// By cell, point and entry: neighbouring workers have neighbours in memory.
  KOKKOS_FORCEINLINE_FUNCTION void loadJacobians(const Piece& of, int rank, int workers) const {
    constexpr int warp = 32, entries = D * D;
    const int lanes = workers < warp ? workers : warp, groups = workers / lanes;
    const int group = rank / lanes, lane = rank - group * lanes;
    if (group >= groups) return;
    const int count = (endOf(of) - of.first_point) * entries;
    constexpr int at_once = 8;  // are asked for before any is kept
    for (int first = group; first < sizes.cells; first += at_once * groups) {
      for (int n = lane; n < count; n += lanes) {
        const int p = n / entries, entry = n - p * entries;
        Acc numbers[at_once];
        KONTRACT_UNROLL
        for (int k = 0; k < at_once; ++k) {
          const int cell = first + k * groups;
          numbers[k] = Acc(
              problem.mapping.at(cellOf(of, cell), 0, of.first_point + p, entry / D, entry % D));
        }
        KONTRACT_UNROLL
        for (int k = 0; k < at_once; ++k) {
          const int cell = first + k * groups;
          if (cell < sizes.cells) of.nodes[cell * sizes.jacobianStep(D) + n] = numbers[k];
        }
      }
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION int endOf(const Piece& of) const {
    const int end = of.first_point + sizes.points;
    return end < products.points ? end : static_cast<int>(products.points);
  }

  /// Gradients of the nodes' functions: by point, node and component.
  KOKKOS_FORCEINLINE_FUNCTION void loadGradients(const Piece& of, int rank, int workers) const {
    const int all = nodes() * D, count = all * (endOf(of) - of.first_point);
    for (int n = rank; n < count; n += workers) {
      const int p = n / all, rest = n - p * all, node = rest / D;
      of.gradients[n] = Acc(problem.gradients.at(0, node, of.first_point + p, rest - node * D));
    }
  }

  /// The points of a cell that a worker has.
  KOKKOS_FORCEINLINE_FUNCTION void compute(const Piece& of, int cell, int worker,
                                           double* to) const {
    const std::int64_t c = cellOf(of, cell);
    const int last = endOf(of), all = nodes() * D;
    const Acc* before = nullptr;
    PointGeometry<D, Acc> at;
    for (int p = of.first_point + worker; p < last; p += of.workers_of_cell) {
      if (sizes.keeps_jacobians) {
        const Acc* const from =
            of.nodes + cell * sizes.jacobianStep(D) + (p - of.first_point) * D * D;
        for (int i = 0; i < D; ++i) {
          for (int j = 0; j < D; ++j) at.jacobian[i][j] = from[i * D + j];
        }
        completeJacobian(problem, c, p, at);
      } else if (!problem.gradients.isThere()) {
        at = Point::geometry(problem, c, p);
      } else {
        const Acc* const gradients = of.gradients + (p - of.first_point) * all;
        if (before == nullptr || !areSame(gradients, before, all)) {
          setJacobian(nodes(), of.nodes + cell, sizes.cells, NodeGradients<Acc>{gradients, D, 1},
                      at.jacobian);
          invertJacobian(at);
        }
        before = gradients;
        at.measure = Point::weight(problem, c, p);
        Point::addMeasure(problem, p, at);
      }
      for (int pair = 0; pair < sizes.pairs; ++pair) {
        store(c, p, at, formPair(problem.shape, pair),
              to + pair * pairSize() + std::int64_t(p) * sizes.block_cells);
      }
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION static bool areSame(const Acc* a, const Acc* b, int count) {
    for (int n = 0; n < count; ++n) {
      if (a[n] != b[n]) return false;
    }
    return true;
  }

  /// The matrices of all terms between fields of two components.
  KOKKOS_FORCEINLINE_FUNCTION void store(std::int64_t c, int p, const PointGeometry<D, Acc>& at,
                                         const FormPair& of, double* to) const {
    const std::int64_t step = products.points * sizes.block_cells;
    forEachTermOfProducts<D>(
        products, problem.terms, [&](const auto& term, auto nl, auto nr, int first) {
          constexpr int NL = decltype(nl)::value, NR = decltype(nr)::value;
          typename Point::template Of<std::decay_t<decltype(term)>>::K k[NL][NR] = {};
          // Without a matrix between those components it stays 0.
          Point::template pointMatrix<NL, NR>(problem, term, at, c, p, of.i, of.j, k);
          double* next = to + first * step;
          for (int a = 0; a < NL; ++a) {
            for (int b = 0; b < NR; ++b) {
              if (products.is_half && b > a) continue;
              *next = double(k[a][b]);
              next += step;
            }
          }
        });
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
