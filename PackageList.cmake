# SPDX-License-Identifier: BSD-3-Clause
#
# The packages of this repository, for a Trilinos source tree that has it as an extra repository.

TRIBITS_REPOSITORY_DEFINE_PACKAGES(
  Kontract  .  ST
)
