// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief Pictures by Python's matplotlib.
#ifndef EXAMPLE_PICTURE_HPP
#define EXAMPLE_PICTURE_HPP

#include <string>
#include <vector>

namespace Example {

/// Draws a file by a script of the program, which is called with the file, the picture and its
/// \a options. Call it on one rank.
/// \return the name of the picture, or why there is none, in one line.
std::string drawByScript(const std::string& script, const std::string& vtk_file,
                         const std::string& picture, const std::vector<std::string>& options = {});

}  // namespace Example

#endif
