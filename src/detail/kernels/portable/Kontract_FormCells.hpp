// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FORMCELLS_HPP
#define KONTRACT_FORMCELLS_HPP

#include "Kontract_FastDivisor.hpp"
#include "Kontract_FormEntry.hpp"
#include "Kontract_Unroll.hpp"
#include "Kontract_Workers.hpp"

namespace Kontract {
namespace Impl {

/// Threads of a team that have registers for the matrix of a cell.
inline constexpr int max_cell_threads = 128;

/// The scratch memory of a team: values of both sides of terms and gradients of the nodes'
/// functions at all points, and the nodes of its cells where threads have no registers for them, or
/// rows that wait to be stored. Cells have no more nodes than threads have registers for fields.
struct CellFormLayout {
  int cells = 1;   ///< of a team
  int fields = 4;  ///< of either side that threads have registers for
  int dimension = 2, points = 0, terms = 1;
  int nodes = 0;                 ///< of a cell; 0: there are Jacobians
  bool has_same_values = false;  ///< on both sides

  KOKKOS_FORCEINLINE_FUNCTION int ofValues() const { return points * fields * dimension; }
  KOKKOS_FORCEINLINE_FUNCTION int ofSides() const { return has_same_values ? 1 : 2; }
  KOKKOS_FORCEINLINE_FUNCTION int ofTables() const { return terms * ofSides() * ofValues(); }
  KOKKOS_FORCEINLINE_FUNCTION int ofGradients() const { return nodes > 0 ? ofValues() : 0; }
  /// Rows are an odd number apart, so that neighbouring cells are in different banks.
  KOKKOS_FORCEINLINE_FUNCTION int rowStep() const { return fields | 1; }
  KOKKOS_FORCEINLINE_FUNCTION int ofCell() const {
    const int of_nodes = nodes > 0 ? fields * dimension : 0;
    return of_nodes > rowStep() ? of_nodes : rowStep();
  }
  KOKKOS_FORCEINLINE_FUNCTION int numbers() const {
    return ofTables() + ofGradients() + cells * ofCell();
  }
};

/// Element matrices of cells that have few fields: a thread computes a cell, whose matrix it has in
/// registers, so that nobody waits for what others compute. Of a matrix that is symmetric by itself
/// it has the lower half.
/// \tparam F  fields on either side, or more
template <class Problem, int D, int F, bool is_half>
struct FormCells {
  using Point = FormPoint<Problem, D>;
  using Acc = typename Point::Acc;
  using Sums = Acc[F][F];
  using Nodes = Acc[F][D];
  /// Registers for all sums and for what is at a point.
  using Bounds = Kokkos::LaunchBounds<max_cell_threads, (F <= 4 ? 3 : 2)>;

  Problem problem;
  CellFormLayout layout;
  FastDivisor by_rights;
  std::int64_t pieces;  ///< of work for each pair of components; one is every so many batches

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(const Workers<Member>& team, std::int64_t piece) const {
    Acc* const tables = static_cast<Acc*>(team.scratch);
    fillTables(team, tables);
    team.wait();
    Batch batch;
    batch.tables = tables;
    batch.gradients = tables + layout.ofTables();
    batch.nodes = tables + layout.ofTables() + layout.ofGradients();
    batch.blocks = formPair(problem.shape, static_cast<int>(piece / pieces));
    batch.first_cell = piece % pieces * layout.cells;
    for (; batch.first_cell < problem.shape.cells; batch.first_cell += pieces * layout.cells) {
      const int workers = team.member.team_size();
      for (int first = 0; first < layout.cells; first += workers) {
        computeCells(team, batch, first);
      }
    }
  }

 private:
  /// Whether a thread has registers for the nodes of its cell besides.
  static constexpr bool keeps_nodes = is_half || F < 8;

  struct Batch {
    std::int64_t first_cell;
    FormPair blocks;  ///< of components
    const Acc *tables, *gradients;
    Acc* nodes;  ///< by node, component and cell; or a row of each cell
  };

  KOKKOS_FORCEINLINE_FUNCTION std::int64_t cellOf(const Batch& batch, int cell) const {
    return problem.scatter.cell(batch.first_cell + cell);
  }
  KOKKOS_FORCEINLINE_FUNCTION bool isThere(const Batch& batch, int cell) const {
    return cell < layout.cells && batch.first_cell + cell < problem.shape.cells;
  }

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void fillTables(const Team& team, Acc* to) const {
    const FormShape& s = problem.shape;
    forEachTerm(problem.terms, [&](const auto& term) {
      fillValues(team, term.left, term.left_is_vector ? D : 1, s.lefts, to);
      to += layout.ofValues();
      if (layout.has_same_values) return;
      fillValues(team, term.right, term.right_is_vector ? D : 1, s.rights, to);
      to += layout.ofValues();
    });
    if (layout.nodes == 0) return;
    Acc* const gradients = static_cast<Acc*>(team.scratch) + layout.ofTables();
    team.share(layout.points * F, [&](int n) {
      const int p = n / F, node = n - p * F;
      for (int j = 0; j < D; ++j) {
        gradients[n * D + j] =
            node < layout.nodes ? Acc(problem.gradients.at(0, node, p, j)) : Acc(0);
      }
    });
  }

  /// By point, field and component; zeros for fields past the last one.
  template <class Team, class Values>
  KOKKOS_FORCEINLINE_FUNCTION void fillValues(const Team& team, const Values& values,
                                              int components, std::int64_t fields, Acc* to) const {
    team.share(layout.points * F, [&](int n) {
      const int p = n / F, f = n - p * F;
      for (int a = 0; a < components; ++a) {
        to[n * components + a] = f < fields ? Acc(values.referenceAt(f, p, a)) : Acc(0);
      }
    });
  }

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void computeCells(const Team& team, const Batch& batch,
                                                int first) const {
    const int cell = first + team.member.team_rank();
    const bool is_there = isThere(batch, cell);
    Sums sums;
    KONTRACT_UNROLL
    for (int l = 0; l < F; ++l) {
      KONTRACT_UNROLL
      for (int r = 0; r < F; ++r) sums[l][r] = Acc(0);
    }
    if (is_there) {
      Nodes nodes;
      loadNodes(batch, cell, nodes);
      addPoints(batch, cell, nodes, sums);
      applySigns(batch, cell, sums);
    }
    if (problem.isScattered()) {
      if (is_there) addEntries(batch, cell, sums);
    } else if (problem.shape.cell_fastest) {
      if (is_there) storeEntries(batch, cell, sums);
    } else {
      storeByRows<false>(team, batch, first, is_there, sums);
      if (isMirrored(batch)) storeByRows<true>(team, batch, first, is_there, sums);
    }
  }

  /// Zeros past the last node.
  KOKKOS_FORCEINLINE_FUNCTION void loadNodes(const Batch& batch, int cell, Nodes& nodes) const {
    if (layout.nodes == 0) return;
    const std::int64_t c = cellOf(batch, cell);
    KONTRACT_UNROLL
    for (int n = 0; n < F; ++n) {
      KONTRACT_UNROLL
      for (int i = 0; i < D; ++i) {
        const Acc x = n < layout.nodes ? Acc(problem.mapping.at(c, n, 0, i)) : Acc(0);
        if constexpr (keeps_nodes) {
          nodes[n][i] = x;
        } else {
          batch.nodes[(n * D + i) * layout.cells + cell] = x;
        }
      }
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void setJacobian(const Batch& batch, int cell, int p,
                                               const Nodes& nodes, Acc (&jacobian)[D][D]) const {
    const Acc* const gradients = batch.gradients + p * F * D;
    KONTRACT_UNROLL
    for (int n = 0; n < F; ++n) {
      KONTRACT_UNROLL
      for (int i = 0; i < D; ++i) {
        Acc x;
        if constexpr (keeps_nodes) {
          x = nodes[n][i];
        } else {
          x = batch.nodes[(n * D + i) * layout.cells + cell];
        }
        KONTRACT_UNROLL
        for (int j = 0; j < D; ++j) {
          const Acc product = x * gradients[n * D + j];
          jacobian[i][j] = n == 0 ? product : jacobian[i][j] + product;
        }
      }
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void addPoints(const Batch& batch, int cell, const Nodes& nodes,
                                             Sums& sums) const {
    const std::int64_t c = cellOf(batch, cell);
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#pragma unroll 1
#endif
    for (int p = 0; p < layout.points; ++p) {
      PointGeometry<D, Acc> at;
      if (layout.nodes > 0) {
        setJacobian(batch, cell, p, nodes, at.jacobian);
        completeJacobian(problem, c, p, at);
      } else {
        at = Point::geometry(problem, c, p);
      }
      const Acc* values = batch.tables;
      forEachTerm(problem.terms, [&](const auto& term) {
        withComponents<D>(term, [&](auto nl, auto nr) {
          this->template addTerm<decltype(nl)::value, decltype(nr)::value>(term, batch, at, c, p,
                                                                           values, sums);
        });
        values += layout.ofSides() * layout.ofValues();
      });
    }
  }

  /// \param values  of both sides of the term at all points
  template <int NL, int NR, class Term>
  KOKKOS_FORCEINLINE_FUNCTION void addTerm(const Term& term, const Batch& batch,
                                           const PointGeometry<D, Acc>& at, std::int64_t c, int p,
                                           const Acc* values, Sums& sums) const {
    if constexpr (!is_half || NL == NR) {
      typename Point::template Of<Term>::K k[NL][NR] = {};
      // Without a matrix between those components it stays 0.
      Point::template pointMatrix<NL, NR>(problem, term, at, c, p, batch.blocks.i, batch.blocks.j,
                                          k);
      const Acc* const left = values + p * F * NL;
      const Acc* const right =
          values + (layout.has_same_values ? 0 : layout.ofValues()) + p * F * NR;
      KONTRACT_UNROLL
      for (int r = 0; r < F; ++r) {
        Acc product[NL];
        KONTRACT_UNROLL
        for (int a = 0; a < NL; ++a) {
          product[a] = Acc(k[a][0]) * right[r * NR];
          KONTRACT_UNROLL
          for (int b = 1; b < NR; ++b) multiplyAdd(product[a], Acc(k[a][b]), right[r * NR + b]);
        }
        KONTRACT_UNROLL
        for (int l = is_half ? r : 0; l < F; ++l) {
          KONTRACT_UNROLL
          for (int a = 0; a < NL; ++a) multiplyAdd(sums[l][r], left[l * NL + a], product[a]);
        }
      }
    }
  }

  static KOKKOS_FORCEINLINE_FUNCTION Acc entryOf(const Sums& sums, int l, int r) {
    return is_half && r > l ? sums[r][l] : sums[l][r];
  }

  KOKKOS_FORCEINLINE_FUNCTION void applySigns(const Batch& batch, int cell, Sums& sums) const {
    if (!problem.left_signs.isThere() && !problem.right_signs.isThere()) return;
    const std::int64_t c = cellOf(batch, cell);
    KONTRACT_UNROLL
    for (int l = 0; l < F; ++l) {
      KONTRACT_UNROLL
      for (int r = 0; r < (is_half ? l + 1 : F); ++r) {
        if (l >= problem.shape.lefts || r >= problem.shape.rights) continue;
        sums[l][r] = signedSum<D>(problem, c, l, r, sums[l][r]);
      }
    }
  }

  /// Whether entries of transposed pairs of components are those of this pair.
  KOKKOS_FORCEINLINE_FUNCTION bool isMirrored(const Batch& batch) const {
    return problem.shape.is_symmetric && batch.blocks.i != batch.blocks.j;
  }

  /// Calls f(row, column, l, r) with the entries of a cell, row by row.
  /// \param is_mirror  of the transposed pair of components
  template <class Use>
  KOKKOS_FORCEINLINE_FUNCTION void forEachEntry(const Batch& batch, bool is_mirror,
                                                const Use& f) const {
    const FormShape& s = problem.shape;
    const int i = is_mirror ? batch.blocks.j : batch.blocks.i;
    const int j = is_mirror ? batch.blocks.i : batch.blocks.j;
    KONTRACT_UNROLL
    for (int l = 0; l < F; ++l) {
      if (l >= s.lefts) continue;
      KONTRACT_UNROLL
      for (int r = 0; r < F; ++r) {
        if (r < s.rights) f(l * s.left_blocks + i, r * s.right_blocks + j, l, r);
      }
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void addEntries(const Batch& batch, int cell,
                                              const Sums& sums) const {
    const FormShape& s = problem.shape;
    const std::int64_t c = cellOf(batch, cell), columns = s.rights * s.right_blocks;
    const std::int64_t rows = s.lefts * s.left_blocks;
    problem.scatter.withOffsets([&](const auto& offset_of) {
      const auto add = [&](bool is_mirror) {
        KONTRACT_UNROLL
        for (int l = 0; l < F; ++l) {
          if (l >= s.lefts) continue;
          const std::int64_t row =
              l * s.left_blocks + (is_mirror ? batch.blocks.j : batch.blocks.i);
          const std::int64_t start = problem.scatter.startOf(c, row);
          if (start < 0) continue;
          const std::int64_t entry =
              (c * rows + row) * columns + (is_mirror ? batch.blocks.i : batch.blocks.j);
          std::int64_t offsets[F];
          KONTRACT_UNROLL
          for (int r = 0; r < F; ++r) {
            offsets[r] = r < s.rights ? offset_of(entry + r * s.right_blocks) : -1;
          }
          KONTRACT_UNROLL
          for (int r = 0; r < F; ++r) {
            if (offsets[r] < 0) continue;
            problem.scatter.addTo(problem.out.data[start + offsets[r]],
                                  is_mirror ? entryOf(sums, r, l) : entryOf(sums, l, r));
          }
        }
      };
      add(false);
      if (isMirrored(batch)) add(true);
    });
  }

  /// Where neighbours in memory are neighbouring cells.
  KOKKOS_FORCEINLINE_FUNCTION void storeEntries(const Batch& batch, int cell,
                                                const Sums& sums) const {
    const std::int64_t c = cellOf(batch, cell);
    forEachEntry(batch, false, [&](std::int64_t row, std::int64_t column, int l, int r) {
      storeEntry(problem, c, row, column, entryOf(sums, l, r));
    });
    if (!isMirrored(batch)) return;
    forEachEntry(batch, true, [&](std::int64_t row, std::int64_t column, int l, int r) {
      storeEntry(problem, c, row, column, entryOf(sums, r, l));
    });
  }

  /// Rows of all cells of a team go through scratch memory, so that neighbours write to neighbours.
  template <bool is_mirror, class Team>
  KOKKOS_FORCEINLINE_FUNCTION void storeByRows(const Team& team, const Batch& batch, int first,
                                               bool is_there, const Sums& sums) const {
    const FormShape& s = problem.shape;
    const int rights = static_cast<int>(s.rights), workers = team.member.team_size();
    const int i = is_mirror ? batch.blocks.j : batch.blocks.i;
    const int j = is_mirror ? batch.blocks.i : batch.blocks.j;
    Acc* const staged = batch.nodes;
    KONTRACT_UNROLL
    for (int l = 0; l < F; ++l) {
      if (l >= s.lefts) continue;
      team.wait();
      if (is_there) {
        KONTRACT_UNROLL
        for (int r = 0; r < F; ++r) {
          staged[team.member.team_rank() * layout.rowStep() + r] =
              is_mirror ? entryOf(sums, r, l) : entryOf(sums, l, r);
        }
      }
      team.wait();
      team.share(rights * workers, [&](int n) {
        auto of_cells = static_cast<std::uint32_t>(n);
        const int r = static_cast<int>(by_rights.takeFrom(of_cells));
        const int cell = static_cast<int>(of_cells);
        if (!isThere(batch, first + cell)) return;
        storeEntry(problem, cellOf(batch, first + cell), l * s.left_blocks + i,
                   r * s.right_blocks + j, staged[cell * layout.rowStep() + r]);
      });
    }
    team.wait();  // nodes come where rows were
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
