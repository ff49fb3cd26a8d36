// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FAMILYCOLUMNS_HPP
#define KONTRACT_FAMILYCOLUMNS_HPP

#include "Kontract_FormColumns.hpp"
#include "Kontract_MatrixSides.hpp"
#include "Kontract_TeamCells.hpp"

namespace Kontract {
namespace Impl {

/// Fields of a side by the paths that lead from their families to components of values: along each
/// path there is a derivative in one direction, or none. Paths of a family that are the same in the
/// first direction share an array after that.
template <int D, int N>
struct ColumnPaths : FamilyFunctions<D, N> {
  using Base = FamilyFunctions<D, N>;
  struct Path {
    int family, array, component, derivative, sign;
  };
  struct Array {
    int family;
    bool is_derivative;  ///< in the first direction
  };
  int path_count = 0, array_count = 0;
  Path paths[max_column_paths];
  Array arrays[max_column_paths];

  template <class Basis>
  ColumnPaths(const Basis& basis, bool is_vector) : Base(basis, is_vector) {
    for (int m = 0; m < Base::count; ++m) {
      const int first_array = array_count;
      for (int a = 0; a < Base::component_count[m]; ++a) {
        const auto& component = Base::component_of[m][a];
        const bool is_derivative = component.derivative == 0;
        int array = first_array;
        while (array < array_count && arrays[array].is_derivative != is_derivative) ++array;
        if (array == array_count) arrays[array_count++] = {m, is_derivative};
        paths[path_count++] = {m, array, component.place, component.derivative, component.sign};
      }
    }
  }

  /// Functions of a direction at points, or their derivatives, 2 N numbers from point to point and
  /// two from function to function.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION const Real* tableOf(const FunctionAt<Real>* tables,
                                                  const int (&points)[3], int family, int direction,
                                                  bool is_derivative) const {
    const auto* const at = Base::table(tables, points, family, direction);
    return is_derivative ? &at->derivative : &at->value;
  }
};

/// Matrix-free products of a term of any tensor-product bases by sum factorization, with columns in
/// registers as FormColumns has them: what there is known when compiling, how many functions a
/// direction has and what components of values are made of, is asked here, family by family.
/// \tparam N           the most functions in a direction; those that there are not are zero
/// \tparam path_count  the most paths of a side
///
/// Sources: as of FormColumns.
template <class Problem, int D, int N, int path_count>
struct FamilyColumns {
  using Point = FormPoint<Problem, D>;
  using Acc = typename Point::Acc;
  using Function = FunctionAt<Acc>;
  using Side = ColumnPaths<D, N>;
  using Bounds = Kokkos::LaunchBounds<>;  ///< columns have all registers that there are
  static_assert(D == 2 || D == 3, "Kontract: columns are of quadrilaterals and hexahedra");

  Problem problem;
  ColumnLayout layout;
  Side left_side, right_side;
  int cells;  ///< of a team
  FastDivisor by_cells, by_points;
  std::int64_t pieces;  ///< of work; a piece is every so many batches of cells

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(const Workers<Member>& team, std::int64_t piece) const {
    const auto& term = problem.terms.terms[0];
    Batch batch;
    batch.left = batch.right = static_cast<Function*>(team.scratch);
    const auto& points = layout.sizes.points;
    if (layout.sizes.sides > 1) {
      left_side.fill(team, term.left, points, left_side, batch.left);
      batch.right += layout.functionsOfSide();
      right_side.fill(team, term.right, points, right_side, batch.right);
    } else {
      left_side.fill(team, term.left, points, right_side, batch.left);
    }
    batch.cells.count = cells;
    batch.cells.node_count = layout.sizes.nodes;
    batch.cells.nodes = reinterpret_cast<Acc*>(batch.right + layout.functionsOfSide());
    batch.first = batch.cells.nodes + layout.sizes.nodes * D * cells;
    batch.second = batch.first + layout.sizes.first_arrays * layout.afterFirst() * cells;
    for (std::int64_t first = piece * cells; first < problem.shape.cells;) {
      batch.cells.first = first;
      compute(team, term, batch);
      first += pieces * cells;
    }
  }

 private:
  /// Cells that a team computes at a time, and what it has of them.
  struct Batch {
    TeamCells<Problem, D> cells;
    Function *left, *right;  ///< by direction, point and function
    Acc *first, *second;     ///< after the first direction, and after the second one
  };

  template <class Team, class Term>
  KOKKOS_FORCEINLINE_FUNCTION void compute(const Team& team, const Term& term,
                                           const Batch& batch) const {
    batch.cells.load(team, problem, by_cells);
    for (int block = 0; block < problem.shape.left_blocks; ++block) {
      if (block == 0) team.wait();  // for tables
      evaluateFirst(team, term, batch, block);
      team.wait();
      if constexpr (D == 3) {
        evaluateSecond(team, batch);
        team.wait();
      }
      throughPoints(team, term, batch, block);
      team.wait();
      if constexpr (D == 3) {
        integrateSecond(team, batch);
        team.wait();
      }
      integrateFirst(team, term, batch, block);
      team.wait();
    }
  }

  static constexpr int rows = D == 3 ? N * N : N;  ///< along the first direction, at most

  /// Shares rows along the first direction of several families or arrays: calls f(array, cell, row,
  /// field of the family) with the first field of a row.
  /// \param family_of  the family of an array
  template <class Team, class FamilyOf, class F>
  KOKKOS_FORCEINLINE_FUNCTION void forEachFirstRow(const Team& team, const Side& side, int arrays,
                                                   const FamilyOf& family_of, const F& f) const {
    team.share(rows * cells * arrays, [&](int n) {
      auto at = static_cast<std::uint32_t>(n);
      const int cell = static_cast<int>(by_cells.takeFrom(at));
      const int row = static_cast<int>(at) % rows, array = static_cast<int>(at) / rows;
      const int family = family_of(array), second = row % N, last = row / N;
      const int seconds = side.functions(family, 1);
      if (second >= seconds || (D == 3 && last >= side.functions(family, 2))) return;
      const int field = side.functions(family, 0) * (second + seconds * last);
      f(array, cell, row, side.firstField(family) + field);
    });
  }

  /// Where a row begins after the first direction.
  KOKKOS_FORCEINLINE_FUNCTION Acc* rowOf(const Batch& batch, int array, int row, int cell) const {
    return batch.first + (array * layout.afterFirst() + row * layout.rowStep()) * cells + cell;
  }

  /// Along the first direction, from the vector.
  template <class Team, class Term>
  KOKKOS_FORCEINLINE_FUNCTION void evaluateFirst(const Team& team, const Term& term,
                                                 const Batch& batch, int block) const {
    const auto family_of = [&](int array) { return right_side.arrays[array].family; };
    forEachFirstRow(
        team, right_side, right_side.array_count, family_of,
        [&](int array, int cell, int row, int field) {
          const auto& of = right_side.arrays[array];
          const std::int64_t c = batch.cells.at(problem, cell);
          const int functions = right_side.functions(of.family, 0);
          Acc column[N];
          for (int f = 0; f < N; ++f) {
            column[f] = Acc(0);
            if (f >= functions) continue;
            const int r = field + f;
            column[f] = Acc(problem.vector.at(c, r * problem.shape.right_blocks + block, 0));
            Point::applySign(term.right_signs, c, r, column[f]);
            Point::applySign(problem.right_signs, c, r, column[f]);
          }
          const Acc* table =
              right_side.tableOf(batch.right, layout.sizes.points, of.family, 0, of.is_derivative);
          Acc* to = rowOf(batch, array, row, cell);
          for (int q = 0; q < layout.sizes.points[0]; ++q, table += 2 * N, to += cells) {
            *to = dot(table, column);
          }
        });
  }

  KOKKOS_FORCEINLINE_FUNCTION static Acc dot(const Acc* table, const Acc (&column)[N]) {
    Acc sum(0);
    for (int f = 0; f < N; ++f) sum += table[2 * f] * column[f];
    return sum;
  }
  KOKKOS_FORCEINLINE_FUNCTION static void add(const Acc* table, const Acc& x, Acc (&column)[N]) {
    for (int f = 0; f < N; ++f) column[f] += table[2 * f] * x;
  }

  /// Shares rows along the second direction of three, of several paths or arrays: calls f(array,
  /// where the row begins before that direction is at points, where a path's begins after it).
  template <class Team, class FamilyOf, class F>
  KOKKOS_FORCEINLINE_FUNCTION void forEachSecondRow(const Team& team, const Batch& batch,
                                                    const Side& side, int arrays,
                                                    const FamilyOf& family_of, const F& f) const {
    const int points = layout.sizes.points[0], slice = points * layout.sizes.points[1];
    team.share(points * N * cells * arrays, [&](int n) {
      auto row = static_cast<std::uint32_t>(n);
      const int cell = static_cast<int>(by_cells.takeFrom(row));
      const int q0 = static_cast<int>(by_points.takeFrom(row));
      const int last = static_cast<int>(row) % N, array = static_cast<int>(row) / N;
      if (last >= side.functions(family_of(array), 2)) return;
      f(array, batch.first + (N * last * layout.rowStep() + q0) * cells + cell,
        batch.second + (q0 + slice * last) * cells + cell);
    });
  }

  /// Along the second direction of three, path by path.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void evaluateSecond(const Team& team, const Batch& batch) const {
    const int step = layout.rowStep() * cells, points_step = layout.sizes.points[0] * cells;
    const int first_size = layout.afterFirst() * cells, size = layout.afterSecond() * cells;
    const auto family_of = [&](int path) { return right_side.paths[path].family; };
    forEachSecondRow(team, batch, right_side, right_side.path_count, family_of,
                     [&](int number, const Acc* from, Acc* to) {
                       const auto& path = right_side.paths[number];
                       const int functions = right_side.functions(path.family, 1);
                       from += path.array * first_size;
                       to += number * size;
                       Acc column[N];
                       for (int f = 0; f < N; ++f, from += step) {
                         column[f] = f < functions ? *from : Acc(0);
                       }
                       const Acc* table = right_side.tableOf(batch.right, layout.sizes.points,
                                                             path.family, 1, path.derivative == 1);
                       for (int q = 0; q < layout.sizes.points[1]; ++q, table += 2 * N) {
                         *to = dot(table, column);
                         to += points_step;
                       }
                     });
  }

  /// Where columns in the last direction lie: by path in space, by array of the first direction in
  /// the plane, where each path has one of its own.
  struct Columns {
    Acc* data;
    int count, step, size;
  };
  KOKKOS_FORCEINLINE_FUNCTION Columns columnsOf(const Batch& batch) const {
    if constexpr (D == 3) {
      const int count = layout.columns();
      return {batch.second, count, count * cells, layout.afterSecond() * cells};
    } else {
      return {batch.first, layout.columns(), layout.rowStep() * cells, layout.afterFirst() * cells};
    }
  }
  static KOKKOS_FORCEINLINE_FUNCTION int arrayOf(const Side& side, int path) {
    return D == 3 ? path : side.paths[path].array;
  }
  /// Functions of the last direction of a path.
  static KOKKOS_FORCEINLINE_FUNCTION int functionsOf(const Side& side, int path) {
    return side.functions(side.paths[path].family, D - 1);
  }

  /// Tables of the last direction, by path.
  KOKKOS_FORCEINLINE_FUNCTION void setTables(const Side& side, const Function* functions,
                                             const Acc* (&tables)[path_count]) const {
    for (int a = 0; a < path_count; ++a) {
      if (a >= side.path_count) continue;
      const auto& path = side.paths[a];
      tables[a] = side.tableOf(functions, layout.sizes.points, path.family, D - 1,
                               path.derivative == D - 1);
    }
  }

  /// Along the last direction to the points, and back with the fluxes.
  template <class Team, class Term>
  KOKKOS_FORCEINLINE_FUNCTION void throughPoints(const Team& team, const Term& term,
                                                 const Batch& batch, int block) const {
    const Columns columns = columnsOf(batch);
    team.share(columns.count * cells, [&](int n) {
      auto at = static_cast<std::uint32_t>(n);
      const int cell = static_cast<int>(by_cells.takeFrom(at)), column = static_cast<int>(at);
      const std::int64_t c = batch.cells.at(problem, cell);
      Acc in[path_count][N] = {}, out[path_count][N] = {};
      forEachNumber(columns, right_side, columns.data + n,
                    [&](int a, int f, const Acc& x) { in[a][f] = x; });
      const Acc *of_left[path_count], *of_right[path_count];
      setTables(left_side, batch.left, of_left);
      setTables(right_side, batch.right, of_right);
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#pragma unroll 1
#endif
      for (int q = 0; q < layout.sizes.points[D - 1]; ++q) {
        const std::int64_t p = column + columns.count * std::int64_t(q);
        const auto geometry = batch.cells.geometry(problem, cell, c, p);
        withComponents<D>(term, [&](auto left, auto right) {
          Acc u[decltype(right)::value] = {}, flux[decltype(left)::value] = {};
          addValues(of_right, 2 * N * q, in, u);
          Point::addFlux(problem, term, geometry, c, p, block, block, u, flux);
          addFluxes(of_left, 2 * N * q, flux, out);
        });
      }
      forEachNumber(columns, left_side, columns.data + n,
                    [&](int a, int f, Acc& x) { x = out[a][f]; });
    });
  }

  /// Calls f(path, function, number) for the numbers of a column that there are.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void forEachNumber(const Columns& columns, const Side& side,
                                                 Acc* start, const F& f) const {
    for (int a = 0; a < path_count; ++a) {
      const bool is_there = a < side.path_count;
      const int functions = is_there ? functionsOf(side, a) : 0;
      Acc* const from = start + (is_there ? arrayOf(side, a) : 0) * columns.size;
      for (int n = 0; n < N; ++n) {
        if (n < functions) f(a, n, from[n * columns.step]);
      }
    }
  }

  /// The value at a point of a column.
  template <int NR>
  KOKKOS_FORCEINLINE_FUNCTION void addValues(const Acc* const (&tables)[path_count], int offset,
                                             const Acc (&column)[path_count][N],
                                             Acc (&u)[NR]) const {
    for (int a = 0; a < path_count; ++a) {
      if (a >= right_side.path_count) continue;
      const auto& path = right_side.paths[a];
      const Acc sum = dot(tables[a] + offset, column[a]);
      for (int b = 0; b < NR; ++b) {
        if (b == path.component) u[b] += path.sign < 0 ? -sum : sum;
      }
    }
  }

  /// What a flux at a point contributes to a column.
  template <int NL>
  KOKKOS_FORCEINLINE_FUNCTION void addFluxes(const Acc* const (&tables)[path_count], int offset,
                                             const Acc (&flux)[NL],
                                             Acc (&column)[path_count][N]) const {
    for (int a = 0; a < path_count; ++a) {
      if (a >= left_side.path_count) continue;
      const auto& path = left_side.paths[a];
      Acc of_path(0);
      for (int b = 0; b < NL; ++b) {
        if (b == path.component) of_path = path.sign < 0 ? -flux[b] : flux[b];
      }
      add(tables[a] + offset, of_path, column[a]);
    }
  }

  /// Back along the second direction of three: an array sums the paths that it is for.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void integrateSecond(const Team& team, const Batch& batch) const {
    const int step = layout.rowStep() * cells, points_step = layout.sizes.points[0] * cells;
    const int first_size = layout.afterFirst() * cells, size = layout.afterSecond() * cells;
    const auto family_of = [&](int array) { return left_side.arrays[array].family; };
    forEachSecondRow(team, batch, left_side, left_side.array_count, family_of,
                     [&](int array, Acc* to, const Acc* from) {
                       Acc column[N] = {};
                       for (int a = 0; a < left_side.path_count; ++a) {
                         const auto& path = left_side.paths[a];
                         if (path.array != array) continue;
                         const Acc* table = left_side.tableOf(batch.left, layout.sizes.points,
                                                              path.family, 1, path.derivative == 1);
                         const Acc* of_path = from + a * size;
                         for (int q = 0; q < layout.sizes.points[1]; ++q, table += 2 * N) {
                           add(table, *of_path, column);
                           of_path += points_step;
                         }
                       }
                       const int functions = left_side.functions(left_side.arrays[array].family, 1);
                       to += array * first_size;
                       for (int f = 0; f < N; ++f, to += step) {
                         if (f < functions) *to = column[f];
                       }
                     });
  }

  /// Back along the first direction to the output: a family sums its arrays.
  template <class Team, class Term>
  KOKKOS_FORCEINLINE_FUNCTION void integrateFirst(const Team& team, const Term& term,
                                                  const Batch& batch, int block) const {
    const auto family_of = [](int family) { return family; };
    forEachFirstRow(
        team, left_side, left_side.families(), family_of,
        [&](int family, int cell, int row, int field) {
          if (!batch.cells.isThere(problem, cell)) return;
          const std::int64_t c = batch.cells.at(problem, cell);
          Acc column[N] = {};
          for (int array = 0; array < left_side.array_count; ++array) {
            const auto& of = left_side.arrays[array];
            if (of.family != family) continue;
            const Acc* table =
                left_side.tableOf(batch.left, layout.sizes.points, family, 0, of.is_derivative);
            const Acc* from = rowOf(batch, array, row, cell);
            for (int q = 0; q < layout.sizes.points[0]; ++q, table += 2 * N, from += cells) {
              add(table, *from, column);
            }
          }
          const int functions = left_side.functions(family, 0);
          for (int f = 0; f < N; ++f) {
            if (f >= functions) continue;
            const int l = field + f;
            Point::applySign(term.left_signs, c, l, column[f]);
            Point::applySign(problem.left_signs, c, l, column[f]);
            storeEntry(problem, c, l * problem.shape.left_blocks + block, 0, column[f]);
          }
        });
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
