# SPDX-License-Identifier: BSD-3-Clause
#
# TriBITS asks where Kokkos' configuration was found. Nobody would have looked for it, because the Teuchos of a Trilinos
# with a Kokkos of its own includes it.
find_package(Kokkos CONFIG REQUIRED)
