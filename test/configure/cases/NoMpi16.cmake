# SPDX-License-Identifier: BSD-3-Clause
#
# A Trilinos 16 that was built with MPI, and no MPI.
write_kokkos("${WORK}/trilinos" 4.5.01)
write_teuchos("${WORK}/trilinos" MPI KOKKOS "\${CMAKE_CURRENT_LIST_DIR}/../Kokkos")
configure_kontract("${WORK}/trilinos")
expect_refusal("Kontract needs MPI, because the Teuchos in ${WORK}/trilinos/lib/cmake/Teuchos was built with it, and \
no MPI was found: on Debian install libopenmpi-dev, elsewhere name its compiler by \
-DMPI_CXX_COMPILER=<path of mpicxx>.")
