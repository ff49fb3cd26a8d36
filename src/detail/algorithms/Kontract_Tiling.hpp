// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TILING_HPP
#define KONTRACT_TILING_HPP

#include <string>
#include <type_traits>
#include <vector>

#include "Kontract_TilePlan.hpp"
#include "detail/kernels/portable/Kontract_Panel.hpp"
#include "detail/kernels/portable/Kontract_RegisterTile.hpp"
#include "detail/kernels/portable/Kontract_SumOfProducts.hpp"
#include "detail/launch/Kontract_Launch.hpp"

namespace Kontract {
namespace Impl {

/// The register tiles that a team's block of outputs is cut into, in each cell: rows of left
/// fields, columns of right ones.
struct RegisterTiles {
  OutputBlock block;
  int cells, lefts, rights, rows, columns;

  KOKKOS_FORCEINLINE_FUNCTION RegisterTiles(const OutputBlock& of, int register_lefts,
                                            int register_rights)
      : block(of),
        cells(static_cast<int>(of.cells)),
        lefts(static_cast<int>(of.lefts)),
        rights(static_cast<int>(of.rights)),
        rows((lefts + register_lefts - 1) / register_lefts),
        columns((rights + register_rights - 1) / register_rights) {}
  KOKKOS_FORCEINLINE_FUNCTION int count() const { return cells * rows * columns; }
};

/// A team computes a tile of outputs from panels of both sides, some terms at a time.
template <class Problem, int register_lefts, int register_rights, bool on_host>
struct TileOfOutputs {
  Problem problem;
  OutputBlocks blocks;
  std::int64_t all_terms;
  int terms;                        ///< in a panel
  int padded_lefts, padded_rights;  ///< fields in a panel, whole register tiles
  std::int64_t right_at, sums_at;   ///< in scratch memory
  bool spills;                      ///< whether sums wait in scratch memory, not in registers

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(const Workers<Member>& workers, std::int64_t piece) const {
    const RegisterTiles tiles(blocks[piece], register_lefts, register_rights);
    const Scratch scratch = scratchAt(static_cast<char*>(workers.scratch));
    Panel left_panel = leftPanelOf(tiles), right_panel = rightPanelOf(tiles);
    Tile tile;
    tile.each([](Acc& sum, int, int) { sum = Acc(0); });
    std::int64_t first = 0;
    do {
      const std::int64_t end = all_terms - first < terms ? all_terms : first + terms;
      if (first > 0) workers.wait();  // for those that still read the last panels
      left_panel.first_term = right_panel.first_term = first;
      left_panel.terms = right_panel.terms = static_cast<int>(end - first);
      loadPanel<on_host>(workers, scratch.left, problem.left, left_panel, problem.shape.sum);
      loadPanel<on_host>(workers, scratch.right, problem.right, right_panel, problem.shape.sum);
      workers.wait();
      // Without spilling there is one register tile a thread, which stays from panel to panel.
      for (int t = workers.member.team_rank(); t < tiles.count(); t += workers.member.team_size()) {
        addPanels(tile, tiles, t, scratch, Terms{first, end});
      }
      first = end;
    } while (first < all_terms);
  }

 private:
  using Acc = AccumulatorOf<Problem>;
  using Left = typename Problem::left_type::value_type;
  using Right = typename Problem::right_type::value_type;
  using Tile = RegisterTile<Acc, register_lefts, register_rights, on_host>;

  /// Panels of both sides, and sums that wait.
  struct Scratch {
    Left* left;
    Right* right;
    Acc* sums;
  };
  struct Terms {
    std::int64_t first, end;
  };

  KOKKOS_FORCEINLINE_FUNCTION Scratch scratchAt(char* memory) const {
    return {reinterpret_cast<Left*>(memory), reinterpret_cast<Right*>(memory + right_at),
            reinterpret_cast<Acc*>(memory + sums_at)};
  }

  KOKKOS_FORCEINLINE_FUNCTION Panel leftPanelOf(const RegisterTiles& tiles) const {
    const ContractionShape& s = problem.shape;
    const OutputPlace& first = tiles.block.first;
    return {first.c * s.left_cell + first.l * s.left_field,
            s.left_cell,
            s.left_field,
            &SumLevel::left,
            0,
            tiles.cells,
            tiles.lefts,
            0,
            terms * padded_lefts,
            1,
            padded_lefts,
            tiles.rows * register_lefts - tiles.lefts};
  }

  KOKKOS_FORCEINLINE_FUNCTION Panel rightPanelOf(const RegisterTiles& tiles) const {
    const ContractionShape& s = problem.shape;
    const OutputPlace& first = tiles.block.first;
    return {first.c * s.right_cell + first.r * s.right_field,
            s.right_cell,
            s.right_field,
            &SumLevel::right,
            0,
            tiles.cells,
            tiles.rights,
            0,
            terms * padded_rights,
            1,
            padded_rights,
            tiles.columns * register_rights - tiles.rights};
  }

  /// Adds the terms that the panels hold to register tile t. Sums of earlier terms are in the tile,
  /// or come from scratch memory and go back there; after the last term they are stored.
  KOKKOS_FORCEINLINE_FUNCTION void addPanels(Tile& tile, const RegisterTiles& tiles, int t,
                                             const Scratch& scratch, const Terms& of) const {
    const int column = t % tiles.columns, row = t / tiles.columns % tiles.rows,
              c = t / tiles.columns / tiles.rows, count = tiles.count();
    tile.each([&](Acc& sum, int i, int j) {
      if (of.first == 0) {
        sum = Acc(0);
      } else if (spills) {
        sum = scratch.sums[(i * register_rights + j) * count + t];
      }
    });
    tile.add(
        PanelTile<Left>{scratch.left + c * terms * padded_lefts, padded_lefts, row, tiles.rows},
        PanelTile<Right>{scratch.right + c * terms * padded_rights, padded_rights, column,
                         tiles.columns},
        static_cast<int>(of.end - of.first));
    if (of.end == all_terms) return storeTile(tile, tiles, row, column, c);
    if (!spills) return;
    tile.each(
        [&](Acc& sum, int i, int j) { scratch.sums[(i * register_rights + j) * count + t] = sum; });
  }

  KOKKOS_FORCEINLINE_FUNCTION void storeTile(Tile& tile, const RegisterTiles& tiles, int row,
                                             int column, int c) const {
    const OutputPlace& first = tiles.block.first;
    tile.each([&](Acc& sum, int i, int j) {
      const int l = Tile::template fieldOf<register_lefts>(row, i, tiles.rows);
      const int r = Tile::template fieldOf<register_rights>(column, j, tiles.columns);
      if (l < tiles.lefts && r < tiles.rights) {
        storeSum(problem, first.c + c, first.l + l, first.r + r, sum);
      }
    });
  }
};

/// Tiles of both sides in scratch memory; each thread has a register tile of outputs, and adds to
/// it while the team walks along k. Tiles are cut at the ends of the problem, and a team takes
/// several cells where they are small. Source: the "tiling" of J. Amelang, A. Gruver and
/// others, "kokkos-intrepid" (2014), there for square tiles that divide the problem; register tiles
/// are the usual further step of matrix products.
struct Tiling {
  static constexpr const char* name = "Tiling";
  static constexpr const char* summary = "tiles of both sides in scratch, register tiles";

  struct Settings {
    int lefts = 0, rights = 0, terms = 0, register_lefts = 0, register_rights = 0;
    template <class Visitor>
    void visit(Visitor&& visitor) {
      visitor("Tile L", lefts, "left fields of a tile (0 = choose)");
      visitor("Tile R", rights, "right fields of a tile (0 = choose)");
      visitor("Tile K", terms, "terms of a tile (0 = choose)");
      visitor("Register L", register_lefts, "left fields of a thread: 1, 2 or 4 (0 = choose)");
      visitor("Register R", register_rights, "right fields of a thread: 1, 2 or 4 (0 = choose)");
    }
  };

  static constexpr unsigned launch_knobs =
      LaunchSettings::team_size_knob | LaunchSettings::cells_per_team_knob;

  template <class Space, class Problem>
  static constexpr bool serves = is_plain_contraction<Problem>;

  /// \return expected seconds
  static double estimate(const Work& work, const Machine& machine) {
    if (!machine.is_host) {
      const double cells = static_cast<double>(work.box.extents[0]);
      return cells * 2.5e-9 + secondsOfDeviceSums(work, machine, {1.2e-12, 5e-7, 1e-6},
                                                  static_cast<double>(work.terms));
    }
    const TilePlan tiles = tilesFor(work, machine, {});
    const double teams = static_cast<double>(tiles.blocksOf(work.box).count());
    const double copied = teams * static_cast<double>((tiles.lefts + tiles.rights) * tiles.cells) *
                          static_cast<double>(work.terms);
    const double busy = std::clamp<double>(teams * tiles.team.workers(), 1, machine.concurrency);
    return copied * (machine.is_host ? 1.5e-9 : 4e-9) / busy +
           secondsOnTeams(work, machine, busy, teams, machine.is_host ? 1e-7 : 1e-6);
  }

  static double bound(const Work& work, const Machine& machine) {
    return leastSecondsOnTeams(work, machine);
  }

  static std::string whyNot(const Work& work, const Machine& machine, const Plan<Settings>& plan) {
    const auto why_not_register = [](const char* what, int extent) -> std::string {
      if (extent == 0 || extent == 1 || extent == 2 || extent == 4) return {};
      return std::string(what) + " = " + std::to_string(extent) + " is not offered: 1, 2 or 4 are";
    };
    std::string why = why_not_register("Register L", plan.settings.register_lefts);
    if (why.empty()) why = why_not_register("Register R", plan.settings.register_rights);
    if (why.empty()) why = whyNotTeams(machine, plan.launch);
    if (!why.empty()) return why;
    TilePlan tiles = tilesFor(work, machine, plan);
    if (tiles.fits(work, machine)) return {};
    why = "tiles of " + textOf(tiles) + " do not fit scratch memory of " +
          std::to_string(machine.scratch_bytes[0]) + " bytes; ";
    while (!tiles.fits(work, machine) && (tiles.terms > 8 || tiles.registerTiles() > 1)) {
      std::int64_t& longest = tiles.terms > 8              ? tiles.terms
                              : tiles.cells > 1            ? tiles.cells
                              : tiles.lefts > tiles.rights ? tiles.lefts
                                                           : tiles.rights;
      longest /= 2;
      tiles.setTeam(work, machine, plan.launch);
    }
    return why + textOf(tiles) + " would";
  }

  static std::vector<Plan<Settings>> candidates(const Work& work, const Machine& machine) {
    std::vector<Plan<Settings>> plans(1);
    const auto add = [&](int l, int r, int k, int registers) {
      Plan<Settings> plan;
      plan.settings = {l, r, k, registers, registers};
      if (whyNot(work, machine, plan).empty()) plans.push_back(plan);
    };
    if (machine.is_host) {
      add(16, 16, 64, 4);
      add(32, 32, 16, 4);
      add(64, 16, 16, 4);
      add(16, 64, 16, 4);
      add(16, 16, 32, 2);
    } else {
      add(16, 16, 16, 1);
      add(32, 32, 16, 2);
      add(32, 32, 8, 4);
      add(64, 64, 8, 4);
      add(32, 64, 32, 4);
    }
    return plans;
  }

  template <class Space, class Problem>
  static void run(const Space& space, const Problem& problem, const Plan<Settings>& plan,
                  const std::string& label) {
    const TilePlan tiles = tilesFor(wholeWorkOf(problem), machineOf(space), plan);
    forRegisters(tiles.register_lefts, [&](auto lefts) {
      forRegisters(tiles.register_rights, [&](auto rights) {
        runWith<decltype(lefts)::value, decltype(rights)::value>(space, problem, tiles, label);
      });
    });
  }

 private:
  /// Calls f with an extent of register tiles as a constant.
  template <class F>
  static void forRegisters(int extent, const F& f) {
    switch (extent) {
      case 1: return f(std::integral_constant<int, 1>());
      case 2: return f(std::integral_constant<int, 2>());
      default: return f(std::integral_constant<int, 4>());
    }
  }

  template <int register_lefts, int register_rights, class Space, class Problem>
  static void runWith(const Space& space, const Problem& problem, const TilePlan& tiles,
                      const std::string& label) {
    const std::int64_t terms = problem.shape.terms();
    const TilePlan::Scratch scratch =
        tiles.scratch({int(sizeof(typename Problem::left_type::value_type)),
                       int(sizeof(typename Problem::right_type::value_type))},
                      sizeof(AccumulatorOf<Problem>), terms);
    const OutputBlocks blocks = tiles.blocksOf(problem.shape.box());
    Teams teams{blocks.count(), tiles.team.threads, tiles.team.vector_length, scratch.end};
    launch(space, label, teams,
           TileOfOutputs<Problem, register_lefts, register_rights, is_host_space<Space>>{
               problem, blocks, terms, int(tiles.terms), int(tiles.leftsAlong()) * register_lefts,
               int(tiles.rightsAlong()) * register_rights, scratch.right, scratch.sums,
               tiles.spills(terms)});
  }

  static std::string textOf(const TilePlan& tiles) {
    return "Tile L, R, K = " + std::to_string(tiles.lefts) + ", " + std::to_string(tiles.rights) +
           ", " + std::to_string(tiles.terms) + " of " + std::to_string(tiles.cells) +
           (tiles.cells == 1 ? " cell" : " cells");
  }

  /// The tiles that were asked for, no larger than the problem; what was left open shrinks until it
  /// fits scratch memory.
  static TilePlan tilesFor(const Work& work, const Machine& machine, const Plan<Settings>& plan) {
    const auto& [cells, lefts, rights] = work.box.extents;
    const Settings& given = plan.settings;
    const int cells_given = plan.launch.cells_per_team;
    TilePlan tiles;
    const auto registers = [&](int asked, std::int64_t extent) {
      if (asked != 0) return asked;
      const std::int64_t enough = machine.is_host ? 1 : 8;  // threads for a device
      return extent >= 4 * enough ? 4 : extent >= 2 * enough ? 2 : 1;
    };
    tiles.register_lefts = registers(given.register_lefts, lefts);
    tiles.register_rights = registers(given.register_rights, rights);
    const auto clamped = [](int asked, std::int64_t open, std::int64_t extent) {
      return std::clamp<std::int64_t>(asked == 0 ? open : asked, 1,
                                      std::max<std::int64_t>(1, extent));
    };
    tiles.lefts = clamped(given.lefts, 32, lefts);
    tiles.rights = clamped(given.rights, machine.is_host ? 32 : 64, rights);
    tiles.terms = clamped(given.terms, machine.is_host ? 64 : 16, work.terms);
    const std::int64_t threads = machine.is_host ? 1 : 128;
    tiles.cells = clamped(cells_given, threads / tiles.registerTiles(), cells);
    tiles.setTeam(work, machine, plan.launch);
    const auto halve = [](int asked, std::int64_t& open, std::int64_t least) {
      if (asked != 0 || open <= least) return false;
      open = std::max(least, open / 2);
      return true;
    };
    while (!tiles.fits(work, machine) &&
           (halve(given.terms, tiles.terms, 8) || halve(cells_given, tiles.cells, 1) ||
            halve(given.rights, tiles.rights, 1) || halve(given.lefts, tiles.lefts, 1))) {
      tiles.setTeam(work, machine, plan.launch);
    }
    return tiles;
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
