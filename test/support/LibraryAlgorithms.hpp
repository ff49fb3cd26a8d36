// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_LIBRARYALGORITHMS_HPP
#define KONTRACT_TEST_LIBRARYALGORITHMS_HPP

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

/// Whether a refusal is one of strides or extents that such a library cannot describe.
inline bool isLimitOfItsLibrary(const std::string& algorithm, const std::string& refusal) {
  return isOfALibrary(algorithm) &&
         refusal.find(": " + algorithm + ": needs ") != std::string::npos;
}

}  // namespace KontractTest

#endif
