// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers of the fields of interleaved cells, or of one, between arrays and kernels.
#ifndef KONTRACT_HOSTFIELDVECTORS_IPP
#define KONTRACT_HOSTFIELDVECTORS_IPP

#include "Kontract_HostInterleavedPoints.ipp"

/// Where neighbouring fields of cells are.
template <class Real>
struct FieldsOfCells {
  Real* data;  ///< of the first field of the first cell
  std::int64_t cell, field, count;
};

/// Reads fields, multiplies them by their signs, and leaves them in the output.
template <class R, Lanes lanes = Lanes::Cells>
struct FieldVectors {
  using Real = R;
  static constexpr int simd_width = simd_width_of<Real>;

  std::int64_t most_fields = 0;
  Real *signs = nullptr, *before = nullptr;

  std::int64_t reals() const {
    return 2 * (most_fields * simd_width + 64 / std::int64_t(sizeof(Real)));
  }
  void begin(FormMemory<Real>& memory) {
    signs = memory.takeZeros(most_fields * simd_width);
    before = memory.takeZeros(most_fields * simd_width);
  }

  /// Reads fields of n cells, or of one.
  /// \param width  from one field to the next
  void read(const FieldsOfCells<const Real>& from, int n, Real* to, std::int64_t width) const {
    if constexpr (lanes == Lanes::Cells) {
      interleaveCells<Real>({from.data, from.cell, from.field, from.count}, n, {to, width});
    } else {
      copyFields({from.data, from.field}, {to, 1}, from.count);
    }
  }

  /// Multiplies fields of cells from c on by their signs, if they have some.
  void applySigns(const PlainArray<Real>& of, std::int64_t c, int n, std::int64_t count, Real* to,
                  std::int64_t width) const {
    if (!of.is_there) return;
    constexpr std::int64_t step = lanes == Lanes::Cells ? simd_width : 1;
    read({of.data + c * of.cell, of.cell, of.field, count}, n, signs, step);
    forEachVector(count, width, step, [&](std::int64_t at, std::int64_t sign) {
      store<vector_bytes>(to + at, load<vector_bytes>(to + at) * load<vector_bytes>(signs + sign));
    });
  }

  /// Leaves the fields of n cells, or of one, or adds them to what is there.
  void leave(const FieldsOfCells<Real>& to, int n, Real* from, std::int64_t width,
             bool sum_into) const {
    if (sum_into) {
      constexpr std::int64_t step = lanes == Lanes::Cells ? simd_width : 1;
      read({to.data, to.cell, to.field, to.count}, n, before, step);
      forEachVector(to.count, width, step, [&](std::int64_t at, std::int64_t old) {
        store<vector_bytes>(from + at,
                            load<vector_bytes>(from + at) + load<vector_bytes>(before + old));
      });
    }
    if constexpr (lanes == Lanes::Cells) {
      deinterleaveCells<Real>({from, width}, n, {to.data, to.cell, to.field, to.count});
    } else {
      copyFields({from, 1}, {to.data, to.field}, to.count);
    }
  }

 private:
  /// Calls f(place among fields, place in memory of its own) for vectors of these; of one cell the
  /// last one may reach past the fields.
  template <class F>
  static void forEachVector(std::int64_t count, std::int64_t width, std::int64_t step, const F& f) {
    if constexpr (lanes == Lanes::Cells) {
      for (std::int64_t i = 0; i < count; ++i) f(i * width, i * step);
    } else {
      for (std::int64_t i = 0; i < count; i += simd_width) f(i, i);
    }
  }

  /// Of one cell; from one field to the next there is a step.
  static void copyFields(MatrixRows<const Real> from, MatrixRows<Real> to, std::int64_t count) {
    std::int64_t i = 0;
    if (from.step == 1 && to.step == 1) {
      for (; i + simd_width <= count; i += simd_width) {
        store<vector_bytes>(to.data + i, load<vector_bytes>(from.data + i));
      }
    }
    for (; i < count; ++i) to.data[i * to.step] = from.data[i * from.step];
  }
};

#endif
