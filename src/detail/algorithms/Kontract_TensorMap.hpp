// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TENSORMAP_HPP
#define KONTRACT_TENSORMAP_HPP

#include <Kokkos_Core.hpp>

#ifdef KOKKOS_ENABLE_CUDA
#include <cuda.h>

#include <cstdint>

namespace Kontract {
namespace Impl {

/// An array of three indices, the first without gaps, and the box of it that a stage takes.
struct TensorBox {
  const void* data;
  int scalar_bytes;
  std::int64_t extents[3];
  std::int64_t strides[2];  ///< of the second and third index, in scalars
  int box[3];
  int fetch_bytes;  ///< what the cache reads from memory at a time: 128 or 256
  bool permuted;    ///< chunks of 16 bytes, by the number of their row of 128
};

/// Describes a box to the copy engine.
/// \return whether the engine can copy it: from compute capability 9.0, where addresses and strides
///   are multiples of 16 bytes, and indices are in the order of their strides
bool describe(const TensorBox& box, CUtensorMap& map);

}  // namespace Impl
}  // namespace Kontract

#endif
#endif
