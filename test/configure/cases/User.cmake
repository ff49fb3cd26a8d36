# SPDX-License-Identifier: BSD-3-Clause
#
# A project that uses Kontract, with what Kontract was built with and with other packages.
write_kokkos("${WORK}/kokkos" 4.6.01)
write_teuchos("${WORK}/teuchos")
configure_kontract("${WORK}/kokkos;${WORK}/teuchos")
expect_success()

configure_user("")
expect_success()
expect_text("Headers in Intrepid2's name: ${WORK}/kontract/include/kontract/intrepid2.")

configure_user("" -DREPLACE_INTREPID2=ON)
expect_refusal("kontract_replace_intrepid2: no Intrepid2 was found whose classes could be replaced; call \
find_package(Intrepid2 REQUIRED) before, or name the directory of its headers after HEADERS")

function(expect_refused_user sentence)
  file(REMOVE_RECURSE "${WORK}/user")
  configure_user("${ARGN}")
  expect_refusal("${sentence}")
  expect_text("\"Kontract\" is considered to be NOT FOUND")
endfunction()

write_kokkos("${WORK}/openmp" 4.6.01 17 OPENMP SERIAL)
expect_refused_user("Kontract was built with Kokkos 4.6 (SERIAL), but the one in ${WORK}/openmp/lib/cmake/Kokkos is \
Kokkos 4.6 (OPENMP, SERIAL): take the former by -DKokkos_DIR=${WORK}/kokkos/lib/cmake/Kokkos, or build Kontract with \
the latter." "${WORK}/openmp")

write_kokkos("${WORK}/old" 3.3.01)
expect_refused_user("Kontract needs Kokkos 3.4 or later, but the one in ${WORK}/old/lib/cmake/Kokkos is 3.3.01:"
  "${WORK}/old")

write_kokkos("${WORK}/trilinos" 4.6.01)
write_teuchos("${WORK}/trilinos" MPI KOKKOS "\${CMAKE_CURRENT_LIST_DIR}/../Kokkos")
expect_refused_user("Kontract needs MPI, because the Teuchos in ${WORK}/trilinos/lib/cmake/Teuchos was built with it"
  "${WORK}/trilinos")
expect_refused_user("Kontract would get two Kokkos, 4.6.01 in ${WORK}/kokkos/lib/cmake/Kokkos and the one in \
${WORK}/trilinos/lib/cmake/Kokkos, which Teuchos was built with" "${WORK}/kokkos" "${WORK}/trilinos")
