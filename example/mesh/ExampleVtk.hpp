// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief Files for ParaView, and a picture.
#ifndef EXAMPLE_VTK_HPP
#define EXAMPLE_VTK_HPP

#include <string>
#include <vector>

#include "ExampleElement.hpp"
#include "ExampleMesh.hpp"

namespace Example {

/// Values at the local nodes of a mesh: component i of node n is entry n * num_components + i.
struct NodalField {
  std::string name;
  const MultiVector& values;
  int num_components = 1;
};

/// Writes one .vtu, or one a rank and a .pvtu. Collective.
/// \return the file that stands for all.
/// \throws InputError if a file cannot be written.
std::string writeVtk(const Mesh& mesh, const Element& element,
                     const std::vector<NodalField>& fields, const std::string& base);

/// Draws the file with plot_solution.py and its \a options. Call it on one rank.
/// \return the name of the picture, or why there is none, in one line.
std::string drawPicture(const std::string& vtk_file, const std::string& picture,
                        const std::vector<std::string>& options);

}  // namespace Example

#endif
