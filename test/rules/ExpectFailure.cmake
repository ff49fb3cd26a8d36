# SPDX-License-Identifier: BSD-3-Clause
#
# Runs PROGRAM with the environment variable KONTRACT_TEST_MUTANT set to MUTANT and requires that it
# finds the mutant: exit code 1 and a failed comparison, not a crash and not a refused call.

cmake_minimum_required(VERSION 3.17)

set(ENV{KONTRACT_TEST_MUTANT} "${MUTANT}")
execute_process(COMMAND "${PROGRAM}" RESULT_VARIABLE result OUTPUT_VARIABLE output
                ERROR_VARIABLE output)
if(NOT result STREQUAL "1")
  message(FATAL_ERROR "mutant ${MUTANT}: the tests should have returned 1 but returned "
                      "'${result}'\n${output}")
endif()
foreach(wanted "comparison failed: [^\n]* but should be " "comparisons with mutant ${MUTANT}"
        "End Result: TEST FAILED")
  if(NOT output MATCHES "${wanted}")
    message(FATAL_ERROR "mutant ${MUTANT}: the output lacks '${wanted}'\n${output}")
  endif()
endforeach()
foreach(unwanted "refused: " "Unexpected|unexpected" "Caught")
  if(output MATCHES "${unwanted}")
    message(FATAL_ERROR "mutant ${MUTANT}: the output has '${unwanted}'\n${output}")
  endif()
endforeach()
message(STATUS "mutant ${MUTANT} was found")
