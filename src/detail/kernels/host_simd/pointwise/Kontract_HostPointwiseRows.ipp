// SPDX-License-Identifier: BSD-3-Clause
//
// Short rows of memory: repeated, and gathered from strided arrays and scattered to them.
#ifndef KONTRACT_HOSTPOINTWISEROWS_IPP
#define KONTRACT_HOSTPOINTWISEROWS_IPP

#include "Kontract_HostPoints.ipp"

/// Each row so many times, [rows][row] as [rows][times][row], by the narrowest vectors that hold
/// what is short. Reads and writes up to a vector more than that: the next row is written over it,
/// which costs less than an end of its own for each row.
/// \param row  reals of a row
template <class S, int bytes = S::width>
void replicateRows(const typename S::Real* from, std::int64_t rows, std::int64_t row,
                   std::int64_t times, typename S::Real* to) {
  constexpr int vector_reals = bytes / int(sizeof(typename S::Real));
  const bool is_scalar = row == S::reals;
  const std::int64_t length = row * times, held = is_scalar ? length : row;
  if constexpr (bytes > unit_bytes) {
    if (2 * held <= vector_reals) return replicateRows<S, bytes / 2>(from, rows, row, times, to);
  }
  for (std::int64_t r = 0; r < rows; ++r, from += row, to += length) {
    if (is_scalar) {
      Vector<typename S::Real, bytes> v;
#pragma GCC unroll 16
      for (int i = 0; i < vector_reals; ++i) v[i] = from[i % S::reals];
      for (std::int64_t k = 0; k < length; k += vector_reals) store<bytes>(to + k, v);
    } else if (row <= vector_reals) {
      const auto v = load<bytes>(from);
      for (std::int64_t k = 0; k < length; k += row) store<bytes>(to + k, v);
    } else {
      for (std::int64_t k = 0; k < length; k += row) {
        for (std::int64_t i = 0; i < row; i += vector_reals) {
          store<bytes>(to + k + i, load<bytes>(from + i));
        }
      }
    }
  }
}

/// Some neighbouring cells, fields and points.
struct PointwiseBlock {
  std::int64_t cells, fields, points;
  std::int64_t items() const { return cells * fields * points; }
};

/// Where small tensors lie in an array: strides, and offsets of their components.
struct TensorPlaces {
  std::int64_t cell, field, point;
  const std::int64_t* at;
  int components;
  bool is_dense;  ///< tensors of a field's points follow one another
};

/// Calls move(scalar in the array, where it is if tensors follow one another) for each scalar.
template <class S, int components, class Array, class Dense, class Move>
KONTRACT_INLINE void forComponents(Array* array, const TensorPlaces& places,
                                   const PointwiseBlock& block, Dense* dense, const Move& move) {
  std::int64_t at[components];
  for (int k = 0; k < components; ++k) at[k] = places.at[k] * S::reals;
  for (std::int64_t cell = 0; cell < block.cells; ++cell) {
    for (std::int64_t field = 0; field < block.fields; ++field) {
      Array* tensor = array + (cell * places.cell + field * places.field) * S::reals;
      for (std::int64_t point = 0; point < block.points; ++point) {
#pragma GCC unroll 9
        for (int k = 0; k < components; ++k, dense += S::reals) move(tensor + at[k], dense);
        tensor += places.point * S::reals;
      }
    }
  }
}
template <class S, class Array, class Dense, class Move>
KONTRACT_INLINE void forTensors(Array* array, const TensorPlaces& places,
                                const PointwiseBlock& block, Dense* dense, const Move& move) {
  if (places.is_dense) {
    const std::int64_t first = 0;
    const TensorPlaces scalars{places.cell, places.field, 1, &first, 1, true};
    const PointwiseBlock rows{block.cells, block.fields, block.points * places.components};
    return forComponents<S, 1>(array, scalars, rows, dense, move);
  }
  switch (places.components) {
    case 1: return forComponents<S, 1>(array, places, block, dense, move);
    case 2: return forComponents<S, 2>(array, places, block, dense, move);
    case 3: return forComponents<S, 3>(array, places, block, dense, move);
    case 4: return forComponents<S, 4>(array, places, block, dense, move);
    case 9: return forComponents<S, 9>(array, places, block, dense, move);
    default: break;
  }
}
constexpr bool hasTensorsOf(std::int64_t components) {
  return (components >= 1 && components <= 4) || components == 9;
}

/// Tensors of a block, one after another.
template <class S>
void gatherTensors(const typename S::Real* array, const TensorPlaces& places,
                   const PointwiseBlock& block, typename S::Real* to) {
  using Real = typename S::Real;
  forTensors<S>(array, places, block, to, [](const Real* from, Real* dense) KONTRACT_INLINE_LAMBDA {
    for (int part = 0; part < S::reals; ++part) dense[part] = from[part];
  });
}
/// The reverse.
template <class S>
void scatterTensors(const typename S::Real* from, const TensorPlaces& places,
                    const PointwiseBlock& block, typename S::Real* array) {
  using Real = typename S::Real;
  forTensors<S>(array, places, block, from, [](Real* to, const Real* dense) KONTRACT_INLINE_LAMBDA {
    for (int part = 0; part < S::reals; ++part) to[part] = dense[part];
  });
}

#endif
