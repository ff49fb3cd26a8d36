// SPDX-License-Identifier: BSD-3-Clause
#include "ElasticityChecks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "ExampleMagnitude.hpp"

namespace Elasticity {
namespace {

double largestOnAllRanks(const MultiVector& vector, double local) {
  double result = 0;
  Teuchos::reduceAll(*vector.getMap()->getComm(), Teuchos::REDUCE_MAX, local,
                     Teuchos::outArg(result));
  return result;
}

/// The displacements of the patch test, on the local degrees of freedom.
MultiVector linearDisplacements(const Body& body) {
  MultiVector displacements(body.dofs().local, 1);
  const auto x = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), body.mesh().coordinates);
  const auto u = displacements.getLocalViewHost(Tpetra::Access::OverwriteAll);
  for (int i = 0; i < static_cast<int>(u.extent(0)); ++i)
    u(i, 0) = linearDisplacement(i % space_dim, [&](int d) { return x(i / space_dim, d); });
  return displacements;
}

/// The largest of forces on free degrees of freedom over the largest one on all.
double freeForces(const Vector& forces, const Dofs& dofs) {
  const auto force = forces.getLocalViewHost(Tpetra::Access::ReadOnly);
  const auto is_fixed = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), dofs.is_fixed);
  double largest = 0;
  for (std::size_t i = 0; i < force.extent(0); ++i) {
    if (!is_fixed(i)) largest = std::max(largest, Example::magnitude(force(i, 0)));
  }
  return largestOnAllRanks(forces, largest) / forces.normInf();
}

}  // namespace

void Checks::expectSmall(const char* name, double value, double limit) {
  const bool is_good = value <= limit;  // and it is a number
  if (_is_printing)
    std::printf("check       %-46s %.1e %s %.0e\n", name, value, is_good ? "<=" : "is above",
                limit);
  if (!is_good) _failed += (_failed.empty() ? "" : "; ") + std::string(name);
}

void Checks::finish() const {
  if (!_failed.empty()) throw InputError("not zero: " + _failed);
}

Balance balanceOf(const Vector& loads, const Vector& internal_forces, const MultiVector& modes,
                  const Dofs& dofs) {
  const auto load = loads.getLocalViewHost(Tpetra::Access::ReadOnly);
  const auto internal = internal_forces.getLocalViewHost(Tpetra::Access::ReadOnly);
  const auto mode = modes.getLocalViewHost(Tpetra::Access::ReadOnly);
  const auto is_fixed = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), dofs.is_fixed);
  Balance::Resultant local_loads{}, local_reactions{}, local_sizes{}, sizes{};
  for (std::size_t i = 0; i < load.extent(0); ++i)
    for (int m = 0; m < num_rigid_modes; ++m) {
      local_loads[m] += load(i, 0) * mode(i, m);
      local_sizes[m] += std::abs(load(i, 0) * mode(i, m));
      if (is_fixed(i)) local_reactions[m] += (internal(i, 0) - load(i, 0)) * mode(i, m);
    }

  Balance balance;
  const auto sum = [&](const Balance::Resultant& local, Balance::Resultant& global) {
    Teuchos::reduceAll(*dofs.owned->getComm(), Teuchos::REDUCE_SUM, num_rigid_modes, local.data(),
                       global.data());
  };
  sum(local_loads, balance.loads);
  sum(local_reactions, balance.reactions);
  sum(local_sizes, sizes);
  for (const int first : {0, space_dim}) {
    const double size = *std::max_element(&sizes[first], &sizes[first] + space_dim);
    for (int m = first; m < first + space_dim; ++m)
      balance.difference += std::abs(balance.loads[m] + balance.reactions[m]) / size;
  }
  return balance;
}

void checkPatch(const Body& body, const MultiVector& local_displacements, double tolerance,
                Checks& checks) {
  const auto exact = linearDisplacements(body);
  MultiVector error(exact, Teuchos::Copy);
  error.update(-1, local_displacements, 1);
  checks.expectSmall("inner forces of linear displacements",
                     freeForces(*body.internalForces(exact), body.dofs()), 1e-12);
  checks.expectSmall("solution minus linear displacements",
                     largestDisplacement(error) / largestDisplacement(exact), tolerance);
}

double largestDisplacement(const MultiVector& local_displacements) {
  const auto u = local_displacements.getLocalViewHost(Tpetra::Access::ReadOnly);
  double largest = 0;
  for (std::size_t i = 0; i < u.extent(0); i += space_dim)
    largest = std::max(largest, Example::magnitude(std::hypot(u(i, 0), u(i + 1, 0), u(i + 2, 0))));
  return largestOnAllRanks(local_displacements, largest);
}

}  // namespace Elasticity
