// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FORMTILES_HPP
#define KONTRACT_FORMTILES_HPP

#include "Kontract_FastDivisor.hpp"
#include "Kontract_FormEntry.hpp"
#include "Kontract_TeamCells.hpp"
#include "Kontract_Workers.hpp"

namespace Kontract {
namespace Impl {

/// How teams cut the element matrices of some cells into register tiles.
struct FormTileSizes {
  int cells = 1;                            ///< of a team
  int rows = 1, columns = 1;                ///< of tiles in a matrix
  int tiles = 1;                            ///< of a cell: of a symmetric matrix its lower half
  int points = 1;                           ///< whose values are in scratch memory at a time
  int padded_lefts = 1, padded_rights = 1;  ///< fields of all tiles
  int staged_rows = 1;                      ///< of matrices, that are in scratch memory at a time
  std::int64_t work_at = 0;                 ///< scalars of scratch memory that nodes take
  FastDivisor by_cells, by_lefts, by_rights;
  bool has_same_values = false;  ///< on both sides
};

/// Scalars that the start of a row takes in scratch memory.
constexpr int formTileStartSize(int scalar_bytes) {
  return static_cast<int>(sizeof(std::int64_t)) / scalar_bytes;
}

/// Element matrices by teams: the nodes of some cells come into scratch memory, and of
/// some points at a time the values of both sides and the small matrices between them, which are
/// computed once. Each worker adds them to a register tile of one cell. Finished matrices go
/// through scratch memory, so that neighbouring workers write, or add, to neighbours in memory.
/// \tparam fields  of a register tile, on each side
template <class Problem, int D, int fields>
struct FormTiles {
  using Point = FormPoint<Problem, D>;
  using Acc = typename Point::Acc;
  using Sums = Acc[fields][fields];
  static constexpr int start_size = formTileStartSize(sizeof(Acc));

  Problem problem;
  FormTileSizes sizes;

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(const Workers<Member>& team, std::int64_t piece) const {
    const FormShape& s = problem.shape;
    const std::int64_t batches = (s.cells + sizes.cells - 1) / sizes.cells;
    Batch batch;
    batch.cells.first = piece % batches * sizes.cells;
    batch.cells.count = sizes.cells;
    batch.cells.node_count = nodes();
    const FormPair of = formPair(s, static_cast<int>(piece / batches));
    batch.i = of.i, batch.j = of.j;
    batch.cells.nodes = static_cast<Acc*>(team.scratch);
    batch.work = batch.cells.nodes + sizes.work_at;
    loadNodes(team, batch);
    const int workers = team.member.team_size(), rank = team.member.team_rank();
    const int tiles = sizes.cells * sizes.tiles;
    for (int first = 0; first < tiles; first += workers) {
      const Round round{first, first + workers < tiles ? first + workers : tiles};
      const Tile tile = tileAt(first + rank);
      Sums sums;
      for (auto& row : sums) {
        for (Acc& sum : row) sum = Acc(0);
      }
      forEachTerm(problem.terms, [&](const auto& term) {
        withComponents<D>(term, [&](auto nl, auto nr) {
          this->template addTerm<decltype(nl)::value, decltype(nr)::value>(term, team, batch, tile,
                                                                           sums);
        });
      });
      storeRound(team, batch, round, tile, sums);
    }
  }

 private:
  /// The cells of a team and the components of their fields; where it works on them.
  struct Batch {
    TeamCells<Problem, D> cells;
    int i, j;
    Acc* work;
  };

  /// A register tile: its cell of the team, -1 if there is none, and its first fields.
  struct Tile {
    int cell, left, right;
  };

  /// Tiles that workers have at a time: all of a team, unless it has fewer workers.
  struct Round {
    int first, last;
  };

  /// At some points: values of both sides, gradients of the nodes' functions, and the matrices
  /// between the values.
  struct Operands {
    Acc *left, *right, *gradients, *matrices;
  };

  /// Calls f(n) for n below count, neighbours in neighbouring workers, which are threads here.
  template <class Team, class F>
  static KOKKOS_FORCEINLINE_FUNCTION void share(const Team& team, int count, const F& f) {
    const int workers = team.member.team_size();
    for (int n = team.member.team_rank(); n < count; n += workers) f(n);
  }

  /// Whether the matrix of a pair is symmetric by itself: its lower half is computed.
  KOKKOS_FORCEINLINE_FUNCTION bool isHalf(const Batch& batch) const {
    return problem.shape.is_symmetric && batch.i == batch.j;
  }

  KOKKOS_FORCEINLINE_FUNCTION Tile tileAt(int n) const {
    if (n >= sizes.cells * sizes.tiles) return {-1, 0, 0};
    Tile tile;
    tile.cell = n / sizes.tiles;
    int of_cell = n - tile.cell * sizes.tiles, row = 0;
    if (sizes.tiles == sizes.rows * sizes.columns) {
      row = of_cell / sizes.columns;
      of_cell -= row * sizes.columns;
    } else {
      while (of_cell > row) of_cell -= ++row;
    }
    tile.left = row * fields;
    tile.right = of_cell * fields;
    return tile;
  }

  KOKKOS_FORCEINLINE_FUNCTION bool hasNodes() const { return problem.gradients.isThere(); }
  /// Whose gradients are in scratch memory.
  KOKKOS_FORCEINLINE_FUNCTION int nodes() const {
    return hasNodes() ? static_cast<int>(problem.shape.nodes) : 0;
  }

  /// Nodes are by node, component and cell, so that neighbouring workers have neighbouring cells.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void loadNodes(const Team& team, const Batch& batch) const {
    if (!hasNodes()) return;
    share(team, nodes() * sizes.cells, [&](int n) {
      std::uint32_t node = static_cast<std::uint32_t>(n);
      const int cell = static_cast<int>(sizes.by_cells.takeFrom(node));
      batch.cells.loadNode(problem, static_cast<int>(node), cell);
    });
  }

  template <int NL, int NR, class Term, class Team>
  KOKKOS_FORCEINLINE_FUNCTION void addTerm(const Term& term, const Team& team, const Batch& batch,
                                           const Tile& tile, Sums& sums) const {
    Operands of;
    of.left = batch.work;
    const bool are_same = sizes.has_same_values;
    of.right = are_same ? of.left : of.left + sizes.points * NL * sizes.padded_lefts;
    of.gradients = of.right + sizes.points * NR * sizes.padded_rights;
    of.matrices = of.gradients + sizes.points * nodes() * D;
    const int points = static_cast<int>(problem.shape.points);
    for (int first = 0; first < points; first += sizes.points) {
      const int count = points - first < sizes.points ? points - first : sizes.points;
      team.wait();  // what was there may still be read
      loadValues<NL>(team, term.left, problem.shape.lefts, sizes.padded_lefts, first, count,
                     of.left);
      if (!are_same) {
        loadValues<NR>(team, term.right, problem.shape.rights, sizes.padded_rights, first, count,
                       of.right);
      }
      loadGradients(team, first, count, of.gradients);
      if (hasNodes()) team.wait();
      makeMatrices<NL, NR>(term, team, batch, first, count, of);
      team.wait();
      if (tile.cell >= 0) addPoints<NL, NR>(of, tile, count, sums);
    }
  }

  /// Values at some points: by point, component and field; zeros for fields past the last one.
  template <int N, class Team, class Values>
  KOKKOS_FORCEINLINE_FUNCTION void loadValues(const Team& team, const Values& values,
                                              std::int64_t count_of_fields, int padded, int first,
                                              int points, Acc* to) const {
    const int workers = team.member.team_size(), rank = team.member.team_rank();
    const int fields_on = workers / points, points_on = workers - fields_on * points;
    int f = rank / points, p = rank - f * points;
    while (f < padded) {
      for (int a = 0; a < N; ++a) {
        to[(p * N + a) * padded + f] =
            f < count_of_fields ? Acc(values.referenceAt(f, first + p, a)) : Acc(0);
      }
      f += fields_on, p += points_on;
      if (p >= points) p -= points, ++f;
    }
  }

  /// Gradients of the nodes' functions at some points: by point, node and component.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void loadGradients(const Team& team, int first, int points,
                                                 Acc* to) const {
    const int all = nodes();
    share(team, all * points, [&](int n) {
      const int p = n / all, node = n - p * all;
      for (int j = 0; j < D; ++j) to[n * D + j] = Acc(problem.gradients.at(0, node, first + p, j));
    });
  }

  /// Odd numbers of scalars between neighbouring cells are in different banks of memory.
  template <int NL, int NR>
  static constexpr int matrix_step = (NL * NR) | 1;

  /// The matrices between left and right values at some points: by point and cell.
  template <int NL, int NR, class Term, class Team>
  KOKKOS_FORCEINLINE_FUNCTION void makeMatrices(const Term& term, const Team& team,
                                                const Batch& batch, int first, int points,
                                                const Operands& of) const {
    Acc* const to = of.matrices;
    share(team, points * sizes.cells, [&](int n) {
      std::uint32_t p = static_cast<std::uint32_t>(n);
      const int cell = static_cast<int>(sizes.by_cells.takeFrom(p));
      const std::int64_t c = batch.cells.at(problem, cell), point = first + p;
      PointGeometry<D, Acc> geometry;
      if (hasNodes()) {
        geometry =
            geometryOfNodes<D>(problem, c, point, nodes(), batch.cells.nodes + cell, sizes.cells,
                               NodeGradients<Acc>{of.gradients + p * nodes() * D, D, 1});
      } else {
        geometry = Point::geometry(problem, c, point);
      }
      typename Point::template Of<Term>::K k[NL][NR] = {};
      // Without a matrix between those components it stays 0.
      Point::template pointMatrix<NL, NR>(problem, term, geometry, c, point, batch.i, batch.j, k);
      for (int a = 0; a < NL; ++a) {
        for (int b = 0; b < NR; ++b) to[n * matrix_step<NL, NR> + a * NR + b] = k[a][b];
      }
    });
  }

  template <int NL, int NR>
  KOKKOS_FORCEINLINE_FUNCTION void addPoints(const Operands& of, const Tile& tile, int points,
                                             Sums& sums) const {
    const Acc* k = of.matrices + tile.cell * matrix_step<NL, NR>;
    const Acc *left = of.left + tile.left, *right = of.right + tile.right;
    for (int p = 0; p < points; ++p) {
      Acc products[fields][NL];
      for (int r = 0; r < fields; ++r) {
        for (int a = 0; a < NL; ++a) {
          products[r][a] = k[a * NR] * right[r];
          for (int b = 1; b < NR; ++b) {
            multiplyAdd(products[r][a], k[a * NR + b], right[b * sizes.padded_rights + r]);
          }
        }
      }
      for (int a = 0; a < NL; ++a) {
        for (int l = 0; l < fields; ++l) {
          const Acc value = left[a * sizes.padded_lefts + l];
          for (int r = 0; r < fields; ++r) multiplyAdd(sums[l][r], value, products[r][a]);
        }
      }
      k += sizes.cells * matrix_step<NL, NR>;
      left += NL * sizes.padded_lefts;
      right += NR * sizes.padded_rights;
    }
  }

  /// Rows of the matrices of a team, one cell after another.
  struct Rows {
    int first, last;
  };

  KOKKOS_FORCEINLINE_FUNCTION bool isWhole(const Round& round) const {
    return round.last - round.first == sizes.cells * sizes.tiles;
  }

  /// Rows that tiles of a round have.
  KOKKOS_FORCEINLINE_FUNCTION Rows rowsOf(const Batch& batch, const Round& round) const {
    const int lefts = static_cast<int>(problem.shape.lefts);
    const std::int64_t cells = problem.shape.cells - batch.cells.first;
    const int end = lefts * static_cast<int>(cells < sizes.cells ? cells : sizes.cells);
    const Tile first = tileAt(round.first), last = tileAt(round.last - 1);
    const int below = last.left + fields < lefts ? last.left + fields : lefts;
    const Rows rows{first.cell * lefts + first.left, last.cell * lefts + below};
    return {rows.first, rows.last < end ? rows.last : end};
  }

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void storeRound(const Team& team, const Batch& batch,
                                              const Round& round, const Tile& tile,
                                              const Sums& sums) const {
    const Rows rows = rowsOf(batch, round);
    for (Rows staged{rows.first, rows.first}; staged.first < rows.last;
         staged.first = staged.last) {
      const int end = staged.first + sizes.staged_rows;
      staged.last = end < rows.last ? end : rows.last;
      team.wait();
      if (tile.cell >= 0) stage(batch, round, tile, sums, staged);
      if (addsWhole(round)) {
        findStarts(team, batch, staged);
        team.wait();
        addStaged(team, batch, staged);
      } else {
        team.wait();
        storeStaged(team, batch, round, staged);
      }
    }
  }

  /// Behind where they start in the output.
  KOKKOS_FORCEINLINE_FUNCTION Acc* stagedRows(const Batch& batch) const {
    return batch.work + sizes.staged_rows * start_size;
  }

  /// Whether what is staged is added as it is, without signs and in rows of one component.
  KOKKOS_FORCEINLINE_FUNCTION bool addsWhole(const Round& round) const {
    const FormShape& s = problem.shape;
    return problem.isScattered() && isWhole(round) && s.left_blocks * s.right_blocks == 1 &&
           !problem.left_signs.isThere() && !problem.right_signs.isThere();
  }

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void findStarts(const Team& team, const Batch& batch,
                                              const Rows& rows) const {
    std::int64_t* const starts = reinterpret_cast<std::int64_t*>(batch.work);
    share(team, rows.last - rows.first, [&](int n) {
      std::uint32_t cell = static_cast<std::uint32_t>(n + rows.first);
      const std::int64_t l = sizes.by_lefts.takeFrom(cell);
      starts[n] = problem.scatter.startOf(batch.cells.at(problem, static_cast<int>(cell)), l);
    });
  }

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void addStaged(const Team& team, const Batch& batch,
                                             const Rows& rows) const {
    const FormShape& s = problem.shape;
    const std::int64_t* const starts = reinterpret_cast<const std::int64_t*>(batch.work);
    const Acc* const staged = stagedRows(batch);
    const int rights = static_cast<int>(s.rights), of_cell = rights * static_cast<int>(s.lefts);
    const bool are_neighbours = problem.scatter.cells == nullptr;
    const std::int64_t first = batch.cells.first * of_cell;
    const int count = (rows.last - rows.first) * rights;
    const bool is_atomic = problem.scatter.isAtomic();
    problem.scatter.withOffsets([&](const auto& offset_of) {
      const auto entryOf = [&](int n, std::uint32_t row) {
        std::int64_t entry = first + rows.first * rights + n;
        if (!are_neighbours) {
          std::uint32_t cell = static_cast<std::uint32_t>(rows.first) + row;
          sizes.by_lefts.takeFrom(cell);
          const std::int64_t c = batch.cells.at(problem, static_cast<int>(cell));
          entry += (c - batch.cells.first - static_cast<int>(cell)) * of_cell;
        }
        return entry;
      };
      // Several at a time, because each waits for memory to tell its place; all read one, be it
      // for nothing, so that none waits for another.
      constexpr int at_once = 4;
      const int workers = team.member.team_size();
      for (int begin = team.member.team_rank(); begin < count; begin += at_once * workers) {
        std::int64_t places[at_once], offsets[at_once];
        for (int i = 0; i < at_once; ++i) {
          const int n = begin + i * workers < count ? begin + i * workers : count - 1;
          std::uint32_t row = static_cast<std::uint32_t>(n);
          sizes.by_rights.takeFrom(row);
          offsets[i] = offset_of(entryOf(n, row));
          places[i] = starts[row];
        }
        for (int i = 0; i < at_once; ++i) {
          const int n = begin + i * workers;
          if (n >= count || places[i] < 0 || offsets[i] < 0) continue;
          Acc& to = problem.out.data[places[i] + offsets[i]];
          if (is_atomic) {
            Kokkos::atomic_add(&to, staged[n]);
          } else {
            to += staged[n];
          }
        }
      }
    });
  }

  /// Where all tiles of a matrix that is symmetric by itself are there, both halves are staged.
  KOKKOS_FORCEINLINE_FUNCTION void stage(const Batch& batch, const Round& round, const Tile& tile,
                                         const Sums& sums, const Rows& rows) const {
    const int lefts = static_cast<int>(problem.shape.lefts);
    const int rights = static_cast<int>(problem.shape.rights);
    const int first = rows.first - tile.cell * lefts, last = rows.last - tile.cell * lefts;
    const bool is_half = isHalf(batch), has_both = is_half && isWhole(round);
    Acc* const matrix = stagedRows(batch) - std::int64_t(first) * rights;
    const bool has_all = first <= 0 && last >= lefts;
    for (int i = 0; i < fields; ++i) {
      for (int j = 0; j < fields; ++j) {
        const int l = tile.left + i, r = tile.right + j;
        if (l >= lefts || r >= rights || (is_half && r > l)) continue;
        if (has_all || (first <= l && l < last)) matrix[l * rights + r] = sums[i][j];
        if (has_both && (has_all || (first <= r && r < last))) matrix[r * rights + l] = sums[i][j];
      }
    }
  }

  /// Whether a round has the tile of an entry.
  KOKKOS_FORCEINLINE_FUNCTION bool isOfRound(const Batch& batch, const Round& round, int cell,
                                             int l, int r) const {
    if (isWhole(round)) return true;
    if (isHalf(batch) && r > l) return false;
    const int row = l / fields, column = r / fields;
    const bool has_halves = sizes.tiles != sizes.rows * sizes.columns;
    const int tile =
        cell * sizes.tiles + (has_halves ? row * (row + 1) / 2 : row * sizes.columns) + column;
    return round.first <= tile && tile < round.last;
  }

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void storeStaged(const Team& team, const Batch& batch,
                                               const Round& round, const Rows& rows) const {
    const FormShape& s = problem.shape;
    const int count = rows.last - rows.first, rights = static_cast<int>(s.rights);
    const int lefts = static_cast<int>(s.lefts), cells = count / lefts;
    // Where neighbours in memory are neighbouring cells, so are those of workers.
    const bool by_cells =
        cells * lefts == count && isWhole(round) && !problem.isScattered() && s.cell_fastest;
    share(team, count * rights, [&](int n) {
      std::uint32_t row = static_cast<std::uint32_t>(n);
      int cell_of_row = 0;
      if (by_cells) {
        row = static_cast<std::uint32_t>(n / cells);
        cell_of_row = n - static_cast<int>(row) * cells;
      }
      const int r = static_cast<int>(sizes.by_rights.takeFrom(row));
      const int staged = cell_of_row * lefts + static_cast<int>(row);
      std::uint32_t cell = static_cast<std::uint32_t>(rows.first + staged);
      const int l = static_cast<int>(sizes.by_lefts.takeFrom(cell));
      if (!isOfRound(batch, round, static_cast<int>(cell), l, r)) return;
      storeAt(batch, static_cast<int>(cell), l, r, l * s.left_blocks + batch.i,
              r * s.right_blocks + batch.j, stagedRows(batch)[staged * rights + r]);
    });
    if (!s.is_symmetric || (isHalf(batch) && isWhole(round))) return;
    // The other half: columns of what is staged are rows there.
    share(team, count * rights, [&](int n) {
      const int r = n / count, staged = n - r * count;
      std::uint32_t cell = static_cast<std::uint32_t>(rows.first + staged);
      const int l = static_cast<int>(sizes.by_lefts.takeFrom(cell));
      if (isHalf(batch) && r >= l) return;
      if (!isOfRound(batch, round, static_cast<int>(cell), l, r)) return;
      storeAt(batch, static_cast<int>(cell), l, r, r * s.right_blocks + batch.j,
              l * s.left_blocks + batch.i, stagedRows(batch)[staged * rights + r]);
    });
  }

  /// \param row, column  of the matrix of all components
  KOKKOS_FORCEINLINE_FUNCTION void storeAt(const Batch& batch, int cell, int l, int r,
                                           std::int64_t row, std::int64_t column, Acc sum) const {
    const std::int64_t c = batch.cells.at(problem, cell);
    storeEntry(problem, c, row, column, signedSum<D>(problem, c, l, r, sum));
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
