# SPDX-License-Identifier: BSD-3-Clause
#
# Teuchos was built with a Kokkos whose directory has another name, as one that is not installed has.
write_kokkos("${WORK}/installed" 4.6.01)
file(GLOB files "${WORK}/installed/lib/cmake/Kokkos/*")
file(COPY ${files} DESTINATION "${WORK}/built")
write_teuchos("${WORK}/teuchos" KOKKOS "${WORK}/built")
configure_kontract("${WORK}/teuchos" "-DKokkos_DIR=${WORK}/built")
expect_success()
file(REMOVE_RECURSE "${WORK}/build")
configure_kontract("${WORK}/installed;${WORK}/teuchos")
expect_refusal("two Kokkos, 4.6.01 in ${WORK}/installed/lib/cmake/Kokkos and the one in ${WORK}/built, which Teuchos")
