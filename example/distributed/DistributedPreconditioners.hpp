// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief What a preconditioner can be made of where there is no matrix.
#ifndef DISTRIBUTED_PRECONDITIONERS_HPP
#define DISTRIBUTED_PRECONDITIONERS_HPP

#include "DistributedStiffness.hpp"

namespace Distributed {

/// Jacobi's method: y = D^-1 x, with the diagonal D of a matrix.
class Jacobi : public Operator {
 public:
  /// \param diagonal  without zeros
  explicit Jacobi(const Vector& diagonal);

  RCP<const Map> getDomainMap() const override { return _inverse.getMap(); }
  RCP<const Map> getRangeMap() const override { return _inverse.getMap(); }
  void apply(const MultiVector& x, MultiVector& y, Teuchos::ETransp mode = Teuchos::NO_TRANS,
             double alpha = 1, double beta = 0) const override;

 private:
  Vector _inverse;
};

/// The nodes of a mesh of hexahedra of some order as those of order^3 times as many hexahedra of
/// first order: a matrix of these has the same unknowns, few entries a row, and nearly the same
/// spectrum (S. Orszag, "Spectral methods for problems in complex geometries", 1980).
Mesh lowOrderMesh(const Mesh& mesh, int order);

}  // namespace Distributed

#endif
