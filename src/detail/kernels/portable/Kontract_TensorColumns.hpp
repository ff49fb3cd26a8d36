// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TENSORCOLUMNS_HPP
#define KONTRACT_TENSORCOLUMNS_HPP

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "Kontract_BlockCells.hpp"
#include "Kontract_ColumnFlux.hpp"
#include "Kontract_ColumnSides.hpp"
#include "Kontract_Unroll.hpp"

namespace Kontract {
namespace Impl {

/// Vectors and matrix-free products of a term of tensor-product bases in space, by sum
/// factorization with matrix instructions. Numbers that lie along a direction are rows of a matrix,
/// of all cells of a block, which is multiplied by the table of functions at points. A warp
/// multiplies sixteen rows at a time. In the last direction values at points stay in the registers
/// in which instructions leave them, become fluxes there, and are operands of the way back: columns
/// of the table are ordered so that a lane has the sums that it has to give.
///
/// Lane 4 * g + q gives numbers 4 * k + q of rows g and g + 8, and gets numbers q and q + 4 of
/// every eight of their sums.
///
/// Components of fields are computed one after another, unless the term couples them. Sums are of
/// doubles.
/// \tparam Extents  KnownColumns or AnyColumns
/// \tparam Left, Right  LikeColumns, VectorColumns or FamilyColumnSide; loads have no right side
/// \tparam Flux     what stands between values at points: ColumnFlux, FamilyFlux or ElasticFlux
/// \tparam Block    of threads, with its shared memory and matrix instructions
///
/// Source: S. Orszag, "Spectral methods for problems in complex geometries" (1980); C. Cui,
/// "Acceleration of tensor-product operations with tensor cores", arXiv 2407.09621 (2024), for sums
/// along directions as products of matrices.
template <class Problem, class Extents, class Left, class Right, class Flux, class Block>
struct TensorColumns {
  static constexpr int D = 3;
  using Point = typename Flux::Point;
  using Acc = typename Flux::Acc;
  static constexpr bool is_load = Flux::is_load;
  static constexpr int lefts = Flux::lefts, rights = Flux::rights;  ///< components at points
  static constexpr int most_paths =
      Left::most_paths > Right::most_paths ? Left::most_paths : Right::most_paths;
  static constexpr bool has_families =
      Left::has_families || Right::has_families || (!is_load && lefts != rights);
  static constexpr bool have_like_rows = is_load || (Left::has_like_rows && Right::has_like_rows);
  static constexpr int function_steps = Extents::function_steps;  ///< of four, in a direction
  static constexpr int point_steps = Extents::point_steps;
  static constexpr int function_tiles = (function_steps + 1) / 2;  ///< of eight
  static constexpr int point_tiles = (point_steps + 1) / 2;
  /// Numbers of the tables of a direction, which are in the order in which lanes take them.
  static constexpr int to_points_size = Right::tables * function_steps * point_tiles * 32;
  static constexpr int to_functions_size = Left::tables * point_steps * function_tiles * 32;
  static constexpr int tables_size = D * (to_functions_size + (is_load ? 0 : to_points_size));

  Problem problem;
  TensorColumnSizes sizes;
  Extents extents;
  Left left;
  Right right;
  FastDivisor by_cells;
  /// Of a batch, before they are read.
  CellBytes prefetched_vector = {}, prefetched_coefficient = {}, prefetched_mapping = {};

  std::int64_t sharedBytes() const {
    const std::int64_t of_cell = extents.one().cell + extents.two().cell;
    return 8 * (tables_size + sizes.rowNumbers() + sizes.starts() + of_cell * sizes.cells) +
           std::int64_t(sizeof(Acc)) * sizes.nodeNumbers();
  }

  KONTRACT_BLOCK_FUNCTION void operator()() const {
    const auto& term = problem.terms.terms[0];
    double* const memory = Block::memory();
    Batch batch;
    batch.to_functions = memory;
    fillToFunctions(term.left, memory);
    batch.to_points = memory + D * to_functions_size;
    if constexpr (!is_load) fillToPoints(term.right, memory + D * to_functions_size);
    fillRows(batch, reinterpret_cast<ColumnRow*>(memory + tables_size));
    double* const starts = memory + tables_size + sizes.rowNumbers();
    batch.one = starts + sizes.starts();
    batch.two = batch.one + extents.one().cell * sizes.cells;
    using Start = typename BlockCells<Problem, Block>::Start;
    static_assert(sizeof(Start) == 3 * sizeof(double), "TensorColumnSizes knows its size");
    batch.cells.starts = reinterpret_cast<Start*>(starts);
    batch.cells.count = sizes.cells;
    batch.cells.node_count = sizes.nodes;
    batch.cells.nodes = reinterpret_cast<Acc*>(batch.two + extents.two().cell * sizes.cells);
    const std::int64_t first = Block::rank() * sizes.cells, step = Block::count() * sizes.cells;
    batch.cells.findNext(problem, first);
    Block::wait();
    batch.cells.findTrilinear(problem, sizes.threads, sizes.points);
    const int lane = Block::thread() % 32;
    batch.to_functions += lane;
    batch.to_points += lane;
    for (std::int64_t c = first; c < problem.shape.cells; c += step) {
      batch.cells.goTo(problem, c);
      compute(term, batch, c + step);
    }
  }

 private:
  /// Rows of a side, of one family after another.
  struct SideRows {
    const ColumnRow *first, *second;  ///< along those directions
  };
  /// Cells that a block computes at a time, and what it has of them.
  struct Batch {
    BlockCells<Problem, Block> cells;
    const double *to_points, *to_functions;  ///< tables, from what this lane takes on
    SideRows right, left;
    const ColumnRow* columns;  ///< rows along the last direction
    double *one, *two;
  };

  /// Sums that a lane has of a tile of rows: numbers q and q + 4 of its first row, and of its
  /// second one.
  struct Sums {
    double of[4] = {0, 0, 0, 0};
    KONTRACT_BLOCK_FUNCTION double& at(int row, int half) { return of[2 * row + half]; }
  };

  /// The two rows of a tile that a lane gives numbers of. Those past the last one of a family are
  /// like its first one, and nothing is stored of them.
  struct Rows {
    ColumnRow row[2];
    bool is_there[2];
    KONTRACT_BLOCK_FUNCTION const ColumnRow& operator[](int h) const { return row[h]; }
  };

  /// What a lane has of an order of four or eight: which of them it gives, or gets.
  KONTRACT_BLOCK_FUNCTION static int quarter() { return Block::thread() % 4; }

  // Tables

  /// The function, or the point, of a column of a table.
  KONTRACT_BLOCK_FUNCTION static int columnOf(int tile, int lane) {
    const int g = lane / 4;
    return 8 * tile + g / 2 + g % 2 * 4;
  }
  template <class Basis>
  KONTRACT_BLOCK_FUNCTION double tableAt(const Basis& basis, int direction, ColumnFunction table,
                                         int function, int point) const {
    return point < extents.points(direction) ? functionAt(basis, direction, table, function, point)
                                             : 0.;
  }
  template <class Basis>
  KONTRACT_BLOCK_FUNCTION void fillToPoints(const Basis& basis, double* to) const {
    for (int n = Block::thread(); n < D * to_points_size; n += sizes.threads) {
      const int lane = n % 32, tile = n / 32 % point_tiles, step = n / 32 / point_tiles;
      const int d = n / to_points_size;
      const auto table = static_cast<ColumnFunction>(step / function_steps % Right::tables);
      to[n] =
          tableAt(basis, d, table, 4 * (step % function_steps) + lane % 4, columnOf(tile, lane));
    }
  }
  template <class Basis>
  KONTRACT_BLOCK_FUNCTION void fillToFunctions(const Basis& basis, double* to) const {
    for (int n = Block::thread(); n < D * to_functions_size; n += sizes.threads) {
      const int lane = n % 32, tile = n / 32 % function_tiles, step = n / 32 / function_tiles;
      const int d = n / to_functions_size;
      const auto table = static_cast<ColumnFunction>(step / point_steps % Left::tables);
      to[n] = tableAt(basis, d, table, columnOf(tile, lane), 4 * (step % point_steps) + lane % 4);
    }
  }

  /// Multiplies numbers of a tile's rows by functions of a table, to points.
  KONTRACT_BLOCK_FUNCTION static void toPoints(const Batch& batch, int direction,
                                               ColumnFunction table, int step, int tile,
                                               const double (&rows)[2], Sums& sums) {
    const int place = (static_cast<int>(table) * function_steps + step) * point_tiles + tile;
    Block::multiply(sums.of, rows[0], rows[1],
                    batch.to_points[direction * to_points_size + place * 32]);
  }
  /// The same to functions.
  KONTRACT_BLOCK_FUNCTION static void toFunctions(const Batch& batch, int direction,
                                                  ColumnFunction table, int step, int tile,
                                                  const double (&rows)[2], Sums& sums) {
    const int place = (static_cast<int>(table) * point_steps + step) * function_tiles + tile;
    Block::multiply(sums.of, rows[0], rows[1],
                    batch.to_functions[direction * to_functions_size + place * 32]);
  }

  // Rows

  /// How many there are of a family along the first direction, along the second one, and along the
  /// last one.
  template <class Side>
  KONTRACT_BLOCK_FUNCTION int firstCount(const Side& side, int m) const {
    return side.functions(m, 1) * side.functions(m, 2) * sizes.cells;
  }
  template <class Side>
  KONTRACT_BLOCK_FUNCTION int secondCount(const Side& side, int m) const {
    return extents.points(0) * side.functions(m, 2) * sizes.cells;
  }
  KONTRACT_BLOCK_FUNCTION int lastCount() const {
    return extents.points(0) * extents.points(1) * sizes.cells;
  }

  /// Families that have rows of their own.
  template <class Side>
  KONTRACT_BLOCK_FUNCTION static int rowFamilies(const Side& side) {
    return Side::has_like_rows ? 1 : side.families();
  }

  KONTRACT_BLOCK_FUNCTION void fillRows(Batch& batch, ColumnRow* to) const {
    batch.columns = to;
    fillColumns(to);
    to += sizes.lastRows();
    fillSideRows(left, batch.left, to);
    batch.right = batch.left;
    if constexpr (!have_like_rows) {
      fillSideRows(right, batch.right, to + sizes.firstRows() + sizes.secondRows());
    }
  }
  template <class Side>
  KONTRACT_BLOCK_FUNCTION void fillSideRows(const Side& side, SideRows& rows, ColumnRow* to) const {
    rows.first = to;
    rows.second = to + sizes.firstRows();
    fillFirstRows(side, to);
    fillSecondRows(side, to + sizes.firstRows());
  }
  template <class Side>
  KONTRACT_BLOCK_FUNCTION void fillFirstRows(const Side& side, ColumnRow* to) const {
    const ColumnArray one = extents.one();
    KONTRACT_DO_NOT_UNROLL
    for (int m = 0; m < rowFamilies(side); ++m) {
      fillTiles(
          firstCount(side, m),
          [&](int cell, int row) {
            const int second = row % side.functions(m, 1), third = row / side.functions(m, 1);
            return ColumnRow::ofCell(cell, side.firstField(m) + row * side.functions(m, 0),
                                     cell * one.cell + second * one.second + third * one.third);
          },
          to);
      to += ColumnRow::tiled(firstCount(side, m));
    }
  }
  template <class Side>
  KONTRACT_BLOCK_FUNCTION void fillSecondRows(const Side& side, ColumnRow* to) const {
    const ColumnArray one = extents.one(), two = extents.two();
    KONTRACT_DO_NOT_UNROLL
    for (int m = 0; m < rowFamilies(side); ++m) {
      fillTiles(
          secondCount(side, m),
          [&](int cell, int row) {
            const int first = row % extents.points(0), third = row / extents.points(0);
            return ColumnRow::between(cell * one.cell + first + third * one.third,
                                      cell * two.cell + first + third * two.third);
          },
          to);
      to += ColumnRow::tiled(secondCount(side, m));
    }
  }
  KONTRACT_BLOCK_FUNCTION void fillColumns(ColumnRow* to) const {
    const ColumnArray two = extents.two();
    fillTiles(
        lastCount(),
        [&](int cell, int point) {
          const int first = point % extents.points(0), second = point / extents.points(0);
          return ColumnRow::ofCell(cell, point, cell * two.cell + first + second * two.second);
        },
        to);
  }
  /// Fills tiles of rows. \param rowOf  rowOf(cell, row)
  template <class RowOf>
  KONTRACT_BLOCK_FUNCTION void fillTiles(int count, const RowOf& rowOf, ColumnRow* to) const {
    const int of_cell = count / sizes.cells;
    for (int n = Block::thread(); n < ColumnRow::tiled(count); n += sizes.threads) {
      const int there = n < count ? n : 0;
      to[n] = sizes.cells_first ? rowOf(there % sizes.cells, there / sizes.cells)
                                : rowOf(there / of_cell, there % of_cell);
    }
  }

  /// Calls f(family, rows) for each tile of a warp.
  /// \tparam are_like   all families have the same rows
  /// \tparam are_known  they differ, in what is known when compiling
  /// \param  countOf   how many rows there are of a family
  template <bool are_like, bool are_known, class CountOf, class F>
  KONTRACT_BLOCK_FUNCTION void forEachTile(int families, const ColumnRow* rows,
                                           const CountOf& countOf, const F& f) const {
    const int step = sizes.threads / 32 * ColumnRow::tile, of_lane = Block::thread() % 32 / 4;
    int tile = Block::warp() * ColumnRow::tile;
    const auto ofFamily = [&](int m) {
      const int count = countOf(m), tiled = ColumnRow::tiled(count);
      KONTRACT_DO_NOT_UNROLL
      for (; tile < tiled; tile += step) {
        const int first = tile + of_lane;
        const Rows of_tile{{rows[first], rows[first + 8]}, {first < count, first + 8 < count}};
        f(m, of_tile);
      }
      tile -= tiled;
      if (!are_like) rows += tiled;
    };
    // What is known of each family is a constant of its code.
    if constexpr (are_known) {
      KONTRACT_UNROLL
      for (int m = 0; m < families; ++m) ofFamily(m);
    } else {
      KONTRACT_DO_NOT_UNROLL
      for (int m = 0; m < families; ++m) ofFamily(m);
    }
  }
  template <class Side, class F>
  KONTRACT_BLOCK_FUNCTION void forEachFirstTile(const Side& side, const SideRows& rows,
                                                const F& f) const {
    forEachTile<Side::has_like_rows, Side::has_known_families>(
        side.families(), rows.first, [&](int m) { return firstCount(side, m); }, f);
  }
  template <class Side, class F>
  KONTRACT_BLOCK_FUNCTION void forEachSecondTile(const Side& side, const SideRows& rows,
                                                 const F& f) const {
    forEachTile<Side::has_like_rows, Side::has_known_families>(
        side.families(), rows.second, [&](int m) { return secondCount(side, m); }, f);
  }

  /// Calls f(half, number) for the numbers of eight sums that a lane has, if there are so many.
  /// \tparam steps  of four, that there are at most
  template <int steps, class F>
  KONTRACT_BLOCK_FUNCTION static void forEachSum(int tile, int count, const F& f) {
    KONTRACT_UNROLL
    for (int half = 0; half < 2; ++half) {
      if (2 * tile + half >= steps) continue;
      const int number = 8 * tile + 4 * half + quarter();
      if (number < count) f(half, number);
    }
  }

  /// Stores sums of a tile of rows, with numbers that lie `step` apart.
  template <int steps>
  KONTRACT_BLOCK_FUNCTION static void keep(const Rows& rows, int tile, int count, int step,
                                           Sums& sums, double* const (&to)[2]) {
    forEachSum<steps>(tile, count, [&](int half, int number) {
      KONTRACT_UNROLL
      for (int h = 0; h < 2; ++h) {
        if (rows.is_there[h]) to[h][number * step] = sums.at(h, half);
      }
    });
  }

  // Directions

  /// \param next  where the next batch begins
  template <class Term>
  KONTRACT_BLOCK_FUNCTION void compute(const Term& term, const Batch& batch,
                                       std::int64_t next) const {
    prefetch(prefetched_coefficient, batch.cells.first);
    if constexpr (Flux::Geometry::has_jacobians) prefetch(prefetched_mapping, batch.cells.first);
    batch.cells.load(problem, sizes.threads,
                     [&](std::uint32_t& n) { return static_cast<int>(by_cells.takeFrom(n)); });
    const int blocks = Left::is_coupled ? 1 : problem.shape.left_blocks;
    for (int i = 0; i < blocks; ++i) {
      if constexpr (is_load) {
        if (i == 0) Block::wait();  // for nodes
      } else {
        evaluateFirst(term, batch, i);
        Block::wait();
        evaluateSecond(batch);
        Block::wait();
      }
      if (Flux::is_factored && term.kind == CoefficientKind::Symmetric) {
        throughPoints<Flux::is_factored, false>(term, batch, i);
      } else if (!throughTrilinear(term, batch, i)) {
        throughPoints<false, false>(term, batch, i);
      }
      Block::wait();
      if (i == 0) {
        batch.cells.findNext(problem, next);
        if constexpr (!is_load) {
          if (next < problem.shape.cells) prefetch(prefetched_vector, next);
        }
      }
      integrateSecond(batch);
      Block::wait();
      integrateFirst(term, batch, i);
      Block::wait();
    }
  }

  /// Prefetches what cells of a batch have of an array into the second cache, by all threads.
  KONTRACT_BLOCK_FUNCTION void prefetch(const CellBytes& array, std::int64_t first) const {
    if (array.bytes == 0) return;
    const char* const from = array.data + first * array.bytes;
    if (array.pieces > 0) {
      prefetchPieces(array.pieces, array.step, from);
    } else {
      const std::int64_t rest = problem.shape.cells - first;
      prefetchBytes(array.bytes * (rest < sizes.cells ? static_cast<int>(rest) : sizes.cells),
                    from);
    }
  }
  /// \param bytes  of all cells
  KONTRACT_BLOCK_FUNCTION void prefetchBytes(int bytes, const char* from) const {
    constexpr int line = 128;
    KONTRACT_DO_NOT_UNROLL
    for (int n = line * Block::thread(); n < bytes + line - 1; n += line * sizes.threads) {
      Block::prefetch(from + (n < bytes ? n : bytes - 1));
    }
  }
  /// A block has no more cells than a line of the cache has numbers.
  KONTRACT_BLOCK_FUNCTION void prefetchPieces(int pieces, std::int64_t step,
                                              const char* from) const {
    KONTRACT_DO_NOT_UNROLL
    for (int n = Block::thread(); n < pieces; n += sizes.threads) Block::prefetch(from + n * step);
  }

  /// Which component of fields a family is of.
  KONTRACT_BLOCK_FUNCTION static int blockOf(int family, int block) {
    return Left::is_coupled ? family : block;
  }

  /// Along the first direction, from the vector: values, and derivatives in that direction.
  template <class Term>
  KONTRACT_BLOCK_FUNCTION void evaluateFirst(const Term& term, const Batch& batch,
                                             int block) const {
    forEachFirstTile(right, batch.right, [&](int m, const Rows& rows) {
      double numbers[function_steps][2];
      loadRows(term, batch, m, rows, block, numbers);
      double* const to[2] = {batch.one + rows[0].place(), batch.one + rows[1].place()};
      KONTRACT_UNROLL
      for (int t = 0; t < point_tiles; ++t) {
        Sums sums[Right::arrays];
        KONTRACT_UNROLL
        for (int k = 0; k < function_steps; ++k) {
          KONTRACT_UNROLL
          for (int a = 0; a < Right::arrays; ++a) {
            if (a >= right.arrayCount(m)) continue;
            toPoints(batch, 0, right.firstTable(m, a), k, t, numbers[k], sums[a]);
          }
        }
        KONTRACT_UNROLL
        for (int a = 0; a < Right::arrays; ++a) {
          if (a >= right.arrayCount(m)) continue;
          const int array = (right.firstArray(m) + a) * extents.one().array;
          keep<point_steps>(rows, t, extents.points(0), 1, sums[a], {to[0] + array, to[1] + array});
        }
      }
    });
  }
  /// What a lane gives of two rows of the vector. Loads do not wait for each other.
  template <class Term>
  KONTRACT_BLOCK_FUNCTION void loadRows(const Term& term, const Batch& batch, int m,
                                        const Rows& rows, int block,
                                        double (&numbers)[function_steps][2]) const {
    const auto& vector = problem.vector;
    const bool has_numbers = vector.numbers != nullptr;
    const int N = right.functions(m, 0), blocks = problem.shape.right_blocks;
    const std::int64_t step = has_numbers ? 1 : vector.strides.field;
    std::int64_t starts[2];
    KONTRACT_UNROLL
    for (int h = 0; h < 2; ++h) {
      const int first = (rows[h].number() + quarter()) * blocks + blockOf(m, block);
      starts[h] = batch.cells.start(rows[h].cell()).vector + first * step;
    }
    const auto forEachNumber = [&](const auto& f) {
      KONTRACT_UNROLL
      for (int k = 0; k < function_steps; ++k) {
        KONTRACT_UNROLL
        for (int h = 0; h < 2; ++h) {
          if (4 * k + quarter() < N) f(k, h, starts[h] + 4 * k * blocks * step);
        }
      }
    };
    Acc values[function_steps][2] = {};
    if (has_numbers) {
      std::int32_t of[function_steps][2];
      forEachNumber([&](int k, int h, std::int64_t place) { of[k][h] = vector.numbers[place]; });
      forEachNumber(
          [&](int k, int h, std::int64_t) { values[k][h] = Acc(vector.ofNumber(of[k][h])); });
    } else {
      forEachNumber(
          [&](int k, int h, std::int64_t place) { values[k][h] = Acc(vector.elements[place]); });
    }
    const auto applySigns = [&](const auto& signs) {
      if (!signs.isThere()) return;
      forEachNumber([&](int k, int h, std::int64_t) {
        Point::applySign(signs, batch.cells.at(rows[h].cell()),
                         rows[h].number() + 4 * k + quarter(), values[k][h]);
      });
    };
    applySigns(term.right_signs);
    applySigns(problem.right_signs);
    KONTRACT_UNROLL
    for (int h = 0; h < 2; ++h) {
      KONTRACT_UNROLL
      for (int k = 0; k < function_steps; ++k) {
        numbers[k][h] = right.isNegative(m) ? -double(values[k][h]) : double(values[k][h]);
      }
    }
  }

  /// Along the second direction, path by path.
  KONTRACT_BLOCK_FUNCTION void evaluateSecond(const Batch& batch) const {
    const int step = extents.one().second;
    forEachSecondTile(right, batch.right, [&](int m, const Rows& rows) {
      const int N = right.functions(m, 1), first_path = right.firstPath(m);
      double numbers[Right::arrays][function_steps][2] = {};
      double* to[2];
      KONTRACT_UNROLL
      for (int h = 0; h < 2; ++h) {
        const double* const of_row = batch.one + rows[h].one();
        to[h] = batch.two + rows[h].two() + first_path * extents.two().array;
        KONTRACT_UNROLL
        for (int k = 0; k < function_steps; ++k) {
          const int f = 4 * k + quarter();
          KONTRACT_UNROLL
          for (int a = 0; a < Right::arrays; ++a) {
            if (a >= right.arrayCount(m)) continue;
            const int array = (right.firstArray(m) + a) * extents.one().array;
            numbers[a][k][h] = f < N ? of_row[array + f * step] : 0.;
          }
        }
      }
      KONTRACT_UNROLL
      for (int t = 0; t < point_tiles; ++t) {
        Sums sums[Right::paths_of_family];
        KONTRACT_UNROLL
        for (int k = 0; k < function_steps; ++k) {
          KONTRACT_UNROLL
          for (int l = 0; l < Right::paths_of_family; ++l) {
            if (l >= right.pathCount(m)) continue;
            toPoints(batch, 1, right.table(m, l, 1), k, t, numbers[Right::arrayOf(l)][k], sums[l]);
          }
        }
        KONTRACT_UNROLL
        for (int l = 0; l < Right::paths_of_family; ++l) {
          if (l >= right.pathCount(m)) continue;
          keep<point_steps>(rows, t, extents.points(1), extents.two().second, sums[l],
                            {to[0] + l * extents.two().array, to[1] + l * extents.two().array});
        }
      }
    });
  }

  /// Two columns of points, in the last direction, that a lane computes some points of.
  template <bool is_trilinear>
  struct Column {
    double* at[2];      ///< where they begin, of the first array
    std::int64_t c[2];  ///< their cells
    int p[2];           ///< their first points
    std::conditional_t<is_trilinear, TrilinearColumn<Acc>, typename Flux::Nodes> nodes[2];
  };

  /// Along the last direction to the points, and back with the fluxes.
  /// \tparam is_half       factors are symmetric ones
  /// \tparam is_trilinear  Jacobians are those of trilinear cells
  template <bool is_half, bool is_trilinear, class Term>
  KONTRACT_BLOCK_FUNCTION void throughPoints(const Term& term, const Batch& batch,
                                             int block) const {
    forEachTile<true, false>(
        1, batch.columns, [&](int) { return lastCount(); },
        [&](int, const Rows& rows) {
          Column<is_trilinear> column;
          KONTRACT_UNROLL
          for (int h = 0; h < 2; ++h) {
            column.at[h] = batch.two + rows[h].place();
            column.c[h] = batch.cells.at(rows[h].cell());
            column.p[h] = rows[h].number();
            if constexpr (is_trilinear) {
              auto second = static_cast<std::uint32_t>(column.p[h]);
              const int first = extents.takePoint(second);
              column.nodes[h] = batch.cells.column(rows[h].cell(), first, static_cast<int>(second));
            } else {
              column.nodes[h] = {batch.cells.nodes + rows[h].cell(), sizes.cells, sizes.nodes};
            }
          }
          Sums back[Left::most_paths][function_tiles];
          KONTRACT_UNROLL
          for (int t = 0; t < point_tiles; ++t)
            throughTile<is_half>(term, batch, block, column, rows, t, back);
          KONTRACT_UNROLL
          for (int t = 0; t < function_tiles; ++t) {
            KONTRACT_UNROLL
            for (int a = 0; a < Left::most_paths; ++a) {
              if (!left.isThere(a)) continue;
              keep<function_steps>(
                  rows, t, left.functions(left.familyOf(a), D - 1), extents.two().third, back[a][t],
                  {column.at[0] + a * extents.two().array, column.at[1] + a * extents.two().array});
            }
          }
        });
  }

  /// The same where cells are trilinear. \return whether they are
  template <class Term>
  KONTRACT_BLOCK_FUNCTION bool throughTrilinear(const Term& term, const Batch& batch,
                                                int block) const {
    if constexpr (BlockCells<Problem, Block>::have_nodes) {
      if (batch.cells.are_trilinear) throughPoints<false, true>(term, batch, block);
    }
    return batch.cells.are_trilinear;
  }

  /// Eight points of two columns.
  template <bool is_half, class Term, class Column>
  KONTRACT_BLOCK_FUNCTION void throughTile(const Term& term, const Batch& batch, int block,
                                           const Column& column, const Rows& rows, int t,
                                           Sums (&back)[Left::most_paths][function_tiles]) const {
    const int columns = extents.points(0) * extents.points(1), count = extents.points(2);
    typename Flux::Ahead ahead[2][2];  // by half and row
    const auto read = [&](int half, int q) {
      KONTRACT_UNROLL
      for (int h = 0; h < 2; ++h) {
        Flux::template read<is_half>(problem, term, column.c[h], column.p[h] + columns * q, block,
                                     ahead[half][h]);
      }
    };
    // Factors come while values are computed. There are no registers for more than they are.
    if constexpr (Flux::is_factored) forEachPoint(t, count, read);
    Sums values[rights];
    if constexpr (!is_load) valuesAt(batch, column, rows, t, values);
    Sums fluxes[lefts];
    forEachPoint(t, count, [&](int half, int q) {
      if constexpr (!Flux::is_factored) read(half, q);
      const bool is_there = 8 * t + 4 * half + quarter() < count;
      KONTRACT_UNROLL
      for (int h = 0; h < 2; ++h) {
        if (!Flux::all_lanes_compute && !rows.is_there[h]) continue;
        Acc u[rights], flux[lefts] = {};
        KONTRACT_UNROLL
        for (int a = 0; a < rights; ++a) u[a] = is_load ? Acc(1) : Acc(values[a].at(h, half));
        Flux::add(problem, term, column.nodes[h].ofPoint(q), column.c[h], column.p[h] + columns * q,
                  ahead[half][h], u, flux);
        KONTRACT_UNROLL
        for (int a = 0; a < lefts; ++a) fluxes[a].at(h, half) = is_there ? double(flux[a]) : 0.;
      }
    });
    Block::joinWarp();  // after what some lanes may not have run
    KONTRACT_UNROLL
    for (int half = 0; half < 2; ++half) {
      if (2 * t + half >= point_steps) continue;
      KONTRACT_UNROLL
      for (int n = 0; n < function_tiles; ++n) {
        KONTRACT_UNROLL
        for (int a = 0; a < Left::most_paths; ++a) {
          if (!left.isThere(a)) continue;
          const int m = left.familyOf(a), l = a - left.firstPath(m);
          const ColumnPath path = left.path(m, l);
          withComponent(path, fluxes, [&](Sums& of) {
            const double numbers[2] = {withSign(path, of.at(0, half)),
                                       withSign(path, of.at(1, half))};
            toFunctions(batch, D - 1, left.table(m, l, D - 1), 2 * t + half, n, numbers,
                        back[a][n]);
          });
        }
      }
    }
  }

  /// Calls f(half, point) for the points of a tile that a lane computes.
  template <class F>
  KONTRACT_BLOCK_FUNCTION static void forEachPoint(int t, int count, const F& f) {
    if constexpr (Flux::all_lanes_compute) {
      if (count == 0) return;
      KONTRACT_UNROLL
      for (int half = 0; half < 2; ++half) {
        if (2 * t + half >= point_steps) continue;
        const int q = 8 * t + 4 * half + quarter();
        f(half, q < count ? q : count - 1);
      }
    } else {
      forEachSum<point_steps>(t, count, f);
    }
  }

  /// Calls f with the sums of the component that a path leads to.
  template <int count, class F>
  KONTRACT_BLOCK_FUNCTION static void withComponent(const ColumnPath& path, Sums (&sums)[count],
                                                    const F& f) {
    KONTRACT_UNROLL
    for (int b = 0; b < count; ++b) {
      if (b == path.component) f(sums[b]);
    }
  }
  KONTRACT_BLOCK_FUNCTION static double withSign(const ColumnPath& path, double x) {
    return path.sign < 0 ? -x : x;
  }

  /// Components of values at eight points of two columns.
  template <class Column>
  KONTRACT_BLOCK_FUNCTION void valuesAt(const Batch& batch, const Column& column, const Rows& rows,
                                        int t, Sums (&values)[rights]) const {
    KONTRACT_UNROLL
    for (int k = 0; k < function_steps; ++k) {
      const int f = 4 * k + quarter();
      KONTRACT_UNROLL
      for (int a = 0; a < Right::most_paths; ++a) {
        if (!right.isThere(a)) continue;
        const int m = right.familyOf(a), l = a - right.firstPath(m);
        const ColumnPath path = right.path(m, l);
        const int functions = right.functions(m, D - 1);
        double numbers[2];
        KONTRACT_UNROLL
        for (int h = 0; h < 2; ++h) {
          // A column past the last may be one that another warp stores.
          numbers[h] = 0;
          if (rows.is_there[h] && f < functions) {
            numbers[h] =
                withSign(path, column.at[h][a * extents.two().array + f * extents.two().third]);
          }
        }
        withComponent(path, values, [&](Sums& sums) {
          toPoints(batch, D - 1, right.table(m, l, D - 1), k, t, numbers, sums);
        });
      }
    }
  }

  /// Back along the second direction: an array sums the paths that it is for.
  KONTRACT_BLOCK_FUNCTION void integrateSecond(const Batch& batch) const {
    forEachSecondTile(left, batch.left, [&](int m, const Rows& rows) {
      const int first_path = left.firstPath(m);
      Sums sums[Left::arrays][function_tiles];
      KONTRACT_UNROLL
      for (int k = 0; k < point_steps; ++k) {
        const int q = 4 * k + quarter();
        double numbers[Left::paths_of_family][2];
        KONTRACT_UNROLL
        for (int h = 0; h < 2; ++h) {
          const double* const from = batch.two + rows[h].two() + q * extents.two().second;
          KONTRACT_UNROLL
          for (int l = 0; l < Left::paths_of_family; ++l) {
            const bool is_there = l < left.pathCount(m) && q < extents.points(1);
            numbers[l][h] = is_there ? from[(first_path + l) * extents.two().array] : 0.;
          }
        }
        KONTRACT_UNROLL
        for (int n = 0; n < function_tiles; ++n) {
          KONTRACT_UNROLL
          for (int l = 0; l < Left::paths_of_family; ++l) {
            if (l >= left.pathCount(m)) continue;
            toFunctions(batch, 1, left.table(m, l, 1), k, n, numbers[l], sums[Left::arrayOf(l)][n]);
          }
        }
      }
      KONTRACT_UNROLL
      for (int n = 0; n < function_tiles; ++n) {
        KONTRACT_UNROLL
        for (int a = 0; a < Left::arrays; ++a) {
          if (a >= left.arrayCount(m)) continue;
          double* const to = batch.one + (left.firstArray(m) + a) * extents.one().array;
          keep<function_steps>(rows, n, left.functions(m, 1), extents.one().second, sums[a][n],
                               {to + rows[0].one(), to + rows[1].one()});
        }
      }
    });
  }

  /// Back along the first direction, to the output.
  template <class Term>
  KONTRACT_BLOCK_FUNCTION void integrateFirst(const Term& term, const Batch& batch,
                                              int block) const {
    forEachFirstTile(left, batch.left, [&](int m, const Rows& rows) {
      const Output output = outputOf(batch, m, rows, block);
      std::int32_t numbers[function_tiles][2][2] = {};
      // What is read now comes while sums are computed.
      if (problem.isScattered()) {
        forEachOutput(output, [&](int n, int half, int h, std::int64_t place) {
          numbers[n][half][h] = problem.scatter.to.rows.data[place];
        });
      }
      Sums sums[function_tiles];
      KONTRACT_UNROLL
      for (int k = 0; k < point_steps; ++k) {
        const int q = 4 * k + quarter();
        KONTRACT_UNROLL
        for (int a = 0; a < Left::arrays; ++a) {
          if (a >= left.arrayCount(m)) continue;
          const int array = (left.firstArray(m) + a) * extents.one().array;
          double of_rows[2];
          KONTRACT_UNROLL
          for (int h = 0; h < 2; ++h) {
            of_rows[h] = q < extents.points(0) ? batch.one[rows[h].place() + array + q] : 0.;
          }
          KONTRACT_UNROLL
          for (int n = 0; n < function_tiles; ++n) {
            toFunctions(batch, 0, left.firstTable(m, a), k, n, of_rows, sums[n]);
          }
        }
      }
      applyLeftSigns(term, batch, rows, output, sums);
      const auto forEachTotal = [&](const auto& f) {
        forEachOutput(output, [&](int n, int half, int h, std::int64_t place) {
          const Acc sum(sums[n].at(h, half));
          f(left.isNegative(m) ? -sum : sum, place, numbers[n][half][h]);
        });
      };
      if (problem.isScattered()) {
        forEachTotal([&](Acc sum, std::int64_t, std::int32_t number) {
          if (number < 0) return;
          problem.scatter.addTo(problem.out[problem.scatter.startOfNumber(number)], sum);
        });
      } else if (problem.shape.sum_into) {
        forEachTotal([&](Acc sum, std::int64_t place, std::int32_t) {
          Impl::store<true>(problem.out[place], sum);
        });
      } else {
        forEachTotal([&](Acc sum, std::int64_t place, std::int32_t) {
          Impl::store<false>(problem.out[place], sum);
        });
      }
    });
  }

  /// Where two rows of sums go, or their numbers are.
  struct Output {
    std::int64_t start[2], step;  ///< of this lane's first sum; from one function to the next
    int count;                    ///< functions
    bool is_there[2];
  };
  KONTRACT_BLOCK_FUNCTION Output outputOf(const Batch& batch, int m, const Rows& rows,
                                          int block) const {
    const int blocks = problem.shape.left_blocks;
    const std::int64_t step = problem.isScattered() ? 1 : problem.out_strides.row;
    Output output;
    output.step = blocks * step;
    output.count = left.functions(m, 0);
    KONTRACT_UNROLL
    for (int h = 0; h < 2; ++h) {
      const int first = (rows[h].number() + quarter()) * blocks + blockOf(m, block);
      output.start[h] = batch.cells.start(rows[h].cell()).output + first * step;
      output.is_there[h] = rows.is_there[h] && batch.cells.isThere(rows[h].cell());
    }
    return output;
  }
  /// Calls f(tile, half, row, place) for the sums of a lane that go anywhere.
  template <class F>
  KONTRACT_BLOCK_FUNCTION static void forEachOutput(const Output& output, const F& f) {
    KONTRACT_UNROLL
    for (int n = 0; n < function_tiles; ++n) {
      forEachSum<function_steps>(n, output.count, [&](int half, int) {
        KONTRACT_UNROLL
        for (int h = 0; h < 2; ++h) {
          if (output.is_there[h]) f(n, half, h, output.start[h] + (8 * n + 4 * half) * output.step);
        }
      });
    }
  }
  template <class Term>
  KONTRACT_BLOCK_FUNCTION void applyLeftSigns(const Term& term, const Batch& batch,
                                              const Rows& rows, const Output& output,
                                              Sums (&sums)[function_tiles]) const {
    const auto apply = [&](const auto& signs) {
      if (!signs.isThere()) return;
      forEachOutput(output, [&](int n, int half, int h, std::int64_t) {
        Acc sum(sums[n].at(h, half));
        Point::applySign(signs, batch.cells.at(rows[h].cell()),
                         rows[h].number() + 8 * n + 4 * half + quarter(), sum);
        sums[n].at(h, half) = double(sum);
      });
    };
    apply(term.left_signs);
    apply(problem.left_signs);
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
