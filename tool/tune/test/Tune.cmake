# SPDX-License-Identifier: BSD-3-Clause
#
# Runs PROGRAM, kontract_tune, on a few small shapes in the folder WORK and looks at what it prints, at
# the table that it writes and at those in the folder TABLES.

cmake_minimum_required(VERSION 3.17)

file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
unset(ENV{KONTRACT_TUNING})

# tune(<result> <wanted>... -- <argument>...): runs, and requires texts in what it prints.
function(tune expected)
  set(wanted "")
  set(arguments "")
  set(target wanted)
  foreach(item IN LISTS ARGN)
    if(item STREQUAL "--")
      set(target arguments)
    else()
      list(APPEND ${target} "${item}")
    endif()
  endforeach()
  execute_process(COMMAND "${PROGRAM}" ${arguments} WORKING_DIRECTORY "${WORK}"
                  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  set(output "${output}" PARENT_SCOPE)
  if(NOT result STREQUAL "${expected}")
    message("${output}")  # as it is: errors of CMake are wrapped
    message(FATAL_ERROR "${arguments} returned '${result}', not ${expected}")
  endif()
  foreach(text IN LISTS wanted)
    string(FIND "${output}" "${text}" place)
    if(place EQUAL -1)
      message(FATAL_ERROR "${arguments}: '${text}' is missing in\n${output}")
    endif()
  endforeach()
endfunction()

# require_entries(<n> <file>): how many entries the table has, counted in its text.
function(require_entries n file)
  file(READ "${WORK}/${file}" text)
  string(REGEX MATCHALL "name=\"Seconds\"" found "${text}")
  list(LENGTH found count)
  if(NOT count EQUAL n)
    message(FATAL_ERROR "${file} should have ${n} entries but has ${count}:\n${text}")
  endif()
endfunction()

tune(0 "Examples:" "--operations" "matmatProductDataData" "workloads" -- --help)
tune(0 "1/4 " "4/4 " "heuristic" "gain" "C=3 L=2 R=5 P=4 D=2 double right" "has 4 entries"
     -- --operations=contractFieldFieldVector,cloneFields --cells=3,9 --left=2 --right=5 --points=4
     --dims=2 --file=table.xml)
require_entries(4 table.xml)
# What is there is used, and the table grows.
tune(0 "* was in the table already" "has 5 entries"
     -- --operations=contractFieldFieldVector --cells=3,17 --left=2 --right=5 --points=4 --dims=2
     --file=table.xml)
require_entries(5 table.xml)

file(WRITE "${WORK}/shapes.xml" "<ParameterList name=\"Shapes\"><ParameterList name=\"one\">
  <Parameter name=\"Operations\" type=\"string\" value=\"contractDataDataTensor\"/>
  <Parameter name=\"Cells\" type=\"string\" value=\"2,4\"/>
  <Parameter name=\"Dims\" type=\"int\" value=\"2\"/>
</ParameterList></ParameterList>")
tune(0 "contractDataDataTensor C=4 L=8 R=8 P=8 D=2 float left" "kontract_tuning.xml has 2 entries"
     -- --list=shapes.xml --scalars=float --layouts=left)
tune(0 "left out" "--memory" -- --set=workloads --cells=2 --memory=1e-9 --file=none.xml)
require_entries(0 none.xml)

tune(0 "contractDataDataTensor C=161 " "has 1 entries"  # 272 bytes a cell
     -- --operations=contractDataDataTensor --points=1 --dims=4 --cells=0 --fill=0.044 --file=fill.xml)

# The tables that come with Kontract hold nothing that it does not know.
file(GLOB tables "${TABLES}/*.xml")
if(NOT tables)
  message(FATAL_ERROR "there are no tables in '${TABLES}'")
endif()
foreach(table IN LISTS tables)
  file(COPY "${table}" DESTINATION "${WORK}")
  get_filename_component(name "${table}" NAME)
  tune(0 "${name} has" -- --operations=cloneData --cells=2 --points=3 --file=${name})
  if(output MATCHES "ignored")
    message(FATAL_ERROR "${name}: ${output}")
  endif()
endforeach()

tune(1 "there is no operation 'contract'" "contractFieldFieldScalar" "cloneData"
     -- --operations=contract)
tune(1 "there is no scalar 'int'" "complex_float" -- --scalars=int)
tune(1 "there is no layout 'up'" "left" -- --layouts=up)
tune(1 "there is no set 'all'" "workloads" -- --set=all)
tune(1 "'1.5'" -- --cells=1.5)
tune(1 "no_such.xml" -- --list=no_such.xml)
tune(1 "no/such/folder" -- --file=no/such/folder/table.xml)
tune(1 "shapes.xml" "no tuning table" -- --file=shapes.xml)
tune(1 "--cell" -- --cell=5)
message(STATUS "kontract_tune does what it says")
