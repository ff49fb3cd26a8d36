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

/// As SystemSum, with forms that write straight into the matrix and the load. A fixed degree of
/// freedom keeps the sum of its diagonal entries; what it adds to other rows goes to their loads,
/// as a product with the given values.
class SystemPlan {
 public:
  SystemPlan(const Mesh& mesh, const Dofs& dofs, const RCP<const Graph>& graph);

  /// \param add_all  add_all(matrix) calls forms with matrix(first cell, cells) for all cells
  /// \return seconds on this rank, to the finished system. Collective.
  template <class AddAll>
  double assemble(const System& system, const AddAll& add_all) const {
    ExecutionSpace().fence();
    Kokkos::Timer timer;
    Vector local_load(_dofs.local);
    system.matrix->beginAssembly();
    {
      const auto values = system.matrix->getLocalMatrixDevice().values;
      const auto load = local_load.getLocalViewDevice(Tpetra::Access::ReadWrite);
      add_all([&](int first, int num_cells) {
        const int last = first + num_cells;
        return SystemCells{values,
                           _plan.cells(first, last),
                           load,
                           _free_rows.cells(first, last),
                           _plan.rows().cells(first, last),
                           _nodes.cells(first, last),
                           _minus_fixed,
                           _has_fixed_values};
      });
      setFixedLoads(values, load);
    }
    system.matrix->endAssembly();
    system.load->doExport(local_load, _exporter, Tpetra::ADD);
    ExecutionSpace().fence();
    return timer.seconds();
  }

  /// Seconds that it took to find the places, and bytes that they take.
  double seconds() const { return _seconds; }
  double bytes() const { return static_cast<double>(_plan.bytes()); }

 private:
  using Values = Kokkos::View<double*, Device>;

  /// The loads that make values of fixed degrees of freedom the given ones.
  template <class LocalLoad>
  void setFixedLoads(const Values& values, const LocalLoad& load) const {
    const auto diagonals = _diagonals;
    const auto minus_fixed = _minus_fixed;
    Kokkos::parallel_for(
        "Example::setFixedLoads", Kokkos::RangePolicy<ExecutionSpace>(0, diagonals.extent(0)),
        KOKKOS_LAMBDA(int row) {
          if (diagonals(row) >= 0) load(row, 0) = -minus_fixed(row) * values(diagonals(row));
        });
  }

  Dofs _dofs;
  Tpetra::Export<LocalOrdinal, GlobalOrdinal, Node> _exporter;
  CellNumbers _nodes, _free_rows;
  ScatterPlan _plan;
  Values _minus_fixed;
  Kokkos::View<std::int64_t*, Device> _diagonals;  ///< of fixed rows in the values; -1 of others
  bool _has_fixed_values = false;
  double _seconds = 0;
};

}  // namespace Example

#endif
