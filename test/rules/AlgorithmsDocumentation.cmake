# SPDX-License-Identifier: BSD-3-Clause
#
# Every algorithm that PROGRAM, which prints the documentation of the options, tells of has a section in
# the file DOCUMENT, and every setting a row there with its default: | `Tile C` | 0 | ...

cmake_minimum_required(VERSION 3.17)

file(READ "${DOCUMENT}" document)
execute_process(COMMAND "${PROGRAM}" OUTPUT_VARIABLE options RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} returns ${result}")
endif()

# section_of(<name>): what comes after the heading <name>, up to the next one, as ${section}.
function(section_of name)
  string(FIND "${document}" "\n## ${name}\n" begin)
  if(begin EQUAL -1)
    message(SEND_ERROR "${DOCUMENT} has no section '${name}'")
    set(section "" PARENT_SCOPE)
    return()
  endif()
  math(EXPR begin "${begin} + 4")
  string(SUBSTRING "${document}" ${begin} -1 section)
  string(FIND "${section}" "\n## " end)
  string(SUBSTRING "${section}" 0 ${end} section)
  set(section "${section}" PARENT_SCOPE)
endfunction()

# The first list of acceptable values is that of Algorithm.
if(NOT options MATCHES "Acceptable Values: {Auto, ([^}]*)}")
  message(FATAL_ERROR "${PROGRAM} names no algorithms")
endif()
string(REPLACE ", " ";" algorithms "${CMAKE_MATCH_1}")
foreach(algorithm ${algorithms})
  section_of("${algorithm}")
endforeach()

# Settings of the groups before Tuning, which has a document of its own.
set(settings 0)
string(REPLACE ";" "," options "${options}")
string(REPLACE "[" "(" options "${options}")
string(REPLACE "]" ")" options "${options}")
string(REPLACE "\n" ";" lines "${options}")
foreach(line IN LISTS lines)
  if(line MATCHES "^  ([A-Z][A-Za-z ]*) -> ")
    set(group "${CMAKE_MATCH_1}")
    if(group STREQUAL "Tuning")
      break()
    endif()
    section_of("${group}")
  elseif(line MATCHES "^   ([A-Z][A-Za-z ]*) : [a-z]+ = ([A-Za-z0-9]*)")
    math(EXPR settings "${settings} + 1")
    set(row "| `${CMAKE_MATCH_1}` | ${CMAKE_MATCH_2} |")
    string(FIND "${section}" "${row}" place)
    if(place EQUAL -1)
      message(SEND_ERROR "${DOCUMENT}: the section '${group}' has no row that begins with ${row}")
    endif()
  endif()
endforeach()
if(settings LESS 15)
  message(SEND_ERROR "${PROGRAM} tells of ${settings} settings only: is it read as it prints?")
endif()
