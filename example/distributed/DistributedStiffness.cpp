// SPDX-License-Identifier: BSD-3-Clause
#include "DistributedStiffness.hpp"

#include <vector>

namespace Distributed {
namespace {

using Integration = Kontract::Integration<Device>;
using Kontract::Form;

/// Sends that do not wait for their receivers.
RCP<Teuchos::ParameterList> sendParameters() {
  const auto parameters = Teuchos::parameterList();
  parameters->set("Send type", "Isend");
  return parameters;
}

/// For fixed unknowns y = x.
void copyFixed(const Mesh& mesh, const MultiVector& x, MultiVector& y) {
  const auto from = x.getLocalViewDevice(Tpetra::Access::ReadOnly);
  const auto to = y.getLocalViewDevice(Tpetra::Access::ReadWrite);
  const auto is_fixed = mesh.is_fixed;
  Kokkos::parallel_for(
      "Distributed::copyFixed",
      Kokkos::RangePolicy<ExecutionSpace>(0, static_cast<int>(to.extent(0))), KOKKOS_LAMBDA(int i) {
        if (!is_fixed(i)) return;
        for (std::size_t v = 0; v < to.extent(1); ++v) to(i, v) = from(i, v);
      });
}

}  // namespace

Stiffness::Stiffness(const Mesh& mesh, const Element& element, const Quadrature& quadrature)
    : _mesh(mesh),
      _element(element),
      _quadrature(quadrature),
      _importer(rcp(new Tpetra::Import<LocalOrdinal, GlobalOrdinal, Node>(
          mesh.owned_nodes, mesh.local_nodes, sendParameters()))),
      _local_x(mesh.local_nodes, 1),
      _local_y(mesh.local_nodes, 1) {
  const auto nodes = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), mesh.cell_nodes);
  const int num_owned = static_cast<int>(localElements(*mesh.owned_nodes).size());
  std::vector<int> interior, others;
  for (int cell = 0; cell < mesh.numCells(); ++cell) {
    bool is_interior = true;
    for (std::size_t i = 0; i < nodes.extent(1); ++i)
      is_interior = is_interior && nodes(cell, i) < num_owned;
    (is_interior ? interior : others).push_back(cell);
  }
  const auto middle = interior.begin() + interior.size() / 2;
  _first_half = cellsOf({interior.begin(), middle}, num_owned, mesh.numNodes());
  _others = cellsOf(others, mesh.numNodes(), mesh.numNodes());
  _second_half = cellsOf({middle, interior.end()}, num_owned, num_owned);
}

Stiffness::Cells Stiffness::cellsOf(const std::vector<int>& cells, int num_read,
                                    int num_written) const {
  const auto nodes = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), _mesh.cell_nodes);
  const auto is_fixed = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), _mesh.is_fixed);
  using Numbers = Kokkos::View<LocalOrdinal**, Device>;
  const Numbers all("nodes", cells.size(), nodes.extent(1));
  const Numbers free("free", cells.size(), nodes.extent(1));
  const auto all_on_host = Kokkos::create_mirror_view(all);
  const auto free_on_host = Kokkos::create_mirror_view(free);
  for (std::size_t c = 0; c < cells.size(); ++c)
    for (std::size_t i = 0; i < nodes.extent(1); ++i) {
      const LocalOrdinal node = nodes(cells[c], i);
      all_on_host(c, i) = node;
      free_on_host(c, i) = is_fixed(node) ? -1 : node;
    }
  Kokkos::deep_copy(all, all_on_host);
  Kokkos::deep_copy(free, free_on_host);
  return {CellNumbers(all, _mesh.numNodes()), CellNumbers(free, num_read),
          CellNumbers(free, num_written)};
}

template <class F>
void Stiffness::withTerm(const F& f) const {
  if (_element.shape() == Shape::Hexahedron) {
    const auto basis =
        Kontract::tensorBasis<space_dim>(_quadrature.line_values, _quadrature.line_derivatives);
    f(Kontract::term(Form::gradGrad(), basis, basis));
  } else {
    f(Kontract::term(Form::gradGrad(), _quadrature.gradients, _quadrature.gradients));
  }
}

template <class X, class Y>
void Stiffness::addTo(const Y& y, const X& x, const Cells& cells) const {
  constexpr bool sum_into = true;
  withTerm([&](const auto& term) { Integration::apply(y, x, geometry(cells), term, sum_into); });
}

void Stiffness::takeVectors(std::size_t count) const {
  if (_local_x.getNumVectors() == count) return;
  _local_x = MultiVector(_mesh.local_nodes, count);
  _local_y = MultiVector(_mesh.local_nodes, count);
}

void Stiffness::add(const Cells& cells, const MultiVector& x, MultiVector& y) const {
  addTo(Kontract::scattered(y.getLocalViewDevice(Tpetra::Access::ReadWrite), cells.written),
        Kontract::gathered(x.getLocalViewDevice(Tpetra::Access::ReadOnly), cells.read), cells);
}

void Stiffness::multiply(const MultiVector& x, MultiVector& y, Exchange exchange) const {
  const bool waits = exchange == Exchange::Waited;
  takeVectors(x.getNumVectors());
  _local_x.beginImport(x, *_importer, Tpetra::INSERT);
  if (waits) _local_x.endImport(x, *_importer, Tpetra::INSERT);
  y.putScalar(0);
  _local_y.putScalar(0);
  add(_first_half, x, _local_y);
  if (!waits) _local_x.endImport(x, *_importer, Tpetra::INSERT);
  add(_others, _local_x, _local_y);

  // The way back, which begins by giving y the owned part of what there is.
  y.beginExport(_local_y, *_importer, Tpetra::ADD);
  if (waits) y.endExport(_local_y, *_importer, Tpetra::ADD);
  add(_second_half, x, y);
  if (!waits) y.endExport(_local_y, *_importer, Tpetra::ADD);
  copyFixed(_mesh, x, y);
}

void Stiffness::computeCells(const MultiVector& x, MultiVector& y) const {
  takeVectors(x.getNumVectors());
  y.putScalar(0);
  _local_y.putScalar(0);
  add(_first_half, x, _local_y);
  add(_others, _local_x, _local_y);
  add(_second_half, x, y);
  copyFixed(_mesh, x, y);
}

void Stiffness::exchange(const MultiVector& x, MultiVector& y) const {
  takeVectors(x.getNumVectors());
  _local_x.doImport(x, *_importer, Tpetra::INSERT);
  y.doExport(_local_y, *_importer, Tpetra::ADD);
}

void Stiffness::apply(const MultiVector& x, MultiVector& y, Teuchos::ETransp, double alpha,
                      double beta) const {
  // All vectors at once: values of other ranks come in one exchange, and hosts read cells once.
  MultiVector product(_mesh.owned_nodes, x.getNumVectors());
  if (x.isConstantStride()) {
    multiply(x, product, Exchange::Overlapped);
  } else {
    multiply(MultiVector(x, Teuchos::Copy), product, Exchange::Overlapped);
  }
  y.update(alpha, product, beta);
}

Vector Stiffness::diagonal() const {
  Vector local(_mesh.local_nodes), diagonal(_mesh.owned_nodes), ones(_mesh.owned_nodes);
  const auto addTo = [&](Vector& to, const Cells& cells) {
    withTerm([&](const auto& term) {
      constexpr bool sum_into = true;
      Integration::diagonals(
          Kontract::scattered(to.getLocalViewDevice(Tpetra::Access::ReadWrite), cells.written),
          geometry(cells), term, sum_into);
    });
  };
  addTo(local, _first_half);
  addTo(local, _others);
  // As in a product: what is exported takes the place of what was there on the owned unknowns.
  diagonal.doExport(local, *_importer, Tpetra::ADD);
  addTo(diagonal, _second_half);
  ones.putScalar(1);
  copyFixed(_mesh, ones, diagonal);
  return diagonal;
}

RCP<Vector> Stiffness::firstGuess() const {
  const auto guess = rcp(new Vector(_mesh.owned_nodes));
  const auto values = guess->getLocalViewDevice(Tpetra::Access::OverwriteAll);
  const auto fixed_values = _mesh.fixed_values;
  Kokkos::parallel_for(
      "Distributed::firstGuess",
      Kokkos::RangePolicy<ExecutionSpace>(0, static_cast<int>(values.extent(0))),
      KOKKOS_LAMBDA(int i) { values(i, 0) = fixed_values(i); });
  return guess;
}

RCP<Vector> Stiffness::load() const {
  const int num_cells = _mesh.numCells();
  std::vector<int> every_cell(num_cells);
  for (int cell = 0; cell < num_cells; ++cell) every_cell[cell] = cell;
  const Cells cells = cellsOf(every_cell, _mesh.numNodes(), _mesh.numNodes());
  const Array source("source", num_cells, 1);
  Kokkos::deep_copy(source, 1);
  const Kokkos::View<double*, Device> minus_fixed("minus_fixed", _mesh.numNodes());
  const auto fixed_values = _mesh.fixed_values;
  Kokkos::parallel_for(
      "Distributed::minusFixed", Kokkos::RangePolicy<ExecutionSpace>(0, _mesh.numNodes()),
      KOKKOS_LAMBDA(int i) { minus_fixed(i) = -fixed_values(i); });

  Vector local(_mesh.local_nodes);
  {
    const auto rows =
        Kontract::scattered(local.getLocalViewDevice(Tpetra::Access::OverwriteAll), cells.written);
    Integration::vectors(
        rows, geometry(cells),
        Kontract::load(Form::source(Kontract::FunctionSpace::HGRAD), _quadrature.values, source));
    // The fixed values are read under the numbers of all nodes.
    addTo(rows, Kontract::gathered(minus_fixed, cells.nodes), cells);
  }
  const auto load = rcp(new Vector(_mesh.owned_nodes));
  load->doExport(local, *_importer, Tpetra::ADD);
  copyFixed(_mesh, *firstGuess(), *load);
  return load;
}

}  // namespace Distributed
