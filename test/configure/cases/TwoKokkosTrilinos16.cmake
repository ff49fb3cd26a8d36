# SPDX-License-Identifier: BSD-3-Clause
#
# A Kokkos comes before the one of Trilinos 16.
write_kokkos("${WORK}/kokkos" 5.2.02 20)
write_kokkos("${WORK}/trilinos" 4.5.01)
write_teuchos("${WORK}/trilinos" KOKKOS "\${CMAKE_CURRENT_LIST_DIR}/../Kokkos")
configure_kontract("${WORK}/kokkos;${WORK}/trilinos")
expect_refusal("two Kokkos, 5.2.02 in ${WORK}/kokkos/lib/cmake/Kokkos and the one in \
${WORK}/trilinos/lib/cmake/Kokkos, which Teuchos was built with")
configure_kontract("${WORK}/trilinos" "-DKokkos_DIR=${WORK}/trilinos/lib/cmake/Kokkos")
expect_success()
