// SPDX-License-Identifier: BSD-3-Clause
//
// Basis apply for interleaved cells: from coefficients to values at points, and back.
//
// With tensor-product bases both are tensor contractions, direction by direction (S. Orszag, 1980);
// otherwise they are products with the matrix of all values.
#ifndef KONTRACT_HOSTBASISAPPLY_IPP
#define KONTRACT_HOSTBASISAPPLY_IPP

#include "Kontract_HostInterleavedPoints.ipp"
#include "Kontract_HostTiledMatrix.ipp"

/// A sum over one index of an array of vectors, k, the slowest one, which becomes the row, the
/// fastest one: to(column, row) = sum over k of table(row, k) from(k, column). All three sums of a
/// tensor product are then alike, and the columns of each are contiguous.
template <class Real>
struct DirectionContraction {
  const TiledMatrix<Real>& table;
  const Real* from;
  Real* to;
  std::int64_t columns;
  std::int64_t step;  ///< from one vector to the next, in reals
  bool is_first;      ///< otherwise sums are added to
  CellPrefetch<Real>& prefetch;
};

/// Some columns of a contraction, for a tile of rows.
template <class Real, int rows, int vectors>
void contractColumns(const DirectionContraction<Real>& contraction, std::int64_t first_row,
                     std::int64_t first, std::int64_t last) {
  using Vec = Vector<Real, vector_bytes>;
  const std::int64_t terms = contraction.table.terms, step = contraction.step,
                     all_rows = contraction.table.rows;
  const std::int64_t from_row = contraction.columns * step;
  for (std::int64_t column = first; column < last; column += vectors) {
    Real* const to = contraction.to + (column * all_rows + first_row) * step;
    Vec sum[rows][vectors];
    for (int i = 0; i < rows; ++i) {
      for (int v = 0; v < vectors; ++v) {
        sum[i][v] =
            contraction.is_first ? Vec{} : load<vector_bytes>(to + (v * all_rows + i) * step);
      }
    }
    const Real* left = contraction.table.values + first_row * terms;
    const Real* right = contraction.from + column * step;
    for (std::int64_t k = 0; k < terms; ++k, left += rows, right += from_row) {
      Vec b[vectors];
#pragma GCC unroll 4
      for (int v = 0; v < vectors; ++v) b[v] = load<vector_bytes>(right + v * step);
#pragma GCC unroll 8
      for (int i = 0; i < rows; ++i) {
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v) sum[i][v] += left[i] * b[v];
      }
    }
    for (int i = 0; i < rows; ++i) {
      for (int v = 0; v < vectors; ++v) {
        store<vector_bytes>(to + (v * all_rows + i) * step, sum[i][v]);
      }
    }
    contraction.prefetch.advance();
  }
}

template <class Real>
using ContractColumns = void (*)(const DirectionContraction<Real>&, std::int64_t, std::int64_t,
                                 std::int64_t);

template <class Real, int rows>
ContractColumns<Real> contractColumnsOf(int vectors) {
  constexpr int most = form_tile_sums / rows;
  switch (vectors) {
    case 1: return &contractColumns<Real, rows, 1>;
    case 2: return &contractColumns<Real, rows, (most < 2 ? most : 2)>;
    case 3: return &contractColumns<Real, rows, (most < 3 ? most : 3)>;
    default: return &contractColumns<Real, rows, (most < 4 ? most : 4)>;
  }
}
template <class Real>
ContractColumns<Real> contractColumnsOf(int rows, int vectors) {
  switch (rows) {
    case 1: return contractColumnsOf<Real, 1>(vectors);
    case 2: return contractColumnsOf<Real, 2>(vectors);
    case 3: return contractColumnsOf<Real, 3>(vectors);
    case 4: return contractColumnsOf<Real, 4>(vectors);
    case 5: return contractColumnsOf<Real, 5>(vectors);
    case 6: return contractColumnsOf<Real, 6>(vectors);
    case 7: return contractColumnsOf<Real, 7>(vectors);
    default: return contractColumnsOf<Real, 8>(vectors);
  }
}

/// Computes a contraction in tiles as even as they can be.
template <class Real>
void contractDirection(const DirectionContraction<Real>& contraction) {
  const TiledMatrix<Real>& table = contraction.table;
  for (std::int64_t row = 0; row < table.rows; row += table.tile_rows) {
    const int rows = table.rows - row < table.tile_rows ? int(table.rows - row) : table.tile_rows;
    const int fit = form_tile_sums / rows;
    const std::int64_t most = fit < form_tile_vectors ? fit : form_tile_vectors;
    const std::int64_t tiles = (contraction.columns + most - 1) / most;
    const int vectors = int((contraction.columns + tiles - 1) / tiles);
    // Of these, some have a vector less.
    const std::int64_t wide = (contraction.columns - tiles * (vectors - 1)) * vectors;
    contractColumnsOf<Real>(rows, vectors)(contraction, row, 0, wide);
    if (wide < contraction.columns)
      contractColumnsOf<Real>(rows, vectors - 1)(contraction, row, wide, contraction.columns);
  }
}

/// Basis apply of one side of a term: values of fields at all points, and sums over points against
/// all fields.
template <class R, int D>
struct BasisApply {
  using Real = R;
  static constexpr int simd_width = simd_width_of<Real>, last = D - 1;

  const PlainValues<Real>* values = nullptr;
  CellPrefetch<Real>* prefetch = nullptr;
  int components = 1;
  std::int64_t fields = 0, points = 0;
  // Of a tensor-product basis by direction: of functions, of their derivatives, and, to fields, of
  // both after one another. Otherwise the first holds all values.
  static constexpr int tables = 3, functions = 0, derivatives = 1, both = 2;
  TiledMatrix<Real> to_points[D][tables], to_fields[D][tables];

  BasisApply() = default;
  BasisApply(const PlainValues<Real>& v, int n, std::int64_t f, std::int64_t p,
             CellPrefetch<Real>& next)
      : values(&v), prefetch(&next), components(n), fields(f), points(p) {
    if (!isProduct()) {
      to_points[0][0] = {points * components, fields};
      to_fields[0][0] = {fields, points * components};
      return;
    }
    for (int d = 0; d < D; ++d) {
      const std::int64_t n_d = functionsOf(d), p_d = pointsOf(d);
      to_points[d][functions] = {p_d, n_d};
      to_fields[d][functions] = {n_d, p_d};
      if (!v.is_gradient) continue;
      to_points[d][derivatives] = {p_d, n_d};
      to_fields[d][derivatives] = {n_d, p_d};
      to_fields[d][both] = {n_d, 2 * p_d};
    }
  }

  bool isProduct() const { return D > 1 && values->directions == D; }

  /// Reals of tables: to points or to fields, whichever are more.
  std::int64_t tableReals() const {
    std::int64_t sum = 0;
    for (int d = 0; d < D; ++d) {
      for (int kind = 0; kind < tables; ++kind) {
        sum += roundUp(to_fields[d][kind].reals(), 64 / std::int64_t(sizeof(Real)));
      }
    }
    return sum;
  }
  /// Reals that evaluate() and integrate() work in.
  std::int64_t workReals(std::int64_t width) const {
    if (!isProduct()) return 0;
    const std::int64_t evaluated = 2 * intermediateSize(last, D) + 3 * intermediateSize(1, D);
    const std::int64_t integrated = 2 * intermediateSize(0, 1) + 3 * intermediateSize(0, last);
    return (evaluated > integrated ? evaluated : integrated) * width;
  }

  /// Tiles of contractions that evaluate() or integrate() takes at least.
  std::int64_t tiles() const {
    return isProduct() ? (workReals(1) + components * points) / form_tile_sums : 0;
  }

  // Where values at points lie.
  std::int64_t ofPoint(std::int64_t width) const {
    return isProduct() ? width : components * width;
  }
  std::int64_t ofComponent(std::int64_t width) const {
    return isProduct() ? points * width : width;
  }

  void packToPoints(FormMemory<Real>& memory) {
    if (!isProduct()) {
      to_points[0][0].pack(memory, [&](std::int64_t row, std::int64_t field) {
        return at(*values, 0, field, row / components, row % components);
      });
      return;
    }
    packDirections(to_points, memory, [&](int d, int kind, std::int64_t p, std::int64_t f) {
      return at(values->direction[d], kind == derivatives, f, p);
    });
  }
  void packToFields(FormMemory<Real>& memory) {
    if (!isProduct()) {
      to_fields[0][0].pack(memory, [&](std::int64_t field, std::int64_t term) {
        return at(*values, 0, field, term / components, term % components);
      });
      return;
    }
    packDirections(to_fields, memory, [&](int d, int kind, std::int64_t f, std::int64_t p) {
      const bool is_derivative = kind == derivatives || (kind == both && p < pointsOf(d));
      return at(values->direction[d], is_derivative, f, p % pointsOf(d));
    });
  }

  /// at_points = values of the field with these coefficients
  void evaluate(const Real* coefficients, Real* at_points, std::int64_t width, Real* work) const {
    if (!isProduct()) {
      to_points[0][0].multiply({coefficients, width}, {at_points, width}, width, true);
      return;
    }
    for (std::int64_t vector = 0; vector < width; vector += simd_width) {
      evaluateProduct(coefficients + vector, at_points + vector, width, work + vector);
    }
  }

  /// sums (+)= for each field the sum over points and components of at_points times its values
  void integrate(const Real* at_points, Real* sums, std::int64_t width, bool is_first,
                 Real* work) const {
    if (!isProduct()) {
      to_fields[0][0].multiply({at_points, width}, {sums, width}, width, is_first);
      return;
    }
    for (std::int64_t vector = 0; vector < width; vector += simd_width) {
      integrateProduct(at_points + vector, sums + vector, width, is_first, work + vector);
    }
  }

 private:
  std::int64_t pointsOf(int d) const { return values->direction[d].points; }
  std::int64_t functionsOf(int d) const { return values->direction[d].functions; }

  /// Elements of an intermediate array: directions from first to end are of points, the others of
  /// functions.
  std::int64_t intermediateSize(int first, int end) const {
    std::int64_t product = 1;
    for (int d = 0; d < D; ++d) product *= first <= d && d < end ? pointsOf(d) : functionsOf(d);
    return product;
  }

  template <class At>
  static void packDirections(TiledMatrix<Real> (&all)[D][tables], FormMemory<Real>& memory,
                             const At& value) {
    for (int d = 0; d < D; ++d) {
      for (int kind = 0; kind < tables; ++kind) {
        all[d][kind].pack(
            memory, [&](std::int64_t row, std::int64_t term) { return value(d, kind, row, term); });
      }
    }
  }

  /// A contraction along a direction: its index, the slowest one, becomes the fastest one.
  void contractAlong(const TiledMatrix<Real>& table, const Real* from, Real* to,
                     std::int64_t outputs, std::int64_t step, bool is_first = true) const {
    if (outputs == 0) return;
    contractDirection<Real>({table, from, to, outputs / table.rows, step, is_first, *prefetch});
  }

  void evaluateProduct(const Real* coefficients, Real* at_points, std::int64_t step,
                       Real* work) const {
    const bool is_gradient = values->is_gradient;
    const std::int64_t a_size = intermediateSize(last, D), b_size = intermediateSize(1, D);
    Real *const a = work, *const b = D == 2 ? work : work + 2 * a_size * step;
    contractAlong(to_points[last][functions], coefficients, a, a_size, step);
    if (is_gradient) {
      contractAlong(to_points[last][derivatives], coefficients, a + a_size * step, a_size, step);
    }
    if constexpr (D == 3) {
      contractAlong(to_points[1][functions], a, b, b_size, step);
      if (is_gradient) {
        contractAlong(to_points[1][derivatives], a, b + b_size * step, b_size, step);
        contractAlong(to_points[1][functions], a + a_size * step, b + 2 * b_size * step, b_size,
                      step);
      }
    }
    for (int i = 0; i < (is_gradient ? D : 1); ++i) {
      const int kind = is_gradient && i == 0 ? derivatives : functions;
      contractAlong(to_points[0][kind], b + i * b_size * step, at_points + i * points * step,
                    points, step);
    }
  }

  void integrateProduct(const Real* at_points, Real* sums, std::int64_t step, bool is_first,
                        Real* work) const {
    const bool is_gradient = values->is_gradient;
    const std::int64_t a_size = intermediateSize(0, 1), b_size = intermediateSize(0, last);
    Real *const a = work, *const b = D == 2 ? work : work + 2 * a_size * step;
    for (int i = 0; i < (is_gradient ? D : 1); ++i) {
      const int kind = is_gradient && i == last ? derivatives : functions;
      contractAlong(to_fields[last][kind], at_points + i * points * step, b + i * b_size * step,
                    b_size, step);
    }
    if constexpr (D == 3) {
      contractAlong(to_fields[1][functions], b, a, a_size, step);
      // In y the second component goes by derivatives, and the third by functions.
      if (is_gradient)
        contractAlong(to_fields[1][both], b + b_size * step, a + a_size * step, a_size, step);
    }
    contractAlong(to_fields[0][is_gradient ? both : functions], a, sums, fields, step, is_first);
  }
};

#endif
