// SPDX-License-Identifier: BSD-3-Clause
//
// Small matrices that interleaved cells are multiplied by.
#ifndef KONTRACT_HOSTTILEDMATRIX_IPP
#define KONTRACT_HOSTTILEDMATRIX_IPP

#include "Kontract_HostFormPoints.ipp"
#include "Kontract_HostFormTile.ipp"

/// A small matrix in tiles of rows, to be multiplied by rows of vectors.
template <class Real>
struct TiledMatrix {
  static constexpr int simd_width = simd_width_of<Real>;
  static constexpr int least_vectors = 2;  ///< of tiles, or each entry is read for one product
  std::int64_t rows = 0, terms = 0;
  int tile_rows = 1;
  Real* values = nullptr;

  TiledMatrix() = default;
  TiledMatrix(std::int64_t r, std::int64_t t)
      : rows(r), terms(t), tile_rows(r > 0 ? formTileRows<Real>(r, least_vectors) : 1) {}
  TiledMatrix(std::int64_t r, std::int64_t t, int of_tile)
      : rows(r), terms(t), tile_rows(of_tile) {}

  std::int64_t reals() const { return rows * terms; }

  /// \param at  at(row, term)
  template <class At>
  void pack(FormMemory<Real>& memory, const At& at) {
    values = memory.take(reals());
    Real* to = values;
    for (std::int64_t first = 0; first < rows; first += tile_rows) {
      const std::int64_t end = first + tile_rows < rows ? first + tile_rows : rows;
      for (std::int64_t k = 0; k < terms; ++k) {
        for (std::int64_t row = first; row < end; ++row) *to++ = at(row, k);
      }
    }
  }

  /// Rows from one on, the first of a tile, and some terms.
  struct Part {
    std::int64_t first_row, first_term, terms;
  };

  /// sums(row) (+)= sum over k of table(row,k) right(k), rows of so many reals
  void multiply(MatrixRows<const Real> right, MatrixRows<Real> sums, std::int64_t width,
                bool is_first) const {
    multiply({0, 0, terms}, right, sums, width, is_first);
  }

  /// The same with a part of the matrix, whose terms the right side begins with.
  void multiply(const Part& part, MatrixRows<const Real> right, MatrixRows<Real> sums,
                std::int64_t width, bool is_first) const {
    for (std::int64_t first = part.first_row; first < rows; first += tile_rows) {
      const int here = rows - first < tile_rows ? int(rows - first) : tile_rows;
      const int most =
          form_tile_sums / here < form_tile_vectors ? form_tile_sums / here : form_tile_vectors;
      for (std::int64_t column = 0; column < width; column += most * simd_width) {
        const std::int64_t rest = (width - column) / simd_width;
        formTileOf<Real>(here, rest < most ? int(rest) : most)(
            values + first * terms + part.first_term * here, {right.data + column, right.step},
            part.terms, {sums.data + first * sums.step + column, sums.step}, is_first);
      }
    }
  }
};

#endif
