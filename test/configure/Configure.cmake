# SPDX-License-Identifier: BSD-3-Clause
#
# What Kontract's configuration says of packages that it cannot be built on, or that are not there: a case of
# cases/, against made-up packages.
#   cmake -DCASE=<name> -DSOURCE=<Kontract> -DWORK=<directory> -DCOMPILER=<c++> -DGENERATOR=<name>
#         -DMAKE=<program> -P Configure.cmake

cmake_minimum_required(VERSION 3.17)
include("${CMAKE_CURRENT_LIST_DIR}/Packages.cmake")

# configure(<source> <directory> <prefix>[;<prefix>...] <option>...): sets ${output}, in one line, and ${result}.
# Packages are found in these prefixes alone.
function(configure source directory prefixes)
  execute_process(RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output
    COMMAND "${CMAKE_COMMAND}" --no-warn-unused-cli -S "${source}" -B "${WORK}/${directory}" -G "${GENERATOR}"
      "-DCMAKE_MAKE_PROGRAM=${MAKE}" "-DCMAKE_CXX_COMPILER=${COMPILER}" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
      -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF -DCMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH=OFF
      -DCMAKE_FIND_USE_CMAKE_ENVIRONMENT_PATH=OFF -DCMAKE_FIND_USE_PACKAGE_ROOT_PATH=OFF
      -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON "-DCMAKE_PREFIX_PATH=${prefixes}" ${ARGN})
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  set(output "${output}" PARENT_SCOPE)
  set(result "${result}" PARENT_SCOPE)
endfunction()

# configure_kontract(<prefix>[;<prefix>...] <option>...): with packages in these directories.
macro(configure_kontract prefixes)
  configure("${SOURCE}" build "${prefixes}" ${ARGN})
endmacro()

# configure_user(<prefix>[;<prefix>...] <option>...): a project that uses the Kontract that was configured
# before, installed.
macro(configure_user prefixes)
  write_kontract("${WORK}/kontract" "${SOURCE}" "${WORK}/build")
  configure("${SOURCE}/test/configure/user" user "${WORK}/kontract;${prefixes}" ${ARGN})
endmacro()

# expect_text(<text>): it was said.
function(expect_text text)
  string(FIND "${output}" "${text}" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "expected:\n${text}\nfound:\n${output}")
  endif()
endfunction()

# expect_refusal(<sentence>): it was all that was said.
function(expect_refusal sentence)
  if(result EQUAL 0)
    message(FATAL_ERROR "expected:\n${sentence}\nbut this was not refused:\n${output}")
  endif()
  expect_text("${sentence}")
  string(REGEX MATCHALL "CMake (Error|Warning)" complaints "${output}")
  list(LENGTH complaints num_complaints)
  if(NOT num_complaints EQUAL 1)
    message(FATAL_ERROR "expected one error, found:\n${output}")
  endif()
endfunction()

function(expect_success)
  if(NOT result EQUAL 0 OR output MATCHES "CMake (Error|Warning)")
    message(FATAL_ERROR "expected success, found:\n${output}")
  endif()
endfunction()

# expect_option(<regular expression> <option>): all sources are compiled with the option, and with no other that
# matches.
function(expect_option regex option)
  file(READ "${WORK}/build/compile_commands.json" commands)
  string(REGEX MATCHALL "${regex}" options "${commands}")
  list(REMOVE_DUPLICATES options)
  if(NOT options STREQUAL option)
    message(FATAL_ERROR "expected ${option}, found ${options}")
  endif()
endfunction()

function(expect_standard number)
  expect_option("-std=[^ ]*" "-std=c++${number}")
endfunction()

file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
get_filename_component(WORK "${WORK}" REALPATH)  # as the sentences name it
include("${CMAKE_CURRENT_LIST_DIR}/cases/${CASE}.cmake")
