# SPDX-License-Identifier: BSD-3-Clause
#
# What can be wrong with the packages that Kontract is built on. Each check sets a variable to one
# sentence where it finds that: what was found, where, and what to do. A variable that has a sentence keeps it.

set(Kontract_OLDEST_KOKKOS 3.4)
set(Kontract_OLDEST_CXX_STANDARD 17)

# kontract_say(<variable> <text>...): the texts are one sentence.
macro(kontract_say variable)
  if(NOT ${variable})
    string(CONCAT ${variable} ${ARGN})
    set(${variable} "${${variable}}" PARENT_SCOPE)
  endif()
endmacro()

# Neither in CMAKE_PREFIX_PATH nor where CMake looks by itself.
function(kontract_say_missing variable package debian)
  string(REPLACE ";" " or " directories "${CMAKE_PREFIX_PATH};the system's directories")
  string(REGEX REPLACE "^ or " "" directories "${directories}")
  kontract_say(${variable} "Kontract needs ${package}, which is not in ${directories}: on Debian install ${debian}, "
    "elsewhere add the prefix of Trilinos, or those of Kokkos and Teuchos, to CMAKE_PREFIX_PATH.")
endfunction()

# Its configuration is there and says no, or the file of its version does.
function(kontract_say_unusable variable package)
  set(directory "${${package}_DIR}")
  set(why "its configuration says no more")
  if(NOT directory)
    list(GET ${package}_CONSIDERED_CONFIGS 0 directory)
    get_filename_component(directory "${directory}" DIRECTORY)
    set(why "the file of its version does not accept this build, as that of another size of pointers does")
  elseif(${package}_NOT_FOUND_MESSAGE)
    string(REGEX REPLACE "[.\n ]+$" "" why "${${package}_NOT_FOUND_MESSAGE}")
    string(REGEX REPLACE "[ \n]+" " " why "${why}")
    string(REPLACE ";" "," why "${why}")
  endif()
  # Not by kontract_say, which is a macro: CMake would read this as its own text.
  if(NOT ${variable})
    set(${variable} "Kontract needs ${package}, and the one in ${directory} cannot be used: ${why}." PARENT_SCOPE)
  endif()
endfunction()

function(kontract_say_no_mpi variable)
  kontract_say(${variable} "Kontract needs MPI, because the Teuchos in ${Kontract_FOUND_Teuchos} was built with it, "
    "and no MPI was found: on Debian install libopenmpi-dev, elsewhere name its compiler by "
    "-DMPI_CXX_COMPILER=<path of mpicxx>.")
endfunction()

# kontract_check_kokkos_is_installed(<variable>): a Kokkos that the project builds itself would come beside the one that
# find_package finds.
function(kontract_check_kokkos_is_installed variable)
  if(TARGET Kokkos::kokkos)
    get_target_property(is_imported Kokkos::kokkos IMPORTED)
    if(NOT is_imported)
      kontract_say(${variable} "Kontract needs an installed Kokkos, but ${CMAKE_PROJECT_NAME} builds one of its own: "
        "install that first, and name it by -DKokkos_DIR=<prefix>/lib/cmake/Kokkos.")
    endif()
  endif()
endfunction()

# kontract_name_kokkos(<variable>): what makes two libraries of Kokkos different, in words.
function(kontract_name_kokkos variable)
  string(REGEX MATCH "^[0-9]+\\.[0-9]+" version "${Kokkos_VERSION}")
  string(REPLACE ";" ", " devices "${Kokkos_DEVICES}")
  set(${variable} "Kokkos ${version} (${devices})" PARENT_SCOPE)
endfunction()

# kontract_check_kokkos(<variable>): too old, or another one than an installed Kontract was built with. One
# that does not tell its version is left to Kontract_Requirements.hpp.
function(kontract_check_kokkos variable)
  if(Kokkos_VERSION AND Kokkos_VERSION VERSION_LESS Kontract_OLDEST_KOKKOS)
    kontract_say(${variable} "Kontract needs Kokkos ${Kontract_OLDEST_KOKKOS} or later, but the one in "
      "${Kontract_FOUND_Kokkos} is ${Kokkos_VERSION}: name a newer one by -DKokkos_DIR=<prefix>/lib/cmake/Kokkos.")
  endif()
  kontract_name_kokkos(found)
  if(Kontract_BUILT_WITH_KOKKOS AND NOT Kontract_BUILT_WITH_KOKKOS STREQUAL found)
    kontract_say(${variable} "Kontract was built with ${Kontract_BUILT_WITH_KOKKOS}, but the one in "
      "${Kontract_FOUND_Kokkos} is ${found}: take the former by -DKokkos_DIR=${Kontract_BUILT_WITH_KOKKOS_DIR}, or "
      "build Kontract with the latter.")
  endif()
endfunction()

# kontract_get_kokkos_of_teuchos(<variable>): the directory of the configuration of the Kokkos that Teuchos
# was built with, which Teuchos' own includes; empty where it was built without.
function(kontract_get_kokkos_of_teuchos variable)
  get_filename_component(directory "${Kontract_FOUND_Teuchos}/../TeuchosCore" ABSOLUTE)
  kontract_match(kokkos "${directory}/TeuchosCoreConfig.cmake" "include\\(\"(.*)/Kokkos(Core)?Config\\.cmake\"")
  if(kokkos)
    string(REPLACE "\${CMAKE_CURRENT_LIST_DIR}" "${directory}" kokkos "${kokkos}")
    # Where Trilinos was built with a Kokkos that is not its own, that file may name the directory of another.
    kontract_match(other "${kokkos}/KokkosConfig.cmake" "set\\(Kokkos_DIR \"(.*)\"")
    if(other)
      set(kokkos "${other}")
    endif()
    # Trilinos 13 includes the configuration of a subpackage.
    if(NOT EXISTS "${kokkos}/KokkosConfig.cmake")
      set(kokkos "${kokkos}/../Kokkos")
    endif()
    get_filename_component(kokkos "${kokkos}" REALPATH)
  endif()
  set(${variable} "${kokkos}" PARENT_SCOPE)
endfunction()

# kontract_match(<variable> <file> <regular expression>): what the first parentheses match in a line of the file.
function(kontract_match variable file regex)
  set(${variable} "" PARENT_SCOPE)
  if(EXISTS "${file}")
    file(STRINGS "${file}" line REGEX "${regex}" LIMIT_COUNT 1)
    if(line MATCHES "${regex}")
      set(${variable} "${CMAKE_MATCH_1}" PARENT_SCOPE)
    endif()
  endif()
endfunction()

# kontract_check_two_kokkos(<variable>): a Teuchos that was built with Kokkos brings that one into the program.
function(kontract_check_two_kokkos variable)
  if(${variable})
    return()
  endif()
  kontract_get_kokkos_of_teuchos(of_teuchos)
  get_filename_component(found "${Kontract_FOUND_Kokkos}" REALPATH)
  if(of_teuchos AND NOT of_teuchos STREQUAL found)
    kontract_say(${variable} "Kontract would get two Kokkos, ${Kokkos_VERSION} in ${Kontract_FOUND_Kokkos} and the one "
      "in ${of_teuchos}, which Teuchos was built with: take the latter by -DKokkos_DIR=${of_teuchos}, or name a "
      "Teuchos that was built with the former, or with none, by -DTeuchos_DIR=<prefix>/lib/cmake/Teuchos.")
  endif()
endfunction()

# kontract_choose_cxx_standard(<variable> <asked>): without a standard that was asked for, sets CMAKE_CXX_STANDARD
# to the oldest that Kontract and Kokkos can do with; refuses one that is older than that. For Kontract's own build:
# compile features of its targets raise the standard of those that use them.
function(kontract_choose_cxx_standard variable asked)
  set(needed ${Kontract_OLDEST_CXX_STANDARD})
  set(who "Kontract")
  if(Kokkos_CXX_STANDARD GREATER needed)
    set(needed ${Kokkos_CXX_STANDARD})
    set(who "Kokkos ${Kokkos_VERSION} in ${Kontract_FOUND_Kokkos}")
  endif()
  if("${asked}" STREQUAL "")
    set(CMAKE_CXX_STANDARD ${needed} PARENT_SCOPE)
  elseif(asked LESS needed OR asked EQUAL 98)
    kontract_say(${variable} "${who} needs C++${needed}, but CMAKE_CXX_STANDARD is ${asked}: configure with "
      "-DCMAKE_CXX_STANDARD=${needed}.")
  endif()
endfunction()
