// SPDX-License-Identifier: BSD-3-Clause

#include <Kokkos_Core.hpp>
#include <Teuchos_UnitTestRepository.hpp>
#include <iostream>

#include "WhyNotRun.hpp"

int main(int argc, char* argv[]) {
  if (const char* const why = KontractTest::whyNotRun()) {
    std::cout << KontractTest::not_run << ": " << why << std::endl;
    return KontractTest::not_run_code;
  }
  const Kokkos::ScopeGuard kokkos(argc, argv);
  return Teuchos::UnitTestRepository::runUnitTestsFromMain(argc, argv);
}
