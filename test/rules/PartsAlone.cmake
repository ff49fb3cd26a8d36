# SPDX-License-Identifier: BSD-3-Clause
#
# Each part of the kernels of hosts compiles when it is opened by itself, as an editor does.
# They include neither Kokkos nor the standard library's classes, so no other path is needed.
#   cmake -DSRC=<src> -DCOMPILER=<c++> -DSTANDARD=<17> -P PartsAlone.cmake

cmake_minimum_required(VERSION 3.17)

set(command "${COMPILER}" -std=c++${STANDARD} -fsyntax-only -x c++ -I "${SRC}")
file(GLOB_RECURSE parts "${SRC}/detail/kernels/host_simd/*.ipp")
list(LENGTH parts count)
if(count LESS 15)
  message(SEND_ERROR "only ${count} parts were found: does this script still find them?")
endif()
foreach(part IN LISTS parts)
  execute_process(COMMAND ${command} "${part}" RESULT_VARIABLE result ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(SEND_ERROR "${part} does not compile by itself\n${output}")
  endif()
endforeach()
message(STATUS "${count} parts looked at")
