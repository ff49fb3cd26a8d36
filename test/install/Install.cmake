# SPDX-License-Identifier: BSD-3-Clause
#
# Installs a build, then configures, builds and runs programs outside that find it.
#   cmake -DBUILD=<build> -DWORK=<directory> -DPREFIXES=<a|b|...> -DCOMPILER=<c++> -DGENERATOR=<generator> ...
#     -P Install.cmake

file(REMOVE_RECURSE "${WORK}")
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGV}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

string(REPLACE "|" ";" PREFIXES "${PREFIXES}")
if(SANITIZE STREQUAL "thread")
  string(APPEND FLAGS " -fsanitize=thread")
elseif(SANITIZE)
  string(APPEND FLAGS " -fsanitize=address,undefined")
endif()
run(${CMAKE_COMMAND} --install "${BUILD}" --prefix "${WORK}/prefix")
run(${CMAKE_COMMAND} -S "${CMAKE_CURRENT_LIST_DIR}" -B "${WORK}/build"
    -G "${GENERATOR}" "-DCMAKE_MAKE_PROGRAM=${MAKE_PROGRAM}"
    "-DCMAKE_PREFIX_PATH=${WORK}/prefix;${PREFIXES}" "-DCMAKE_CXX_COMPILER=${COMPILER}"
    "-DCMAKE_CXX_FLAGS=${FLAGS}" -DCMAKE_BUILD_TYPE=Release
    -DWITH_INTREPID2=${WITH_INTREPID2})
run(${CMAKE_COMMAND} --build "${WORK}/build")
run("${WORK}/build/outside")
if(NOT output MATCHES "30 by")
  message(FATAL_ERROR "the program outside printed: ${output}")
endif()

# Who computes in the program that was written for Intrepid2 shows in options that only Kontract reads.
if(WITH_INTREPID2)
  run("${WORK}/build/unchanged")
  if(NOT output MATCHES "^ArrayTools: 30\nFunctionSpaceTools: 60\n$")
    message(FATAL_ERROR "the unchanged program printed: ${output}")
  endif()
  run(${CMAKE_COMMAND} -E env KONTRACT_OPTIONS=no_such_file.xml "${WORK}/build/unchanged")
  if(NOT output MATCHES "ArrayTools: [^\n]*no_such_file.*FunctionSpaceTools: [^\n]*no_such_file")
    message(FATAL_ERROR "Kontract did not compute; the unchanged program printed: ${output}")
  endif()
endif()
