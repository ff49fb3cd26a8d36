# SPDX-License-Identifier: BSD-3-Clause
#
# Gives targets Intrepid2's ArrayTools and FunctionSpaceTools computed by Kontract, without a changed
# line in their sources. Who includes this names the directory of the headers that do it as
# Kontract_INTREPID2_DIR; the function may be called where that variable is not seen.

cmake_policy(VERSION 3.17)
include("${CMAKE_CURRENT_LIST_DIR}/KontractIntrepid2Headers.cmake")

set_property(GLOBAL PROPERTY Kontract_INTREPID2_DIR "${Kontract_INTREPID2_DIR}")

# kontract_replace_intrepid2(<target>... [HEADERS <directory>...])
#
# HEADERS are the directories of Intrepid2's headers; else those of the Intrepid2 that find_package found.
#
# The directories that are added are not system ones: those come after all others on the include path.
# Libraries are added to properties, which serves targets of other directories, and of either signature of
# target_link_libraries.
function(kontract_replace_intrepid2)
  cmake_parse_arguments(ARG "" "" "HEADERS" ${ARGN})
  if(NOT ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "kontract_replace_intrepid2: name one or more targets")
  endif()
  set(originals "")
  foreach(directory IN LISTS ARG_HEADERS)
    get_filename_component(directory "${directory}" ABSOLUTE)
    list(APPEND originals "${directory}")
  endforeach()
  if(NOT originals)
    kontract_find_intrepid2_headers(originals)
  endif()
  get_property(headers GLOBAL PROPERTY Kontract_INTREPID2_DIR)
  kontract_wrappers_of(wrappers "${originals}")
  foreach(target IN LISTS ARG_UNPARSED_ARGUMENTS)
    target_include_directories(${target} BEFORE PRIVATE "${headers}" "${wrappers}")
    set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES Kontract::kontract)
    set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_LIBRARIES
                 $<LINK_ONLY:Kontract::kontract>)
  endforeach()
endfunction()

# kontract_wrappers_of(<variable> <directories>): the directory of the wrappers for the headers in a list of
# directories. There is one for each list, because targets of a build may use different ones; it is written by the
# first call of a run of CMake.
function(kontract_wrappers_of variable directories)
  string(MD5 hash "${directories}")
  string(SUBSTRING "${hash}" 0 8 hash)
  set(wrappers "${CMAKE_BINARY_DIR}/kontract_intrepid2_headers/${hash}")
  get_property(is_written GLOBAL PROPERTY "Kontract_WRAPPERS_${hash}")
  if(NOT is_written)
    kontract_intrepid2_headers("${wrappers}" ${directories})
    set_property(GLOBAL PROPERTY "Kontract_WRAPPERS_${hash}" ON)
  endif()
  set(${variable} "${wrappers}" PARENT_SCOPE)
endfunction()

# kontract_find_intrepid2_headers(<variable>): the directories with the headers of the Intrepid2 that
# find_package found. Trilinos 13 names them in a variable, Trilinos 14 and later in a target.
function(kontract_find_intrepid2_headers variable)
  set(directories ${Intrepid2_INCLUDE_DIRS})
  if(TARGET Intrepid2::all_libs)
    get_target_property(of_target Intrepid2::all_libs INTERFACE_INCLUDE_DIRECTORIES)
    list(APPEND directories ${of_target})
  endif()
  set(found "")
  foreach(directory IN LISTS directories)
    if(EXISTS "${directory}/Intrepid2_FunctionSpaceTools.hpp")
      get_filename_component(directory "${directory}" REALPATH)
      list(APPEND found "${directory}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES found)
  if(NOT found)
    message(FATAL_ERROR "kontract_replace_intrepid2: no Intrepid2 was found whose classes could be replaced; call "
            "find_package(Intrepid2 REQUIRED) before, or name the directory of its headers after HEADERS")
  endif()
  set(${variable} "${found}" PARENT_SCOPE)
endfunction()

# kontract_replace_intrepid2_below(<directory> LIBRARY <target> HEADERS <directory>... EXCEPT <directory>...)
#
# The same for every executable and library in a directory and those below it that links LIBRARY,
# which is Intrepid2's, directly or not.
function(kontract_replace_intrepid2_below directory)
  cmake_parse_arguments(ARG "" "LIBRARY" "HEADERS;EXCEPT" ${ARGN})
  kontract_targets_below(targets "${directory}" ${ARG_LIBRARY} "${ARG_EXCEPT}")
  if(targets)
    kontract_replace_intrepid2(${targets} HEADERS ${ARG_HEADERS})
  endif()
endfunction()

# The executables and libraries in a directory and those below it, except in some, that link a library.
function(kontract_targets_below result directory library excepted)
  set(found "")
  if(NOT directory IN_LIST excepted)
    get_property(targets DIRECTORY "${directory}" PROPERTY BUILDSYSTEM_TARGETS)
    foreach(target IN LISTS targets)
      get_target_property(type ${target} TYPE)
      if(type MATCHES "^(EXECUTABLE|(STATIC|SHARED|MODULE|OBJECT)_LIBRARY)$")
        kontract_links(uses_library ${target} ${library})
        if(uses_library)
          list(APPEND found ${target})
        endif()
      endif()
    endforeach()
    get_property(subdirectories DIRECTORY "${directory}" PROPERTY SUBDIRECTORIES)
    foreach(subdirectory IN LISTS subdirectories)
      kontract_targets_below(below "${subdirectory}" ${library} "${excepted}")
      list(APPEND found ${below})
    endforeach()
  endif()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

# Whether a target links a library, directly or not. What is known of a target is kept as a property of
# it, because there are many ways to the lowest libraries of Trilinos; and it is kept before the search,
# because static libraries may link each other. From Trilinos 14 on its packages link other names of each other's
# libraries, and targets that have no library but interfaces.
function(kontract_links result target library)
  kontract_real_target(target ${target})
  kontract_real_target(library ${library})
  get_target_property(known ${target} Kontract_LINKS_${library})
  if(known STREQUAL "known-NOTFOUND")
    set(known OFF)
    set_property(TARGET ${target} PROPERTY Kontract_LINKS_${library} OFF)
    get_property(linked TARGET ${target} PROPERTY LINK_LIBRARIES)
    get_property(interface TARGET ${target} PROPERTY INTERFACE_LINK_LIBRARIES)
    foreach(item IN LISTS linked interface)
      string(REGEX REPLACE "^\\$<(LINK_ONLY|BUILD_INTERFACE):(.*)>$" "\\2" item "${item}")
      if(TARGET "${item}")
        kontract_real_target(item ${item})
        if(item STREQUAL library)
          set(known ON)
        else()
          kontract_links(known ${item} ${library})
        endif()
        if(known)
          break()
        endif()
      endif()
    endforeach()
    set_property(TARGET ${target} PROPERTY Kontract_LINKS_${library} ${known})
  endif()
  set(${result} ${known} PARENT_SCOPE)
endfunction()

# The target that a name stands for: itself, or what it is an alias of.
function(kontract_real_target result target)
  get_property(real TARGET ${target} PROPERTY ALIASED_TARGET)
  if(NOT real)
    set(real ${target})
  endif()
  set(${result} ${real} PARENT_SCOPE)
endfunction()
