// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_ExplainCall.hpp"

#include "detail/support/Kontract_Error.hpp"
#include "detail/support/Kontract_LargePages.hpp"

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
  // Both name the functions of Integration in the same order.
  const Operation needed = static_cast<Operation>(int(Operation::matrices) + int(kind));
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

void adviseLargePages(Explanation& explanation, const void* array, std::int64_t bytes) {
  constexpr std::int64_t foreseen_bytes = 16
                                          << 20;  // that small pages of a processor's tables hold
  if (bytes < foreseen_bytes || !explanation.advice.empty() || !couldHaveLargePages(array)) return;
  explanation.advice =
      "its arrays lie in small pages, and memory is read faster from large ones, which the system "
      "gives to a program that is run with GLIBC_TUNABLES=glibc.malloc.hugetlb=1";
}

}  // namespace Impl
}  // namespace Kontract
