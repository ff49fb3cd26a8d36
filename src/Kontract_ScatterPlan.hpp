// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_SCATTERPLAN_HPP
#define KONTRACT_SCATTERPLAN_HPP

#include "detail/support/Kontract_Requirements.hpp"

#include "Kontract_CellNumbers.hpp"
#include "detail/launch/Kontract_SharedOffsets.hpp"

namespace Kontract {

/// Where the entries of element matrices (C,L,R) are in the values of a matrix in compressed rows:
/// found once for a mesh, so that an assembly searches nothing. Copies of an object share it.
///
///     const Kontract::CellNumbers<Device> unknowns(cell_unknowns, number_of_unknowns);
///     const Kontract::ScatterPlan<Device> plan(matrix, unknowns);
///     Integration::matrices(Kontract::scattered(matrix.values, plan), cells, Kontract::term(...));
///
/// An entry takes 1 byte where rows are shorter than 255, 2 where they are shorter than 65,535,
/// else 4; a row of a matrix takes 8. \tparam DeviceType  a Kokkos::Device or an execution space
template <class DeviceType>
class ScatterPlan {
 public:
  using execution_space = typename DeviceType::execution_space;  ///< on which it is made
  using Numbers = CellNumbers<DeviceType>;                       ///< of its rows and columns

  /// Of no cells.
  ScatterPlan() = default;

  /// \param row_map, entries  where rows begin, and the columns of all entries, as
  ///   Kokkos::StaticCrsGraph has them; columns of a row in any order, each once
  /// \param rows, columns     numbers of the left and of the right unknowns of cells; entries with
  /// a
  ///   negative one are left out
  /// \throws std::invalid_argument if the graph lacks an entry, which is named; if the numbers are
  ///   not of the same cells; if there are more unknowns than rows; if memory is not enough, with
  ///   how much is needed
  template <class RowMap, class Entries>
  ScatterPlan(const RowMap& row_map, const Entries& entries, const Numbers& rows,
              const Numbers& columns)
      : _rows(rows),
        _columns(columns),
        _offsets(execution_space(), row_map, entries, rows.impl(), columns.impl(),
                 Impl::NothingFixed()) {}

  /// The same where left and right unknowns are the same.
  /// \param matrix  anything with a row_map and entries, or with a graph that has them:
  ///   KokkosSparse::CrsMatrix, Tpetra's local matrices and graphs
  /// \param unknowns  numbers of rows and of columns
  template <class Matrix>
  ScatterPlan(const Matrix& matrix, const Numbers& unknowns)
      : ScatterPlan(Impl::graphOf(matrix).row_map, Impl::graphOf(matrix).entries, unknowns,
                    unknowns) {}
  /// The same where they differ.
  /// \param matrix         as above
  /// \param rows, columns  numbers of the left and of the right unknowns of cells
  template <class Matrix>
  ScatterPlan(const Matrix& matrix, const Numbers& rows, const Numbers& columns)
      : ScatterPlan(Impl::graphOf(matrix).row_map, Impl::graphOf(matrix).entries, rows, columns) {}

  /// The same with unknowns that have given values: of their rows and columns only the diagonal
  /// entries are added to, so that a matrix stays symmetric and regular.
  /// \param matrix         as above
  /// \param rows, columns  numbers of the same unknowns as rows and as columns of the matrix
  /// \param is_fixed       of each unknown, by the number of its row, of bool or an integer type; one
  ///   whose row is negative is taken as free
  template <class Matrix, class Flags>
  static ScatterPlan withFixed(const Matrix& matrix, const Numbers& rows, const Numbers& columns,
                               const Flags& is_fixed) {
    ScatterPlan plan;
    plan._rows = rows;
    plan._columns = columns;
    const auto& graph = Impl::graphOf(matrix);
    plan._offsets = {execution_space(), graph.row_map,
                     graph.entries,     rows.impl(),
                     columns.impl(),    Impl::fixedUnknowns(is_fixed, rows.impl(), columns.impl())};
    return plan;
  }
  /// The same where rows and columns have the same numbers.
  /// \param matrix    as above
  /// \param unknowns  numbers of rows and of columns
  /// \param is_fixed  of each unknown, by its number
  template <class Matrix, class Flags>
  static ScatterPlan withFixed(const Matrix& matrix, const Numbers& unknowns,
                               const Flags& is_fixed) {
    return withFixed(matrix, unknowns, unknowns, is_fixed);
  }

  /// Numbers of left unknowns.
  const Numbers& rows() const { return _rows; }
  /// Numbers of right unknowns.
  const Numbers& columns() const { return _columns; }
  /// Cells that add.
  std::int64_t numCells() const { return _rows.numCells(); }
  /// Entries of the matrix.
  std::int64_t numEntries() const { return _offsets.entries(); }
  /// Bytes of memory that it takes, without the numbers.
  std::int64_t bytes() const { return _offsets.bytes(); }

  /// That of cells first to last - 1 alone, for a workset; it shares what this object has.
  ScatterPlan cells(std::int64_t first, std::int64_t last) const {
    ScatterPlan part(*this);
    part._rows = _rows.cells(first, last);
    part._columns = _columns.cells(first, last);
    return part;
  }

  /// For Kontract itself.
  const Impl::SharedOffsets<execution_space>& impl() const { return _offsets; }

 private:
  Numbers _rows, _columns;
  Impl::SharedOffsets<execution_space> _offsets;
};

/// In the place of the output (C,L,R) of matrices(): element matrices are added to the values of a
/// matrix where the plan says. Values that no cell adds to become 0, or stay as they are with
/// sumInto.
/// \param values  all of the matrix, rank 1, without gaps
/// \param plan    of the matrix's graph
template <class Values, class DeviceType>
Scattered<Values, ScatterPlan<DeviceType>> scattered(const Values& values,
                                                     const ScatterPlan<DeviceType>& plan) {
  return {values, plan};
}

}  // namespace Kontract

#endif
