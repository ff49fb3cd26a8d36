// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_WHYNOTRUN_HPP
#define KONTRACT_TEST_WHYNOTRUN_HPP

#include <cstdlib>
#include <detail/support/Kontract_DeviceApi.hpp>
#include <iostream>

namespace KontractTest {

/// What a program prints that cannot run here: CTest then counts its test neither as passed nor as
/// failed (test/cmake/KontractAddTest.cmake).
inline constexpr const char* not_run = "Kontract: not run";

/// Ends a program that was built for a device where there is none, and says so; to be called before
/// Kokkos::initialize, which would end it with an error.
inline void endWhereNoDeviceIs() {
#ifdef KONTRACT_DEVICE_API
  int devices = 0;
  const bool is_known =
      KONTRACT_DEVICE_API(GetDeviceCount)(&devices) == KONTRACT_DEVICE_API(Success);
  if (is_known && devices > 0) return;
  std::cout << not_run << ": this build is for " << Kontract::Impl::DeviceSpace::name()
            << ", and there is no device here" << std::endl;
  constexpr int neither_passed_nor_failed = 77;
  std::exit(neither_passed_nor_failed);
#endif
}

}  // namespace KontractTest

#endif
