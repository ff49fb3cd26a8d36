// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_MATRIXFACTORIZATION_HPP
#define KONTRACT_MATRIXFACTORIZATION_HPP

#include "Kontract_ElementMatrices.hpp"
#include "Kontract_MatrixLayout.hpp"
#include "Kontract_MatrixSides.hpp"
#include "Kontract_TeamCells.hpp"
#include "Kontract_Unroll.hpp"
#include "Kontract_Workers.hpp"

namespace Kontract {
namespace Impl {

/// A bool that is known when compiling, on devices, too, for which std::bool_constant is none.
template <bool value>
struct KnownBool {
  KOKKOS_FORCEINLINE_FUNCTION constexpr operator bool() const { return value; }
};

/// Element matrices of a term of tensor-product bases by sum factorization: what stands between
/// both sides at points is contracted along the last direction for a pair of functions of that
/// direction, then along the others. The last two of those contractions are of a thread alone: it
/// computes the entries of all pairs of functions of the first direction in registers. Pairs of
/// families of fields come one after another. \tparam Left, Right  LikeFunctions or, both,
/// FamilyFunctions
///
/// Source: J. Melenk, K. Gerdes and C. Schwab, "Fully discrete hp-finite elements: fast quadrature"
/// (2001) for matrices by sum factorization.
template <class Problem, class Left, class Right>
struct MatrixFactorization {
  static constexpr int D = Left::D, N = Left::functions_at_most;
  static constexpr bool is_known = Left::is_known;
  using Matrices = ElementMatrices<Problem, D>;
  using Acc = typename Matrices::Acc;
  using Function = FunctionAt<Acc>;
  /// A thread has as many registers as its tile takes, and no more for what comes before.
  using Bounds = Kokkos::LaunchBounds<max_matrix_threads, (N <= 5 ? 4 : N == 6 ? 3 : 2)>;
  static_assert(D == 2 || D == 3, "Kontract: this is for quadrilaterals and hexahedra");

  Problem problem;
  MatrixLayout layout;
  Left left_side;
  Right right_side;
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
      left_side.fill(team, term.left, layout.sizes.points, left_side, batch.left);
      batch.right += layout.functionsOfSide();
      right_side.fill(team, term.right, layout.sizes.points, right_side, batch.right);
    } else {
      left_side.fill(team, term.left, layout.sizes.points, right_side, batch.left);
    }
    batch.matrices = reinterpret_cast<Acc*>(batch.right + layout.functionsOfSide());
    batch.slices = batch.matrices + layout.ofPoints() * cells;
    batch.team_cells.count = cells;
    batch.team_cells.node_count = layout.sizes.nodes;
    batch.team_cells.nodes = batch.slices + layout.ofColumns() * cells;
    for (std::int64_t first = piece * cells; first < problem.shape.cells;) {
      batch.team_cells.first = first;
      findStarts(team, batch);
      batch.team_cells.load(team, problem, by_cells);
      team.wait();
      computeBlocks(team, term, batch);
      first += pieces * cells;
    }
  }

 private:
  /// The cells of a team, and what it has of them.
  struct Batch {
    TeamCells<Problem, D> team_cells;
    Function *left, *right;  ///< by direction, point and function
    Acc* matrices;           ///< of points: by cell, entry and point
    Acc* slices;             ///< by column, cell, coupling and point; or entries by column and cell
    std::int64_t* starts;    ///< of rows by cell
  };

  /// What is computed between two barriers: for a left function of the last direction and some
  /// right ones.
  struct Columns {
    MatrixBlocks blocks;
    FamilyPair families;
    bool is_diagonal;  ///< right functions below the left one are those of the transposed entries
    int left, first, count;
  };

  KOKKOS_FORCEINLINE_FUNCTION int lefts(const Columns& columns, int direction) const {
    return left_side.functions(columns.families.left, direction);
  }
  KOKKOS_FORCEINLINE_FUNCTION int rights(const Columns& columns, int direction) const {
    return right_side.functions(columns.families.right, direction);
  }
  /// Fields of a side with the same function of the last direction.
  KOKKOS_FORCEINLINE_FUNCTION int leftRows(const Columns& columns) const {
    return lefts(columns, 0) * (D == 3 ? lefts(columns, 1) : 1);
  }
  KOKKOS_FORCEINLINE_FUNCTION int rightRows(const Columns& columns) const {
    return rights(columns, 0) * (D == 3 ? rights(columns, 1) : 1);
  }

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void findStarts(const Team& team, const Batch& batch) const {
    team.share(layout.starts * cells, [&](int n) {
      const int cell = n / layout.starts, row = n - cell * layout.starts;
      batch.starts[n] = problem.scatter.startOf(batch.team_cells.at(problem, cell), row);
    });
  }

  template <class Team, class Term>
  KOKKOS_FORCEINLINE_FUNCTION void computeBlocks(const Team& team, const Term& term,
                                                 const Batch& batch) const {
    const FormShape& s = problem.shape;
    if (Matrices::leavesBlocks(problem, term)) clearOtherBlocks(team, batch);
    const int count = Matrices::countBlocks(s, term);
    for (int number = 0; number < count; ++number) {
      Columns columns;
      columns.blocks = Matrices::blocksOf(s, term, number);
      findMatrices(team, term, batch, columns.blocks);
      team.wait();
      for (int l = 0; l < left_side.families(); ++l) {
        for (int r = columns.blocks.is_half ? l : 0; r < right_side.families(); ++r) {
          columns.families = {l, r};
          columns.is_diagonal = columns.blocks.is_half && l == r;
          computeFamilies(team, batch, columns);
        }
      }
    }
  }

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void computeFamilies(const Team& team, const Batch& batch,
                                                   Columns& columns) const {
    const int all_rights = rights(columns, D - 1);
    for (columns.left = 0; columns.left < lefts(columns, D - 1); ++columns.left) {
      columns.first = columns.is_diagonal ? columns.left : 0;
      for (; columns.first < all_rights; columns.first += layout.columns) {
        const int left_over = all_rights - columns.first;
        columns.count = left_over < layout.columns ? left_over : layout.columns;
        if constexpr (is_known) {
          if (Left::components_of_values == Right::components_of_values && columns.blocks.is_half) {
            contractLast(team, batch, columns, KnownBool<true>());
          } else {
            contractLast(team, batch, columns, KnownBool<false>());
          }
        } else {
          contractLast(team, batch, columns, columns.blocks.is_half);
        }
        team.wait();
        addTiles(team, batch, columns);
        team.wait();
      }
    }
  }

  /// Components that a term does not couple.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void clearOtherBlocks(const Team& team, const Batch& batch) const {
    const int of_cell = Matrices::entriesOfCell(problem.shape);
    for (int cell = 0; cell < cells && batch.team_cells.isThere(problem, cell); ++cell) {
      team.share(of_cell, [&](int entry) {
        Matrices::clearEntry(problem, batch.team_cells.at(problem, cell), entry);
      });
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION int placeOf(bool is_half, int a, int b) const {
    return Matrices::placeOf(is_half, left_side.components_of_values,
                             right_side.components_of_values, a, b);
  }

  template <class Team, class Term>
  KOKKOS_FORCEINLINE_FUNCTION void findMatrices(const Team& team, const Term& term,
                                                const Batch& batch,
                                                const MatrixBlocks& blocks) const {
    const int points = layout.points();
    team.share(points * cells, [&](int n) {
      auto cell = static_cast<std::uint32_t>(n);
      const int p = static_cast<int>(by_points.takeFrom(cell));
      const std::int64_t c = batch.team_cells.at(problem, static_cast<int>(cell));
      const auto at = batch.team_cells.geometry(problem, static_cast<int>(cell), c, p);
      Acc* const to = batch.matrices + static_cast<int>(cell) * layout.ofPoints() + p;
      const auto find = [&](auto left, auto right) {
        Matrices::template findMatrix<decltype(left)::value, decltype(right)::value>(
            problem, term, at, c, p, blocks,
            [&](int place, const Acc& number) { to[place * points] = number; });
      };
      if constexpr (is_known) {
        find(std::integral_constant<int, Left::components_of_values>(),
             std::integral_constant<int, Right::components_of_values>());
      } else {
        withComponents<D>(term, find);
      }
    });
  }

  /// Right functions of the last direction that share what is read.
  static constexpr int at_once = 2;

  /// The numbers at a line of points of the last direction, and the functions there.
  struct Line {
    const Acc* k;
    int step, count;  ///< of points
    int points;       ///< of a cell: from one entry of the matrices of points to the next
    const Function* left;
    const Function* right[at_once];
  };

  /// Along the last direction, for some right functions at a time. \tparam Half  bool, or KnownBool
  template <class Team, class Half>
  KOKKOS_FORCEINLINE_FUNCTION void contractLast(const Team& team, const Batch& batch,
                                                const Columns& columns, const Half& is_half) const {
    const int slice = layout.pointsOfSlice(), step = layout.sliceStep();
    const int groups = (columns.count + at_once - 1) / at_once;
    const auto& points = layout.sizes.points;
    const Function* const lefts =
        left_side.table(batch.left, points, columns.families.left, D - 1) + columns.left;
    const Function* const rights =
        right_side.table(batch.right, points, columns.families.right, D - 1) + columns.first;
    team.share(slice * cells * groups, [&](int n) {
      auto group = static_cast<std::uint32_t>(n);
      const int q0 = static_cast<int>(by_line.takeFrom(group));
      const int q1 = static_cast<int>(by_lines.takeFrom(group));
      const int cell = static_cast<int>(by_cells.takeFrom(group));
      const int first = at_once * static_cast<int>(group);
      Line line;
      line.k = batch.matrices + cell * layout.ofPoints() + q0 + q1 * points[0];
      line.step = slice;
      line.count = points[D - 1];
      line.points = layout.points();
      line.left = lefts;
      KONTRACT_UNROLL
      for (int i = 0; i < at_once; ++i) {
        line.right[i] = rights + (first + i < columns.count ? first + i : first);
      }
      sumLine(line, columns.families, is_half, [&](int i, int coupling, const Acc& sum) {
        if (first + i >= columns.count) return;
        batch.slices[((first + i) * cells + cell) * layout.ofSlices() + coupling * step + q0 +
                     q1 * layout.lineStep()] = sum;
      });
    });
  }

  /// Calls put(function, coupling, sum) for the sums of a line.
  template <class Half, class Put>
  KOKKOS_FORCEINLINE_FUNCTION void sumLine(const Line& line, const FamilyPair& families,
                                           const Half& is_half, const Put& put) const {
    if constexpr (is_known) {
      sumKnownLine(line, is_half, put);
    } else {
      int coupling = 0;
      for (int a = 0; a < left_side.component_count[families.left]; ++a) {
        for (int b = 0; b < right_side.component_count[families.right]; ++b, ++coupling) {
          sumLineOf(line, left_side.component_of[families.left][a],
                    right_side.component_of[families.right][b], is_half,
                    [&](int i, const Acc& sum) { put(i, coupling, sum); });
        }
      }
    }
  }

  /// All couplings of components in one pass.
  template <class Half, class Put>
  KOKKOS_FORCEINLINE_FUNCTION void sumKnownLine(Line line, const Half& is_half,
                                                const Put& put) const {
    constexpr int NL = Left::components_of_values, NR = Right::components_of_values;
    Acc sums[at_once][NL][NR] = {};
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#pragma unroll 1
#endif
    for (int p = 0; p < line.count; ++p, line.k += line.step, line.left += N) {
      Function of_right[at_once];
      KONTRACT_UNROLL
      for (int i = 0; i < at_once; ++i) {
        of_right[i] = *line.right[i];
        line.right[i] += N;
      }
      KONTRACT_UNROLL
      for (int a = 0; a < NL; ++a) {
        const Acc of_left = Left::factor(*line.left, a, D - 1);
        KONTRACT_UNROLL
        for (int b = 0; b < NR; ++b) {
          const Acc x = line.k[placeOf(is_half, a, b) * line.points] * of_left;
          KONTRACT_UNROLL
          for (int i = 0; i < at_once; ++i) {
            sums[i][a][b] += x * Right::factor(of_right[i], b, D - 1);
          }
        }
      }
    }
    KONTRACT_UNROLL
    for (int i = 0; i < at_once; ++i) {
      KONTRACT_UNROLL
      for (int a = 0; a < NL; ++a) {
        KONTRACT_UNROLL
        for (int b = 0; b < NR; ++b) put(i, a * NR + b, sums[i][a][b]);
      }
    }
  }

  /// One coupling of components.
  template <class Component, class Put>
  KOKKOS_FORCEINLINE_FUNCTION void sumLineOf(Line line, const Component& left,
                                             const Component& right, bool is_half,
                                             const Put& put) const {
    Acc sums[at_once] = {};
    line.k += placeOf(is_half, left.place, right.place) * line.points;
    for (int p = 0; p < line.count; ++p, line.k += line.step, line.left += N) {
      const Acc x = *line.k * Left::factor(*line.left, left, D - 1);
      KONTRACT_UNROLL
      for (int i = 0; i < at_once; ++i) {
        sums[i] += x * Right::factor(*line.right[i], right, D - 1);
        line.right[i] += N;
      }
    }
    const bool is_negative = left.sign != right.sign;
    KONTRACT_UNROLL
    for (int i = 0; i < at_once; ++i) put(i, is_negative ? -sums[i] : sums[i]);
  }

  /// Entries of pairs of functions of the first direction; rows and columns past the last of them
  /// are nothing.
  using Tile = Acc[N][N];

  /// Which of the tiles of a team: its cell, functions of the second direction of three, and the
  /// column.
  struct TilePlace {
    int cell, left, right, column;
  };

  /// Calls f(i, j) for all entries of a tile.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void forEachEntry(const Columns& columns, const F& f) const {
    KONTRACT_UNROLL
    for (int i = 0; i < N; ++i) {
      if (i >= lefts(columns, 0)) break;
      KONTRACT_UNROLL
      for (int j = 0; j < N; ++j) {
        if (j < rights(columns, 0)) f(i, j);
      }
    }
  }

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void addTiles(const Team& team, const Batch& batch,
                                            const Columns& columns) const {
    const int tiles_of_line = D == 3 ? rights(columns, 1) : 1;
    const int tiles = tiles_of_line * (D == 3 ? lefts(columns, 1) : 1);
    const int count = tiles * cells * columns.count, workers = team.member.team_size();
    // Where entries are staged there is a worker for each tile.
    for (int first = 0; first < count; first += workers) {
      const int n = first + team.member.team_rank();
      const bool is_there = n < count;
      auto column = static_cast<std::uint32_t>(is_there ? n / tiles : 0);
      const int tile_of_column = is_there ? n % tiles : 0;
      const int cell = static_cast<int>(by_cells.takeFrom(column));
      TilePlace at;
      at.cell = cell;
      at.left = tile_of_column / tiles_of_line;
      at.right = tile_of_column % tiles_of_line;
      at.column = static_cast<int>(column);
      Tile tile = {};
      if (is_there) {
        const int place = at.column * cells + cell;
        addToTile(batch, columns, batch.slices + place * layout.ofSlices(), at, tile);
        applySigns(batch.team_cells.at(problem, cell), columns, at, tile);
      }
      if (layout.is_staged) {
        team.wait();  // entries wait where slices were read
        if (is_there) stage(tile, columns, at, batch.slices);
        team.wait();
        for (int copy = 0; copy < columns.blocks.copies; ++copy) {
          storeStaged<false>(team, batch, columns, copy);
          if (problem.shape.is_symmetric) storeStaged<true>(team, batch, columns, copy);
        }
      } else if (is_there && batch.team_cells.isThere(problem, cell)) {
        storeTile(batch, columns, at, tile);
      }
    }
  }

  /// The first fields of a tile.
  KOKKOS_FORCEINLINE_FUNCTION int leftField(const Columns& columns, const TilePlace& at) const {
    return left_side.firstField(columns.families.left) + lefts(columns, 0) * at.left +
           leftRows(columns) * columns.left;
  }
  KOKKOS_FORCEINLINE_FUNCTION int rightField(const Columns& columns, const TilePlace& at) const {
    return right_side.firstField(columns.families.right) + rights(columns, 0) * at.right +
           rightRows(columns) * (columns.first + at.column);
  }

  /// Multiplies entries by the signs of their fields, where there are any.
  KOKKOS_FORCEINLINE_FUNCTION void applySigns(std::int64_t c, const Columns& columns,
                                              const TilePlace& at, Tile& tile) const {
    if (!problem.left_signs.isThere() && !problem.right_signs.isThere()) return;
    const int left = leftField(columns, at), right = rightField(columns, at);
    forEachEntry(columns, [&](int i, int j) {
      tile[i][j] = signedSum<D>(problem, c, left + i, right + j, tile[i][j]);
    });
  }

  /// What is at two points, read at once.
  struct alignas(2 * sizeof(Acc)) TwoPoints {
    Acc first, second;
  };

  /// Between values and derivatives in the first direction, of points that share the functions of
  /// the second.
  static constexpr int points_at_once = 2;
  static constexpr int of_left = Left::numbers_taken, of_right = Right::numbers_taken;
  struct Between {
    Acc at[points_at_once][of_left][of_right] = {};
  };

  /// Numbers of a slice at some points of the first direction, and functions of the second.
  struct Strip {
    const Acc* from;
    int step, line;  ///< from one coupling to the next, and from one point of the second direction
    const Function *left, *right;
  };

  /// Along all directions but the last.
  KOKKOS_FORCEINLINE_FUNCTION void addToTile(const Batch& batch, const Columns& columns,
                                             const Acc* slices, const TilePlace& at,
                                             Tile& tile) const {
    const auto& points = layout.sizes.points;
    const FamilyPair& families = columns.families;
    const Function* lefts = left_side.table(batch.left, points, families.left, 0);
    const Function* rights = right_side.table(batch.right, points, families.right, 0);
    Strip strip{slices, layout.sliceStep(), layout.lineStep(), nullptr, nullptr};
    if constexpr (D == 3) {
      strip.left = left_side.table(batch.left, points, families.left, 1) + at.left;
      strip.right = right_side.table(batch.right, points, families.right, 1) + at.right;
    }
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#pragma unroll 1
#endif
    for (int first = 0; first < points[0]; first += points_at_once) {
      const Between between = sumStrip(strip, families);
      addPoint(lefts, rights, columns, between.at[0], tile);
      if (first + 1 == points[0]) return;  // what was read behind the last point is nothing
      addPoint(lefts + N, rights + N, columns, between.at[1], tile);
      lefts += points_at_once * N;
      rights += points_at_once * N;
      strip.from += points_at_once;
    }
  }

  /// Along the second direction of three.
  KOKKOS_FORCEINLINE_FUNCTION Between sumStrip(const Strip& strip,
                                               const FamilyPair& families) const {
    if constexpr (is_known) {
      return sumKnownStrip(strip);
    } else {
      Between between;
      const Acc* from = strip.from;
      for (int a = 0; a < left_side.component_count[families.left]; ++a) {
        const auto& left = left_side.component_of[families.left][a];
        for (int b = 0; b < right_side.component_count[families.right]; ++b, from += strip.step) {
          const auto& right = right_side.component_of[families.right][b];
          addStripOf(strip, from, left, right, between);
        }
      }
      return between;
    }
  }

  /// All couplings of components in one pass.
  KOKKOS_FORCEINLINE_FUNCTION Between sumKnownStrip(const Strip& strip) const {
    Between between;
    constexpr int NL = Left::components_of_values, NR = Right::components_of_values;
    const auto add = [&](const Acc* from, const auto& weight) {
      KONTRACT_UNROLL
      for (int a = 0; a < NL; ++a) {
        KONTRACT_UNROLL
        for (int b = 0; b < NR; ++b, from += strip.step) {
          const Acc product = weight(a, b);
          const int l = NL > 1 && a == 0 ? 1 : 0, r = NR > 1 && b == 0 ? 1 : 0;
          const TwoPoints at = *reinterpret_cast<const TwoPoints*>(from);
          between.at[0][l][r] += at.first * product;
          between.at[1][l][r] += at.second * product;
        }
      }
    };
    if constexpr (D == 2) {
      add(strip.from, [](int, int) { return Acc(1); });
    } else {
      const Function *lefts = strip.left, *rights = strip.right;
      const Acc* from = strip.from;
      for (int q = 0; q < layout.sizes.points[1]; ++q, lefts += N, rights += N) {
        const Function l = *lefts, r = *rights;
        add(from, [&](int a, int b) { return Left::factor(l, a, 1) * Right::factor(r, b, 1); });
        from += strip.line;
      }
    }
    return between;
  }

  /// One coupling of components.
  template <class Component>
  KOKKOS_FORCEINLINE_FUNCTION void addStripOf(const Strip& strip, const Acc* from,
                                              const Component& left, const Component& right,
                                              Between& between) const {
    Acc sums[points_at_once] = {};
    const auto add = [&](const Acc& product) {
      const TwoPoints at = *reinterpret_cast<const TwoPoints*>(from);
      sums[0] += at.first * product;
      sums[1] += at.second * product;
    };
    if constexpr (D == 2) {
      add(Acc(1));
    } else {
      const Function *lefts = strip.left, *rights = strip.right;
      for (int q = 0; q < layout.sizes.points[1]; ++q, lefts += N, rights += N) {
        add(Left::factor(*lefts, left, 1) * Right::factor(*rights, right, 1));
        from += strip.line;
      }
    }
    KONTRACT_UNROLL
    for (int l = 0; l < 2; ++l) {
      KONTRACT_UNROLL
      for (int r = 0; r < 2; ++r) {
        if ((left.derivative == 0) != (l == 1) || (right.derivative == 0) != (r == 1)) continue;
        KONTRACT_UNROLL
        for (int i = 0; i < points_at_once; ++i) between.at[i][l][r] += sums[i];
      }
    }
  }

  /// What a point of the first direction adds.
  KOKKOS_FORCEINLINE_FUNCTION void addPoint(const Function* lefts_there,
                                            const Function* rights_there, const Columns& columns,
                                            const Acc (&between)[of_left][of_right],
                                            Tile& tile) const {
    const FamilyPair& families = columns.families;
    Function of_rights[N];
    KONTRACT_UNROLL
    for (int j = 0; j < N; ++j) of_rights[j] = rights_there[j];
    KONTRACT_UNROLL
    for (int i = 0; i < N; ++i) {
      if (i >= lefts(columns, 0)) break;
      const Function of = lefts_there[i];
      Acc flux[of_right] = {};
      KONTRACT_UNROLL
      for (int r = 0; r < of_right; ++r) {
        if (left_side.takesValues(families.left)) flux[r] += between[0][r] * of.value;
        if constexpr (of_left > 1) {
          if (left_side.takesDerivatives(families.left)) flux[r] += between[1][r] * of.derivative;
        }
      }
      if (right_side.takesValues(families.right)) {
        KONTRACT_UNROLL
        for (int j = 0; j < N; ++j) tile[i][j] += flux[0] * of_rights[j].value;
      }
      if constexpr (of_right > 1) {
        if (!right_side.takesDerivatives(families.right)) continue;
        KONTRACT_UNROLL
        for (int j = 0; j < N; ++j) tile[i][j] += flux[1] * of_rights[j].derivative;
      }
    }
  }

  /// Whether the transposed entries of a column are to be stored, too.
  KOKKOS_FORCEINLINE_FUNCTION bool isMirrored(const Columns& columns, int right) const {
    return problem.shape.is_symmetric && !(columns.is_diagonal && right == columns.left);
  }

  KOKKOS_FORCEINLINE_FUNCTION void storeTile(const Batch& batch, const Columns& columns,
                                             const TilePlace& at, const Tile& tile) const {
    const std::int64_t c = batch.team_cells.at(problem, at.cell);
    const FormShape& s = problem.shape;
    const bool is_mirrored = isMirrored(columns, columns.first + at.column);
    const int left = leftField(columns, at), right = rightField(columns, at);
    forEachEntry(columns, [&](int i, int j) {
      const int l = left + i, r = right + j;
      const Acc sum = tile[i][j];
      for (int copy = 0; copy < columns.blocks.copies; ++copy) {
        const int a = columns.blocks.at.i + copy, b = columns.blocks.at.j + copy;
        storeEntry(problem, c, l * s.left_blocks + a, r * s.right_blocks + b, sum);
        if (is_mirrored) {
          storeEntry(problem, c, r * s.left_blocks + b, l * s.right_blocks + a, sum);
        }
      }
    });
  }

  KOKKOS_FORCEINLINE_FUNCTION void stage(const Tile& tile, const Columns& columns,
                                         const TilePlace& at, Acc* staged) const {
    const int step = layout.rowStep();
    Acc* const to = staged + (at.column * cells + at.cell) * layout.ofStaged() +
                    lefts(columns, 0) * at.left * step + rights(columns, 0) * at.right;
    forEachEntry(columns, [&](int i, int j) { to[i * step + j] = tile[i][j]; });
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
    const int in_row = is_mirror ? leftRows(columns) : rightRows(columns);
    const int row = n / in_row, right = n - row * in_row, step = layout.rowStep();
    const TilePlace start{cell, 0, 0, 0};
    const int left_field = leftField(columns, start), right_field = rightField(columns, start);
    Entries entries;
    entries.c = batch.team_cells.at(problem, cell);
    entries.cell = cell;
    entries.row = row + (is_mirror ? right_field : left_field);
    entries.right = right + (is_mirror ? left_field : right_field);
    entries.sums = batch.slices + cell * layout.ofStaged() +
                   (is_mirror ? right * step + row : row * step + right);
    entries.step = cells * layout.ofStaged();
    return entries;
  }

  template <bool is_mirror, class Team>
  KOKKOS_FORCEINLINE_FUNCTION void storeStaged(const Team& team, const Batch& batch,
                                               const Columns& columns, int copy) const {
    const int i = columns.blocks.at.i + copy, j = columns.blocks.at.j + copy;
    const FormPair blocks{is_mirror ? j : i, is_mirror ? i : j};
    // Of a column whose functions are the left one's all entries are there.
    const int first = is_mirror && columns.is_diagonal && columns.first == columns.left ? 1 : 0;
    const int of_cell = leftRows(columns) * rightRows(columns);
    const int of_column = rightRows(columns);  // from one column to the next
    if (!problem.isScattered()) {
      team.share(of_cell * cells, [&](int n) {
        const int cell = n / of_cell;
        if (!batch.team_cells.isThere(problem, cell)) return;
        storeEntries<is_mirror>(entriesOf<is_mirror>(batch, columns, cell, n - cell * of_cell),
                                blocks, of_column, first, columns.count);
      });
      return;
    }
    problem.scatter.withOffsets([&](const auto& offset_of) {
      team.share(of_cell * cells, [&](int n) {
        const int cell = n / of_cell;
        if (!batch.team_cells.isThere(problem, cell)) return;
        const Entries entries = entriesOf<is_mirror>(batch, columns, cell, n - cell * of_cell);
        // All places are read before anything is added, because each waits for memory.
        std::int32_t offsets[N];
        findOffsets<is_mirror>(offset_of, entries, blocks, of_column, first, columns.count,
                               offsets);
        addEntries<is_mirror>(batch, entries, blocks, of_column, offsets);
      });
    });
  }

  /// \param of_column  fields from one column to the next
  template <bool is_mirror>
  KOKKOS_FORCEINLINE_FUNCTION void storeEntries(const Entries& entries, FormPair blocks,
                                                int of_column, int first, int end) const {
    const FormShape& s = problem.shape;
    const FormStrides& strides = problem.out_strides;
    auto* const to = problem.out.data + entries.c * strides.cell +
                     (entries.row * s.left_blocks + blocks.i) * strides.row +
                     (entries.right * s.right_blocks + blocks.j) * strides.column;
    const std::int64_t step =
        of_column * (is_mirror ? s.left_blocks * strides.row : s.right_blocks * strides.column);
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
                                               FormPair blocks, int of_column, int first, int end,
                                               std::int32_t (&offsets)[N]) const {
    const FormShape& s = problem.shape;
    const int rights = static_cast<int>(s.rights) * s.right_blocks;
    const int step = of_column * (is_mirror ? s.left_blocks * rights : s.right_blocks);
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
                                              FormPair blocks, int of_column,
                                              const std::int32_t (&offsets)[N]) const {
    const int blocks_of_row = problem.shape.left_blocks;
    const std::int64_t* const starts =
        batch.starts + entries.cell * layout.starts + entries.row * blocks_of_row + blocks.i;
    const int row_step = is_mirror ? of_column * blocks_of_row : 0;
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
