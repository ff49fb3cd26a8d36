# SPDX-License-Identifier: BSD-3-Clause
#
# The tests of example/distributed. The program fails if products or solutions differ from those of the
# assembled matrix.

kontract_example_test(Distributed_Default_2Ranks 2 --size-factor=2)
kontract_example_test(Distributed_Hexahedra_3Ranks 3 --cell=Hexahedron --order=3 --mesh=unit_cube.geo
  --hot= --cold= --repetitions=3)
kontract_example_help(Distributed_Help --hot)
kontract_example_same_on_ranks(Distributed_SameOnRanks
  "(norm [0-9]+\\.[0-9][0-9][0-9][0-9][0-9]).*solution +norm [0-9]+\\.[0-9][0-9]" --order=1
  --size-factor=1.5 --repetitions=3)

function(bad_input name num_ranks text)
  kontract_example_bad_input(Distributed_BadInput_${name} ${num_ranks} "${text}" ${ARGN})
endfunction()

bad_input(UnknownGroup_2Ranks 2 "no group of surfaces 'keyhole'.*bolt holes, bore" --hot=keyhole)
bad_input(Order 1 "--order='7' is not a number from 1 to 4" --order=7)
