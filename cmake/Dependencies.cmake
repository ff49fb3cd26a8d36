# SPDX-License-Identifier: BSD-3-Clause
#
# What Kontract needs of Trilinos, or of another TriBITS project that has Kokkos and Teuchos as packages or as
# external ones.

# What TriBITS itself asks to know whether a name is one of the packages, or external ones, that it has read.
function(kontract_is_defined result package)
  set(${result} OFF PARENT_SCOPE)
  if(${package}_SOURCE_DIR OR ${package}_FINDMOD)
    set(${result} ON PARENT_SCOPE)
  endif()
endfunction()

# Trilinos 14 merged the subpackages of Kokkos into one package.
set(Kontract_REQUIRED_PACKAGES Kokkos)
kontract_is_defined(has_subpackages KokkosCore)
if(has_subpackages)
  set(Kontract_REQUIRED_PACKAGES KokkosCore KokkosContainers)
endif()

# Trilinos always has subpackages of Teuchos; elsewhere Teuchos may be one external package.
kontract_is_defined(has_subpackages TeuchosCore)
kontract_is_defined(has_teuchos Teuchos)
if(has_teuchos AND NOT has_subpackages)
  list(APPEND Kontract_REQUIRED_PACKAGES Teuchos)
else()
  list(APPEND Kontract_REQUIRED_PACKAGES TeuchosCore TeuchosParameterList)
endif()

# Headers of Kontract include Intrepid2's where it is there. TriBITS of Trilinos 13 takes an external package as a TPL
# alone.
tribits_package_define_dependencies(
  LIB_REQUIRED_PACKAGES ${Kontract_REQUIRED_PACKAGES}
  LIB_OPTIONAL_PACKAGES KokkosKernels Intrepid2
  LIB_OPTIONAL_TPLS BLAS
  TEST_OPTIONAL_PACKAGES Sacado TeuchosComm Tpetra Belos MueLu Ifpack2 Zoltan2
)
tribits_allow_missing_external_packages(
  KokkosKernels Intrepid2 BLAS Sacado TeuchosComm Tpetra Belos MueLu Ifpack2 Zoltan2)
