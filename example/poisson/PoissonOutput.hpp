// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief Files for ParaView, and a picture.
#ifndef POISSON_OUTPUT_HPP
#define POISSON_OUTPUT_HPP

#include <string>

#include "PoissonElement.hpp"
#include "PoissonInput.hpp"
#include "PoissonMesh.hpp"

namespace Poisson {

/// Writes one .vtu, or one a rank and a .pvtu. Collective.
/// \return the file that stands for all.
/// \throws InputError if a file cannot be written.
std::string writeVtk(const Mesh& mesh, const Element& element, const MultiVector& local_solution,
                     const std::string& base);

/// Draws the file with plot_solution.py. Call it on one rank.
/// \return the name of the picture, or why there is none, in one line.
std::string drawPicture(const std::string& vtk_file, const OutputInput& output);

}  // namespace Poisson

#endif
