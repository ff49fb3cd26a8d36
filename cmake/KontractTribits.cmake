# SPDX-License-Identifier: BSD-3-Clause
#
# Kontract as a TriBITS package of Trilinos.

include(${CMAKE_CURRENT_LIST_DIR}/KontractVersion.cmake)
TRIBITS_PACKAGE(Kontract)
set(KONTRACT_HAVE_BLAS ${Kontract_ENABLE_BLAS})
set(KONTRACT_HAVE_KOKKOSKERNELS ${Kontract_ENABLE_KokkosKernels})
include(${CMAKE_CURRENT_LIST_DIR}/KontractSources.cmake)
set(Kontract_IN_TRIBITS ON)

# Trilinos 13 compiles as C++14 where it is not told otherwise.
if("${CMAKE_CXX_STANDARD}" STREQUAL "" OR CMAKE_CXX_STANDARD LESS 17)
  message(FATAL_ERROR
    "Kontract needs C++17: configure Trilinos with -DCMAKE_CXX_STANDARD=17")
endif()

include_directories(${Kontract_INCLUDE_DIRS})
TRIBITS_ADD_LIBRARY(kontract HEADERS ${Kontract_HEADERS} SOURCES ${Kontract_SOURCES})
include(GNUInstallDirs)
install(DIRECTORY data/tuning DESTINATION ${CMAKE_INSTALL_DATADIR}/kontract)

TRIBITS_ADD_TEST_DIRECTORIES(test)
option(Kontract_ENABLE_TOOLS "Build the tools: kontract_bench and kontract_tune"
       ${Kontract_ENABLE_TESTS})
if(Kontract_ENABLE_TOOLS)
  add_subdirectory(tool)
endif()
TRIBITS_ADD_EXAMPLE_DIRECTORIES(example)
TRIBITS_PACKAGE_POSTPROCESS()
