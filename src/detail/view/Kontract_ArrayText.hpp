// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_ARRAYTEXT_HPP
#define KONTRACT_ARRAYTEXT_HPP

#include <string>

#include "Kontract_ArrayDescription.hpp"

namespace Kontract {
namespace Impl {

// What messages say of arrays.

/// "(4, 2)"
std::string extentsText(const ArrayDescription& array);

/// "strides (4, 2)", or where there are derivatives "strides (4, 2), 12 for derivatives,"
std::string stridesText(const ArrayDescription& array);

/// Why the elements of an array cannot be used, to follow what it is: it has no memory, or none
/// that the execution space reaches. Empty if they can.
std::string whyNoElements(const ArrayDescription& array);

}  // namespace Impl
}  // namespace Kontract

#endif
