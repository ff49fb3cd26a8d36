// SPDX-License-Identifier: BSD-3-Clause

#include <Kokkos_Core.hpp>
#include <Teuchos_UnitTestRepository.hpp>

#include "EndWhereNoDeviceIs.hpp"

int main(int argc, char* argv[]) {
  KontractTest::endWhereNoDeviceIs();
  const Kokkos::ScopeGuard kokkos(argc, argv);
  return Teuchos::UnitTestRepository::runUnitTestsFromMain(argc, argv);
}
