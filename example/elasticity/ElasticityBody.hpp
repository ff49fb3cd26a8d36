// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief Stiffness, loads and internal forces of an elastic body by Kontract's forms.
#ifndef ELASTICITY_BODY_HPP
#define ELASTICITY_BODY_HPP

#include "ElasticityInput.hpp"
#include "ExampleAssembly.hpp"
#include "ExampleElement.hpp"
#include "ExampleMesh.hpp"
#include "ExampleSystemPlan.hpp"

#include "Tpetra_Export.hpp"

namespace Elasticity {

using Integration = Kontract::Integration<Device>;

/// Material and body force of cells: one point stands for all.
struct CellModel {
  Array lambda;      ///< (C,1)
  Array mu;          ///< (C,1)
  Array body_force;  ///< (C,1,D)

  CellModel(int num_cells, const Material& material, const Loads& loads);
};

/// Arrays of a workset; component i of field f is entry f D + i.
struct Workset : CellModel {
  Array nodes;     ///< (C,F,D)
  Array matrices;  ///< (C,F D,F D)
  Array vectors;   ///< (C,F D)

  Workset(int num_cells, const Element& element, const Material& material, const Loads& loads);
};

/// A body under loads. Functions that integrate are collective; vectors that they return live on
/// the owners of the degrees of freedom, displacements that they take on the local ones.
class Body {
 public:
  Body(const Communicator& comm, const Input& input);

  const Element& element() const { return _element; }
  const Mesh& mesh() const { return _mesh; }
  const Dofs& dofs() const { return _dofs; }
  const Material& material() const { return _material; }
  int worksetSize() const { return _workset_size; }

  /// The points at which the stiffness is integrated.
  const Quadrature& quadrature() const { return _quadrature; }

  const Vec& bodyForce() const { return _loads.body_force; }
  CellModel cellModel(int num_cells) const { return {num_cells, _material, _loads}; }
  Workset workset(int num_cells) const { return {num_cells, _element, _material, _loads}; }

  /// The integrand of the stiffness.
  auto stiffness(const CellModel& model) const {
    return Kontract::term(Kontract::Form::elasticity(), _quadrature.gradients,
                          _quadrature.gradients, model.lambda, model.mu);
  }
  /// The integrand of the body force.
  auto load(const CellModel& model) const {
    return Kontract::load(Kontract::Form::source(Kontract::FunctionSpace::HGRAD),
                          _quadrature.values, model.body_force);
  }

  /// The forces of element matrices times rigid-body modes, over what they would be if they did not
  /// cancel, in the cell where this is largest: zero but for rounding.
  double rigidBodyForces() const;

  /// Body forces.
  RCP<Vector> bodyForces() const;
  /// Tractions on the faces that are loaded.
  RCP<Vector> tractions() const;

  /// The forces that strain the body to these displacements: the stiffness times them, without a
  /// matrix.
  RCP<Vector> internalForces(const MultiVector& local_displacements) const;

  /// The six rigid-body modes as columns.
  RCP<MultiVector> rigidBodyModes() const;

 private:
  /// From the nodes of all cells.
  auto geometry() const {
    return Kontract::geometry(Kontract::gathered(_mesh.coordinates, _nodes), _quadrature.gradients,
                              _quadrature.weights);
  }
  void addTractions(Vector& local, int face) const;
  RCP<Vector> toOwners(const Vector& local) const;

  Element _element;
  Mesh _mesh;
  Dofs _dofs;
  Material _material;
  Loads _loads;
  Quadrature _quadrature;
  int _workset_size;
  CellModel _model;
  CellNumbers _nodes, _unknowns;
  Tpetra::Export<LocalOrdinal, GlobalOrdinal, Node> _exporter;
};

}  // namespace Elasticity

#endif
