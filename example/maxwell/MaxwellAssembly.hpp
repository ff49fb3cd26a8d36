// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief Assembly over worksets, by forms in one kernel or by chains of functions.
#ifndef MAXWELL_ASSEMBLY_HPP
#define MAXWELL_ASSEMBLY_HPP

#include "ExampleSystemPlan.hpp"
#include "MaxwellElement.hpp"
#include "MaxwellMesh.hpp"
#include "MaxwellProblem.hpp"

namespace Maxwell {

/// A chain of Intrepid2's FunctionSpaceTools, the same of Kontract's, or Kontract's forms.
enum class Method { Intrepid2, Chain, Forms };

/// What a problem is assembled on.
struct Discretization {
  EdgeMesh mesh;
  EdgeElement element;     ///< at the points of the integrals
  RCP<const Graph> graph;  ///< which edges share a cell
  int workset_size;        ///< in cells
};

/// Assembles (curl E / mu, curl v) + (sigma E, v) = (f, v) for functions v of edges.
/// \param edges   those of the mesh, or a copy in which others are fixed
/// \param system  zero
/// \return times of this rank
AssemblyTimes assemble(Method method, const Discretization& discretization, const Dofs& edges,
                       const Cavity& problem, const System& system);

/// The same by forms that write straight into the matrix and the load.
/// \param plan  of the edges
AssemblyTimes assembleDirectly(const SystemPlan& plan, const Discretization& discretization,
                               const Cavity& problem, const System& system);

}  // namespace Maxwell

#endif
