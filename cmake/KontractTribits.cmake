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
TRIBITS_ADD_LIBRARY(kontract HEADERS ${Kontract_HEADERS} ${Kontract_HEADER_PARTS} SOURCES ${Kontract_SOURCES}
                    ADDED_LIB_TARGET_NAME_OUT kontract)
include(GNUInstallDirs)
install(DIRECTORY intrepid2 DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/kontract)
install(DIRECTORY data/tuning DESTINATION ${CMAKE_INSTALL_DATADIR}/kontract)

set(Kontract_INTREPID2_DIR "${CMAKE_CURRENT_SOURCE_DIR}/intrepid2")
TRIBITS_ADD_TEST_DIRECTORIES(test)
option(Kontract_ENABLE_TOOLS "Build the tools: kontract_bench and kontract_tune"
       ${Kontract_ENABLE_TESTS})
if(Kontract_ENABLE_TOOLS)
  add_subdirectory(tool)
endif()
TRIBITS_ADD_EXAMPLE_DIRECTORIES(example)
TRIBITS_PACKAGE_POSTPROCESS()

# After all packages of Trilinos, whose targets are changed.
option(Kontract_REPLACE_INTREPID2
       "Compile all packages that use Intrepid2 with its ArrayTools and FunctionSpaceTools by Kontract"
       OFF)
if(Kontract_REPLACE_INTREPID2)
  set(intrepid2 ${${PROJECT_NAME}_LIBRARY_NAME_PREFIX}intrepid2)
  if(NOT TARGET ${intrepid2})
    message(FATAL_ERROR "Kontract_REPLACE_INTREPID2 is ON, but this build has no Intrepid2:"
            " configure with -D${PROJECT_NAME}_ENABLE_Intrepid2=ON")
  endif()
  # TriBITS gives include directories to directories; other packages get Kontract's with its library.
  target_include_directories(${kontract} INTERFACE "$<BUILD_INTERFACE:${Kontract_INCLUDE_DIRS}>")
  if(NOT TARGET Kontract::kontract)
    add_library(Kontract::kontract ALIAS ${kontract})
  endif()
  include(${CMAKE_CURRENT_LIST_DIR}/KontractReplaceIntrepid2.cmake)
  # Its headers are in several directories of its sources.
  set(headers "")
  file(GLOB_RECURSE sources LIST_DIRECTORIES true "${Intrepid2_SOURCE_DIR}/src/*")
  foreach(directory IN LISTS sources)
    if(IS_DIRECTORY "${directory}")
      list(APPEND headers "${directory}")
    endif()
  endforeach()
  kontract_replace_intrepid2_below("${CMAKE_SOURCE_DIR}" LIBRARY ${intrepid2} HEADERS ${headers}
                                   EXCEPT "${CMAKE_CURRENT_SOURCE_DIR}")
endif()
