// SPDX-License-Identifier: BSD-3-Clause
//
// Where the sums of a sum factorization go.
#ifndef KONTRACT_HOSTFORMSTRIPS_IPP
#define KONTRACT_HOSTFORMSTRIPS_IPP

#include "Kontract_HostFormPerCell.ipp"

/// The fields of a block of the matrix: some families, or all there are.
struct MatrixBlock {
  std::int64_t first_left = 0, first_right = 0;
  bool is_half = false;      ///< pairs of fields stand for their mirrors, which are in it, too
  bool is_mirrored = false;  ///< all pairs stand for their mirrors
};

/// Writes the matrix entries of a strip, some low left fields, for each pair (k,k') of functions of
/// the last direction, and of symmetric matrices their mirrors. Of two matrices of blocks i and j
/// one writes both diagonals.
template <class Real>
struct FormStrip {
  using Vec = Vector<Real, vector_bytes>;
  static constexpr int simd_width = simd_width_of<Real>;

  const HostForms<Real>& forms;
  MatrixBlock fields;
  std::int64_t cell;
  Real *direct, *mirrored;             ///< the matrix of the blocks, and of the blocks exchanged
  std::int64_t row_step, column_step;  ///< of both
  bool is_plain;                       ///< sums are written as they are
  int with_diagonal, past_diagonal;
  std::int64_t lefts, rights;  ///< low fields: of all directions but the last
  std::int64_t first;          ///< low left field
  int rows;                    ///< low left fields of the strip

  FormStrip(const HostForms<Real>& f, const MatrixBlock& of_fields, std::int64_t c, Blocks blocks)
      : forms(f),
        fields(of_fields),
        cell(c),
        direct(f.out + c * f.out_cell + blocks.left * f.out_row + blocks.right * f.out_column),
        mirrored(f.out + c * f.out_cell + blocks.right * f.out_row + blocks.left * f.out_column),
        row_step(f.out_row * f.left_blocks),
        column_step(f.out_column * f.right_blocks),
        is_plain(!leftSigns(f).is_there && !rightSigns(f).is_there && !f.sum_into &&
                 column_step == 1),
        with_diagonal(blocks.left >= blocks.right),
        past_diagonal(blocks.left <= blocks.right) {}

  /// \param k, m  functions of the last direction, left and right
  /// \param sums  rows of `rights` low right fields
  KONTRACT_INLINE void write(std::int64_t k, std::int64_t m, const Real* sums) const {
    const bool is_diagonal = fields.is_half && k == m;
    const std::int64_t l = fields.first_left + k * lefts + first;
    const std::int64_t r = fields.first_right + m * rights;
    for (int row = 0; row < rows; ++row) {
      const std::int64_t end = is_diagonal ? first + row + with_diagonal : rights;
      Real* const to = direct + (l + row) * row_step + r * column_step;
      writeRun({l + row, r, end}, to, sums + row * rights, 1);
    }
    if (fields.is_half || fields.is_mirrored) writeMirrored(l, r, is_diagonal, sums);
  }

 private:
  /// Neighbours of a row of the matrix.
  struct Run {
    std::int64_t row, column, count;
  };

  /// Columns of the strip as rows of the mirrored half.
  KONTRACT_INLINE void writeMirrored(std::int64_t l, std::int64_t r, bool is_diagonal,
                                     const Real* sums) const {
    const std::int64_t whole = is_diagonal ? first : rights;
    std::int64_t column = 0;
    if (is_plain && rows == simd_width) {
      for (; column + simd_width <= whole; column += simd_width) {
        writeTransposed(mirrored + (r + column) * row_step + l, sums + column);
      }
    }
    const std::int64_t end = is_diagonal ? first + rows : rights;
    for (; column < end; ++column) {
      const std::int64_t from = column < whole ? 0 : column - first + past_diagonal;
      Real* const to = mirrored + (r + column) * row_step + (l + from) * column_step;
      writeRun({r + column, l + from, rows - from}, to, sums + from * rights + column, rights);
    }
  }

  KONTRACT_INLINE void writeRun(const Run& run, Real* to, const Real* from,
                                std::int64_t from_step) const {
    if (is_plain && from_step == 1) {
      for (std::int64_t n = 0; n < run.count; ++n) to[n] = from[n];
      return;
    }
    if (is_plain) {
      for (std::int64_t n = 0; n < run.count; ++n) to[n] = from[n * from_step];
      return;
    }
    for (std::int64_t n = 0; n < run.count; ++n) {
      const Real sum = withSigns(forms, cell, run.row, run.column + n, from[n * from_step]);
      to[n * column_step] = forms.sum_into ? to[n * column_step] + sum : sum;
    }
  }

  /// Writes a square of a strip with rows and columns exchanged.
  KONTRACT_INLINE void writeTransposed(Real* to, const Real* from) const {
    Vec block[simd_width];
    for (int row = 0; row < simd_width; ++row) {
      block[row] = load<vector_bytes>(from + row * rights);
    }
    transpose<vector_bytes, Real>(block);
    for (int row = 0; row < simd_width; ++row) {
      store<vector_bytes>(to + row * row_step, block[row]);
    }
  }
};

#endif
