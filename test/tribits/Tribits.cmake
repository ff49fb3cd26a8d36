# SPDX-License-Identifier: BSD-3-Clause
#
# Kontract as a package of the project in this directory: configured, built, tested and installed, and found from
# outside; and what it says where the project lacks something.
#   cmake -DTRIBITS=<directory of TriBITS.cmake> -DKONTRACT=<source> -DWORK=<directory> -DPREFIXES=<a|b|...>
#     -DCOMPILER=<c++> -DLAUNCHER=<program> -DSTANDARD=<17> -DTEUCHOS=<as in TPLsList.cmake>
#     -DWITH_INTREPID2=<ON> -P Tribits.cmake

# Of the category BASIC, with little to compile.
set(tests Options OptionsEnvironment Calls KokkosTools)

file(REMOVE "${WORK}/source/Kontract")  # the link, never what it leads to
file(REMOVE_RECURSE "${WORK}")
file(COPY "${CMAKE_CURRENT_LIST_DIR}/" DESTINATION "${WORK}/source")
file(COPY "${CMAKE_CURRENT_LIST_DIR}/../install/unchanged.cpp" DESTINATION "${WORK}/source/assembly")
file(CREATE_LINK "${KONTRACT}" "${WORK}/source/Kontract" SYMBOLIC)

macro(execute)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
endmacro()
function(run)
  execute(${ARGV})
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGV}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# Lists do not survive as arguments of a function.
string(REPLACE "|" ":" prefixes "${PREFIXES}")
set(ENV{CMAKE_PREFIX_PATH} "${prefixes}:$ENV{CMAKE_PREFIX_PATH}")
set(generator ${CMAKE_COMMAND} "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}")
# What TriBITS calls deprecated is an error. Without optimization, because it is not the results that are tested.
set(configure ${generator} -S "${WORK}/source" "-DApplication_TRIBITS_DIR=${TRIBITS}"
  -DTRIBITS_HANDLE_TRIBITS_DEPRECATED_CODE=FATAL_ERROR
  -DCMAKE_BUILD_TYPE=Debug -DApplication_ENABLE_Fortran=OFF "-DCMAKE_INSTALL_PREFIX=${WORK}/prefix"
  -DApplication_EXTRA_REPOSITORIES=Kontract -DApplication_ENABLE_Kontract=ON
  -DKontract_ENABLE_TESTS=ON -DKontract_ENABLE_TOOLS=OFF -DKontract_INSTRUCTION_SETS=native)

# refused(<text> <option>...): the project with these options is not configured, for a reason that has the text.
function(refused text)
  execute(${configure} -B "${WORK}/refused" ${ARGN})
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  if(result EQUAL 0 OR NOT output MATCHES "${text}")
    message(FATAL_ERROR "not refused as \"${text}\": ${ARGN}\n${output}")
  endif()
  file(REMOVE_RECURSE "${WORK}/refused")
endfunction()
refused("'TeuchosCore' is listed as a dependency of the package 'Kontract'"
  -DApplication_TEUCHOS=none -DCMAKE_CXX_STANDARD=${STANDARD})
refused("Kontract needs TeuchosCore, which is neither a package nor an external package of Application"
  -DApplication_TEUCHOS=none -DCMAKE_CXX_STANDARD=${STANDARD} -DApplication_ASSERT_DEFINED_DEPENDENCIES=IGNORE)
refused("Kontract needs C\\+\\+17: configure Application" -DApplication_TEUCHOS=${TEUCHOS} -DCMAKE_CXX_STANDARD=14)
refused("this build has no Intrepid2" -DApplication_TEUCHOS=${TEUCHOS} -DCMAKE_CXX_STANDARD=${STANDARD}
  -DKontract_REPLACE_INTREPID2=ON)

# Where each subpackage of Teuchos is an external package, all of it may be one.
if(TEUCHOS STREQUAL "subpackages")
  run(${configure} -B "${WORK}/one" -DApplication_TEUCHOS=one -DCMAKE_CXX_STANDARD=${STANDARD})
  if(NOT output MATCHES "Kontract has a required dependence on Teuchos\n")
    message(FATAL_ERROR "Kontract does not depend on Teuchos as a whole:\n${output}")
  endif()
endif()

list(TRANSFORM tests PREPEND "Kontract_" OUTPUT_VARIABLE targets)
set(with_intrepid2 "")
if(WITH_INTREPID2)
  set(with_intrepid2 -DTPL_ENABLE_Intrepid2=ON -DApplication_ENABLE_Assembly=ON -DKontract_REPLACE_INTREPID2=ON)
  list(APPEND targets Assembly_unchanged)
endif()
run(${configure} -B "${WORK}/build" -DApplication_TEUCHOS=${TEUCHOS} -DCMAKE_CXX_STANDARD=${STANDARD}
    ${with_intrepid2})
run(${CMAKE_COMMAND} --build "${WORK}/build" --target kontract ${targets})
string(REPLACE ";" "|" names "${tests}")
run(${CMAKE_CTEST_COMMAND} --test-dir "${WORK}/build" --output-on-failure -R "^Kontract_(${names})($|_)")
foreach(name ${tests})
  if(NOT output MATCHES "Kontract_${name}[_ ][^\n]*Passed")
    message(FATAL_ERROR "${name} was not run:\n${output}")
  endif()
endforeach()

# Who computes in the package that was written for Intrepid2 shows in options that only Kontract reads.
if(WITH_INTREPID2)
  file(GLOB unchanged "${WORK}/build/assembly/Assembly_unchanged*")
  run(${CMAKE_COMMAND} -E env KONTRACT_OPTIONS=no_such_file.xml ${unchanged})
  if(NOT output MATCHES "ArrayTools: [^\n]*no_such_file.*FunctionSpaceTools: [^\n]*no_such_file")
    message(FATAL_ERROR "Kontract did not compute; the unchanged program printed: ${output}")
  endif()
endif()

# An outside program finds what is installed.
run(${CMAKE_COMMAND} --install "${WORK}/build")
set(ENV{CMAKE_PREFIX_PATH} "${WORK}/prefix:$ENV{CMAKE_PREFIX_PATH}")
run(${generator} -S "${KONTRACT}/test/install" -B "${WORK}/outside" -DCMAKE_BUILD_TYPE=Debug)
file(STRINGS "${WORK}/outside/CMakeCache.txt" found REGEX "^Kontract_DIR:.*=${WORK}/prefix/")
if(NOT found)
  message(FATAL_ERROR "the program outside found another Kontract than that of ${WORK}/prefix")
endif()
run(${CMAKE_COMMAND} --build "${WORK}/outside")
run("${WORK}/outside/outside")
if(NOT output MATCHES "30 by")
  message(FATAL_ERROR "the program outside printed: ${output}")
endif()
