# SPDX-License-Identifier: BSD-3-Clause
#
# Kokkos Kernels was found beside a Kokkos that is not taken any more.
write_kokkos("${WORK}/kokkos" 4.6.01)
write_config("${WORK}/kokkos" KokkosKernels "
add_library(Kokkos::kokkoskernels INTERFACE IMPORTED)
")
write_kokkos("${WORK}/other" 4.6.01)
write_teuchos("${WORK}/teuchos")
set(without "the algorithm Kokkos Kernels serves nothing, because that package was not found")
configure_kontract("${WORK}/kokkos;${WORK}/teuchos")
expect_success()
string(FIND "${output}" "${without}" place)
if(NOT place EQUAL -1)
  message(FATAL_ERROR "Kokkos Kernels was not found:\n${output}")
endif()
configure_kontract("${WORK}/kokkos;${WORK}/teuchos" "-DKokkos_DIR=${WORK}/other/lib/cmake/Kokkos")
expect_success()
expect_text("${without}")
