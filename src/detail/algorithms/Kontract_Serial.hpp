// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_SERIAL_HPP
#define KONTRACT_SERIAL_HPP

#include <string>
#include <vector>

#include "detail/launch/Kontract_Estimate.hpp"
#include "detail/launch/Kontract_Launch.hpp"
#include "detail/problem/Kontract_FormProblem.hpp"

namespace Kontract {
namespace Impl {

/// All pieces of a problem, one after the other, as a single item of work.
template <class Problem>
struct SerialLoops {
  Problem problem;
  Box box;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t) const {
    for (std::int64_t i = 0; i < box.extents[0]; ++i) {
      for (std::int64_t j = 0; j < box.extents[1]; ++j) {
        for (std::int64_t k = 0; k < box.extents[2]; ++k) compute(problem, i, j, k);
      }
    }
  }
};

/// Plain loops on the host: the reference, and the least to start for a handful of cells.
struct Serial {
  static constexpr const char* name = "Serial";
  static constexpr const char* summary = "plain loops in one thread of the host";

  using Settings = NoSettings;

  static constexpr unsigned launch_knobs = LaunchSettings::none;

  template <class Space, class Problem>
  static constexpr bool serves = is_host_space<Space> && !is_form<Problem>;

  /// \return expected seconds
  static double estimate(const Work& work, const Machine& machine) {
    return secondsOnThreads(work, machine, 1, 3e-9);
  }

  static std::string whyNot(const Work&, const Machine&, const Plan<Settings>&) { return {}; }

  static std::vector<Plan<Settings>> candidates(const Work&, const Machine&) { return {{}}; }

  template <class Space, class Problem>
  static void run(const Space& space, const Problem& problem, const Plan<Settings>&,
                  const std::string& label) {
    launch(space, label, 1, SerialLoops<Problem>{problem, problem.shape.box()});
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
