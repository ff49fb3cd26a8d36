// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_CHECKSCATTER_HPP
#define KONTRACT_CHECKSCATTER_HPP

#include "Kontract_FormDescription.hpp"

namespace Kontract {
namespace Impl {

/// What a form's shape tells of an output that is scattered.
void takeScatteredOutput(const SharedDescription& output, FormShape& shape);

/// Checks a call that adds element matrices or vectors, which stand in the place of the vector of a
/// product, to an output that is scattered.
/// \param function  for messages
/// \throws std::invalid_argument that names the array and what it needs
FormShape checkScatter(const char* function, const FormDescription& call);

}  // namespace Impl
}  // namespace Kontract

#endif
