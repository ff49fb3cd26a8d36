# SPDX-License-Identifier: BSD-3-Clause
#
# What Kontract needs of Trilinos. Trilinos 14 merged the subpackages of Kokkos into one package.

if(EXISTS "${${PROJECT_NAME}_SOURCE_DIR}/packages/kokkos/core/cmake/Dependencies.cmake")
  set(Kontract_KOKKOS_PACKAGES KokkosCore KokkosContainers)
else()
  set(Kontract_KOKKOS_PACKAGES Kokkos)
endif()

TRIBITS_PACKAGE_DEFINE_DEPENDENCIES(
  LIB_REQUIRED_PACKAGES ${Kontract_KOKKOS_PACKAGES} TeuchosCore TeuchosParameterList
  LIB_OPTIONAL_PACKAGES KokkosKernels
  LIB_OPTIONAL_TPLS BLAS
  TEST_OPTIONAL_PACKAGES Intrepid2 Sacado TeuchosComm Tpetra Belos MueLu Ifpack2 Zoltan2
)
