// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEAMCELLS_HPP
#define KONTRACT_TEAMCELLS_HPP

#include "Kontract_FastDivisor.hpp"
#include "Kontract_FormEntry.hpp"
#include "Kontract_FormPoint.hpp"

namespace Kontract {
namespace Impl {

/// Cells that a team computes at a time, and the nodes that it has of them in scratch memory if
/// their geometry is from nodes.
template <class Problem, int D>
struct TeamCells {
  using Point = FormPoint<Problem, D>;
  using Acc = typename Point::Acc;

  std::int64_t first;
  int count;
  int node_count;
  Acc* nodes;  ///< by node, component and cell

  /// A cell of the team, or the last cell for those past it.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t at(const Problem& problem, int cell) const {
    const std::int64_t c = first + cell, last = problem.shape.cells - 1;
    return problem.scatter.cell(c < last ? c : last);
  }
  KOKKOS_FORCEINLINE_FUNCTION bool isThere(const Problem& problem, int cell) const {
    return first + cell < problem.shape.cells;
  }

  /// Reads the nodes, by all threads of a team.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void load(const Team& team, const Problem& problem,
                                        const FastDivisor& by_cells) const {
    team.share(node_count * count, [&](int n) {
      auto node = static_cast<std::uint32_t>(n);
      const int cell = static_cast<int>(by_cells.takeFrom(node));
      const std::int64_t c = at(problem, cell);
      for (int i = 0; i < D; ++i) {
        nodes[(static_cast<int>(node) * D + i) * count + cell] =
            Acc(problem.mapping.at(c, node, 0, i));
      }
    });
  }

  /// The geometry of a point. \param c  as at() says
  KOKKOS_FORCEINLINE_FUNCTION auto geometry(const Problem& problem, int cell, std::int64_t c,
                                            std::int64_t p) const {
    if (node_count == 0) return Point::geometry(problem, c, p);
    return geometryOfNodes<D>(problem, c, p, node_count, nodes + cell, count,
                              nodeGradients(problem, p));
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
