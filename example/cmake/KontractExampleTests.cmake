# SPDX-License-Identifier: BSD-3-Clause
#
# Tests of the programs in example/, after kontract_example(); see KontractExample.cmake. Their names
# are Kontract_<name>. A program has an option --output, of which an empty one means no files.

# For Open MPI 4, and the runtime of Open MPI 5.
set(Kontract_EXAMPLE_MPI_ENVIRONMENT OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe)

# What launches several ranks, before their number; empty if there is nothing that does, or a Trilinos without MPI.
function(kontract_example_launcher variable)
  set(launcher)
  if(Kontract_TRILINOS_HAS_MPI AND MPIEXEC_EXECUTABLE)
    set(launcher ${MPIEXEC_EXECUTABLE} ${MPIEXEC_PREFLAGS} ${MPIEXEC_NUMPROC_FLAG})
  elseif(MPI_EXEC)  # as TriBITS calls it
    set(launcher ${MPI_EXEC} ${MPI_EXEC_PRE_NUMPROCS_FLAGS} ${MPI_EXEC_NUMPROCS_FLAG})
  endif()
  set(${variable} ${launcher} PARENT_SCOPE)
endfunction()

# The command that runs the program; empty if there is nothing that launches so many ranks.
function(kontract_example_command variable num_ranks)
  set(program $<TARGET_FILE:${KontractExample_TARGET}>)
  kontract_example_launcher(launcher)
  if(num_ranks EQUAL 1)
    set(${variable} ${program} PARENT_SCOPE)
  elseif(launcher)
    set(${variable} ${launcher} ${num_ranks} ${program} PARENT_SCOPE)
  else()
    set(${variable} PARENT_SCOPE)
  endif()
endfunction()

function(kontract_example_test_properties test num_ranks)
  # Tests run in containers as root and on machines with fewer cores than ranks.
  set_tests_properties(${test} PROPERTIES LABELS example PROCESSORS ${num_ranks} TIMEOUT 300
    ENVIRONMENT "${Kontract_EXAMPLE_MPI_ENVIRONMENT}")
endfunction()

# kontract_example_test(<name> <ranks> [NIGHTLY] <argument>...): the program succeeds. A NIGHTLY test takes long; a
# build of Kontract whose Kontract_TEST_CATEGORY is BASIC leaves it out.
function(kontract_example_test name num_ranks)
  set(category "")
  if(ARGV2 STREQUAL "NIGHTLY")
    list(REMOVE_AT ARGN 0)
    set(category nightly)
    if(Kontract_TEST_CATEGORY STREQUAL "BASIC")
      return()
    endif()
  endif()
  kontract_example_command(command ${num_ranks})
  if(command)
    add_test(NAME Kontract_${name} COMMAND ${command} --output=Kontract_${name} ${ARGN})
    kontract_example_test_properties(Kontract_${name} ${num_ranks})
    set_property(TEST Kontract_${name} APPEND PROPERTY LABELS ${category})
  endif()
endfunction()

# kontract_example_bad_input(<name> <ranks> <text> <argument>...): the program refuses with one line
# that matches the text.
function(kontract_example_bad_input name num_ranks text)
  kontract_example_command(command ${num_ranks})
  if(command)
    add_test(NAME Kontract_${name} COMMAND ${CMAKE_COMMAND} -D "text=${text}"
      -D num_ranks=${num_ranks} -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/expect_error.cmake
      -- ${command} --output= ${ARGN})
    kontract_example_test_properties(Kontract_${name} ${num_ranks})
  endif()
endfunction()

# kontract_example_same_on_ranks(<name> <regex> <argument>...): what the parentheses match in the
# output does not depend on the number of ranks, 1 to 3.
function(kontract_example_same_on_ranks name regex)
  kontract_example_launcher(launcher)
  if(launcher)
    add_test(NAME Kontract_${name} COMMAND ${CMAKE_COMMAND} -D "launcher=${launcher}"
      -D "regex=${regex}" -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/same_on_ranks.cmake
      -- $<TARGET_FILE:${KontractExample_TARGET}> --output= ${ARGN})
    kontract_example_test_properties(Kontract_${name} 3)
  endif()
endfunction()

# kontract_example_help(<name> <option>): --help lists the option.
function(kontract_example_help name option)
  add_test(NAME Kontract_${name} COMMAND ${KontractExample_TARGET} --help)
  kontract_example_test_properties(Kontract_${name} 1)
  set_tests_properties(Kontract_${name} PROPERTIES PASS_REGULAR_EXPRESSION "Usage: .*${option}"
    FAIL_REGULAR_EXPRESSION "[Kk]okkos command line")
endfunction()

# kontract_example_picture_of_times(<name> <test>): plot_assembly.py draws the times that a test has written. It is
# skipped where Python has no matplotlib.
function(kontract_example_picture_of_times name test)
  kontract_example_python(python)
  add_test(NAME Kontract_${name} COMMAND "${python}" plot_assembly.py Kontract_${name}.png Kontract_${test}_times.csv)
  kontract_example_test_properties(Kontract_${name} 1)
  set_tests_properties(Kontract_${test} PROPERTIES FIXTURES_SETUP Kontract_${test})
  set_tests_properties(Kontract_${name} PROPERTIES FIXTURES_REQUIRED Kontract_${test}
    SKIP_REGULAR_EXPRESSION "plot_assembly.py needs matplotlib")
endfunction()
