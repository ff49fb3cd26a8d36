# SPDX-License-Identifier: BSD-3-Clause
#
# What the programs in example/ have in common. Each builds in three ways: as a part of a plain CMake
# build of Kontract, alone against an installed Kontract, and in a TriBITS build of Trilinos. Its
# CMakeLists.txt is
#
#   if(CMAKE_SOURCE_DIR STREQUAL CMAKE_CURRENT_SOURCE_DIR)
#     cmake_minimum_required(VERSION 3.17)
#     project(KontractPoisson LANGUAGES CXX)
#   endif()
#   include(${CMAKE_CURRENT_SOURCE_DIR}/../cmake/KontractExample.cmake)
#   kontract_example(poisson PACKAGES Intrepid2 Tpetra SOURCES poisson.cpp)
#   if(KontractExample_TESTS)
#     include(${CMAKE_CURRENT_SOURCE_DIR}/test/tests.cmake)
#   endif()

include(${CMAKE_CURRENT_LIST_DIR}/KontractExampleTests.cmake)

if(CMAKE_SOURCE_DIR STREQUAL CMAKE_CURRENT_SOURCE_DIR)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Kind of build" FORCE)
  endif()
  set(CMAKE_CXX_STANDARD 17)
  set(CMAKE_CXX_EXTENSIONS OFF)
  find_package(Kontract REQUIRED)
  if(NOT Kontract_TRILINOS_DIR)  # TriBITS installs packages side by side, and does not tell where
    get_filename_component(Kontract_TRILINOS_DIR "${Kontract_DIR}" DIRECTORY)
  endif()
  include(CTest)
  set(KontractExample_BUILD_TESTS ${BUILD_TESTING})
else()
  set(KontractExample_BUILD_TESTS ${Kontract_ENABLE_TESTS})
endif()

function(kontract_example_leave_out name reason)
  message(STATUS "Kontract: example/${name} is left out: ${reason}")
endfunction()

# kontract_example_find(<package>...): sets <package>_FOUND, and the libraries and include directories of
# those that are beside Teuchos; others would bring their own Kokkos. A macro, because packages set variables.
macro(kontract_example_find)
  foreach(package ${ARGN})
    if(COMMAND tribits_add_executable)
      set(${package}_FOUND ${Kontract_ENABLE_${package}})
    elseif(NOT ${package}_FOUND)
      if(NOT "${${package}_DIR}" STREQUAL "${Kontract_TRILINOS_DIR}/${package}")
        unset(${package}_DIR CACHE)  # of another Trilinos, found before
      endif()
      find_package(${package} CONFIG QUIET PATHS "${Kontract_TRILINOS_DIR}" NO_DEFAULT_PATH)
    endif()
  endforeach()
endmacro()

# kontract_example_python(<variable>): the first Python in the path that has matplotlib, of which
# there may be several; python3 if there is none.
function(kontract_example_python variable)
  get_property(python GLOBAL PROPERTY KontractExample_PYTHON)
  if(NOT python)
    set(python python3)
    string(REPLACE ":" ";" path "$ENV{PATH}")
    foreach(folder IN LISTS path)
      if(EXISTS "${folder}/python3")
        execute_process(COMMAND "${folder}/python3" -c "import numpy, matplotlib"
          RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
        if(result EQUAL 0)
          set(python "${folder}/python3")
          break()
        endif()
      endif()
    endforeach()
    set_property(GLOBAL PROPERTY KontractExample_PYTHON "${python}")
  endif()
  set(${variable} "${python}" PARENT_SCOPE)
endfunction()

# kontract_example(<name> PACKAGES <package>... [FIRST_OF <package>...] SOURCES <file>... [COMMON <part>...]
#                  [FILES <file>...] [LIBRARIES <library>...] [INCLUDES <folder>...])
#
# Adds the program Kontract_<name> with packages of Trilinos, one of those in FIRST_OF, and the
# libraries. COMMON names parts, lists ${KontractExample_<part>} of sources that are the same for all programs that
# have them: a build compiles each part once, with the packages of the first of these programs. FILES are copied to
# where the program looks for them. Sets KontractExample_TARGET, and
# KontractExample_TESTS if there are tests to add; neither, with a message that says why, where a
# package is missing. The sources see
#
#   KONTRACT_EXAMPLE_DIR             folder of FILES
#   KONTRACT_EXAMPLE_PYTHON          a Python, with matplotlib if there is one
#   KONTRACT_EXAMPLE_HAVE_<PACKAGE>  for the package that was taken of those in FIRST_OF
function(kontract_example name)
  cmake_parse_arguments(example "" "" "PACKAGES;FIRST_OF;SOURCES;COMMON;FILES;LIBRARIES;INCLUDES" ${ARGN})
  unset(KontractExample_TARGET PARENT_SCOPE)
  unset(KontractExample_TESTS PARENT_SCOPE)

  set(where "${Kontract_TRILINOS_DIR}")
  if(COMMAND tribits_add_executable)
    set(where "this build")
  endif()
  kontract_example_find(${example_PACKAGES} ${example_FIRST_OF})
  foreach(package IN LISTS example_PACKAGES)
    if(NOT ${package}_FOUND)
      kontract_example_leave_out(${name} "${package} is not in ${where} (Debian: trilinos-all-dev)")
      return()
    endif()
  endforeach()
  set(chosen)
  foreach(package IN LISTS example_FIRST_OF)
    if(${package}_FOUND)
      set(chosen ${package})
      break()
    endif()
  endforeach()
  if(example_FIRST_OF AND NOT chosen)
    kontract_example_leave_out(${name} "none of ${example_FIRST_OF} is in ${where}")
    return()
  endif()

  set(libraries)
  set(includes ${example_INCLUDES})
  foreach(package IN LISTS example_PACKAGES chosen)
    list(APPEND libraries ${${package}_LIBRARIES})
    list(APPEND includes ${${package}_INCLUDE_DIRS} ${${package}_TPL_INCLUDE_DIRS})
  endforeach()
  set(targets)
  if(COMMAND tribits_add_executable)
    foreach(part IN LISTS example_COMMON)
      list(APPEND example_SOURCES ${KontractExample_${part}})
    endforeach()
    tribits_add_executable(${name} SOURCES ${example_SOURCES} ADDED_EXE_TARGET_NAME_OUT target)
    if(NOT target)
      return()
    endif()
  else()
    set(target Kontract_${name})
    foreach(part IN LISTS example_COMMON)
      set(common Kontract_example_${part})
      if(NOT TARGET ${common})
        add_library(${common} OBJECT ${KontractExample_${part}})
        # They call libraries, whose templates take long to optimize; only the programs' own loops are worth it.
        if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang" AND NOT Kokkos_ENABLE_CUDA)
          target_compile_options(${common} PRIVATE -O1)
        endif()
        list(APPEND targets ${common})
      endif()
      list(APPEND example_SOURCES $<TARGET_OBJECTS:${common}>)
    endforeach()
    add_executable(${target} ${example_SOURCES})
    list(APPEND libraries Kontract::all_libs)
  endif()
  list(REMOVE_DUPLICATES includes)
  kontract_example_python(python)
  foreach(each IN LISTS target targets)
    target_include_directories(${each} SYSTEM PRIVATE ${includes})
    target_include_directories(${each} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
    target_link_libraries(${each} PRIVATE ${libraries} ${example_LIBRARIES})
    target_compile_features(${each} PRIVATE cxx_std_17)
    target_compile_definitions(${each} PRIVATE KONTRACT_EXAMPLE_PYTHON="${python}")
    if(chosen)
      string(TOUPPER ${chosen} upper)
      target_compile_definitions(${each} PRIVATE KONTRACT_EXAMPLE_HAVE_${upper})
    endif()
    # Warnings are for those who work on the example.
    if(KontractExample_BUILD_TESTS AND CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
      target_compile_options(${each} PRIVATE -Wall -Wextra)
    endif()
  endforeach()
  target_compile_definitions(${target} PRIVATE KONTRACT_EXAMPLE_DIR="${CMAKE_CURRENT_BINARY_DIR}")
  foreach(file IN LISTS example_FILES)
    get_filename_component(file_name ${file} NAME)
    configure_file(${file} ${file_name} COPYONLY)
  endforeach()

  set(KontractExample_TARGET ${target} PARENT_SCOPE)
  set(KontractExample_TESTS ${KontractExample_BUILD_TESTS} PARENT_SCOPE)
endfunction()
