// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_Explain.hpp"

#include "detail/support/Kontract_Error.hpp"

namespace Kontract {
namespace Impl {

void checkArguments(Operation operation, int arrays) {
  const int needed = kindOf(operation, false, 0) == PointwiseKind::Copy ? 2 : 3;
  if (arrays == needed) return;
  refuse("explain", std::string(signatureOf(operation).name) + " takes " + std::to_string(needed) +
                        " arrays, not " + std::to_string(arrays));
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
