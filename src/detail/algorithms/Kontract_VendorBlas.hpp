// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_VENDORBLAS_HPP
#define KONTRACT_VENDORBLAS_HPP

#include <string>
#include <vector>

#include "Kontract_CellProducts.hpp"
#include "Kontract_HostBlas.hpp"
#include "detail/support/Kontract_Config.hpp"

namespace Kontract {
namespace Impl {

/// One gemm of the host's BLAS for each cell: a peer to compare with, and a check.
struct VendorBlas {
  static constexpr const char* name = "Vendor BLAS";
  static constexpr const char* summary = "a gemm of the host's BLAS for each cell";

  using Settings = NoSettings;

  static constexpr unsigned launch_knobs = LaunchSettings::none;

#ifdef KONTRACT_HAVE_BLAS
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
    return why.empty() ? whyNoGemm(work.matrices) : why;
  }

  static std::vector<Plan<Settings>> candidates(const Work&, const Machine&) { return {{}}; }

  template <class Space, class Problem>
  static void run(const Space& space, const Problem& problem, const Plan<Settings>&,
                  const std::string& label) {
    using T = typename Problem::out_type::value_type;
    launchCellProducts(space, label, problem, CellProduct<T>(&multiplyByBlas));
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
