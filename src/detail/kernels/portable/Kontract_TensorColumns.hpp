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
  static constexpr bool has_families = Left::has_families;
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

  std::int64_t sharedBytes() const {
    const std::int64_t of_cell = extents.one().cell + extents.two().cell;
    return 8 * (tables_size + of_cell * sizes.cells) +
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
    batch.one = memory + tables_size;
    batch.two = batch.one + extents.one().cell * sizes.cells;
    batch.cells.count = sizes.cells;
    batch.cells.node_count = sizes.nodes;
    batch.cells.nodes = reinterpret_cast<Acc*>(batch.two + extents.two().cell * sizes.cells);
    Block::wait();
    batch.cells.findTrilinear(problem, sizes.threads, sizes.points);
    const int lane = Block::thread() % 32;
    batch.to_functions += lane;
    batch.to_points += lane;
    const std::int64_t end = problem.shape.cells, step = Block::count() * sizes.cells;
    for (batch.cells.first = Block::rank() * sizes.cells; batch.cells.first < end;
         batch.cells.first += step) {
      compute(term, batch);
    }
  }

 private:
  /// Cells that a block computes at a time, and what it has of them.
  struct Batch {
    BlockCells<Problem, Block> cells;
    const double *to_points, *to_functions;  ///< tables, from what this lane takes on
    double *one, *two;
  };

  /// Sums that a lane has of a tile of rows: numbers q and q + 4 of its first row, and of its
  /// second one.
  struct Sums {
    double of[4] = {0, 0, 0, 0};
    KONTRACT_BLOCK_FUNCTION double& at(int row, int half) { return of[2 * row + half]; }
  };

  /// A row of a tile that a lane gives numbers of.
  struct Row {
    int cell, rest;  ///< rest: what row of the cell
    bool is_there;
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

  /// Calls f(family, rows) with two rows of a lane for each tile of its warp.
  /// \param ofCell   how many of a family a cell has
  /// \param takeRow  takes a row of a family off a number of rows
  template <class OfCell, class TakeRow, class F>
  KONTRACT_BLOCK_FUNCTION void forEachTile(int families, const OfCell& ofCell,
                                           const TakeRow& takeRow, const F& f) const {
    const int warps = sizes.threads / 32, first = Block::thread() % 32 / 4;
    int tile = Block::thread() / 32;
    KONTRACT_DO_NOT_UNROLL
    for (int m = 0; m < families; ++m) {
      const int count = ofCell(m) * sizes.cells;
      for (; 16 * tile < count; tile += warps) {
        Row rows[2];
        KONTRACT_UNROLL
        for (int h = 0; h < 2; ++h) {
          const int number = 16 * tile + first + 8 * h;
          rows[h].is_there = number < count;
          auto rest = static_cast<std::uint32_t>(rows[h].is_there ? number : 0);
          if (sizes.cells_first) {
            rows[h].cell = static_cast<int>(by_cells.takeFrom(rest));
            rows[h].rest = static_cast<int>(rest);
          } else {
            rows[h].rest = takeRow(m, rest);
            rows[h].cell = static_cast<int>(rest);
          }
        }
        f(m, rows);
      }
      tile -= (count + 15) / 16;
    }
  }
  /// Of rows along the first direction, and along the second one.
  template <class Side, class F>
  KONTRACT_BLOCK_FUNCTION void forEachFirstTile(const Side& side, const F& f) const {
    forEachTile(
        side.families(), [&](int m) { return side.functions(m, 1) * side.functions(m, 2); },
        [&](int m, std::uint32_t& n) { return side.takeFirst(m, n); }, f);
  }
  template <class Side, class F>
  KONTRACT_BLOCK_FUNCTION void forEachSecondTile(const Side& side, const F& f) const {
    forEachTile(
        side.families(), [&](int m) { return extents.points(0) * side.functions(m, 2); },
        [&](int m, std::uint32_t& n) { return side.takeSecond(m, n); }, f);
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
  KONTRACT_BLOCK_FUNCTION static void keep(const Row (&rows)[2], int tile, int count, int step,
                                           Sums& sums, double* const (&to)[2]) {
    forEachSum<steps>(tile, count, [&](int half, int number) {
      KONTRACT_UNROLL
      for (int h = 0; h < 2; ++h) {
        if (rows[h].is_there) to[h][number * step] = sums.at(h, half);
      }
    });
  }

  // Directions

  template <class Term>
  KONTRACT_BLOCK_FUNCTION void compute(const Term& term, const Batch& batch) const {
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
      integrateSecond(batch);
      Block::wait();
      integrateFirst(term, batch, i);
      Block::wait();
    }
  }

  /// Which component of fields a family is of.
  KONTRACT_BLOCK_FUNCTION static int blockOf(int family, int block) {
    return Left::is_coupled ? family : block;
  }

  /// Along the first direction, from the vector: values, and derivatives in that direction.
  template <class Term>
  KONTRACT_BLOCK_FUNCTION void evaluateFirst(const Term& term, const Batch& batch,
                                             int block) const {
    forEachFirstTile(right, [&](int m, const Row(&rows)[2]) {
      double numbers[function_steps][2];
      double* to[2];
      loadRows(term, batch, m, rows, block, numbers);
      KONTRACT_UNROLL
      for (int h = 0; h < 2; ++h) to[h] = batch.one + placeOfOne(right, m, rows[h]);
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
                                        const Row (&rows)[2], int block,
                                        double (&numbers)[function_steps][2]) const {
    const int N = right.functions(m, 0), of_family = right.firstField(m),
              blocks = problem.shape.right_blocks;
    std::int64_t places[function_steps][2], c[2];
    KONTRACT_UNROLL
    for (int h = 0; h < 2; ++h) {
      c[h] = batch.cells.at(problem, rows[h].cell);
      KONTRACT_UNROLL
      for (int k = 0; k < function_steps; ++k) {
        const int f = 4 * k + quarter(), r = of_family + rows[h].rest * N + f;
        places[k][h] = -1;
        if (f < N) places[k][h] = problem.vector.placeOf(c[h], r * blocks + blockOf(m, block));
      }
    }
    Acc values[function_steps][2];
    KONTRACT_UNROLL
    for (int h = 0; h < 2; ++h) {
      KONTRACT_UNROLL
      for (int k = 0; k < function_steps; ++k) {
        values[k][h] = Acc(problem.vector.atPlace(places[k][h]));
      }
    }
    const auto applySigns = [&](const auto& signs) {
      if (!signs.isThere()) return;
      KONTRACT_UNROLL
      for (int h = 0; h < 2; ++h) {
        KONTRACT_UNROLL
        for (int k = 0; k < function_steps; ++k) {
          const int f = 4 * k + quarter();
          if (f < N) Point::applySign(signs, c[h], of_family + rows[h].rest * N + f, values[k][h]);
        }
      }
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

  /// Where a row along the first direction begins.
  template <class Side>
  KONTRACT_BLOCK_FUNCTION int placeOfOne(const Side& side, int m, const Row& row) const {
    auto third = static_cast<std::uint32_t>(row.rest);
    const int second = side.takeFunction(m, third);
    const ColumnArray one = extents.one();
    return row.cell * one.cell + second * one.second + static_cast<int>(third) * one.third;
  }

  /// Where a row along the second direction begins, before it is at points and after.
  struct SecondRow {
    int one, two;
  };
  KONTRACT_BLOCK_FUNCTION SecondRow placeOfSecond(const Row& row) const {
    auto rest = static_cast<std::uint32_t>(row.rest);
    const int first = extents.takePoint(rest), third = static_cast<int>(rest);
    const ColumnArray one = extents.one(), two = extents.two();
    return {row.cell * one.cell + first + third * one.third,
            row.cell * two.cell + first + third * two.third};
  }

  /// Along the second direction, path by path.
  KONTRACT_BLOCK_FUNCTION void evaluateSecond(const Batch& batch) const {
    const int step = extents.one().second;
    forEachSecondTile(right, [&](int m, const Row(&rows)[2]) {
      const int N = right.functions(m, 1), first_path = right.firstPath(m);
      double numbers[Right::arrays][function_steps][2] = {};
      double* to[2];
      KONTRACT_UNROLL
      for (int h = 0; h < 2; ++h) {
        const SecondRow at = placeOfSecond(rows[h]);
        to[h] = batch.two + at.two + first_path * extents.two().array;
        KONTRACT_UNROLL
        for (int k = 0; k < function_steps; ++k) {
          const int f = 4 * k + quarter();
          KONTRACT_UNROLL
          for (int a = 0; a < Right::arrays; ++a) {
            if (a >= right.arrayCount(m)) continue;
            const double* const from = batch.one + (right.firstArray(m) + a) * extents.one().array;
            numbers[a][k][h] = f < N ? from[at.one + f * step] : 0.;
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
    double* at[2];            ///< where they begin, of the first array
    std::int64_t c[2], p[2];  ///< their cells and first points
    std::conditional_t<is_trilinear, TrilinearColumn<Acc>, typename Flux::Nodes> nodes[2];
  };

  /// Along the last direction to the points, and back with the fluxes.
  /// \tparam is_half       factors are symmetric ones
  /// \tparam is_trilinear  Jacobians are those of trilinear cells
  template <bool is_half, bool is_trilinear, class Term>
  KONTRACT_BLOCK_FUNCTION void throughPoints(const Term& term, const Batch& batch,
                                             int block) const {
    forEachTile(
        1, [&](int) { return extents.points(0) * extents.points(1); },
        [&](int, std::uint32_t& n) { return extents.takeLast(n); },
        [&](int, const Row(&rows)[2]) {
          Column<is_trilinear> column;
          KONTRACT_UNROLL
          for (int h = 0; h < 2; ++h) {
            auto second = static_cast<std::uint32_t>(rows[h].rest);
            const int first = extents.takePoint(second);
            column.at[h] = batch.two + rows[h].cell * extents.two().cell + first +
                           static_cast<int>(second) * extents.two().second;
            column.c[h] = batch.cells.at(problem, rows[h].cell);
            column.p[h] = rows[h].rest;
            if constexpr (is_trilinear) {
              column.nodes[h] = batch.cells.column(rows[h].cell, first, static_cast<int>(second));
            } else {
              column.nodes[h] = {batch.cells.nodes + rows[h].cell, sizes.cells, sizes.nodes};
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
                                           const Column& column, const Row (&rows)[2], int t,
                                           Sums (&back)[Left::most_paths][function_tiles]) const {
    const std::int64_t columns = std::int64_t(extents.points(0)) * extents.points(1);
    const int count = extents.points(2);
    typename Flux::Ahead ahead[2][2];  // by half and row
    const auto read = [&](int half, int q) {
      KONTRACT_UNROLL
      for (int h = 0; h < 2; ++h) {
        Flux::template read<is_half>(problem, term, column.c[h], column.p[h] + columns * q, block,
                                     ahead[half][h]);
      }
    };
    // Factors come while values are computed. There are no registers for more than they are.
    if constexpr (Flux::is_factored) forEachSum<point_steps>(t, count, read);
    Sums values[rights];
    if constexpr (!is_load) valuesAt(batch, column, rows, t, values);
    Sums fluxes[lefts];
    forEachSum<point_steps>(t, count, [&](int half, int q) {
      if constexpr (!Flux::is_factored) read(half, q);
      KONTRACT_UNROLL
      for (int h = 0; h < 2; ++h) {
        if (!rows[h].is_there) continue;
        Acc u[rights], flux[lefts] = {};
        KONTRACT_UNROLL
        for (int a = 0; a < rights; ++a) u[a] = is_load ? Acc(1) : Acc(values[a].at(h, half));
        Flux::add(problem, term, column.nodes[h].ofPoint(q), column.c[h], column.p[h] + columns * q,
                  ahead[half][h], u, flux);
        KONTRACT_UNROLL
        for (int a = 0; a < lefts; ++a) fluxes[a].at(h, half) = double(flux[a]);
      }
    });
    Block::joinWarp();  // not all lanes had a point
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
  KONTRACT_BLOCK_FUNCTION void valuesAt(const Batch& batch, const Column& column,
                                        const Row (&rows)[2], int t, Sums (&values)[rights]) const {
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
          if (rows[h].is_there && f < functions) {
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
    forEachSecondTile(left, [&](int m, const Row(&rows)[2]) {
      const int first_path = left.firstPath(m);
      const SecondRow at[2] = {placeOfSecond(rows[0]), placeOfSecond(rows[1])};
      Sums sums[Left::arrays][function_tiles];
      KONTRACT_UNROLL
      for (int k = 0; k < point_steps; ++k) {
        const int q = 4 * k + quarter();
        double numbers[Left::paths_of_family][2];
        KONTRACT_UNROLL
        for (int h = 0; h < 2; ++h) {
          const double* const from = batch.two + at[h].two + q * extents.two().second;
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
                               {to + at[0].one, to + at[1].one});
        }
      }
    });
  }

  /// Back along the first direction, to the output.
  template <class Term>
  KONTRACT_BLOCK_FUNCTION void integrateFirst(const Term& term, const Batch& batch,
                                              int block) const {
    forEachFirstTile(left, [&](int m, const Row(&rows)[2]) {
      const int N = left.functions(m, 0), of_family = left.firstField(m);
      const double* const from[2] = {batch.one + placeOfOne(left, m, rows[0]),
                                     batch.one + placeOfOne(left, m, rows[1])};
      std::int64_t places[function_tiles][2][2], c[2];
      KONTRACT_UNROLL
      for (int h = 0; h < 2; ++h) {
        c[h] = batch.cells.at(problem, rows[h].cell);
        const bool is_there = rows[h].is_there && batch.cells.isThere(problem, rows[h].cell);
        KONTRACT_UNROLL
        for (int n = 0; n < function_tiles; ++n) {
          places[n][0][h] = places[n][1][h] = -1;
          forEachSum<function_steps>(n, is_there ? N : 0, [&](int half, int f) {
            places[n][half][h] = placeOf(c[h], of_family + rows[h].rest * N + f, blockOf(m, block));
          });
        }
      }
      Sums sums[function_tiles];
      KONTRACT_UNROLL
      for (int k = 0; k < point_steps; ++k) {
        const int q = 4 * k + quarter();
        KONTRACT_UNROLL
        for (int a = 0; a < Left::arrays; ++a) {
          if (a >= left.arrayCount(m)) continue;
          const int array = (left.firstArray(m) + a) * extents.one().array;
          double numbers[2];
          KONTRACT_UNROLL
          for (int h = 0; h < 2; ++h) {
            numbers[h] = q < extents.points(0) ? from[h][array + q] : 0.;
          }
          KONTRACT_UNROLL
          for (int n = 0; n < function_tiles; ++n) {
            toFunctions(batch, 0, left.firstTable(m, a), k, n, numbers, sums[n]);
          }
        }
      }
      KONTRACT_UNROLL
      for (int h = 0; h < 2; ++h) {
        KONTRACT_UNROLL
        for (int n = 0; n < function_tiles; ++n) {
          forEachSum<function_steps>(n, N, [&](int half, int f) {
            const std::int64_t place = places[n][half][h];
            const int l = of_family + rows[h].rest * N + f;
            Acc sum(sums[n].at(h, half));
            if (place < 0) return;
            if (left.isNegative(m)) sum = -sum;
            Point::applySign(term.left_signs, c[h], l, sum);
            Point::applySign(problem.left_signs, c[h], l, sum);
            leave(place, sum);
          });
        }
      }
    });
  }

  /// Where a sum goes; -1 if it is left out.
  KONTRACT_BLOCK_FUNCTION std::int64_t placeOf(std::int64_t c, int l, int block) const {
    const std::int64_t row = l * problem.shape.left_blocks + block;
    if (problem.isScattered()) return problem.scatter.startOf(c, row);
    return c * problem.out_strides.cell + row * problem.out_strides.row;
  }
  KONTRACT_BLOCK_FUNCTION void leave(std::int64_t place, Acc sum) const {
    if (problem.isScattered()) {
      problem.scatter.addTo(problem.out[place], sum);
    } else if (problem.shape.sum_into) {
      Impl::store<true>(problem.out[place], sum);
    } else {
      Impl::store<false>(problem.out[place], sum);
    }
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
