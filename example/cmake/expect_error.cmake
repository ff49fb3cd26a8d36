# SPDX-License-Identifier: BSD-3-Clause
#
# cmake -D text=<regex> -D num_ranks=<n> -P expect_error.cmake -- <command>...
#
# The command must exit with 1 and say what is wrong in one line.

include(${CMAKE_CURRENT_LIST_DIR}/read_command.cmake)

execute_process(COMMAND ${command} RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE errors)
if(NOT result EQUAL 1)
  message(FATAL_ERROR "exit code ${result}, expected 1:\n${errors}")
endif()
string(REPLACE ";" "," errors "${errors}")
# MPI's hwloc and UCX complain of containers that have no /sys.
string(REGEX REPLACE "[^\n]*(hwloc|UCX)[^\n]*\n" "" errors "${errors}")
string(REGEX MATCHALL "[^\n]*\n" lines "${errors}")
if(num_ranks GREATER 1)
  # mpirun adds what it thinks of the exit code.
  list(FILTER lines INCLUDE REGEX "Kontract|Throw|rror:")
endif()
list(LENGTH lines num_lines)
if(NOT num_lines EQUAL 1 OR NOT lines MATCHES "^Kontract_[a-z]+: " OR NOT lines MATCHES "${text}")
  message(FATAL_ERROR "expected one line with '${text}', found:\n${errors}")
endif()
