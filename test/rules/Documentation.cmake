# SPDX-License-Identifier: BSD-3-Clause
#
# Runs doxygen as doc/Doxyfile says, but into a build directory. The Doxyfile makes warnings errors.
#   cmake -DDOXYGEN=<program> -DSOURCE=<repository> -DBINARY=<directory> -P Documentation.cmake

file(MAKE_DIRECTORY "${BINARY}")
file(READ "${SOURCE}/doc/Doxyfile" settings)
file(WRITE "${BINARY}/Doxyfile" "${settings}\nOUTPUT_DIRECTORY = ${BINARY}\n")
execute_process(COMMAND "${DOXYGEN}" "${BINARY}/Doxyfile" WORKING_DIRECTORY "${SOURCE}"
                RESULT_VARIABLE result ERROR_VARIABLE errors OUTPUT_QUIET)
if(NOT result EQUAL 0 OR NOT errors STREQUAL "")
  message(FATAL_ERROR "doxygen: ${errors}")
endif()
if(NOT EXISTS "${BINARY}/html/classKontract_1_1ArrayTools.html")
  message(FATAL_ERROR "doxygen made no page of Kontract::ArrayTools")
endif()
