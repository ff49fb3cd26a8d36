// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_EVALUATION_HPP
#define KONTRACT_EVALUATION_HPP

#include "Kontract_Contraction.hpp"

namespace Kontract {
namespace Impl {

/// A field at points, from its coefficients:
///
///     out(c,p,i,j) += sum over f of left(c,f) * right(c,f,p,i,j)
///
/// one contraction over f for contiguous arrays, in which (p,i,j) is one index; else one for each
/// value of those that are not.
struct EvaluationShape {
  struct Repeat {
    std::int64_t extent = 1, out = 0, right = 0;
  };
  ContractionShape contraction;
  Repeat repeats[2];
};

/// The canonical problem of a checked evaluation.
EvaluationShape evaluationOf(const IndexTable& indices);

}  // namespace Impl
}  // namespace Kontract

#endif
