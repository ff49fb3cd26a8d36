# SPDX-License-Identifier: BSD-3-Clause
#
# The headers compile with Kokkos and Teuchos alone, though this Trilinos has Intrepid2 and Sacado: against links
# to headers of the former.
#   cmake -DINCLUDES=<a|b|...> -DCOMPILER=<c++> -DFLAGS=<a|b|...> -DWORK=<directory> -P HeadersAlone.cmake

cmake_minimum_required(VERSION 3.17)

file(REMOVE_RECURSE "${WORK}")
string(REPLACE "|" ";" command "${COMPILER}|${FLAGS}|-fsyntax-only")
set(includes "")
string(REPLACE "|" ";" given "${INCLUDES}")
foreach(include IN LISTS given)
  get_filename_component(include "${include}" REALPATH)
  list(APPEND includes "${include}")
endforeach()
list(REMOVE_DUPLICATES includes)
list(REMOVE_ITEM includes /usr/include)  # the compiler has it, in its own order
set(place 0)
foreach(include IN LISTS includes)
  if(EXISTS "${include}/Intrepid2_Types.hpp" OR EXISTS "${include}/Sacado.hpp")
    math(EXPR place "${place} + 1")
    file(MAKE_DIRECTORY "${WORK}/${place}")
    file(GLOB entries RELATIVE "${include}" "${include}/*")
    list(FILTER entries INCLUDE REGEX "^(Kokkos|Teuchos|Trilinos|[^.]*$)")  # and their directories
    foreach(entry IN LISTS entries)
      file(CREATE_LINK "${include}/${entry}" "${WORK}/${place}/${entry}" SYMBOLIC)
    endforeach()
    set(include "${WORK}/${place}")
  endif()
  list(APPEND command -isystem "${include}")
endforeach()
file(WRITE "${WORK}/program.cpp" "#include <Kontract.hpp>
#include <Kontract_StreamingArrayTools.hpp>
#if __has_include(<Intrepid2_Types.hpp>) || __has_include(<Sacado.hpp>)
#error Intrepid2 or Sacado is on the include path
#endif
template class Kontract::ArrayTools<Kokkos::DefaultHostExecutionSpace>;
template class Kontract::FunctionSpaceTools<Kokkos::DefaultHostExecutionSpace>;
")
execute_process(COMMAND ${command} "${WORK}/program.cpp" RESULT_VARIABLE result ERROR_VARIABLE output)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${command}\n${output}")
endif()
