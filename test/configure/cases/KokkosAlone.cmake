# SPDX-License-Identifier: BSD-3-Clause
#
# Kokkos and a Teuchos without it, nothing else: no MPI, no Intrepid2, no Sacado. What is left out is said; the
# standard is the oldest that serves.
write_kokkos("${WORK}/kokkos" 4.6.01)
write_teuchos("${WORK}/teuchos")
configure_kontract("${WORK}/kokkos;${WORK}/teuchos" -DKontract_ENABLE_TESTS=ON -DKontract_ENABLE_EXAMPLES=ON)
expect_success()
set(where "${WORK}/teuchos/lib/cmake")
expect_text("tests of Fad types are left out, because Sacado is not in ${where}: on Debian install \
libtrilinos-sacado-dev, elsewhere configure Trilinos with -DTrilinos_ENABLE_Sacado=ON")
expect_text("comparisons with Intrepid2 are left out, because Intrepid2 is not in ${where}: on Debian install \
libtrilinos-intrepid2-dev, elsewhere configure Trilinos with -DTrilinos_ENABLE_Intrepid2=ON")
expect_text("example/evaluator is left out: Intrepid2 is not in ${where} (Debian: trilinos-all-dev)")
expect_standard(17)

# The same of a Kokkos that has fewer targets.
write_kokkos("${WORK}/kokkos" 3.7.01)
file(REMOVE_RECURSE "${WORK}/build")
configure_kontract("${WORK}/kokkos;${WORK}/teuchos")
expect_success()
