# SPDX-License-Identifier: BSD-3-Clause
#
# cmake -D launcher=<list> -D program=<path> -P same_on_ranks.cmake
#
# The norm of the solution must not depend on the number of ranks.

foreach(num_ranks IN ITEMS 1 2 3)
  execute_process(COMMAND ${launcher} ${num_ranks} ${program} --output=
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  if(NOT result EQUAL 0 OR NOT output MATCHES "L2 norm ([0-9]+\\.[0-9][0-9][0-9][0-9][0-9])")
    message(FATAL_ERROR "${num_ranks} ranks: exit code ${result}\n${output}${errors}")
  endif()
  message(STATUS "${num_ranks} ranks: L2 norm ${CMAKE_MATCH_1}")
  if(DEFINED norm AND NOT norm STREQUAL CMAKE_MATCH_1)
    message(FATAL_ERROR "the norm was ${norm} before")
  endif()
  set(norm ${CMAKE_MATCH_1})
endforeach()
