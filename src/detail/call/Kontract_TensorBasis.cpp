// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_TensorBasis.hpp"

#include <string>

#include "detail/support/Kontract_Error.hpp"

namespace Kontract {
namespace Impl {

void refuseBasisValues(int directions) {
  refuse("tensorBasis",
         "values of " + std::to_string(directions) +
             " directions were given with gradients that do not go with them: needed are values "
             "and gradients of one HGRAD basis that is a product of functions of one coordinate, "
             "at points of a tensor cubature");
}

void requireDirections(int of_basis, int given, const char* what) {
  if (of_basis == given) return;
  refuse("tensorBasis", std::string(what) + " are of " + std::to_string(given) +
                            " directions, but closed functions are of " + std::to_string(of_basis));
}

}  // namespace Impl
}  // namespace Kontract
