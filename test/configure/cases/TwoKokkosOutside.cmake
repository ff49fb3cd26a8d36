# SPDX-License-Identifier: BSD-3-Clause
#
# Trilinos was built with a Kokkos outside of it, which its configuration names directly or in a file of its own.
set(of_trilinos "${WORK}/kokkos/lib/cmake/Kokkos")
write_kokkos("${WORK}/kokkos" 4.6.01)
write_kokkos("${WORK}/other" 4.7.00)
write_teuchos("${WORK}/direct" KOKKOS "${of_trilinos}")
write_teuchos("${WORK}/indirect" KOKKOS "\${CMAKE_CURRENT_LIST_DIR}/../../external_packages/Kokkos")
file(WRITE "${WORK}/indirect/lib/external_packages/Kokkos/KokkosConfig.cmake" "
include(CMakeFindDependencyMacro)
set(Kokkos_DIR \"${of_trilinos}\")
find_dependency(Kokkos)
")
foreach(trilinos IN ITEMS direct indirect)
  file(REMOVE_RECURSE "${WORK}/build")
  configure_kontract("${WORK}/other;${WORK}/${trilinos}")
  expect_refusal("two Kokkos, 4.7.00 in ${WORK}/other/lib/cmake/Kokkos and the one in ${of_trilinos}, which Teuchos")
  file(REMOVE_RECURSE "${WORK}/build")
  configure_kontract("${WORK}/kokkos;${WORK}/${trilinos}")
  expect_success()
endforeach()
