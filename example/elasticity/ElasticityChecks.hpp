// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief What must be zero but for rounding or the solver's tolerance.
#ifndef ELASTICITY_CHECKS_HPP
#define ELASTICITY_CHECKS_HPP

#include <array>
#include <string>

#include "ElasticityBody.hpp"

namespace Elasticity {

/// Prints what must be small, and refuses in the end if something was not.
class Checks {
 public:
  explicit Checks(bool is_printing) : _is_printing(is_printing) {}

  void expectSmall(const char* name, double value, double limit);

  /// \throws InputError that names what was not small.
  void finish() const;

 private:
  bool _is_printing;
  std::string _failed;
};

/// Forces and moments of loads and reactions.
struct Balance {
  /// Three forces, and three moments about the origin.
  using Resultant = std::array<double, num_rigid_modes>;

  Resultant loads{};
  Resultant reactions{};
  /// What is left of both: forces over the sum of the loads' sizes, and moments over that of
  /// theirs.
  double difference = 0;
};

/// Reactions are what fixed degrees of freedom add to the loads so that they are the internal
/// forces. Collective.
/// \param modes  rigid-body modes: work in them is force and moment
Balance balanceOf(const Vector& loads, const Vector& internal_forces, const MultiVector& modes,
                  const Dofs& dofs);

/// The patch test: where linear displacements are given on the whole boundary, they solve the
/// problem. Collective.
/// \param local_displacements  the solution
/// \param tolerance            of the solution
void checkPatch(const Body& body, const MultiVector& local_displacements, double tolerance,
                Checks& checks);

/// The length of the largest of local displacements. Collective.
double largestDisplacement(const MultiVector& local_displacements);

}  // namespace Elasticity

#endif
