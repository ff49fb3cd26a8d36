# SPDX-License-Identifier: BSD-3-Clause
#
# Made-up packages: of the configurations that real ones install, what Kontract's reads. Directories are as on disk,
# variables and targets have the names of the releases that each function tells.

# write_kokkos(<prefix> <version> [<C++ standard> [<device>...]]): a Kokkos of its own. From 4 on it has all_libs.
function(write_kokkos prefix version)
  set(standard 17)
  if(ARGC GREATER 2)
    set(standard ${ARGV2})
  endif()
  set(devices SERIAL)
  if(ARGC GREATER 3)
    list(SUBLIST ARGN 1 -1 devices)
  endif()
  set(all_libs "")
  if(NOT version VERSION_LESS 4)
    set(all_libs "
  add_library(Kokkos::all_libs INTERFACE IMPORTED)
  target_link_libraries(Kokkos::all_libs INTERFACE Kokkos::kokkos)")
  endif()
  write_version("${prefix}" Kokkos ${version})
  # As configurations do that CMake's package helpers write.
  write_config("${prefix}" Kokkos "
get_filename_component(PACKAGE_PREFIX_DIR \"\${CMAKE_CURRENT_LIST_DIR}/../../../\" ABSOLUTE)
set(Kokkos_DEVICES ${devices})
set(Kokkos_CXX_STANDARD ${standard})
if(NOT TARGET Kokkos::kokkos)
  add_library(Kokkos::kokkos INTERFACE IMPORTED)
  set_target_properties(Kokkos::kokkos PROPERTIES INTERFACE_COMPILE_FEATURES cxx_std_${standard})${all_libs}
endif()
")
endfunction()

# write_teuchos(<prefix> [MPI] [KOKKOS <directory as in include()>]): Trilinos 16.
function(write_teuchos prefix)
  cmake_parse_arguments(ARG "MPI" "KOKKOS" "" ${ARGN})
  set(kokkos "")
  if(ARG_KOKKOS)
    set(kokkos "
if (NOT TARGET Kokkos::all_libs)
  include(\"${ARG_KOKKOS}/KokkosConfig.cmake\")
endif()
")
  endif()
  write_config("${prefix}" TeuchosCore "
set(TeuchosCore_ENABLE_MPI ${ARG_MPI})
${kokkos}
add_library(TeuchosCore::all_libs INTERFACE IMPORTED)
")
  write_config("${prefix}" Teuchos "
if (NOT TARGET TeuchosCore::all_libs)
  include(\"\${CMAKE_CURRENT_LIST_DIR}/../TeuchosCore/TeuchosCoreConfig.cmake\")
  add_library(Teuchos::all_libs INTERFACE IMPORTED)
  target_link_libraries(Teuchos::all_libs INTERFACE TeuchosCore::all_libs)
endif()
")
endfunction()

# write_trilinos_13(<prefix> [MPI]): Trilinos 13.2, whose Kokkos is 3.4.
function(write_trilinos_13 prefix)
  write_version("${prefix}" Kokkos 3.4.01)
  file(MAKE_DIRECTORY "${prefix}/include/trilinos")
  write_config("${prefix}" Kokkos "
include(\"\${CMAKE_CURRENT_LIST_DIR}/../KokkosCore/KokkosCoreConfig.cmake\")
set(Kokkos_DEVICES SERIAL)
set(Kokkos_INCLUDE_DIRS \"\${CMAKE_CURRENT_LIST_DIR}/../../../include/trilinos\")
set(Kokkos_LIBRARIES trilinos_kokkoscore)
if(NOT TARGET Kokkos::kokkos)
  add_library(Kokkos::kokkos INTERFACE IMPORTED)
endif()
")
  write_config("${prefix}" KokkosCore "
if(NOT TARGET trilinos_kokkoscore)
  add_library(trilinos_kokkoscore INTERFACE IMPORTED)
endif()
")
  write_config("${prefix}" Teuchos "
include(\"\${CMAKE_CURRENT_LIST_DIR}/../TeuchosCore/TeuchosCoreConfig.cmake\")
set(Teuchos_LIBRARIES trilinos_teuchoscore)
")
  write_config("${prefix}" TeuchosCore "
set(TeuchosCore_TPL_LIST \"DLlib;Boost;${ARGN}\")
include(\"\${CMAKE_CURRENT_LIST_DIR}/../KokkosCore/KokkosCoreConfig.cmake\")
if(NOT TARGET trilinos_teuchoscore)
  add_library(trilinos_teuchoscore INTERFACE IMPORTED)
endif()
")
endfunction()

# write_kontract(<prefix> <source> <build directory>): what an installation has for find_package.
function(write_kontract prefix source build)
  set(directory "${prefix}/lib/cmake/Kontract")
  file(GLOB files "${source}/cmake/Kontract*.cmake")
  file(COPY "${build}/KontractConfig.cmake" ${files} DESTINATION "${directory}")
  file(WRITE "${directory}/KontractTargets.cmake" "
add_library(Kontract::kontract INTERFACE IMPORTED)
target_link_libraries(Kontract::kontract INTERFACE Kontract::dependencies)
")
endfunction()

function(write_config prefix package text)
  file(WRITE "${prefix}/lib/cmake/${package}/${package}Config.cmake" "${text}")
endfunction()

function(write_version prefix package version)
  file(WRITE "${prefix}/lib/cmake/${package}/${package}ConfigVersion.cmake" "set(PACKAGE_VERSION ${version})\n")
endfunction()
