// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_Operate.hpp"

#include "detail/support/Kontract_Error.hpp"

namespace Kontract {
namespace Impl {

Operation integralOf(int out_rank, int left_rank) {
  const Operation scalar[] = {Operation::contractDataDataScalar, Operation::contractDataFieldScalar,
                              Operation::contractFieldFieldScalar};
  const bool is_known = out_rank >= 1 && out_rank <= 3;
  const int first = static_cast<int>(scalar[is_known ? out_rank - 1 : 0]);
  // Left fields have one index more than left data: (C,L,P) and (C,P).
  const int dimensions = left_rank - (out_rank == 3 ? 3 : 2);
  return static_cast<Operation>(first + (dimensions >= 0 && dimensions <= 2 ? dimensions : 0));
}

void refuseQuotientsOfIntegers(const Signature& signature) {
  refuse(signature.name, std::string(signature.out_name) +
                             " has elements of an integer type, but is divided by " +
                             signature.left_name + ": it needs a floating-point type");
}

PointwiseKind kindOf(Operation operation, bool reciprocal, int out_rank) {
  switch (operation) {
    case Operation::crossProductDataField:
      return out_rank == 4 ? PointwiseKind::Cross3 : PointwiseKind::Cross2;
    case Operation::crossProductDataData:
      return out_rank == 3 ? PointwiseKind::Cross3 : PointwiseKind::Cross2;
    case Operation::cloneFields:
    case Operation::cloneData: return PointwiseKind::Copy;
    default: return reciprocal ? PointwiseKind::Quotient : PointwiseKind::Product;
  }
}

bool isTransposed(const Called& called, char transpose) {
  switch (transpose) {
    case 'N':
    case 'n': return false;
    case 'T':
    case 't': return true;
    default: {
      const bool is_printable = transpose >= ' ' && transpose <= '~';
      const std::string given = is_printable
                                    ? std::string("'") + transpose + "'"
                                    : "character " + std::to_string(static_cast<int>(transpose));
      refuse(called.signature->name,
             "transpose is " + given + " but must be 'N' (as it is) or 'T' (transposed)");
    }
  }
}

}  // namespace Impl
}  // namespace Kontract
