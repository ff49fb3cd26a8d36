// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_OVERLAP_HPP
#define KONTRACT_OVERLAP_HPP

#include "Kontract_ArrayDescription.hpp"

namespace Kontract {
namespace Impl {

/// Whether two arrays are proven to share a byte, from addresses, extents and strides alone.
///
/// Interleaved but disjoint arrays (cell ranges of one LayoutLeft allocation) are told apart
/// exactly: a shared byte is an integer solution of a bounded linear equation, which is searched
/// for depth first, largest stride first, as NumPy's solve_may_share_memory does. The search is
/// cut off after a fixed amount of work; what is not proven by then counts as not overlapping.
bool provenToOverlap(const ArrayDescription& a, const ArrayDescription& b);

/// Whether two elements of an array are proven to share a place, from extents and strides alone;
/// Fads share one if a value or derivative of theirs does. Strides of which each is longer than all
/// that is inside of it, in whatever order, are told at once; others by the same search.
bool hasCoincidingElements(const ArrayDescription& array);

}  // namespace Impl
}  // namespace Kontract

#endif
