# SPDX-License-Identifier: BSD-3-Clause
#
# Kontract_Tribits: Kontract as a package of a project of today's TriBITS, with installed packages. Stand-alone builds
# only.

if("${Kontract_TRIBITS_DIR}" STREQUAL "")
  unset(Kontract_TRIBITS_DIR CACHE)  # the environment may name it now
endif()
set(Kontract_TRIBITS_DIR "$ENV{TRIBITS_DIR}" CACHE PATH "Directory of TriBITS.cmake, or the one above it, for a test")
set(tribits "${Kontract_TRIBITS_DIR}")
if(NOT EXISTS "${tribits}/TriBITS.cmake")
  string(APPEND tribits "/tribits")
endif()
set(left_out "")
if("${Kontract_TRIBITS_DIR}" STREQUAL "")
  set(left_out "Kontract_TRIBITS_DIR does not say where TriBITS is")
elseif(NOT EXISTS "${tribits}/core/package_arch/TribitsProcessEnabledTpls.cmake")
  message(FATAL_ERROR "Kontract_TRIBITS_DIR is ${Kontract_TRIBITS_DIR}, where no TriBITS of 2023 or later is")
elseif(CMAKE_VERSION VERSION_LESS 3.23)
  set(left_out "it needs CMake 3.23")
elseif(NOT TARGET Kokkos::all_libs)
  set(left_out "the Kokkos that was found has no target Kokkos::all_libs")
endif()
if(left_out)
  message(STATUS "Kontract: the test in a project of TriBITS is left out, because ${left_out}")
  return()
endif()

set(teuchos old)
if(TARGET TeuchosCore::all_libs)
  set(teuchos subpackages)
endif()
# Who includes headers of MPI needs its compiler, where Teuchos was built by it.
set(compiler "${Kontract_TEST_COMPILER}")
if(Teuchos_CXX_COMPILER MATCHES "mpi")
  set(compiler "${Teuchos_CXX_COMPILER}")
endif()
string(REPLACE ";" "|" prefixes "${CMAKE_PREFIX_PATH}")
kontract_add_script_test(Tribits SCRIPT tribits/Tribits.cmake
  DEFINE TRIBITS=${tribits} KONTRACT=${Kontract_SOURCE_DIR} WORK=${CMAKE_CURRENT_BINARY_DIR}/tribits
         PREFIXES=${prefixes} COMPILER=${compiler} LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER}
         STANDARD=${CMAKE_CXX_STANDARD} TEUCHOS=${teuchos} WITH_INTREPID2=$<TARGET_EXISTS:Intrepid2::all_libs>
  LABELS install)
