// SPDX-License-Identifier: BSD-3-Clause
//
// Arrays of single cells to interleaved ones and back. Interleaved, each element of simd_width
// neighbouring cells is a vector.
#ifndef KONTRACT_HOSTINTERLEAVE_IPP
#define KONTRACT_HOSTINTERLEAVE_IPP

#include "detail/kernels/host_simd/common/Kontract_HostSimd.ipp"

/// Elements of some cells, as arrays of problems have them.
template <class T>
struct CellElements {
  T* data;
  std::int64_t cell;  ///< from one cell to the next
  std::int64_t step;  ///< from one element to the next
  std::int64_t count;
};

/// Rows of elements: how many, and from one to the next.
struct CellRows {
  std::int64_t count = 1, from = 0, to = 0;
};

/// Reads elements of n cells, or points, that are not contiguous in memory: each is a lane.
template <class Real>
KONTRACT_INLINE void gatherLanes(const CellElements<const Real>& from, int n,
                                 const MatrixRows<Real>& to, const CellRows& rows) {
  constexpr int simd_width = simd_width_of<Real>;
  const Real* in_cell[simd_width];
  const Real* cell = from.data;
  for (int k = 0; k < simd_width; ++k) {
    in_cell[k] = cell;
    if (k + 1 < n) cell += from.cell;
    inRegister(cell);
  }
  for (std::int64_t row = 0; row < rows.count; ++row) {
    const std::int64_t first = row * rows.from;
    Real* const to_row = to.data + row * rows.to;
    std::int64_t i = 0;
    for (; from.step == 1 && i + simd_width <= from.count; i += simd_width) {
      Vector<Real, vector_bytes> block[simd_width];
      for (int k = 0; k < simd_width; ++k) block[k] = load<vector_bytes>(in_cell[k] + first + i);
      transpose<vector_bytes, Real>(block);
      for (int k = 0; k < simd_width; ++k) {
        store<vector_bytes>(to_row + (i + k) * to.step, block[k]);
      }
    }
    for (; i < from.count; ++i) {
      Vector<Real, vector_bytes> element;
      for (int k = 0; k < simd_width; ++k) element[k] = in_cell[k][first + i * from.step];
      store<vector_bytes>(to_row + i * to.step, element);
    }
  }
}
/// interleaveCells() where cells are not contiguous in memory.
template <class Real>
__attribute__((noinline)) void gatherCells(const CellElements<const Real>& from, int n,
                                           const MatrixRows<Real>& to, const CellRows& rows) {
  gatherLanes<Real>(from, n, to, rows);
}

/// Reads the elements of n cells, 0 < n <= simd_width: a row is an element. Past the last cell it
/// repeats that.
template <class Real>
KONTRACT_INLINE void interleaveCells(const CellElements<const Real>& from, int n,
                                     const MatrixRows<Real>& to, const CellRows& rows = {}) {
  if (from.cell == 1 && n == simd_width_of<Real>) {
    for (std::int64_t row = 0; row < rows.count; ++row) {
      const Real* const from_row = from.data + row * rows.from;
      Real* const to_row = to.data + row * rows.to;
      for (std::int64_t i = 0; i < from.count; ++i) {
        store<vector_bytes>(to_row + i * to.step, load<vector_bytes>(from_row + i * from.step));
      }
    }
  } else {
    gatherCells<Real>(from, n, to, rows);
  }
}

/// deinterleaveCells() where cells are not contiguous in memory.
template <class Real>
__attribute__((noinline)) void scatterCells(MatrixRows<const Real> from, int n,
                                            CellElements<Real> to, bool stream) {
  constexpr int simd_width = simd_width_of<Real>;
  std::int64_t i = 0;
  for (; to.step == 1 && i + simd_width <= to.count; i += simd_width) {
    Vector<Real, vector_bytes> block[simd_width];
    for (int k = 0; k < simd_width; ++k) {
      block[k] = load<vector_bytes>(from.data + (i + k) * from.step);
    }
    transpose<vector_bytes, Real>(block);
    for (int k = 0; k < n; ++k) {
      Real* const at = to.data + k * to.cell + i;
      if (stream && reinterpret_cast<std::uintptr_t>(at) % vector_bytes == 0) {
        storeNonTemporal<vector_bytes>(at, block[k]);
      } else {
        store<vector_bytes>(at, block[k]);
      }
    }
  }
  for (; i < to.count; ++i) {
    for (int k = 0; k < n; ++k) to.data[k * to.cell + i * to.step] = from.data[i * from.step + k];
  }
}

/// Writes what interleaveCells() would read.
/// \param stream  by non-temporal stores, where whole vectors are aligned
template <class Real>
KONTRACT_INLINE void deinterleaveCells(const MatrixRows<const Real>& from, int n,
                                       const CellElements<Real>& to, bool stream = false) {
  if (to.cell == 1 && n == simd_width_of<Real>) {
    for (std::int64_t i = 0; i < to.count; ++i) {
      store<vector_bytes>(to.data + i * to.step, load<vector_bytes>(from.data + i * from.step));
    }
  } else {
    scatterCells<Real>(from, n, to, stream);
  }
}

#endif
