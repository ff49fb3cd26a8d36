// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_WHATALGORITHMSSERVE_HPP
#define KONTRACT_TEST_WHATALGORITHMSSERVE_HPP

#include <string>

#include "Kontract_CompiledProblems.hpp"

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

/// Whether a refusal tells that an algorithm for matrices cannot take these strides or scalars.
inline bool isLimitOf(const std::string& algorithm, const std::string& refusal) {
  const std::string own = ": " + algorithm + ": ";
  if (isOfALibrary(algorithm)) return refusal.find(own + "needs ") != std::string::npos;
  if (algorithm != "Tensor Core" || refusal.find(own) == std::string::npos) return false;
  for (const char* limit :
       {"have no single stride", "are neighbours in memory", "need double precision"}) {
    if (refusal.find(limit) != std::string::npos) return true;
  }
  return false;
}

}  // namespace KontractTest

#endif
