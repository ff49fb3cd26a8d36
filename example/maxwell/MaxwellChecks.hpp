// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief What must hold of the assembled matrices.
#ifndef MAXWELL_CHECKS_HPP
#define MAXWELL_CHECKS_HPP

#include "MaxwellMesh.hpp"

namespace Maxwell {

/// The curl of a gradient is zero. Differences of a function of vertices along edges are the
/// coefficients of its gradient, up to a factor; the curl-curl matrix must map them to zero.
/// \return the largest entry of the product over the largest of the gradient and the largest of the
///   matrix. Collective.
double curlOfGradient(const EdgeMesh& mesh, const Matrix& curl_curl);

}  // namespace Maxwell

#endif
