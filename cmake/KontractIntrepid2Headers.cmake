# SPDX-License-Identifier: BSD-3-Clause
#
# Headers for codes that Kontract computes without a changed line.
#
# Where headers are installed side by side, one that includes "Intrepid2_ArrayTools.hpp" or another header that
# Kontract has one for finds Intrepid2's own beside itself, whatever the include path says. Each that
# does, directly or through others, therefore gets a header of its name that comes first on the path, includes
# Kontract's and then itself. Which these are follows from the headers that are installed.
#
# As a script, for builds without CMake:
#
#   cmake -D INTREPID2=<directory of Intrepid2's headers> -D OUT=<directory to write> -P KontractIntrepid2Headers.cmake

cmake_policy(VERSION 3.17)

# kontract_intrepid2_headers(<out> <directory>...): writes them for the headers in the directories. Fails
# where none of these has Intrepid2_FunctionSpaceTools.hpp.
function(kontract_intrepid2_headers out)
  set(files "")
  set(is_intrepid2 OFF)
  foreach(directory IN LISTS ARGN)
    file(GLOB found "${directory}/*.[hH]*")
    list(APPEND files ${found})
    if(EXISTS "${directory}/Intrepid2_FunctionSpaceTools.hpp")
      set(is_intrepid2 ON)
    endif()
  endforeach()
  if(NOT is_intrepid2)
    string(REPLACE ";" " and " directories "${ARGN}")
    message(FATAL_ERROR "Kontract: these are no directories of Intrepid2's headers, because they have no "
            "Intrepid2_FunctionSpaceTools.hpp: ${directories}")
  endif()
  kontract_headers_that_include(wrapped Intrepid2_FunctionSpaceTools.hpp Intrepid2_ArrayTools.hpp
                                Intrepid2_CellTools.hpp Intrepid2_RealSpaceTools.hpp FILES ${files})
  file(MAKE_DIRECTORY "${out}")
  # Other files may be there, too, where a user has named the directory: only wrappers are removed or written anew.
  set(mark "// Written by KontractIntrepid2Headers.cmake")
  file(GLOB there "${out}/*.[hH]*")
  foreach(file IN LISTS there)
    get_filename_component(header "${file}" NAME)
    file(READ "${file}" text)
    string(FIND "${text}" "${mark}" at)
    if(header IN_LIST wrapped)
      if(NOT at EQUAL 0)
        message(FATAL_ERROR "Kontract: ${file} stands where a header of that name is to be written; name another "
                "directory for the headers of Kontract")
      endif()
    elseif(at EQUAL 0)  # of another Intrepid2 that was there before
      file(REMOVE "${file}")
    endif()
  endforeach()
  foreach(header IN LISTS wrapped)
    set(text "${mark}, which says why.
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
  endforeach()
endfunction()

# kontract_headers_that_include(<variable> <header>... FILES <file>...): the names of the files that include one
# of the headers by a name in quotation marks, directly or through others of the files. A name in angle brackets is
# looked for along the include path, where wrappers come first.
function(kontract_headers_that_include variable)
  cmake_parse_arguments(ARG "" "" "FILES" ${ARGN})
  set(roots ${ARG_UNPARSED_ARGUMENTS})
  foreach(file IN LISTS ARG_FILES)
    get_filename_component(name "${file}" NAME)
    file(READ "${file}" text)
    string(REGEX MATCHALL "\n[ \t]*#[ \t]*include[ \t]*\"[^\"\n]+\"" lines "\n${text}")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "^[^\"]*\"(.*)\"$" "\\1" included "${line}")
      list(APPEND "includers of ${included}" "${name}")
    endforeach()
  endforeach()
  set(found "")
  set(front ${roots})
  while(front)
    set(next "")
    foreach(header IN LISTS front)
      foreach(name IN LISTS "includers of ${header}")
        if(NOT name IN_LIST found AND NOT name IN_LIST roots)
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
  get_filename_component(INTREPID2 "${INTREPID2}" ABSOLUTE)
  get_filename_component(OUT "${OUT}" ABSOLUTE)
  kontract_intrepid2_headers("${OUT}" "${INTREPID2}")
endif()
