# SPDX-License-Identifier: BSD-3-Clause
#
# Small runs of kontract_operators, so that it cannot rot; what they measure means nothing.

set(operators_results "${CMAKE_CURRENT_BINARY_DIR}/results")
file(MAKE_DIRECTORY "${operators_results}")
set(operators_little --memory=0.1 --min-time=0.0005 --ceed=none --no-mfem)

# operators_test(<name> <command>...)
function(operators_test name)
  add_test(NAME Kontract_Operators_${name} COMMAND ${ARGN})
  set_tests_properties(Kontract_Operators_${name} PROPERTIES LABELS performance TIMEOUT 120)
  set_property(TEST Kontract_Operators_${name} PROPERTY SKIP_REGULAR_EXPRESSION ${Kontract_NO_DEVICE})
endfunction()

set(operators "$<TARGET_FILE:${target}>")
operators_test(Quick ${operators} --orders=1-3 --scalar=double,float ${operators_little}
  --csv=${operators_results}/quick.csv)
operators_test(Points ${operators} --orders=2 --points=1 --operations=global ${operators_little})
operators_test(Help ${operators} --help)

# Wrong input is refused with what would be right, and exit code 2.
function(operators_refusal name expected)
  string(REPLACE ";" "|" arguments "${ARGN}")
  operators_test(Refuses_${name} ${CMAKE_COMMAND} "-DPROGRAM=${operators}" "-DARGUMENTS=${arguments}"
    "-DEXPECTED=${expected}" -P "${CMAKE_CURRENT_SOURCE_DIR}/../bench/test/Refuses.cmake")
endfunction()
operators_refusal(Order "valid are 1 to 8" --orders=9)
operators_refusal(Operation "valid are: cells, global" --operations=vectors)
operators_refusal(Scalar "valid are: float, double" --scalar=half)
operators_refusal(Points "--points must be 1, 2 or 3" --points=4)
operators_refusal(Option "help" --order=2)

# The picture, by the first Python in the path that has matplotlib; there may be several.
string(REPLACE ":" ";" search_path "$ENV{PATH}")
set(python_with_plots "")
foreach(folder IN LISTS search_path)
  if(EXISTS "${folder}/python3" AND NOT python_with_plots)
    execute_process(COMMAND "${folder}/python3" -c
      "import sys; assert sys.version_info >= (3, 8); import matplotlib.pyplot"
      RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
    if(result EQUAL 0)
      set(python_with_plots "${folder}/python3")
    endif()
  endif()
endforeach()
set_tests_properties(Kontract_Operators_Quick PROPERTIES FIXTURES_SETUP KontractOperatorsFile)
# Where a device is missing, Quick is skipped and leaves no file.
if(Kontract_NO_DEVICE)
  list(APPEND Kontract_NO_DEVICE FileNotFoundError)
endif()
if(python_with_plots)
  operators_test(Pictures "${python_with_plots}" "${CMAKE_CURRENT_SOURCE_DIR}/test/check_operators.py"
    "${CMAKE_CURRENT_SOURCE_DIR}/../plot_operators.py" "${operators_results}/quick.csv"
    "${operators_results}/pictures")
  set_tests_properties(Kontract_Operators_Pictures PROPERTIES FIXTURES_REQUIRED KontractOperatorsFile)
else()
  message(STATUS "Kontract: the test of kontract_operators' pictures is left out, because no Python with "
                 "matplotlib was found")
endif()
