# SPDX-License-Identifier: BSD-3-Clause
#
# The tests of example/elasticity. The program fails if energy, reactions or rigid-body modes are not
# right.

set(once --repetitions=1)
kontract_example_test(Elasticity_Default 1 NIGHTLY)
kontract_example_test(Elasticity_Default_2Ranks 2 ${once} --size-factor=2)
kontract_example_test(Elasticity_Hexahedra 1 NIGHTLY ${once} --cell=Hexahedron --size-factor=4)
kontract_example_help(Elasticity_Help --traction)

# The area of the bore is 2 pi 1.6 1, which times 300 is 3015.93; flat faces have less.
kontract_example_same_on_ranks(Elasticity_SameOnRanks
  "(strain energy [0-9.]+)\n.*loads +.3015.[89]" ${once} --size-factor=1.5)
kontract_example_same_on_ranks(Elasticity_Hexahedra_SameOnRanks
  "(strain energy [0-9.]+)\n.*loads +.3011" ${once} --cell=Hexahedron --order=1 --size-factor=3)

# On cells with curved faces, and in a cube on flat ones.
foreach(cell IN ITEMS Tetrahedron Hexahedron)
  kontract_example_test(Elasticity_Patch_${cell}_Order1 1 --patch ${once} --cell=${cell}
    --order=1 --size-factor=4 --workset-size=17 --output=)
  kontract_example_test(Elasticity_Patch_${cell}_Order2 1 NIGHTLY --patch ${once} --cell=${cell}
    --order=2 --size-factor=4 --workset-size=17 --output=)
  foreach(order IN ITEMS 3 4)
    kontract_example_test(Elasticity_Patch_${cell}_Order${order} 1 --patch ${once} --cell=${cell}
      --order=${order} --mesh=unit_cube.geo --output=)
  endforeach()
endforeach()
kontract_example_test(Elasticity_Patch_2Ranks 2 --patch ${once} --size-factor=2)

function(bad_input name num_ranks text)
  kontract_example_bad_input(Elasticity_BadInput_${name} ${num_ranks} "${text}" ${ARGN})
endfunction()

bad_input(Order 1 "--order='2x' is not a number from 1 to 4" --order=2x)
bad_input(Poisson_2Ranks 2 "--poisson='0.5' is not a number between -1 and 0.5" --poisson=0.5)
bad_input(Cell 1 "--cell='Prism' is not Tetrahedron or Hexahedron" --cell=Prism)
bad_input(Traction 1 "--traction='1 2' is not three numbers" "--traction=1 2")
bad_input(NoLoad 1 "both zero" "--traction=0 0 0" "--body-force=0 0 0")
bad_input(UnknownGroup_2Ranks 2 "no group of surfaces 'keyhole'.*bolt holes, bore" --loaded=keyhole)
bad_input(UnknownOption 1 "--colour=red" --colour=red)
bad_input(NoMesh 1 "cannot read .*nothing.geo" --mesh=nothing.geo)
