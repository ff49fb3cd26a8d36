# SPDX-License-Identifier: BSD-3-Clause
#
# Trilinos 13, whose target of Kokkos has a wrong include directory.
write_trilinos_13("${WORK}/trilinos")
configure_kontract("${WORK}/trilinos")
expect_success()
file(READ "${WORK}/build/compile_commands.json" output)
string(REPLACE "\\\"" "" output "${output}")  # quotes of paths with spaces
expect_text("-isystem ${WORK}/trilinos/lib/cmake/Kokkos/../../../include/trilinos")
