// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_CHECKSHAPES_HPP
#define KONTRACT_CHECKSHAPES_HPP

#include "Kontract_IndexTable.hpp"
#include "Kontract_Signature.hpp"
#include "detail/view/Kontract_ArrayDescription.hpp"

namespace Kontract {
namespace Impl {

/// Checks the arguments of an operation against its signature.
///
/// What the operation has no argument for, and what a call leaves out, is a description of nothing.
/// \param transposed  the left argument is a full tensor with its two dimensions swapped
/// \return the indices of the pattern that the arguments have
/// \throws std::invalid_argument when ranks fit no pattern, extents disagree, an argument cannot be
///   reached by the execution space, numbers of derivatives differ, or the output overlaps an
///   input where it may not; the text names the function, the argument, what it is and what it
///   needs. Cost is O(rank); nothing is read from the arrays.
IndexTable checkShapes(const Signature& signature, bool transposed, const ArrayDescription& out,
                       const ArrayDescription& left, const ArrayDescription& right);

}  // namespace Impl
}  // namespace Kontract

#endif
