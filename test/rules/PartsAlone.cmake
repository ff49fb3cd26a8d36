# SPDX-License-Identifier: BSD-3-Clause
#
# Each part of the kernels of hosts compiles when it is opened by itself, as an editor does.
#   cmake -DSRC=<src> -DINCLUDES=<a|b|...> -DCOMPILER=<c++> -DFLAGS=<a|b|...> -P PartsAlone.cmake

cmake_minimum_required(VERSION 3.17)

string(REPLACE "|" ";" command "${COMPILER}|${FLAGS}|-fsyntax-only|-x|c++|-I|${SRC}")
string(REPLACE "|" ";" includes "${INCLUDES}")
list(REMOVE_DUPLICATES includes)
list(REMOVE_ITEM includes "${SRC}" /usr/include)  # the compiler has the latter, in its own order
foreach(include IN LISTS includes)
  list(APPEND command -isystem "${include}")
endforeach()
file(GLOB_RECURSE parts "${SRC}/detail/kernels/host_simd/*.ipp")
# Which kernel takes a form: included by HostFormSet.ipp after all that it names.
list(FILTER parts EXCLUDE REGEX "/Kontract_HostFormDispatch\\.ipp$")
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
