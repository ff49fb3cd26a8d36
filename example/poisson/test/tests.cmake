# SPDX-License-Identifier: BSD-3-Clause
#
# The tests of example/poisson; ${poisson_target} is the program.

# TriBITS has other names for what launches MPI programs.
if(NOT MPIEXEC_EXECUTABLE AND MPI_EXEC)
  set(MPIEXEC_EXECUTABLE ${MPI_EXEC})
  set(MPIEXEC_NUMPROC_FLAG ${MPI_EXEC_NUMPROCS_FLAG})
  set(MPIEXEC_PREFLAGS ${MPI_EXEC_PRE_NUMPROCS_FLAGS})
endif()

set(poisson_program $<TARGET_FILE:${poisson_target}>)
set(poisson_test_dir ${CMAKE_CURRENT_LIST_DIR})

function(poisson_test_properties test num_ranks)
  # Tests run in containers as root and on machines with fewer cores than ranks.
  set_tests_properties(${test} PROPERTIES LABELS example PROCESSORS ${num_ranks} TIMEOUT 300
    ENVIRONMENT "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;OMPI_MCA_rmaps_base_oversubscribe=1")
endfunction()

# poisson_launcher(<variable> <ranks>): the words before the program.
function(poisson_launcher variable num_ranks)
  set(${variable} PARENT_SCOPE)
  if(num_ranks GREATER 1)
    set(${variable} ${MPIEXEC_EXECUTABLE} ${MPIEXEC_PREFLAGS} ${MPIEXEC_NUMPROC_FLAG} ${num_ranks}
      PARENT_SCOPE)
  endif()
endfunction()

# poisson_test(<name> <ranks> <argument>...): the program succeeds.
function(poisson_test name num_ranks)
  if(num_ranks GREATER 1 AND NOT MPIEXEC_EXECUTABLE)
    return()
  endif()
  set(test Kontract_Poisson_${name})
  poisson_launcher(launcher ${num_ranks})
  add_test(NAME ${test} COMMAND ${launcher} ${poisson_program} --output=${test} ${ARGN})
  poisson_test_properties(${test} ${num_ranks})
endfunction()

# poisson_bad_input(<name> <ranks> <text> <argument>...): the program refuses with one line.
function(poisson_bad_input name num_ranks text)
  if(num_ranks GREATER 1 AND NOT MPIEXEC_EXECUTABLE)
    return()
  endif()
  set(test Kontract_Poisson_BadInput_${name})
  poisson_launcher(launcher ${num_ranks})
  add_test(NAME ${test} COMMAND ${CMAKE_COMMAND} -D "text=${text}" -D num_ranks=${num_ranks}
    -P ${poisson_test_dir}/expect_error.cmake -- ${launcher} ${poisson_program} --output= ${ARGN})
  poisson_test_properties(${test} ${num_ranks})
endfunction()

set(every_boundary --input=${poisson_test_dir}/every_boundary.xml)

poisson_test(Default 1)
poisson_test(Default_2Ranks 2)
poisson_test(Hexahedra 1 --cell=Hexahedron)
poisson_test(SecondOrder 1 --order=2)
poisson_test(ThirdOrder_2Ranks 2 --order=3 --mesh=unit_cube.geo ${every_boundary})
poisson_test(FourthOrderHexahedra 1 --order=4 --cell=Hexahedron --mesh=unit_cube.geo
  ${every_boundary})
poisson_test(Fibres 1 --input=${poisson_test_dir}/fibres.xml)

add_test(NAME Kontract_Poisson_Help COMMAND ${poisson_program} --help)
poisson_test_properties(Kontract_Poisson_Help 1)
set_tests_properties(Kontract_Poisson_Help PROPERTIES PASS_REGULAR_EXPRESSION "Usage: .*--mesh"
  FAIL_REGULAR_EXPRESSION "[Kk]okkos command line")

foreach(cell IN ITEMS Tetrahedron Hexahedron)
  foreach(order IN ITEMS 1 2)
    poisson_test(Convergence_${cell}_Order${order} 1 --convergence --mesh=unit_cube.geo
      --cell=${cell} --order=${order})
  endforeach()
  poisson_test(Convergence_${cell}_Fibres 1 --convergence --cell=${cell}
    --input=${poisson_test_dir}/fibres.xml)
endforeach()

if(MPIEXEC_EXECUTABLE)
  add_test(NAME Kontract_Poisson_SameOnRanks COMMAND ${CMAKE_COMMAND}
    -D "launcher=${MPIEXEC_EXECUTABLE};${MPIEXEC_PREFLAGS};${MPIEXEC_NUMPROC_FLAG}"
    -D program=${poisson_program} -P ${poisson_test_dir}/same_on_ranks.cmake)
  poisson_test_properties(Kontract_Poisson_SameOnRanks 3)
endif()

foreach(num_ranks IN ITEMS 1 2)
  set(suffix _${num_ranks}Ranks)
  poisson_bad_input(NoMesh${suffix} ${num_ranks} "cannot read .*nothing.geo" --mesh=nothing.geo)
  poisson_bad_input(Prisms${suffix} ${num_ranks} "elements of type Prism 6"
    --mesh=${poisson_test_dir}/prisms.msh)
  poisson_bad_input(NegativeJacobian${suffix} ${num_ranks}
    "element 8 has a Jacobian determinant of -2" ${every_boundary}
    --mesh=${poisson_test_dir}/inverted_tetrahedron.msh)
  poisson_bad_input(UnknownParameter${suffix} ${num_ranks}
    "unknown parameter 'Colour' in 'Mesh'.*valid are: File, Cell, Order"
    --input=${poisson_test_dir}/unknown_parameter.xml)
endforeach()
poisson_bad_input(Triangles 1 "no volume cells, only Triangle 3"
  --mesh=${poisson_test_dir}/triangles.msh)
poisson_bad_input(OrderTooHigh 1 "order 7 is not 1 to 4" --order=7)
poisson_bad_input(NotXml 1 "is not an XML parameter list" --input=${poisson_test_dir}/not_xml.xml)
poisson_bad_input(WrongValue 1 "Conduction, Manufactured"
  --input=${poisson_test_dir}/wrong_value.xml)
poisson_bad_input(UnknownGroup 1 "no group of surfaces 'keyhole'.*bolt holes, bore"
  --input=${poisson_test_dir}/unknown_group.xml)
poisson_bad_input(UnknownOption 1 "--colour=red" --colour=red)
