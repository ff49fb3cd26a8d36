# SPDX-License-Identifier: BSD-3-Clause
#
# Headers for codes that Kontract computes without a changed line.
#
# Where headers are installed side by side, one that includes "Intrepid2_ArrayTools.hpp" or
# "Intrepid2_FunctionSpaceTools.hpp" finds Intrepid2's own beside itself, whatever the include path says. Each that
# does, directly or through others, therefore gets a header of its name that comes first on the path, includes
# Kontract's and then itself. Which these are follows from the headers that are installed.
#
# As a script, for builds without CMake:
#
#   cmake -D INTREPID2=<directory of Intrepid2's headers> -D OUT=<directory to write> -P KontractIntrepid2Headers.cmake

cmake_policy(VERSION 3.17)

# kontract_intrepid2_headers(<out> <directory>...): writes them for the headers in the directories. Fails
# where none of these is Intrepid2_FunctionSpaceTools.hpp.
function(kontract_intrepid2_headers out)
  set(directories ${ARGN})
  set(files "")
  # Reading all headers takes seconds, so what was read is remembered; directories change when files come and go.
  set(key "${out}")
  foreach(directory IN LISTS directories)
    file(GLOB found "${directory}/*.hpp" "${directory}/*.h")
    list(APPEND files ${found})
    file(TIMESTAMP "${directory}" time)
    string(APPEND key "|${directory} ${time}")
  endforeach()
  if(Kontract_INTREPID2_HEADERS_OF STREQUAL key AND EXISTS "${out}")
    return()
  endif()
  kontract_headers_that_include(wrapped Intrepid2_FunctionSpaceTools.hpp Intrepid2_ArrayTools.hpp FILES ${files})
  if(NOT wrapped)
    message(FATAL_ERROR "kontract_replace_intrepid2: no header in ${directories} includes "
            "Intrepid2_FunctionSpaceTools.hpp, so these are no headers of Intrepid2")
  endif()
  set(kept "")
  foreach(header IN LISTS wrapped)
    set(text "// Written by KontractIntrepid2Headers.cmake, which says why.
#pragma GCC system_header
#include <Intrepid2_FunctionSpaceTools.hpp>
#include_next <${header}>
")
    set(old "")
    if(EXISTS "${out}/${header}")
      file(READ "${out}/${header}" old)
    endif()
    if(NOT old STREQUAL text)  # else what includes it would be compiled again
      file(WRITE "${out}/${header}" "${text}")
    endif()
    list(APPEND kept "${out}/${header}")
  endforeach()
  # Those of another Intrepid2 that was there before.
  file(GLOB stale "${out}/*")
  if(stale)
    list(REMOVE_ITEM stale ${kept})
  endif()
  if(stale)
    file(REMOVE ${stale})
  endif()
  if(NOT CMAKE_SCRIPT_MODE_FILE)
    set(Kontract_INTREPID2_HEADERS_OF "${key}" CACHE INTERNAL "What the headers that Kontract wraps were read from")
  endif()
endfunction()

# kontract_headers_that_include(<variable> <header>... FILES <file>...): the names of the files that include one
# of the headers by a name in quotation marks, directly or through others of the files.
function(kontract_headers_that_include variable)
  cmake_parse_arguments(ARG "" "" "FILES" ${ARGN})
  set(roots ${ARG_UNPARSED_ARGUMENTS})
  set(includers "")  # pairs <included>:<file>, of names
  foreach(file IN LISTS ARG_FILES)
    get_filename_component(name "${file}" NAME)
    if(name IN_LIST roots)
      continue()
    endif()
    file(STRINGS "${file}" lines REGEX "^[ \t]*#[ \t]*include[ \t]*\"")
    foreach(line IN LISTS lines)
      if(line MATCHES "\"([^\"]+)\"")
        list(APPEND includers "${CMAKE_MATCH_1}:${name}")
      endif()
    endforeach()
  endforeach()
  set(found "")
  set(front ${roots})
  while(front)
    set(next "")
    foreach(header IN LISTS front)
      string(REPLACE "." "\\." pattern "${header}")
      set(of_header ${includers})
      list(FILTER of_header INCLUDE REGEX "^${pattern}:")
      foreach(pair IN LISTS of_header)
        string(REGEX REPLACE "^.*:" "" name "${pair}")
        if(NOT name IN_LIST found)
          list(APPEND found "${name}")
          list(APPEND next "${name}")
        endif()
      endforeach()
    endforeach()
    set(front ${next})
  endwhile()
  list(SORT found)
  set(${variable} "${found}" PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  if(NOT INTREPID2 OR NOT OUT)
    message(FATAL_ERROR "usage: cmake -D INTREPID2=<directory of Intrepid2's headers> -D OUT=<directory to write> "
            "-P ${CMAKE_CURRENT_LIST_FILE}")
  endif()
  kontract_intrepid2_headers("${OUT}" "${INTREPID2}")
endif()
