// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FORMCOLUMNS_HPP
#define KONTRACT_FORMCOLUMNS_HPP

#include "Kontract_ColumnFlux.hpp"
#include "Kontract_FastDivisor.hpp"
#include "Kontract_FunctionTables.hpp"
#include "Kontract_TeamCells.hpp"
#include "Kontract_Workers.hpp"
#include "detail/problem/Kontract_FormWork.hpp"

namespace Kontract {
namespace Impl {

/// How many numbers of a kind a cell has in the scratch memory of a team. From functions to points,
/// the first direction is done first; arrays are those of a direction less at functions.
struct ColumnLayout {
  ColumnSizes sizes;

  KOKKOS_FORCEINLINE_FUNCTION int functionsOfSide() const {
    return sizes.tables * sizes.functions * (sizes.points[0] + sizes.points[1] + sizes.points[2]);
  }
  /// Of cells that lie side by side. It is odd, so that neighbouring rows are in different banks.
  KOKKOS_FORCEINLINE_FUNCTION int rowStep() const { return sizes.points[0] | 1; }
  KOKKOS_FORCEINLINE_FUNCTION int afterFirst() const {
    return rowStep() * sizes.functions * (sizes.dimension == 3 ? sizes.functions : 1);
  }
  KOKKOS_FORCEINLINE_FUNCTION int afterSecond() const {
    return sizes.dimension == 3 ? sizes.points[0] * sizes.points[1] * sizes.functions : 0;
  }
  KOKKOS_FORCEINLINE_FUNCTION int ofCell() const {
    return sizes.nodes * sizes.dimension + sizes.first_arrays * afterFirst() +
           sizes.second_arrays * afterSecond();
  }
  /// Columns in the last direction, which a cell has most of.
  KOKKOS_FORCEINLINE_FUNCTION int columns() const {
    return sizes.points[0] * (sizes.dimension == 3 ? sizes.points[1] : 1);
  }
};

/// Element vectors and matrix-free products of a term of tensor-product bases that have N functions
/// in each direction, by sum factorization. A thread has a column of a cell, in registers, and
/// contracts it along one direction: what is read of a table is used for all that a column has. In
/// the last direction values at a point, the flux that follows, and what that contributes to the
/// column are computed together, so that nothing at points is stored.
///
/// Components of fields are computed one after another; a term that couples them is not for this.
/// \tparam components  of both sides' values: 1, or D of gradients
/// \tparam has_tensor  the coefficient may have more entries than one
///
/// Source: S. Orszag, "Spectral methods for problems in complex geometries" (1980); K. Swirydowicz
/// and others, "Acceleration of tensor-product operations for high-order finite element methods"
/// (2019) for columns in registers.
template <class Problem, int D, int N, int components, bool has_tensor>
struct FormColumns {
  using Point = FormPoint<Problem, D>;
  using Acc = typename Point::Acc;
  using Function = FunctionAt<Acc>;
  using Bounds = Kokkos::LaunchBounds<>;  ///< columns have all registers that there are
  using Flux = ColumnFlux<Problem, D, components, has_tensor>;
  static constexpr bool is_load = Flux::is_load;
  static constexpr bool is_gradient = Flux::is_gradient;
  static constexpr int rights = Flux::rights;  ///< components of a right value
  static_assert(D == 2 || D == 3, "Kontract: columns are of quadrilaterals and hexahedra");

  Problem problem;
  ColumnLayout layout;
  int cells;  ///< of a team
  FastDivisor by_cells, by_points;
  std::int64_t pieces;  ///< of work; a piece is every so many batches of cells

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(const Workers<Member>& team, std::int64_t piece) const {
    Batch batch;
    batch.left = static_cast<Function*>(team.scratch);
    const auto& term = problem.terms.terms[0];
    fill(team, term.left, batch.left);
    batch.right = batch.left;
    if constexpr (!is_load) {
      if (layout.sizes.sides > 1) {
        batch.right += layout.functionsOfSide();
        fill(team, term.right, batch.right);
      }
    }
    batch.cells.count = cells;
    batch.cells.node_count = layout.sizes.nodes;
    batch.cells.nodes = reinterpret_cast<Acc*>(batch.right + layout.functionsOfSide());
    batch.first = batch.cells.nodes + layout.sizes.nodes * D * cells;
    batch.second = batch.first + (is_gradient ? 2 : 1) * layout.afterFirst() * cells;
    const std::int64_t end = problem.shape.cells;
    for (batch.cells.first = piece * cells; batch.cells.first < end;) {
      compute(team, term, batch);
      batch.cells.first += pieces * cells;
    }
  }

 private:
  /// Cells that a team computes at a time, and what it has of them.
  struct Batch {
    TeamCells<Problem, D> cells;
    Function *left, *right;  ///< by direction, point and function
    Acc *first, *second;     ///< after the first direction, and after the second one
  };

  template <class Team, class Basis>
  KOKKOS_FORCEINLINE_FUNCTION void fill(const Team& team, const Basis& basis, Function* to) const {
    fillTables<N, is_gradient>(team, basis, D, layout.sizes.points, to);
  }

  /// The functions of a direction.
  KOKKOS_FORCEINLINE_FUNCTION const Function* table(const Function* tables, int direction) const {
    return tableOf<N>(tables, layout.sizes.points, direction);
  }

  /// The cell of a team that a number of its work stands for, and what is left of the number.
  KOKKOS_FORCEINLINE_FUNCTION int takeCell(std::uint32_t& number) const {
    return static_cast<int>(by_cells.takeFrom(number));
  }

  template <class Team, class Term>
  KOKKOS_FORCEINLINE_FUNCTION void compute(const Team& team, const Term& term,
                                           const Batch& batch) const {
    if constexpr (Problem::gradients_type::is_ever_there) {
      batch.cells.load(team, problem, by_cells);
    }
    for (int i = 0; i < problem.shape.left_blocks; ++i) {
      if constexpr (is_load) {
        team.wait();
      } else {
        if (i == 0) team.wait();  // for tables
        evaluateFirst(team, term, batch, i);
        team.wait();
        if constexpr (D == 3) {
          evaluateSecond(team, batch);
          team.wait();
        }
      }
      throughPoints(team, term, batch, i);
      team.wait();
      if constexpr (D == 3) {
        integrateSecond(team, batch);
        team.wait();
      }
      integrateFirst(team, term, batch, i);
      team.wait();
    }
  }

  /// Calls f(cell, field, at_points) with the first field of each row along the first direction,
  /// and where the row begins after that direction is at points.
  template <class Team, class F>
  KOKKOS_FORCEINLINE_FUNCTION void forEachFirstRow(const Team& team, const Batch& batch,
                                                   const F& f) const {
    const int step = layout.rowStep() * cells;
    constexpr int rows = D == 3 ? N * N : N;
    team.share(rows * cells, [&](int n) {
      auto of_cell = static_cast<std::uint32_t>(n);
      const int cell = takeCell(of_cell), row = static_cast<int>(of_cell);
      f(cell, N * row, batch.first + row * step + cell);
    });
  }

  /// Along the first direction, from the vector: values, and derivatives in that direction.
  template <class Team, class Term>
  KOKKOS_FORCEINLINE_FUNCTION void evaluateFirst(const Team& team, const Term& term,
                                                 const Batch& batch, int block) const {
    const int points = layout.sizes.points[0];
    forEachFirstRow(team, batch, [&](int cell, int field, Acc* to) {
      const std::int64_t c = batch.cells.at(problem, cell);
      Acc column[N];
      for (int f = 0; f < N; ++f) {
        const int r = field + f;
        column[f] = Acc(problem.vector.at(c, r * problem.shape.right_blocks + block, 0));
        Point::applySign(term.right_signs, c, r, column[f]);
        Point::applySign(problem.right_signs, c, r, column[f]);
      }
      const Function* functions = batch.right;
      for (int q = 0; q < points; ++q, functions += N, to += cells) {
        Acc value(0), derivative(0);
        for (int f = 0; f < N; ++f) {
          const Function at = functions[f];
          value += at.value * column[f];
          if constexpr (is_gradient) derivative += at.derivative * column[f];
        }
        *to = value;
        if constexpr (is_gradient) to[layout.afterFirst() * cells] = derivative;
      }
    });
  }

  /// Calls f(at_functions, at_points) with where each row along the second direction of three
  /// begins, before that direction is at points and after.
  template <class Team, class F>
  KOKKOS_FORCEINLINE_FUNCTION void forEachSecondRow(const Team& team, const Batch& batch,
                                                    const F& f) const {
    const int step = layout.rowStep() * cells, points = layout.sizes.points[0];
    team.share(points * N * cells, [&](int n) {
      auto row = static_cast<std::uint32_t>(n);
      const int cell = takeCell(row);
      const int q0 = static_cast<int>(by_points.takeFrom(row)), last = static_cast<int>(row);
      f(batch.first + N * last * step + q0 * cells + cell,
        batch.second + (q0 + points * layout.sizes.points[1] * last) * cells + cell);
    });
  }

  /// Along the second direction of three: values, and derivatives in the first two directions.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void evaluateSecond(const Team& team, const Batch& batch) const {
    const int step = layout.rowStep() * cells, points_step = layout.sizes.points[0] * cells;
    const int first_size = layout.afterFirst() * cells, size = layout.afterSecond() * cells;
    const Function* const tables = table(batch.right, 1);
    forEachSecondRow(team, batch, [&](const Acc* from, Acc* to) {
      Acc values[N], derivatives[N];
      for (int f = 0; f < N; ++f, from += step) {
        values[f] = *from;
        if constexpr (is_gradient) derivatives[f] = from[first_size];
      }
      const Function* functions = tables;
      for (int q = 0; q < layout.sizes.points[1]; ++q, functions += N, to += points_step) {
        Acc value(0), first(0), second(0);
        for (int f = 0; f < N; ++f) {
          const Function at = functions[f];
          value += at.value * values[f];
          if constexpr (is_gradient) {
            first += at.value * derivatives[f];
            second += at.derivative * values[f];
          }
        }
        *to = value;
        if constexpr (is_gradient) {
          to[size] = first;
          to[2 * size] = second;
        }
      }
    });
  }

  /// What columns in the last direction lie in: the values, then the derivatives in all directions
  /// but the last.
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

  /// Along the last direction to the points, and back with the fluxes.
  template <class Team, class Term>
  KOKKOS_FORCEINLINE_FUNCTION void throughPoints(const Team& team, const Term& term,
                                                 const Batch& batch, int block) const {
    const Columns columns = columnsOf(batch);
    const Function* const left_table = table(batch.left, D - 1);
    const Function* const right_table = table(batch.right, D - 1);
    team.share(columns.count * cells, [&](int n) {
      auto at = static_cast<std::uint32_t>(n);
      const int cell = takeCell(at), column = static_cast<int>(at);
      const std::int64_t c = batch.cells.at(problem, cell);
      const typename Flux::Nodes nodes{batch.cells.nodes + cell, cells, layout.sizes.nodes};
      Acc* const start = columns.data + n;
      Acc in[rights][N], out[components][N];
      for (int f = 0; f < N; ++f) {
        for (int a = 0; a < rights && !is_load; ++a) {
          in[a][f] = start[a * columns.size + f * columns.step];
        }
        for (int a = 0; a < components; ++a) out[a][f] = Acc(0);
      }
      const Function *of_left = left_table, *of_right = right_table;
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#pragma unroll 1
#endif
      for (int q = 0; q < layout.sizes.points[D - 1]; ++q, of_left += N, of_right += N) {
        Acc u[rights], flux[components] = {};
        if constexpr (is_load) {
          u[0] = Acc(1);
        } else {
          valuesAt(of_right, in, u);
        }
        const std::int64_t p = column + columns.count * std::int64_t(q);
        typename Flux::Ahead ahead;
        Flux::read(problem, term, c, p, block, ahead);
        Flux::add(problem, term, nodes, c, p, ahead, u, flux);
        addFluxes(of_left, flux, out);
      }
      for (int f = 0; f < N; ++f) {
        for (int a = 0; a < components; ++a) {
          start[a * columns.size + f * columns.step] = out[a][f];
        }
      }
    });
  }

  /// The value, or the gradient, at a point of a column.
  KOKKOS_FORCEINLINE_FUNCTION static void valuesAt(const Function* functions,
                                                   const Acc (&column)[rights][N],
                                                   Acc (&u)[rights]) {
    for (Acc& value : u) value = Acc(0);
    for (int f = 0; f < N; ++f) {
      const Function at = functions[f];
      if constexpr (is_gradient) {
        for (int a = 0; a < D - 1; ++a) u[a] += at.value * column[a + 1][f];
        u[D - 1] += at.derivative * column[0][f];
      } else {
        u[0] += at.value * column[0][f];
      }
    }
  }

  /// What a flux at a point contributes to a column.
  KOKKOS_FORCEINLINE_FUNCTION static void addFluxes(const Function* functions,
                                                    const Acc (&flux)[components],
                                                    Acc (&column)[components][N]) {
    for (int f = 0; f < N; ++f) {
      const Function at = functions[f];
      if constexpr (is_gradient) {
        for (int a = 0; a < D - 1; ++a) column[a + 1][f] += at.value * flux[a];
        column[0][f] += at.derivative * flux[D - 1];
      } else {
        column[0][f] += at.value * flux[0];
      }
    }
  }

  /// Back along the second direction of three, and along the first one to the output.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void integrateSecond(const Team& team, const Batch& batch) const {
    const int step = layout.rowStep() * cells, points_step = layout.sizes.points[0] * cells;
    const int first_size = layout.afterFirst() * cells, size = layout.afterSecond() * cells;
    const Function* const tables = table(batch.left, 1);
    forEachSecondRow(team, batch, [&](Acc* to, const Acc* from) {
      Acc values[N], derivatives[N];
      for (int f = 0; f < N; ++f) values[f] = derivatives[f] = Acc(0);
      const Function* functions = tables;
      for (int q = 0; q < layout.sizes.points[1]; ++q, functions += N, from += points_step) {
        const Acc value = *from;
        Acc first(0), second(0);
        if constexpr (is_gradient) {
          first = from[size];
          second = from[2 * size];
        }
        for (int f = 0; f < N; ++f) {
          const Function at = functions[f];
          values[f] += at.value * value;
          if constexpr (is_gradient) {
            values[f] += at.derivative * second;
            derivatives[f] += at.value * first;
          }
        }
      }
      for (int f = 0; f < N; ++f, to += step) {
        *to = values[f];
        if constexpr (is_gradient) to[first_size] = derivatives[f];
      }
    });
  }

  template <class Team, class Term>
  KOKKOS_FORCEINLINE_FUNCTION void integrateFirst(const Team& team, const Term& term,
                                                  const Batch& batch, int block) const {
    const int points = layout.sizes.points[0];
    forEachFirstRow(team, batch, [&](int cell, int field, const Acc* from) {
      if (!batch.cells.isThere(problem, cell)) return;
      const std::int64_t c = batch.cells.at(problem, cell);
      Acc column[N];
      for (int f = 0; f < N; ++f) column[f] = Acc(0);
      const Function* functions = batch.left;
      for (int q = 0; q < points; ++q, functions += N, from += cells) {
        const Acc value = *from;
        Acc derivative(0);
        if constexpr (is_gradient) derivative = from[layout.afterFirst() * cells];
        for (int f = 0; f < N; ++f) {
          const Function at = functions[f];
          column[f] += at.value * value;
          if constexpr (is_gradient) column[f] += at.derivative * derivative;
        }
      }
      for (int f = 0; f < N; ++f) {
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
