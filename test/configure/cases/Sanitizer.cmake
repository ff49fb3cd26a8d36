# SPDX-License-Identifier: BSD-3-Clause
#
# A sanitizer that is not offered.
write_kokkos("${WORK}/kokkos" 4.6.01)
write_teuchos("${WORK}/teuchos")
configure_kontract("${WORK}/kokkos;${WORK}/teuchos" -DKontract_SANITIZE=Thread)
expect_refusal("Kontract_SANITIZE is Thread, but has to be OFF, ON or thread")
