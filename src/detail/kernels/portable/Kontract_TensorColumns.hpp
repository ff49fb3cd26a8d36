// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TENSORCOLUMNS_HPP
#define KONTRACT_TENSORCOLUMNS_HPP

#include <cstddef>
#include <cstdint>

#include "Kontract_ColumnExtents.hpp"
#include "Kontract_ColumnFlux.hpp"
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
/// Components of fields are computed one after another; a term that couples them is not for this.
/// Sums are of doubles.
/// \tparam Extents     KnownColumns or AnyColumns
/// \tparam components  of both sides' values: 1, or 3 of gradients
/// \tparam has_tensor  the coefficient may have more entries than one
/// \tparam Block       of threads, with its shared memory and matrix instructions
///
/// Source: S. Orszag, "Spectral methods for problems in complex geometries" (1980); C. Cui,
/// "Acceleration of tensor-product operations with tensor cores", arXiv 2407.09621 (2024), for sums
/// along directions as products of matrices.
template <class Problem, class Extents, int components, bool has_tensor, class Block>
struct TensorColumns {
  static constexpr int D = 3;
  using Flux = ColumnFlux<Problem, D, components, has_tensor>;
  using Point = typename Flux::Point;
  using Acc = typename Flux::Acc;
  static constexpr bool is_load = Flux::is_load;
  static constexpr bool is_gradient = Flux::is_gradient;
  static constexpr int rights = Flux::rights;
  static constexpr int function_steps = Extents::function_steps;  ///< of four, in a direction
  static constexpr int point_steps = Extents::point_steps;
  static constexpr int function_tiles = (function_steps + 1) / 2;  ///< of eight
  static constexpr int point_tiles = (point_steps + 1) / 2;
  static constexpr int arrays_of_one = is_gradient ? 2 : 1;  ///< values; along the first, too
  static constexpr int arrays_of_two = components;  ///< values; along the first, the second
  /// Numbers of the tables of a direction, which are in the order in which lanes take them.
  static constexpr int to_points_size = arrays_of_one * function_steps * point_tiles * 32;
  static constexpr int to_functions_size = arrays_of_one * point_steps * function_tiles * 32;
  static constexpr int tables_size = D * (to_functions_size + (is_load ? 0 : to_points_size));

  Problem problem;
  TensorColumnSizes sizes;
  Extents extents;
  FastDivisor by_cells;

  std::int64_t sharedBytes() const {
    const std::int64_t of_cell = extents.one().cell + extents.two().cell;
    return 8 * (tables_size + of_cell * sizes.cells) +
           std::int64_t(sizeof(Acc)) * sizes.nodes * D * sizes.cells;
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
    batch.nodes = reinterpret_cast<Acc*>(batch.two + extents.two().cell * sizes.cells);
    Block::wait();
    const int lane = Block::thread() % 32;
    batch.to_functions += lane;
    batch.to_points += lane;
    const std::int64_t end = problem.shape.cells, step = Block::count() * sizes.cells;
    for (batch.first_cell = Block::rank() * sizes.cells; batch.first_cell < end;
         batch.first_cell += step) {
      compute(term, batch);
    }
  }

 private:
  /// Cells that a block computes at a time, and what it has of them.
  struct Batch {
    std::int64_t first_cell;
    const double *to_points, *to_functions;  ///< tables, from what this lane takes on
    double *one, *two;
    Acc* nodes;  ///< by node, component and cell
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
  KONTRACT_BLOCK_FUNCTION double functionAt(const Basis& basis, int direction, int array,
                                            int function, int point) const {
    if (function >= extents.functions() || point >= extents.points(direction)) return 0;
    return array == 0 ? double(basis.values[direction].at(function, point))
                      : double(basis.derivatives[direction].at(function, point));
  }
  template <class Basis>
  KONTRACT_BLOCK_FUNCTION void fillToPoints(const Basis& basis, double* to) const {
    for (int n = Block::thread(); n < D * to_points_size; n += sizes.threads) {
      const int lane = n % 32, tile = n / 32 % point_tiles, step = n / 32 / point_tiles;
      const int d = n / to_points_size, array = step / function_steps % arrays_of_one;
      to[n] =
          functionAt(basis, d, array, 4 * (step % function_steps) + lane % 4, columnOf(tile, lane));
    }
  }
  template <class Basis>
  KONTRACT_BLOCK_FUNCTION void fillToFunctions(const Basis& basis, double* to) const {
    for (int n = Block::thread(); n < D * to_functions_size; n += sizes.threads) {
      const int lane = n % 32, tile = n / 32 % function_tiles, step = n / 32 / function_tiles;
      const int d = n / to_functions_size, array = step / point_steps % arrays_of_one;
      to[n] =
          functionAt(basis, d, array, columnOf(tile, lane), 4 * (step % point_steps) + lane % 4);
    }
  }

  /// Multiplies numbers of a tile's rows by functions, to points.
  /// \param array  0 of values, 1 of derivatives
  KONTRACT_BLOCK_FUNCTION static void toPoints(const Batch& batch, int direction, int array,
                                               int step, int tile, const double (&rows)[2],
                                               Sums& sums) {
    const int place = (array * function_steps + step) * point_tiles + tile;
    Block::multiply(sums.of, rows[0], rows[1],
                    batch.to_points[direction * to_points_size + place * 32]);
  }
  /// The same to functions.
  KONTRACT_BLOCK_FUNCTION static void toFunctions(const Batch& batch, int direction, int array,
                                                  int step, int tile, double first, double second,
                                                  Sums& sums) {
    const int place = (array * point_steps + step) * function_tiles + tile;
    Block::multiply(sums.of, first, second,
                    batch.to_functions[direction * to_functions_size + place * 32]);
  }

  // Rows

  /// Calls f(rows) with two rows of a lane for each tile of its warp.
  /// \param of_cell  how many a cell has
  /// \param takeRow  takes a row off a number of rows
  template <class TakeRow, class F>
  KONTRACT_BLOCK_FUNCTION void forEachTile(int of_cell, const TakeRow& takeRow, const F& f) const {
    const int count = of_cell * sizes.cells, warps = sizes.threads / 32;
    const int first = Block::thread() % 32 / 4;
    for (int tile = Block::thread() / 32; 16 * tile < count; tile += warps) {
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
          rows[h].rest = takeRow(rest);
          rows[h].cell = static_cast<int>(rest);
        }
      }
      f(rows);
    }
  }

  /// A cell of the form, or the last one for those past it.
  KONTRACT_BLOCK_FUNCTION std::int64_t cellOf(const Batch& batch, int cell) const {
    const std::int64_t c = batch.first_cell + cell, last = problem.shape.cells - 1;
    return problem.scatter.cell(c < last ? c : last);
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
    loadNodes(batch);
    for (int i = 0; i < problem.shape.left_blocks; ++i) {
      if constexpr (is_load) {
        if (i == 0) Block::wait();  // for nodes
      } else {
        evaluateFirst(term, batch, i);
        Block::wait();
        evaluateSecond(batch);
        Block::wait();
      }
      if (Flux::is_factored && term.kind == CoefficientKind::Symmetric) {
        throughPoints<Flux::is_factored>(term, batch, i);
      } else {
        throughPoints<false>(term, batch, i);
      }
      Block::wait();
      integrateSecond(batch);
      Block::wait();
      integrateFirst(term, batch, i);
      Block::wait();
    }
  }

  KONTRACT_BLOCK_FUNCTION void loadNodes(const Batch& batch) const {
    if constexpr (Problem::gradients_type::is_ever_there) {
      for (int n = Block::thread(); n < sizes.nodes * sizes.cells; n += sizes.threads) {
        auto node = static_cast<std::uint32_t>(n);
        const int cell = static_cast<int>(by_cells.takeFrom(node));
        const std::int64_t c = cellOf(batch, cell);
        for (int i = 0; i < D; ++i) {
          batch.nodes[(static_cast<int>(node) * D + i) * sizes.cells + cell] =
              Acc(problem.mapping.at(c, node, 0, i));
        }
      }
    }
  }

  /// Along the first direction, from the vector: values, and derivatives in that direction.
  template <class Term>
  KONTRACT_BLOCK_FUNCTION void evaluateFirst(const Term& term, const Batch& batch,
                                             int block) const {
    const int N = extents.functions();
    forEachTile(
        N * N, [&](std::uint32_t& n) { return extents.takeFirst(n); },
        [&](const Row(&rows)[2]) {
          double numbers[function_steps][2];
          double* to[2];
          loadRows(term, batch, rows, block, numbers);
          KONTRACT_UNROLL
          for (int h = 0; h < 2; ++h) to[h] = batch.one + placeOfOne(rows[h]);
          KONTRACT_UNROLL
          for (int t = 0; t < point_tiles; ++t) {
            Sums sums[arrays_of_one];
            KONTRACT_UNROLL
            for (int k = 0; k < function_steps; ++k) {
              KONTRACT_UNROLL
              for (int a = 0; a < arrays_of_one; ++a) {
                toPoints(batch, 0, a, k, t, numbers[k], sums[a]);
              }
            }
            KONTRACT_UNROLL
            for (int a = 0; a < arrays_of_one; ++a) {
              keep<point_steps>(rows, t, extents.points(0), 1, sums[a],
                                {to[0] + a * extents.one().array, to[1] + a * extents.one().array});
            }
          }
        });
  }
  /// What a lane gives of two rows of the vector. Loads do not wait for each other.
  template <class Term>
  KONTRACT_BLOCK_FUNCTION void loadRows(const Term& term, const Batch& batch, const Row (&rows)[2],
                                        int block, double (&numbers)[function_steps][2]) const {
    const int N = extents.functions();
    std::int64_t places[function_steps][2], c[2];
    KONTRACT_UNROLL
    for (int h = 0; h < 2; ++h) {
      c[h] = cellOf(batch, rows[h].cell);
      KONTRACT_UNROLL
      for (int k = 0; k < function_steps; ++k) {
        const int f = 4 * k + quarter(), r = rows[h].rest * N + f;
        places[k][h] = -1;
        if (f < N)
          places[k][h] = problem.vector.placeOf(c[h], r * problem.shape.right_blocks + block);
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
          if (f < N) Point::applySign(signs, c[h], rows[h].rest * N + f, values[k][h]);
        }
      }
    };
    applySigns(term.right_signs);
    applySigns(problem.right_signs);
    KONTRACT_UNROLL
    for (int h = 0; h < 2; ++h) {
      KONTRACT_UNROLL
      for (int k = 0; k < function_steps; ++k) numbers[k][h] = double(values[k][h]);
    }
  }

  /// Where a row along the first direction begins.
  KONTRACT_BLOCK_FUNCTION int placeOfOne(const Row& row) const {
    auto third = static_cast<std::uint32_t>(row.rest);
    const int second = extents.takeFunction(third);
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

  /// Along the second direction: values, and derivatives in the first two directions.
  KONTRACT_BLOCK_FUNCTION void evaluateSecond(const Batch& batch) const {
    const int N = extents.functions(), step = extents.one().second;
    forEachTile(
        extents.points(0) * N, [&](std::uint32_t& n) { return extents.takeSecond(n); },
        [&](const Row(&rows)[2]) {
          double numbers[arrays_of_one][function_steps][2];
          double* to[2];
          KONTRACT_UNROLL
          for (int h = 0; h < 2; ++h) {
            const SecondRow at = placeOfSecond(rows[h]);
            to[h] = batch.two + at.two;
            KONTRACT_UNROLL
            for (int k = 0; k < function_steps; ++k) {
              const int f = 4 * k + quarter();
              KONTRACT_UNROLL
              for (int a = 0; a < arrays_of_one; ++a) {
                numbers[a][k][h] =
                    f < N ? batch.one[a * extents.one().array + at.one + f * step] : 0.;
              }
            }
          }
          KONTRACT_UNROLL
          for (int t = 0; t < point_tiles; ++t) {
            Sums sums[arrays_of_two];
            KONTRACT_UNROLL
            for (int k = 0; k < function_steps; ++k) {
              toPoints(batch, 1, 0, k, t, numbers[0][k], sums[0]);
              if constexpr (is_gradient) {
                toPoints(batch, 1, 0, k, t, numbers[1][k], sums[1]);
                toPoints(batch, 1, 1, k, t, numbers[0][k], sums[2]);
              }
            }
            KONTRACT_UNROLL
            for (int a = 0; a < arrays_of_two; ++a) {
              keep<point_steps>(rows, t, extents.points(1), extents.two().second, sums[a],
                                {to[0] + a * extents.two().array, to[1] + a * extents.two().array});
            }
          }
        });
  }

  /// Two columns of points, in the last direction, that a lane computes some points of.
  struct Column {
    double* at[2];            ///< where they begin, of the first array
    int functions[2];         ///< 0 of one past the last, which another warp may store
    std::int64_t c[2], p[2];  ///< their cells and first points
    typename Flux::Nodes nodes[2];
  };

  /// Along the last direction to the points, and back with the fluxes.
  /// \tparam is_half  factors are symmetric ones
  template <bool is_half, class Term>
  KONTRACT_BLOCK_FUNCTION void throughPoints(const Term& term, const Batch& batch,
                                             int block) const {
    const int columns = extents.points(0) * extents.points(1);
    forEachTile(
        columns, [&](std::uint32_t& n) { return extents.takeLast(n); },
        [&](const Row(&rows)[2]) {
          Column column;
          KONTRACT_UNROLL
          for (int h = 0; h < 2; ++h) {
            auto second = static_cast<std::uint32_t>(rows[h].rest);
            const int first = extents.takePoint(second);
            column.at[h] = batch.two + rows[h].cell * extents.two().cell + first +
                           static_cast<int>(second) * extents.two().second;
            column.functions[h] = rows[h].is_there ? extents.functions() : 0;
            column.c[h] = cellOf(batch, rows[h].cell);
            column.p[h] = rows[h].rest;
            column.nodes[h] = {batch.nodes + rows[h].cell, sizes.cells, sizes.nodes};
          }
          Sums back[components][function_tiles];
          KONTRACT_UNROLL
          for (int t = 0; t < point_tiles; ++t)
            throughTile<is_half>(term, batch, block, column, rows, t, back);
          KONTRACT_UNROLL
          for (int t = 0; t < function_tiles; ++t) {
            KONTRACT_UNROLL
            for (int a = 0; a < components; ++a) {
              keep<function_steps>(
                  rows, t, extents.functions(), extents.two().third, back[a][t],
                  {column.at[0] + a * extents.two().array, column.at[1] + a * extents.two().array});
            }
          }
        });
  }

  /// Eight points of two columns.
  template <bool is_half, class Term>
  KONTRACT_BLOCK_FUNCTION void throughTile(const Term& term, const Batch& batch, int block,
                                           const Column& column, const Row (&rows)[2], int t,
                                           Sums (&back)[components][function_tiles]) const {
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
    if constexpr (!is_load) valuesAt(batch, column, t, values);
    Sums fluxes[components];
    forEachSum<point_steps>(t, count, [&](int half, int q) {
      if constexpr (!Flux::is_factored) read(half, q);
      KONTRACT_UNROLL
      for (int h = 0; h < 2; ++h) {
        if (!rows[h].is_there) continue;
        Acc u[rights], flux[components] = {};
        KONTRACT_UNROLL
        for (int a = 0; a < rights; ++a) u[a] = is_load ? Acc(1) : Acc(values[a].at(h, half));
        Flux::add(problem, term, column.nodes[h], column.c[h], column.p[h] + columns * q,
                  ahead[half][h], u, flux);
        KONTRACT_UNROLL
        for (int a = 0; a < components; ++a) fluxes[a].at(h, half) = double(flux[a]);
      }
    });
    Block::joinWarp();  // not all lanes had a point
    KONTRACT_UNROLL
    for (int half = 0; half < 2; ++half) {
      if (2 * t + half >= point_steps) continue;
      KONTRACT_UNROLL
      for (int n = 0; n < function_tiles; ++n) {
        KONTRACT_UNROLL
        for (int a = 0; a < components; ++a) {
          // The array of values takes the flux in the last direction.
          const bool is_last = is_gradient && a == 0;
          Sums& of = fluxes[is_last ? D - 1 : is_gradient ? a - 1 : a];
          toFunctions(batch, D - 1, is_last ? 1 : 0, 2 * t + half, n, of.at(0, half),
                      of.at(1, half), back[a][n]);
        }
      }
    }
  }

  /// Values, or gradients, at eight points of two columns.
  KONTRACT_BLOCK_FUNCTION void valuesAt(const Batch& batch, const Column& column, int t,
                                        Sums (&values)[rights]) const {
    KONTRACT_UNROLL
    for (int k = 0; k < function_steps; ++k) {
      const int f = 4 * k + quarter();
      KONTRACT_UNROLL
      for (int a = 0; a < components; ++a) {
        double numbers[2];
        KONTRACT_UNROLL
        for (int h = 0; h < 2; ++h) {
          numbers[h] = f < column.functions[h]
                           ? column.at[h][a * extents.two().array + f * extents.two().third]
                           : 0.;
        }
        const bool is_last = is_gradient && a == 0;
        toPoints(batch, D - 1, is_last ? 1 : 0, k, t, numbers,
                 values[is_last       ? D - 1
                        : is_gradient ? a - 1
                                      : a]);
      }
    }
  }

  /// Back along the second direction, and along the first one to the output.
  KONTRACT_BLOCK_FUNCTION void integrateSecond(const Batch& batch) const {
    forEachTile(
        extents.points(0) * extents.functions(),
        [&](std::uint32_t& n) { return extents.takeSecond(n); },
        [&](const Row(&rows)[2]) {
          const SecondRow at[2] = {placeOfSecond(rows[0]), placeOfSecond(rows[1])};
          Sums sums[arrays_of_one][function_tiles];
          KONTRACT_UNROLL
          for (int k = 0; k < point_steps; ++k) {
            const int q = 4 * k + quarter();
            double numbers[arrays_of_two][2];
            KONTRACT_UNROLL
            for (int h = 0; h < 2; ++h) {
              KONTRACT_UNROLL
              for (int a = 0; a < arrays_of_two; ++a) {
                numbers[a][h] =
                    q < extents.points(1)
                        ? batch.two[a * extents.two().array + at[h].two + q * extents.two().second]
                        : 0.;
              }
            }
            KONTRACT_UNROLL
            for (int n = 0; n < function_tiles; ++n) {
              toFunctions(batch, 1, 0, k, n, numbers[0][0], numbers[0][1], sums[0][n]);
              if constexpr (is_gradient) {
                toFunctions(batch, 1, 0, k, n, numbers[1][0], numbers[1][1], sums[1][n]);
                toFunctions(batch, 1, 1, k, n, numbers[2][0], numbers[2][1], sums[0][n]);
              }
            }
          }
          KONTRACT_UNROLL
          for (int n = 0; n < function_tiles; ++n) {
            KONTRACT_UNROLL
            for (int a = 0; a < arrays_of_one; ++a) {
              double* const to = batch.one + a * extents.one().array;
              keep<function_steps>(rows, n, extents.functions(), extents.one().second, sums[a][n],
                                   {to + at[0].one, to + at[1].one});
            }
          }
        });
  }

  template <class Term>
  KONTRACT_BLOCK_FUNCTION void integrateFirst(const Term& term, const Batch& batch,
                                              int block) const {
    const int N = extents.functions();
    forEachTile(
        N * N, [&](std::uint32_t& n) { return extents.takeFirst(n); },
        [&](const Row(&rows)[2]) {
          const double* const from[2] = {batch.one + placeOfOne(rows[0]),
                                         batch.one + placeOfOne(rows[1])};
          std::int64_t places[function_tiles][2][2], c[2];
          KONTRACT_UNROLL
          for (int h = 0; h < 2; ++h) {
            c[h] = cellOf(batch, rows[h].cell);
            const bool is_there =
                rows[h].is_there && batch.first_cell + rows[h].cell < problem.shape.cells;
            KONTRACT_UNROLL
            for (int n = 0; n < function_tiles; ++n) {
              places[n][0][h] = places[n][1][h] = -1;
              forEachSum<function_steps>(n, is_there ? N : 0, [&](int half, int f) {
                places[n][half][h] = placeOf(c[h], rows[h].rest * N + f, block);
              });
            }
          }
          Sums sums[function_tiles];
          KONTRACT_UNROLL
          for (int k = 0; k < point_steps; ++k) {
            const int q = 4 * k + quarter();
            KONTRACT_UNROLL
            for (int a = 0; a < arrays_of_one; ++a) {
              double numbers[2];
              KONTRACT_UNROLL
              for (int h = 0; h < 2; ++h) {
                numbers[h] = q < extents.points(0) ? from[h][a * extents.one().array + q] : 0.;
              }
              KONTRACT_UNROLL
              for (int n = 0; n < function_tiles; ++n) {
                toFunctions(batch, 0, a, k, n, numbers[0], numbers[1], sums[n]);
              }
            }
          }
          KONTRACT_UNROLL
          for (int h = 0; h < 2; ++h) {
            KONTRACT_UNROLL
            for (int n = 0; n < function_tiles; ++n) {
              forEachSum<function_steps>(n, N, [&](int half, int f) {
                const std::int64_t place = places[n][half][h];
                Acc sum(sums[n].at(h, half));
                if (place < 0) return;
                Point::applySign(term.left_signs, c[h], rows[h].rest * N + f, sum);
                Point::applySign(problem.left_signs, c[h], rows[h].rest * N + f, sum);
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
