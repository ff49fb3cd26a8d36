# SPDX-License-Identifier: BSD-3-Clause
#
# The tests of example/poisson.

set(inputs ${CMAKE_CURRENT_LIST_DIR})
set(every_boundary --input=${inputs}/every_boundary.xml)

kontract_example_test(Poisson_Default 1)
kontract_example_test(Poisson_Default_2Ranks 2)
kontract_example_test(Poisson_Hexahedra 1 NIGHTLY --cell=Hexahedron)
kontract_example_test(Poisson_SecondOrder 1 NIGHTLY --order=2)
kontract_example_test(Poisson_ThirdOrder_2Ranks 2 --order=3 --mesh=unit_cube.geo ${every_boundary})
kontract_example_test(Poisson_FourthOrderHexahedra 1 --order=4 --cell=Hexahedron
  --mesh=unit_cube.geo ${every_boundary})
kontract_example_test(Poisson_SumFactorization 1 --order=3 --cell=Hexahedron --method=SumFactorization
  --mesh=unit_cube.geo ${every_boundary})
kontract_example_test(Poisson_Fibres 1 --input=${inputs}/fibres.xml)
kontract_example_help(Poisson_Help --mesh)

foreach(cell IN ITEMS Tetrahedron Hexahedron)
  kontract_example_test(Poisson_Convergence_${cell}_Order1 1 --convergence
    --mesh=unit_cube.geo --cell=${cell} --order=1)
  kontract_example_test(Poisson_Convergence_${cell}_Order2 1 NIGHTLY --convergence
    --mesh=unit_cube.geo --cell=${cell} --order=2)
  kontract_example_test(Poisson_Convergence_${cell}_Fibres 1 NIGHTLY --convergence --cell=${cell}
    --input=${inputs}/fibres.xml)
endforeach()

kontract_example_same_on_ranks(Poisson_SameOnRanks
  "L2 norm ([0-9]+\\.[0-9][0-9][0-9][0-9][0-9])")

function(bad_input name num_ranks text)
  kontract_example_bad_input(Poisson_BadInput_${name} ${num_ranks} "${text}" ${ARGN})
endfunction()

foreach(num_ranks IN ITEMS 1 2)
  set(suffix _${num_ranks}Ranks)
  bad_input(NoMesh${suffix} ${num_ranks} "cannot read .*nothing.geo" --mesh=nothing.geo)
  bad_input(Prisms${suffix} ${num_ranks} "elements of type Prism 6" --mesh=${inputs}/prisms.msh)
  bad_input(NegativeJacobian${suffix} ${num_ranks} "element 8 has a Jacobian determinant of -2"
    ${every_boundary} --mesh=${inputs}/inverted_tetrahedron.msh)
  bad_input(UnknownParameter${suffix} ${num_ranks}
    "unknown parameter 'Colour' in 'Mesh'.*valid are: File, Cell, Order"
    --input=${inputs}/unknown_parameter.xml)
endforeach()
bad_input(Triangles 1 "no volume cells, only Triangle 3" --mesh=${inputs}/triangles.msh)
bad_input(OrderTooHigh 1 "poisson: command line: --order='7' is not 1 or 2 or 3 or 4" --order=7)
bad_input(Order 1 "command line: --order='2x' is not 1 or" --order=2x)
bad_input(Cell 1 "command line: --cell='Prism' is not Tetrahedron or Hexahedron" --cell=Prism)
bad_input(Method 1 "command line: --method='Fast' is not Direct or" --method=Fast)
bad_input(SumFactorization 1 "poisson: the method SumFactorization needs hexahedra" --method=SumFactorization)
bad_input(Folder 1 "the output '\\.' is a folder" --output=.)
bad_input(NotXml 1 "is not an XML parameter list" --input=${inputs}/not_xml.xml)
bad_input(WrongValue 1 "Conduction, Manufactured" --input=${inputs}/wrong_value.xml)
bad_input(UnknownGroup 1 "no group of surfaces 'keyhole'.*bolt holes, bore"
  --input=${inputs}/unknown_group.xml)
bad_input(UnknownOption 1 "--colour=red" --colour=red)
