// SPDX-License-Identifier: BSD-3-Clause
//
// Element matrices and vectors of affine cells with coefficients that are constant in each.
//
// The matrix k between left and right values is then the same at all points of a cell, and
//
//     matrix(c,l,r) = sum over a, b of k(c)(a,b) g(a,b,l,r),
//     g(a,b,l,r) = sum over p of weight(p) left(l,p,a) right(r,p,b).
//
// The g are the same for all cells and computed once (see Kirby and Logg, "A compiler for
// variational forms", 2006); what is left of a cell is a sum of a few terms. Cells are interleaved
// when k is computed, and the rows of register tiles when it is multiplied by g.
#ifndef KONTRACT_HOSTFORMREFERENCETENSORS_IPP
#define KONTRACT_HOSTFORMREFERENCETENSORS_IPP

#include "Kontract_HostFormPerCell.ipp"

/// Computes such cells, a vector of them at a time.
template <class R, int D>
struct ReferenceTensors {
  using Real = R;
  using Vec = Vector<Real, vector_bytes>;
  static constexpr int simd_width = simd_width_of<Real>;

  const HostForms<Real>& forms;
  FormColumns columns;
  int rows;
  Real *point_matrices, *panel, *sums, *right;
  Real* table[max_form_terms];

  explicit ReferenceTensors(const HostForms<Real>& f)
      : forms(f), columns(f.rights, simd_width, form_tile_vectors) {
    rows = form_tile_sums / columns.usual_vectors;
    rows = rows > form_tile_rows ? form_tile_rows : rows;
    rows = rows > simd_width ? simd_width : rows;
  }

  int components(int t) const {
    const PlainTerm<Real>& term = forms.terms[t];
    return (term.left_is_vector ? D : 1) * (term.right_is_vector ? D : 1);
  }
  std::int64_t tableReals(int t) const {
    return forms.lefts * components(t) * std::int64_t(columns.vectors) * simd_width;
  }
  std::int64_t rightReals() const {
    return forms.points * D * std::int64_t(columns.usual_vectors) * simd_width;
  }
  std::int64_t reals() const {
    std::int64_t sum =
        D * D * (simd_width + rows) + rows * columns.usual_vectors * simd_width + rightReals();
    for (int t = 0; t < forms.term_count; ++t) sum += tableReals(t);
    return sum + (4 + forms.term_count) * (64 / std::int64_t(sizeof(Real)));
  }

  void begin(FormMemory<Real>& memory) {
    point_matrices = memory.take(D * D * simd_width);
    panel = memory.take(D * D * rows);
    sums = memory.take(rows * columns.usual_vectors * simd_width);
    right = memory.take(rightReals());
    for (int t = 0; t < forms.term_count; ++t) {
      table[t] = memory.take(tableReals(t));
      makeTable(t);
    }
  }

  void compute(std::int64_t first_cell, std::int64_t last_cell) {
    for (std::int64_t c = first_cell; c < last_cell; c += simd_width) {
      const int n = last_cell - c < simd_width ? int(last_cell - c) : simd_width;
      for (int i = 0; i < forms.left_blocks; ++i) {
        for (int j = 0; j < forms.right_blocks; ++j) computeBlock(c, n, i, j);
      }
    }
  }

 private:
  /// The g of a term: for each left field and each tile of right fields, all (a,b).
  void makeTable(int t) {
    const PlainTerm<Real>& term = forms.terms[t];
    const int nl = term.left_is_vector ? D : 1, nr = term.right_is_vector ? D : 1;
    const bool has_weights = forms.has_mapping && !forms.weights_are_measures;
    const std::int64_t of_left = std::int64_t(nl) * nr * columns.vectors * simd_width;
    for (int tile = 0; tile < columns.tiles; ++tile) {
      const ColumnRange range = columns.rangeOf(tile);
      const int width = range.width;
      packColumns(forms, term.right, nr, 0, range, right);
      Real* of_tile = table[t] + range.first * nl * nr;
      for (std::int64_t l = 0; l < forms.lefts; ++l, of_tile += of_left) {
        for (int e = 0; e < nl * nr; ++e) {
          Real* const to = of_tile + e * width;
          for (int n = 0; n < width; ++n) to[n] = 0;
          for (std::int64_t p = 0; p < forms.points; ++p) {
            const Real weight = has_weights ? at(forms.weights, 0, 0, p) : Real(1);
            const Vec left = Vec{} + weight * at(term.left, 0, l, p, e / nr);
            const Real* const from = right + (p * nr + e % nr) * width;
            for (int n = 0; n < width; n += simd_width) {
              store<vector_bytes>(to + n,
                                  load<vector_bytes>(to + n) + left * load<vector_bytes>(from + n));
            }
          }
        }
      }
    }
  }

  /// A vector of an array in n cells from c on; past the last of them, in that.
  KONTRACT_INLINE Vec inCells(const PlainArray<Real>& t, std::int64_t c, int n,
                              std::int64_t offset) const {
    const Real* const data = t.data + c * t.cell + offset;
    if (t.cell == 1 && n == simd_width) return load<vector_bytes>(data);
    Vec v;
    for (int lane = 0; lane < simd_width; ++lane)
      v[lane] = data[(lane < n ? lane : n - 1) * t.cell];
    return v;
  }

  void computeGeometry(std::int64_t c, int n, PointGeometry<D, Vec>& g) const {
    const PlainArray<Real>& mapping = forms.mapping;
    g.measure = constantOf<Vec>(1);
    if (forms.weights_are_measures && forms.weights.is_there) {
      g.measure = inCells(forms.weights, c, n, 0);
    }
    if (!forms.has_mapping) return;
    const auto entry = [&](int i, int j) {
      if (!forms.gradients.is_there) {
        return inCells(mapping, c, n, i * mapping.row + j * mapping.column);
      }
      Vec sum = {};
      for (std::int64_t node = 0; node < forms.nodes; ++node) {
        sum += inCells(mapping, c, n, node * mapping.field + i * mapping.row) *
               at(forms.gradients, 0, node, 0, j);
      }
      return sum;
    };
    for (int i = 0; i < D; ++i) {
      for (int j = 0; j < D; ++j) g.jacobian[i][j] = entry(i, j);
    }
    completeGeometry<D>(forms.space_dimension, entry, g);
    multiplyBySize<D>(
        forms, [&](int a) KONTRACT_INLINE_LAMBDA { return normal(a); }, g);
  }

  KONTRACT_INLINE Vec normal(int a) const { return Vec{} + at(forms.normals, 0, 0, 0, a); }

  template <int NL, int NR>
  void computePointMatrices(const PlainTerm<Real>& term, const PointGeometry<D, Vec>& g,
                            std::int64_t c, int n, int i, int j) {
    const PlainArray<Real>& from = term.coefficient;
    Vec k[NL][NR] = {};
    termPointMatrix<D, NL, NR>(
        term, g, i, j,
        [&](std::int64_t row, std::int64_t column) KONTRACT_INLINE_LAMBDA {
          return inCells(from, c, n, row * from.row + column * from.column);
        },
        [&]() KONTRACT_INLINE_LAMBDA { return inCells(term.second, c, n, 0); },
        [&](int a) KONTRACT_INLINE_LAMBDA { return normal(a); }, k);
    for (int e = 0; e < NL * NR; ++e)
      store<vector_bytes>(point_matrices + e * simd_width, k[e / NR][e % NR]);
  }

  void computeBlock(std::int64_t c, int n, int i, int j) {
    PointGeometry<D, Vec> g = {};
    computeGeometry(c, n, g);
    bool is_first = true;
    for (int t = 0; t < forms.term_count; ++t) {
      const PlainTerm<Real>& term = forms.terms[t];
      if (!couples(term, i, j)) continue;
      withTermComponents<D>(term, [&](auto nl, auto nr) KONTRACT_INLINE_LAMBDA {
        computePointMatrices<decltype(nl)::value, decltype(nr)::value>(term, g, c, n, i, j);
      });
      multiply(t, c, n, i, j, !is_first);
      is_first = false;
    }
  }

  /// Matrices of some cells, a few at a time: their k times g, for each left field.
  void multiply(int t, std::int64_t c, int n, int i, int j, bool add) {
    const int terms = components(t);
    for (int from = 0; from < n; from += rows) {
      const int used = n - from < rows ? n - from : rows;
      for (int e = 0; e < terms; ++e) {
        for (int row = 0; row < rows; ++row) {
          panel[e * rows + row] = point_matrices[e * simd_width + from + (row < used ? row : 0)];
        }
      }
      const Real* g = table[t];
      for (std::int64_t l = 0; l < forms.lefts; ++l) {
        for (int tile = 0; tile < columns.tiles; ++tile) {
          const int here = columns.vectorsOf(tile), width = here * simd_width;
          formTileOf<Real>(rows, here)(panel, {g, width}, terms, {sums, width}, true);
          g += terms * width;
          write(c + from, used, l, columns.rangeOf(tile).first, width, i, j, add);
        }
      }
    }
  }

  /// Writes a part of a row of the matrices of some cells. Numbers, not structs of them: this is
  /// the innermost work of small affine cells.
  void write(std::int64_t c, int cells, std::int64_t l, std::int64_t first, int width, int i, int j,
             bool add) const {
    const std::int64_t step = forms.out_column * forms.right_blocks;
    const int n = forms.rights - first < width ? int(forms.rights - first) : width;
    const bool has_signs = leftSigns(forms).is_there || rightSigns(forms).is_there;
    for (int cell = 0; cell < cells; ++cell) {
      const Real* const row = sums + cell * width;
      Real* const to = forms.out + (c + cell) * forms.out_cell +
                       (l * forms.left_blocks + i) * forms.out_row + first * step +
                       j * forms.out_column;
      if (!has_signs && !add && !forms.sum_into && step == 1) {
        for (int r = 0; r < n; ++r) to[r] = row[r];
        continue;
      }
      for (int r = 0; r < n; ++r) {
        const Real sum = withSigns(forms, c + cell, l, first + r, row[r]);
        to[r * step] = add || forms.sum_into ? to[r * step] + sum : sum;
      }
    }
  }
};

/// Whether a call had better compute the g first: they are worth some cells' work.
template <class Real>
bool favorsReferenceTensors(const HostForms<Real>& forms) {
  constexpr std::int64_t some_cells = 16;
  return forms.cells_at_once >= some_cells && forms.points > forms.dimension && forms.is_affine &&
         forms.has_values_of_reference;
}

#endif
