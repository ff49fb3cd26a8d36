// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief Stiffness, loads and internal forces of an elastic body by Kontract's forms.
#ifndef ELASTICITY_BODY_HPP
#define ELASTICITY_BODY_HPP

#include "ElasticityInput.hpp"
#include "ExampleAssembly.hpp"
#include "ExampleElement.hpp"
#include "ExampleMesh.hpp"

#include "Tpetra_Export.hpp"

namespace Elasticity {

/// Arrays of a workset; component i of field f is entry f D + i.
struct Workset {
  Array nodes;          ///< (C,F,D)
  Array matrices;       ///< (C,F D,F D)
  Array displacements;  ///< (C,F D)
  Array vectors;        ///< (C,F D)
  Array lambda;         ///< (C,1): one point stands for all, as in the following
  Array mu;             ///< (C,1)
  Array body_force;     ///< (C,1,D)

  Workset(int num_cells, const Element& element, const Material& material, const Loads& loads);
};

/// Seconds of the slowest rank.
struct AssemblyTimes {
  double matrices = 0;  ///< of the element matrices
  double total = 0;     ///< with gathering nodes, and the sum into the matrix over the ranks
};

/// A body under loads, its mesh cut into worksets of equal size and a smaller last one. Functions
/// are collective; vectors that they return live on the owners of the degrees of freedom,
/// displacements that they take on the local ones.
class Body {
 public:
  Body(const Communicator& comm, const Input& input);

  const Element& element() const { return _element; }
  const Mesh& mesh() const { return _mesh; }
  const Dofs& dofs() const { return _dofs; }
  const Material& material() const { return _material; }
  int worksetSize() const { return _worksets.size(); }

  /// The points at which the stiffness is integrated.
  const Quadrature& quadrature() const { return _quadrature; }

  /// The stiffness, and a right-hand side of fixed displacements alone.
  System assembleStiffness(AssemblyTimes& times);

  /// The forces of element matrices times rigid-body modes, over what they would be if they did not
  /// cancel, in the cell where this is largest: zero but for rounding.
  double rigidBodyForces();

  /// Body forces and tractions.
  RCP<Vector> loads();

  /// The forces that strain the body to these displacements: the stiffness times them, without a
  /// matrix.
  RCP<Vector> internalForces(const MultiVector& local_displacements);

  /// The six rigid-body modes as columns.
  RCP<MultiVector> rigidBodyModes() const;

 private:
  /// Calls action(workset, first cell, geometry, stiffness term) for each workset.
  template <class Action>
  void forEachWorkset(const Action& action);
  void addTractions(Vector& local, int face) const;
  RCP<Vector> toOwners(const Vector& local) const;

  Element _element;
  Mesh _mesh;
  Dofs _dofs;
  Material _material;
  Loads _loads;
  Quadrature _quadrature;
  Worksets<Workset> _worksets;
  Tpetra::Export<LocalOrdinal, GlobalOrdinal, Node> _exporter;
};

}  // namespace Elasticity

#endif
