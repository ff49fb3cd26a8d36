// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief The field that edges hold: its errors, and its values at points.
#ifndef MAXWELL_SOLUTION_HPP
#define MAXWELL_SOLUTION_HPP

#include "MaxwellElement.hpp"
#include "MaxwellMesh.hpp"
#include "MaxwellProblem.hpp"

namespace Maxwell {

/// E and curl E at the points of an element in all cells of a rank, (C,P,D).
struct FieldAtPoints {
  Array field;
  Array curl;
};

/// \param coefficients  of the local edges
FieldAtPoints evaluate(const EdgeMesh& mesh, const EdgeElement& element,
                       const MultiVector& coefficients);

/// Norms of E - E_h over the whole cube.
struct Errors {
  double l2;      ///< |E - E_h|
  double energy;  ///< sqrt(|curl(E - E_h)|^2 / mu + sigma |E - E_h|^2)
};

/// \param element  at the points of the integrals. Collective.
Errors errorsOf(const EdgeMesh& mesh, const EdgeElement& element, const Cavity& problem,
                const MultiVector& coefficients, int workset_size);

}  // namespace Maxwell

#endif
