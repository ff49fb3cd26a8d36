// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief Assembly over worksets: what is around the integrals of a problem.
#ifndef EXAMPLE_ASSEMBLY_HPP
#define EXAMPLE_ASSEMBLY_HPP

#include <algorithm>

#include "ExampleSystem.hpp"
#include "ExampleTimes.hpp"
#include "ExampleWorkset.hpp"

#include "Tpetra_Export.hpp"

namespace Example {

/// Calls action(first cell, number of cells) for the cells of this rank, a workset at a time.
template <class Action>
void forEachWorkset(int num_cells, int workset_size, const Action& action) {
  for (int first = 0; first < num_cells; first += workset_size)
    action(first, std::min(workset_size, num_cells - first));
}

/// The cells of this rank in worksets of equal size, which share arrays, and a smaller last one.
template <class Workset>
class Worksets {
 public:
  /// \param make  make(number of cells), a Workset
  template <class Make>
  Worksets(int num_cells, int workset_size, const Make& make)
      : _num_cells(num_cells),
        _size(std::min(workset_size, std::max(num_cells, 1))),
        _full(make(_size)),
        _last(make(num_cells % _size)) {}

  int size() const { return _size; }

  /// Calls action(workset, first cell) for each.
  template <class Action>
  void forEach(const Action& action) {
    forEachWorkset(_num_cells, _size, [&](int first, int num_cells) {
      action(num_cells == _size ? _full : _last, first);
    });
  }

 private:
  int _num_cells;
  int _size;
  Workset _full;
  Workset _last;
};

/// Sums element matrices and loads over cells and ranks into systems of one graph.
class SystemSum {
 public:
  SystemSum(const Dofs& dofs, const Graph& graph)
      : _dofs(dofs), _columns(makeCellColumns(dofs, graph)), _exporter(dofs.local, dofs.owned) {}

  /// \param times    of this rank: adds those of the scatter and of all
  /// \param add_all  add_all(add) calls add(element matrices, element loads, first cell) for each
  ///   workset
  /// Collective.
  template <class AddAll>
  void assemble(const System& system, AssemblyTimes& times, const AddAll& add_all) const {
    addSeconds(times.total, [&] {
      Vector local_load(_dofs.local);
      system.matrix->beginAssembly();
      {
        const auto matrix = system.matrix->getLocalMatrixDevice();
        const auto load = local_load.getLocalViewDevice(Tpetra::Access::ReadWrite);
        add_all([&](const Array& matrices, const Array& loads, int first) {
          addSeconds(times.scatter,
                     [&] { scatter(matrix, load, matrices, loads, _dofs, _columns, first); });
        });
      }
      system.matrix->endAssembly();
      system.load->doExport(local_load, _exporter, Tpetra::ADD);
    });
  }

 private:
  Dofs _dofs;
  CellColumns _columns;
  Tpetra::Export<LocalOrdinal, GlobalOrdinal, Node> _exporter;
};

}  // namespace Example

#endif
