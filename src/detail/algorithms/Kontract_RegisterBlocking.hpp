// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_REGISTERBLOCKING_HPP
#define KONTRACT_REGISTERBLOCKING_HPP

#include <algorithm>
#include <string>
#include <vector>

#include "Kontract_CellForms.hpp"
#include "Kontract_CellTiles.hpp"
#include "Kontract_DeviceFads.hpp"
#include "Kontract_DeviceGemv.hpp"
#include "Kontract_DevicePointwise.hpp"
#include "Kontract_HostForms.hpp"
#include "Kontract_InterleavedCells.hpp"
#include "Kontract_MDRange.hpp"
#include "Kontract_TeamReduction.hpp"
#include "Kontract_WorkOfForm.hpp"
#include "detail/kernels/portable/Kontract_HostFads.hpp"
#include "detail/launch/Kontract_Estimate.hpp"
#include "detail/launch/Kontract_Launch.hpp"

namespace Kontract {
namespace Impl {

/// A problem as the kernels of the host take it.
template <class Problem>
struct OnHost {
  using Contraction = HostProblem<Problem>;
  using Products = HostProducts<Problem>;
};
template <class Shape, class S>
struct OnHost<FadProblem<Shape, S>> {
  using Contraction = HostFadContraction<S>;
  using Products = HostFadProducts<S>;
};

/// A part of a contraction on the host, for one thread.
template <class Problem>
struct HostPiece {
  typename OnHost<Problem>::Contraction contraction;
  std::int64_t cells_each, lefts_each, left_parts;

  void operator()(std::int64_t i, void* memory) const {
    const ContractionShape& s = contraction.problem.shape;
    const std::int64_t cell = i / left_parts * cells_each, left = i % left_parts * lefts_each;
    contraction.contract(
        {cell, std::min(s.cells, cell + cells_each), left, std::min(s.lefts, left + lefts_each)},
        memory);
  }
};

/// A part of a pointwise operation on the host, for one thread.
template <class Problem>
struct HostProductsPiece {
  typename OnHost<Problem>::Products products;
  std::int64_t cells_each;

  void operator()(std::int64_t i, void* memory) const {
    const std::int64_t cell = i * cells_each;
    products.multiply(cell, std::min(products.cells, cell + cells_each), memory);
  }
};

template <class Space, class Problem>
constexpr bool servedByRegisterBlocking() {
  if constexpr (is_form<Problem>) {
    return is_plain_form<Problem>;
  } else if constexpr (is_host_space<Space>) {
    return has_host_kernels<Problem> || is_fad_problem<Problem>;
  } else {
    return is_plain<typename Problem::out_type::value_type> || is_fad_problem<Problem>;
  }
}

/// Register tiles of SIMD vectors, in the best instruction set that the machine has: see
/// src/detail/kernels/host_simd. Cells are spread over threads; where there are few of them, left
/// fields too. Pointwise operations hold the components of small tensors at as many points as a
/// vector has lanes; those of sizes or strides that the kernels do not have go the way of MDRange.
///
/// On devices pointwise operations, and contractions where one side has a single field: threads
/// keep in registers what they need more than once and have several loads in flight, neighbours in
/// memory in neighbouring threads (see PointwiseThreadMap and BatchedGemv). Of fields with fields
/// those where cells are neighbours in memory (CellTiles, or InterleavedCells where that is
/// expected to be faster). Of Fads all: see DeviceFads; on hosts see HostFads.
///
/// Forms on hosts have several kernels, which Kernel names; see src/detail/kernels/host_simd/form.
/// On devices it has the matrix of a cell in the registers of a thread: see FormCells.
///
/// Source: the packing of right sides into panels follows Goto and van de Geijn, "Anatomy of
/// high-performance matrix multiplication" (2008).
struct RegisterBlocking {
  static constexpr const char* name = "Register Blocking";
  static constexpr const char* summary =
      "SIMD vectors of hosts; registers of devices, at the speed of memory";

  struct Settings {
    static constexpr const char* kernels[] = {"Auto", "Per Cell", "Interleaved Cells",
                                              "Reference Tensors", "Sum Factorization"};
    Word kernel{kernels};  ///< in the order of HostFormKernel
    template <class Visitor>
    void visit(Visitor&& visitor) {
      visitor("Kernel", kernel,
              "of forms: Per Cell computes one cell after another; Interleaved Cells has cells in "
              "vectors, or in threads of devices, which have this one alone; Reference Tensors, of "
              "affine cells, sums over points once for all "
              "cells; Sum Factorization, of tensor-product bases, sums direction by direction "
              "(Auto: by size)");
    }
  };

  static constexpr unsigned launch_knobs =
      LaunchSettings::cells_per_team_knob | LaunchSettings::scatter_knob;

  template <class Space, class Problem>
  static constexpr bool serves = servedByRegisterBlocking<Space, Problem>();
  template <class Space>
  static constexpr bool transforms_fields = is_host_space<Space>;

  /// \return expected seconds
  static double estimate(const Work& work, const Machine& machine) {
    if (work.is_form) {
      return machine.is_host
                 ? secondsOfForm(work, machine, work.flops, 8 * machine.flops_per_second)
                 : secondsOfFormCells(work, machine);
    }
    if (!machine.is_host) return secondsOnDevice(work, machine);
    if (work.is_fad) return secondsOfHostFads(work, machine);
    const auto& [cells, lefts, rights] = work.box.extents;
    const double pieces = double(cells) * double((lefts + rows_of_tile - 1) / rows_of_tile);
    const double threads = std::max(1.0, std::min<double>(machine.concurrency, pieces));
    const double compute = work.flops / (threads * 8 * machine.flops_per_second);
    constexpr double start = 1e-7, copied_scalar = 1.5e-9;
    const bool copies = work.is_contraction && !work.cell_fastest && work.terms > 1 &&
                        (work.is_complex || !work.has_field_rows);
    const std::int64_t fields = (work.unit_left ? 0 : lefts) + (work.unit_right ? 0 : rights);
    const double copied = copies ? double(cells) * double(fields) * double(work.terms) : 0;
    // Where nothing is used twice, narrow loads were measured to read memory faster than wide ones.
    const bool reads_once = work.is_contraction && (lefts == 1 || rights == 1);
    const bool has_dots = reads_once && !work.cell_fastest;
    // Short ones of several cells are summed up together.
    const bool is_short = has_dots && lefts == rights && !work.is_complex &&
                          double(work.terms) * work.scalar_bytes[0] < 256;
    const double cell = is_short ? 0.5e-9 : 1.9e-9;
    const double reading = (has_dots && !is_short ? 1.1 : 1.0) * work.bytes;
    return machine.launch_seconds + start +
           (cell * double(cells) + copied_scalar * copied) / threads +
           std::max(compute, reading / machine.bytes_per_second);
  }

  static std::string whyNot(const Work& work, const Machine& machine, const Plan<Settings>& plan) {
    const bool has_blocks = machine.is_host;
    const std::string why =
        whyNotScatter(work.form.shape, machine.is_host, has_blocks, plan.launch);
    if (!why.empty()) return why;
    if (work.is_form && machine.is_host) {
      return whyNotHostForm(work.form.shape, kernelOf(plan.settings));
    }
    if (machine.is_host) return {};
    if (plan.launch.cells_per_team != 0) return "Cells Per Team does not fit: it is for hosts";
    if (work.is_form) {
      return isOfDevices(kernelOf(plan.settings))
                 ? whyNotFormCells(work, machine)
                 : "on devices forms have the Kernel Interleaved Cells alone";
    }
    if (!work.is_contraction || work.is_fad || DeviceGemv::applies(work.box)) return {};
    if (!CellTiles::applies(work, machine)) {
      return "on devices one side must have a single field, or cells must be neighbours in memory";
    }
    return {};
  }

  static LaunchSettings resolvedLaunch(const Work& work, const Machine& machine,
                                       const LaunchSettings& launch) {
    return scatterResolved(work, machine, machine.is_host, launch);
  }

  static std::vector<Plan<Settings>> candidates(const Work& work, const Machine& machine) {
    std::vector<Plan<Settings>> plans(1);
    if (work.form.shape.can_be_colored && machine.is_host && machine.concurrency > 1) {
      plans.emplace_back();
      plans.back().launch.scatter.place = static_cast<int>(ScatterWay::Atomic);
    }
    const bool has_kernels = work.is_form && machine.is_host;
    for (int kernel = 1; has_kernels && kernel < plans[0].settings.kernel.count; ++kernel) {
      Plan<Settings> plan;
      plan.settings.kernel.place = kernel;
      if (isServed(work.form.shape, kernelOf(plan.settings))) plans.push_back(plan);
    }
    return plans;
  }

  /// What settings that are left open become.
  template <class Problem>
  static Settings resolved(const Problem& problem, const Machine& machine,
                           const Plan<Settings>& plan) {
    Settings settings = plan.settings;
    if constexpr (is_plain_form<Problem>) {
      if (!isGiven(settings.kernel)) {
        settings.kernel.place = static_cast<int>(
            machine.is_host ? hostFormKernelOf(problem, machine.concurrency, plan.launch)
                            : HostFormKernel::InterleavedCells);
      }
    }
    return settings;
  }

  /// Where vectors are of cells, cells that do not fill one are computed in another way.
  template <class Problem>
  static std::int64_t cell_granularity(const Problem& problem, const Machine& machine,
                                       const Plan<Settings>& plan) {
    const auto& s = problem.shape;
    if constexpr (std::is_same_v<typename Problem::shape_type, ContractionShape>) {
      if (areInterleaved(s)) {
        const std::int64_t each =
            cellsEach(s.whole(), plan.launch, machine.concurrency, cells_of_vector);
        return each % cells_of_vector == 0 || each >= s.whole().cells ? cells_of_vector : each;
      }
    }
    return 1;
  }

  template <class Space, class Problem>
  static void run(const Space& space, const Problem& problem, const Plan<Settings>& plan,
                  const std::string& label) {
    if constexpr (is_form<Problem> && !is_host_space<Space>) {
      const auto form = scatteringForm(space, problem, plan.launch, label);
      runCellFormsOf(
          space, form,
          cellFormPlan(form, sizeof(typename Problem::out_type::value_type), machineOf(space)),
          label);
    } else if constexpr (is_form<Problem>) {
      // A plan that is measured may leave the kernel open.
      const HostFormKernel kernel =
          isGiven(plan.settings.kernel)
              ? kernelOf(plan.settings)
              : hostFormKernelOf(problem, space.concurrency(), plan.launch);
      runHostForms(space, problem, kernel, plan.launch, label);
    } else if constexpr (is_host_space<Space>) {
      runOnHost(space, problem, plan, label);
    } else {
      runOnDevice(space, problem, label);
    }
  }

 private:
  static bool isOfDevices(HostFormKernel kernel) {
    return kernel == HostFormKernel::Auto || kernel == HostFormKernel::InterleavedCells;
  }
  static HostFormKernel kernelOf(const Settings& settings) {
    return static_cast<HostFormKernel>(settings.kernel.place);
  }

  template <class Space, class Problem>
  static void runOnDevice(const Space& space, const Problem& problem, const std::string& label) {
    if constexpr (is_fad_problem<Problem>) {
      runFads(space, problem, label);
    } else if constexpr (is_contraction<Problem>) {
      if (!DeviceGemv::applies(problem.shape.box())) return runTiles(space, problem, label);
      if (DeviceGemv::run(space, problem, 1, nullptr, label)) return;
      TeamReduction::run(space, problem, Plan<TeamReduction::Settings>(), label);
    } else {
      if (DevicePointwise::run(space, problem, label)) return;
      MDRange::run(space, problem, Plan<MDRange::Settings>(), label);
    }
  }

  template <class Space, class Problem>
  static void runFads(const Space& space, const Problem& problem, const std::string& label) {
    if constexpr (is_contraction<Problem>) {
      const int place = DeviceFads::choose(wholeWorkOf(problem), machineOf(space)).place;
      runFadContraction(space, problem, place, label);
    } else if (!runFadElements(space, problem, label)) {
      MDRange::run(space, problem, Plan<MDRange::Settings>(), label);
    }
  }

  template <class Space, class Problem>
  static void runTiles(const Space& space, const Problem& problem, const std::string& label) {
#ifdef KOKKOS_ENABLE_CUDA
    if constexpr (is_cuda<Space> && InterleavedCells::serves<Problem>) {
      if (areStaged(workOf(problem), machineOf(space))) {
        return InterleavedCells::run(space, problem, label);
      }
    }
#endif
    CellTiles::run(space, problem, label);
  }

  template <class Space, class Problem>
  static void runOnHost(const Space& space, const Problem& problem, const Plan<Settings>& plan,
                        const std::string& label) {
    const auto& s = problem.shape;
    const std::int64_t threads = space.concurrency();
    if constexpr (std::is_same_v<typename Problem::shape_type, ContractionShape>) {
      const HostPiece<Problem> piece =
          pieces<Problem>(s, typename OnHost<Problem>::Contraction(problem), plan.launch, threads);
      const std::int64_t cell_parts = (s.cells + piece.cells_each - 1) / piece.cells_each;
      launchInMemory(space, label, cell_parts * piece.left_parts, piece.contraction.bytes, piece);
    } else {
      const typename OnHost<Problem>::Products products(problem);
      if (products.bytes < 0) {
        MDRange::run(space, problem, Plan<MDRange::Settings>(), label);
        return;
      }
      const std::int64_t each = cellsEach(s, plan.launch, threads);
      launchInMemory(space, label, (s.cells + each - 1) / each, products.bytes,
                     HostProductsPiece<Problem>{products, each});
    }
  }

  /// Where components are far apart each is a problem of its own.
  static double secondsOfHostFads(const Work& work, const Machine& machine) {
    constexpr double start = 1e-7, of_component = 1e-7, cell = 5e-9;
    const double cells = static_cast<double>(work.box.extents[0]);
    const double threads = std::max(1.0, std::min<double>(machine.concurrency, cells));
    return machine.launch_seconds + start +
           (cell * cells + (work.cell_fastest ? of_component * double(work.components) : 0)) /
               threads +
           std::max(work.flops / (threads * 4 * machine.flops_per_second),
                    work.bytes / machine.bytes_per_second);
  }

  /// Whether fields with fields go through shared memory to register tiles.
  static bool areStaged(const Work& work, const Machine& machine) {
    return interleavedCellsApply(work, machine) &&
           secondsOfInterleavedCells(work, machine) < CellTiles::seconds(work, machine);
  }

  static double secondsOnDevice(const Work& work, const Machine& machine) {
    if (work.is_fad) return DeviceFads::seconds(work, machine);
    if (work.is_contraction && !DeviceGemv::applies(work.box)) {
      return areStaged(work, machine) ? secondsOfInterleavedCells(work, machine)
                                      : CellTiles::seconds(work, machine);
    }
    const double threads = work.is_contraction ? DeviceGemv::threadsOf(work) : machine.concurrency;
    return machine.launch_seconds + DeviceGemv::seconds(work, machine, threads);
  }

  static constexpr std::int64_t rows_of_tile = 12;
  static constexpr std::int64_t cells_of_vector = 16;  ///< of the widest, or several

  /// Whether vectors are of cells.
  static bool areInterleaved(const ContractionShape& s) {
    return s.left_cell == 1 && s.right_cell == 1 && s.out_cell == 1;
  }

  /// A few parts for each thread, so that one that is late does not keep the others waiting: whole
  /// vectors of cells, or in a small problem fewer.
  /// \param unit  cells that parts are multiples of in a small problem, too
  template <class Shape>
  static std::int64_t cellsEach(const Shape& shape, const LaunchSettings& launch,
                                std::int64_t threads, std::int64_t unit = 1) {
    constexpr std::int64_t parts_each = 8;
    if (launch.cells_per_team > 0) return launch.cells_per_team;
    if (threads <= 1) return shape.cells;
    const auto each_of = [&](std::int64_t cells) {
      const std::int64_t each = std::max<std::int64_t>(1, cells / (parts_each * threads));
      return each >= cells_of_vector ? each / cells_of_vector * cells_of_vector
                                     : (each + unit - 1) / unit * unit;
    };
    return std::min(each_of(shape.whole().cells), std::max(each_of(shape.cells), cells_of_vector));
  }

  template <class Problem>
  static HostPiece<Problem> pieces(const ContractionShape& s,
                                   const typename OnHost<Problem>::Contraction& contraction,
                                   const LaunchSettings& launch, std::int64_t threads) {
    // Where vectors are of cells, which of them are left over must not depend on parts.
    constexpr std::int64_t line =
        64 / std::int64_t(sizeof(typename OnHost<Problem>::Contraction::Scalar));
    const std::int64_t unit = areInterleaved(s) ? line : 1;
    HostPiece<Problem> piece{contraction, cellsEach(s, launch, threads, unit), s.lefts, 1};
    // Where left fields are cut, tiles end: so this is up to the whole problem.
    const ContractionShape whole = s.whole();
    const std::int64_t each = cellsEach(whole, launch, threads, unit);
    const std::int64_t cell_parts = (whole.cells + each - 1) / each;
    if (cell_parts < 2 * threads && threads > 1 && s.lefts > rows_of_tile && !s.isCellFastest()) {
      const std::int64_t wanted = (2 * threads + cell_parts - 1) / cell_parts;
      const std::int64_t tiles = (s.lefts + rows_of_tile - 1) / rows_of_tile;
      const std::int64_t parts = std::min(wanted, tiles);
      piece.lefts_each = (tiles + parts - 1) / parts * rows_of_tile;
      piece.left_parts = (s.lefts + piece.lefts_each - 1) / piece.lefts_each;
    }
    return piece;
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
