# SPDX-License-Identifier: BSD-3-Clause
#
# The file name that TriBITS reads.

include("${CMAKE_CURRENT_LIST_DIR}/PackageList.cmake")
