// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_BASISCONTRACTION_HPP
#define KONTRACT_BASISCONTRACTION_HPP

#include "Kontract_FastDivisor.hpp"
#include "detail/problem/Kontract_FormProblem.hpp"

namespace Kontract {
namespace Impl {

/// The functions of one coordinate that a team has of a tensor-product basis, in its scratch
/// memory.
template <class Real, int D>
struct BasisTables {
  Real* tables;  ///< by direction: functions, derivatives, each by point and function
  int functions[D], points[D];
  bool is_gradient;

  template <class Basis>
  KOKKOS_FUNCTION BasisTables(const Basis& basis, Real* memory)
      : tables(memory), is_gradient(basis.is_gradient) {
    for (int d = 0; d < D; ++d) {
      functions[d] = basis.functions[d];
      points[d] = basis.points[d];
    }
  }

  KOKKOS_FUNCTION int components() const { return is_gradient ? D : 1; }

  /// Numbers when directions from first to last are of points and the others of functions.
  KOKKOS_FUNCTION int intermediateSize(int first, int last) const {
    int product = 1;
    for (int d = 0; d < D; ++d) product *= first <= d && d < last ? points[d] : functions[d];
    return product;
  }
  KOKKOS_FUNCTION Real* table(int direction, bool is_derivative) const {
    Real* at = tables;
    for (int d = 0; d < direction; ++d) at += 2 * functions[d] * points[d];
    return at + (is_derivative ? functions[direction] * points[direction] : 0);
  }

  /// Fills the tables, by all workers of a team.
  template <class Team, class Basis>
  KOKKOS_INLINE_FUNCTION void fill(const Team& team, const Basis& basis) const {
    for (int d = 0; d < D; ++d) {
      const int count = functions[d], numbers = count * points[d];
      Real* const to = table(d, false);
      team.share(is_gradient ? 2 * numbers : numbers, [&](std::int64_t n) {
        const int entry = static_cast<int>(n) % numbers;
        const int f = entry % count, p = entry / count;
        to[n] = Real(n < numbers ? basis.values[d].at(f, p) : basis.derivatives[d].at(f, p));
      });
    }
  }
};

/// Contractions of a tensor-product basis along one direction after another, for some cells by a
/// team; cells are neighbours in memory. What is summed over is the slowest index of what is read,
/// and the result's index is the fastest of what is written, so contractions along all directions
/// are alike.
///
/// Source: S. Orszag, "Spectral methods for problems in complex geometries" (1980).
template <class Real, int D>
struct BasisContraction {
  using Tables = BasisTables<Real, D>;

  int cells;  ///< of a team
  FastDivisor by_cells;
  Real* buffers[2];  ///< written in turns

  /// The buffer in which evaluate() ends, if it begins in the first one.
  static constexpr int at_points = D % 2;

  /// The cell of the team that a number of its work stands for, and what is left of the number.
  KOKKOS_FORCEINLINE_FUNCTION int takeCell(int& number) const {
    auto rest = static_cast<std::uint32_t>(number);
    const auto cell = static_cast<int>(by_cells.takeFrom(rest));
    number = static_cast<int>(rest);
    return cell;
  }

  /// From coefficients in the first buffer to values at points. Arrays on the way are one without
  /// derivatives, and one for the derivative in each direction that was contracted.
  template <class Team>
  KOKKOS_INLINE_FUNCTION void evaluate(const Team& team, const Tables& basis) const {
    for (int done = 0; done < D; ++done) {
      const int d = D - 1 - done, source = done % 2;
      const int from_size = basis.intermediateSize(d + 1, D), size = basis.intermediateSize(d, D);
      const int rows = basis.points[d];
      const int arrays = !basis.is_gradient ? 1 : d > 0 ? done + 2 : done + 1;
      const Extents extents{
          arrays, rows > 0 ? size / rows : 0, rows, basis.functions[d], basis.functions[d], 1};
      const Real* const from = buffers[source];
      const Real *const functions = basis.table(d, false), *const derivatives =
                                                               basis.table(d, true);
      const int step = from_size * cells;
      contract(
          team, extents,
          [&](int array) {
            const int derivative = d > 0 ? 1 : 0;
            const bool is_derivative = basis.is_gradient && array == derivative;
            const int of = array > derivative ? array - derivative : 0;
            return Operands{is_derivative ? derivatives : functions, from + of * step};
          },
          into(buffers[1 - source], size));
    }
  }

  /// From fluxes at points to functions: calls put(function, cell, sum). Arrays on the way are
  /// those of components whose direction is to come, and the sum of the others.
  template <class Team, class Put>
  KOKKOS_INLINE_FUNCTION void integrate(const Team& team, const Tables& basis, const Real* from,
                                        const Put& put) const {
    for (int done = 0; done < D; ++done) {
      const int d = D - 1 - done;
      const int from_size = basis.intermediateSize(0, d + 1), size = basis.intermediateSize(0, d);
      const int rows = basis.functions[d], step = from_size * cells;
      const Real *const functions = basis.table(d, false), *const derivatives =
                                                               basis.table(d, true);
      const int arrays = basis.is_gradient ? d + 1 : 1;
      const Extents extents{arrays,          rows > 0 ? size / rows : 0, rows, 1,
                            basis.points[d], basis.functions[d]};
      const auto operandsOf = [&](int array) {
        const bool is_derivative = basis.is_gradient && array == d;
        Operands operands{is_derivative ? derivatives : functions, from + array * step};
        if (is_derivative && d < D - 1) {
          operands.second_table = functions;
          operands.second_from = from + (array + 1) * step;
        }
        return operands;
      };
      if (d > 0) {
        contract(team, extents, operandsOf, into(buffers[d % 2], size));
        from = buffers[d % 2];
      } else {
        contract(team, extents, operandsOf,
                 [&](int, int function, int cell, const Real& sum) { put(function, cell, sum); });
      }
    }
  }

 private:
  /// What an output of a contraction is a sum of: a table times an array, and perhaps another one
  /// times another one.
  struct Operands {
    const Real *table, *from;
    const Real *second_table = nullptr, *second_from = nullptr;
  };
  struct Extents {
    int arrays, columns, rows, row_step, terms, term_step;
  };

  static constexpr int block = 4;  ///< rows that a thread sums at a time

  /// What puts sums into arrays of so many numbers of a cell, one after another.
  KOKKOS_FORCEINLINE_FUNCTION auto into(Real* to, int size) const {
    const int all_cells = cells;
    return [=](int array, int index, int cell, const Real& sum) {
      to[(array * size + index) * all_cells + cell] = sum;
    };
  }

  KOKKOS_FORCEINLINE_FUNCTION static void addProducts(const Extents& extents, const Real* table,
                                                      const Real* from, int from_step,
                                                      const int (&offsets)[block],
                                                      Real (&sums)[block]) {
    for (int k = 0; k < extents.terms; ++k, table += extents.term_step, from += from_step) {
      for (int i = 0; i < block; ++i) sums[i] += table[offsets[i]] * *from;
    }
  }

  template <class Team, class OperandsOf, class Put>
  KOKKOS_INLINE_FUNCTION void contract(const Team& team, const Extents& extents,
                                       const OperandsOf& operandsOf, const Put& put) const {
    const int width = extents.columns * cells, last = extents.rows - 1;
    team.share(std::int64_t(extents.arrays) * width, [&](std::int64_t n) {
      int at = static_cast<int>(n), array = 0;
      for (; at >= width; at -= width) ++array;
      int column = at;
      const int cell = takeCell(column);
      const Operands of = operandsOf(array);
      for (int row = 0; row <= last; row += block) {
        Real sums[block] = {};
        int offsets[block];
        for (int i = 0; i < block; ++i) {
          offsets[i] = (row + i < last ? row + i : last) * extents.row_step;
        }
        addProducts(extents, of.table, of.from + at, width, offsets, sums);
        if (of.second_table != nullptr) {
          addProducts(extents, of.second_table, of.second_from + at, width, offsets, sums);
        }
        for (int i = 0; i < block && row + i <= last; ++i) {
          put(array, column * extents.rows + row + i, cell, sums[i]);
        }
      }
    });
    team.wait();
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
