// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers of the fields of interleaved cells, between arrays and kernels.
#ifndef KONTRACT_HOSTFIELDVECTORS_IPP
#define KONTRACT_HOSTFIELDVECTORS_IPP

#include "Kontract_HostInterleavedPoints.ipp"

/// Where neighbouring fields of cells are.
template <class Real>
struct FieldsOfCells {
  Real* data;  ///< of the first field of the first cell
  std::int64_t cell, field, count;
};

/// Multiplies fields by their signs, and leaves them in the output.
template <class R>
struct FieldVectors {
  using Real = R;
  static constexpr int simd_width = simd_width_of<Real>;

  std::int64_t most_fields = 0;
  Real *signs = nullptr, *before = nullptr;

  std::int64_t reals() const { return 2 * (most_fields * simd_width + 64 / std::int64_t(sizeof(Real))); }
  void begin(FormMemory<Real>& memory) {
    signs = memory.take(most_fields * simd_width);
    before = memory.take(most_fields * simd_width);
  }

  /// Multiplies fields of n cells from c on by their signs, if they have some.
  /// \param width  from one field to the next
  void applySigns(const PlainArray<Real>& of, std::int64_t c, int n, std::int64_t count, Real* to,
                  std::int64_t width) const {
    if (!of.is_there) return;
    interleaveCells<Real>({of.data + c * of.cell, of.cell, of.field, count}, n,
                          {signs, simd_width});
    for (std::int64_t f = 0; f < count; ++f) {
      store<vector_bytes>(to + f * width, load<vector_bytes>(to + f * width) *
                                              load<vector_bytes>(signs + f * simd_width));
    }
  }

  /// Leaves the fields of n cells, or adds them to what is there.
  void leave(const FieldsOfCells<Real>& to, int n, Real* from, std::int64_t width,
             bool sum_into) const {
    if (sum_into) {
      interleaveCells<Real>({to.data, to.cell, to.field, to.count}, n, {before, simd_width});
      for (std::int64_t f = 0; f < to.count; ++f) {
        store<vector_bytes>(from + f * width, load<vector_bytes>(from + f * width) +
                                                  load<vector_bytes>(before + f * simd_width));
      }
    }
    deinterleaveCells<Real>({from, width}, n, {to.data, to.cell, to.field, to.count});
  }
};

#endif
