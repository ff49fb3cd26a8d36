// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TENSORCORE_HPP
#define KONTRACT_TENSORCORE_HPP

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "Kontract_FadPairs.hpp"
#include "Kontract_FadRows.hpp"
#include "Kontract_FadRuns.hpp"
#include "Kontract_TableVectors.hpp"
#include "Kontract_TensorColumnForms.hpp"
#include "Kontract_TensorForms.hpp"
#include "Kontract_TensorMatrixForms.hpp"
#include "Kontract_TensorPlan.hpp"
#include "Kontract_WorkOfForm.hpp"
#include "detail/kernels/portable/Kontract_SumOfProducts.hpp"
#include "detail/launch/Kontract_CudaLaunch.hpp"
#include "detail/launch/Kontract_Estimate.hpp"
#include "detail/launch/Kontract_LaunchSettings.hpp"
#include "detail/problem/Kontract_Problem.hpp"
#include "detail/support/Kontract_DeviceApi.hpp"
#include "detail/support/Kontract_Scalar.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include "Kontract_Staged.hpp"
#include "Kontract_TensorCoreKernel.hpp"
#include "Kontract_TensorCoreSmall.hpp"
#endif

namespace Kontract {
namespace Impl {

/// Matrix instructions of NVIDIA devices in double precision, fed through shared memory by the copy
/// engine. Other scalars are brought to double precision, so sums of float are kept in double.
/// Source: the form of the instructions, rows times columns of terms side by side, is that of this
/// contraction; stages in shared memory between a copy engine and warps that compute are how the
/// matrix products of NVIDIA's CUTLASS work. Forms: see FormProducts, FormTableVectors, and
/// TensorColumns.
struct TensorCore {
  static constexpr const char* name = "Tensor Core";
  static constexpr const char* summary = "double-precision matrix instructions of NVIDIA devices";

  struct Settings {
    int tile = 0, stages = 0;
    template <class Visitor>
    void visit(Visitor&& visitor) {
      visitor("Tile", tile,
              "left and right fields of a warp's tile: 8, 16, 32, or 64 (by 32) (0 = choose)");
      visitor("Stages", stages,
              "parts of the sum that are in shared memory at a time (0 = choose)");
    }
  };

  static constexpr unsigned launch_knobs = LaunchSettings::scatter_knob;

  template <class Space, class Problem>
  static constexpr bool serves = is_cuda<Space> &&
                                 (has_one_scalar<Problem> || is_plain_form<Problem> ||
                                  has_fad_rows<Problem>);

  /// \return expected seconds
  static double estimate(const Work& work, const Machine& machine) {
    if (work.is_form) {
      return hasTensorColumns(work, machine)    ? secondsOfTensorColumns(work, machine)
             : hasTensorMatrices(work, machine) ? secondsOfTensorMatrices(work, machine)
             : isOfMatrices(work)               ? secondsOfTensorForms(work, machine)
                                                : secondsOfTableVectors(work, machine);
    }
    if (work.is_fad) {
      return work.has_component_rows
                 ? std::min(secondsOfFadRuns(work, machine), secondsOfLists(work, machine))
                 : secondsOfComponents(work, machine);
    }
    return secondsOf(work, machine);
  }

  static std::string whyNot(const Work& work, const Machine& machine, const Plan<Settings>& plan) {
    if (work.is_form) return whyNotForm(work, machine, plan);
    if (machine.compute_capability < 80) return no_instructions;
    return work.is_fad ? whyNotFads(work, machine, plan)
                       : whyNotContraction(work, machine, plan.settings);
  }

  static LaunchSettings resolvedLaunch(const Work& work, const Machine& machine,
                                       const LaunchSettings& launch) {
    return scatterResolved(work, machine, false, launch);
  }

  static std::vector<Plan<Settings>> candidates(const Work& work, const Machine& machine) {
    std::vector<Plan<Settings>> plans(1);
    if (work.is_form || work.is_fad) return plans;
    for (const int tile : {16, 32, 64}) {
      for (const int stages : {0, 3}) {
        Plan<Settings> plan;
        plan.settings = {tile, stages};
        if (whyNot(work, machine, plan).empty()) plans.push_back(plan);
      }
    }
    return plans;
  }

  template <class Space, class Problem>
  static void run(const Space& space, const Problem& problem,
                  [[maybe_unused]] const Plan<Settings>& plan, const std::string& label) {
    if constexpr (is_plain_form<Problem>) {
      runForm(space, problem, plan.launch, label);
    } else if constexpr (has_fad_rows<Problem>) {
      runFads(space, problem, label);
    } else {
      runContraction(space, problem, plan, label);
    }
  }

 private:
  static constexpr const char* no_instructions =
      "this device has no double-precision matrix instructions (compute capability 8.0 has)";

  static bool areBothFads(const Work& work) { return haveDerivatives(work, 2, 2); }
  static bool isOfMatrices(const Work& work) { return work.form.shape.kind == FormKind::Matrices; }

  template <class Space, class T>
  static void runByTables(const Space& space, const PlainForm<T>& form, const Machine& machine,
                          const LaunchSettings& settings, const std::string& label) {
    switch (form.kind) {
      case FormKind::Vectors:
        return runTableVectorsOf<FormKind::Vectors>(space, form, machine, settings, label);
      case FormKind::Products:
        return runTableVectorsOf<FormKind::Products>(space, form, machine, settings, label);
      default: return runTensorForms(space, form, machine, settings, label);
    }
  }

  template <class Space, class T>
  static void runForm(const Space& space, const PlainForm<T>& given, const LaunchSettings& settings,
                      const std::string& label) {
    const Work work = workOf(given);
    const Machine machine = machineOf(space);
    const TensorMatrixPlan matrix_plan = tensorMatrixPlan(work, machine);
    if (!matrix_plan.fits && !hasTensorColumns(work, machine)) {
      return runByTables(space, given, machine, settings, label);
    }
    const PlainForm<T> form = scatteringForm(space, given, settings, label);
    if (form.outputs() == 0) return;
    if (matrix_plan.fits) {
      runTensorMatricesOf(space, form, matrix_plan, label);
    } else if (form.kind == FormKind::Vectors) {
      runTensorColumnsOf<FormKind::Vectors>(space, form, machine, label);
    } else {
      runTensorColumnsOf<FormKind::Products>(space, form, machine, label);
    }
  }

  template <class Space, class Problem>
  static void runContraction([[maybe_unused]] const Space& space,
                             [[maybe_unused]] const Problem& problem,
                             [[maybe_unused]] const Plan<Settings>& plan,
                             [[maybe_unused]] const std::string& label) {
#ifdef KOKKOS_ENABLE_CUDA
    using T = OutputScalar<Problem>;
    const Work work = workOf(problem);
    const Machine machine = machineOf(space);
    if constexpr (!IsComplex<T>::value) {
      if (plan.settings.tile == 0 && plan.settings.stages == 0 &&
          runSmallCells(space, problem.shape, problem.out.data, problem.left.data,
                        problem.right.data, label)) {
        return;
      }
    }
    if (!machine.hasCopyEngine() ||
        !tryToRun(space, problem, planFor(work, machine, plan.settings, true), label)) {
      // Or addresses or strides do not suit the engine: warps copy.
      tryToRun(space, problem, planFor(work, machine, plan.settings, false), label);
    }
#endif
  }

  template <class Space, class Problem>
  static void runFads([[maybe_unused]] const Space& space, [[maybe_unused]] const Problem& problem,
                      [[maybe_unused]] const std::string& label) {
#ifdef KOKKOS_ENABLE_CUDA
    const Work work = workOf(problem);
    const Machine machine = machineOf(space);
    if (work.has_component_rows) {
      // Chunks go the way that as many cells as the whole has go.
      return goesByRuns(wholeWorkOf(problem), machine) ? runFadRuns(space, problem, label)
             : areBothFads(work)                       ? runFadPairs(space, problem, label)
                                                       : runFadRows(space, problem, label);
    }
    const Work each = componentsOf(work);
    // Rows of odd lengths would have components that are odd, too: warps copy them.
    const auto run = [&](bool by_engine) {
      const TensorPlan plan =
          planFor(each, machine, {by_engine ? 0 : most_copied_tile, 0}, by_engine);
      return !plan.odd_cells && withTile<Rows::OfComponents>(space, problem, plan, label);
    };
    if (!machine.hasCopyEngine() || !run(true)) run(false);
#endif
  }

  static std::string whyNotContraction(const Work& work, const Machine& machine,
                                       const Settings& given) {
    if (!work.matrices.has_one_step) return "the terms of the sum have no single stride";
    const bool by_terms = work.unit_left && work.unit_right;
    if (!by_terms && !work.neighbour_cells) {
      return "neither terms nor cells of both inputs are neighbours in memory";
    }
    const bool is_double = work.scalar_bytes[0] == (work.is_complex ? 16 : 8);
    if (!by_terms && !is_double) {
      return "cells that are neighbours in memory need double precision";
    }
    const bool holds_two_sums = work.is_complex || !by_terms;
    if (given.tile != 0 && given.tile != 8 && given.tile != 16 && given.tile != 32 &&
        given.tile != 64) {
      return "Tile = " + std::to_string(given.tile) + " is not offered: 8, 16, 32 and 64 are";
    }
    if (given.tile == 64 && holds_two_sums) {
      return "Tile = 64 does not fit the registers for these inputs: at most 32";
    }
    if (given.tile == 8 && work.is_complex) {
      return "Tile = 8 is not offered for complex scalars: 16 and 32 are";
    }
    if (given.stages < 0 || given.stages > 8) {
      return "Stages = " + std::to_string(given.stages) + " is not offered: 1 to 8 are";
    }
    // Where there is a copy engine, warps copy all the same if addresses or strides do not suit it.
    const std::string why = whyNoStages(work, machine, given, false);
    return !why.empty() || !machine.hasCopyEngine() ? why : whyNoStages(work, machine, given, true);
  }

  static std::string whyNoStages(const Work& work, const Machine& machine, const Settings& given,
                                 bool by_engine) {
    const TensorPlan tensor = planFor(work, machine, given, by_engine);
    if (tensor.bytes + 1024 <= machine.block_shared_bytes) return {};
    return "Stages = " + std::to_string(tensor.stages) + " do not fit shared memory of " +
           std::to_string(machine.block_shared_bytes) + " bytes; " +
           std::to_string(planFor(work, machine, {given.tile, 0}, by_engine).stages) + " would";
  }

  static std::string whyNotFads(const Work& work, const Machine& machine,
                                const Plan<Settings>& plan) {
    if (plan.settings.tile != 0 || plan.settings.stages != 0) {
      return "Fads have no settings 'Tile' and 'Stages'; leave them at 0";
    }
    if (work.has_component_rows) {
      return goesByRuns(work, machine) ? "" : whyNoLists(work, machine);
    }
    if (!work.has_component_step) return "the value of a Fad does not follow its derivatives";
    if (!haveDerivatives(work, 1, 2)) return "no input has the derivatives of the output";
    if (!work.neighbour_cells) {
      return "neither components nor cells of both inputs are neighbours in memory";
    }
    return whyNotContraction(componentsOf(work), machine, {});
  }

  /// Of Fads whose components are side by side: whether the copy engine takes them as runs, or
  /// threads copy by lists.
  static bool goesByRuns(const Work& work, const Machine& machine) {
    const double seconds = secondsOfFadRuns(work, machine);
    return std::isfinite(seconds) && seconds <= secondsOfLists(work, machine);
  }
  static std::string whyNoLists(const Work& work, const Machine& machine) {
    return areBothFads(work) ? whyNoFadPairs(work, machine) : whyNoFadRows(work, machine);
  }
  /// Infinite where there are none.
  static double secondsOfLists(const Work& work, const Machine& machine) {
    if (!whyNoLists(work, machine).empty()) return std::numeric_limits<double>::infinity();
    return areBothFads(work) ? secondsOfFadPairs(work, machine) : secondsOfFadRows(work, machine);
  }

  /// Of Fads whose components are far apart, as 160 random shapes take them on an H200.
  static double secondsOfComponents(const Work& work, const Machine& machine) {
    const Work each = componentsOf(work);
    const TensorPlan plan = planFor(each, machine, {}, true);
    Work rows = each;
    rows.box.extents[0] = work.box.extents[0];
    const bool has_engine = machine.hasCopyEngine() && !plan.odd_cells && suitsEngine(rows, plan);
    return (has_engine ? 1.25 : 3) * secondsOf(each, machine);
  }

  /// The work of Fads whose components are far apart: each is a contraction of numbers.
  static Work componentsOf(const Work& work) {
    Work each = work;
    each.is_fad = false;
    each.box.extents[0] *= work.components;
    each.terms = (work.terms * work.products + work.components - 1) / work.components;
    std::fill(std::begin(each.scalar_bytes), std::end(each.scalar_bytes), int(sizeof(double)));
    return each;
  }

  static std::string whyNotForm(const Work& work, const Machine& machine,
                                const Plan<Settings>& plan) {
    if (plan.settings.tile != 0 || plan.settings.stages != 0) {
      return "forms have no settings 'Tile' and 'Stages'; leave them at 0";
    }
    const std::string why = whyNotScatter(work.form.shape, machine.is_host, false, plan.launch);
    if (!why.empty()) return why;
    if (machine.compute_capability < 80) return no_instructions;
    if (hasTensorMatrices(work, machine) || hasTensorColumns(work, machine)) return {};
    switch (work.form.shape.kind) {
      case FormKind::Matrices: return whyNotTensorForms(work, machine);
      case FormKind::Vectors:
      case FormKind::Products: return whyNotTableVectors(work, machine);
      default: return "of forms it is for matrices, vectors and products with vectors";
    }
  }

  /// Expected seconds of a contraction.
  static double secondsOf(const Work& work, const Machine& machine) {
    const TensorPlan plan = planFor(work, machine, {}, true);
    const auto& [cells, lefts, rights] = work.box.extents;
    const double works = double(plan.works(work));
    const double tiles = works * plan.warps();
    const double warps_of_device = double(most_warps) * machine.multiprocessors;
    const double busy = std::min(1.0, tiles / warps_of_device);
    constexpr double flops_per_cycle = 256;  // of a multiprocessor's matrix instructions
    const bool is_small = isSmall(work), has_engine = machine.hasCopyEngine();
    const double cycles = is_small ? double(cells) * cyclesOfSmallCell(work)
                                   : tiles * cyclesOfTile(work, plan, has_engine);
    const double compute =
        flops_per_cycle * cycles / ((is_small ? 1 : busy) * machine.matrix_flops_per_second);
    // Tiles of a cell read its fields again, from the cache of the device.
    const double read = double(cells) * double(work.terms) *
                        (double(lefts) * double(plan.rightTiles(work)) +
                         double(rights) * double(plan.leftTiles(work))) *
                        work.scalar_bytes[0];
    const double cache = read / (2.1 * machine.bytes_per_second);
    const double copying = plan.by_cells && !(has_engine && suitsEngine(work, plan)) ? 2.4 : 1;
    const double memory = copying * work.bytes / machine.bytes_per_second;
    const double start = is_small ? 2e-7 : 2e-6;
    constexpr double term = 1e-8;
    // Neither hides behind the other all of the time, least of all where cells are side by side.
    const double together = plan.by_cells
                                ? std::hypot(compute, memory)
                                : std::sqrt(std::hypot(compute * compute, memory * memory));
    return machine.launch_seconds + start + term * double(work.terms) + std::max(cache, together);
  }

  /// Of components that warps copy, for registers.
  static constexpr int most_copied_tile = 16;
  static constexpr int most_warps = 8;  ///< of a multiprocessor, as registers allow

  static bool isSmall(const Work& work) {
    const auto& [cells, lefts, rights] = work.box.extents;
    return work.unit_left && work.unit_right && !work.is_complex && std::max(lefts, rights) <= 8 &&
           work.terms <= 16 && work.terms % 2 == 0;
  }

  // Cycles of a multiprocessor of an H200, as random shapes take them.

  static double cyclesOfSmallCell(const Work& work) {
    const double steps = work.terms > 8 ? 2 : 1;
    return work.scalar_bytes[0] == 4 ? 38 + 10 * steps : 56 + 18 * steps;
  }

  /// Of the tile of a warp: its start and its end, and eight terms at a time.
  static double cyclesOfTile(const Work& work, const TensorPlan& plan, bool has_engine) {
    if (plan.by_cells) return cyclesOfTileOfCells(work, plan);
    const double steps = double((work.terms + 7) / 8), products = work.is_complex ? 4 : 1;
    const bool is_copied = !(has_engine && suitsEngine(work, plan));
    if (plan.lefts >= 4) {
      return 700 + products * (is_copied ? 115 : 86) * steps * plan.lefts / 4;
    }
    const double start = plan.lefts == 2 ? 200 : is_copied ? 160 : 110;
    const double each = !is_copied ? 16 : work.is_complex ? 26 : 22 + 4.5 * work.scalar_bytes[0];
    return start + products * each * steps;
  }

  /// The same where cells are side by side, with its share of what is copied for all warps.
  static double cyclesOfTileOfCells(const Work& work, const TensorPlan& plan) {
    const double steps = double((work.terms + 7) / 8), row = plan.odd_cells ? 5.5 : 1.7;
    const std::int64_t terms =
        (work.terms + plan.terms_each - 1) / plan.terms_each * plan.terms_each;
    const double copying = row * double(terms) * (plan.left_box + plan.right_box) / plan.warps();
    if (work.is_complex) {
      return copying + (plan.lefts >= 4 ? 800 + 210 * steps : 430 + 50 * steps);
    }
    const double of_warp = plan.lefts >= 4   ? 1300 + 210 * steps
                           : plan.lefts == 2 ? 520 + 24 * steps
                                             : 310 + 16 * steps;
    return 0.9 * (copying + of_warp);
  }

  /// Whether rows of memory are as far apart as the copy engine wants them.
  static bool suitsEngine(const Work& work, const TensorPlan& plan) {
    const std::int64_t rows[2] = {
        work.neighbour_cells ? work.box.extents[0] : work.matrices.left_field,
        work.neighbour_cells ? work.box.extents[0] : work.matrices.right_field};
    return plan.odd_cells ||
           (rows[0] * work.scalar_bytes[1] % 16 == 0 && rows[1] * work.scalar_bytes[2] % 16 == 0);
  }

  static TensorPlan planFor(const Work& work, const Machine& machine, const Settings& settings,
                            bool by_engine) {
    TensorWish request{settings.tile, settings.stages};
    if (!by_engine && request.tile == 64) request.tile = 32;  // registers for warps that copy
    if (request.tile == 0 && work.is_complex &&
        std::min(work.box.extents[1], work.box.extents[2]) <= 16) {
      request.tile = 16;
    }
    return tensorPlan(work, machine, request, by_engine);
  }

#ifdef KOKKOS_ENABLE_CUDA
  /// What is computed with: of Fads what they are made of.
  template <class Problem>
  using NumberOf = std::remove_pointer_t<decltype(numbersOf(std::declval<Problem>().out))>;

  template <class Problem>
  static bool tryToRun(const Kokkos::Cuda& space, const Problem& problem, const TensorPlan& plan,
                       const std::string& label) {
    using T = OutputScalar<Problem>;
    if (plan.by_cells) {
      if constexpr (std::is_same_v<typename RealOf<T>::type, double>) {
        if constexpr (!IsComplex<T>::value) {
          if (plan.odd_cells) return withTile<Rows::OfOddCells>(space, problem, plan, label);
        }
        return withTile<Rows::OfCells>(space, problem, plan, label);
      }
      return false;
    }
    return withTile<Rows::OfTerms>(space, problem, plan, label);
  }

  template <Rows rows, class Problem>
  static bool withTile(const Kokkos::Cuda& space, const Problem& problem, const TensorPlan& plan,
                       const std::string& label) {
    constexpr bool is_complex = IsComplex<NumberOf<Problem>>::value;
    constexpr bool holds_two_sums = is_complex || rows != Rows::OfTerms;
    if constexpr (!is_complex) {
      if (plan.lefts == 1) return withEngine<rows, 1, 1>(space, problem, plan, label);
    }
    if constexpr (!holds_two_sums) {
      if (plan.lefts == 8) return start<rows, 8, 4, true>(space, problem, plan, label);
    }
    if (plan.lefts == 2) return withEngine<rows, 2, 2>(space, problem, plan, label);
    if (plan.by_engine) return start<rows, 4, 4, true>(space, problem, plan, label);
    if constexpr (rows != Rows::OfOddCells && rows != Rows::OfComponents) {
      constexpr int rights = TensorPlan::rightsByWarps(is_complex);
      return start<rows, 4, rights, false>(space, problem, plan, label);
    }
    return false;
  }

  template <Rows rows, int lefts, int rights, class Problem>
  static bool withEngine(const Kokkos::Cuda& space, const Problem& problem, const TensorPlan& plan,
                         const std::string& label) {
    if (plan.by_engine) return start<rows, lefts, rights, true>(space, problem, plan, label);
    if constexpr (rows == Rows::OfOddCells)
      return false;  // warps need not tell odd from even
    else
      return start<rows, lefts, rights, false>(space, problem, plan, label);
  }

  template <Rows rows, int lefts, int rights, bool by_engine, class Problem>
  static bool start(const Kokkos::Cuda& space, const Problem& problem, const TensorPlan& plan,
                    const std::string& label) {
    using T = NumberOf<Problem>;
    using Kernel = TensorCoreKernel<T, rows, lefts, rights, by_engine>;
    const ContractionShape& s = problem.shape;
    const SumLevel& sum = s.sum[ContractionShape::sum_levels - 1];
    const Work work = workOf(problem);
    Kernel kernel{};
    setInput(kernel.left, problem.left, {s.left_cell, s.left_field, sum.left}, s.lefts);
    setInput(kernel.right, problem.right, {s.right_cell, s.right_field, sum.right}, s.rights);
    setTile(kernel.left, plan.tileLefts(), plan.left_box);
    setTile(kernel.right, plan.tileRights(), plan.right_box);
    const auto suits = [&](auto& side) {
      if (rows == Rows::OfOddCells) return stageOddCells(side, s, plan.terms_each);
      return stage(side, s, rows, true, plan.terms_each, plan.cells_each);
    };
    if (by_engine && !(suits(kernel.left) && suits(kernel.right))) return false;
    kernel.out = {numbersOf(problem.out),
                  s.cells,
                  s.lefts,
                  s.rights,
                  s.out_cell,
                  s.out_left,
                  s.out_right,
                  s.sum_into,
                  componentStep(problem.out)};
    kernel.plan = {s.cells,
                   s.terms(),
                   plan.works(work) * work.components,
                   int(plan.leftTiles(work)),
                   int(plan.rightTiles(work)),
                   plan.cells_each,
                   plan.terms_each,
                   plan.by_cells ? plan.terms_each : plan.cells_each,
                   plan.stages,
                   int(plan.right_at),
                   int(plan.stage_bytes),
                   plan.warps(),
                   plan.producers(),
                   int(work.components)};
    kernel.warps = {plan.left_warps, plan.right_warps};
    kernel.sums_at = int(plan.sums_at);
    const CudaBlocks grid{kernel.plan.works, 32 * (plan.warps() + plan.producers()),
                          int(plan.bytes)};
    launchBlocks<by_engine ? 256 : 384, 1>(space, label, grid, kernel);
    return true;
  }
#endif
};

}  // namespace Impl
}  // namespace Kontract

#endif
