// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_WHYNOTRUN_HPP
#define KONTRACT_TEST_WHYNOTRUN_HPP

#include <Kokkos_Core.hpp>

namespace KontractTest {

/// What a program prints and returns that cannot run here: CTest then counts its test neither as
/// passed nor as failed (test/cmake/KontractAddTest.cmake).
inline constexpr const char* not_run = "Kontract: not run";
inline constexpr int not_run_code = 77;

/// Why nothing can be run here, or nullptr; to be asked before Kokkos::initialize, which ends the
/// program where a build for a device finds none.
inline const char* whyNotRun() {
#ifdef KOKKOS_ENABLE_CUDA
  int devices = 0;
  const bool is_known = cudaGetDeviceCount(&devices) == cudaSuccess;
  if (!is_known || devices == 0) return "this build is for CUDA, and there is no device here";
#endif
  return nullptr;
}

}  // namespace KontractTest

#endif
