# SPDX-License-Identifier: BSD-3-Clause
#
# Packages that are not beside Teuchos would bring another Kokkos, and are not taken.
write_kokkos("${WORK}/kokkos" 4.6.01)
write_teuchos("${WORK}/teuchos")
foreach(package IN ITEMS Intrepid2 Sacado Shards KokkosKernels)
  write_config("${WORK}/other" ${package} "message(FATAL_ERROR \"the other ${package}\")")
endforeach()
write_config("${WORK}/other" benchmark "add_library(benchmark::benchmark INTERFACE IMPORTED)")
configure_kontract("${WORK}/kokkos;${WORK}/teuchos;${WORK}/other" -DKontract_ENABLE_TESTS=ON
  -DKontract_ENABLE_EXAMPLES=ON)
expect_success()
expect_text("kontract_bench goes without Intrepid2, KokkosKernels")
