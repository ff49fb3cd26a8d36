# SPDX-License-Identifier: BSD-3-Clause
#
# Two builds of a program that knows Intrepid2 alone: ORIGINAL as it is, REPLACED after kontract_replace_intrepid2.
# They give the same results, which the program compares, and Kontract computes in the second alone.
#   cmake -DORIGINAL=<program> -DREPLACED=<program> -DWORK=<directory> -P Unchanged.cmake

cmake_minimum_required(VERSION 3.17)

# What Kontract reads in its first call, and cannot.
set(unreadable no_such_file.xml)

# run(<options> <program> [<argument>...]): sets result to the exit code and output to what the program printed.
function(run options)
  execute_process(COMMAND "${CMAKE_COMMAND}" -E env --unset=KONTRACT_OPTIONS ${options} ${ARGN}
                  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE error)
  set(result "${result}" PARENT_SCOPE)
  set(output "${output}${error}" PARENT_SCOPE)
endfunction()

# Fails; a message of CMake would wrap what the program printed.
function(fail why)
  execute_process(COMMAND "${CMAKE_COMMAND}" -E echo "${why}; the program returned ${result} and printed:\n${output}")
  message(FATAL_ERROR "${why}")
endfunction()

file(MAKE_DIRECTORY "${WORK}")
run("" "${ORIGINAL}")
if(NOT result EQUAL 0)
  fail("the program fails as it is")
endif()
set(results "${output}")
file(WRITE "${WORK}/results.txt" "${results}")
run("" "${REPLACED}" "${WORK}/results.txt")
if(NOT result EQUAL 0)
  fail("results differ")
endif()
message(STATUS "${output}")

# A comparison that takes other results would say nothing.
string(REGEX REPLACE "^([^\n]*[0-9]\\.)[0-9]*" "\\15" one_spoilt "${results}")
string(REGEX REPLACE "[^\n]*\n$" "" one_missing "${results}")
set(one_more "${results}more 1\n")
set(none "")
foreach(spoilt one_spoilt one_missing one_more none)
  if("${${spoilt}}" STREQUAL results)
    fail("there is nothing to spoil in these results")
  endif()
  file(WRITE "${WORK}/${spoilt}.txt" "${${spoilt}}")
  run("" "${REPLACED}" "${WORK}/${spoilt}.txt")
  if(NOT result EQUAL 1)
    fail("the program takes ${spoilt}.txt for its results")
  endif()
endforeach()

# Who computes shows in options that only Kontract reads.
run(KONTRACT_OPTIONS=${unreadable} "${ORIGINAL}")
if(NOT result EQUAL 0 OR NOT output STREQUAL results)
  fail("the original heeds options of Kontract")
endif()
run(KONTRACT_OPTIONS=${unreadable} "${REPLACED}")
if(NOT result EQUAL 2 OR NOT output MATCHES "${unreadable}")
  fail("Kontract did not compute")
endif()
