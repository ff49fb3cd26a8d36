# SPDX-License-Identifier: BSD-3-Clause
#
# The tests of example/maxwell.

kontract_example_test(Maxwell_Default 1)
kontract_example_test(Maxwell_Default_2Ranks 2)
kontract_example_test(Maxwell_Cubes 1 --cells=6 --bend=0)
kontract_example_test(Maxwell_Convergence 1 --convergence)
kontract_example_test(Maxwell_Convergence_2Ranks 2 --convergence --mu=3 --sigma=20)
kontract_example_help(Maxwell_Help --bend)
kontract_example_same_on_ranks(Maxwell_SameOnRanks
  "error +[0-9.e-]+ in L2, ([0-9]\\.[0-9]+e-[0-9]+) in the energy norm" --cells=7 --workset=50)

foreach(num_ranks IN ITEMS 1 2)
  set(suffix _${num_ranks}Ranks)
  kontract_example_bad_input(Maxwell_BadInput_NoCells${suffix} ${num_ranks}
    "--cells='0' is not a number from 1 to 256" --cells=0)
  kontract_example_bad_input(Maxwell_BadInput_UnknownOption${suffix} ${num_ranks} "--colour=red"
    --colour=red)
  kontract_example_bad_input(Maxwell_BadInput_NoFolder${suffix} ${num_ranks}
    "cannot write 'nowhere/field.vtk'" --cells=2 --output=nowhere/field)
  kontract_example_bad_input(Maxwell_BadInput_Folder${suffix} ${num_ranks}
    "the output '\\.' is a folder" --cells=2 --output=.)
endforeach()
kontract_example_bad_input(Maxwell_BadInput_Bend 1 "--bend='0.2' is not a number between -0.1 and 0.1" --bend=0.2)
kontract_example_bad_input(Maxwell_BadInput_Sigma 1 "--sigma='-1' is not a number between 0 and" --sigma=-1)
kontract_example_bad_input(Maxwell_BadInput_Mu 1 "--mu='0' is not a number between 0 and" --mu=0)
kontract_example_bad_input(Maxwell_BadInput_OddConvergence 1 "cannot be halved twice"
  --convergence --cells=6)
kontract_example_bad_input(Maxwell_BadInput_CoarseConvergence 1 "cannot be halved twice to two cells"
  --convergence --cells=4)
kontract_example_bad_input(Maxwell_BadInput_Ranks 2 "2 ranks are too many for 1 layers" --cells=1)

# The picture of where the time goes, from what a run has written; for all examples.
kontract_example_picture_of_times(Maxwell_PictureOfTimes Maxwell_Cubes)
