// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_CHUNKPLAN_HPP
#define KONTRACT_CHUNKPLAN_HPP

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>

#include "Kontract_PackedArray.hpp"
#include "Kontract_StreamSettings.hpp"

namespace Kontract {
namespace Impl {

/// An array of a call, as streaming sees it.
struct StreamedArray {
  /// Bytes of rows for which copy engines are slower than a kernel (measured on an H200).
  static constexpr std::int64_t short_row = 8 << 10;

  PackedArray packed;
  char* data = nullptr;   ///< the caller's
  bool is_there = true;   ///< the operation has such an array
  bool is_moved = false;  ///< through buffers, rather than used where it is
  bool is_page_locked = false;
  bool is_read = true, is_written = false;

  /// Whether each chunk moves its own part; else the array is moved once, for all.
  bool isMovedByChunks() const { return is_moved && (packed.hasCells() || is_written); }
  bool isMovedOnce() const { return is_moved && !isMovedByChunks(); }
};

/// Whether any array is moved by chunks: instances take turns then.
inline bool movesByChunks(const StreamedArray (&arrays)[3]) {
  return std::any_of(std::begin(arrays), std::end(arrays),
                     [](const StreamedArray& array) { return array.isMovedByChunks(); });
}

/// Buffers begin at multiples of this.
inline constexpr std::int64_t buffer_alignment = 256;
inline std::int64_t aligned(std::int64_t bytes) {
  return (bytes + buffer_alignment - 1) / buffer_alignment * buffer_alignment;
}

/// How a problem is cut: the chunk, and the instances that take turns.
struct ChunkPlan {
  std::int64_t cells = 1;      ///< of a chunk
  std::int64_t all_cells = 1;  ///< of the problem
  int most_instances = 1;
  std::int64_t cell_granularity = 1;  ///< cells is a multiple of this, or all there are

  std::int64_t chunks() const { return (all_cells + cells - 1) / cells; }
  /// Instances that have a chunk: others need no buffers.
  int instances() const {
    return static_cast<int>(std::min<std::int64_t>(most_instances, chunks()));
  }

  /// Makes the chunk half as large.
  /// \return false if it cannot be smaller
  bool halve();

  /// Bytes of the buffers of one instance.
  static std::int64_t instanceBytes(const StreamedArray (&arrays)[3], std::int64_t cells);
  /// Bytes of what is moved once for all chunks.
  static std::int64_t sharedBytes(const StreamedArray (&arrays)[3]);
  std::int64_t bytes(const StreamedArray (&arrays)[3]) const {
    return sharedBytes(arrays) + instances() * instanceBytes(arrays, cells);
  }
};

/// Plans a call.
/// \param all_cells  of the problem
/// \param cell_granularity  chunks begin at multiples of this; at least so many cells are in a
/// chunk \throws std::invalid_argument if the limit does not hold the buffers for one chunk, or
/// settings
///   are negative
ChunkPlan chunkPlanFor(const std::string& function, const StreamSettings& settings,
                       const StreamedArray (&arrays)[3], std::int64_t all_cells,
                       std::int64_t cell_granularity);

}  // namespace Impl
}  // namespace Kontract

#endif
