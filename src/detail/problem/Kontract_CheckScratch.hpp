// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_CHECKSCRATCH_HPP
#define KONTRACT_CHECKSCRATCH_HPP

#include "Kontract_Signature.hpp"
#include "detail/view/Kontract_ArrayDescription.hpp"

namespace Kontract {
namespace Impl {

/// Checks the scratch memory that a caller gives to a function, whose other arguments have been
/// checked.
///
/// It holds what is computed from the left input and goes into the output: so it has the
/// derivatives of the output, or none if the left input has none.
/// \param needed  number of its elements that are used; they are the first ones
/// \throws std::invalid_argument unless it has rank 1 and that many elements, side by side, in
///   memory that the execution space can reach, with those derivatives, and the elements used
///   overlap no other argument
void checkScratch(const Signature& signature, std::int64_t needed, const ArrayDescription& scratch,
                  const ArrayDescription& out, const ArrayDescription& left,
                  const ArrayDescription& right);

}  // namespace Impl
}  // namespace Kontract

#endif
