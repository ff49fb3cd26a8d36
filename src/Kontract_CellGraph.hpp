// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_CELLGRAPH_HPP
#define KONTRACT_CELLGRAPH_HPP

#include "detail/support/Kontract_Requirements.hpp"

#include "Kontract_CellNumbers.hpp"
#include "detail/kernels/portable/Kontract_GraphRows.hpp"

namespace Kontract {

/// Which unknowns share a cell: the graph of a matrix in compressed rows, as
/// KokkosSparse::CrsMatrix and ScatterPlan take it. Made where the numbers are.
///
///     const Kontract::CellGraph<Device> graph(unknowns);
///     const KokkosSparse::CrsMatrix<double, int, Device, void, std::int64_t> matrix(
///         "matrix", rows, rows, graph.entries.extent(0), values, graph.row_map, graph.entries);
///
/// A row has the columns of all cells that have the row, ascending, each once; one that no cell has
/// is empty. Takes 4 bytes for each number of a row in a cell while it is made, and for each column
/// of the cells of rows that many cells have.
/// \tparam DeviceType  a Kokkos::Device or an execution space
template <class DeviceType>
struct CellGraph {
  using execution_space = typename DeviceType::execution_space;  ///< on which it is made
  using memory_space = typename DeviceType::memory_space;        ///< where it is
  Kokkos::View<std::int64_t*, memory_space> row_map;             ///< (rows + 1)
  Kokkos::View<int*, memory_space> entries;                      ///< columns

  /// Of no rows.
  CellGraph() = default;
  /// \param unknowns  numbers of rows and of columns
  explicit CellGraph(const CellNumbers<DeviceType>& unknowns) : CellGraph(unknowns, unknowns) {}

  /// \param rows, columns  numbers of the left and of the right unknowns of the same cells
  /// \throws std::invalid_argument if they are not of the same cells
  CellGraph(const CellNumbers<DeviceType>& rows, const CellNumbers<DeviceType>& columns)
      : CellGraph(execution_space(), rows, columns) {}
  /// \param space          on which it is made; waits for it
  /// \param rows, columns  as above
  CellGraph(const execution_space& space, const CellNumbers<DeviceType>& rows,
            const CellNumbers<DeviceType>& columns) {
    if (rows.numCells() != columns.numCells()) {
      Impl::refuse("CellGraph", "there are numbers of rows of " + std::to_string(rows.numCells()) +
                                    " cells and of columns of " +
                                    std::to_string(columns.numCells()));
    }
    const std::string label = "Kontract::CellGraph";
    using Counts = Kokkos::View<std::int64_t*, memory_space>;
    using Cells = Kokkos::View<std::int32_t*, memory_space>;
    const auto of_rows = rows.impl().viewOfAll(), of_columns = columns.impl().viewOfAll();
    using Numbers = std::decay_t<decltype(of_rows)>;
    const std::int64_t places = static_cast<std::int64_t>(of_rows.size()), count = rows.count();
    const std::size_t size = static_cast<std::size_t>(count + 1);
    const Counts starts(Kokkos::view_alloc(label, space), size),
        next(Kokkos::view_alloc(label, space, Kokkos::WithoutInitializing), size);
    Impl::launch(space, label, places, Impl::CountPlaces<Numbers, Counts>{of_rows, starts});
    summedUp(space, label, starts);
    Kokkos::deep_copy(space, next, starts);
    const Cells cells(Kokkos::view_alloc(label, space, Kokkos::WithoutInitializing),
                      static_cast<std::size_t>(places));
    Impl::launch(space, label, places,
                 Impl::ListCells<Numbers, Counts, Cells>{of_rows, next, cells});
    const Counts long_starts(Kokkos::view_alloc(label, space), size);
    const std::int64_t most = Impl::launchForMost(
        space, label, count,
        Impl::CountLongRows<Counts>{starts, static_cast<std::int64_t>(of_columns.extent(1)),
                                    long_starts});
    const Cells sorted(Kokkos::view_alloc(label, space, Kokkos::WithoutInitializing),
                       summedUp(space, label, long_starts));
    const Impl::RowSources<Numbers, Counts, Cells> sources{of_columns, starts, cells, long_starts,
                                                           sorted};
    if (sorted.extent(0) > 0) {
      Impl::launch(space, label, count,
                   Impl::SortLongRows<Numbers, Counts, Cells>{of_columns, starts, cells,
                                                              long_starts, sorted});
    }
    row_map = Counts(Kokkos::view_alloc(label, space), size);
    visitRows(space, label, sources, most, true);
    entries = Kokkos::View<int*, memory_space>(
        Kokkos::view_alloc(label, space, Kokkos::WithoutInitializing),
        summedUp(space, label, row_map));
    visitRows(space, label, sources, most, false);
    space.fence();
  }

 private:
  /// Counts the columns of each row, or writes them.
  /// \param most  columns that the cells of a row that is not long have at most
  template <class Sources>
  void visitRows(const execution_space& space, const std::string& label, const Sources& sources,
                 std::int64_t most, bool is_counting) const {
    const std::int64_t rows = static_cast<std::int64_t>(row_map.extent(0)) - 1;
    Impl::Teams teams;
    teams.pieces = rows;
    constexpr bool is_host = Impl::is_host_space<execution_space>;
    teams.threads = is_host ? 1 : 32;
    teams.scratch_level = is_host ? 1 : 0;  // hosts have 32 KB of level 0
    teams.scratch_bytes =
        4 * (2 * std::int64_t(Impl::tableSlots(static_cast<std::uint32_t>(most))) + 1);
    if (most > 0) {
      Impl::launch(space, label, teams,
                   Impl::ColumnsOfRow<Sources, decltype(row_map), decltype(entries)>{
                       sources, row_map, entries, is_counting});
    }
    if (sources.sorted.extent(0) > 0) {
      Impl::launch(space, label, rows,
                   Impl::ColumnsOfLongRow<Sources, decltype(row_map), decltype(entries)>{
                       sources, row_map, entries, is_counting});
    }
  }

  /// Makes counts where each row begins, waits, and returns where the last one ends.
  template <class Counts>
  static std::size_t summedUp(const execution_space& space, const std::string& label,
                              const Counts& counts) {
    const std::int64_t rows = static_cast<std::int64_t>(counts.extent(0)) - 1;
    Impl::launchScan(space, label, rows + 1, Impl::SumCounts<Counts>{counts});
    std::int64_t sum = 0;
    Kokkos::deep_copy(space, sum, Kokkos::subview(counts, rows));
    space.fence();
    return static_cast<std::size_t>(sum);
  }
};

}  // namespace Kontract

#endif
