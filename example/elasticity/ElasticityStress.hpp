// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief Strain energy and stresses from displacements.
#ifndef ELASTICITY_STRESS_HPP
#define ELASTICITY_STRESS_HPP

#include "ElasticityBody.hpp"

namespace Elasticity {

/// The energy of the strain, from strains and stresses at the points of the quadrature: by
/// functions that know nothing of element matrices. Collective. \param local_displacements  on the
/// local degrees of freedom
double strainEnergy(const Body& body, const MultiVector& local_displacements);

/// The von Mises stress at the local nodes, the mean of the cells around each. Collective.
/// \param local_displacements  on the local degrees of freedom
RCP<Vector> vonMisesStress(const Body& body, const MultiVector& local_displacements);

}  // namespace Elasticity

#endif
