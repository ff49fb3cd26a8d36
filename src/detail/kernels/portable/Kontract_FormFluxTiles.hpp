// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FORMFLUXTILES_HPP
#define KONTRACT_FORMFLUXTILES_HPP

#include "Kontract_FastDivisor.hpp"
#include "Kontract_FormEntry.hpp"
#include "Kontract_TeamCells.hpp"
#include "Kontract_Unroll.hpp"
#include "Kontract_Workers.hpp"

namespace Kontract {
namespace Impl {

/// How teams compute the vectors of some cells.
struct FormFluxSizes {
  static constexpr int register_fields = 8;  ///< left ones of a tile

  int cells = 1;      ///< of a team
  int cell_step = 1;  ///< numbers of scratch memory between rows of cells, an odd one
  int tiles = 1;      ///< of left fields and components of them, of a cell
  int field_tiles = 1;
  int value_points = 1;  ///< whose values are in scratch memory at a time: all, or as fluxes
  int points = 1;        ///< whose fluxes are
  /// Where in scratch memory the vectors of cells are, values on both sides, gradients of nodes'
  /// functions, and fluxes; nodes are at its start.
  int vector_at = 0, left_at = 0, right_at = 0, gradients_at = 0, fluxes_at = 0;
  FastDivisor by_cells;
  /// Neighbouring workers that set fluxes at neighbouring points of a cell; 0: of neighbouring
  /// cells.
  int point_lanes = 0;
  int row_lanes = 1;         ///< the same of workers that store rows of cells
  std::int64_t batches = 0;  ///< of cells, of this launch
};

/// Vectors of forms, and products of their matrices with vectors: the vectors and nodes of some
/// cells come into scratch memory, and of some points at a time the values of both sides. Each
/// worker evaluates the right side at a point of a cell and leaves the flux there in scratch
/// memory. Then each has some left fields of a cell, a tile in registers, for which it sums the
/// fluxes over points. Finished sums go through scratch memory, so that neighbouring workers write,
/// or add, to neighbours in memory. A team computes one batch of cells after another, with the same
/// values if those of all points are there.
template <class Problem, int D>
struct FormFluxTiles {
  using Point = FormPoint<Problem, D>;
  using Acc = typename Point::Acc;
  static constexpr int fields = FormFluxSizes::register_fields;
  using Sums = Acc[fields];
  static constexpr bool is_product = Problem::kind == FormKind::Products;
  static constexpr bool has_mapping = Problem::mapping_type::is_ever_there;
  static constexpr bool has_nodes = Problem::gradients_type::is_ever_there;

  Problem problem;
  FormFluxSizes sizes;

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(const Workers<Member>& team, std::int64_t batch) const {
    (*this)(team, batch, sizes.batches);
  }

  /// \param first, step  batches of a team: the first one, and so many further on
  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(const Workers<Member>& team, std::int64_t first,
                                         std::int64_t step) const {
    const int tiles = sizes.cells * sizes.tiles, workers = team.member.team_size();
    const int points = static_cast<int>(problem.shape.points);
    const bool keeps_values = sizes.value_points == points;
    bool has_values = false;
    for (std::int64_t batch = first; batch < sizes.batches; batch += step) {
      const TeamCells<Problem, D> cells = cellsOf(team, batch);
      for (int first_tile = 0; first_tile < tiles; first_tile += workers) {
        const Tile tile = tileAt(first_tile + team.member.team_rank());
        Sums sums;
        KONTRACT_UNROLL
        for (Acc& sum : sums) sum = Acc(0);
        team.wait();  // what was in scratch memory may still be read
        loadCells(team, cells);
        for (int p = 0; p < points; p += sizes.points) {
          const int left = points - p;
          const Chunk chunk{p, left < sizes.points ? left : sizes.points, keeps_values ? p : 0};
          if (p > 0) team.wait();
          if (!has_values) loadValues(team, chunk);
          has_values = keeps_values;
          team.wait();
          setFluxes(team, cells, chunk);
          team.wait();
          if (tile.cell >= 0) addPoints(team, tile, chunk, sums);
        }
        team.wait();
        storeTiles(team, cells, first_tile, tile, sums);
      }
    }
  }

 private:
  /// Points whose fluxes are in scratch memory.
  struct Chunk {
    int first, count;
    int of_values;  ///< the place of the first one among those whose values are there
  };

  /// Its cell of the team, -1 if there is none; its first field and their component.
  struct Tile {
    int cell, field, component;
  };

  /// Neighbouring workers have neighbouring cells.
  KOKKOS_FORCEINLINE_FUNCTION Tile tileAt(int n) const {
    if (n >= sizes.cells * sizes.tiles) return {-1, 0, 0};
    auto of_cell = static_cast<std::uint32_t>(n);
    Tile tile;
    tile.cell = static_cast<int>(sizes.by_cells.takeFrom(of_cell));
    tile.component = static_cast<int>(of_cell) / sizes.field_tiles;
    tile.field = (static_cast<int>(of_cell) - tile.component * sizes.field_tiles) * fields;
    return tile;
  }

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION static Acc* scratchOf(const Team& team) {
    return static_cast<Acc*>(team.scratch);
  }

  /// Calls f(n) for n below count, neighbours in neighbouring workers, which are threads here.
  template <class Team, class F>
  static KOKKOS_FORCEINLINE_FUNCTION void share(const Team& team, int count, const F& f) {
    const int workers = team.member.team_size();
    for (int n = team.member.team_rank(); n < count; n += workers) f(n);
  }

  /// Calls f(cell, row) for all cells of a team and rows of something that they have.
  /// \param cell_fastest  whether neighbouring workers have neighbouring cells, or rows
  template <class Team, class F>
  KOKKOS_FORCEINLINE_FUNCTION void shareRows(const Team& team, int rows, bool cell_fastest,
                                             const F& f) const {
    share(team, rows * sizes.cells, [&](int n) {
      if (cell_fastest) {
        auto row = static_cast<std::uint32_t>(n);
        const int cell = static_cast<int>(sizes.by_cells.takeFrom(row));
        f(cell, static_cast<int>(row));
      } else {
        const int cell = n / rows;
        f(cell, n - cell * rows);
      }
    });
  }

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION TeamCells<Problem, D> cellsOf(const Team& team,
                                                            std::int64_t batch) const {
    TeamCells<Problem, D> cells;
    cells.first = batch * sizes.cells;
    cells.count = sizes.cells;
    cells.node_count = has_nodes ? static_cast<int>(problem.shape.nodes) : 0;
    cells.nodes = scratchOf(team);
    return cells;
  }

  /// Nodes, and what the vector has for the right fields of each cell.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void loadCells(const Team& team,
                                             const TeamCells<Problem, D>& cells) const {
    if constexpr (has_nodes) {
      shareRows(team, cells.node_count, problem.shape.cell_fastest_mapping,
                [&](int cell, int node) { cells.loadNode(problem, node, cell); });
    }
    if constexpr (is_product) {
      const FormShape& s = problem.shape;
      const bool cell_fastest =
          problem.vector.strides.cell == 1 && problem.vector.numbers == nullptr;
      Acc* const to = scratchOf(team) + sizes.vector_at;
      const int rows = static_cast<int>(s.rights) * s.right_blocks;
      shareRows(team, rows, cell_fastest, [&](int cell, int row) {
        const std::int64_t c = cells.at(problem, cell);
        Acc x(problem.vector.at(c, row, 0));
        Point::applySign(problem.right_signs, c, row / s.right_blocks, x);
        to[row * sizes.cell_step + cell] = x;
      });
    }
  }

  /// Values of those points that are kept: left ones by component, point and field, with zeros for
  /// fields past the last one; right ones by field, component and point.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void loadValues(const Team& team, const Chunk& chunk) const {
    const FormShape& s = problem.shape;
    Acc *left = scratchOf(team) + sizes.left_at, *right = scratchOf(team) + sizes.right_at;
    const int padded = sizes.field_tiles * fields, step = sizes.value_points;
    const int first = chunk.first - chunk.of_values;
    const int open = static_cast<int>(s.points) - first, count = open < step ? open : step;
    forEachTerm(problem.terms, [&](const auto& term) {
      withComponents<D>(term, [&](auto nl, auto nr) {
        constexpr int NL = decltype(nl)::value;
        [[maybe_unused]] constexpr int NR = decltype(nr)::value;
        share(team, padded * count, [&](int n) {
          const int p = n / padded, f = n - p * padded;
          for (int a = 0; a < NL; ++a) {
            left[(a * step + p) * padded + f] =
                f < s.lefts ? Acc(term.left.referenceAt(f, first + p, a)) : Acc(0);
          }
        });
        left += NL * step * padded;
        if constexpr (is_product) {
          share(team, static_cast<int>(s.rights) * count, [&](int n) {
            const int f = n / count, p = n - f * count;
            for (int b = 0; b < NR; ++b) {
              right[(f * NR + b) * step + p] = Acc(term.right.referenceAt(f, first + p, b));
            }
          });
          right += NR * step * static_cast<int>(s.rights);
        }
      });
    });
    if constexpr (has_nodes) {
      const int nodes = static_cast<int>(s.nodes);
      Acc* const gradients = scratchOf(team) + sizes.gradients_at;
      share(team, nodes * count, [&](int n) {
        const int p = n / nodes, node = n - p * nodes;
        for (int j = 0; j < D; ++j) {
          gradients[p * gradientsStep() + node * D + j] =
              Acc(problem.gradients.at(0, node, first + p, j));
        }
      });
    }
  }

  /// Numbers between gradients of points: neighbouring workers may have those.
  KOKKOS_FORCEINLINE_FUNCTION int gradientsStep() const {
    return static_cast<int>(problem.shape.nodes) * D | 1;
  }

  /// What a worker has of something that cells have several of, points or rows: the first of each,
  /// and steps to the next.
  struct Share {
    int cell, cell_step, item, item_step;
  };
  /// \param lanes  neighbouring workers that have neighbouring items of a cell; 0: neighbouring
  ///   cells. Workers that are over have none
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION Share shareOf(const Team& team, int lanes) const {
    const int workers = team.member.team_size(), rank = team.member.team_rank();
    Share share;
    if (lanes > 0) {
      share.cell_step = workers / lanes;
      share.item_step = lanes;
      share.cell = rank / lanes;
      share.item = rank - share.cell * lanes;
      if (share.cell >= share.cell_step) share.cell = sizes.cells;
    } else {
      share.cell_step = workers < sizes.cells ? workers : sizes.cells;
      share.item_step = workers / share.cell_step;
      share.item = rank / share.cell_step;
      share.cell = rank - share.item * share.cell_step;
      if (share.item >= share.item_step) share.cell = sizes.cells;
    }
    return share;
  }

  /// Fluxes: by term, left component, point and cell.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void setFluxes(const Team& team, const TeamCells<Problem, D>& cells,
                                             const Chunk& chunk) const {
    const Share share = shareOf(team, sizes.point_lanes);
    for (int cell = share.cell; cell < sizes.cells; cell += share.cell_step) {
      PointGeometry<D, Acc> at;
      int before = -1;
      for (int p = share.item; p < chunk.count; p += share.item_step) {
        if (isLikeBefore(team, chunk, before, p)) {
          setMeasure(cells.at(problem, cell), chunk.first + p, at);
        } else {
          setGeometry(team, cells, cell, chunk, p, at);
        }
        before = p;
        setFluxesAt(team, cells, cell, chunk, p, at);
      }
    }
  }

  /// Whether a cell has the same Jacobian at a point as at one before, -1 if there was none.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION bool isLikeBefore(const Team& team, const Chunk& chunk, int before,
                                                int p) const {
    if (before < 0) return false;
    if constexpr (!has_mapping) {
      return true;
    } else if constexpr (!has_nodes) {
      return problem.mapping.strides.point == 0;
    } else {
      const int count = static_cast<int>(problem.shape.nodes) * D;
      if (count > (D + 1) * D) return false;  // of simplices alone it is likely
      const Acc* const all =
          scratchOf(team) + sizes.gradients_at + chunk.of_values * gradientsStep();
      const Acc *const a = all + before * gradientsStep(), *const b = all + p * gradientsStep();
      bool are_same = true;
      for (int n = 0; n < count; ++n) are_same = are_same && a[n] == b[n];
      return are_same;
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void setMeasure(std::int64_t c, int p,
                                              PointGeometry<D, Acc>& at) const {
    at.measure = Point::weight(problem, c, p);
    if constexpr (has_mapping) Point::addMeasure(problem, p, at);
  }

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void setGeometry(const Team& team, const TeamCells<Problem, D>& cells,
                                               int cell, const Chunk& chunk, int p,
                                               PointGeometry<D, Acc>& at) const {
    const std::int64_t c = cells.at(problem, cell);
    if constexpr (has_nodes) {
      const Acc* const gradients =
          scratchOf(team) + sizes.gradients_at + (chunk.of_values + p) * gradientsStep();
      at = geometryOfNodes<D>(problem, c, chunk.first + p, cells.node_count, cells.nodes + cell,
                              sizes.cells, NodeGradients<Acc>{gradients, D, 1});
    } else {
      at = Point::geometry(problem, c, chunk.first + p);
    }
  }

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void setFluxesAt(const Team& team, const TeamCells<Problem, D>& cells,
                                               int cell, const Chunk& chunk, int p,
                                               const PointGeometry<D, Acc>& at) const {
    const std::int64_t c = cells.at(problem, cell);
    const Acc* right = scratchOf(team) + sizes.right_at + chunk.of_values + p;
    const Acc* const vector = scratchOf(team) + sizes.vector_at + cell;
    Acc* to = scratchOf(team) + sizes.fluxes_at + p * sizes.cell_step + cell;
    const int step = chunk.count * sizes.cell_step;
    forEachTerm(problem.terms, [&](const auto& term) {
      withComponents<D>(term, [&](auto nl, auto nr) {
        constexpr int NL = decltype(nl)::value, NR = decltype(nr)::value;
        this->template setFlux<NL, NR>(term, at, c, chunk.first + p, right, vector, to, step);
        right += NR * sizes.value_points * static_cast<int>(problem.shape.rights);
        to += NL * problem.shape.left_blocks * step;
      });
    });
  }

  /// The flux of a term at a point, from all components of the right side to all of the left one.
  /// \param right   values there, by field and component
  /// \param vector  of the cell, by field and component
  /// \param step    between left components
  template <int NL, int NR, class Term>
  KOKKOS_FORCEINLINE_FUNCTION void setFlux(const Term& term, const PointGeometry<D, Acc>& at,
                                           std::int64_t c, int p, const Acc* right,
                                           const Acc* vector, Acc* to, int step) const {
    const FormShape& s = problem.shape;
    const bool are_coupled =
        term.kind == CoefficientKind::Elastic || term.coefficient_is_vector_of_blocks;
    for (int j = 0; j < s.right_blocks; ++j) {
      Acc u[NR];
      if constexpr (is_product) {
        evaluate(right, vector + j * sizes.cell_step, u);
      } else {
        for (Acc& x : u) x = Acc(1);
      }
      for (int i = 0; i < s.left_blocks; ++i) {
        if (j > 0 && i != j && !are_coupled) continue;
        Acc flux[NL] = {};
        Point::template addFlux<NL, NR>(problem, term, at, c, p, i, j, u, flux);
        KONTRACT_UNROLL
        for (int a = 0; a < NL; ++a) {
          Acc& sum = to[(i * NL + a) * step];
          sum = j == 0 ? flux[a] : sum + flux[a];
        }
      }
    }
  }

  /// The values of the vector at a point.
  template <int NR>
  KOKKOS_FORCEINLINE_FUNCTION void evaluate(const Acc* right, const Acc* vector,
                                            Acc (&u)[NR]) const {
    KONTRACT_UNROLL
    for (Acc& x : u) x = Acc(0);
    const int vector_step = problem.shape.right_blocks * sizes.cell_step;
    for (int f = 0; f < static_cast<int>(problem.shape.rights); ++f) {
      const Acc x = *vector;
      KONTRACT_UNROLL
      for (int b = 0; b < NR; ++b) multiplyAdd(u[b], right[b * sizes.value_points], x);
      right += NR * sizes.value_points;
      vector += vector_step;
    }
  }

  /// Numbers that a device reads together.
  struct alignas(16) Together {
    static constexpr int count = 16 / sizeof(Acc);
    Acc numbers[count];
  };

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void addPoints(const Team& team, const Tile& tile, const Chunk& chunk,
                                             Sums& sums) const {
    const int padded = sizes.field_tiles * fields;
    const Acc* left = scratchOf(team) + sizes.left_at + chunk.of_values * padded + tile.field;
    const Acc* flux = scratchOf(team) + sizes.fluxes_at + tile.cell;
    const int step = chunk.count * sizes.cell_step;
    forEachTerm(problem.terms, [&](const auto& term) {
      withComponents<D>(term, [&](auto nl, auto) {
        constexpr int NL = decltype(nl)::value;
        const Acc* of_component = flux + tile.component * NL * step;
        for (int a = 0; a < NL; ++a) {
          addRows(left, of_component, chunk.count, sums);
          left += sizes.value_points * padded;
          of_component += step;
        }
        flux += problem.shape.left_blocks * NL * step;
      });
    });
  }

  /// Adds the products of values and fluxes of some points.
  KOKKOS_FORCEINLINE_FUNCTION void addRows(const Acc* left, const Acc* flux, int count,
                                           Sums& sums) const {
    for (int p = 0; p < count; ++p) {
      const Acc x = *flux;
      const auto* const from = reinterpret_cast<const Together*>(left);
      KONTRACT_UNROLL
      for (int n = 0; n < fields / Together::count; ++n) {
        const Together together = from[n];
        KONTRACT_UNROLL
        for (int m = 0; m < Together::count; ++m) {
          multiplyAdd(sums[n * Together::count + m], together.numbers[m], x);
        }
      }
      flux += sizes.cell_step;
      left += sizes.field_tiles * fields;
    }
  }

  /// Leaves the sums of tiles that workers have, the first of them is given, in the output.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void storeTiles(const Team& team, const TeamCells<Problem, D>& cells,
                                              int first_tile, const Tile& tile,
                                              const Sums& sums) const {
    const FormShape& s = problem.shape;
    if (s.cell_fastest && !problem.isScattered()) {
      if (tile.cell < 0) return;
      KONTRACT_UNROLL
      for (int n = 0; n < fields; ++n) leave(cells, tile, n, sums[n]);
      return;
    }
    // By cell, field and component, as outputs are; rows that other tiles have are skipped.
    Acc* const staged = scratchOf(team) + sizes.fluxes_at;
    const int row_step = stagedStep();
    if (tile.cell >= 0) {
      KONTRACT_UNROLL
      for (int n = 0; n < fields; ++n) {
        staged[tile.cell * row_step + (tile.field + n) * s.left_blocks + tile.component] = sums[n];
      }
    }
    team.wait();
    const int rows = static_cast<int>(s.lefts) * s.left_blocks;
    const int last_tile = first_tile + team.member.team_size();
    const bool has_all = first_tile == 0 && last_tile >= sizes.cells * sizes.tiles;
    const Share share = shareOf(team, sizes.row_lanes);
    for (int cell = share.cell; cell < sizes.cells; cell += share.cell_step) {
      if (!cells.isThere(problem, cell)) break;
      for (int row = share.item; row < rows; row += share.item_step) {
        const int f = s.left_blocks == 1 ? row : row / s.left_blocks;
        const int component = row - f * s.left_blocks;
        const int place = (component * sizes.field_tiles + f / fields) * sizes.cells + cell;
        if (!has_all && (place < first_tile || place >= last_tile)) continue;
        leave(cells, {cell, f, component}, 0, staged[cell * row_step + row]);
      }
    }
  }

  /// Numbers between cells of sums in scratch memory.
  KOKKOS_FORCEINLINE_FUNCTION int stagedStep() const { return sizes.tiles * fields | 1; }

  KOKKOS_FORCEINLINE_FUNCTION void leave(const TeamCells<Problem, D>& cells, const Tile& tile,
                                         int n, Acc sum) const {
    const FormShape& s = problem.shape;
    const int f = tile.field + n;
    if (f >= s.lefts || !cells.isThere(problem, tile.cell)) return;
    const std::int64_t c = cells.at(problem, tile.cell);
    Point::applySign(problem.left_signs, c, f, sum);
    leaveSum(problem, c, f * s.left_blocks + tile.component, 0, 1, sum);
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
