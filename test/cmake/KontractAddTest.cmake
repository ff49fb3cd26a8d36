# SPDX-License-Identifier: BSD-3-Clause
#
# One way to add tests for both ways to build Kontract. CTest calls them Kontract_<Name>... in both.

include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/KontractTestCategory.cmake)
set(Kontract_TEST_SUPPORT_DIR "${CMAKE_CURRENT_LIST_DIR}/../support")

set(unit_test_main "${Kontract_TEST_SUPPORT_DIR}/UnitTestMain.cpp")
# The main of all programs of unit tests is compiled once, and so are the headers that most of them begin with,
# for either level of optimization. What includes Sacado does so before them. Compilers for devices read a source
# once for each side, and take a precompiled header of neither.
set(has_first_headers ON)
if(Kontract_IN_TRIBITS OR Kokkos_ENABLE_CUDA OR Kokkos_ENABLE_HIP OR Kokkos_ENABLE_SYCL)
  set(has_first_headers OFF)
endif()
if(NOT Kontract_IN_TRIBITS)
  add_library(Kontract_test_main OBJECT "${unit_test_main}")
  set(unit_test_main $<TARGET_OBJECTS:Kontract_test_main>)
  target_link_libraries(Kontract_test_main PRIVATE Kontract::all_libs)
endif()
# The library has what depends on alignment, for plain scalars; in tests the check of it would take a sixth of the time
# to compile.
set(checks_of_library "")
if(Kontract_SANITIZE AND NOT Kontract_SANITIZE STREQUAL "thread")
  set(checks_of_library -fno-sanitize=alignment)
endif()
if(has_first_headers)
  foreach(level OPTIMIZED LITTLE_OPTIMIZED)
    set(holder Kontract_test_headers_${level})
    add_library(${holder} OBJECT "${Kontract_TEST_SUPPORT_DIR}/FirstHeaders.cpp")
    target_link_libraries(${holder} PRIVATE Kontract::all_libs)
    if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
      target_compile_options(${holder} PRIVATE -Wall -Wextra ${checks_of_library})
      if(level STREQUAL "LITTLE_OPTIMIZED")
        target_compile_options(${holder} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O1>)
      endif()
    endif()
    target_precompile_headers(${holder} PRIVATE "${Kontract_TEST_SUPPORT_DIR}/FirstHeaders.hpp")
  endforeach()
endif()

# kontract_add_test_executable(<name> SOURCES <file>... [DEFINITIONS <name>[=<value>]...]
#                              [LIBRARIES <target>...] [OPTIMIZED] [OWN_MAIN] [OWN_HEADERS] [NIGHTLY])
#
# An executable of Teuchos unit tests, or of its OWN_MAIN. LIBRARIES are of the stand-alone build; TriBITS knows its
# packages. OPTIMIZED: as the build type has it; else -O1, because tests instantiate much and run little, and that
# halves the time to compile them. The library is optimized in any case. OWN_HEADERS: its
# sources are not preceded by precompiled headers. NIGHTLY is a category, see KontractTestCategory.cmake.
function(kontract_add_test_executable name)
  cmake_parse_arguments(ARG "OPTIMIZED;OWN_MAIN;OWN_HEADERS;NIGHTLY" "" "SOURCES;DEFINITIONS;LIBRARIES" ${ARGN})
  kontract_test_category(category is_wanted "${ARG_NIGHTLY}")
  if(NOT is_wanted)
    return()
  endif()
  set(sources ${ARG_SOURCES})
  if(NOT ARG_OWN_MAIN)
    list(APPEND sources "${unit_test_main}")
  endif()
  if(Kontract_IN_TRIBITS)
    tribits_add_executable(${name} SOURCES ${sources} COMM serial mpi CATEGORIES ${category})
  else()
    add_executable(Kontract_${name} ${sources})
    target_link_libraries(Kontract_${name} PRIVATE Kontract::all_libs ${ARG_LIBRARIES})
  endif()
  if(TARGET Kontract_${name})
    target_include_directories(Kontract_${name} PRIVATE "${Kontract_TEST_SUPPORT_DIR}")
    target_compile_definitions(Kontract_${name} PRIVATE ${ARG_DEFINITIONS})
    if(NOT ARG_OPTIMIZED AND CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
      target_compile_options(Kontract_${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O1>)
    endif()
    if(NOT Kontract_IN_TRIBITS)
      if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
        target_compile_options(Kontract_${name} PRIVATE
          $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra ${checks_of_library}>)
      endif()
      if(NOT ARG_OWN_MAIN AND NOT ARG_OWN_HEADERS)
        kontract_use_first_headers(Kontract_${name} "${ARG_OPTIMIZED}")
      endif()
    endif()
  endif()
endfunction()

# kontract_use_first_headers(<target> <is optimized>): precompiled, unless the target sees headers that have to
# come before them.
function(kontract_use_first_headers target is_optimized)
  if(NOT has_first_headers)
    return()
  endif()
  get_target_property(libraries ${target} LINK_LIBRARIES)
  if(libraries MATCHES "Sacado|Intrepid2" OR CMAKE_DISABLE_PRECOMPILE_HEADERS)
    return()
  endif()
  set(level LITTLE_OPTIMIZED)
  if(is_optimized)
    set(level OPTIMIZED)
  endif()
  target_precompile_headers(${target} REUSE_FROM Kontract_test_headers_${level})
endfunction()

# kontract_add_test(<name> SOURCES <file>... | EXECUTABLE <name> [DEFINITIONS ...] [LIBRARIES ...]
#                   [ARGS <argument>...] [LABELS <label>...] [ENVIRONMENT <name>=<value>...]
#                   [TIMEOUT <seconds>] [COST <seconds>] [OPTIMIZED] [NIGHTLY])
#
# A test that passes when its executable returns 0: one of its own from SOURCES, or one that
# kontract_add_test_executable made. In a build for a device, executables find out whether there is one,
# and their tests are reported as skipped where there is none.
function(kontract_add_test name)
  cmake_parse_arguments(ARG "OPTIMIZED;NIGHTLY" "EXECUTABLE;TIMEOUT;COST"
                        "SOURCES;DEFINITIONS;LIBRARIES;ARGS;LABELS;ENVIRONMENT" ${ARGN})
  kontract_test_category(category is_wanted "${ARG_NIGHTLY}")
  if(NOT is_wanted)
    return()
  endif()
  set(executable ${ARG_EXECUTABLE})
  if(ARG_SOURCES)
    set(executable ${name})
    set(flags "")
    foreach(flag OPTIMIZED NIGHTLY)
      if(ARG_${flag})
        list(APPEND flags ${flag})
      endif()
    endforeach()
    kontract_add_test_executable(${name} SOURCES ${ARG_SOURCES} DEFINITIONS ${ARG_DEFINITIONS}
                                 LIBRARIES ${ARG_LIBRARIES} ${flags})
  endif()
  if(Kontract_IN_TRIBITS)
    string(REPLACE ";" " " arguments "${ARG_ARGS}")
    set(tests "")
    tribits_add_test(${executable} NAME ${name} ARGS "${arguments}" COMM serial mpi NUM_MPI_PROCS 1
                     CATEGORIES ${category} ADDED_TESTS_NAMES_OUT tests)
  else()
    set(tests Kontract_${name})
    add_test(NAME ${tests} COMMAND Kontract_${executable} ${ARG_ARGS})
  endif()
  kontract_set_test_properties("${tests}" "${ARG_LABELS};${category}" "${ARG_ENVIRONMENT}" "${ARG_TIMEOUT}")
  if(tests AND ARG_COST)
    set_property(TEST ${tests} PROPERTY COST ${ARG_COST})
  endif()
endfunction()

# kontract_add_script_test(<name> SCRIPT <file> [DEFINE <name>=<value>...] [LABELS <label>...] [NIGHTLY])
#
# A test that is a CMake script.
function(kontract_add_script_test name)
  cmake_parse_arguments(ARG "NIGHTLY" "SCRIPT" "DEFINE;LABELS" ${ARGN})
  kontract_test_category(category is_wanted "${ARG_NIGHTLY}")
  if(NOT is_wanted)
    return()
  endif()
  list(TRANSFORM ARG_DEFINE PREPEND "-D")
  add_test(NAME Kontract_${name}
           COMMAND ${CMAKE_COMMAND} ${ARG_DEFINE} -P "${CMAKE_CURRENT_SOURCE_DIR}/${ARG_SCRIPT}")
  kontract_set_test_properties(Kontract_${name} "${ARG_LABELS};${category}" "" "")
endfunction()

function(kontract_set_test_properties tests labels environment timeout)
  string(TOLOWER "${labels}" labels)  # categories are labels, too
  foreach(test ${tests})
    set_property(TEST ${test} APPEND PROPERTY LABELS ${labels})
    # Programs that share a device wait for each other at every turn.
    if(Kokkos_ENABLE_CUDA OR Kokkos_ENABLE_HIP)
      set_property(TEST ${test} PROPERTY RESOURCE_LOCK Kontract_device)
    endif()
    # What test/support/EndWhereNoDeviceIs.hpp prints, or who starts a program on a machine without the
    # device's driver: the test is then reported as skipped.
    set_property(TEST ${test} PROPERTY SKIP_REGULAR_EXPRESSION
                 "Kontract: not run" "lib(cuda|amdhip64)\\.so[.0-9]*: cannot open" "(cuda|hip)ErrorNoDevice")
    if(environment)
      set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT ${environment})
    endif()
    if(timeout)
      set_property(TEST ${test} PROPERTY TIMEOUT ${timeout})
    endif()
  endforeach()
endfunction()

# kontract_add_refusal_test(<name> SOURCE <file> TEXT <regular expression> [DEFINITIONS <name>...])
#
# A test that passes when a source does not compile, and the compiler says that. Stand-alone builds only.
function(kontract_add_refusal_test name)
  cmake_parse_arguments(ARG "" "SOURCE;TEXT" "DEFINITIONS" ${ARGN})
  if(Kontract_IN_TRIBITS)
    return()
  endif()
  set(target Kontract_Refused_${name})
  add_library(${target} OBJECT EXCLUDE_FROM_ALL ${ARG_SOURCE})
  target_link_libraries(${target} PRIVATE Kontract::all_libs)
  target_compile_definitions(${target} PRIVATE ${ARG_DEFINITIONS})
  add_test(NAME Kontract_Refused_${name}
    COMMAND "${CMAKE_COMMAND}" --build "${CMAKE_BINARY_DIR}" --target ${target})
  # One at a time: all build in the same directory.
  set_tests_properties(Kontract_Refused_${name} PROPERTIES
    PASS_REGULAR_EXPRESSION "${ARG_TEXT}" LABELS rules RESOURCE_LOCK Kontract_build)
endfunction()
