// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FORMSWEEPS_HPP
#define KONTRACT_FORMSWEEPS_HPP

#include <string>

#include "Kontract_FastDivisor.hpp"
#include "Kontract_FormPoint.hpp"
#include "detail/launch/Kontract_Launch.hpp"
#include "detail/problem/Kontract_TensorProduct.hpp"

namespace Kontract {
namespace Impl {

/// Whether all values are of tensor-product bases, and coefficients real numbers.
template <class Acc, class Terms>
inline constexpr bool are_products = true;
template <class Acc, class L, class R, class A, class B, class SL, class SR, class... Rest>
inline constexpr bool are_products<Acc, TermList<FusedTerm<L, R, A, B, SL, SR>, Rest...>> =
    is_tensor_product<L> &&
    (!R::is_there || is_tensor_product<R>)&&std::is_arithmetic_v<typename WorkingType<
        Acc, typename A::value_type>::type>&& are_products<Acc, TermList<Rest...>>;

/// Whether terms are summed where none is rounded before the last: in an output that is as wide as
/// sums are, or each in a sum of its own because there is only one.
template <class Acc, class Out, class Terms>
inline constexpr bool are_summed_in_output = std::is_same_v<Acc, Out>;
template <class Acc, class Out, class Term>
inline constexpr bool are_summed_in_output<Acc, Out, TermList<Term>> = true;

/// Whether FusedSweeps computes the vectors of a problem: of tensor-product bases, in real numbers
/// of one type, and with few enough terms for a kernel's arguments.
template <class Problem, class Vector, class Point = FusedPoint<Problem, 3, Vector>,
          class Acc = typename Point::Acc>
inline constexpr bool has_sweeps =
    std::is_floating_point_v<Acc>&& std::is_same_v<Acc, typename Point::G>&& are_summed_in_output<
        Acc, typename Problem::out_type::value_type, typename Problem::terms_type> &&
    sizeof(Problem) <= 3072 && are_products<Acc, typename Problem::terms_type>;

/// What a team has of a tensor-product basis.
template <class Acc, int D>
struct SweepSide {
  Acc* tables;  ///< by direction: functions, derivatives, each by point and function
  int functions[D], points[D];
  bool is_gradient;

  template <class Basis>
  KOKKOS_FUNCTION SweepSide(const Basis& basis, Acc* memory)
      : tables(memory), is_gradient(basis.is_gradient) {
    for (int d = 0; d < D; ++d) {
      functions[d] = static_cast<int>(basis.functions[d]);
      points[d] = static_cast<int>(basis.points[d]);
    }
  }

  KOKKOS_FUNCTION int components() const { return is_gradient ? D : 1; }

  /// Numbers when directions from first to last are of points and the others of functions.
  KOKKOS_FUNCTION int partWay(int first, int last) const {
    int product = 1;
    for (int d = 0; d < D; ++d) product *= first <= d && d < last ? points[d] : functions[d];
    return product;
  }
  KOKKOS_FUNCTION Acc* table(int direction, bool is_derivative) const {
    Acc* at = tables;
    for (int d = 0; d < direction; ++d) at += 2 * functions[d] * points[d];
    return at + (is_derivative ? functions[direction] * points[direction] : 0);
  }
  KOKKOS_FUNCTION int tableNumbers() const { return static_cast<int>(table(D, false) - tables); }
};

/// Sizes of FusedSweeps' work, in numbers of a cell but for tables.
struct SweepNumbers {
  int tables = 0;           ///< of a side
  int buffers[2] = {0, 0};  ///< what sweeps read and write in turns
  int fluxes = 0;           ///< of components that are kept until all are complete
  std::int64_t points = 0, cells = 0;
};

/// How FusedSweeps divides its work.
struct SweepPlan {
  SweepNumbers numbers;
  int cells = 1;  ///< of a team
  FastDivisor by_cells;
  Teams teams;
  bool fits = false;
};

/// \param launch  Team Size and Cells Per Team are honoured
/// \return a plan; one that does not fit if no scratch memory holds the cells of a team
SweepPlan sweepPlan(const SweepNumbers& numbers, int number_bytes, const LaunchSettings& launch,
                    const Machine& machine);

/// Element vectors and matrix-free products of tensor-product bases, direction by direction, a few
/// cells for each team: as Kontract_HostBasisApply.ipp, with cells of a team in the place of lanes.
template <class Problem, class Vector, int D>
struct FusedSweeps {
  using Point = FusedPoint<Problem, D, Vector>;
  using Acc = typename Point::Acc;
  using Side = SweepSide<Acc, D>;
  static constexpr bool is_load = !Vector::is_there;

  Problem problem;
  Vector vector;
  SweepPlan plan;

  static SweepNumbers numbers(const Problem& problem) {
    const FusedShape& s = problem.shape;
    SweepNumbers sum;
    sum.points = s.points;
    sum.cells = s.cells;
    addNumbers(problem.terms, s, sum);
    return sum;
  }

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(const Workers<Member>& team, std::int64_t piece) const {
    Work work;
    work.first_cell = piece * plan.cells;
    Acc* next = static_cast<Acc*>(team.scratch);
    work.tables[0] = next;
    work.tables[1] = next += plan.numbers.tables;
    next += plan.numbers.tables;
    for (int n = 0; n < 2; ++n) {
      work.buffers[n] = next;
      next += plan.numbers.buffers[n] * plan.cells;
    }
    work.fluxes = next;
    addTerms(problem.terms, team, work, true);
  }

 private:
  struct Work {
    std::int64_t first_cell;
    Acc* tables[2];  ///< of the left and the right side
    Acc* buffers[2];
    Acc* fluxes;
  };

  /// A sum of a sweep: a table times an array, and perhaps another one times another one.
  struct Sum {
    const Acc *table, *from;
    const Acc *second_table = nullptr, *second_from = nullptr;
  };
  /// Extents of a sweep. What is summed over is the slowest index of what it reads; the row is the
  /// fastest of what it makes.
  struct Sweep {
    int arrays, columns, rows, row_step, terms, term_step;
  };

  // Sweeps write buffers in turns: evaluate() begins in the first one and ends in this.
  static constexpr int at_points = D % 2;

  static void enlarge(int& numbers, int needed) {
    if (numbers < needed) numbers = needed;
  }
  static void addNumbers(const TermList<>&, const FusedShape&, SweepNumbers&) {}
  template <class First, class... Rest>
  static void addNumbers(const TermList<First, Rest...>& terms, const FusedShape& s,
                         SweepNumbers& sum) {
    const Side left(terms.first.left, nullptr);
    const int fluxes = left.components() * static_cast<int>(s.points);
    enlarge(sum.tables, left.tableNumbers());
    enlarge(sum.buffers[at_points], fluxes);
    for (int d = 1; d < D; ++d) {
      enlarge(sum.buffers[d % 2], left.components() * left.partWay(0, d));
    }
    if constexpr (!is_load) {
      const Side right(terms.first.right, nullptr);
      enlarge(sum.tables, right.tableNumbers());
      for (int d = 0; d <= D; ++d) {
        enlarge(sum.buffers[(D - d) % 2], right.components() * right.partWay(d, D));
      }
      if (s.left_blocks * s.right_blocks > 1) enlarge(sum.fluxes, s.left_blocks * fluxes);
    }
    addNumbers(terms.rest, s, sum);
  }

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void addTerms(const TermList<>&, const Team&, const Work&,
                                            bool) const {}
  template <class First, class... Rest, class Team>
  KOKKOS_FORCEINLINE_FUNCTION void addTerms(const TermList<First, Rest...>& terms, const Team& team,
                                            const Work& work, bool is_first) const {
    withComponents<D>(terms.first, [&](auto nl, auto nr) {
      this->template addTerm<decltype(nl)::value, decltype(nr)::value>(terms.first, team, work,
                                                                       is_first);
    });
    addTerms(terms.rest, team, work, false);
  }

  template <int NL, int NR, class Term, class Team>
  KOKKOS_INLINE_FUNCTION void addTerm(const Term& term, const Team& team, const Work& work,
                                      bool is_first) const {
    const FusedShape& s = problem.shape;
    const Side left(term.left, work.tables[0]);
    fillTables(team, term.left, left);
    if constexpr (is_load) {
      team.wait();
      for (int i = 0; i < s.left_blocks; ++i) {
        makeFluxes<NL, 1>(term, team, work, i, 1, 0, nullptr, work.buffers[at_points]);
        integrate(term, team, work, left, i, work.buffers[at_points], is_first);
      }
    } else {
      const Side right(term.right, work.tables[1]);
      fillTables(team, term.right, right);
      Acc* const values = work.buffers[at_points];
      const bool is_single = s.left_blocks * s.right_blocks == 1;
      Acc* const fluxes = is_single ? values : work.fluxes;
      for (int j = 0; j < s.right_blocks; ++j) {
        readVector(term, team, work, j);
        evaluate(team, work, right);
        makeFluxes<NL, NR>(term, team, work, 0, s.left_blocks, j, values, fluxes);
      }
      const int of_block = left.components() * static_cast<int>(s.points) * plan.cells;
      for (int i = 0; i < s.left_blocks; ++i) {
        integrate(term, team, work, left, i, fluxes + i * of_block, is_first);
      }
    }
  }

  template <class Team, class Basis>
  KOKKOS_INLINE_FUNCTION void fillTables(const Team& team, const Basis& basis,
                                         const Side& side) const {
    for (int d = 0; d < D; ++d) {
      const int functions = side.functions[d], numbers = functions * side.points[d];
      Acc* const to = side.table(d, false);
      team.share(side.is_gradient ? 2 * numbers : numbers, [&](std::int64_t n) {
        const int entry = static_cast<int>(n) % numbers;
        const int f = entry % functions, p = entry / functions;
        to[n] = Acc(n < numbers ? basis.values[d].at(0, f, p) : basis.derivatives[d].at(0, f, p));
      });
    }
  }

  /// The cell of a team, or the last cell for those past it.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t cellOf(const Work& work, int cell) const {
    const std::int64_t c = work.first_cell + cell, last = problem.shape.cells - 1;
    return c < last ? c : last;
  }

  template <class Term, class Team>
  KOKKOS_INLINE_FUNCTION void readVector(const Term& term, const Team& team, const Work& work,
                                         int j) const {
    const FusedShape& s = problem.shape;
    const int cells = plan.cells;
    team.wait();  // the buffer may still be read
    team.share(s.rights * cells, [&](std::int64_t n) {
      int r = static_cast<int>(n);
      const std::int64_t c = cellOf(work, takeCell(r));
      Acc x(vector.at(c, r * s.right_blocks + j, 0));
      if constexpr (std::decay_t<decltype(term.right_signs)>::is_there) {
        x = x * Acc(term.right_signs.at(c, r, 0));
      }
      work.buffers[0][n] = x;
    });
    team.wait();
  }

  /// The cell of the team that a number of its work stands for, and what is left of the number.
  KOKKOS_FORCEINLINE_FUNCTION int takeCell(int& number) const {
    auto rest = static_cast<std::uint32_t>(number);
    const auto cell = static_cast<int>(plan.by_cells.takeFrom(rest));
    number = static_cast<int>(rest);
    return cell;
  }

  static constexpr int block = 4;  ///< rows that a thread sums at a time

  KOKKOS_FORCEINLINE_FUNCTION static void multiply(const Sweep& extents, const Acc* table,
                                                   const Acc* from, int from_step,
                                                   const int (&offsets)[block],
                                                   Acc (&sums)[block]) {
    for (int k = 0; k < extents.terms; ++k, table += extents.term_step, from += from_step) {
      for (int i = 0; i < block; ++i) sums[i] += table[offsets[i]] * *from;
    }
  }

  template <class Team, class SumOf, class Put>
  KOKKOS_INLINE_FUNCTION void sweep(const Team& team, const Sweep& extents, const SumOf& sumOf,
                                    const Put& put) const {
    const int width = extents.columns * plan.cells, last = extents.rows - 1;
    team.share(std::int64_t(extents.arrays) * width, [&](std::int64_t n) {
      int at = static_cast<int>(n), array = 0;
      for (; at >= width; at -= width) ++array;
      int column = at;
      const int cell = takeCell(column);
      const Sum sum = sumOf(array);
      for (int row = 0; row <= last; row += block) {
        Acc sums[block] = {};
        int offsets[block];
        for (int i = 0; i < block; ++i) {
          offsets[i] = (row + i < last ? row + i : last) * extents.row_step;
        }
        multiply(extents, sum.table, sum.from + at, width, offsets, sums);
        if (sum.second_table != nullptr) {
          multiply(extents, sum.second_table, sum.second_from + at, width, offsets, sums);
        }
        for (int i = 0; i < block && row + i <= last; ++i) {
          put(array, column * extents.rows + row + i, cell, sums[i]);
        }
      }
    });
    team.wait();
  }

  /// What puts sums into arrays of so many numbers of a cell, one after another.
  KOKKOS_FORCEINLINE_FUNCTION auto into(Acc* to, int size) const {
    const int cells = plan.cells;
    return [=](int array, int index, int cell, const Acc& sum) {
      to[(array * size + index) * cells + cell] = sum;
    };
  }

  /// From the vector in the first buffer to values at points. Arrays on the way are one without
  /// derivatives, and one for the derivative in each direction that was swept.
  template <class Team>
  KOKKOS_INLINE_FUNCTION void evaluate(const Team& team, const Work& work, const Side& side) const {
    for (int swept = 0; swept < D; ++swept) {
      const int d = D - 1 - swept, source = swept % 2;
      const int from_size = side.partWay(d + 1, D), size = side.partWay(d, D);
      const int rows = side.points[d];
      const int arrays = !side.is_gradient ? 1 : d > 0 ? swept + 2 : swept + 1;
      const Sweep extents{
          arrays, rows > 0 ? size / rows : 0, rows, side.functions[d], side.functions[d], 1};
      const Acc* const from = work.buffers[source];
      const Acc *const functions = side.table(d, false), *const derivatives = side.table(d, true);
      const int step = from_size * plan.cells;
      sweep(
          team, extents,
          [&](int array) {
            const int derivative = d > 0 ? 1 : 0;
            const bool is_derivative = side.is_gradient && array == derivative;
            const int of = array > derivative ? array - derivative : 0;
            return Sum{is_derivative ? derivatives : functions, from + of * step};
          },
          into(work.buffers[1 - source], size));
    }
  }

  /// From fluxes at points to the output. Arrays on the way are those of components whose
  /// direction is to come, and the sum of the others.
  template <class Term, class Team>
  KOKKOS_INLINE_FUNCTION void integrate(const Term& term, const Team& team, const Work& work,
                                        const Side& side, int i, const Acc* from,
                                        bool is_first) const {
    for (int swept = 0; swept < D; ++swept) {
      const int d = D - 1 - swept;
      const int from_size = side.partWay(0, d + 1), size = side.partWay(0, d);
      const int rows = side.functions[d], step = from_size * plan.cells;
      const Acc *const functions = side.table(d, false), *const derivatives = side.table(d, true);
      const int arrays = side.is_gradient ? d + 1 : 1;
      const Sweep extents{arrays,         rows > 0 ? size / rows : 0, rows, 1,
                          side.points[d], side.functions[d]};
      const auto sumOf = [&](int array) {
        const bool is_derivative = side.is_gradient && array == d;
        Sum sum{is_derivative ? derivatives : functions, from + array * step};
        if (is_derivative && d < D - 1) {
          sum.second_table = functions;
          sum.second_from = from + (array + 1) * step;
        }
        return sum;
      };
      if (d > 0) {
        sweep(team, extents, sumOf, into(work.buffers[d % 2], size));
        from = work.buffers[d % 2];
      } else {
        sweep(team, extents, sumOf, [&](int, int l, int cell, const Acc& sum) {
          this->put(term, work.first_cell + cell, l, i, sum, is_first);
        });
      }
    }
  }

  template <class Term>
  KOKKOS_FORCEINLINE_FUNCTION void put(const Term& term, std::int64_t c, int l, int i, Acc sum,
                                       bool is_first) const {
    const FusedShape& s = problem.shape;
    if (c >= s.cells) return;
    if constexpr (std::decay_t<decltype(term.left_signs)>::is_there) {
      sum = sum * Acc(term.left_signs.at(c, l, 0));
    }
    auto&& to =
        problem.out.elements[c * problem.out.cell + (l * s.left_blocks + i) * problem.out.row];
    if (is_first && !s.sum_into) {
      Impl::store<false>(to, sum);
    } else {
      Impl::store<true>(to, sum);
    }
  }

  /// What right component j contributes to the left ones from `first` on at all points.
  template <int NL, int NR, class Term, class Team>
  KOKKOS_INLINE_FUNCTION void makeFluxes(const Term& term, const Team& team, const Work& work,
                                         int first, int blocks, int j, const Acc* values,
                                         Acc* fluxes) const {
    const int cells = plan.cells, component = static_cast<int>(problem.shape.points) * cells;
    team.share(component, [&](std::int64_t n) {
      int p = static_cast<int>(n);
      const std::int64_t c = cellOf(work, takeCell(p));
      const auto geometry = Point::geometry(problem, c, p);
      Acc u[NR];
      for (int b = 0; b < NR; ++b) u[b] = is_load ? Acc(1) : values[b * component + n];
      for (int i = first; i < first + blocks; ++i) {
        Acc flux[NL] = {};
        addFlux<NL, NR>(term, geometry, c, p, i, j, u, flux);
        Acc* const to = fluxes + (i - first) * NL * component + n;
        for (int a = 0; a < NL; ++a) {
          to[a * component] = j == 0 ? flux[a] : to[a * component] + flux[a];
        }
      }
    });
    team.wait();
  }

  template <int NL, int NR, class Term>
  KOKKOS_INLINE_FUNCTION void addFlux(const Term& term, const PointGeometry<D, Acc>& geometry,
                                      std::int64_t c, std::int64_t p, int i, int j,
                                      const Acc (&u)[NR], Acc (&flux)[NL]) const {
    if (is_load || term.kind == CoefficientKind::Elastic) {
      typename Point::template Of<Term>::K k[NL][NR] = {};
      if (!Point::metric(term, geometry, c, p, i, j, k)) return;
      for (int a = 0; a < NL; ++a) {
        for (int b = 0; b < NR; ++b) flux[a] += Acc(k[a][b]) * u[b];
      }
    } else if (i == j || term.coefficient_is_vector_of_blocks) {
      Acc coefficient[9] = {};
      Point::template coefficient<NL, NR>(term, c, p, i, coefficient);
      fluxAt<D>(term.left_pullback, term.right_pullback, term.kind, geometry, coefficient, u, flux);
    }
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
