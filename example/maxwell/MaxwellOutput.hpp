// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief A file for ParaView.
#ifndef MAXWELL_OUTPUT_HPP
#define MAXWELL_OUTPUT_HPP

#include <string>

#include "MaxwellMesh.hpp"

namespace Maxwell {

/// Writes E and curl E at the centres of cells on rank 0, as a structured grid in VTK's legacy
/// format. Collective. \param coefficients  of the local edges \throws InputError if the file
/// cannot be written.
void writeVtk(const EdgeMesh& mesh, const MultiVector& coefficients, const std::string& file);

}  // namespace Maxwell

#endif
