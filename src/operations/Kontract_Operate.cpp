// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_Operate.hpp"

#include "Kontract_Error.hpp"

namespace Kontract {
namespace Impl {

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

bool isTransposed(Operation operation, char transpose) {
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
      refuse(signatureOf(operation).name,
             "transpose is " + given + " but must be 'N' (as it is) or 'T' (transposed)");
    }
  }
}

}  // namespace Impl
}  // namespace Kontract
