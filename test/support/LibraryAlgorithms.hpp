// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_LIBRARYALGORITHMS_HPP
#define KONTRACT_TEST_LIBRARYALGORITHMS_HPP

#include <string>

#include "Kontract_Config.hpp"

namespace KontractTest {

/// Whether an algorithm is made of a library that may be absent, and that knows matrices only.
inline bool isOfALibrary(const std::string& algorithm) {
  return algorithm == "Vendor BLAS" || algorithm == "Kokkos Kernels";
}

/// Whether an algorithm is not of a library, or of one that this build has found.
inline bool isFound(const std::string& algorithm) {
#ifndef KONTRACT_HAVE_BLAS
  if (algorithm == "Vendor BLAS") return false;
#endif
#ifndef KONTRACT_HAVE_KOKKOSKERNELS
  if (algorithm == "Kokkos Kernels") return false;
#endif
  return !algorithm.empty();
}

/// Whether a refusal is one of strides or extents that such a library cannot describe.
inline bool isLimitOfItsLibrary(const std::string& algorithm, const std::string& refusal) {
  return isOfALibrary(algorithm) &&
         refusal.find(": " + algorithm + ": needs ") != std::string::npos;
}

}  // namespace KontractTest

#endif
