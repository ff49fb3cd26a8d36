# SPDX-License-Identifier: BSD-3-Clause
#
# Finds what Kontract is built on, for its own build and, installed, for the projects that use it.
#
# kontract_find_dependencies() defines the imported target Kontract::dependencies: Kokkos (core,
# containers) and Teuchos (core, parameter list), from an installed Trilinos of any age, or from
# Kokkos and Teuchos alone. Where one is missing it sets Kontract_MISSING to a sentence that says so.

set(Kontract_KOKKOS_COMPONENTS KokkosCore KokkosContainers)
set(Kontract_TEUCHOS_COMPONENTS TeuchosCore TeuchosParser TeuchosParameterList)

# A Trilinos that was built by MPI's compiler includes MPI's headers, and does not say where they are.
macro(kontract_add_mpi target package)
  if(${package}_CXX_COMPILER MATCHES "mpi")
    find_package(MPI QUIET COMPONENTS CXX)
    if(TARGET MPI::MPI_CXX)
      target_link_libraries(${target} INTERFACE MPI::MPI_CXX)
    endif()
  endif()
endmacro()

# kontract_import(<target> <package> <debian package> <component>...)
#
# Makes <target> of a package, whichever way its configuration offers itself: newer ones have a target
# of all libraries, Trilinos 13 has lists of libraries and directories, one for each component.
# Kontract_FOUND_<name> remembers where a package was found, as a hint for users of Kontract.
macro(kontract_import target package debian)
  find_package(${package} CONFIG QUIET HINTS "${Kontract_FOUND_${package}}")
  set(Kontract_FOUND_${package} "${${package}_DIR}")
  add_library(${target} INTERFACE IMPORTED)
  if(TARGET ${package}::all_libs)
    target_link_libraries(${target} INTERFACE ${package}::all_libs)
    kontract_add_mpi(${target} ${package})
  # The target of this name in Trilinos 13 has a wrong include directory.
  elseif(TARGET ${package}::kokkos AND NOT ${package}_VERSION VERSION_LESS 4)
    target_link_libraries(${target} INTERFACE ${package}::kokkos)
  else()
    foreach(component ${ARGN})
      find_package(${component} CONFIG QUIET HINTS "${Kontract_FOUND_${component}}")
      set(Kontract_FOUND_${component} "${${component}_DIR}")
      if(${component}_FOUND)
        target_link_libraries(${target} INTERFACE ${${component}_LIBRARIES})
        target_include_directories(${target} SYSTEM INTERFACE
          ${${component}_INCLUDE_DIRS} ${${component}_TPL_INCLUDE_DIRS})
        kontract_add_mpi(${target} ${component})
      elseif(NOT Kontract_MISSING)
        set(Kontract_MISSING "Kontract needs ${component}, which was not found. On Debian, install \
${debian}; elsewhere add the prefix of Trilinos (or of Kokkos and Teuchos) to CMAKE_PREFIX_PATH.")
      endif()
    endforeach()
  endif()
endmacro()

# A macro, because Trilinos' configurations set variables that later ones read.
macro(kontract_find_dependencies)
  if(NOT TARGET Kontract::dependencies)
    set(Kontract_MISSING "")
    kontract_import(Kontract::Kokkos Kokkos libtrilinos-kokkos-dev ${Kontract_KOKKOS_COMPONENTS})
    kontract_import(Kontract::Teuchos Teuchos libtrilinos-teuchos-dev
                    ${Kontract_TEUCHOS_COMPONENTS})
    add_library(Kontract::dependencies INTERFACE IMPORTED)
    target_link_libraries(Kontract::dependencies INTERFACE Kontract::Kokkos Kontract::Teuchos)
  endif()
endmacro()
