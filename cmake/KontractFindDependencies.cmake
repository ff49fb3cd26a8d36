# SPDX-License-Identifier: BSD-3-Clause
#
# Finds what Kontract is built on, for its own build and, installed, for the projects that use it.
#
# kontract_find_dependencies() defines the imported target Kontract::dependencies: Kokkos and Teuchos,
# from an installed Trilinos of any age, or from Kokkos and Teuchos alone. Where that cannot be it defines
# no target, and sets Kontract_WHY_NOT to a sentence that says why. Other packages of Trilinos are looked
# for in Kontract_TRILINOS_DIR, where the configuration of Teuchos is: others would bring their own Kokkos.

cmake_policy(VERSION 3.17)
include("${CMAKE_CURRENT_LIST_DIR}/KontractCheckDependencies.cmake")

# kontract_import(<package> <debian package>)
#
# Adds a package to Kontract_IMPORTED_LIBRARIES and _INCLUDES, whichever way its configuration offers
# itself: newer ones have a target of all libraries, Trilinos 13 has lists of libraries and directories
# (and a target Kokkos::kokkos with a wrong directory), a Kokkos 3 of its own has Kokkos::kokkos.
# Kontract_FOUND_<package> remembers where it was found, as a hint for users of Kontract.
macro(kontract_import package debian)
  if(NOT Kontract_WHY_NOT)
    find_package(${package} CONFIG QUIET HINTS "${Kontract_FOUND_${package}}")
    set(Kontract_FOUND_${package} "${${package}_DIR}")
    if(NOT ${package}_FOUND AND ${package}_CONSIDERED_CONFIGS)
      kontract_say_unusable(Kontract_WHY_NOT ${package})
    elseif(NOT ${package}_FOUND)
      kontract_say_missing(Kontract_WHY_NOT ${package} ${debian})
    elseif(TARGET ${package}::all_libs)
      list(APPEND Kontract_IMPORTED_LIBRARIES ${package}::all_libs)
    elseif(${package}_LIBRARIES)
      list(APPEND Kontract_IMPORTED_LIBRARIES ${${package}_LIBRARIES})
      list(APPEND Kontract_IMPORTED_INCLUDES ${${package}_INCLUDE_DIRS} ${${package}_TPL_INCLUDE_DIRS})
    else()
      list(APPEND Kontract_IMPORTED_LIBRARIES Kokkos::kokkos)
    endif()
  endif()
endmacro()

# A Trilinos that was built with MPI includes MPI's headers, and does not say where they are. Sets
# Kontract_TRILINOS_HAS_MPI.
macro(kontract_import_mpi)
  set(Kontract_TRILINOS_HAS_MPI OFF)
  if(NOT Kontract_WHY_NOT AND (TeuchosCore_ENABLE_MPI OR "MPI" IN_LIST TeuchosCore_TPL_LIST))
    set(Kontract_TRILINOS_HAS_MPI ON)
    find_package(MPI QUIET COMPONENTS CXX)
    if(TARGET MPI::MPI_CXX)
      list(APPEND Kontract_IMPORTED_LIBRARIES MPI::MPI_CXX)
    else()
      kontract_say_no_mpi(Kontract_WHY_NOT)
    endif()
  endif()
endmacro()

# A macro, because Trilinos' configurations set variables that later ones read.
macro(kontract_find_dependencies)
  set(Kontract_WHY_NOT "")
  if(NOT TARGET Kontract::dependencies)
    set(Kontract_IMPORTED_LIBRARIES "")
    set(Kontract_IMPORTED_INCLUDES "")
    kontract_check_kokkos_is_installed(Kontract_WHY_NOT)
    kontract_import(Kokkos libtrilinos-kokkos-dev)
    kontract_check_kokkos(Kontract_WHY_NOT)
    kontract_import(Teuchos libtrilinos-teuchos-dev)
    kontract_check_two_kokkos(Kontract_WHY_NOT)
    kontract_import_mpi()
    if(NOT Kontract_WHY_NOT)
      add_library(Kontract::dependencies INTERFACE IMPORTED)
      target_link_libraries(Kontract::dependencies INTERFACE ${Kontract_IMPORTED_LIBRARIES})
      target_include_directories(Kontract::dependencies SYSTEM INTERFACE ${Kontract_IMPORTED_INCLUDES})
    endif()
  endif()
  get_filename_component(Kontract_TRILINOS_DIR "${Teuchos_DIR}" DIRECTORY)
endmacro()
