# SPDX-License-Identifier: BSD-3-Clause
#
# Packages that come before Kontract's.

tribits_repository_define_packages(
  Mesh      mesh      PT
  Assembly  assembly  PT
)
