# SPDX-License-Identifier: BSD-3-Clause
#
# A project builds a Kokkos of its own, and Kontract, which would find another one.
write_kokkos("${WORK}/kokkos" 4.6.01)
write_teuchos("${WORK}/teuchos")
file(WRITE "${WORK}/project/CMakeLists.txt" "
cmake_minimum_required(VERSION 3.17)
project(Project LANGUAGES CXX)
add_library(kokkoscore INTERFACE)
add_library(Kokkos::kokkos ALIAS kokkoscore)
add_subdirectory(\"${SOURCE}\" kontract)
")
configure("${WORK}/project" build "${WORK}/kokkos;${WORK}/teuchos")
expect_refusal("Kontract needs an installed Kokkos, but Project builds one of its own: install that first, and name it by \
-DKokkos_DIR=<prefix>/lib/cmake/Kokkos.")
