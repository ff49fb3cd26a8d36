# SPDX-License-Identifier: BSD-3-Clause
#
# Nothing is there.
configure_kontract("${WORK}/nowhere")
expect_refusal("Kontract needs Kokkos, which is not in ${WORK}/nowhere or the system's directories: on Debian install \
libtrilinos-kokkos-dev, elsewhere add the prefix of Trilinos, or those of Kokkos and Teuchos, to CMAKE_PREFIX_PATH.")
