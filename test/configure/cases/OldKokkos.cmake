# SPDX-License-Identifier: BSD-3-Clause
#
# A Kokkos that is too old.
write_kokkos("${WORK}/kokkos" 3.3.01)
write_teuchos("${WORK}/teuchos")
configure_kontract("${WORK}/kokkos;${WORK}/teuchos")
expect_refusal("Kontract needs Kokkos 3.4 or later, but the one in ${WORK}/kokkos/lib/cmake/Kokkos is 3.3.01: name a \
newer one by -DKokkos_DIR=<prefix>/lib/cmake/Kokkos.")
