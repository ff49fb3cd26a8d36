// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TENSORMAP_HPP
#define KONTRACT_TENSORMAP_HPP

#include <Kokkos_Core.hpp>

#ifdef KOKKOS_ENABLE_CUDA
#include <cuda.h>

#include <cstdint>

namespace Kontract {
namespace Impl {

/// An array of three or four indices, the first without gaps, and the box of it that a stage takes.
struct TensorBox {
  static constexpr int most_rank = 4;

  const void* data;
  int scalar_bytes;
  std::int64_t extents[most_rank];
  std::int64_t strides[most_rank - 1];  ///< of the second index and those after it, in scalars
  int box[most_rank];
  int fetch_bytes;  ///< what the cache reads from memory at a time: 128 or 256
  bool permuted;    ///< chunks of 16 bytes, by the number of their row of 128
  int rank = 3;
};

/// Describes a box to the copy engine.
/// \return whether the engine can copy it: from compute capability 9.0, where addresses and strides
///   are multiples of 16 bytes, and indices are in the order of their strides
bool describe(const TensorBox& box, CUtensorMap& map);

}  // namespace Impl
}  // namespace Kontract

#endif
#endif
