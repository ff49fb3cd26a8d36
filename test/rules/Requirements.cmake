# SPDX-License-Identifier: BSD-3-Clause
#
# Each public header says in one sentence what it needs of the compiler and of Kokkos, and nothing after that.
#   cmake -DSRC=<sources> -DCOMPILER=<c++> -DWORK=<directory> -P Requirements.cmake

cmake_minimum_required(VERSION 3.17)

# expect_refusal(<header> <C++ standard> <KOKKOS_VERSION> <sentence>)
function(expect_refusal header standard kokkos sentence)
  file(WRITE "${WORK}/program.cpp" "#include <${header}>\n")
  file(WRITE "${WORK}/Kokkos_Macros.hpp" "#define KOKKOS_VERSION ${kokkos}\n")
  execute_process(RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE output
    COMMAND "${COMPILER}" -std=c++${standard} -E "-I${WORK}" "-I${SRC}" "${WORK}/program.cpp")
  string(REGEX MATCHALL "error: [^\n]*" errors "${output}")
  list(FILTER errors EXCLUDE REGEX "what_the_error_above_says")
  if(result EQUAL 0 OR NOT errors MATCHES "^error: (#error )?\"${sentence}\"$")
    message(FATAL_ERROR "${header}: expected:\n${sentence}\nfound:\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE "${WORK}")
file(GLOB headers RELATIVE "${SRC}" "${SRC}/*.hpp")
list(LENGTH headers num_headers)
if(num_headers LESS 5)
  message(FATAL_ERROR "only ${num_headers} public headers in ${SRC}")
endif()
foreach(header IN LISTS headers)
  expect_refusal(${header} 14 40600 "Kontract needs C\\+\\+17 or later: compile with -std=c\\+\\+17")
  expect_refusal(${header} 17 30301 "Kontract needs Kokkos 3.4 or later: the one on the include path is older")
  expect_refusal(${header} 17 50202 "Kokkos 5 needs C\\+\\+20 or later: compile with -std=c\\+\\+20")
endforeach()
