// SPDX-License-Identifier: BSD-3-Clause
//
// Element matrices and vectors of forms, one cell after another.
#ifndef KONTRACT_HOSTFORMPERCELL_IPP
#define KONTRACT_HOSTFORMPERCELL_IPP

#include "Kontract_HostFormPoints.ipp"
#include "Kontract_HostFormTile.ipp"

/// Some columns of a matrix.
struct ColumnRange {
  std::int64_t first;
  int width;
};

/// Fields in vectors, in tiles of a few vectors each.
struct FormColumns {
  int simd_width;
  int vectors;        ///< of all fields
  int usual_vectors;  ///< of a tile; the last one may have fewer
  int tiles;

  FormColumns() = default;
  /// \param of_vector  fields of a vector
  /// \param most       vectors of a tile
  FormColumns(std::int64_t fields, int of_vector, int most)
      : simd_width(of_vector), vectors(int((fields + of_vector - 1) / of_vector)) {
    const int fewest_tiles = (vectors + most - 1) / most;
    usual_vectors = (vectors + fewest_tiles - 1) / fewest_tiles;
    tiles = (vectors + usual_vectors - 1) / usual_vectors;
  }

  int vectorsOf(int tile) const {
    const int rest = vectors - tile * usual_vectors;
    return rest < usual_vectors ? rest : usual_vectors;
  }
  ColumnRange rangeOf(int tile) const {
    return {std::int64_t(tile) * usual_vectors * simd_width, vectorsOf(tile) * simd_width};
  }
};

/// Right values of a tile of columns, point by point; zeros past the last field.
/// \return the end of what was written
template <class Real>
Real* packColumns(const HostForms<Real>& forms, const PlainValues<Real>& values, int components,
                  std::int64_t c, ColumnRange range, Real* to) {
  for (std::int64_t p = 0; p < forms.points; ++p) {
    for (int b = 0; b < components; ++b) {
      for (int n = 0; n < range.width; ++n) {
        *to++ = range.first + n < forms.rights ? at(values, c, range.first + n, p, b) : Real(0);
      }
    }
  }
  return to;
}

/// A sum with the signs of its fields.
template <class Real>
KONTRACT_INLINE Real withSigns(const HostForms<Real>& forms, std::int64_t c, std::int64_t l,
                               std::int64_t r, Real sum) {
  if (leftSigns(forms).is_there) sum *= at(leftSigns(forms), c, l, 0);
  if (rightSigns(forms).is_there) sum *= at(rightSigns(forms), c, r, 0);
  return sum;
}

/// How a form is computed, and where in a thread's memory.
template <class R>
struct FormPlan {
  using Real = R;
  using Vec = Vector<Real, vector_bytes>;
  static constexpr int simd_width = simd_width_of<Real>;

  const HostForms<Real>& forms;
  FormColumns columns;
  int rows;  ///< of a tile
  std::int64_t row_tiles;
  std::int64_t points;           ///< whole vectors of them
  std::int64_t points_of_block;  ///< whose right side is made at a time

  explicit FormPlan(const HostForms<Real>& f)
      : forms(f), columns(f.rights, simd_width, vectorsOfTile(f)) {
    rows = formTileRows<Real>(f.lefts, columns.usual_vectors);
    row_tiles = (f.lefts + rows - 1) / rows;
    points = roundUp(f.points, simd_width);
    constexpr std::int64_t reals_of_block = 12 * 1024 / sizeof(Real);
    const std::int64_t of_point = std::int64_t(f.dimension) * columns.usual_vectors * simd_width;
    points_of_block = reals_of_block / of_point;
    if (points_of_block > f.points) points_of_block = f.points;
    if (points_of_block < 1) points_of_block = 1;
  }

  static int vectorsOfTile(const HostForms<Real>& f) {
    if (!f.is_symmetric) return form_tile_vectors;
    // Tiles above the diagonal are left out: narrow ones leave out more.
    const int wanted = (f.rights < 64 ? 8 : 16) / simd_width;
    return wanted < 1 ? 1 : wanted < form_tile_vectors ? wanted : form_tile_vectors;
  }

  static int components(bool is_vector, int dimension) { return is_vector ? dimension : 1; }
  int leftComponents(int term) const {
    return components(forms.terms[term].left_is_vector, forms.dimension);
  }
  int rightComponents(int term) const {
    return components(forms.terms[term].right_is_vector, forms.dimension);
  }

  // Reals of each piece of memory.
  std::int64_t leftReals(int term) const {
    return row_tiles * rows * forms.points * leftComponents(term);
  }
  std::int64_t rightReals(int term) const {
    return std::int64_t(columns.vectors) * simd_width * forms.points * rightComponents(term);
  }
  std::int64_t pointMatrixReals() const { return 9 * points * forms.term_count; }
  std::int64_t panelReals() const {
    return points_of_block * forms.dimension * columns.usual_vectors * simd_width;
  }
  std::int64_t sumReals() const {
    return row_tiles * rows * std::int64_t(columns.vectors) * simd_width;
  }
  std::int64_t reals() const {
    std::int64_t sum = pointMatrixReals() + panelReals() + sumReals();
    for (int t = 0; t < forms.term_count; ++t) sum += leftReals(t) + rightReals(t);
    // Each piece begins where a line of the cache does.
    return sum + (3 + 2 * forms.term_count) * (64 / std::int64_t(sizeof(Real)));
  }
};

/// Computes cells of a form, one after another.
template <class R, int D>
struct FormPerCell {
  using Real = R;
  using Vec = Vector<Real, vector_bytes>;
  static constexpr int simd_width = simd_width_of<Real>;

  const HostForms<Real>& forms;
  FormPlan<Real> plan;
  FormPoints<Real, D> points;
  Real *point_matrices, *panel, *sums;
  Real *left[max_form_terms], *right[max_form_terms];

  explicit FormPerCell(const HostForms<Real>& f) : forms(f), plan(f), points(f) {}

  std::int64_t reals() const { return plan.reals() + points.reals(); }

  void begin(FormMemory<Real>& memory) {
    points.begin(memory);
    point_matrices = memory.take(plan.pointMatrixReals());
    panel = memory.take(plan.panelReals());
    sums = memory.take(plan.sumReals());
    for (int t = 0; t < forms.term_count; ++t) {
      left[t] = memory.take(plan.leftReals(t));
      right[t] = memory.take(plan.rightReals(t));
    }
    for (int t = 0; t < forms.term_count; ++t) {
      if (!isOfEachCell(t)) packValues(t, 0);
    }
  }

  void compute(std::int64_t first_cell, std::int64_t last_cell) {
    for (std::int64_t c = first_cell; c < last_cell; ++c) {
      for (int t = 0; t < forms.term_count; ++t) {
        if (isOfEachCell(t)) packValues(t, c);
      }
      points.computeGeometry(c);
      for (int i = 0; i < forms.left_blocks; ++i) {
        for (int j = 0; j < forms.right_blocks; ++j) {
          bool is_first = true;
          for (int t = 0; t < forms.term_count; ++t) {
            if (firstWithLeft(forms, t) == t && addTerms(t, c, i, j, is_first)) is_first = false;
          }
          if (is_first) clearSums();
          write(c, i, j);
        }
      }
    }
  }

 private:
  bool isOfEachCell(int t) const {
    return forms.terms[t].left.cell != 0 || forms.terms[t].right.cell != 0;
  }

  /// Left values in tiles of rows, right ones in tiles of vectors, zeros past the last field.
  void packValues(int t, std::int64_t c) {
    const PlainTerm<Real>& term = forms.terms[t];
    const int left_components = plan.leftComponents(t), right_components = plan.rightComponents(t);
    Real* to = left[t];
    for (std::int64_t tile = 0; tile < plan.row_tiles; ++tile) {
      for (std::int64_t p = 0; p < forms.points; ++p) {
        for (int a = 0; a < left_components; ++a) {
          for (int i = 0; i < plan.rows; ++i) {
            const std::int64_t l = tile * plan.rows + i;
            *to++ = l < forms.lefts ? at(term.left, c, l, p, a) : Real(0);
          }
        }
      }
    }
    to = right[t];
    for (int tile = 0; tile < plan.columns.tiles; ++tile) {
      to = packColumns(forms, term.right, right_components, c, plan.columns.rangeOf(tile), to);
    }
  }

  /// Adds the terms that have the left values of one: their right sides are summed up first.
  /// \return false if none of them couples those components
  bool addTerms(int leader, std::int64_t c, int i, int j, bool is_first) {
    bool is_coupled = false;
    for (int t = leader; t < forms.term_count; ++t) {
      if (!isAdded(t, leader, i, j)) continue;
      is_coupled = true;
      withTermComponents<D>(forms.terms[t], [&](auto nl, auto nr) KONTRACT_INLINE_LAMBDA {
        points.template computePointMatrices<decltype(nl)::value, decltype(nr)::value>(
            forms.terms[t], c, i, j, pointMatrices(t));
      });
    }
    if (!is_coupled) return false;
    const FormColumns& columns = plan.columns;
    const int components = plan.leftComponents(leader);
    for (int tile = 0; tile < columns.tiles; ++tile) {
      const int vectors = columns.vectorsOf(tile), width = vectors * simd_width;
      const FormTile<Real> kernel = formTileOf<Real>(plan.rows, vectors);
      const std::int64_t first_column = std::int64_t(tile) * columns.usual_vectors * simd_width;
      // Of a symmetric matrix what is on the diagonal or below it.
      const std::int64_t first_row = forms.is_symmetric ? first_column / plan.rows : 0;
      Real* const sums_of_tile = sums + plan.row_tiles * plan.rows * first_column;
      for (std::int64_t p = 0; p < forms.points; p += plan.points_of_block) {
        std::int64_t n = forms.points - p;
        if (n > plan.points_of_block) n = plan.points_of_block;
        makePanels(leader, i, j, {p, n, first_column, vectors});
        for (std::int64_t row = first_row; row < plan.row_tiles; ++row) {
          kernel(left[leader] + (row * forms.points + p) * components * plan.rows, {panel, width},
                 n * components, {sums_of_tile + row * plan.rows * width, width},
                 is_first && p == 0);
        }
      }
      if (forms.points == 0 && is_first) clearSums();
    }
    return true;
  }

  bool isAdded(int t, int leader, int i, int j) const {
    return firstWithLeft(forms, t) == leader && couples(forms.terms[t], i, j);
  }
  Real* pointMatrices(int t) const { return point_matrices + 9 * plan.points * t; }

  /// Points and fields of a right side.
  struct Panel {
    std::int64_t first_point, points, first_field;
    int vectors;
  };

  /// The sum of the right sides of all terms with those left values.
  void makePanels(int leader, int i, int j, const Panel& part) {
    bool is_first = true;
    for (int t = leader; t < forms.term_count; ++t) {
      if (!isAdded(t, leader, i, j)) continue;
      withTermComponents<D>(forms.terms[t], [&](auto nl, auto nr) KONTRACT_INLINE_LAMBDA {
        constexpr int NL = decltype(nl)::value, NR = decltype(nr)::value;
        is_first ? makePanel<NL, NR, false>(t, part) : makePanel<NL, NR, true>(t, part);
      });
      is_first = false;
    }
  }

  /// The right side of some points: the products of their matrices with right values.
  /// \tparam adds  to those that are there
  template <int NL, int NR, bool adds>
  void makePanel(int t, const Panel& part) {
    Real* to = panel;
    const int width = part.vectors * simd_width;
    // Tiles of columns follow one another, each point by point.
    const Real* values = right[t] + part.first_field * forms.points * NR +
                         part.first_point * NR * width;
    const Real* const matrices = pointMatrices(t);
    for (std::int64_t p = part.first_point; p < part.first_point + part.points;
         ++p, values += NR * width, to += NL * width) {
      Real k[NL][NR];
      for (int e = 0; e < NL * NR; ++e) k[e / NR][e % NR] = matrices[e * plan.points + p];
      for (int v = 0; v < width; v += simd_width) {
        Vec b[NR];
        for (int m = 0; m < NR; ++m) b[m] = load<vector_bytes>(values + m * width + v);
        for (int a = 0; a < NL; ++a) {
          Vec sum = k[a][0] * b[0];
          for (int m = 1; m < NR; ++m) sum += k[a][m] * b[m];
          if (adds) sum += load<vector_bytes>(to + a * width + v);
          store<vector_bytes>(to + a * width + v, sum);
        }
      }
    }
  }

  void clearSums() {
    for (std::int64_t n = 0; n < plan.sumReals(); ++n) sums[n] = 0;
  }

  /// Writes the sums of components i and j.
  void write(std::int64_t c, int i, int j) {
    const bool has_signs = leftSigns(forms).is_there || rightSigns(forms).is_there;
    if (has_signs || forms.sum_into) {
      writeAll(c, i, j,
               [&](Real& to, Real sum, std::int64_t l, std::int64_t r)
                   KONTRACT_INLINE_LAMBDA { to = finished(c, l, r, sum, to); });
    } else {
      writeAll(c, i, j, [](Real& to, Real sum, std::int64_t, std::int64_t) KONTRACT_INLINE_LAMBDA {
        to = sum;
      });
    }
  }

  /// Calls put(to, sum, l, r) for each output. Of a symmetric matrix a row is written as a column,
  /// too. Matrices of components are symmetric in pairs: where the components differ, so do the
  /// two, and one of them writes both diagonals.
  template <class Put>
  KONTRACT_INLINE void writeAll(std::int64_t c, int i, int j, const Put& put) {
    const std::int64_t row_step = forms.out_row * forms.left_blocks;
    const std::int64_t column_step = forms.out_column * forms.right_blocks;
    Real* const out = forms.out + c * forms.out_cell + i * forms.out_row + j * forms.out_column;
    Real* const mirrored =
        forms.out + c * forms.out_cell + j * forms.out_row + i * forms.out_column;
    for (int tile = 0; tile < plan.columns.tiles; ++tile) {
      const int width = plan.columns.vectorsOf(tile) * simd_width;
      const std::int64_t first = std::int64_t(tile) * plan.columns.usual_vectors * simd_width;
      const Real* row = sums + plan.row_tiles * plan.rows * first;
      const std::int64_t last = first + width < forms.rights ? first + width : forms.rights;
      std::int64_t l = forms.is_symmetric ? first : 0;
      row += l * width;
      for (; l < forms.lefts; ++l, row += width) {
        const std::int64_t below = l < last ? l : last;  // of the diagonal
        const std::int64_t through = l + 1 < last ? l + 1 : last;
        const std::int64_t end = !forms.is_symmetric ? last : i < j ? below : through;
        Real* const to = out + l * row_step + first * column_step;
        const std::int64_t n = end - first;
        if (column_step == 1) {
          for (std::int64_t r = 0; r < n; ++r) put(to[r], row[r], l, first + r);
        } else {
          for (std::int64_t r = 0; r < n; ++r) put(to[r * column_step], row[r], l, first + r);
        }
        if (!forms.is_symmetric) continue;
        Real* const column = mirrored + first * row_step + l * column_step;
        const std::int64_t mirrors = (i > j ? through : below) - first;
        for (std::int64_t r = 0; r < mirrors; ++r) put(column[r * row_step], row[r], first + r, l);
      }
    }
  }

  Real finished(std::int64_t c, std::int64_t l, std::int64_t r, Real sum, Real before) const {
    sum = withSigns(forms, c, l, r, sum);
    return forms.sum_into ? before + sum : sum;
  }
};

#endif
