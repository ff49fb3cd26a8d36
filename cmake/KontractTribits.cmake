# SPDX-License-Identifier: BSD-3-Clause
#
# Kontract as a package of Trilinos, or of another TriBITS project.

include(${CMAKE_CURRENT_LIST_DIR}/KontractVersion.cmake)
tribits_package(Kontract)
foreach(package ${Kontract_REQUIRED_PACKAGES})  # of Dependencies.cmake
  if(NOT ${PROJECT_NAME}_ENABLE_${package} AND NOT TPL_ENABLE_${package})
    message(FATAL_ERROR
      "Kontract needs ${package}, which is neither a package nor an external package of ${PROJECT_NAME}")
  endif()
endforeach()
set(KONTRACT_HAVE_BLAS ${Kontract_ENABLE_BLAS})
set(KONTRACT_HAVE_KOKKOSKERNELS ${Kontract_ENABLE_KokkosKernels})
set(KONTRACT_WITHOUT_INTREPID2 ON)
if(Kontract_ENABLE_Intrepid2)
  set(KONTRACT_WITHOUT_INTREPID2 OFF)
endif()
include(${CMAKE_CURRENT_LIST_DIR}/KontractSources.cmake)
set(Kontract_IN_TRIBITS ON)

# Trilinos 13 compiles as C++14 where it is not told otherwise, other projects of TriBITS as C++11.
if("${CMAKE_CXX_STANDARD}" STREQUAL "" OR CMAKE_CXX_STANDARD LESS 17 OR CMAKE_CXX_STANDARD EQUAL 98)
  message(FATAL_ERROR
    "Kontract needs C++17: configure ${PROJECT_NAME} with -DCMAKE_CXX_STANDARD=17, or with what its Kokkos needs")
endif()

# TriBITS makes usage requirements of the library out of the directories that are included before it.
tribits_include_directories(${Kontract_INCLUDE_DIRS})
tribits_add_library(kontract HEADERS ${Kontract_HEADERS} SOURCES ${Kontract_SOURCES}
                    ADDED_LIB_TARGET_NAME_OUT kontract)
include(GNUInstallDirs)
kontract_install_detail(${${PROJECT_NAME}_INSTALL_INCLUDE_DIR})
install(DIRECTORY intrepid2 DESTINATION ${${PROJECT_NAME}_INSTALL_INCLUDE_DIR}/kontract)
install(DIRECTORY data/tuning DESTINATION ${CMAKE_INSTALL_DATADIR}/kontract)
# Beside what TriBITS installs, which has no version.
include(CMakePackageConfigHelpers)
write_basic_package_version_file(KontractConfigVersion.cmake
  VERSION ${Kontract_VERSION} COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/KontractConfigVersion.cmake"
        DESTINATION ${${PROJECT_NAME}_INSTALL_LIB_DIR}/cmake/Kontract)

set(Kontract_INTREPID2_DIR "${CMAKE_CURRENT_SOURCE_DIR}/intrepid2")
tribits_add_test_directories(test)
option(Kontract_ENABLE_TOOLS "Build the tools: kontract_bench, kontract_operators and kontract_tune"
       ${Kontract_ENABLE_TESTS})
if(Kontract_ENABLE_TOOLS)
  add_subdirectory(tool)
endif()
tribits_add_example_directories(example)
tribits_package_postprocess()

# After all other packages, whose targets are changed.
option(Kontract_REPLACE_INTREPID2
       "Compile all packages that use Intrepid2 with its ArrayTools and FunctionSpaceTools by Kontract"
       OFF)
if(Kontract_REPLACE_INTREPID2)
  include(${CMAKE_CURRENT_LIST_DIR}/KontractReplaceIntrepid2.cmake)
  if(NOT TARGET Kontract::kontract)  # where the project's libraries have a prefix
    add_library(Kontract::kontract ALIAS ${kontract})
  endif()
  set(intrepid2 ${${PROJECT_NAME}_LIBRARY_NAME_PREFIX}intrepid2)
  set(headers "")
  set(is_external OFF)
  if(TARGET Intrepid2::all_libs)
    get_target_property(is_external Intrepid2::all_libs IMPORTED)
  endif()
  if(is_external)
    set(intrepid2 Intrepid2::all_libs)
  elseif(TARGET ${intrepid2})
    # Its headers are in several directories of its sources.
    file(GLOB_RECURSE sources LIST_DIRECTORIES true "${Intrepid2_SOURCE_DIR}/src/*")
    foreach(directory IN LISTS sources)
      if(IS_DIRECTORY "${directory}")
        list(APPEND headers "${directory}")
      endif()
    endforeach()
  else()
    message(FATAL_ERROR "Kontract_REPLACE_INTREPID2 is ON, but this build has no Intrepid2:"
            " configure with -D${PROJECT_NAME}_ENABLE_Intrepid2=ON, or -DTPL_ENABLE_Intrepid2=ON for an"
            " installed one")
  endif()
  # Trilinos 13 gives include directories to directories; other packages get Kontract's with its library.
  target_include_directories(${kontract} INTERFACE "$<BUILD_INTERFACE:${Kontract_INCLUDE_DIRS}>")
  kontract_replace_intrepid2_below("${CMAKE_SOURCE_DIR}" LIBRARY ${intrepid2} HEADERS ${headers}
                                   EXCEPT "${CMAKE_CURRENT_SOURCE_DIR}")
endif()
