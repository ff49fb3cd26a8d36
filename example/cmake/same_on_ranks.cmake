# SPDX-License-Identifier: BSD-3-Clause
#
# cmake -D launcher=<list> -D regex=<regex> -P same_on_ranks.cmake -- <command>...
#
# What the parentheses of the regular expression match in the output must not depend on the number of
# ranks, 1 to 3.

include(${CMAKE_CURRENT_LIST_DIR}/read_command.cmake)

foreach(num_ranks IN ITEMS 1 2 3)
  execute_process(COMMAND ${launcher} ${num_ranks} ${command}
    RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  if(NOT code EQUAL 0 OR NOT output MATCHES "${regex}")
    message(FATAL_ERROR "${num_ranks} ranks: exit code ${code}\n${output}${errors}")
  endif()
  message(STATUS "${num_ranks} ranks: ${CMAKE_MATCH_0}")
  if(DEFINED before AND NOT before STREQUAL CMAKE_MATCH_1)
    message(FATAL_ERROR "it was ${before} before")
  endif()
  set(before ${CMAKE_MATCH_1})
endforeach()
