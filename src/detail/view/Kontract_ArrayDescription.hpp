// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_ARRAYDESCRIPTION_HPP
#define KONTRACT_ARRAYDESCRIPTION_HPP

#include <cstdint>

namespace Kontract {
namespace Impl {

/// What the host needs to know of an argument, whatever its view type: enough to check its shape,
/// to find its elements and to tell whether it overlaps another one.
struct ArrayDescription {
  static constexpr int max_rank = 8;

  /// One of nothing. Of extents and strides the first rank are set and no others, which copies carry
  /// along unread: a call describes many arrays, most of which are not there, and to clear them took
  /// a tenth of its time.
  ArrayDescription() {}

  int rank = 0;
  std::int64_t extents[max_rank];
  std::int64_t strides[max_rank];  ///< in units of unit_bytes; 0 where the extent is below 2
  std::uintptr_t address = 0;      ///< of the element with all indices zero
  std::int64_t unit_bytes = 0;     ///< size of what strides count (the element, or a Fad's scalar)

  bool is_fad = false;
  bool has_fixed_derivatives = false;  ///< as many as its type says: SFad
  bool has_lost_stride = false;        ///< the distance of its derivatives is not known
  std::int64_t derivatives = 0;        ///< of each element, if it is a Fad
  std::int64_t derivative_stride = 0;  ///< in units
  std::int64_t value_at = 0;           ///< distance in units from first derivative to value

  bool is_reachable = true;  ///< by the execution space that is to run

  /// Whether this describes no array at all.
  bool isOfNothing() const { return unit_bytes == 0; }

  /// Whether it has elements, but no memory.
  bool lacksMemory() const { return address == 0 && !isOfNothing() && size() > 0; }

  /// Number of elements.
  std::int64_t size() const {
    std::int64_t product = 1;
    for (int i = 0; i < rank; ++i) product *= extents[i];
    return product;
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
