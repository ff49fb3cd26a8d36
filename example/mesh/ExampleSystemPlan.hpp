// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief Where forms add to systems of one graph, found once for a mesh.
#ifndef EXAMPLE_SYSTEMPLAN_HPP
#define EXAMPLE_SYSTEMPLAN_HPP

#include "ExampleAssembly.hpp"

#include "Kontract_Integration.hpp"

namespace Example {

using CellNumbers = Kontract::CellNumbers<Device>;
using ScatterPlan = Kontract::ScatterPlan<Device>;

/// Some cells of a system, to which forms add.
struct SystemCells {
  Kokkos::View<double*, Device> values;  ///< of the matrix
  ScatterPlan plan;
  Kokkos::View<double**, Kokkos::LayoutLeft, Device> load;  ///< one column
  CellNumbers free_rows;                      ///< unknowns without those that are fixed
  CellNumbers unknowns;                       ///< all of them
  CellNumbers nodes;                          ///< of coordinates
  Kokkos::View<double*, Device> minus_fixed;  ///< minus the given values, 0 where there is none
  bool has_fixed_values;                      ///< one of them is not 0
};

/// Adds the terms of bilinear forms to the matrix, and a load to the right-hand side, for the cells
/// of a geometry. No array of the element matrices is made.
template <class Cells, class Load, class... Terms>
void addForms(const SystemCells& system, const Cells& cells, const Load& load,
              const Terms&... terms) {
  using Integration = Kontract::Integration<Device>;
  constexpr bool sum_into = true;
  Integration::matrices(Kontract::scattered(system.values, system.plan), cells, terms..., sum_into);
  const auto rows = Kontract::scattered(system.load, system.free_rows);
  Integration::vectors(rows, cells, load, sum_into);
  if (!system.has_fixed_values) return;
  Integration::apply(rows, Kontract::gathered(system.minus_fixed, system.unknowns), cells, terms...,
                     sum_into);
}

/// The numbers of the nodes of a mesh's cells.
template <class SomeMesh>
CellNumbers nodeNumbers(const SomeMesh& mesh) {
  return {mesh.cell_nodes, mesh.coordinates.extent_int(0)};
}

// Kernels are in functions of their own: compilers for devices take none in constructors and
// private functions.

/// Places of the diagonal entries of fixed rows in the values of a matrix; -1 for other rows.
using Diagonals = Kokkos::View<std::int64_t*, Device>;

/// The loads that make values of fixed degrees of freedom the given ones.
template <class LocalLoad>
void setFixedLoads(const Diagonals& diagonals, const Kokkos::View<double*, Device>& minus_fixed,
                   const Kokkos::View<double*, Device>& values, const LocalLoad& load) {
  Kokkos::parallel_for(
      "Example::setFixedLoads", Kokkos::RangePolicy<ExecutionSpace>(0, diagonals.extent(0)),
      KOKKOS_LAMBDA(int row) {
        if (diagonals(row) >= 0) load(row, 0) = -minus_fixed(row) * values(diagonals(row));
      });
}

/// As SystemSum, with forms that write straight into the matrix and the load. A fixed degree of
/// freedom keeps the sum of its diagonal entries; what it adds to other rows goes to their loads,
/// as a product with the given values.
class SystemPlan {
 public:
  /// \param nodes  of the cells, see nodeNumbers()
  SystemPlan(const CellNumbers& nodes, const Dofs& dofs, const RCP<const Graph>& graph);

  /// \param times    of this rank: adds those of direct forms and of all
  /// \param add_all  add_all(add) calls add(first cell, cells, action) for all cells, with an
  ///   action(SystemCells) that calls addForms()
  /// Collective.
  template <class AddAll>
  void assemble(const System& system, AssemblyTimes& times, const AddAll& add_all) const {
    addSeconds(times.total, [&] {
      Vector local_load(_dofs.local);
      system.matrix->beginAssembly();
      {
        const auto values = system.matrix->getLocalMatrixDevice().values;
        const auto load = local_load.getLocalViewDevice(Tpetra::Access::ReadWrite);
        add_all([&](int first, int num_cells, const auto& action) {
          addSeconds(times.direct, [&] { action(cells(values, load, first, first + num_cells)); });
        });
        setFixedLoads(_diagonals, _minus_fixed, values, load);
      }
      system.matrix->endAssembly();
      system.load->doExport(local_load, _exporter, Tpetra::ADD);
    });
  }

  /// Seconds that it took to find the places, and bytes that they take.
  double seconds() const { return _seconds; }
  double bytes() const { return static_cast<double>(_plan.bytes()); }

 private:
  using Values = Kokkos::View<double*, Device>;

  template <class LocalLoad>
  SystemCells cells(const Values& values, const LocalLoad& load, int first, int last) const {
    return {values,
            _plan.cells(first, last),
            load,
            _free_rows.cells(first, last),
            _plan.rows().cells(first, last),
            _nodes.cells(first, last),
            _minus_fixed,
            _has_fixed_values};
  }

  Dofs _dofs;
  Tpetra::Export<LocalOrdinal, GlobalOrdinal, Node> _exporter;
  CellNumbers _nodes, _free_rows;
  ScatterPlan _plan;
  Values _minus_fixed;
  Diagonals _diagonals;
  bool _has_fixed_values = false;
  double _seconds = 0;
};

}  // namespace Example

#endif
