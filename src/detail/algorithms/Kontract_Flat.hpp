// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FLAT_HPP
#define KONTRACT_FLAT_HPP

#include <limits>
#include <string>
#include <vector>

#include "Kontract_FormFluxPlan.hpp"
#include "Kontract_FormTilePlan.hpp"
#include "Kontract_WorkOfForm.hpp"
#include "detail/launch/Kontract_Estimate.hpp"
#include "detail/launch/Kontract_Launch.hpp"

namespace Kontract {
namespace Impl {

/// One piece of a problem from its place in one long range.
template <class Problem>
struct FlatPiece {
  Problem problem;
  Box box;
  bool cell_fastest;
  bool fits_32_bits;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    if (fits_32_bits) {
      split(static_cast<std::uint32_t>(i));  // dividing 32-bit numbers takes half the time
    } else {
      split(static_cast<std::uint64_t>(i));
    }
  }

  template <class Unsigned>
  KOKKOS_INLINE_FUNCTION void split(Unsigned i) const {
    const Unsigned slow = static_cast<Unsigned>(box.extents[cell_fastest ? 0 : 2]);
    const Unsigned middle = static_cast<Unsigned>(box.extents[1]);
    const Unsigned rest = i / slow;
    const Unsigned first = i - rest * slow, third = rest / middle, second = rest - third * middle;
    if (cell_fastest) {
      compute(problem, first, second, third);
    } else {
      compute(problem, third, second, first);
    }
  }
};

/// One item of work per output, all in one range, neighbours in memory next to each other: threads
/// of a GPU then touch neighbouring cells in LayoutLeft, and a core walks along k in LayoutRight.
/// Forms: an item is a block of outputs of a cell, or its product with a vector.
/// Source: the "flat parallelism" of J. Amelang, A. Gruver and others, "kokkos-intrepid" (2014).
struct Flat {
  static constexpr const char* name = "Flat";
  static constexpr const char* summary = "one item of work per output in one range";

  using Settings = NoSettings;

  static constexpr unsigned launch_knobs = LaunchSettings::scatter_knob;

  template <class Space, class Problem>
  static constexpr bool serves = true;

  /// \return expected seconds
  static double estimate(const Work& work, const Machine& machine) {
    if (work.is_form) return secondsOfPortableForm(work, machine);
    if (work.is_contraction && !machine.is_host) {
      // In LayoutRight complex products take less than those of their parts.
      const double of_complex = work.scalar_bytes[0] == 16 ? 0.75 : 0.35;
      const double of_kind = work.is_complex && !work.cell_fastest ? of_complex : 1;
      const DeviceGemvCosts costs{(work.cell_fastest ? 2.4e-12 : 2.8e-12) * of_kind, 6e-8, 0};
      return secondsOfDeviceSums(work, machine, costs, double(work.terms), 1e-11);
    }
    const double two_divisions = machine.is_host ? 8e-9 : 0.0;
    return secondsOnThreads(work, machine, machine.concurrency, two_divisions);
  }

  static std::string whyNot(const Work& work, const Machine& machine, const Plan<Settings>& plan) {
    return whyNotScatter(work.form.shape, machine.is_host, false, plan.launch);
  }

  static LaunchSettings resolvedLaunch(const Work& work, const Machine& machine,
                                       const LaunchSettings& launch) {
    return scatterResolved(work, machine, false, launch);
  }

  static std::vector<Plan<Settings>> candidates(const Work&, const Machine&) { return {{}}; }

  template <class Space, class Problem>
  static void run(const Space& space, const Problem& problem, const Plan<Settings>& plan,
                  const std::string& label) {
    if constexpr (is_form<Problem>) {
      runFlatForms(space, problem, plan.launch, label);
    } else {
      runBlocks(space, problem, label);
    }
  }

 private:
  template <class Space, class Problem>
  static void runBlocks(const Space& space, const Problem& problem, const std::string& label) {
    const Box box = problem.shape.box();
    const bool fits_32_bits = box.size() <= std::numeric_limits<std::uint32_t>::max();
    launch(space, label, box.size(),
           FlatPiece<Problem>{problem, box, problem.shape.isCellFastest(), fits_32_bits});
  }

  /// Each item computes geometry anew; of a tensor-product basis, each value, too.
  static double secondsOfPortableForm(const Work& work, const Machine& machine) {
    const FormShape& shape = work.form.shape;
    const bool are_vectors = shape.kind == FormKind::Vectors ||
                             (shape.kind == FormKind::Products && shape.has_values_of_reference);
    if (!machine.is_host && !shape.has_tensor_bases_alone) {
      if (shape.kind == FormKind::Matrices) return secondsOfFormBlocks(work, machine);
      if (are_vectors) return secondsOfFlatVectors(work, machine);
    }
    const double anew = shape.has_tensor_bases_alone ? 8 : 2;
    const double rate = machine.is_host ? machine.flops_per_second : 2e12;
    return secondsOfForm(work, machine, anew * work.flops, rate);
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
