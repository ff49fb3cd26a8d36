// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_WHATALGORITHMSSERVE_HPP
#define KONTRACT_TEST_WHATALGORITHMSSERVE_HPP

#include <string>

#include "detail/dispatch/Kontract_CompiledProblems.hpp"

namespace KontractTest {

/// Whether an algorithm is made of a library that may be absent, and that knows matrices only.
inline bool isOfALibrary(const std::string& algorithm) {
  return algorithm == "Vendor BLAS" || algorithm == "Kokkos Kernels";
}

/// Whether an algorithm contracts arrays of doubles on a space: some are for hosts or for devices
/// alone, and some are of a library that this build has not found.
template <class Space>
bool contractsOn(const std::string& algorithm) {
  namespace Impl = Kontract::Impl;
  bool serves = false;
  Impl::forEachAlgorithm([&](auto each, auto) {
    using Algorithm = decltype(each);
    constexpr bool here = Algorithm::template serves<Space, Impl::PlainContraction<double>>;
    if (algorithm == Algorithm::name) serves = here;
  });
  return serves;
}

/// Whether a refusal tells of strides, extents or scalars that an algorithm is not made for.
/// \param are_matrices  whether the arrays are contiguous in LayoutRight, which all that is made
/// for
///   matrices must serve
inline bool isLimitOf(const std::string& algorithm, const std::string& refusal,
                      bool are_matrices = false) {
  const std::string own = ": " + algorithm + ": ";
  const auto says = [&](const std::string& part) {
    return refusal.find(part) != std::string::npos;
  };
  if (!says(own)) return false;
  if (isOfALibrary(algorithm)) return says(own + "needs ") && !are_matrices;
  if (algorithm == "Register Blocking") return says("on devices one side must have a single field");
  if (algorithm == "Few Cells") return says("have no single stride") && !are_matrices;
  if (algorithm == "Whole Cells") {
    return (says("has gaps") && !are_matrices) || says("shared memory of");
  }
  return algorithm == "Tensor Core" && !are_matrices &&
         (says("have no single stride") || says("are neighbours in memory") ||
          says("need double precision"));
}

}  // namespace KontractTest

#endif
