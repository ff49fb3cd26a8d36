# SPDX-License-Identifier: BSD-3-Clause
#
# The headers that KontractIntrepid2Headers.cmake writes as a script, for made-up directories of Intrepid2's.
#   cmake -DSCRIPT=<KontractIntrepid2Headers.cmake> -DWORK=<directory> -P Headers.cmake

cmake_minimum_required(VERSION 3.17)
file(REMOVE_RECURSE "${WORK}")
set(WORK "${WORK}/a path with spaces")
include("${CMAKE_CURRENT_LIST_DIR}/MadeUpHeaders.cmake")
made_up_intrepid2("${WORK}/one")
header("${WORK}/two/Intrepid2_FunctionSpaceTools.hpp" "")
header("${WORK}/two/Direct.hpp" "#include \"Intrepid2_FunctionSpaceTools.hpp\"")
header("${WORK}/none/Direct.hpp" "#include \"Intrepid2_FunctionSpaceTools.hpp\"")

# write(<directory> <out>): runs the script; sets result and, without the line breaks of CMake's messages, output.
function(write directory out)
  execute_process(COMMAND "${CMAKE_COMMAND}" -D "INTREPID2=${directory}" -D "OUT=${out}" -P "${SCRIPT}"
                  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  set(result "${result}" PARENT_SCOPE)
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(expect_written directory out)
  write("${directory}" "${out}")
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${directory}: ${output}")
  endif()
  file(GLOB written RELATIVE "${out}" "${out}/*")
  if(NOT written STREQUAL "${ARGN}")
    message(FATAL_ERROR "${directory}: written were ${written}, should be ${ARGN}")
  endif()
endfunction()

function(expect_refusal directory out text)
  write("${directory}" "${out}")
  string(FIND "${output}" "${text}" at)
  if(result EQUAL 0 OR at EQUAL -1)
    message(FATAL_ERROR "${directory}: returned ${result}, without '${text}': ${output}")
  endif()
endfunction()

set(out "${WORK}/out")
expect_written("${WORK}/one" "${out}" ${Kontract_WRAPPED_OF_MADE_UP})
file(READ "${out}/Through.hpp" text)
if(NOT text MATCHES "\n#include <Intrepid2_FunctionSpaceTools.hpp>\n#include_next <Through.hpp>\n$")
  message(FATAL_ERROR "a wrapper is\n${text}")
endif()

# A second run writes nothing, so that nothing is compiled again.
file(TIMESTAMP "${out}/Through.hpp" before "%s")
execute_process(COMMAND "${CMAKE_COMMAND}" -E sleep 1.1)
expect_written("${WORK}/one" "${out}" ${Kontract_WRAPPED_OF_MADE_UP})
file(TIMESTAMP "${out}/Through.hpp" after "%s")
if(NOT before EQUAL after)
  message(FATAL_ERROR "a wrapper was written again")
endif()

# An include that is new is found; a wrapper that another Intrepid2 has left goes; what is no wrapper stays.
header("${WORK}/one/New.hpp" "#include \"Through.hpp\"")
set(with_new ${Kontract_WRAPPED_OF_MADE_UP} New.hpp)
list(SORT with_new)
expect_written("${WORK}/one" "${out}" ${with_new})
header("${out}/Own.hpp" "")
expect_written("${WORK}/two" "${out}" Direct.hpp Own.hpp)

set(sentence "Kontract: these are no directories of Intrepid2's headers, because they have no")
expect_refusal("${WORK}/none" "${WORK}/refused" "${sentence} Intrepid2_FunctionSpaceTools.hpp: ${WORK}/none")
expect_refusal("${WORK}/missing" "${WORK}/refused" "have no Intrepid2_FunctionSpaceTools.hpp: ${WORK}/missing")
if(EXISTS "${WORK}/refused")
  message(FATAL_ERROR "a refused call has written")
endif()
# Intrepid2's own headers are no place to write to.
expect_refusal("${WORK}/one" "${WORK}/one" "stands where a header of that name is to be written")
file(READ "${WORK}/one/Direct.hpp" text)
if(text MATCHES "include_next")
  message(FATAL_ERROR "a header was overwritten")
endif()
expect_refusal("" "${WORK}/refused" "usage: ")
