// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief Assembly over worksets, by forms in one kernel or by chains of functions.
#ifndef MAXWELL_ASSEMBLY_HPP
#define MAXWELL_ASSEMBLY_HPP

#include "MaxwellElement.hpp"
#include "MaxwellMesh.hpp"
#include "MaxwellProblem.hpp"

namespace Maxwell {

/// Kontract's forms, a chain of Kontract's FunctionSpaceTools, or the same chain of Intrepid2's.
enum class Method { Forms, Chain, Intrepid2 };

/// What a problem is assembled on.
struct Discretization {
  EdgeMesh mesh;
  EdgeElement element;     ///< at the points of the integrals
  RCP<const Graph> graph;  ///< which edges share a cell
  int workset_size;        ///< in cells
};

struct Assembly {
  System system;
  double integration = 0;  ///< seconds for element matrices and loads, from the vertices of cells
  double total = 0;        ///< seconds from the mesh to the finished system
};

/// Assembles (curl E / mu, curl v) + (sigma E, v) = (f, v) for functions v of edges.
/// \param edges  those of the mesh, or a copy in which others are fixed
Assembly assemble(Method method, const Discretization& discretization, const Dofs& edges,
                  const Cavity& problem);

}  // namespace Maxwell

#endif
