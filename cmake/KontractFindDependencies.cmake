# SPDX-License-Identifier: BSD-3-Clause
#
# Finds what Kontract is built on, for its own build and, installed, for the projects that use it.
#
# kontract_find_dependencies() defines the imported target Kontract::dependencies: Kokkos (core,
# containers) and Teuchos (core, parameter list), from an installed Trilinos of any age, or from
# Kokkos and Teuchos alone.

# kontract_import(<target> <package> <debian package> <component>...)
#
# Makes <target> of a package, whichever way its configuration offers itself: newer ones have a target
# of all libraries, Trilinos 13 has lists of libraries and directories, one for each component.
function(kontract_import target package debian)
  if(TARGET ${target})
    return()
  endif()
  find_package(${package} CONFIG QUIET)
  add_library(${target} INTERFACE IMPORTED)
  if(TARGET ${package}::all_libs)
    target_link_libraries(${target} INTERFACE ${package}::all_libs)
    return()
  endif()
  # The target of the same name in Trilinos 13 has a wrong include directory.
  if(TARGET Kokkos::kokkos AND package STREQUAL Kokkos AND NOT Kokkos_VERSION VERSION_LESS 4)
    target_link_libraries(${target} INTERFACE Kokkos::kokkos)
    return()
  endif()
  foreach(component ${ARGN})
    find_package(${component} CONFIG QUIET)
    if(NOT ${component}_FOUND)
      message(FATAL_ERROR
        "Kontract needs ${component}, which was not found. On Debian, install ${debian}; elsewhere "
        "add the prefix of Trilinos (or of Kokkos and Teuchos) to CMAKE_PREFIX_PATH.")
    endif()
    target_link_libraries(${target} INTERFACE ${${component}_LIBRARIES})
    target_include_directories(${target} SYSTEM INTERFACE ${${component}_INCLUDE_DIRS}
                                                          ${${component}_TPL_INCLUDE_DIRS})
  endforeach()
endfunction()

# A macro, because Trilinos' configurations set variables that later ones read.
macro(kontract_find_dependencies)
  if(NOT TARGET Kontract::dependencies)
    # Debian's Trilinos was built with MPI, and its libraries name the C++ bindings.
    find_package(MPI QUIET COMPONENTS CXX)
    kontract_import(Kontract::Kokkos Kokkos libtrilinos-kokkos-dev KokkosCore KokkosContainers)
    kontract_import(Kontract::Teuchos Teuchos libtrilinos-teuchos-dev
                    TeuchosCore TeuchosParser TeuchosParameterList)
    add_library(Kontract::dependencies INTERFACE IMPORTED)
    target_link_libraries(Kontract::dependencies INTERFACE Kontract::Kokkos Kontract::Teuchos)
    if(TARGET MPI::MPI_CXX)
      target_link_libraries(Kontract::dependencies INTERFACE MPI::MPI_CXX)
    endif()
  endif()
endmacro()
