# SPDX-License-Identifier: BSD-3-Clause
#
# A Trilinos 13 that was built with MPI, and no MPI.
write_trilinos_13("${WORK}/trilinos" MPI)
configure_kontract("${WORK}/trilinos")
expect_refusal("Kontract needs MPI, because the Teuchos in ${WORK}/trilinos/lib/cmake/Teuchos was built with it, and \
no MPI was found: on Debian install libopenmpi-dev, elsewhere name its compiler by \
-DMPI_CXX_COMPILER=<path of mpicxx>.")
