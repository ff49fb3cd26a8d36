# SPDX-License-Identifier: BSD-3-Clause
tribits_package_define_dependencies(LIB_REQUIRED_PACKAGES Mesh)
