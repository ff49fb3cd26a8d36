// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_PACKEDARRAY_HPP
#define KONTRACT_PACKEDARRAY_HPP

#include <cstdint>
#include <functional>
#include <vector>

#include "detail/problem/Kontract_Problem.hpp"
#include "detail/support/Kontract_CopyRows.hpp"

namespace Kontract {
namespace Impl {

/// Which array of a problem.
enum class ArrayRole { Out, Left, Right };

/// An index of an array of a problem, whose stride may be set.
struct ArrayIndex {
  std::int64_t extent;
  std::int64_t* stride;
  /// Distance from the first to the last element of this index: of Fads, to the value, which a view
  /// of some derivatives has behind all of them. Null: extent - 1 strides.
  std::int64_t* last_at = nullptr;
};

/// The indices of an array; that of the cells comes first. Strides are those in the shape.
std::vector<ArrayIndex> indicesOf(ContractionShape& shape, ArrayRole argument);
std::vector<ArrayIndex> indicesOf(PointwiseShape& shape, ArrayRole argument);

/// An array of a problem and the place for a chunk of its cells in a buffer: the same order of
/// indices in memory, without what the caller's array has between its elements. Where cells are
/// not the slowest index, the buffer's rows of cells begin at multiples of 128 bytes.
class PackedArray {
 public:
  using Copy = std::function<void(std::int64_t, std::int64_t, const PitchedRows&)>;

  PackedArray() = default;

  /// \param indices  of the array; their strides are the caller's, and must outlive this object
  /// \param element  bytes of an element
  PackedArray(const std::vector<ArrayIndex>& indices, std::int64_t element);

  /// Whether every cell has elements of its own.
  bool hasCells() const { return _has_cells; }

  /// Bytes of the elements of so many cells; of all elements if cells share them.
  std::int64_t elementBytes(std::int64_t cells) const;

  /// Bytes of a buffer for so many cells.
  std::int64_t bufferBytes(std::int64_t cells) const;

  /// Bytes that lie side by side in the caller's memory, for so many cells.
  std::int64_t rowBytes(std::int64_t cells) const;

  /// Sets the strides of the problem's shape, and where the last of an index is, to those of a
  /// buffer for so many cells.
  void useBuffer(std::int64_t cells) const;

  /// Bytes from one cell to the next in the caller's array.
  std::int64_t cellBytes() const { return _cell_stride * _element; }

  /// Calls f(bytes into the caller's array from the chunk's first cell, bytes into the buffer,
  /// rows) for as few sets of rows as strides allow. Pitches are set for copies to the buffer.
  /// \param capacity  cells that the buffer is for
  /// \param cells     cells of the chunk
  void forEachCopy(std::int64_t capacity, std::int64_t cells, const Copy& f) const;

 private:
  struct Level {
    std::int64_t extent;
    std::int64_t stride;  ///< in the caller's array
    ArrayIndex target;    ///< what the problem is to have
    bool is_cell;
    std::int64_t last_at;  ///< in the caller's array
    std::int64_t packed = 0;

    bool hasOneStep() const { return last_at == (extent - 1) * stride; }
  };
  /// The levels for a chunk, with their strides in a buffer.
  std::vector<Level> levelsFor(std::int64_t capacity, std::int64_t cells) const;
  /// \param from_first, to_first  where the levels begin in the caller's array and in the buffer
  void forEachCopy(std::vector<Level> levels, std::int64_t from_first, std::int64_t to_first,
                   const Copy& f) const;
  std::int64_t padded(std::int64_t cells) const;

  std::vector<Level> _levels;  ///< smallest stride first
  std::int64_t _element = 1, _cell_stride = 0;
  bool _has_cells = false, _is_empty = false;
};

}  // namespace Impl
}  // namespace Kontract

#endif
