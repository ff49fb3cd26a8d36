# SPDX-License-Identifier: BSD-3-Clause
#
# A C++ standard that is too old for Kokkos; without one, that of Kokkos is taken.
write_kokkos("${WORK}/kokkos" 5.2.02 20)
write_teuchos("${WORK}/teuchos")
configure_kontract("${WORK}/kokkos;${WORK}/teuchos" -DCMAKE_CXX_STANDARD=17)
expect_refusal("Kokkos 5.2.02 in ${WORK}/kokkos/lib/cmake/Kokkos needs C++20, but CMAKE_CXX_STANDARD is 17: configure \
with -DCMAKE_CXX_STANDARD=20.")
configure_kontract("${WORK}/kokkos;${WORK}/teuchos" -UCMAKE_CXX_STANDARD)
expect_success()
expect_standard(20)
