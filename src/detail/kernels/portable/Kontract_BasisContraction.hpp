// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_BASISCONTRACTION_HPP
#define KONTRACT_BASISCONTRACTION_HPP

#include "Kontract_FastDivisor.hpp"
#include "detail/problem/Kontract_FormProblem.hpp"

namespace Kontract {
namespace Impl {

/// The functions of one coordinate that a team has of a tensor-product basis, in its scratch
/// memory, and what a family of fields makes of them. Components of its values have the derivative
/// of the function of one direction; or there is one, without.
template <class Real, int D>
struct BasisTables {
  static constexpr int kinds = 3, values = 0, derivatives = 1, open_values = 2;
  static constexpr int none = -1;

  Real* tables;  ///< by direction: functions, derivatives, open functions, by point and function
  int closed_functions[D], open_functions[D], points[D];
  // Of the family:
  int functions[D];
  bool is_open[D];
  int component[D];  ///< with the derivative in each direction, or none
  int sign[D];
  int plain;  ///< component without a derivative, or none
  int plain_sign;

  template <class Basis>
  KOKKOS_FUNCTION BasisTables(const Basis& basis, Real* memory, int family = 0) : tables(memory) {
    for (int d = 0; d < D; ++d) {
      closed_functions[d] = basis.functions[d];
      open_functions[d] = basis.open_functions[d];
      points[d] = basis.points[d];
      is_open[d] = basis.families.is_open[family][d];
      functions[d] = is_open[d] ? open_functions[d] : closed_functions[d];
      component[d] = none;
      sign[d] = 0;
    }
    plain = none;
    plain_sign = 0;
    for (int i = 0; i < D; ++i) {
      const int sign_of = basis.families.sign[family][i];
      if (sign_of == 0) continue;
      const int along = basis.families.derivative[family][i];
      if (along == BasisFamilies::no_derivative) {
        plain = i;
        plain_sign = sign_of;
      }
      for (int d = 0; d < D; ++d) {
        if (d != along) continue;
        component[d] = i;
        sign[d] = sign_of;
      }
    }
  }

  /// Components that are there.
  KOKKOS_FUNCTION int components() const { return derivativesBefore(D) + (plain != none ? 1 : 0); }
  /// Components with a derivative in a direction before one.
  KOKKOS_FUNCTION int derivativesBefore(int direction) const {
    int count = 0;
    for (int d = 0; d < D; ++d) count += d < direction && component[d] != none ? 1 : 0;
    return count;
  }
  KOKKOS_FUNCTION bool hasDerivative(int direction) const { return component[direction] != none; }

  /// A component of values, and the number of its array where arrays are in the order of the
  /// directions of derivatives.
  struct Place {
    int component, sign;
  };
  KOKKOS_FUNCTION Place place(int array) const {
    Place place{plain, plain_sign};
    for (int d = 0; d < D; ++d) {
      if (component[d] != none && array-- == 0) place = {component[d], sign[d]};
    }
    return place;
  }

  /// Numbers of the tables.
  KOKKOS_FUNCTION int size() const {
    int sum = 0;
    for (int d = 0; d < D; ++d) sum += (2 * closed_functions[d] + open_functions[d]) * points[d];
    return sum;
  }
  /// Numbers when directions from first to last are of points and the others of functions.
  KOKKOS_FUNCTION int intermediateSize(int first, int last) const {
    int product = 1;
    for (int d = 0; d < D; ++d) product *= first <= d && d < last ? points[d] : functions[d];
    return product;
  }

  KOKKOS_FUNCTION Real* table(int direction, bool is_derivative) const {
    return tableOf(direction, is_derivative        ? derivatives
                              : is_open[direction] ? open_values
                                                   : values);
  }

  /// Fills the tables, which all families have, by all workers of a team.
  template <class Team, class Basis>
  KOKKOS_INLINE_FUNCTION void fill(const Team& team, const Basis& basis) const {
    for (int d = 0; d < D; ++d) {
      const int closed = closed_functions[d] * points[d], open = open_functions[d] * points[d];
      Real* const to = tableOf(d, values);
      // Derivatives come after values.
      team.share(plain == none ? 2 * closed : closed, [&](std::int64_t n) {
        const int entry = static_cast<int>(n) % closed;
        const int f = entry % closed_functions[d], p = entry / closed_functions[d];
        to[n] = Real(n < closed ? basis.values[d].at(f, p) : basis.derivatives[d].at(f, p));
      });
      Real* const to_open = tableOf(d, open_values);
      team.share(open, [&](std::int64_t n) {
        const int f = static_cast<int>(n) % open_functions[d];
        to_open[n] = Real(basis.open_values[d].at(f, static_cast<int>(n) / open_functions[d]));
      });
    }
  }

 private:
  KOKKOS_FUNCTION Real* tableOf(int direction, int kind) const {
    Real* at = tables;
    for (int d = 0; d < direction; ++d) {
      at += (2 * closed_functions[d] + open_functions[d]) * points[d];
    }
    return at + kind * closed_functions[direction] * points[direction];
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

  /// From coefficients in the first buffer to values at points, in the order of the directions of
  /// derivatives. Arrays on the way are one without derivatives, if some component still needs it,
  /// and one for the derivative in each direction that was contracted.
  template <class Team>
  KOKKOS_INLINE_FUNCTION void evaluate(const Team& team, const Tables& basis) const {
    const int size = basis.intermediateSize(0, D);
    evaluate(team, basis, into(buffers[at_points], size));
  }

  /// The same with values of components that are added to, by families one after another.
  /// \param is_first  of the families that have a component, by component
  template <class Team, class IsFirst>
  KOKKOS_INLINE_FUNCTION void evaluate(const Team& team, const Tables& basis, Real* values,
                                       const IsFirst& is_first) const {
    const int size = basis.intermediateSize(0, D), all_cells = cells;
    evaluate(team, basis, [&](int array, int index, int cell, const Real& sum) {
      const auto place = basis.place(array);
      Real& to = values[(place.component * size + index) * all_cells + cell];
      const Real x = place.sign < 0 ? Real(-sum) : sum;
      to = is_first(place.component) ? x : to + x;
    });
  }

  /// From fluxes at points, of all components, to functions: calls put(function, cell, sum). Arrays
  /// on the way are those of components whose direction is to come, and the sum of the others.
  template <class Team, class Put>
  KOKKOS_INLINE_FUNCTION void integrate(const Team& team, const Tables& basis, const Real* fluxes,
                                        const Put& put) const {
    const Real* from = fluxes;
    for (int done = 0; done < D; ++done) {
      const int d = D - 1 - done;
      const bool is_first = done == 0;
      const int from_size = basis.intermediateSize(0, d + 1), size = basis.intermediateSize(0, d);
      const int rows = basis.functions[d], step = from_size * cells;
      const int before = basis.derivativesBefore(d);
      const bool has_derivative = basis.hasDerivative(d);
      const bool has_rest =
          basis.plain != Tables::none || basis.components() > before + (has_derivative ? 1 : 0);
      const int arrays = before + (has_derivative || has_rest ? 1 : 0);
      const Extents extents{arrays,          rows > 0 ? size / rows : 0, rows, 1,
                            basis.points[d], basis.functions[d]};
      const auto operandsOf = [&](int array) {
        const bool is_derivative = has_derivative && array == before;
        // What is read first are components as they lie.
        const auto place = basis.place(array);
        const int at = is_first ? place.component : array;
        Operands operands{basis.table(d, is_derivative), from + at * step};
        operands.is_negative = is_first && place.sign < 0;
        if (is_derivative && has_rest) {
          operands.second_table = basis.table(d, false);
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

  /// Sums of one array against products of functions of each direction: calls put(function, cell,
  /// sum).
  /// \param basis   tells how many functions and points there are
  /// \param tables  of those functions, by direction, by point and function
  template <class Team, class Put>
  KOKKOS_INLINE_FUNCTION void sumAgainst(const Team& team, const Tables& basis,
                                         const Real* const (&tables)[D], const Real* from,
                                         const Put& put) const {
    for (int done = 0; done < D; ++done) {
      const int d = D - 1 - done, rows = basis.functions[d], size = basis.intermediateSize(0, d);
      const Extents extents{
          1, rows > 0 ? size / rows : 0, rows, 1, basis.points[d], basis.functions[d]};
      const auto operandsOf = [&](int) { return Operands{tables[d], from}; };
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
    bool is_negative = false;  ///< the negative of that
  };
  struct Extents {
    int arrays, columns, rows, row_step, terms, term_step;
  };

  static constexpr int block = 4;  ///< rows that a thread sums at a time

  /// \param end  called with array, point, cell and value
  template <class Team, class End>
  KOKKOS_INLINE_FUNCTION void evaluate(const Team& team, const Tables& basis,
                                       const End& end) const {
    for (int done = 0; done < D; ++done) {
      const int d = D - 1 - done, source = done % 2;
      const int from_size = basis.intermediateSize(d + 1, D), size = basis.intermediateSize(d, D);
      const int rows = basis.points[d];
      const auto isNeeded = [&](int directions) {  // without derivatives, before so many of them
        return basis.plain != Tables::none || basis.derivativesBefore(directions) > 0 ? 1 : 0;
      };
      const int was_plain = isNeeded(d + 1), is_plain = isNeeded(d);
      const int derivative = basis.hasDerivative(d) ? 1 : 0;
      const int older = basis.derivativesBefore(D) - basis.derivativesBefore(d + 1);
      const Extents extents{is_plain + derivative + older,
                            rows > 0 ? size / rows : 0,
                            rows,
                            basis.functions[d],
                            basis.functions[d],
                            1};
      const Real* const from = buffers[source];
      const Real *const functions = basis.table(d, false), *const derivatives =
                                                               basis.table(d, true);
      const int step = from_size * cells;
      const auto operandsOf = [&](int array) {
        const int after = array - is_plain - derivative;  // of those that had one before
        const bool is_derivative = derivative == 1 && array == is_plain;
        return Operands{is_derivative ? derivatives : functions,
                        from + (after >= 0 ? was_plain + after : 0) * step};
      };
      if (d > 0) {
        contract(team, extents, operandsOf, into(buffers[1 - source], size));
      } else {
        contract(team, extents, operandsOf, end);
      }
    }
  }

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
          if (of.is_negative) sums[i] = -sums[i];
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
