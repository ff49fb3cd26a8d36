# SPDX-License-Identifier: BSD-3-Clause
#
# Libraries that two of the algorithms are made of. They are linked into Kontract and not seen by its
# users. Sets KONTRACT_HAVE_BLAS and KONTRACT_HAVE_KOKKOSKERNELS, and the target
# Kontract_optional, which is only for building.

# kontract_find_beside(<directory> <package>): only in that directory, whatever was found in another one before. A
# macro, because packages set variables.
macro(kontract_find_beside directory package)
  if(NOT "${${package}_DIR}" STREQUAL "${directory}/${package}")
    if(${package}_DIR)
      message(STATUS "Kontract: ${package} is looked for in ${directory}, not in ${${package}_DIR}")
    endif()
    unset(${package}_DIR CACHE)
  endif()
  find_package(${package} CONFIG QUIET PATHS "${directory}" NO_DEFAULT_PATH)
endmacro()

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
kontract_find_beside("${installation}" KokkosKernels)
set(KONTRACT_HAVE_KOKKOSKERNELS ${KokkosKernels_FOUND})
if(TARGET Kokkos::kokkoskernels)
  target_link_libraries(Kontract_optional INTERFACE Kokkos::kokkoskernels)
elseif(KONTRACT_HAVE_KOKKOSKERNELS)
  target_include_directories(Kontract_optional SYSTEM INTERFACE ${KokkosKernels_INCLUDE_DIRS})
else()
  message(STATUS
    "Kontract: the algorithm Kokkos Kernels serves nothing, because that package was not found")
endif()
