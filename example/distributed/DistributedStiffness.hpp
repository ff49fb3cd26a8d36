// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief The stiffness over the ranks without a matrix.
#ifndef DISTRIBUTED_STIFFNESS_HPP
#define DISTRIBUTED_STIFFNESS_HPP

#include "ExampleElement.hpp"
#include "ExampleMesh.hpp"
#include "ExampleSolver.hpp"
#include "ExampleSystemPlan.hpp"

#include "Tpetra_Import.hpp"

namespace Distributed {

using namespace Example;

/// When a product waits for the values of other ranks, and they for what it adds to theirs.
enum class Exchange {
  Overlapped,  ///< after the cells that need none of them
  Waited       ///< at once
};

/// The stiffness of -div grad u as an operator on the owned unknowns: for those that are fixed it
/// is the identity, and nothing else reads or changes them. A product computes, from the nodes of
/// cells, the cells whose unknowns this rank owns, in two halves: one while the values of ghosts
/// are on their way here, one while what the other cells add to ghosts is on its way to the owners.
class Stiffness : public Operator {
 public:
  /// The arguments must outlive it.
  Stiffness(const Mesh& mesh, const Element& element, const Quadrature& quadrature);

  RCP<const Map> getDomainMap() const override { return _mesh.owned_nodes; }
  RCP<const Map> getRangeMap() const override { return _mesh.owned_nodes; }

  /// y = alpha A x + beta y; the transpose is the same. Collective.
  void apply(const MultiVector& x, MultiVector& y, Teuchos::ETransp mode = Teuchos::NO_TRANS,
             double alpha = 1, double beta = 0) const override;

  /// y = A x, of vectors whose columns have one distance. Collective.
  void multiply(const MultiVector& x, MultiVector& y, Exchange exchange) const;
  /// The work of a product on this rank alone, without that of the exchange: y is not the product.
  void computeCells(const MultiVector& x, MultiVector& y) const;
  /// The exchange of a product alone. Collective.
  void exchange(const MultiVector& x, MultiVector& y) const;

  /// The diagonal of the matrix that there is not. Collective.
  Vector diagonal() const;
  /// The right-hand side of a source of 1: fixed unknowns have their values in it. Collective.
  RCP<Vector> load() const;
  /// The fixed values, and 0 elsewhere.
  RCP<Vector> firstGuess() const;

  int numInteriorCells() const { return _first_half.count() + _second_half.count(); }
  int numOtherCells() const { return _others.count(); }

 private:
  /// Some cells. Their unknowns are known without those that are fixed.
  struct Cells {
    CellNumbers nodes;    ///< in all coordinates
    CellNumbers read;     ///< unknowns in the vector that they read
    CellNumbers written;  ///< and in the one that they add to
    int count() const { return static_cast<int>(nodes.numCells()); }
  };

  /// \param cells                 of the mesh
  /// \param num_read, num_written  unknowns of the vectors
  Cells cellsOf(const std::vector<int>& cells, int num_read, int num_written) const;
  auto geometry(const Cells& cells) const {
    return Kontract::geometry(Kontract::gathered(_mesh.coordinates, cells.nodes),
                              _quadrature.gradients, _quadrature.weights);
  }
  /// Has room for the ghosts of so many vectors.
  void takeVectors(std::size_t count) const;
  /// Adds the product of some cells.
  void add(const Cells& cells, const MultiVector& x, MultiVector& y) const;
  template <class X, class Y>
  void addTo(const Y& y, const X& x, const Cells& cells) const;
  /// Calls f(term) with the form and its functions.
  template <class F>
  void withTerm(const F& f) const;

  const Mesh& _mesh;
  const Element& _element;
  const Quadrature& _quadrature;
  RCP<Tpetra::Import<LocalOrdinal, GlobalOrdinal, Node>> _importer;  ///< owned to local unknowns
  Cells _first_half, _second_half;  ///< whose unknowns are all owned: they come first in vectors
  Cells _others;
  mutable MultiVector _local_x, _local_y;  ///< owned unknowns and ghosts
};

}  // namespace Distributed

#endif
