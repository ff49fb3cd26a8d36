// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEAMCELLS_HPP
#define KONTRACT_TEAMCELLS_HPP

#include <cstdint>

#include "Kontract_FastDivisor.hpp"
#include "Kontract_FormEntry.hpp"
#include "Kontract_FormPoint.hpp"

namespace Kontract {
namespace Impl {

/// Cells that a team computes at a time.
struct CellBatch {
  std::int64_t first;

  /// A cell of the team, or the last cell for those past it.
  template <class Problem>
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t at(const Problem& problem, int cell) const {
    const std::int64_t c = first + cell, last = problem.shape.cells - 1;
    return problem.scatter.cell(c < last ? c : last);
  }
  /// How many of so many cells are there.
  template <class Problem>
  KOKKOS_FORCEINLINE_FUNCTION int count(const Problem& problem, int cells) const {
    const std::int64_t left = problem.shape.cells - first;
    return left < 0 ? 0 : left < cells ? static_cast<int>(left) : cells;
  }
  template <class Problem>
  KOKKOS_FORCEINLINE_FUNCTION bool isThere(const Problem& problem, int cell) const {
    return first + cell < problem.shape.cells;
  }
};

/// The same, and the nodes that a team has of them in scratch memory if their geometry is from
/// nodes.
template <class Problem, int D>
struct TeamCells : CellBatch {
  using Point = FormPoint<Problem, D>;
  using Acc = typename Point::Acc;

  int count;
  int node_count;
  Acc* nodes;  ///< by node, component and cell

  /// Reads the nodes, by all threads of a team.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void load(const Team& team, const Problem& problem,
                                        const FastDivisor& by_cells) const {
    team.share(node_count * count, [&](int n) {
      auto node = static_cast<std::uint32_t>(n);
      const int cell = static_cast<int>(by_cells.takeFrom(node));
      loadNode(problem, static_cast<int>(node), cell);
    });
  }
  /// Reads one of them. \param cell  of the team
  KOKKOS_FORCEINLINE_FUNCTION void loadNode(const Problem& problem, int node, int cell) const {
    const std::int64_t c = at(problem, cell);
    for (int i = 0; i < D; ++i) {
      nodes[(node * D + i) * count + cell] = Acc(problem.mapping.at(c, node, 0, i));
    }
  }

  /// The geometry of a point. \param c  as at() says
  KOKKOS_FORCEINLINE_FUNCTION auto geometry(const Problem& problem, int cell, std::int64_t c,
                                            std::int64_t p) const {
    if constexpr (Problem::gradients_type::is_ever_there) {
      if (node_count > 0) {
        return geometryOfNodes<D>(problem, c, p, node_count, nodes + cell, count,
                                  nodeGradients(problem, p));
      }
    }
    return Point::geometry(problem, c, p);
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
