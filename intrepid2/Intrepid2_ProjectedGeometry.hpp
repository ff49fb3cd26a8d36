// SPDX-License-Identifier: BSD-3-Clause
//
// Where headers are installed side by side, Intrepid2's finds the classes that Kontract replaces
// beside itself, before anything on the include path: they come first here.
#pragma GCC system_header
#include <Intrepid2_FunctionSpaceTools.hpp>
#include_next <Intrepid2_ProjectedGeometry.hpp>
