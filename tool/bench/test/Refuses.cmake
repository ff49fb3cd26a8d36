# SPDX-License-Identifier: BSD-3-Clause
#
# PROGRAM with ARGUMENTS, separated by |, must exit with 2 and say EXPECTED, a regular expression.

string(REPLACE "|" ";" ARGUMENTS "${ARGUMENTS}")
execute_process(COMMAND "${PROGRAM}" ${ARGUMENTS} RESULT_VARIABLE result ERROR_VARIABLE errors
  OUTPUT_VARIABLE output)
if(NOT result EQUAL 2)
  message("${output}${errors}")  # as it is: errors of CMake are wrapped
  message(FATAL_ERROR "exit code ${result} instead of 2")
endif()
if(NOT errors MATCHES "${EXPECTED}")
  message(FATAL_ERROR "it does not say '${EXPECTED}' but:\n${errors}")
endif()
