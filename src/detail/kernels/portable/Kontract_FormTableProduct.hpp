// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FORMTABLEPRODUCT_HPP
#define KONTRACT_FORMTABLEPRODUCT_HPP

#include "Kontract_BlockFunction.hpp"
#include "Kontract_FormPointMatrices.hpp"
#include "Kontract_TablePair.hpp"

namespace Kontract {
namespace Impl {

/// How sums become outputs.
enum class TableOutputs {
  Cells,    ///< neighbours in memory are neighbouring cells, as lanes have them
  Whole,    ///< cells have theirs one after another: they come into shared memory as they are there
  Entries,  ///< any, one by one from shared memory
  Shared    ///< by cells, to which they are added likewise
};

/// How blocks of a device multiply the matrices of points by a table.
struct FormTableSizes {
  PointMatrixSizes points;
  int cells = 1;         ///< of a block, a power of two
  int entry_warps = 1;   ///< that share the entries of a slice
  int warp_tiles = 1;    ///< of eight entries, that a warp has at most
  int entry_step = 1;    ///< between cells of sums in shared memory
  int pass_cells = 1;    ///< whose sums are there at a time, a power of two and at least eight
  int outputs_step = 1;  ///< between slices in the list of outputs
  /// Numbers of shared memory before the matrices of points, and before sums.
  int matrices_at = 0, sums_at = 0;
  std::int64_t table_step = 0;   ///< between slices of the table
  std::int64_t first_slice = 0;  ///< of this launch
  int slices = 1;                ///< of this launch
  int slices_together = 1;       ///< that a block computes one after another for the same cells
  int pairs = 1;                 ///< of components, which are pieces of work of their own

  static constexpr int threads = PointMatrixSizes::threads, warps = threads / 32;
  static constexpr int warp_cells = 32, most_tiles = 4;

  /// Cells of a block whose entries so many warps share.
  static constexpr int cellsOf(int entry_warps) { return warp_cells * (warps / entry_warps); }
  KOKKOS_FORCEINLINE_FUNCTION int groups() const {
    return (slices + slices_together - 1) / slices_together;
  }
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

/// Both lists that blocks read.
template <int D, class Terms, class Weights>
struct FillTables {
  FillFormTable<D, Terms, Weights> table;
  FillOutputs outputs;
  std::int64_t elements;  ///< of the table
  std::int64_t ahead;     ///< that are read behind it, and become zero

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t n) const {
    if (n < elements) {
      table(n);
    } else if (n < elements + ahead) {
      table.table[n] = {0, 0};
    } else {
      outputs(n - elements - ahead);
    }
  }
};

/// Matrices of forms as products of the matrices of points with a table: see FormProducts. A block
/// computes the matrices of points of some cells in shared memory; each warp has the sums of 32
/// cells and up to 32 entries, for which lanes read what they give to matrix instructions. Where
/// neighbours in memory are not neighbouring cells sums go through shared memory, too, so that
/// neighbouring threads write, or add, to neighbours in memory. A block has one piece of work, and
/// a kernel one way to leave sums, because what compilers keep for others costs registers that sums
/// need.
/// \tparam Block  of threads, with its shared memory and its sums of a warp
template <class Problem, int D, TableOutputs way, class Block>
struct FormTableProduct {
  using Acc = typename FormPoint<Problem, D>::Acc;
  using Sizes = FormTableSizes;
  using Sums = typename Block::template SumsOf<Sizes::warp_cells, Sizes::most_tiles>;
  using Points = FormPointMatrices<Problem, D, Block>;
  static constexpr int threads = Sizes::threads;
  static constexpr int blocks = 2;  ///< of a multiprocessor: threads have 128 registers

  Problem problem;
  FormProducts products;
  Sizes sizes;
  const TablePair* table;
  const std::uint32_t* outputs;

  KONTRACT_BLOCK_FUNCTION void operator()() const {
    const Batch batch = batchOf(Block::rank());
    computePoints(batch);
    for (int n = 0; n < batch.slices; ++n) {
      const int slice = batch.first_slice + n;
      const Warp warp = warpOf(slice);
      Sums sums;
      sums.clear();
      if (warp.tiles > 0) multiply(slice, warp, sums);
      leaveSums(batch, slice, warp, sums);
      Block::joinWarp();
    }
  }

 private:
  /// A piece of work: cells, a pair of components, and slices of this launch.
  struct Batch {
    CellBatch cells;
    FormPair pair;
    int first_slice, slices;
  };

  KONTRACT_BLOCK_FUNCTION static double* memory() { return Block::memory(); }

  KONTRACT_BLOCK_FUNCTION Points points() const {
    using Real = typename Points::Real;
    return {products,
            sizes.points,
            {problem, sizes.points, reinterpret_cast<Real*>(memory()), products.first_point,
             !products.has_weights},
            memory() + sizes.matrices_at};
  }
  KONTRACT_BLOCK_FUNCTION PointPart partAt(int first) const {
    const int left = static_cast<int>(products.points) - first;
    return {first, left < sizes.points.points ? left : sizes.points.points};
  }

  KONTRACT_BLOCK_FUNCTION Batch batchOf(std::int64_t work) const {
    const int groups = sizes.groups();
    const std::int64_t rest = work / groups;
    Batch batch;
    batch.first_slice = static_cast<int>(work - rest * groups) * sizes.slices_together;
    const int left = sizes.slices - batch.first_slice;
    batch.slices = left < sizes.slices_together ? left : sizes.slices_together;
    batch.cells.first = rest / sizes.pairs * sizes.cells;
    batch.pair = formPair(problem.shape, static_cast<int>(rest % sizes.pairs));
    return batch;
  }

  /// Computes the matrices of all points, part by part.
  KONTRACT_BLOCK_FUNCTION void computePoints(const Batch& batch) const {
    for (int first = 0; first < products.points; first += sizes.points.points) {
      if (first > 0) Block::wait();  // inputs may still be read
      const PointPart part = partAt(first);
      points().inputs.copyInputs(batch.cells, part);
      Block::endCopies();
      Block::template waitForCopies<0>();
      Block::wait();
      const bool has_one_jacobian = points().inputs.findOneJacobian(part);
      points().compute(batch.cells, batch.pair, part, has_one_jacobian);
    }
    Block::wait();
  }

  /// The cells of a warp, and its entries in tiles of eight: none are left for some.
  struct Warp {
    int first_cell, first_tile, tiles;
  };
  KONTRACT_BLOCK_FUNCTION Warp warpOf(int of_launch) const {
    const int warp = Block::warp();
    Warp of;
    of.first_cell = warp / sizes.entry_warps * Sizes::warp_cells;
    of.first_tile = warp % sizes.entry_warps * sizes.warp_tiles;
    const std::int64_t slice = sizes.first_slice + of_launch;
    const int entries = static_cast<int>(products.endOf(slice) - products.firstOf(slice));
    const int left = (entries + 7) / 8 - of.first_tile;
    of.tiles = left < sizes.warp_tiles ? left : sizes.warp_tiles;
    return of;
  }

  KONTRACT_BLOCK_FUNCTION void multiply(int slice, const Warp& warp, Sums& sums) const {
    sums.add(memory() + sizes.matrices_at + warp.first_cell, sizes.points.row_step,
             table + slice * sizes.table_step + warp.first_tile * 32, products.slice_entries * 4,
             static_cast<int>(products.steps()), warp.tiles);
  }

  /// Leaves the sums of a slice in the output.
  KONTRACT_BLOCK_FUNCTION void leaveSums(const Batch& batch, int slice, const Warp& warp,
                                         const Sums& sums) const {
    if constexpr (way == TableOutputs::Cells) {
      storeCells(batch, slice, warp, sums);
    } else if constexpr (way == TableOutputs::Whole) {
      writeOutputs(batch, warp, sums);
    } else {
      leaveEntries(batch, slice, warp, sums);
    }
  }

  KONTRACT_BLOCK_FUNCTION void leaveEntries(const Batch& batch, int slice, const Warp& warp,
                                            const Sums& sums) const {
    for (int first = 0; first < sizes.cells; first += sizes.pass_cells) {
      Block::wait();  // what is where sums come may still be read
      keepSums(sums, warp, first);
      Block::wait();
      if constexpr (way == TableOutputs::Shared) {
        addSums(batch, slice, first);
      } else {
        storeSums(batch, slice, first);
      }
    }
  }

  /// Calls f(j, k, n) for the entries n of a slice that a lane has sums of.
  template <class F>
  KONTRACT_BLOCK_FUNCTION void forEachEntry(int of_launch, const Warp& warp, const F& f) const {
    const std::int64_t slice = sizes.first_slice + of_launch;
    const int entries = static_cast<int>(products.endOf(slice) - products.firstOf(slice));
    const int first = warp.first_tile * 8 + Block::thread() % 4 * 2;
    KONTRACT_UNROLL
    for (int j = 0; j < Sizes::most_tiles; ++j) {
      if (j >= warp.tiles) continue;
      KONTRACT_UNROLL
      for (int k = 0; k < 2; ++k) {
        const int n = first + 8 * j + k;
        if (n < entries) f(j, k, n);
      }
    }
  }

  /// Where entry (l,r) of a pair of components is in the matrix of a cell.
  KONTRACT_BLOCK_FUNCTION std::int64_t placeOf(const FormPair& pair, int l, int r) const {
    const FormStrides& strides = problem.out_strides;
    return (l * problem.shape.left_blocks + pair.i) * strides.row +
           (r * problem.shape.right_blocks + pair.j) * strides.column;
  }

  KONTRACT_BLOCK_FUNCTION void storeCells(const Batch& batch, int of_launch, const Warp& warp,
                                          const Sums& sums) const {
    const FormShape& s = problem.shape;
    const std::int64_t first_cell = batch.cells.first + warp.first_cell + Block::thread() % 32 / 4;
    forEachEntry(of_launch, warp, [&](int j, int k, int n) {
      const std::uint32_t of = outputs[of_launch * sizes.outputs_step + n];
      const int l = static_cast<int>(of >> 16), r = static_cast<int>(of & 0xffff);
      const std::int64_t place = placeOf(batch.pair, l, r);
      const std::int64_t other = placeOf({batch.pair.j, batch.pair.i}, r, l);
      const bool has_other = products.is_half ? l != r : hasOtherPair(batch);
      KONTRACT_UNROLL
      for (int i = 0; i < Sizes::warp_cells / 8; ++i) {
        const std::int64_t c = first_cell + 8 * i;
        if (c >= s.cells) continue;
        const Acc sum = signedSum<D>(problem, c, l, r, Acc(sums.at(i, j, k)));
        auto* const to = problem.out.data + c * problem.out_strides.cell;
        to[place] = s.sum_into ? to[place] + sum : sum;
        if (has_other) to[other] = s.sum_into ? to[other] + sum : sum;
      }
    });
  }

  /// Puts sums of a pass into shared memory, by cell and entry.
  /// \param first  cell of the pass
  KONTRACT_BLOCK_FUNCTION void keepSums(const Sums& sums, const Warp& warp, int first) const {
    const int lane = Block::thread() % 32;
    double* const to = memory() + sizes.sums_at + warp.first_tile * 8 + lane % 4 * 2;
    KONTRACT_UNROLL
    for (int i = 0; i < Sizes::warp_cells / 8; ++i) {
      const int of_pass = warp.first_cell + 8 * i - first;
      if (of_pass < 0 || of_pass >= sizes.pass_cells) continue;
      KONTRACT_UNROLL
      for (int j = 0; j < Sizes::most_tiles; ++j) {
        if (j >= warp.tiles) continue;
        *reinterpret_cast<TablePair*>(to + (of_pass + lane / 4) * sizes.entry_step + 8 * j) = {
            sums.at(i, j, 0), sums.at(i, j, 1)};
      }
    }
  }

  /// The same as outputs of cells.
  KONTRACT_BLOCK_FUNCTION void keepOutputs(const Sums& sums, const Warp& warp, int first,
                                           Acc* to) const {
    const int of_lane = Block::thread() % 32 / 4;
    KONTRACT_UNROLL
    for (int i = 0; i < Sizes::warp_cells / 8; ++i) {
      const int of_pass = warp.first_cell + 8 * i - first;
      if (of_pass < 0 || of_pass >= sizes.pass_cells) continue;
      Acc* const matrix = to + (of_pass + of_lane) * sizes.entry_step;
      forEachEntry(0, warp, [&](int j, int k, int n) {
        const std::uint32_t places = outputs[n];
        matrix[places >> 16] = Acc(sums.at(i, j, k));
        if (products.is_half) matrix[places & 0xffff] = Acc(sums.at(i, j, k));
      });
    }
  }

  /// Leaves the sums of all entries of cells that have them one after another in memory.
  KONTRACT_BLOCK_FUNCTION void writeOutputs(const Batch& batch, const Warp& warp,
                                            const Sums& sums) const {
    const int of_cell = sizes.entry_step;
    Acc* const memory_of_sums = reinterpret_cast<Acc*>(memory() + sizes.sums_at);
    for (int first = 0; first < sizes.cells; first += sizes.pass_cells) {
      Block::waitForRuns();
      Block::wait();  // what is where sums come may still be read
      const std::int64_t place = (batch.cells.first + first) * of_cell;
      Acc* const from = memory_of_sums + Block::shiftOf(problem.out.data + place);
      keepOutputs(sums, warp, first, from);
      Block::endRun();
      Block::wait();
      const int count = cellsOf(batch, first) * of_cell;
      if (count > 0) Block::writeRun(problem.out.data, place, count, from, problem.shape.sum_into);
    }
    Block::waitForRuns();
  }

  /// Cells of a pass.
  KONTRACT_BLOCK_FUNCTION int cellsOf(const Batch& batch, int first) const {
    return CellBatch{batch.cells.first + first}.count(problem, sizes.pass_cells);
  }

  /// An output of a slice: an element of the matrices of all its cells.
  struct Output {
    int left, right;
    const double* sums;  ///< of the cells of a pass
  };
  KONTRACT_BLOCK_FUNCTION Output outputAt(int slice, int n) const {
    const std::uint32_t of = outputs[slice * sizes.outputs_step + n];
    Output output{static_cast<int>(of >> 16), static_cast<int>(of & 0xffff), nullptr};
    const std::int64_t entry = products.entryOf(output.left, output.right);
    output.sums = memory() + sizes.sums_at + (entry - products.firstOf(sizes.first_slice + slice));
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

  KONTRACT_BLOCK_FUNCTION void storeSums(const Batch& batch, int slice, int first) const {
    const int cells = cellsOf(batch, first);
    const int count = products.outputsOf(sizes.first_slice + slice);
    forEachOutput(slice, count, [&](const Output& output, int cell, int step) {
      const int l = output.left, r = output.right;
      storeOutput(batch, output, placeOf(batch.pair, l, r), first, cell, cells, step);
      if (!hasOtherPair(batch)) return;
      storeOutput(batch, output, placeOf({batch.pair.j, batch.pair.i}, r, l), first, cell, cells,
                  step);
    });
  }
  /// An output of every so many-th cell of a pass.
  KONTRACT_BLOCK_FUNCTION void storeOutput(const Batch& batch, const Output& output,
                                           std::int64_t place, int first, int cell, int cells,
                                           int step) const {
    const FormStrides& strides = problem.out_strides;
    const bool has_signs = problem.left_signs.isThere() || problem.right_signs.isThere();
    std::int64_t c = batch.cells.first + first + cell;
    auto* to = problem.out.data + c * strides.cell + place;
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
  KONTRACT_BLOCK_FUNCTION void forEachOutput(int slice, int count, const F& f) const {
    const int step = count < threads ? threads / count : 1;
    const int cell = count < threads ? Block::thread() / count : 0;
    if (cell >= step) return;
    for (int n = Block::thread() - cell * count; n < count; n += threads) {
      f(outputAt(slice, n), cell, step);
    }
  }

  KONTRACT_BLOCK_FUNCTION void addSums(const Batch& batch, int slice, int first) const {
    const FormShape& s = problem.shape;
    const int cells = cellsOf(batch, first);
    const int count = products.outputsOf(sizes.first_slice + slice);
    problem.scatter.withOffsets([&](const auto& offset_of) {
      forEachOutput(slice, count, [&](const Output& output, int cell, int step) {
        const int row = output.left * s.left_blocks + batch.pair.i;
        const int column = output.right * s.right_blocks + batch.pair.j;
        add(batch, output, row, column, first, cell, cells, step, offset_of);
      });
      if (!hasOtherPair(batch)) return;
      forEachOutput(slice, count, [&](const Output& output, int cell, int step) {
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
