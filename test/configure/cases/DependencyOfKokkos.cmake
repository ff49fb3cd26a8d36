# SPDX-License-Identifier: BSD-3-Clause
#
# Kokkos is there, and something that it needs is not.
write_teuchos("${WORK}/teuchos")
write_config("${WORK}/kokkos" Kokkos "
include(CMakeFindDependencyMacro)
find_dependency(SomeToolkit)
")
configure_kontract("${WORK}/kokkos;${WORK}/teuchos")
expect_refusal("Kontract needs Kokkos, and the one in ${WORK}/kokkos/lib/cmake/Kokkos cannot be used: Kokkos could not be \
found because dependency SomeToolkit could not be found.")
file(REMOVE_RECURSE "${WORK}/build")
write_config("${WORK}/kokkos" Kokkos "set(Kokkos_FOUND OFF)")
configure_kontract("${WORK}/kokkos;${WORK}/teuchos")
expect_refusal("the one in ${WORK}/kokkos/lib/cmake/Kokkos cannot be used: its configuration says no more.")
file(REMOVE_RECURSE "${WORK}/build")
write_config("${WORK}/kokkos" Kokkos "
set(Kokkos_FOUND OFF)
set(Kokkos_NOT_FOUND_MESSAGE [[it is in C:\\opt; not in
\${HOME}.]])
")
configure_kontract("${WORK}/kokkos;${WORK}/teuchos")
expect_refusal("the one in ${WORK}/kokkos/lib/cmake/Kokkos cannot be used: it is in C:\\opt, not in \${HOME}.")
file(REMOVE_RECURSE "${WORK}/build")
file(WRITE "${WORK}/kokkos/lib/cmake/Kokkos/KokkosConfigVersion.cmake" "
set(PACKAGE_VERSION 4.6)
set(PACKAGE_VERSION_UNSUITABLE TRUE)
")
configure_kontract("${WORK}/kokkos;${WORK}/teuchos")
expect_refusal("the one in ${WORK}/kokkos/lib/cmake/Kokkos cannot be used: the file of its version does not accept this")
