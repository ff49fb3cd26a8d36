// SPDX-License-Identifier: BSD-3-Clause
//
// Operators between the fields of a cell and what it adds to or reads, in place.
#ifndef KONTRACT_HOSTFIELDOPERATORS_IPP
#define KONTRACT_HOSTFIELDOPERATORS_IPP

#include "Kontract_HostSimd.ipp"

/// Calls f(fields, block) with each block of a cell, the last one first where it is `backwards`.
template <bool backwards, class F>
void forEachBlock(const FieldOperators& of, std::int64_t cell, const F& f) {
  const std::int64_t first = of.starts[cell], last = of.starts[cell + 1];
  for (std::int64_t i = first; i < last; ++i) {
    const FieldBlock& block = of.blocks[of.cell_blocks[backwards ? first + last - 1 - i : i]];
    f(of.fields + block.first_field, block);
  }
}

/// Whether each row of a block has one entry, as signs and permutations have; the entries of a
/// block follow each other.
KONTRACT_INLINE bool hasOneEach(const FieldOperators& of, const FieldBlock& block) {
  const std::int64_t* const rows = of.rows + block.first_row;
  bool has_one_each = true;
  for (std::int32_t f = 0; f < block.count; ++f) {
    has_one_each = has_one_each && rows[f + 1] == rows[f] + 1;
  }
  return has_one_each;
}

/// Row i of a block times what its fields had.
template <class Real>
KONTRACT_INLINE Real rowTimes(const FieldOperators& of, std::int64_t row, const Real* before) {
  Real sum = 0;
  for (std::int64_t n = of.rows[row]; n < of.rows[row + 1]; ++n) {
    sum += Real(of.weights[n]) * before[of.columns[n]];
  }
  return sum;
}

/// x = T x of vectors of fields, as many as there are rows, `stride` apart: a vector of a cell, or
/// the columns of its matrix from the right.
/// \param work  room for most_fields
template <class Real>
void transformFields(const FieldOperators& of, std::int64_t cell, Real* x, std::int64_t rows,
                     std::int64_t stride, Real* work) {
  const std::int64_t d = of.components;
  forEachBlock<false>(of, cell, [&](const std::int32_t* fields, const FieldBlock& block) {
    const bool has_one_each = hasOneEach(of, block);
    const std::int32_t* const columns = of.columns + of.rows[block.first_row];
    const double* const weights = of.weights + of.rows[block.first_row];
    for (std::int64_t component = 0; component < d; ++component) {
      Real* row = x + component;
      for (std::int64_t i = 0; i < rows; ++i, row += stride) {
        for (std::int32_t f = 0; f < block.count; ++f) work[f] = row[fields[f] * d];
        if (has_one_each) {
          for (std::int32_t f = 0; f < block.count; ++f) {
            row[fields[f] * d] = Real(weights[f]) * work[columns[f]];
          }
        } else {
          for (std::int32_t f = 0; f < block.count; ++f) {
            row[fields[f] * d] = rowTimes(of, block.first_row + f, work);
          }
        }
      }
    }
  });
}

/// x = T x of the rows of a matrix of a cell, which have no gaps.
/// \param work  room for most_fields rows
template <class Real>
void transformRows(const FieldOperators& of, std::int64_t cell, Real* x, std::int64_t columns,
                   Real* work) {
  const std::int64_t d = of.components;
  forEachBlock<false>(of, cell, [&](const std::int32_t* fields, const FieldBlock& block) {
    for (std::int64_t component = 0; component < d; ++component) {
      const auto row_of = [&](std::int32_t f) { return x + (fields[f] * d + component) * columns; };
      for (std::int32_t f = 0; f < block.count; ++f) {
        const Real* const from = row_of(f);
        for (std::int64_t r = 0; r < columns; ++r) work[f * columns + r] = from[r];
      }
      for (std::int32_t f = 0; f < block.count; ++f) {
        Real* const to = row_of(f);
        const std::int64_t row = block.first_row + f;
        const std::int64_t first = of.rows[row], last = of.rows[row + 1];
        if (first == last) {
          for (std::int64_t r = 0; r < columns; ++r) to[r] = 0;
        }
        for (std::int64_t n = first; n < last; ++n) {
          const Real weight = Real(of.weights[n]);
          const Real* const from = work + of.columns[n] * columns;
          if (n == first) {
            for (std::int64_t r = 0; r < columns; ++r) to[r] = weight * from[r];
          } else {
            for (std::int64_t r = 0; r < columns; ++r) to[r] += weight * from[r];
          }
        }
      }
    }
  });
}

/// x = T^T x of a vector of a cell.
/// \param work  room for most_fields
template <class Real>
void transformBack(const FieldOperators& of, std::int64_t cell, Real* x, Real* work) {
  const std::int64_t d = of.components;
  forEachBlock<true>(of, cell, [&](const std::int32_t* fields, const FieldBlock& block) {
    for (std::int64_t component = 0; component < d; ++component) {
      Real* const at = x + component;
      for (std::int32_t f = 0; f < block.count; ++f) {
        work[f] = at[fields[f] * d];
        at[fields[f] * d] = 0;
      }
      for (std::int32_t f = 0; f < block.count; ++f) {
        const std::int64_t row = block.first_row + f;
        for (std::int64_t n = of.rows[row]; n < of.rows[row + 1]; ++n) {
          at[fields[of.columns[n]] * d] += Real(of.weights[n]) * work[f];
        }
      }
    }
  });
}

#endif
