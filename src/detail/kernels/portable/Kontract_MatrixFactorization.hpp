// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_MATRIXFACTORIZATION_HPP
#define KONTRACT_MATRIXFACTORIZATION_HPP

#include "Kontract_FastDivisor.hpp"
#include "Kontract_FormEntry.hpp"
#include "Kontract_FormPoint.hpp"
#include "Kontract_FunctionTables.hpp"
#include "Kontract_Unroll.hpp"
#include "Kontract_Workers.hpp"
#include "detail/problem/Kontract_FormWork.hpp"

namespace Kontract {
namespace Impl {

/// Threads of a team that have registers for tiles.
inline constexpr int max_matrix_threads = 128;

/// What a team has in scratch memory: tables, the matrices of points of its cells, and for some
/// functions of the last direction what is left of those matrices after that direction, which
/// stands where then entries wait to be stored.
struct MatrixLayout {
  ColumnSizes sizes;
  int numbers = 1;         ///< of the matrix of a point
  int columns = 1;         ///< right functions of the last direction that are computed at a time
  int starts = 0;          ///< rows of a cell whose places are kept
  bool is_staged = false;  ///< entries are stored by rows, and not by the threads that have them

  KOKKOS_FORCEINLINE_FUNCTION int functionsOfSides() const {
    return sizes.sides * sizes.functions * (sizes.points[0] + sizes.points[1] + sizes.points[2]);
  }
  /// Points that differ in other directions than the last.
  KOKKOS_FORCEINLINE_FUNCTION int pointsOfSlice() const {
    return sizes.points[0] * (sizes.dimension == 3 ? sizes.points[1] : 1);
  }
  KOKKOS_FORCEINLINE_FUNCTION int points() const {
    return pointsOfSlice() * sizes.points[sizes.dimension - 1];
  }
  /// Functions that differ in other directions than the last.
  KOKKOS_FORCEINLINE_FUNCTION int rows() const {
    return sizes.functions * (sizes.dimension == 3 ? sizes.functions : 1);
  }
  /// Threads that compute entries of a cell and a column: each has all pairs of functions of the
  /// first direction.
  KOKKOS_FORCEINLINE_FUNCTION int tiles() const {
    return sizes.dimension == 3 ? sizes.functions * sizes.functions : 1;
  }
  /// Rows of entries are an odd number apart, so that neighbouring ones are in different banks.
  KOKKOS_FORCEINLINE_FUNCTION int rowStep() const { return rows() | 1; }
  /// Numbers of a cell; even, so that what follows is aligned.
  KOKKOS_FORCEINLINE_FUNCTION int ofPoints() const { return (numbers * points() + 1) / 2 * 2; }
  /// Points of the first direction are an even number apart in a slice, because two are read at a
  /// time.
  KOKKOS_FORCEINLINE_FUNCTION int lineStep() const { return (sizes.points[0] + 1) / 2 * 2; }
  KOKKOS_FORCEINLINE_FUNCTION int sliceStep() const {
    return lineStep() * (sizes.dimension == 3 ? sizes.points[1] : 1);
  }
  /// Starts of some cells, and room that aligns what follows.
  KOKKOS_FORCEINLINE_FUNCTION int startsOf(int cells) const { return (starts * cells + 1) / 2 * 2; }
  KOKKOS_FORCEINLINE_FUNCTION int ofNodes() const { return sizes.nodes * sizes.dimension; }
  KOKKOS_FORCEINLINE_FUNCTION int ofColumns() const {
    const int slices = sizes.couplings * sliceStep(), staged = (rows() * rowStep() + 1) / 2 * 2;
    return columns * (is_staged && staged > slices ? staged : slices);
  }
};

/// Element matrices of a term of tensor-product bases that have N functions in each direction, by
/// sum factorization: what stands between both sides at points is contracted along the last
/// direction for a pair of functions of that direction, then along the others. The last two of
/// those contractions are of a thread alone: it computes the entries of all pairs of functions of
/// the first direction in registers. \tparam NL, NR  components of values: 1, or D of gradients
///
/// Source: J. Melenk, K. Gerdes and C. Schwab, "Fully discrete hp-finite elements: fast quadrature"
/// (2001) for matrices by sum factorization.
template <class Problem, int D, int N, int NL, int NR>
struct MatrixFactorization {
  using Point = FormPoint<Problem, D>;
  using Acc = typename Point::Acc;
  using Function = FunctionAt<Acc>;
  /// A thread has as many registers as its tile takes, and no more for what comes before.
  using Bounds = Kokkos::LaunchBounds<max_matrix_threads, (N <= 5 ? 4 : N == 6 ? 3 : 2)>;
  static constexpr int tiles = D == 3 ? N * N : 1;
  static constexpr int rows = D == 3 ? N * N : N;
  static constexpr int couplings = NL * NR;
  static_assert(D == 2 || D == 3, "Kontract: this is for quadrilaterals and hexahedra");

  Problem problem;
  MatrixLayout layout;
  int cells;  ///< of a team
  FastDivisor by_cells, by_line, by_lines, by_points;
  std::int64_t pieces;  ///< of work; a piece is every so many batches of cells

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(const Workers<Member>& team, std::int64_t piece) const {
    const auto& term = problem.terms.terms[0];
    Batch batch;
    batch.starts = static_cast<std::int64_t*>(team.scratch);
    batch.left = reinterpret_cast<Function*>(batch.starts + layout.startsOf(cells));
    batch.right = batch.left;
    if (layout.sizes.sides > 1) {
      fillTables<N, (NL > 1)>(team, term.left, D, layout.sizes.points, batch.left);
      batch.right += layout.functionsOfSides() / 2;
      fillTables<N, (NR > 1)>(team, term.right, D, layout.sizes.points, batch.right);
    } else {
      fillTables<N, (NL > 1 || NR > 1)>(team, term.left, D, layout.sizes.points, batch.left);
    }
    batch.matrices = reinterpret_cast<Acc*>(batch.left + layout.functionsOfSides());
    batch.slices = batch.matrices + layout.ofPoints() * cells;
    batch.nodes = batch.slices + layout.ofColumns() * cells;
    for (batch.first_cell = piece * cells; batch.first_cell < problem.shape.cells;) {
      findStarts(team, batch);
      loadNodes(team, batch);
      team.wait();
      computeBlocks(team, term, batch);
      batch.first_cell += pieces * cells;
    }
  }

 private:
  /// The cells of a team, and what it has of them.
  struct Batch {
    std::int64_t first_cell;
    Function *left, *right;  ///< by direction, point and function
    Acc* matrices;           ///< of points: by cell, entry and point
    Acc* slices;             ///< by column, cell, entry and point; or entries by column and cell
    Acc* nodes;              ///< by node, component and cell
    std::int64_t* starts;    ///< of rows by cell
  };

  /// What is computed between two barriers: for a left function of the last direction and some
  /// right ones.
  struct Columns {
    FormPair blocks;  ///< of components
    int copies;       ///< how many pairs of those have the same entries
    bool is_half;     ///< right functions below the left one are those of the transposed entries
    int left, first, count;
  };

  /// A cell of the team, or the last cell for those past it.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t cellOf(const Batch& batch, int cell) const {
    const std::int64_t c = batch.first_cell + cell, last = problem.shape.cells - 1;
    return problem.scatter.cell(c < last ? c : last);
  }
  KOKKOS_FORCEINLINE_FUNCTION bool isThere(const Batch& batch, int cell) const {
    return batch.first_cell + cell < problem.shape.cells;
  }

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void findStarts(const Team& team, const Batch& batch) const {
    team.share(layout.starts * cells, [&](int n) {
      const int cell = n / layout.starts, row = n - cell * layout.starts;
      batch.starts[n] = problem.scatter.startOf(cellOf(batch, cell), row);
    });
  }

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void loadNodes(const Team& team, const Batch& batch) const {
    team.share(layout.sizes.nodes * cells, [&](int n) {
      auto node = static_cast<std::uint32_t>(n);
      const int cell = static_cast<int>(by_cells.takeFrom(node));
      const std::int64_t c = cellOf(batch, cell);
      for (int i = 0; i < D; ++i) {
        batch.nodes[(static_cast<int>(node) * D + i) * cells + cell] =
            Acc(problem.mapping.at(c, node, 0, i));
      }
    });
  }

  /// Elasticity couples components; all else is the same for each of them.
  template <class Team, class Term>
  KOKKOS_FORCEINLINE_FUNCTION void computeBlocks(const Team& team, const Term& term,
                                                 const Batch& batch) const {
    const FormShape& s = problem.shape;
    int pairs = 1, copies = s.left_blocks;
    if (term.kind == CoefficientKind::Elastic) {
      pairs = s.is_symmetric ? copies * (copies + 1) / 2 : copies * s.right_blocks;
      copies = 1;
    } else if (copies > 1) {
      clearOtherBlocks(team, batch);
    }
    for (int pair = 0; pair < pairs; ++pair) {
      Columns columns;
      columns.blocks = copies > 1 ? FormPair() : formPair(s, pair);
      columns.copies = copies;
      columns.is_half = s.is_symmetric && columns.blocks.i == columns.blocks.j;
      findMatrices(team, term, batch, columns);
      team.wait();
      for (columns.left = 0; columns.left < N; ++columns.left) {
        columns.first = columns.is_half ? columns.left : 0;
        for (; columns.first < N; columns.first += layout.columns) {
          const int left_over = N - columns.first;
          columns.count = left_over < layout.columns ? left_over : layout.columns;
          if (NL == NR && columns.is_half) {
            contractLast<true>(team, batch, columns);
          } else {
            contractLast<false>(team, batch, columns);
          }
          team.wait();
          addTiles(team, batch, columns);
          team.wait();
        }
      }
    }
  }

  /// Components that a term does not couple.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void clearOtherBlocks(const Team& team, const Batch& batch) const {
    const FormShape& s = problem.shape;
    if (problem.isScattered() || s.sum_into) return;
    const int columns = static_cast<int>(s.rights) * s.right_blocks;
    const int of_cell = static_cast<int>(s.lefts) * s.left_blocks * columns;
    for (int cell = 0; cell < cells && isThere(batch, cell); ++cell) {
      team.share(of_cell, [&](int n) {
        const int row = n / columns, column = n - row * columns;
        if (row % s.left_blocks == column % s.right_blocks) return;
        storeEntry(problem, cellOf(batch, cell), row, column, Acc(0));
      });
    }
  }

  /// Where an entry of the matrix of a point is: of a symmetric one the half is kept.
  static KOKKOS_FORCEINLINE_FUNCTION int placeOf(bool is_half, int a, int b) {
    if constexpr (NL != NR) return a * NR + b;
    return is_half ? placeInHalf<NL>(a, b) : a * NR + b;
  }

  template <class Team, class Term>
  KOKKOS_FORCEINLINE_FUNCTION void findMatrices(const Team& team, const Term& term,
                                                const Batch& batch, const Columns& columns) const {
    const int points = layout.points();
    team.share(points * cells, [&](int n) {
      auto cell = static_cast<std::uint32_t>(n);
      const int p = static_cast<int>(by_points.takeFrom(cell));
      const std::int64_t c = cellOf(batch, static_cast<int>(cell));
      typename Point::template Of<Term>::K k[NL][NR] = {};
      PointGeometry<D, Acc> at;
      if (layout.sizes.nodes > 0) {
        at = geometryOfNodes<D>(problem, c, p, layout.sizes.nodes,
                                batch.nodes + static_cast<int>(cell), cells,
                                nodeGradients(problem, p));
      } else {
        at = Point::geometry(problem, c, p);
      }
      Point::template pointMatrix<NL, NR>(problem, term, at, c, p, columns.blocks.i,
                                          columns.blocks.j, k);
      Acc* const to = batch.matrices + static_cast<int>(cell) * layout.ofPoints() + p;
      KONTRACT_UNROLL
      for (int a = 0; a < NL; ++a) {
        KONTRACT_UNROLL
        for (int b = 0; b < NR; ++b) {
          if (columns.is_half && b > a) continue;
          to[placeOf(columns.is_half, a, b) * points] = Acc(k[a][b]);
        }
      }
    });
  }

  /// A function, or its derivative if the component is that of the direction.
  template <int components>
  static KOKKOS_FORCEINLINE_FUNCTION Acc factor(const Function& at, int component, int direction) {
    return components > 1 && component == direction ? at.derivative : at.value;
  }

  /// Along the last direction, for some right functions at a time, which share what is read.
  /// \tparam is_half  of the matrices of points half is kept
  template <bool is_half, class Team>
  KOKKOS_FORCEINLINE_FUNCTION void contractLast(const Team& team, const Batch& batch,
                                                const Columns& columns) const {
    constexpr int at_once = 2;
    const int slice = layout.pointsOfSlice(), points = layout.points();
    const int step = layout.sliceStep();
    const int groups = (columns.count + at_once - 1) / at_once;
    const Function* const lefts = tableOf<N>(batch.left, layout.sizes.points, D - 1) + columns.left;
    const Function* const rights = tableOf<N>(batch.right, layout.sizes.points, D - 1);
    team.share(slice * cells * groups, [&](int n) {
      auto group = static_cast<std::uint32_t>(n);
      const int q0 = static_cast<int>(by_line.takeFrom(group));
      const int q1 = static_cast<int>(by_lines.takeFrom(group));
      const int cell = static_cast<int>(by_cells.takeFrom(group));
      const int first = at_once * static_cast<int>(group);
      const Function* right[at_once];
      KONTRACT_UNROLL
      for (int i = 0; i < at_once; ++i) {
        const int column = first + i < columns.count ? first + i : first;
        right[i] = rights + columns.first + column;
      }
      const Acc* k = batch.matrices + cell * layout.ofPoints() + q0 + q1 * layout.sizes.points[0];
      const Function* left = lefts;
      Acc sums[at_once][NL][NR] = {};
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#pragma unroll 1
#endif
      for (int p = 0; p < layout.sizes.points[D - 1]; ++p, k += slice, left += N) {
        Function of_right[at_once];
        KONTRACT_UNROLL
        for (int i = 0; i < at_once; ++i) {
          of_right[i] = *right[i];
          right[i] += N;
        }
        KONTRACT_UNROLL
        for (int a = 0; a < NL; ++a) {
          const Acc of_left = factor<NL>(*left, a, D - 1);
          KONTRACT_UNROLL
          for (int b = 0; b < NR; ++b) {
            const Acc x = k[placeOf(is_half, a, b) * points] * of_left;
            KONTRACT_UNROLL
            for (int i = 0; i < at_once; ++i) {
              sums[i][a][b] += x * factor<NR>(of_right[i], b, D - 1);
            }
          }
        }
      }
      KONTRACT_UNROLL
      for (int i = 0; i < at_once; ++i) {
        if (first + i >= columns.count) continue;
        Acc* const to = batch.slices + ((first + i) * cells + cell) * couplings * step + q0 +
                        q1 * layout.lineStep();
        KONTRACT_UNROLL
        for (int a = 0; a < NL; ++a) {
          KONTRACT_UNROLL
          for (int b = 0; b < NR; ++b) to[(a * NR + b) * step] = sums[i][a][b];
        }
      }
    });
  }

  /// Entries of pairs of functions of the first direction.
  using Tile = Acc[N][N];

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void addTiles(const Team& team, const Batch& batch,
                                            const Columns& columns) const {
    const int count = tiles * cells * columns.count, workers = team.member.team_size();
    // Where entries are staged there is a worker for each tile.
    for (int first = 0; first < count; first += workers) {
      const int n = first + team.member.team_rank();
      const bool is_there = n < count;
      auto column = static_cast<std::uint32_t>(is_there ? n / tiles : 0);
      const int tile_of_column = is_there ? n % tiles : 0;
      const int cell = static_cast<int>(by_cells.takeFrom(column));
      const int left = tile_of_column / N, right = tile_of_column % N;
      Tile tile = {};
      if (is_there) {
        const Acc* const slices = batch.slices + (static_cast<int>(column) * cells + cell) *
                                                     couplings * layout.sliceStep();
        addToTile(batch, slices, left, right, tile);
      }
      if (is_there) {
        applySigns(cellOf(batch, cell), N * left + rows * columns.left,
                   N * right + rows * (columns.first + static_cast<int>(column)), tile);
      }
      if (layout.is_staged) {
        team.wait();  // entries wait where slices were read
        if (is_there) {
          stage(tile, batch.slices +
                          (static_cast<int>(column) * cells + cell) * rows * layout.rowStep() +
                          N * left * layout.rowStep() + N * right);
        }
        team.wait();
        for (int copy = 0; copy < columns.copies; ++copy) {
          storeStaged<false>(team, batch, columns, copy);
          if (problem.shape.is_symmetric) storeStaged<true>(team, batch, columns, copy);
        }
      } else if (is_there && isThere(batch, cell)) {
        storeTile(batch, columns, cell, columns.first + static_cast<int>(column), N * left,
                  N * right, tile);
      }
    }
  }

  /// Multiplies entries by the signs of their fields, where there are any.
  /// \param left, right  the first fields of both sides
  KOKKOS_FORCEINLINE_FUNCTION void applySigns(std::int64_t c, int left, int right,
                                              Tile& tile) const {
    if (!problem.left_signs.isThere() && !problem.right_signs.isThere()) return;
    KONTRACT_UNROLL
    for (int i = 0; i < N; ++i) {
      KONTRACT_UNROLL
      for (int j = 0; j < N; ++j) {
        tile[i][j] = signedSum<D>(problem, c, left + i, right + j, tile[i][j]);
      }
    }
  }

  /// What is at two points, read at once.
  struct alignas(2 * sizeof(Acc)) TwoPoints {
    Acc first, second;
  };

  /// Along all directions but the last.
  /// \param left, right  functions of the second direction of three
  KOKKOS_FORCEINLINE_FUNCTION void addToTile(const Batch& batch, const Acc* slices, int left,
                                             int right, Tile& tile) const {
    // Points of the first direction at a time, which share the functions of the second.
    constexpr int at_once = 2;
    constexpr int of_left = NL > 1 ? 2 : 1, of_right = NR > 1 ? 2 : 1;
    const int points = layout.sizes.points[0], step = layout.sliceStep();
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#pragma unroll 1
#endif
    for (int first = 0; first < points; first += at_once) {
      // Between values and derivatives in the first direction.
      Acc between[at_once][of_left][of_right] = {};
      const auto add = [&](const Acc* from, const auto& weight) {
        KONTRACT_UNROLL
        for (int a = 0; a < NL; ++a) {
          KONTRACT_UNROLL
          for (int b = 0; b < NR; ++b, from += step) {
            const Acc product = weight(a, b);
            const int l = NL > 1 && a == 0 ? 1 : 0, r = NR > 1 && b == 0 ? 1 : 0;
            const TwoPoints at = *reinterpret_cast<const TwoPoints*>(from);
            between[0][l][r] += at.first * product;
            between[1][l][r] += at.second * product;
          }
        }
      };
      if constexpr (D == 2) {
        add(slices + first, [](int, int) { return Acc(1); });
      } else {
        const Function* lefts = batch.left + N * points + left;
        const Function* rights = batch.right + N * points + right;
        const Acc* from = slices + first;
        const int line = layout.lineStep();
        for (int q = 0; q < layout.sizes.points[1]; ++q, lefts += N, rights += N, from += line) {
          const Function l = *lefts, r = *rights;
          add(from, [&](int a, int b) { return factor<NL>(l, a, 1) * factor<NR>(r, b, 1); });
        }
      }
      addPoint(batch.left + N * first, batch.right + N * first, between[0], tile);
      if (first + 1 == points) return;  // what was read behind the last point is nothing
      addPoint(batch.left + N * (first + 1), batch.right + N * (first + 1), between[1], tile);
    }
  }

  /// What a point of the first direction adds.
  template <int of_left, int of_right>
  static KOKKOS_FORCEINLINE_FUNCTION void addPoint(const Function* lefts, const Function* rights,
                                                   const Acc (&between)[of_left][of_right],
                                                   Tile& tile) {
    Function of_rights[N];
    KONTRACT_UNROLL
    for (int j = 0; j < N; ++j) of_rights[j] = rights[j];
    KONTRACT_UNROLL
    for (int i = 0; i < N; ++i) {
      const Function of = lefts[i];
      Acc flux[of_right];
      KONTRACT_UNROLL
      for (int r = 0; r < of_right; ++r) {
        flux[r] = between[0][r] * of.value;
        if constexpr (of_left > 1) flux[r] += between[1][r] * of.derivative;
      }
      KONTRACT_UNROLL
      for (int j = 0; j < N; ++j) {
        tile[i][j] += flux[0] * of_rights[j].value;
        if constexpr (of_right > 1) tile[i][j] += flux[1] * of_rights[j].derivative;
      }
    }
  }

  /// Whether the transposed entries of a column are to be stored, too.
  KOKKOS_FORCEINLINE_FUNCTION bool isMirrored(const Columns& columns, int right) const {
    return problem.shape.is_symmetric && !(columns.is_half && right == columns.left);
  }

  KOKKOS_FORCEINLINE_FUNCTION void storeTile(const Batch& batch, const Columns& columns, int cell,
                                             int right_column, int left, int right,
                                             const Tile& tile) const {
    const std::int64_t c = cellOf(batch, cell);
    const FormShape& s = problem.shape;
    KONTRACT_UNROLL
    for (int i = 0; i < N; ++i) {
      KONTRACT_UNROLL
      for (int j = 0; j < N; ++j) {
        const int l = rows * columns.left + left + i, r = rows * right_column + right + j;
        const Acc sum = tile[i][j];
        for (int copy = 0; copy < columns.copies; ++copy) {
          const int a = columns.blocks.i + copy, b = columns.blocks.j + copy;
          storeEntry(problem, c, l * s.left_blocks + a, r * s.right_blocks + b, sum);
          if (isMirrored(columns, right_column)) {
            storeEntry(problem, c, r * s.left_blocks + b, l * s.right_blocks + a, sum);
          }
        }
      }
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void stage(const Tile& tile, Acc* to) const {
    KONTRACT_UNROLL
    for (int i = 0; i < N; ++i, to += layout.rowStep()) {
      KONTRACT_UNROLL
      for (int j = 0; j < N; ++j) to[j] = tile[i][j];
    }
  }

  /// Entries in one place of the matrices of all columns that are computed at a time.
  struct Entries {
    std::int64_t c;
    int cell;         ///< of the team
    int row, right;   ///< of the matrix of the cell, for the first of them
    const Acc* sums;  ///< staged
    int step;         ///< from one to the next
  };

  /// \tparam is_mirror  the transposed entries: their rows lie behind each other where columns of
  ///   the others do
  /// \param n  neighbours are in the same row of the matrix that is stored
  template <bool is_mirror>
  KOKKOS_FORCEINLINE_FUNCTION Entries entriesOf(const Batch& batch, const Columns& columns,
                                                int cell, int n) const {
    const int right = n % rows, row = n / rows, step = layout.rowStep();
    Entries entries;
    entries.c = problem.scatter.cell(batch.first_cell + cell);
    entries.cell = cell;
    entries.row = row + rows * (is_mirror ? columns.first : columns.left);
    entries.right = right + rows * (is_mirror ? columns.left : columns.first);
    entries.sums =
        batch.slices + cell * rows * step + (is_mirror ? right * step + row : row * step + right);
    entries.step = cells * rows * step;
    return entries;
  }

  template <bool is_mirror, class Team>
  KOKKOS_FORCEINLINE_FUNCTION void storeStaged(const Team& team, const Batch& batch,
                                               const Columns& columns, int copy) const {
    const int i = columns.blocks.i + copy, j = columns.blocks.j + copy;
    const FormPair blocks{is_mirror ? j : i, is_mirror ? i : j};
    // Of a column whose functions are the left one's all entries are there.
    const int first = is_mirror && columns.is_half && columns.first == columns.left ? 1 : 0;
    constexpr int of_cell = rows * rows;
    if (!problem.isScattered()) {
      team.share(of_cell * cells, [&](int n) {
        const int cell = n / of_cell;
        if (!isThere(batch, cell)) return;
        storeEntries<is_mirror>(entriesOf<is_mirror>(batch, columns, cell, n - cell * of_cell),
                                blocks, first, columns.count);
      });
      return;
    }
    problem.scatter.withOffsets([&](const auto& offset_of) {
      team.share(of_cell * cells, [&](int n) {
        const int cell = n / of_cell;
        if (!isThere(batch, cell)) return;
        const Entries entries = entriesOf<is_mirror>(batch, columns, cell, n - cell * of_cell);
        // All places are read before anything is added, because each waits for memory.
        std::int32_t offsets[N];
        findOffsets<is_mirror>(offset_of, entries, blocks, first, columns.count, offsets);
        addEntries<is_mirror>(batch, entries, blocks, offsets);
      });
    });
  }

  template <bool is_mirror>
  KOKKOS_FORCEINLINE_FUNCTION void storeEntries(const Entries& entries, FormPair blocks, int first,
                                                int end) const {
    const FormShape& s = problem.shape;
    const FormStrides& strides = problem.out_strides;
    auto* const to = problem.out.data + entries.c * strides.cell +
                     (entries.row * s.left_blocks + blocks.i) * strides.row +
                     (entries.right * s.right_blocks + blocks.j) * strides.column;
    const std::int64_t step =
        rows * (is_mirror ? s.left_blocks * strides.row : s.right_blocks * strides.column);
    KONTRACT_UNROLL
    for (int column = 0; column < N; ++column) {
      if (column < first || column >= end) continue;
      const Acc sum = entries.sums[column * entries.step];
      if (s.sum_into) {
        to[column * step] += sum;
      } else {
        to[column * step] = sum;
      }
    }
  }

  /// \param offsets  -1 for what is left out, and for what is not from first to end
  template <bool is_mirror, class OffsetOf>
  KOKKOS_FORCEINLINE_FUNCTION void findOffsets(const OffsetOf& offset_of, const Entries& entries,
                                               FormPair blocks, int first, int end,
                                               std::int32_t (&offsets)[N]) const {
    const FormShape& s = problem.shape;
    const int rights = static_cast<int>(s.rights) * s.right_blocks;
    const int step = rows * (is_mirror ? s.left_blocks * rights : s.right_blocks);
    const int of_cell = (entries.row * s.left_blocks + blocks.i) * rights +
                        entries.right * s.right_blocks + blocks.j;
    const std::int64_t entry = entries.c * (layout.starts * rights) + of_cell;
    KONTRACT_UNROLL
    for (int column = 0; column < N; ++column) {
      const bool is_there = first <= column && column < end;
      offsets[column] = is_there ? static_cast<std::int32_t>(offset_of(entry + column * step)) : -1;
    }
  }

  /// Cells of a color, too, add by atomic operations, which find nobody else there.
  template <bool is_mirror>
  KOKKOS_FORCEINLINE_FUNCTION void addEntries(const Batch& batch, const Entries& entries,
                                              FormPair blocks,
                                              const std::int32_t (&offsets)[N]) const {
    const int blocks_of_row = problem.shape.left_blocks;
    const std::int64_t* const starts =
        batch.starts + entries.cell * layout.starts + entries.row * blocks_of_row + blocks.i;
    const int row_step = is_mirror ? rows * blocks_of_row : 0;
    KONTRACT_UNROLL
    for (int column = 0; column < N; ++column) {
      if (offsets[column] < 0) continue;
      const std::int64_t start = starts[column * row_step];
      if (start < 0) continue;
      Kokkos::atomic_add(problem.out.data + start + offsets[column],
                         entries.sums[column * entries.step]);
    }
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
