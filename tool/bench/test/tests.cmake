# SPDX-License-Identifier: BSD-3-Clause
#
# Small runs of kontract_bench, so that it cannot rot; what they measure means nothing.

set(bench_results "${CMAKE_CURRENT_BINARY_DIR}/results")
file(MAKE_DIRECTORY "${bench_results}")
set(bench_little --min-time=0.0005 --repetitions=2 --roofline-time=0.01 --rotate=0.5)

# bench_test(<name> <command>...)
function(bench_test name)
  add_test(NAME Kontract_Bench_${name} COMMAND ${ARGN})
  set_tests_properties(Kontract_Bench_${name} PROPERTIES LABELS performance TIMEOUT 120)
  set_property(TEST Kontract_Bench_${name} PROPERTY SKIP_REGULAR_EXPRESSION ${Kontract_NO_DEVICE})
endfunction()

set(bench "$<TARGET_FILE:${target}>")
bench_test(Quick ${bench} --suite=quick --scalar=float,double,complex_float,complex_double
  --layout=right,left,strided ${bench_little} --csv=${bench_results}/quick.csv
  --json=${bench_results}/quick.json)
# Every suite is run, in as little time as its cases allow.
bench_test(Suites ${bench} --suite=table,device,workloads,seeds,sweep --memory=0.02 --limit=0.6
  --algorithms=Auto ${bench_little})
bench_test(Random ${bench} --suite=random,random-pointwise --seed=7 --shapes=12 --memory=0.02 --layout=left,right
  --algorithms=Auto ${bench_little})
bench_test(Small ${bench} --suite=small --limit=0.2 ${bench_little})
bench_test(Function ${bench} --function=matvecProductDataField --shape=CFPD=CpDE*FPE --transpose
  --sizes=C=9,F=4,P=3,D=2 "--algorithms=Auto,Flat,MDRange:Tile C=2:Tile L=2" ${bench_little})
bench_test(Help ${bench} --help)

# Wrong input is refused with what would be right, and exit code 2.
function(bench_refusal name expected)
  string(REPLACE ";" "|" arguments "${ARGN}")
  bench_test(Refuses_${name} ${CMAKE_COMMAND} "-DPROGRAM=${bench}" "-DARGUMENTS=${arguments}"
    "-DEXPECTED=${expected}" -P "${CMAKE_CURRENT_SOURCE_DIR}/test/Refuses.cmake")
endfunction()
bench_refusal(Suite "valid are: table, device, small" --suite=tables)
bench_refusal(Algorithm "valid are: .*Auto" --suite=quick --algorithms=Fast)
bench_refusal(Setting "Tile X" --suite=quick "--algorithms=MDRange:Tile X=3")
bench_refusal(Function "valid are: contractFieldFieldScalar" --function=contract)
bench_refusal(Shape "valid are: CFP=Cp" --function=scalarMultiplyDataField --shape=CFP)
bench_refusal(Size "valid are: C, L" --function=cloneFields --sizes=N=3)
bench_refusal(Peer "valid are: Intrepid2" --suite=quick --peers=MKL)
bench_refusal(Scalar "valid are: float" --suite=quick --scalar=half)
bench_refusal(Option "help" --suit=quick)
bench_refusal(Shapes "--shapes must be positive" --suite=random --shapes=0)
bench_refusal(Nothing "--suite or --function")

# The files and the pictures. The first Python in the path that has matplotlib; there may be several.
string(REPLACE ":" ";" search_path "$ENV{PATH}")
set(python_with_plots "")
set(python "")
foreach(folder IN LISTS search_path)
  if(EXISTS "${folder}/python3" AND NOT python_with_plots)
    execute_process(COMMAND "${folder}/python3" -c "import sys; assert sys.version_info >= (3, 8)"
      RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
    if(NOT result EQUAL 0)
      continue()
    endif()
    set(python "${folder}/python3")
    execute_process(COMMAND "${folder}/python3" -c "import matplotlib.pyplot"
      RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
    if(result EQUAL 0)
      set(python_with_plots "${folder}/python3")
    endif()
  endif()
endforeach()
set_tests_properties(Kontract_Bench_Quick PROPERTIES FIXTURES_SETUP KontractBenchFiles)
# Where a device is missing, Quick is skipped and leaves no files.
if(Kontract_NO_DEVICE)
  list(APPEND Kontract_NO_DEVICE FileNotFoundError)
endif()
if(python)
  bench_test(Files "${python}" "${CMAKE_CURRENT_SOURCE_DIR}/test/check_files.py"
    "${bench_results}/quick.csv" "${bench_results}/quick.json")
  set_tests_properties(Kontract_Bench_Files PROPERTIES FIXTURES_REQUIRED KontractBenchFiles)
endif()
if(python_with_plots)
  bench_test(Pictures "${python_with_plots}" "${CMAKE_CURRENT_SOURCE_DIR}/test/check_pictures.py"
    "${CMAKE_CURRENT_SOURCE_DIR}/../plot_bench.py" "${bench_results}/quick.csv"
    "${bench_results}/pictures")
  set_tests_properties(Kontract_Bench_Pictures PROPERTIES FIXTURES_REQUIRED KontractBenchFiles)
else()
  message(STATUS "Kontract: the test of kontract_bench's pictures is left out, because no Python with "
                 "matplotlib was found")
endif()
