# SPDX-License-Identifier: BSD-3-Clause
#
# The packages of this repository, for a Trilinos source tree that has it as an extra repository.

tribits_repository_define_PACKAGES(
  Kontract  .  ST
)
