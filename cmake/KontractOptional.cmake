# SPDX-License-Identifier: BSD-3-Clause
#
# Libraries that two of the algorithms are made of. They are linked into Kontract and not seen by its
# users. Sets KONTRACT_HAVE_BLAS and KONTRACT_HAVE_KOKKOSKERNELS, and the target
# Kontract_optional, which is only for building.

add_library(Kontract_optional INTERFACE)

find_package(BLAS QUIET)
set(KONTRACT_HAVE_BLAS ${BLAS_FOUND})
if(KONTRACT_HAVE_BLAS)
  set(Kontract_OPTIONAL_LIBRARIES ${BLAS_LIBRARIES})
else()
  message(STATUS "Kontract: the algorithm Vendor BLAS serves nothing, because no BLAS was found")
endif()

# Only from the installation that Kokkos is from: another one would bring its own Kokkos.
get_filename_component(installation "${Kokkos_DIR}" DIRECTORY)
find_package(KokkosKernels CONFIG QUIET PATHS "${installation}" NO_DEFAULT_PATH)
set(KONTRACT_HAVE_KOKKOSKERNELS ${KokkosKernels_FOUND})
if(TARGET Kokkos::kokkoskernels)
  target_link_libraries(Kontract_optional INTERFACE Kokkos::kokkoskernels)
elseif(KONTRACT_HAVE_KOKKOSKERNELS)
  target_include_directories(Kontract_optional SYSTEM INTERFACE ${KokkosKernels_INCLUDE_DIRS})
else()
  message(STATUS
    "Kontract: the algorithm Kokkos Kernels serves nothing, because that package was not found")
endif()
