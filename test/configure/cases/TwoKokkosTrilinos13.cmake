# SPDX-License-Identifier: BSD-3-Clause
#
# A Kokkos comes before the one of Trilinos 13; then each of the two ways out that the sentence names, in the
# same build directory.
write_kokkos("${WORK}/kokkos" 4.6.01)
write_trilinos_13("${WORK}/trilinos")
write_teuchos("${WORK}/teuchos")
set(of_trilinos "${WORK}/trilinos/lib/cmake/Kokkos")
configure_kontract("${WORK}/kokkos;${WORK}/trilinos")
expect_refusal("Kontract would get two Kokkos, 4.6.01 in ${WORK}/kokkos/lib/cmake/Kokkos and the one in \
${of_trilinos}, which Teuchos was built with: take the latter by -DKokkos_DIR=${of_trilinos}, or name a Teuchos that \
was built with the former, or with none, by -DTeuchos_DIR=<prefix>/lib/cmake/Teuchos.")
configure_kontract("${WORK}/kokkos;${WORK}/trilinos" "-DTeuchos_DIR=${WORK}/teuchos/lib/cmake/Teuchos")
expect_success()
configure_kontract("${WORK}/kokkos;${WORK}/trilinos" "-DKokkos_DIR=${of_trilinos}"
  "-DTeuchos_DIR=${WORK}/trilinos/lib/cmake/Teuchos")
expect_success()
