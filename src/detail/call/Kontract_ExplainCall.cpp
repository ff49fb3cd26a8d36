// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_ExplainCall.hpp"

#include "detail/support/Kontract_Error.hpp"

namespace Kontract {
namespace Impl {

void checkArguments(Operation operation, int arrays) {
  if (isOfForms(operation)) {
    refuse("explain", std::string(signatureOf(operation).name) + " takes a geometry and terms");
  }
  const int needed = kindOf(operation, false, 0) == PointwiseKind::Copy ? 2 : 3;
  if (arrays == needed) return;
  refuse("explain", std::string(signatureOf(operation).name) + " takes " + std::to_string(needed) +
                        " arrays, not " + std::to_string(arrays));
}

void checkArguments(Operation operation, FormKind kind) {
  const Operation needed = kind == FormKind::Matrices  ? Operation::matrices
                           : kind == FormKind::Vectors ? Operation::vectors
                                                       : Operation::apply;
  if (operation == needed) return;
  refuse("explain", std::string("these are arguments of ") + signatureOf(needed).name +
                        ", not of " + signatureOf(operation).name);
}

int checkFlag(Operation operation, int flag) {
  const bool scales = operation == Operation::scalarMultiplyDataField ||
                      operation == Operation::scalarMultiplyDataData;
  const bool takes_letter = signatureOf(operation).transposable;
  if (flag == no_flag) return takes_letter ? 'N' : 0;
  if (takes_letter || scales || isContraction(operation)) return flag;
  refuse("explain", std::string(signatureOf(operation).name) + " has no flag");
}

}  // namespace Impl
}  // namespace Kontract
