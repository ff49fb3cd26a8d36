# SPDX-License-Identifier: BSD-3-Clause
#
# Kokkos is there, Teuchos is not.
write_kokkos("${WORK}/kokkos" 4.6.01)
configure_kontract("${WORK}/kokkos")
expect_refusal("Kontract needs Teuchos, which is not in ${WORK}/kokkos or the system's directories: on Debian install \
libtrilinos-teuchos-dev, elsewhere add the prefix of Trilinos, or those of Kokkos and Teuchos, to CMAKE_PREFIX_PATH.")
