// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_MatrixCall.hpp"

#include <string>

namespace Kontract {
namespace Impl {

void requireMatrices(const Signature& signature, PointwiseKind kind, const IndexTable& indices,
                     bool has_integers) {
  const bool has_fractions = kind == PointwiseKind::Inverse || kind == PointwiseKind::NormTwo;
  if (has_fractions && has_integers) {
    refuse(signature.name, std::string(signature.out_name) +
                               " has elements of an integer type: it needs a floating-point type");
  }
  const bool is_of_matrix = kind == PointwiseKind::Determinant || kind == PointwiseKind::Inverse ||
                            kind == PointwiseKind::Cofactor;
  const std::int64_t extent = indices['D'].extent;
  if (is_of_matrix && (extent < 1 || extent > 3)) {
    const std::string n = std::to_string(extent);
    refuse(signature.name, std::string(hasLeft(kind) ? signature.left_name : signature.right_name) +
                               " holds matrices of " + n + " x " + n +
                               ": the space dimension D must be 1, 2 or 3");
  }
}

}  // namespace Impl
}  // namespace Kontract
