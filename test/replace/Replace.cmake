# SPDX-License-Identifier: BSD-3-Clause
#
# kontract_replace_intrepid2 in a project that compiles against made-up headers of Intrepid2, and its refusals.
#   cmake -DMODULE=<KontractReplaceIntrepid2.cmake> -DCOMPILER=<c++> -DGENERATOR=<generator> -DWORK=<directory> ...
#     -P Replace.cmake

cmake_minimum_required(VERSION 3.17)

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGV}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# Without targets or without Intrepid2. A script is enough, because a refused call touches no target.
function(expect_refusal name call text)
  file(WRITE "${WORK}/${name}.cmake" "include(\"${MODULE}\")\n${call}\n")
  execute_process(COMMAND "${CMAKE_COMMAND}" -P "${WORK}/${name}.cmake" RESULT_VARIABLE result
                  OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  string(FIND "${output}" "${text}" at)
  if(result EQUAL 0 OR at EQUAL -1)
    message(FATAL_ERROR "${call} returned ${result}, without '${text}': ${output}")
  endif()
endfunction()

file(REMOVE_RECURSE "${WORK}")
# Kokkos' wrapper of nvcc takes no paths with spaces.
if(NOT COMPILER MATCHES "nvcc_wrapper")
  set(WORK "${WORK}/a path with spaces")
endif()
expect_refusal(none "kontract_replace_intrepid2(program)"
  "kontract_replace_intrepid2: no Intrepid2 was found whose classes could be replaced; call find_package(Intrepid2")
expect_refusal(targets "kontract_replace_intrepid2()" "kontract_replace_intrepid2: name one or more targets")
expect_refusal(headers "kontract_replace_intrepid2(program HEADERS \"${WORK}\")"
  "no Intrepid2_FunctionSpaceTools.hpp: ${WORK}")

include("${CMAKE_CURRENT_LIST_DIR}/MadeUpHeaders.cmake")
made_up_intrepid2("${WORK}/one")
header("${WORK}/two/Intrepid2_FunctionSpaceTools.hpp" "")
header("${WORK}/two/OfTwo.hpp" "#include \"Intrepid2_FunctionSpaceTools.hpp\"")
file(WRITE "${WORK}/kontract/Intrepid2_FunctionSpaceTools.hpp"
     "#define KONTRACT_COMPUTES\n#include_next <Intrepid2_FunctionSpaceTools.hpp>\n")
run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/project" -B "${WORK}/build"
    -G "${GENERATOR}" "-DCMAKE_MAKE_PROGRAM=${MAKE_PROGRAM}" "-DMODULE=${MODULE}"
    "-DHEADERS=${WORK}" "-DCMAKE_CXX_COMPILER=${COMPILER}")
run("${CMAKE_COMMAND}" --build "${WORK}/build")
if(NOT output MATCHES "Building CXX")
  message(FATAL_ERROR "nothing was compiled:\n${output}")
endif()

# Configured again, nothing is compiled again.
run("${CMAKE_COMMAND}" "${WORK}/build")
run("${CMAKE_COMMAND}" --build "${WORK}/build")
if(output MATCHES "Building CXX")
  message(FATAL_ERROR "what was not changed is compiled again:\n${output}")
endif()
