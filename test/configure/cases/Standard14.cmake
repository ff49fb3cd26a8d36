# SPDX-License-Identifier: BSD-3-Clause
#
# A C++ standard that is too old for Kontract.
write_kokkos("${WORK}/kokkos" 4.6.01)
write_teuchos("${WORK}/teuchos")
foreach(standard IN ITEMS 14 98)
  configure_kontract("${WORK}/kokkos;${WORK}/teuchos" -DCMAKE_CXX_STANDARD=${standard})
  expect_refusal("Kontract needs C++17, but CMAKE_CXX_STANDARD is ${standard}: configure with \
-DCMAKE_CXX_STANDARD=17.")
endforeach()
configure_kontract("${WORK}/kokkos;${WORK}/teuchos" -DCMAKE_CXX_STANDARD=20)
expect_success()
expect_standard(20)
