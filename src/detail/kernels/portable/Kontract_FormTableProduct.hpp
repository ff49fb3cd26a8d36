// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FORMTABLEPRODUCT_HPP
#define KONTRACT_FORMTABLEPRODUCT_HPP

#include "Kontract_BlockFunction.hpp"
#include "Kontract_FormEntry.hpp"
#include "Kontract_FormProductTable.hpp"
#include "Kontract_TeamCells.hpp"

namespace Kontract {
namespace Impl {

/// Two numbers of the table that a lane of a warp gives to matrix instructions together.
struct alignas(16) TablePair {
  double first, second;
};

/// How blocks of a device multiply the matrices of points by a table.
struct FormTableSizes {
  int cells = 1, cell_bits = 0;  ///< of a block, a power of two
  int entry_warps = 1;           ///< that share the entries of a slice
  int warp_tiles = 1;            ///< of eight entries, that a warp has at most
  int cell_step = 1;             ///< between rows of cells in shared memory
  int entry_step = 1;            ///< between cells of sums there
  int sums_at = 0;               ///< numbers of shared memory before sums
  int pass_cells = 1;            ///< whose sums are there at a time; a multiple of a warp's
  int stage_steps = 1;           ///< of eight rows, that come into shared memory together
  int stage_numbers = 1;         ///< of shared memory, of a stage
  int outputs_step = 1;          ///< between slices in the list of outputs
  std::int64_t table_step = 0;   ///< between slices of the table
  std::int64_t blocks = 0;       ///< of cells, of this launch
  std::int64_t first_slice = 0, first_cell = 0;  ///< of this launch
  int slices = 1;                                ///< of this launch
  int pairs = 1;  ///< of components, which are pieces of work of their own

  static constexpr int warps = 8, threads = 32 * warps, stages = 3;
  static constexpr int warp_cells = 32, most_tiles = 4;
};

/// The table of products in the order in which lanes give it to matrix instructions: by slice, step
/// of eight rows, eight entries, lane; terms q and q + 4 of an entry.
template <int D, class Terms, class Weights>
struct FillFormTable {
  FormProducts products;
  Terms terms;
  Weights weights;  ///< of points that are summed up
  std::int64_t first_slice, table_step;
  TablePair* table;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t n) const {
    const std::int64_t slice = n / table_step;
    std::int64_t rest = n - slice * table_step;
    const int lane = static_cast<int>(rest % 32), tiles = products.slice_entries / 8;
    rest /= 32;
    const int tile = static_cast<int>(rest % tiles), step = static_cast<int>(rest / tiles);
    const std::int64_t entry = products.firstOf(first_slice + slice) + tile * 8 + lane / 4;
    const bool is_there = entry < products.endOf(first_slice + slice);
    const auto at = [&](int row) {
      return is_there && row < products.rows()
                 ? elementOfTable<D>(products, terms, weights, entry, row)
                 : 0.;
    };
    table[n] = {at(8 * step + lane % 4), at(8 * step + lane % 4 + 4)};
  }
};

/// Matrices of forms as products of the matrices of points with a table: see
/// FormProducts. Rows of both come into shared memory some stages ahead; each warp has the sums of
/// 32 cells and up to 32 entries. Sums go through shared memory, too, so that neighbouring threads
/// write, or add, to neighbours in memory.
/// \tparam Block  of threads, with its shared memory and its sums of a warp
template <class Problem, int D, class Block>
struct FormTableProduct {
  using Acc = typename FormPoint<Problem, D>::Acc;
  using Sizes = FormTableSizes;
  using Sums = typename Block::Sums;
  static constexpr int threads = Sizes::threads;

  Problem problem;
  FormProducts products;
  Sizes sizes;
  const double* matrices;  ///< of points: see FormPointMatrices
  const TablePair* table;
  const std::uint32_t* outputs;

  KONTRACT_BLOCK_FUNCTION void operator()() const {
    const std::int64_t works = sizes.blocks * sizes.slices * sizes.pairs;
    std::int64_t work = Block::rank();
    if (work >= works) return;
    Batch batch = batchOf(work);
    loadFirst(batch);
    for (;;) {
      Sums sums;
      const Warp warp = warpOf(batch);
      computeSums(batch, warp, sums);
      const Batch done = batch;
      work += Block::count();
      const bool goes_on = work < works;
      if (goes_on) {
        batch = batchOf(work);
        loadFirst(batch);
      }
      for (int first = 0; first < sizes.cells; first += sizes.pass_cells) {
        if (first <= warp.first_cell && warp.first_cell < first + sizes.pass_cells) {
          keepSums(sums, warp, warp.first_cell - first);
        }
        Block::wait();
        if (problem.isScattered()) {
          addSums(done, first);
        } else {
          storeSums(done, first);
        }
        Block::wait();
      }
      if (!goes_on) return;
    }
  }

 private:
  struct Batch {
    CellBatch cells;
    const double* matrices;
    FormPair pair;
    int slice;  ///< of this launch
  };

  KONTRACT_BLOCK_FUNCTION static double* memory() { return Block::memory(); }

  KONTRACT_BLOCK_FUNCTION Batch batchOf(std::int64_t work) const {
    const std::int64_t rest = work / sizes.slices;
    Batch batch;
    batch.slice = static_cast<int>(work - rest * sizes.slices);
    batch.matrices = matrices + rest * products.steps() * 8 * sizes.cells;
    batch.cells.first = sizes.first_cell + rest / sizes.pairs * sizes.cells;
    batch.pair = formPair(problem.shape, static_cast<int>(rest % sizes.pairs));
    return batch;
  }

  /// The cells of a warp, and its entries in tiles of eight: none are left for some.
  struct Warp {
    int first_cell, first_tile, tiles;
  };
  KONTRACT_BLOCK_FUNCTION Warp warpOf(const Batch& batch) const {
    const int warp = Block::thread() / 32;
    Warp of;
    of.first_cell = warp / sizes.entry_warps * Sizes::warp_cells;
    of.first_tile = warp % sizes.entry_warps * sizes.warp_tiles;
    const std::int64_t slice = sizes.first_slice + batch.slice;
    const int entries = static_cast<int>(products.endOf(slice) - products.firstOf(slice));
    const int left = (entries + 7) / 8 - of.first_tile;
    of.tiles = left < sizes.warp_tiles ? left : sizes.warp_tiles;
    return of;
  }

  KONTRACT_BLOCK_FUNCTION int stagesOfAll() const {
    return (steps() + sizes.stage_steps - 1) / sizes.stage_steps;
  }

  /// Begins to copy what comes before the first sums.
  KONTRACT_BLOCK_FUNCTION void loadFirst(const Batch& batch) const {
    for (int stage = 0; stage < Sizes::stages - 1; ++stage) load(batch, stage, stagesOfAll());
  }

  KONTRACT_BLOCK_FUNCTION void computeSums(const Batch& batch, const Warp& warp, Sums& sums) const {
    const int stages = stagesOfAll();
    sums.clear();
    for (int stage = 0; stage < stages; ++stage) {
      Block::template waitForCopies<Sizes::stages - 2>();
      Block::wait();  // this stage is there for all, and all have read the one before
      load(batch, stage + Sizes::stages - 1, stages);
      if (warp.tiles > 0) multiply(sums, stage, warp);
    }
    Block::wait();
  }

  KONTRACT_BLOCK_FUNCTION int steps() const { return static_cast<int>(products.steps()); }
  KONTRACT_BLOCK_FUNCTION int stepsOf(int stage) const {
    const int left = steps() - stage * sizes.stage_steps;
    return left < sizes.stage_steps ? left : sizes.stage_steps;
  }
  KONTRACT_BLOCK_FUNCTION double* cellsAt(int stage) const {
    return memory() + stage % Sizes::stages * sizes.stage_numbers;
  }
  KONTRACT_BLOCK_FUNCTION double* tableAt(int stage) const {
    return cellsAt(stage) + sizes.stage_steps * 8 * sizes.cell_step;
  }

  /// Begins to copy a stage, if there is one.
  KONTRACT_BLOCK_FUNCTION void load(const Batch& batch, int stage, int stages) const {
    if (stage < stages) {
      const int steps = stepsOf(stage), first = stage * sizes.stage_steps;
      const double* const cells = batch.matrices + std::int64_t(first) * 8 * sizes.cells;
      double* const to = cellsAt(stage);
      for (int n = 2 * Block::thread(); n < steps * 8 * sizes.cells; n += 2 * threads) {
        const int cell = n & (sizes.cells - 1), row = n >> sizes.cell_bits;
        Block::copy(to + row * sizes.cell_step + cell, cells + n);
      }
      const int of_step = products.slice_entries * 4;
      const TablePair* const from =
          table + batch.slice * sizes.table_step + std::int64_t(first) * of_step;
      TablePair* const table_to = reinterpret_cast<TablePair*>(tableAt(stage));
      for (int n = Block::thread(); n < steps * of_step; n += threads) {
        Block::copy(table_to + n, from + n);
      }
    }
    Block::endCopies();
  }

  /// Adds what a stage has to the sums of a warp.
  KONTRACT_BLOCK_FUNCTION void multiply(Sums& sums, int stage, const Warp& warp) const {
    const int of_step = products.slice_entries * 4;
    const double* cells = cellsAt(stage) + warp.first_cell;
    const TablePair* of_table =
        reinterpret_cast<const TablePair*>(tableAt(stage)) + warp.first_tile * 32;
    for (int step = 0; step < stepsOf(stage); ++step) {
      sums.add(cells, sizes.cell_step, of_table, warp.tiles);
      cells += 8 * sizes.cell_step;
      of_table += of_step;
    }
  }

  /// Puts sums into shared memory, by cell and entry.
  /// \param first_cell  of the warp, in its pass
  KONTRACT_BLOCK_FUNCTION void keepSums(const Sums& sums, const Warp& warp, int first_cell) const {
    const int lane = Block::thread() % 32;
    double* to = memory() + sizes.sums_at + (first_cell + lane / 4) * sizes.entry_step +
                 warp.first_tile * 8 + lane % 4 * 2;
    for (int i = 0; i < Sizes::warp_cells / 8; ++i) {
      for (int j = 0; j < Sizes::most_tiles; ++j) {
        if (j >= warp.tiles) continue;
        *reinterpret_cast<TablePair*>(to + 8 * i * sizes.entry_step + 8 * j) = {sums.at(i, j, 0),
                                                                                sums.at(i, j, 1)};
      }
    }
  }

  /// Cells of a pass.
  KONTRACT_BLOCK_FUNCTION int cellsOf(const Batch& batch, int first) const {
    const std::int64_t left = problem.shape.cells - batch.cells.first - first;
    return left < sizes.pass_cells ? static_cast<int>(left > 0 ? left : 0) : sizes.pass_cells;
  }

  /// An output of a slice: an element of the matrices of all its cells.
  struct Output {
    int left, right;
    const double* sums;  ///< of the cells of a pass
  };
  KONTRACT_BLOCK_FUNCTION Output outputAt(const Batch& batch, int n) const {
    const std::uint32_t of = outputs[batch.slice * sizes.outputs_step + n];
    Output output{static_cast<int>(of >> 16), static_cast<int>(of & 0xffff), nullptr};
    const std::int64_t entry = products.entryOf(output.left, output.right);
    output.sums =
        memory() + sizes.sums_at + (entry - products.firstOf(sizes.first_slice + batch.slice));
    return output;
  }
  KONTRACT_BLOCK_FUNCTION Acc sumOf(const Output& output, std::int64_t c, int cell) const {
    return signedSum<D>(problem, c, output.left, output.right,
                        Acc(output.sums[cell * sizes.entry_step]));
  }

  /// Whether a matrix has the transposed one of a pair, too.
  KONTRACT_BLOCK_FUNCTION bool hasOtherPair(const Batch& batch) const {
    return problem.shape.is_symmetric && batch.pair.i != batch.pair.j;
  }

  KONTRACT_BLOCK_FUNCTION void storeSums(const Batch& batch, int first) const {
    const FormShape& s = problem.shape;
    const int cells = cellsOf(batch, first);
    const int count = products.outputsOf(sizes.first_slice + batch.slice);
    forEachOutput(batch, count, [&](const Output& output, int cell, int step) {
      const int row = output.left * s.left_blocks + batch.pair.i;
      const int column = output.right * s.right_blocks + batch.pair.j;
      storeCells(batch, output, row, column, first, cell, cells, step);
      if (!hasOtherPair(batch)) return;
      storeCells(batch, output, output.right * s.right_blocks + batch.pair.j,
                 output.left * s.left_blocks + batch.pair.i, first, cell, cells, step);
    });
  }
  /// An output of every so many-th cell of a pass.
  KONTRACT_BLOCK_FUNCTION void storeCells(const Batch& batch, const Output& output, int row,
                                          int column, int first, int cell, int cells,
                                          int step) const {
    const FormStrides& strides = problem.out_strides;
    const bool has_signs = problem.left_signs.isThere() || problem.right_signs.isThere();
    std::int64_t c = batch.cells.first + first + cell;
    auto* to = problem.out.data + c * strides.cell + row * strides.row + column * strides.column;
    const double* sums = output.sums + cell * sizes.entry_step;
    const std::int64_t to_step = step * strides.cell;
    const int sums_step = step * sizes.entry_step;
    if (!has_signs && !problem.shape.sum_into) {
      for (; cell < cells; cell += step, to += to_step, sums += sums_step) *to = Acc(*sums);
      return;
    }
    for (; cell < cells; cell += step, c += step, to += to_step, sums += sums_step) {
      const Acc sum = signedSum<D>(problem, c, output.left, output.right, Acc(*sums));
      *to = problem.shape.sum_into ? *to + sum : sum;
    }
  }

  /// Calls f(output, cell, step) for each output of a thread, which has cells so many apart.
  /// Neighbouring threads have neighbours in memory.
  template <class F>
  KONTRACT_BLOCK_FUNCTION void forEachOutput(const Batch& batch, int count, const F& f) const {
    if (problem.shape.cell_fastest && !problem.isScattered()) {
      const int warp = Block::thread() / 32, lane = Block::thread() % 32;
      for (int n = warp; n < count; n += Sizes::warps) f(outputAt(batch, n), lane, 32);
      return;
    }
    const int step = count < threads ? threads / count : 1;
    const int cell = count < threads ? Block::thread() / count : 0;
    if (cell >= step) return;
    for (int n = Block::thread() - cell * count; n < count; n += threads) {
      f(outputAt(batch, n), cell, step);
    }
  }

  KONTRACT_BLOCK_FUNCTION void addSums(const Batch& batch, int first) const {
    const FormShape& s = problem.shape;
    const int cells = cellsOf(batch, first);
    const int count = products.outputsOf(sizes.first_slice + batch.slice);
    problem.scatter.withOffsets([&](const auto& offset_of) {
      forEachOutput(batch, count, [&](const Output& output, int cell, int step) {
        const int row = output.left * s.left_blocks + batch.pair.i;
        const int column = output.right * s.right_blocks + batch.pair.j;
        add(batch, output, row, column, first, cell, cells, step, offset_of);
      });
      if (!hasOtherPair(batch)) return;
      forEachOutput(batch, count, [&](const Output& output, int cell, int step) {
        const int row = output.right * s.right_blocks + batch.pair.j;
        const int column = output.left * s.left_blocks + batch.pair.i;
        add(batch, output, row, column, first, cell, cells, step, offset_of);
      });
    });
  }

  /// Adds an output of some cells: several at a time, because each waits for memory to tell its
  /// place.
  template <class OffsetOf>
  KONTRACT_BLOCK_FUNCTION void add(const Batch& batch, const Output& output, int row, int column,
                                   int first, int cell, int cells, int step,
                                   const OffsetOf& offset_of) const {
    constexpr int at_once = 4;
    const std::int64_t columns = problem.shape.rights * problem.shape.right_blocks;
    const std::int64_t of_cell = problem.scatter.to.rows.fields * columns;
    const std::int64_t entry = row * columns + column;
    const bool is_atomic = problem.scatter.isAtomic();
    for (; cell < cells; cell += at_once * step) {
      std::int64_t at[at_once], offsets[at_once], starts[at_once];
      std::int32_t numbers[at_once];
      // No load waits for the answer of another one, so all read something, be it for nothing.
      for (int i = 0; i < at_once; ++i) {
        const int of = cell + i * step < cells ? cell + i * step : cells - 1;
        at[i] = batch.cells.at(problem, first + of);
        numbers[i] = problem.scatter.numberOf(at[i], row);
        offsets[i] = offset_of(at[i] * of_cell + entry);
      }
      for (int i = 0; i < at_once; ++i) {
        starts[i] = problem.scatter.startOfNumber(numbers[i] < 0 ? 0 : numbers[i]);
      }
      for (int i = 0; i < at_once; ++i) {
        if (cell + i * step >= cells || numbers[i] < 0 || offsets[i] < 0) continue;
        const Acc sum = sumOf(output, at[i], cell + i * step);
        Acc& to = problem.out.data[starts[i] + offsets[i]];
        if (is_atomic) {
          Kokkos::atomic_add(&to, sum);
        } else {
          to += sum;
        }
      }
    }
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
