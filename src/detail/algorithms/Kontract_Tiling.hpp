// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TILING_HPP
#define KONTRACT_TILING_HPP

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "Kontract_TilePlan.hpp"
#include "Kontract_TiledForms.hpp"
#include "Kontract_WorkOfForm.hpp"
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

/// Panels of both sides in scratch memory: where they are, and their strides.
struct TilePanels {
  int terms = 1;                            ///< in a panel
  int padded_lefts = 1, padded_rights = 1;  ///< fields of a term
  int cells = 1;                            ///< of a panel, if cells are neighbours there
  std::int64_t right_at = 0, sums_at = 0;   ///< in scratch memory
  bool cell_inmost = false;                 ///< whether they are
  bool spills = false;  ///< whether sums wait in scratch memory, not in registers

  KOKKOS_FORCEINLINE_FUNCTION int cellStep(int padded) const {
    return cell_inmost ? 1 : terms * padded;
  }
  KOKKOS_FORCEINLINE_FUNCTION int fieldStep() const { return cell_inmost ? cells : 1; }
  KOKKOS_FORCEINLINE_FUNCTION int termStep(int padded) const { return fieldStep() * padded; }
};

/// A team computes a tile of outputs from panels of both sides, some terms at a time.
/// \tparam unroll terms that a thread adds without a branch
template <class Problem, int register_lefts, int register_rights, int unroll, bool on_host>
struct TileOfOutputs {
  Problem problem;
  OutputBlocks blocks;
  std::int64_t all_terms;
  TilePanels panels;

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(const Workers<Member>& workers, std::int64_t piece) const {
    const RegisterTiles tiles(blocks[piece], register_lefts, register_rights);
    const Scratch scratch = scratchAt(static_cast<char*>(workers.scratch));
    const int rank = workers.member.team_rank(), threads = workers.member.team_size();
    const TilePlace mine = placeOf(tiles, rank);
    Tile tile;
    tile.each([](Acc& sum, int, int) { sum = Acc(0); });
    std::int64_t first = 0;
    do {
      const std::int64_t end = all_terms - first < panels.terms ? all_terms : first + panels.terms;
      if (first > 0) workers.wait();  // for those that still read the last panels
      loadPanels(workers, tiles, scratch, first, end);
      workers.wait();
      // Without spilling there is one register tile a thread, which stays from panel to panel.
      for (int t = rank; t < tiles.count(); t += threads) {
        addPanels(tile, tiles, t == rank ? mine : placeOf(tiles, t), scratch, Terms{first, end});
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
  /// A register tile of a team.
  struct TilePlace {
    int tile, row, column, cell;
  };

  KOKKOS_FORCEINLINE_FUNCTION Scratch scratchAt(char* memory) const {
    return {reinterpret_cast<Left*>(memory), reinterpret_cast<Right*>(memory + panels.right_at),
            reinterpret_cast<Acc*>(memory + panels.sums_at)};
  }

  /// Neighbouring tiles are neighbours in memory: cells, or right fields.
  KOKKOS_FORCEINLINE_FUNCTION TilePlace placeOf(const RegisterTiles& tiles, int t) const {
    const int in_cells = panels.cell_inmost ? tiles.cells : 1;
    const int rest = t / in_cells, matrix = rest / tiles.columns;
    return {t, matrix % tiles.rows, rest - matrix * tiles.columns,
            panels.cell_inmost ? t - rest * in_cells : matrix / tiles.rows};
  }

  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void loadPanels(const Workers<Member>& workers,
                                              const RegisterTiles& tiles, const Scratch& scratch,
                                              std::int64_t first, std::int64_t end) const {
    const ContractionShape& s = problem.shape;
    const OutputPlace& at = tiles.block.first;
    Panel left;
    left.from = at.c * s.left_cell + at.l * s.left_field;
    left.from_cell = s.left_cell, left.from_field = s.left_field;
    left.from_term = &SumLevel::left;
    setExtents(left, tiles.cells, tiles.lefts, tiles.rows * register_lefts, first, end);
    setSteps(left, panels.padded_lefts);
    loadPanel<on_host>(workers, scratch.left, problem.left, left, s.sum);
    Panel right;
    right.from = at.c * s.right_cell + at.r * s.right_field;
    right.from_cell = s.right_cell, right.from_field = s.right_field;
    right.from_term = &SumLevel::right;
    setExtents(right, tiles.cells, tiles.rights, tiles.columns * register_rights, first, end);
    setSteps(right, panels.padded_rights);
    loadPanel<on_host>(workers, scratch.right, problem.right, right, s.sum);
  }

  KOKKOS_FORCEINLINE_FUNCTION static void setExtents(Panel& panel, int cells, int fields,
                                                     int whole_fields, std::int64_t first,
                                                     std::int64_t end) {
    panel.cells = cells, panel.fields = fields, panel.zero_fields = whole_fields - fields;
    panel.first_term = first, panel.terms = static_cast<int>(end - first);
  }

  KOKKOS_FORCEINLINE_FUNCTION void setSteps(Panel& panel, int padded) const {
    panel.to_cell = panels.cellStep(padded);
    panel.to_field = panels.fieldStep();
    panel.to_term = panels.termStep(padded);
  }

  /// Adds the terms that the panels hold to a register tile. Sums of earlier terms are in the tile,
  /// or come from scratch memory and go back there; after the last term they are stored.
  KOKKOS_FORCEINLINE_FUNCTION void addPanels(Tile& tile, const RegisterTiles& tiles,
                                             const TilePlace& at, const Scratch& scratch,
                                             const Terms& of) const {
    const int count = tiles.count();
    tile.each([&](Acc& sum, int i, int j) {
      if (of.first == 0) {
        sum = Acc(0);
      } else if (panels.spills) {
        sum = scratch.sums[(i * register_rights + j) * count + at.tile];
      }
    });
    const int lefts = panels.padded_lefts, rights = panels.padded_rights;
    tile.template add<unroll>(
        PanelTile<Left>{scratch.left + at.cell * panels.cellStep(lefts), panels.termStep(lefts),
                        at.row, tiles.rows, panels.fieldStep()},
        PanelTile<Right>{scratch.right + at.cell * panels.cellStep(rights), panels.termStep(rights),
                         at.column, tiles.columns, panels.fieldStep()},
        static_cast<int>(of.end - of.first));
    if (of.end == all_terms) return storeTile(tile, tiles, at);
    if (!panels.spills) return;
    tile.each([&](Acc& sum, int i, int j) {
      scratch.sums[(i * register_rights + j) * count + at.tile] = sum;
    });
  }

  KOKKOS_FORCEINLINE_FUNCTION void storeTile(Tile& tile, const RegisterTiles& tiles,
                                             const TilePlace& at) const {
    const OutputPlace& first = tiles.block.first;
    tile.each([&](Acc& sum, int i, int j) {
      const int l = Tile::template fieldOf<register_lefts>(at.row, i, tiles.rows);
      const int r = Tile::template fieldOf<register_rights>(at.column, j, tiles.columns);
      if (l < tiles.lefts && r < tiles.rights) {
        storeSum(problem, first.c + at.cell, first.l + l, first.r + r, sum);
      }
    });
  }
};

/// Tiles of both sides in scratch memory; each thread has a register tile of outputs, and adds to
/// it while the team walks along k. Tiles are cut at the ends of the problem, and a team takes
/// several cells where they are small. Forms: see FormTiles and FormFluxTiles. Source: the "tiling"
/// of J. Amelang, A. Gruver and others, "kokkos-intrepid" (2014), there for square tiles that
/// divide the problem; register tiles are the usual further step of matrix products.
struct Tiling {
  static constexpr const char* name = "Tiling";
  static constexpr const char* summary = "tiles of both sides in scratch, register tiles";

  struct Settings {
    int lefts = 0, rights = 0, terms = 0, register_lefts = 0, register_rights = 0, unroll = 0;
    template <class Visitor>
    void visit(Visitor&& visitor) {
      visitor("Tile L", lefts, "left fields of a tile (0 = choose)");
      visitor("Tile R", rights, "right fields of a tile (0 = choose)");
      visitor("Tile K", terms, "terms of a tile (0 = choose)");
      visitor("Register L", register_lefts, "left fields of a thread: 1, 2 or 4 (0 = choose)");
      visitor("Register R", register_rights, "right fields of a thread: 1, 2 or 4 (0 = choose)");
      visitor("Unroll K", unroll,
              "terms that a thread adds without a branch: 1, 4 or 8 (0 = choose)");
    }
  };

  static constexpr unsigned launch_knobs =
      LaunchSettings::team_size_knob | LaunchSettings::cells_per_team_knob |
      LaunchSettings::bound_knobs | LaunchSettings::scatter_knob;

  template <class Space, class Problem>
  static constexpr bool serves = is_plain_contraction<Problem> || is_plain_form<Problem>;

  /// \return expected seconds
  static double estimate(const Work& work, const Machine& machine) {
    if (work.is_form) {
      return work.form.shape.kind == FormKind::Matrices ? secondsOfFormTiles(work, machine)
                                                        : secondsOfFormFluxes(work, machine);
    }
    if (!machine.is_host) {
      const auto& [cells, lefts, rights] = work.box.extents;
      // Few fields on a side use again little of the other; products of two complex doubles are
      // four, and their panels hold half as many.
      const bool is_complex_double = work.is_complex && work.scalar_bytes[0] == 16;
      const double product = (is_complex_double ? 1.1e-12 : 0.56e-12) *
                             (1 + 4 / double(std::max<std::int64_t>(1, std::min(lefts, rights))));
      return double(cells) * 0.5e-9 +
             secondsOfDeviceSums(work, machine, {product, 5e-7, 1e-6}, double(work.terms));
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
    if (work.is_form) return 0;
    return leastSecondsOnTeams(work, machine);
  }

  static std::string whyNot(const Work& work, const Machine& machine, const Plan<Settings>& plan) {
    if (work.is_form) return whyNotForm(work, machine, plan);
    const auto why_not_register = [](const char* what, int extent) -> std::string {
      if (extent == 0 || extent == 1 || extent == 2 || extent == 4) return {};
      return std::string(what) + " = " + std::to_string(extent) + " is not offered: 1, 2 or 4 are";
    };
    std::string why = why_not_register("Register L", plan.settings.register_lefts);
    if (why.empty()) why = why_not_register("Register R", plan.settings.register_rights);
    if (why.empty()) why = whyNotVariant(plan);
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

  static LaunchSettings resolvedLaunch(const Work& work, const Machine& machine,
                                       const LaunchSettings& launch) {
    return scatterResolved(work, machine, false, launch);
  }

  static std::vector<Plan<Settings>> candidates(const Work& work, const Machine& machine) {
    std::vector<Plan<Settings>> plans(1);
    if (work.is_form) {
      const int cells = work.form.shape.kind == FormKind::Matrices
                            ? formTilePlan(work, machine, {}).sizes.cells
                            : formFluxPlan(work, machine, {}).sizes.cells;
      for (const int part : {cells / 2, cells / 4}) {
        if (part == 0) continue;
        plans.emplace_back();
        plans.back().launch.cells_per_team = part;
      }
      return plans;
    }
    const auto add = [&](int l, int r, int k, int registers, int unroll = 0) {
      Plan<Settings> plan;
      plan.settings = {l, r, k, registers, registers, unroll};
      if (whyNot(work, machine, plan).empty()) plans.push_back(plan);
    };
    if (machine.is_host) {
      add(16, 16, 64, 4);
      add(32, 32, 16, 4);
      add(64, 16, 16, 4);
      add(16, 64, 16, 4);
      add(16, 16, 32, 2);
      add(0, 0, 0, 0, 4);
    } else {
      add(16, 16, 16, 1);
      add(32, 32, 16, 2);
      add(32, 32, 8, 4);
      add(64, 64, 8, 4);
      add(32, 64, 32, 4);
      add(0, 0, 0, 0, 1);
      add(0, 0, 0, 0, 8);
      addBounds(plans);
    }
    return plans;
  }

  template <class Space, class Problem>
  static void run(const Space& space, const Problem& problem, const Plan<Settings>& plan,
                  const std::string& label) {
    if constexpr (is_plain_form<Problem>) {
      const Work work = workOf(problem);
      const Machine machine = machineOf(space);
      const Problem form = scatteringForm(space, problem, plan.launch, label);
      if (form.kind == FormKind::Matrices) {
        runTiledForms(space, form, formTilePlan(work, machine, plan.launch), label);
      } else {
        runFluxTiles(space, form, formFluxPlan(work, machine, plan.launch), label);
      }
    } else {
      runContraction(space, problem, plan, label);
    }
  }

 private:
  static std::string whyNotForm(const Work& work, const Machine& machine,
                                const Plan<Settings>& plan) {
    Settings given = plan.settings;
    std::string why;
    given.visit([&](const char* name, int value, const char*) {
      if (value == 0 || !why.empty()) return;
      why = std::string("forms have no setting '") + name + "'; leave it at 0";
    });
    if (!why.empty()) return why;
    if (plan.launch.givesBounds()) {
      return "forms have no settings 'Max Threads' and 'Min Blocks'; leave them at 0";
    }
    why = whyNotScatter(work.form.shape, machine.is_host, false, plan.launch);
    if (!why.empty()) return why;
    return work.form.shape.kind == FormKind::Matrices
               ? whyNotFormTiles(work, machine, plan.launch)
               : whyNotFormFluxes(work, machine, plan.launch);
  }

  template <class Space, class Problem>
  static void runContraction(const Space& space, const Problem& problem, const Plan<Settings>& plan,
                             const std::string& label) {
    const TilePlan tiles = tilesFor(wholeWorkOf(problem), machineOf(space), plan);
    constexpr int unroll = ordinary_unroll<Space>;
    if (hasVariant(plan)) return runVariant(space, problem, plan, tiles, label);
    forRegisters(tiles.register_lefts, [&](auto lefts) {
      forRegisters(tiles.register_rights, [&](auto rights) {
        const auto [teams, kernel] =
            kernelFor<decltype(lefts)::value, decltype(rights)::value, unroll>(space, problem,
                                                                               tiles);
        launch(space, label, teams, kernel);
      });
    });
  }

  /// Calls f with an extent of register tiles as a constant.
  template <class F>
  static void forRegisters(int extent, const F& f) {
    switch (extent) {
      case 1: return f(std::integral_constant<int, 1>());
      case 2: return f(std::integral_constant<int, 2>());
      default: return f(std::integral_constant<int, 4>());
    }
  }

  /// Terms that a thread adds without a branch, if nothing else is asked for.
  template <class Space>
  static constexpr int ordinary_unroll = is_host_space<Space> ? 1 : 4;
  /// The register tile of kernels that are unrolled otherwise, or have launch bounds.
  static constexpr int variant_fields = 4;

  static bool hasVariant(const Plan<Settings>& plan) {
    return plan.settings.unroll != 0 || plan.launch.givesBounds();
  }

  /// Why there is no kernel of that unroll depth, or with launch bounds; empty if there is. There
  /// are few, because each is one more to compile.
  static std::string whyNotVariant(const Plan<Settings>& plan) {
    const Settings& given = plan.settings;
    if (!hasVariant(plan)) return {};
    const std::string unroll = "Unroll K = " + std::to_string(given.unroll);
    if (given.unroll != 0 && given.unroll != 1 && given.unroll != 4 && given.unroll != 8) {
      return unroll + " is not offered: 1, 4 or 8 are";
    }
    if (plan.launch.givesBounds() && given.unroll != 0) {
      return unroll + " is not offered with launch bounds: leave it at 0";
    }
    for (const int fields : {given.register_lefts, given.register_rights}) {
      if (fields == 0 || fields == variant_fields) continue;
      return "a register tile of " + std::to_string(fields) +
             " fields is not offered with Unroll K or launch bounds: 4 are";
    }
    return {};
  }

  /// Runs a kernel that is unrolled otherwise, or has launch bounds.
  template <class Space, class Problem>
  static void runVariant(const Space& space, const Problem& problem, const Plan<Settings>& plan,
                         const TilePlan& tiles, const std::string& label) {
    constexpr int fields = variant_fields;
    const auto run_with = [&](auto unroll) {
      auto [teams, kernel] =
          kernelFor<fields, fields, decltype(unroll)::value>(space, problem, tiles);
      teams.launch = plan.launch;
      if constexpr (unroll == ordinary_unroll<Space>) {
        launchBounded(space, label, teams, kernel);
      } else {
        launch(space, label, teams, kernel);
      }
    };
    const int unroll = plan.settings.unroll;
    switch (unroll == 0 ? ordinary_unroll<Space> : unroll) {
      case 1: return run_with(std::integral_constant<int, 1>());
      case 8: return run_with(std::integral_constant<int, 8>());
      default: return run_with(std::integral_constant<int, 4>());
    }
  }

  /// The teams and the kernel of tiles.
  template <int register_lefts, int register_rights, int unroll, class Space, class Problem>
  static auto kernelFor(const Space&, const Problem& problem, const TilePlan& tiles) {
    const std::int64_t terms = problem.shape.terms();
    constexpr bool on_host = is_host_space<Space>;
    const TilePlan::Scratch scratch =
        tiles.scratch({int(sizeof(typename Problem::left_type::value_type)),
                       int(sizeof(typename Problem::right_type::value_type))},
                      sizeof(AccumulatorOf<Problem>), terms);
    const OutputBlocks blocks = tiles.blocksOf(problem.shape.box());
    Teams teams{blocks.count(), tiles.team.threads, tiles.team.vector_length, scratch.end};
    TilePanels panels;
    panels.terms = static_cast<int>(tiles.terms);
    panels.padded_lefts = static_cast<int>(tiles.paddedLefts());
    panels.padded_rights = static_cast<int>(tiles.paddedRights());
    panels.cells = static_cast<int>(tiles.cells);
    panels.cell_inmost = tiles.cell_inmost;
    panels.right_at = scratch.right, panels.sums_at = scratch.sums;
    panels.spills = tiles.spills(terms);
    const TileOfOutputs<Problem, register_lefts, register_rights, unroll, on_host> kernel{
        problem, blocks, terms, panels};
    return std::pair{teams, kernel};
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
    tiles.cell_inmost = !machine.is_host && work.cell_fastest;
    tiles.is_odd = !machine.is_host && !work.cell_fastest;
    const auto registers = [&](int asked, std::int64_t extent) {
      return asked == 0 && hasVariant(plan) ? variant_fields : registersFor(asked, extent);
    };
    tiles.register_lefts = registers(given.register_lefts, lefts);
    tiles.register_rights = registers(given.register_rights, rights);
    const auto clamped = [](int asked, std::int64_t open, std::int64_t extent) {
      return std::clamp<std::int64_t>(asked == 0 ? open : asked, 1,
                                      std::max<std::int64_t>(1, extent));
    };
    const Box open = openTile(work.box, machine, tiles);
    tiles.lefts = clamped(given.lefts, open.extents[1], lefts);
    tiles.rights = clamped(given.rights, open.extents[2], rights);
    tiles.terms = clamped(given.terms, machine.is_host ? 64 : 32, work.terms);
    tiles.cells = clamped(cells_given, openCells(machine, tiles), cells);
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

  /// The register tile that was asked for, or the largest one that the fields fill.
  static int registersFor(int asked, std::int64_t extent) {
    return asked != 0 ? asked : extent >= 4 ? 4 : extent >= 2 ? 2 : 1;
  }

  /// Fields of a tile where none are asked for: on a device, tiles of about the same size that
  /// threads fill with one register tile each.
  static Box openTile(const Box& box, const Machine& machine, const TilePlan& tiles) {
    if (machine.is_host) return {{1, 32, 32}};
    const auto even = [](std::int64_t extent, std::int64_t most, std::int64_t step) {
      const std::int64_t count = std::max<std::int64_t>(1, (extent + most - 1) / most);
      return ((extent + count - 1) / count + step - 1) / step * step;
    };
    return {{1, even(box.extents[1], 32, tiles.register_lefts),
             even(box.extents[2], 64, tiles.register_rights)}};
  }

  /// Cells of a tile where none are asked for: as many as threads have register tiles of.
  static std::int64_t openCells(const Machine& machine, const TilePlan& tiles) {
    const std::int64_t threads = machine.is_host ? 1 : 128;
    return threads / (tiles.leftsAlong() * tiles.rightsAlong());
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
