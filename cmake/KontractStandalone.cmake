# SPDX-License-Identifier: BSD-3-Clause
#
# Kontract as a project of its own.

list(APPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}")
set(Kontract_IN_TRIBITS OFF)
option(Kontract_ENABLE_TESTS "Build the tests" OFF)
option(Kontract_ENABLE_EXAMPLES "Build the examples" OFF)
option(Kontract_ENABLE_TOOLS "Build the tools: kontract_bench, kontract_operators and kontract_tune"
       ${Kontract_ENABLE_TESTS})
set(Kontract_SANITIZE OFF CACHE STRING
    "Build with sanitizers: ON for AddressSanitizer and UndefinedBehaviorSanitizer, or thread")
set_property(CACHE Kontract_SANITIZE PROPERTY STRINGS OFF ON thread)

string(TOUPPER "${Kontract_SANITIZE}" asked)
if(NOT asked MATCHES "^(OFF|ON|NO|YES|FALSE|TRUE|0|1|)$" AND NOT Kontract_SANITIZE STREQUAL "thread")
  message(FATAL_ERROR "Kontract_SANITIZE is ${Kontract_SANITIZE}, but has to be OFF, ON or thread")
endif()

set(is_top_level OFF)
if(CMAKE_SOURCE_DIR STREQUAL Kontract_SOURCE_DIR)
  set(is_top_level ON)
endif()
if(is_top_level AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Kind of build" FORCE)
endif()
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

if(Kontract_SANITIZE)
  # Without what takes longest to compile and AddressSanitizer finds, too: null pointers and sizes of objects.
  set(sanitizers address,undefined)
  set(fewer_checks -fno-sanitize=null,object-size,vptr)
  if(Kontract_SANITIZE STREQUAL "thread")
    set(sanitizers thread)
    set(fewer_checks "")
  endif()
  add_compile_options(-fsanitize=${sanitizers} ${fewer_checks} -fno-sanitize-recover=all -fno-omit-frame-pointer
                      -O1 -g1)
  add_link_options(-fsanitize=${sanitizers})
endif()

include(GNUInstallDirs)
include(KontractFindDependencies)
kontract_find_dependencies()
kontract_choose_cxx_standard(Kontract_WHY_NOT "${CMAKE_CXX_STANDARD}")
if(Kontract_WHY_NOT)
  message(FATAL_ERROR "${Kontract_WHY_NOT}")
endif()
include(KontractOptional)
include(KontractSources)

add_library(kontract ${Kontract_SOURCES})
add_library(Kontract::kontract ALIAS kontract)
add_library(Kontract::all_libs ALIAS kontract)
set_target_properties(kontract PROPERTIES VERSION ${Kontract_VERSION}
                                          SOVERSION ${Kontract_VERSION_MAJOR}
                                          POSITION_INDEPENDENT_CODE ON)
target_compile_features(kontract PUBLIC cxx_std_17)
target_link_libraries(kontract PUBLIC Kontract::dependencies
                               PRIVATE ${Kontract_OPTIONAL_LIBRARIES}
                                       $<BUILD_INTERFACE:Kontract_optional>)
foreach(dir ${Kontract_INCLUDE_DIRS})
  target_include_directories(kontract PUBLIC $<BUILD_INTERFACE:${dir}>)
endforeach()
target_include_directories(kontract PUBLIC $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/kontract>)

set(Kontract_INTREPID2_DIR "${Kontract_SOURCE_DIR}/intrepid2")
include(KontractReplaceIntrepid2)

# Warnings are for those who work on Kontract: its own files, built with its tests.
if(Kontract_ENABLE_TESTS AND CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
  target_compile_options(kontract PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic>)
endif()

include(KontractInstall)

if(Kontract_ENABLE_TESTS)
  enable_testing()
  add_subdirectory(test)
endif()
if(Kontract_ENABLE_TOOLS)
  enable_testing()
  add_subdirectory(tool)
endif()
if(Kontract_ENABLE_EXAMPLES)
  enable_testing()
  add_subdirectory(example)
endif()
