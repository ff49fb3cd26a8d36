// SPDX-License-Identifier: BSD-3-Clause
#include <Kokkos_Core.hpp>
#include <algorithm>

#include "PeakKernels.hpp"
#include "PeerTraffic.hpp"
#include "PeersOnMatrices.hpp"

namespace KontractBench {
namespace {

/// An array as rows of neighbouring cells: one in LayoutRight; in LayoutLeft one for each element
/// of a cell, where these are needed together, because sums take each of them more than once.
struct MovedArray {
  std::int64_t rows = 0, row_bytes = 0;  ///< from one row to the next
  std::int64_t cell_bytes = 0;           ///< of a row

  std::int64_t bytesOfCell() const { return rows * cell_bytes; }
};

/// Arrays without cells, or that are not there, have no rows.
MovedArray movedArrayOf(const Placement& array, bool needs_cells, std::int64_t scalar_bytes) {
  MovedArray moved;
  const std::int64_t cell = array.strideOf('C');
  if (cell == 0) return moved;
  const bool is_left = needs_cells && array.rank() > 1 && cell == 1;
  const std::int64_t of_cell = array.span / array.extents[array.letters.find('C')];
  moved.rows = is_left ? of_cell : 1;
  moved.row_bytes = is_left ? array.strides[1] * scalar_bytes : 0;
  moved.cell_bytes = is_left ? scalar_bytes : of_cell * scalar_bytes;
  return moved;
}

bool hasGaps(const Placement& array) {
  std::int64_t elements = 1;
  for (const std::int64_t extent : array.extents) elements *= extent;
  return array.span > elements;
}

constexpr std::int64_t line = 64;                ///< bytes
constexpr std::int64_t block_bytes = 64 * 1024;  ///< of all arrays where a cell is a run
constexpr std::int64_t most_row_bytes = 1024;    ///< else

double read(const PeakKernels& kernels, const MovedArray& array, const void* data,
            std::int64_t begin, std::int64_t end) {
  const std::int64_t bytes = (end - begin) * array.cell_bytes;
  if (bytes == 0) return 0;
  double sum = 0;
  for (std::int64_t row = 0; row < array.rows; ++row) {
    const char* const at =
        static_cast<const char*>(data) + row * array.row_bytes + begin * array.cell_bytes;
    sum += kernels.read(reinterpret_cast<const double*>(at), bytes / int(sizeof(double)));
  }
  return sum;
}

/// Whole lines only: each belongs to the cells in which it ends.
void write(const PeakKernels& kernels, const MovedArray& array, void* data, std::int64_t begin,
           std::int64_t end) {
  for (std::int64_t row = 0; row < array.rows; ++row) {
    char* const at = static_cast<char*>(data) + row * array.row_bytes;
    const auto lineOf = [at, &array](std::int64_t cell) {
      return reinterpret_cast<std::uintptr_t>(at + cell * array.cell_bytes) / line;
    };
    const std::uintptr_t first = lineOf(begin), last = lineOf(end);
    kernels.stream_fill(reinterpret_cast<double*>(first * line), long((last - first) * line / 8));
  }
}

struct Traffic {
  std::int64_t cells;
  MovedArray out, left, right;

  /// Cells that are moved together: as long rows as memory likes, where each is in a page of its
  /// own, even if caches do not hold all of them.
  std::int64_t cellsAtOnce() const {
    if (out.rows > 1) return std::max<std::int64_t>(1, most_row_bytes / out.cell_bytes);
    const std::int64_t cell_bytes = out.bytesOfCell() + left.bytesOfCell() + right.bytesOfCell();
    return std::max<std::int64_t>(1, block_bytes / cell_bytes);
  }

  void move(const MovedCopy& copy) const {
    int count = 0;
    const PeakKernels kernels = peakKernels(&count)[count - 1];
    const std::int64_t at_once = cellsAtOnce();
    forEachCell(cells, [=, *this](std::int64_t begin, std::int64_t end) {
      volatile double keep = 0;
      for (std::int64_t cell = begin; cell < end; cell += at_once) {
        const std::int64_t next = std::min(end, cell + at_once);
        keep = keep + read(kernels, left, copy.left, cell, next);
        keep = keep + read(kernels, right, copy.right, cell, next);
        write(kernels, out, copy.out, cell, next);
      }
    });
  }
};

}  // namespace

Offer traffic(const Case& one, const Placement& out, const Placement& left, const Placement& right,
              std::int64_t scalar_bytes, const std::vector<MovedCopy>& copies) {
  if (hasGaps(out) || hasGaps(left) || hasGaps(right)) return {nullptr, "some array has gaps"};
  const bool needs_cells =
      Kontract::Impl::isContraction(one.operation) && one.sizes.lefts > 1 && one.sizes.rights > 1;
  const auto moved = [&](const Placement& array) {
    return movedArrayOf(array, needs_cells, scalar_bytes);
  };
  const Traffic what{one.sizes.cells, moved(out), moved(left), moved(right)};
  return {[what, copies](int copy) { what.move(copies[copy]); }, ""};
}

}  // namespace KontractBench
