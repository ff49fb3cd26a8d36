// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_KOKKOSKERNELS_HPP
#define KONTRACT_KOKKOSKERNELS_HPP

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "Kontract_CellProducts.hpp"
#include "Kontract_HostKokkosKernels.hpp"
#include "detail/support/Kontract_Config.hpp"

namespace Kontract {
namespace Impl {

/// Why matrices are too long for KokkosBatched, which multiplies indices by strides in 32 bits;
/// empty if they are not.
inline std::string whyTooLong(const CellMatrices& m) {
  for (const std::int64_t span : {m.lefts * m.out_left + m.rights * m.out_right,
                                  m.lefts * m.left_field + m.terms * m.left_term,
                                  m.rights * m.right_field + m.terms * m.right_term}) {
    if (span > std::numeric_limits<int>::max()) {
      return "needs matrices within 2^31 elements of memory, not " + std::to_string(span);
    }
  }
  return {};
}

/// KokkosBatched's serial gemm for each cell, on hosts: a peer to compare with, and a check. It is
/// compiled in the library, so that users of Kontract need not compile Kokkos Kernels.
struct KokkosKernels {
  static constexpr const char* name = "Kokkos Kernels";
  static constexpr const char* summary = "KokkosBatched's serial gemm for each cell";

  using Settings = NoSettings;

  static constexpr unsigned launch_knobs = LaunchSettings::none;

#ifdef KONTRACT_HAVE_KOKKOSKERNELS
  template <class Space, class Problem>
  static constexpr bool serves = has_cell_products<Space, Problem>;
#else
  template <class Space, class Problem>
  static constexpr bool serves = false;
#endif

  /// \return expected seconds
  static double estimate(const Work& work, const Machine& machine) {
    return secondsOfCellProducts(work, machine);
  }

  static std::string whyNot(const Work& work, const Machine&, const Plan<Settings>&) {
    const std::string why = whyNoMatrices(work.matrices);
    return why.empty() ? whyTooLong(work.matrices) : why;
  }

  static std::vector<Plan<Settings>> candidates(const Work&, const Machine&) { return {{}}; }

  template <class Space, class Problem>
  static void run(const Space& space, const Problem& problem, const Plan<Settings>&,
                  const std::string& label) {
    using T = typename Problem::out_type::value_type;
    launchCellProducts(space, label, problem, CellProduct<T>(&multiplyByKokkosKernels));
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
