# SPDX-License-Identifier: BSD-3-Clause
#
# Gives targets Intrepid2's ArrayTools and FunctionSpaceTools computed by Kontract, without a changed
# line in their sources. Who includes this names the directory of the headers that do it as
# Kontract_INTREPID2_DIR; the function may be called where that variable is not seen.

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
  set(originals ${ARG_HEADERS})
  if(NOT originals)
    kontract_find_intrepid2_headers(originals)
  endif()
  get_property(headers GLOBAL PROPERTY Kontract_INTREPID2_DIR)
  set(wrappers "${CMAKE_BINARY_DIR}/kontract_intrepid2_headers")
  kontract_intrepid2_headers("${wrappers}" ${originals})
  foreach(target ${ARG_UNPARSED_ARGUMENTS})
    target_include_directories(${target} BEFORE PRIVATE "${headers}" "${wrappers}")
    set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES Kontract::kontract)
    set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_LIBRARIES
                 $<LINK_ONLY:Kontract::kontract>)
  endforeach()
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
    message(FATAL_ERROR "kontract_replace_intrepid2: there is no Intrepid2 whose classes could be replaced; call "
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
  if(directory IN_LIST ARG_EXCEPT)
    return()
  endif()
  get_property(targets DIRECTORY "${directory}" PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target ${targets})
    get_target_property(type ${target} TYPE)
    if(type MATCHES "^(EXECUTABLE|(STATIC|SHARED|MODULE|OBJECT)_LIBRARY)$")
      kontract_links(uses_intrepid2 ${target} ${ARG_LIBRARY})
      if(uses_intrepid2)
        kontract_replace_intrepid2(${target} HEADERS ${ARG_HEADERS})
      endif()
    endif()
  endforeach()
  get_property(subdirectories DIRECTORY "${directory}" PROPERTY SUBDIRECTORIES)
  foreach(subdirectory ${subdirectories})
    kontract_replace_intrepid2_below("${subdirectory}" ${ARGN})
  endforeach()
endfunction()

# Whether a target links a library, directly or not. What is known of a target is kept as a property of
# it, because there are many ways to the lowest libraries of Trilinos.
function(kontract_links result target library)
  get_target_property(known ${target} Kontract_LINKS_${library})
  if(known STREQUAL "known-NOTFOUND")
    set(known OFF)
    get_target_property(linked ${target} LINK_LIBRARIES)
    if(library IN_LIST linked)
      set(known ON)
    else()
      foreach(item ${linked})
        if(TARGET ${item})
          kontract_links(known ${item} ${library})
          if(known)
            break()
          endif()
        endif()
      endforeach()
    endif()
    set_property(TARGET ${target} PROPERTY Kontract_LINKS_${library} ${known})
  endif()
  set(${result} ${known} PARENT_SCOPE)
endfunction()
