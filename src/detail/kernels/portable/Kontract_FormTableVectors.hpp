// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FORMTABLEVECTORS_HPP
#define KONTRACT_FORMTABLEVECTORS_HPP

#include "Kontract_FormPointInputs.hpp"
#include "Kontract_TablePair.hpp"

namespace Kontract {
namespace Impl {

/// How sums of vectors become outputs.
enum class VectorOutputs {
  Cells,  ///< neighbours in memory are neighbouring cells, as lanes have them
  Whole,  ///< cells have theirs one after another: they come into shared memory as they are there
  Any     ///< one by one from shared memory; cells may share them
};

/// How blocks of a device compute vectors of forms, and products with vectors, by tables of values.
struct FormVectorSizes {
  PointInputSizes inputs;
  std::int64_t first_point = 0;  ///< of this launch
  int points = 1;                ///< of this launch
  /// Rows of components and points, of both sides; those of the right side are so far behind those
  /// of the left one.
  int left_rows = 0, right_rows = 0, right_at = 0;
  int row_step = 1;  ///< numbers between rows, a block of cells each component
  int left_fields = 1, right_fields = 1;
  int left_blocks = 1, right_blocks = 1;  ///< components of fields
  int right_tiles = 1, left_tiles = 1;    ///< of eight entries, that a warp has at a time
  int sum_step = 1;                       ///< between cells of sums in shared memory
  VectorOutputs outputs = VectorOutputs::Any;
  /// Numbers of shared memory before rows, and before vectors, and later sums.
  int rows_at = 0, vectors_at = 0;

  static constexpr int threads = PointInputSizes::threads, warps = threads / 32;
  static constexpr int blocksOf(bool are_known) { return are_known ? 3 : 2; }
  static constexpr int warp_columns = 16, most_tiles = 3;

  /// Rows of eight, or fields, the last ones of zeros.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int eights(int count) { return (count + 7) / 8; }
  /// Pairs of numbers of a table of products of rows with fields.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr std::int64_t pairs(int summed, int entries) {
    return std::int64_t(eights(summed)) * eights(entries) * 32;
  }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t rightPairs() const {
    return pairs(right_fields, right_rows);
  }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t leftPairs() const {
    return pairs(left_rows, left_fields);
  }
};

/// The tables of both sides, in the order in which lanes give them to matrix instructions: by step
/// of eight terms, eight entries, lane; terms q and q + 4 of an entry. The right one has rows as
/// entries, and the left one fields. What is behind them, which is read ahead, becomes zero.
template <int D, class Terms>
struct FillVectorTables {
  Terms terms;
  FormVectorSizes sizes;
  TablePair* tables;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t n) const {
    const std::int64_t right = sizes.rightPairs();
    if (n < right) {
      tables[n] = pairAt(n, sizes.right_rows,
                         [&](int entry, int term) { return valueAt<false>(entry, term); });
    } else {
      tables[n] = pairAt(n - right, sizes.left_fields,
                         [&](int entry, int term) { return valueAt<true>(term, entry); });
    }
  }

 private:
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION static TablePair pairAt(std::int64_t n, int entries, const F& at) {
    const int lane = static_cast<int>(n % 32), tiles = FormVectorSizes::eights(entries);
    const int tile = static_cast<int>(n / 32 % tiles), step = static_cast<int>(n / 32 / tiles);
    const int entry = 8 * tile + lane / 4, term = 8 * step + lane % 4;
    return {at(entry, term), at(entry, term + 4)};
  }

  /// A value of one side at a row; zero past the last row or field.
  template <bool is_left>
  KOKKOS_FORCEINLINE_FUNCTION double valueAt(int row, int field) const {
    double value = 0;
    const int rows = is_left ? sizes.left_rows : sizes.right_rows;
    const int fields = is_left ? sizes.left_fields : sizes.right_fields;
    if (row >= rows || field >= fields) return value;
    const std::int64_t point = sizes.first_point + row % sizes.points;
    int component = row / sizes.points;
    forEachTerm(terms, [&](const auto& term) {
      withComponents<D>(term, [&](auto nl, auto nr) {
        constexpr int count = is_left ? decltype(nl)::value : decltype(nr)::value;
        if (component >= 0 && component < count) {
          if constexpr (is_left) {
            value = double(term.left.referenceAt(field, point, component));
          } else if constexpr (std::decay_t<decltype(term)>::right_type::is_ever_there) {
            value = double(term.right.referenceAt(field, point, component));
          }
        }
        component -= count;
      });
    });
    return value;
  }
};

/// Vectors of forms, and products of their matrices with vectors, as products with tables of the
/// values of both sides. A block has the vectors of some cells in shared memory, and multiplies
/// them by the right table: rows of the values of components at points, of all cells. Each thread
/// then takes the values at some points of a cell, and leaves the fluxes there. Products of those
/// with the left table are the outputs. What points are computed from is copied meanwhile: see
/// FormPointInputs.
/// \tparam Terms  AnyTerms, or KnownTerms
/// \tparam Block  of threads, with its shared memory and the sums of a warp
template <class Problem, int D, class Terms, class Block>
struct FormTableVectors {
  using Inputs = FormPointInputs<Problem, D, Block, Terms>;
  using Point = typename Inputs::Point;
  using Acc = typename Point::Acc;
  using Real = typename Inputs::Real;
  using Sizes = FormVectorSizes;
  using Sums = typename Block::template SumsOf<Sizes::warp_columns, Sizes::most_tiles>;
  static constexpr int threads = Sizes::threads;
  /// Of a multiprocessor: threads have 80 registers, or 128.
  static constexpr int blocks = Sizes::blocksOf(Terms::are_known);
  static constexpr bool is_product = Problem::kind == FormKind::Products;

  Problem problem;
  FormVectorSizes sizes;
  const TablePair* tables;  ///< the right one, then the left one

  KONTRACT_BLOCK_FUNCTION void operator()() const {
    const CellBatch cells{Block::rank() * sizes.inputs.cells};
    clearRest();
    if constexpr (is_product) {
      copyVectors(cells);
      Block::endCopies();
      copyInputs(cells, 0);
      Block::template waitForCopies<1>();
      Block::wait();
      evaluate();
    } else {
      copyInputs(cells, 0);
    }
    for (int first = 0; first < sizes.points; first += sizes.inputs.points) {
      if (first > 0) {
        Block::wait();  // inputs may still be read
        copyInputs(cells, first);
      }
      Block::template waitForCopies<0>();
      Block::wait();
      const PointPart part = partAt(first);
      setFluxes(cells, part, inputs().findOneJacobian(part));
    }
    Block::wait();
    sumUp(cells);
  }

 private:
  KONTRACT_BLOCK_FUNCTION static double* memory() { return Block::memory(); }
  KONTRACT_BLOCK_FUNCTION double* rows() const { return memory() + sizes.rows_at; }
  KONTRACT_BLOCK_FUNCTION double* vectors() const { return memory() + sizes.vectors_at; }
  KONTRACT_BLOCK_FUNCTION Inputs inputs() const {
    return {problem, sizes.inputs, reinterpret_cast<Real*>(memory()), sizes.first_point, true};
  }
  KONTRACT_BLOCK_FUNCTION PointPart partAt(int first) const {
    const int left = sizes.points - first;
    return {first, left < sizes.inputs.points ? left : sizes.inputs.points};
  }
  KONTRACT_BLOCK_FUNCTION void copyInputs(const CellBatch& cells, int first) const {
    if (sizes.points > 0) inputs().copyInputs(cells, partAt(first));
    Block::endCopies();
  }

  /// Clears what steps of eight rows have past the last one; those of the right side are computed.
  KONTRACT_BLOCK_FUNCTION void clearRest() const {
    const int right_end =
        is_product ? sizes.right_at + 8 * Sizes::eights(sizes.right_rows) : sizes.left_rows;
    clear(rows(), right_end > sizes.left_rows ? right_end : sizes.left_rows,
          8 * Sizes::eights(sizes.left_rows));
    if constexpr (is_product) {
      clear(vectors(), sizes.right_fields, 8 * Sizes::eights(sizes.right_fields));
    }
  }
  KONTRACT_BLOCK_FUNCTION void clear(double* of, int first, int end) const {
    for (int n = first * sizes.row_step + Block::thread(); n < end * sizes.row_step; n += threads) {
      of[n] = 0;
    }
  }

  // Vectors of cells: by field, component and cell.

  /// Begins to copy them, or reads what is not as it has to be in shared memory.
  KONTRACT_BLOCK_FUNCTION void copyVectors(const CellBatch& cells) const {
    const auto& vector = problem.vector;
    const int cell = Block::thread() & (sizes.inputs.cells - 1);
    const int workers = threads >> sizes.inputs.cell_bits;
    const int first = Block::thread() >> sizes.inputs.cell_bits;
    const bool cell_fastest = vector.strides.cell == 1 && vector.numbers == nullptr;
    if constexpr (std::is_same_v<Real, double>) {
      if (vector.numbers == nullptr && !problem.right_signs.isThere() &&
          problem.scatter.cells == nullptr) {
        if (cell_fastest) return copyByCells(cells, first, workers, cell);
        if (sizes.right_blocks == 1 && vector.strides.field == 1) {
          return Inputs::copyTogether(vector.elements.data + cells.first * vector.strides.cell,
                                      vector.strides.cell, sizes.right_fields,
                                      cells.count(problem, sizes.inputs.cells), vectors(), 1,
                                      sizes.row_step);
        }
      }
    }
    const int count = sizes.right_fields * sizes.right_blocks;
    constexpr int at_once = Reads::count;
    if (cell_fastest) {
      for (int n = first; n < count; n += at_once * workers) read(cells, {n, workers, cell, 0});
      return;
    }
    const int lane_bits = Inputs::lanesOf(count);
    const int lanes = 1 << lane_bits, step = threads >> lane_bits;
    for (int n = Block::thread() & (lanes - 1); n < count; n += lanes) {
      int of_lane = Block::thread() >> lane_bits;
      for (; of_lane < sizes.inputs.cells; of_lane += at_once * step) {
        read(cells, {n, 0, of_lane, step});
      }
    }
  }
  /// Neighbouring threads have neighbouring cells.
  KONTRACT_BLOCK_FUNCTION void copyByCells(const CellBatch& cells, int first, int workers,
                                           int cell) const {
    if (!cells.isThere(problem, cell)) return;
    const FormStrides& strides = problem.vector.strides;
    for (int component = 0; component < sizes.right_blocks; ++component) {
      const Real* from = problem.vector.elements.data + cells.first + cell +
                         (first * sizes.right_blocks + component) * strides.field;
      const std::int64_t from_step = std::int64_t(workers) * sizes.right_blocks * strides.field;
      double* to = vectors() + first * sizes.row_step + component * sizes.inputs.cells + cell;
      for (int field = first; field < sizes.right_fields; field += workers) {
        Block::copyNumber(to, from);
        from += from_step;
        to += workers * sizes.row_step;
      }
    }
  }

  /// Numbers that a thread asks memory for, before it waits for the first of them.
  struct Reads {
    static constexpr int count = 4;
    int number, number_step, cell, cell_step;
  };
  KONTRACT_BLOCK_FUNCTION void read(const CellBatch& cells, const Reads& of) const {
    const int last = sizes.right_fields * sizes.right_blocks - 1,
              last_cell = sizes.inputs.cells - 1;
    Acc x[Reads::count];
    std::int32_t numbers[Reads::count];
    // What is past the end stands for the last one, so that no load waits for an answer.
    const auto numberOf = [&](int i) {
      const int number = of.number + i * of.number_step;
      return number < last ? number : last;
    };
    const auto cellOf = [&](int i) {
      const int cell = of.cell + i * of.cell_step;
      return cells.at(problem, cell < last_cell ? cell : last_cell);
    };
    const auto& vector = problem.vector;
    if (vector.numbers != nullptr) {
      KONTRACT_UNROLL
      for (int i = 0; i < Reads::count; ++i) {
        numbers[i] = vector.numbers[cellOf(i) * vector.fields + numberOf(i)];
      }
      KONTRACT_UNROLL
      for (int i = 0; i < Reads::count; ++i) x[i] = Acc(vector.ofNumber(numbers[i]));
    } else {
      KONTRACT_UNROLL
      for (int i = 0; i < Reads::count; ++i) {
        x[i] = Acc(
            vector.elements[cellOf(i) * vector.strides.cell + numberOf(i) * vector.strides.field]);
      }
    }
    KONTRACT_UNROLL
    for (int i = 0; i < Reads::count; ++i) {
      const int number = of.number + i * of.number_step, cell = of.cell + i * of.cell_step;
      if (number > last || cell > last_cell) continue;
      const int field = sizes.right_blocks == 1 ? number : number / sizes.right_blocks;
      const int component = number - field * sizes.right_blocks;
      Point::applySign(problem.right_signs, cellOf(i), field, x[i]);
      vectors()[field * sizes.row_step + component * sizes.inputs.cells + cell] = double(x[i]);
    }
  }

  /// Calls f(first column, first tile of eight entries, how many), in turn by all warps, for
  /// entries of a table and columns, which are components of cells.
  template <class F>
  KONTRACT_BLOCK_FUNCTION void forEachTile(int entries, int chunk_tiles, int components,
                                           const F& f) const {
    const int tiles = Sizes::eights(entries), columns = components * sizes.inputs.cells;
    int column = Block::warp() * Sizes::warp_columns;
    for (int first = 0; first < tiles; first += chunk_tiles) {
      const int left = tiles - first;
      for (; column < columns; column += Sizes::warps * Sizes::warp_columns) {
        f(column, first, left < chunk_tiles ? left : chunk_tiles);
        Block::joinWarp();
      }
      column -= columns;
    }
  }

  /// Calls f(entry, i, sum) for the sums of a lane, of column 8 i + its own first one.
  template <class F>
  KONTRACT_BLOCK_FUNCTION static void forEachSum(const Sums& sums, int tile, int tiles,
                                                 const F& f) {
    const int first = 8 * tile + Block::thread() % 4 * 2;
    KONTRACT_UNROLL
    for (int j = 0; j < Sizes::most_tiles; ++j) {
      if (j >= tiles) continue;
      KONTRACT_UNROLL
      for (int k = 0; k < 2; ++k) {
        KONTRACT_UNROLL
        for (int i = 0; i < Sizes::warp_columns / 8; ++i) f(first + 8 * j + k, i, sums.at(i, j, k));
      }
    }
  }
  KONTRACT_BLOCK_FUNCTION static int columnOfLane() { return Block::thread() % 32 / 4; }

  /// Evaluates the vectors at points: rows of the right side, and zeros up to a step of eight.
  KONTRACT_BLOCK_FUNCTION void evaluate() const {
    const int tiles_of_all = Sizes::eights(sizes.right_rows);
    forEachTile(
        sizes.right_rows, sizes.right_tiles, sizes.right_blocks,
        [&](int column, int tile, int tiles) {
          Sums sums;
          sums.clear();
          sums.add(vectors() + column, sizes.row_step, tables + tile * 32, tiles_of_all * 32,
                   Sizes::eights(sizes.right_fields), tiles);
          double* const to = rows() + sizes.right_at * sizes.row_step + column + columnOfLane();
          forEachSum(sums, tile, tiles,
                     [&](int row, int i, double sum) { to[row * sizes.row_step + 8 * i] = sum; });
        });
  }

  /// Puts fluxes in the place of values, for the points of a part.
  KONTRACT_BLOCK_FUNCTION void setFluxes(const CellBatch& cells, const PointPart& part,
                                         bool has_one_jacobian) const {
    const Inputs of = inputs();
    of.forEachPoint(cells, part, has_one_jacobian,
                    [&](int p, int cell, std::int64_t c, const auto& at, const Real* of_cell) {
                      double* left = rows() + (part.first + p) * sizes.row_step + cell;
                      const double* right = left + sizes.right_at * sizes.row_step;
                      const int step = sizes.points * sizes.row_step;
                      of.forEachTermAt(part, p, of_cell, [&](const auto& term) {
                        withComponents<D>(term, [&](auto nl, auto nr) {
                          constexpr int NL = decltype(nl)::value, NR = decltype(nr)::value;
                          this->template setFlux<NL, NR>(term, at, c, right, left, step);
                          left += NL * step;
                          right += NR * step;
                        });
                      });
                    });
  }

  /// The flux of a term at a point of a cell, of all components of fields.
  /// \param right, left  values and fluxes of the first component of both, others so far apart
  template <int NL, int NR, class Term, class Geometry>
  KONTRACT_BLOCK_FUNCTION void setFlux(const Term& term, const Geometry& at, std::int64_t c,
                                       const double* right, double* left, int step) const {
    if constexpr (Terms::are_known) {
      setFluxOf<NL, NR>(term, at, c, 0, right, left, step);
    } else {
      if constexpr (is_product && NL == D && NR == D) {
        if (term.kind == CoefficientKind::Elastic) {
          return setElasticFlux(term, at, c, right, left, step);
        }
      }
      for (int i = 0; i < sizes.left_blocks; ++i) {
        const int column = i * sizes.inputs.cells;
        setFluxOf<NL, NR>(term, at, c, i, right + column, left + column, step);
      }
    }
  }
  /// That of component i.
  template <int NL, int NR, class Term, class Geometry>
  KONTRACT_BLOCK_FUNCTION void setFluxOf(const Term& term, const Geometry& at, std::int64_t c,
                                         int i, const double* right, double* left, int step) const {
    Acc flux[NL] = {};
    addFlux<NL, NR>(term, at, c, i, is_product ? i : 0, right, step, flux);
    KONTRACT_UNROLL
    for (int a = 0; a < NL; ++a) left[a * step] = double(flux[a]);
  }

  /// Adds the flux of right values of one component. Terms whose sides are values or gradients of
  /// HGRAD, as most are, have code of their own: what they do not need costs registers.
  template <int NL, int NR, class Term, class Geometry>
  KONTRACT_BLOCK_FUNCTION void addFlux(const Term& term, const Geometry& at, std::int64_t c, int i,
                                       int j, const double* right, int step,
                                       Acc (&flux)[NL]) const {
    constexpr Pullback left_usual = NL > 1 ? Pullback::Covariant : Pullback::Scalar;
    constexpr Pullback right_usual = NR > 1 ? Pullback::Covariant : Pullback::Scalar;
    Acc u[NR];
    KONTRACT_UNROLL
    for (int b = 0; b < NR; ++b) u[b] = is_product ? Acc(right[b * step]) : Acc(1);
    const bool are_usual = term.left_pullback == left_usual && term.right_pullback == right_usual &&
                           !term.coefficient_is_vector_of_blocks;
    if (are_usual && NL == NR &&
        (term.kind == CoefficientKind::None || term.kind == CoefficientKind::Scalar)) {
      Acc one[9];
      one[0] = term.coefficient.isThere() ? Acc(term.coefficient.at(c, 0, 0)) : Acc(1);
      fluxAt<D>(left_usual, right_usual, CoefficientKind::Scalar, at, one, u, flux);
    } else if (are_usual && NL * NR > 1 && term.kind == CoefficientKind::Full) {
      Acc all[9];
      KONTRACT_UNROLL
      for (int n = 0; n < NL * NR; ++n) {
        all[n] = NL > 1 && NR > 1 ? Acc(term.coefficient.at(c, 0, 0, n / NR, n % NR))
                                  : Acc(term.coefficient.at(c, 0, 0, n));
      }
      fluxAt<D>(left_usual, right_usual, CoefficientKind::Full, at, all, u, flux);
    } else {
      Point::template addFlux<NL, NR>(problem, term, at, c, 0, i, j, u, flux);
    }
  }

  template <class Term, class Geometry>
  KONTRACT_BLOCK_FUNCTION void setElasticFlux(const Term& term, const Geometry& at, std::int64_t c,
                                              const double* right, double* left, int step) const {
    const int cells = sizes.inputs.cells;
    Acc u[D][D], flux[D][D];
    KONTRACT_UNROLL
    for (int j = 0; j < D; ++j) {
      KONTRACT_UNROLL
      for (int b = 0; b < D; ++b) u[j][b] = Acc(right[b * step + j * cells]);
    }
    elasticFluxAt<D>(term.left_pullback, at, Acc(term.coefficient.at(c, 0, 0)),
                     Acc(term.second.at(c, 0, 0)), u, flux);
    KONTRACT_UNROLL
    for (int i = 0; i < D; ++i) {
      KONTRACT_UNROLL
      for (int a = 0; a < D; ++a) left[a * step + i * cells] = double(flux[i][a]);
    }
  }

  /// Multiplies fluxes by the left table, and leaves the sums in the output.
  KONTRACT_BLOCK_FUNCTION void sumUp(const CellBatch& cells) const {
    const TablePair* const table = tables + sizes.rightPairs();
    const int tiles_of_all = Sizes::eights(sizes.left_fields);
    forEachTile(sizes.left_fields, sizes.left_tiles, sizes.left_blocks,
                [&](int column, int tile, int tiles) {
                  Sums sums;
                  sums.clear();
                  sums.add(rows() + column, sizes.row_step, table + tile * 32, tiles_of_all * 32,
                           Sizes::eights(sizes.left_rows), tiles);
                  const int component = column >> sizes.inputs.cell_bits;
                  const int first_cell = column - component * sizes.inputs.cells;
                  if (sizes.outputs == VectorOutputs::Cells) {
                    storeSums(cells, sums, first_cell + columnOfLane(), component, tile, tiles);
                  } else {
                    keepSums(cells, sums, first_cell + columnOfLane(), component, tile, tiles);
                  }
                });
    if (sizes.outputs == VectorOutputs::Cells) return;
    if (sizes.outputs == VectorOutputs::Whole) {
      writeSums(cells);
    } else {
      Block::wait();
      leaveSums(cells);
    }
  }

  KONTRACT_BLOCK_FUNCTION void storeSums(const CellBatch& cells, const Sums& sums, int first_cell,
                                         int component, int tile, int tiles) const {
    const FormStrides& strides = problem.out_strides;
    Real* const to = problem.out.data + component * strides.row;
    forEachSum(sums, tile, tiles, [&](int field, int i, double sum) {
      const int cell = first_cell + 8 * i;
      if (field >= sizes.left_fields || !cells.isThere(problem, cell)) return;
      const std::int64_t c = cells.first + cell;
      Acc signed_sum(sum);
      Point::applySign(problem.left_signs, c, field, signed_sum);
      Real& place = to[c * strides.cell + field * sizes.left_blocks * strides.row];
      place = problem.shape.sum_into ? place + signed_sum : signed_sum;
    });
  }

  // Sums of cells in shared memory: by cell, field and component, in the place of vectors.

  /// Where those of the first cell are: a run begins within a multiple of 16 bytes.
  KONTRACT_BLOCK_FUNCTION Real* sumsOf(const CellBatch& cells) const {
    Real* const sums = reinterpret_cast<Real*>(vectors());
    if (sizes.outputs != VectorOutputs::Whole) return sums;
    return sums + Block::shiftOf(problem.out.data + cells.first * sizes.sum_step);
  }
  KONTRACT_BLOCK_FUNCTION void keepSums(const CellBatch& cells, const Sums& sums, int first_cell,
                                        int component, int tile, int tiles) const {
    Real* const to = sumsOf(cells) + component + first_cell * sizes.sum_step;
    forEachSum(sums, tile, tiles, [&](int field, int i, double sum) {
      if (field < sizes.left_fields) {
        to[8 * i * sizes.sum_step + field * sizes.left_blocks] = Real(sum);
      }
    });
  }
  KONTRACT_BLOCK_FUNCTION void writeSums(const CellBatch& cells) const {
    Block::endRun();
    Block::wait();
    const int of_cell = sizes.sum_step;
    Block::writeRun(problem.out.data, cells.first * of_cell,
                    cells.count(problem, sizes.inputs.cells) * of_cell, sumsOf(cells),
                    problem.shape.sum_into);
    Block::waitForRuns();
  }
  /// Neighbouring threads have neighbouring outputs of a cell.
  KONTRACT_BLOCK_FUNCTION void leaveSums(const CellBatch& cells) const {
    const Real* const sums = sumsOf(cells);
    const int of_cell = sizes.left_fields * sizes.left_blocks;
    const int lane_bits = Inputs::lanesOf(of_cell);
    const int lanes = 1 << lane_bits, step = threads >> lane_bits;
    for (int cell = Block::thread() >> lane_bits; cell < sizes.inputs.cells; cell += step) {
      if (!cells.isThere(problem, cell)) break;
      const std::int64_t c = cells.at(problem, cell);
      for (int row = Block::thread() & (lanes - 1); row < of_cell; row += lanes) {
        Acc sum(sums[cell * sizes.sum_step + row]);
        Point::applySign(problem.left_signs, c, row / sizes.left_blocks, sum);
        leaveSum(problem, c, row, 0, 1, sum);
      }
    }
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
