// SPDX-License-Identifier: BSD-3-Clause
//
// Element matrices and vectors of forms. Part of Kontract_HostKernelSet.ipp.

template <class G>
KONTRACT_INLINE G constantOf(double x) {
  G zero = {};
  const __typeof__(zero[0] * zero[0]) real = x;
  return zero + real;
}

#define KONTRACT_METRIC_INLINE KONTRACT_INLINE
#include "Kontract_Metric.ipp"
#undef KONTRACT_METRIC_INLINE

template <class Real>
KONTRACT_INLINE Real at(const HostTensor<Real>& t, std::int64_t c, std::int64_t f, std::int64_t p,
                        std::int64_t i = 0, std::int64_t j = 0) {
  return t.data[c * t.cell + f * t.field + p * t.point + i * t.row + j * t.column];
}

constexpr std::int64_t roundUp(std::int64_t n, std::int64_t to) { return (n + to - 1) / to * to; }

/// Whether a term couples left component i with right component j.
template <class Real>
bool couples(const HostTerm<Real>& term, int i, int j) {
  return i == j || term.kind == CoefficientKind::Elastic || term.coefficient_is_vector_of_blocks;
}

template <int n>
struct Constant {
  static constexpr int value = n;
};

/// Calls f(Constant<NL>, Constant<NR>) with the numbers of components of a term's values.
template <int D, class Real, class F>
KONTRACT_INLINE void withTermComponents(const HostTerm<Real>& term, const F& f) {
  if constexpr (D == 1) {
    f(Constant<1>(), Constant<1>());
  } else if (!term.left_is_vector) {
    if (term.right_is_vector) {
      f(Constant<1>(), Constant<D>());
    } else {
      f(Constant<1>(), Constant<1>());
    }
  } else {
    if (term.right_is_vector) {
      f(Constant<D>(), Constant<D>());
    } else {
      f(Constant<D>(), Constant<1>());
    }
  }
}

/// The matrix between left component values of block i and right ones of block j.
/// \param get     get(row, column) of the coefficient
/// \param second  the second coefficient
template <int D, int NL, int NR, class Real, class Vec, class Get, class Second>
KONTRACT_INLINE void termMetric(const HostTerm<Real>& term, const PointGeometry<D, Vec>& g, int i,
                                int j, const Get& get, const Second& second, Vec (&k)[NL][NR]) {
  Vec a[9] = {};
  if (term.coefficient.data != nullptr) {
    if (term.coefficient_is_vector_of_blocks) {
      a[0] = get(i + j, 0);  // one of them is 0
    } else if (term.kind == CoefficientKind::Diagonal) {
      for (int n = 0; n < NL; ++n) a[n] = get(n, 0);
    } else if (term.kind == CoefficientKind::Full) {
      for (int n = 0; n < NL * NR; ++n) {
        a[n] = NL == 1 || NR == 1 ? get(n, 0) : get(n / NR, n % NR);
      }
    } else {
      a[0] = get(0, 0);
    }
  }
  if constexpr (NL == D && NR == D) {
    if (term.kind == CoefficientKind::Elastic) {
      a[1] = second();
      elasticMetricAt<D>(i, j, g, a, k);
      return;
    }
  }
  metricAt<D>(term.left_pullback, term.right_pullback, term.kind, g, a, k);
}

/// Fields in vectors, in tiles of a few vectors each.
struct FormColumns {
  int vectors;        ///< of all fields
  int usual_vectors;  ///< of a tile; the last one may have fewer
  int tiles;

  /// \param most  vectors of a tile
  FormColumns(std::int64_t fields, int lanes, int most)
      : vectors(int((fields + lanes - 1) / lanes)) {
    const int fewest_tiles = (vectors + most - 1) / most;
    usual_vectors = (vectors + fewest_tiles - 1) / fewest_tiles;
    tiles = (vectors + usual_vectors - 1) / usual_vectors;
  }

  int vectorsOf(int tile) const {
    const int rest = vectors - tile * usual_vectors;
    return rest < usual_vectors ? rest : usual_vectors;
  }
};

/// Right values of a tile of columns at all points side by side, zeros past the last field.
/// \return the end of what was written
template <class Real>
Real* packColumns(const HostForms<Real>& forms, const HostTensor<Real>& values, int components,
                  std::int64_t c, std::int64_t first, int width, Real* to) {
  for (std::int64_t p = 0; p < forms.points; ++p) {
    for (int b = 0; b < components; ++b) {
      for (int n = 0; n < width; ++n) {
        *to++ = first + n < forms.rights ? at(values, c, first + n, p, b) : Real(0);
      }
    }
  }
  return to;
}

/// A sum with the signs of its fields.
template <class Real>
KONTRACT_INLINE Real withSigns(const HostForms<Real>& forms, std::int64_t c, std::int64_t l,
                               std::int64_t r, Real sum) {
  if (forms.left_signs.data != nullptr) sum *= at(forms.left_signs, c, l, 0);
  if (forms.right_signs.data != nullptr) sum *= at(forms.right_signs, c, r, 0);
  return sum;
}

/// How a fused problem is computed, and where in a thread's memory.
template <class R>
struct FormPlan {
  using Real = R;
  using Vec = Vector<Real, vector_bytes>;
  static constexpr int lanes = vector_bytes / int(sizeof(Real));

  const HostForms<Real>& forms;
  FormColumns columns;
  int rows;  ///< of a tile
  std::int64_t row_tiles;
  std::int64_t points;           ///< whole vectors of them
  std::int64_t points_of_block;  ///< whose right side is made at a time

  explicit FormPlan(const HostForms<Real>& f)
      : forms(f), columns(f.rights, lanes, vectorsOfTile(f)) {
    rows = formTileRows<Real>(f.lefts, columns.usual_vectors);
    row_tiles = (f.lefts + rows - 1) / rows;
    points = roundUp(f.points, lanes);
    constexpr std::int64_t reals_of_block = 12 * 1024 / sizeof(Real);
    const std::int64_t of_point = std::int64_t(f.dimension) * columns.usual_vectors * lanes;
    points_of_block = reals_of_block / of_point;
    if (points_of_block > f.points) points_of_block = f.points;
    if (points_of_block < 1) points_of_block = 1;
  }

  static int vectorsOfTile(const HostForms<Real>& f) {
    if (!f.is_symmetric) return form_tile_vectors;
    // Tiles above the diagonal are left out: narrow ones leave out more.
    const int wanted = (f.rights < 64 ? 8 : 16) / lanes;
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
    return std::int64_t(columns.vectors) * lanes * forms.points * rightComponents(term);
  }
  static constexpr int geometry_arrays = 20;
  std::int64_t geometryReals() const { return geometry_arrays * points; }
  std::int64_t gradientReals() const { return forms.nodes * forms.dimension * points; }
  std::int64_t metricReals() const { return 9 * points; }
  std::int64_t panelReals() const {
    return points_of_block * forms.dimension * columns.usual_vectors * lanes;
  }
  std::int64_t sumReals() const { return row_tiles * rows * std::int64_t(columns.vectors) * lanes; }
  std::int64_t reals() const {
    std::int64_t sum = geometryReals() + metricReals() + panelReals() + sumReals();
    if (forms.gradients.data != nullptr) sum += gradientReals();
    for (int t = 0; t < forms.term_count; ++t) sum += leftReals(t) + rightReals(t);
    // Each piece begins where a line of the cache does.
    return sum + (5 + 2 * forms.term_count) * (64 / std::int64_t(sizeof(Real)));
  }
};

/// A thread's memory, given out piece by piece.
template <class Real>
struct FormMemory {
  Real* next;

  Real* take(std::int64_t reals) {
    Real* const piece = next;
    next += roundUp(reals, 64 / std::int64_t(sizeof(Real)));
    return piece;
  }
};

/// Computes cells of a fused problem, one after another.
template <class Plan, int D>
struct FormCells {
  using Real = typename Plan::Real;
  using Vec = typename Plan::Vec;
  static constexpr int lanes = Plan::lanes;
  static constexpr int most_terms = 8;

  const Plan& plan;
  const HostForms<Real>& forms;
  Real *geometry, *metric, *panel, *sums;
  Real* gradients = nullptr;
  Real *left[most_terms], *right[most_terms];

  FormCells(const Plan& p, void* workspace) : plan(p), forms(p.forms) {
    FormMemory<Real> memory{static_cast<Real*>(workspace)};
    geometry = memory.take(plan.geometryReals());
    metric = memory.take(plan.metricReals());
    panel = memory.take(plan.panelReals());
    sums = memory.take(plan.sumReals());
    if (forms.gradients.data != nullptr) gradients = memory.take(plan.gradientReals());
    for (int t = 0; t < forms.term_count; ++t) {
      left[t] = memory.take(plan.leftReals(t));
      right[t] = memory.take(plan.rightReals(t));
    }
  }

  void compute(std::int64_t first_cell, std::int64_t last_cell) {
    packGradients();
    for (int t = 0; t < forms.term_count; ++t) packValues(t, first_cell);
    for (std::int64_t c = first_cell; c < last_cell; ++c) {
      for (int t = 0; t < forms.term_count && c > first_cell; ++t) {
        const HostTerm<Real>& term = forms.terms[t];
        if (term.left.cell != 0 || term.right.cell != 0) packValues(t, c);
      }
      computeGeometry(c);
      for (int i = 0; i < forms.left_blocks; ++i) {
        for (int j = 0; j < forms.right_blocks; ++j) {
          bool is_first = true;
          for (int t = 0; t < forms.term_count; ++t) {
            if (addTerm(t, c, i, j, is_first)) is_first = false;
          }
          if (is_first) clearSums();
          write(c, i, j);
        }
      }
    }
  }

 private:
  /// Gradients of nodes' functions with points side by side.
  void packGradients() {
    if (gradients == nullptr) return;
    Real* to = gradients;
    for (std::int64_t n = 0; n < forms.nodes; ++n) {
      for (int d = 0; d < D; ++d) {
        for (std::int64_t p = 0; p < plan.points; ++p) {
          *to++ = at(forms.gradients, 0, n, p < forms.points ? p : forms.points - 1, d);
        }
      }
    }
  }

  /// Left values in tiles of rows, right ones in tiles of vectors, zeros past the last field.
  void packValues(int t, std::int64_t c) {
    const HostTerm<Real>& term = forms.terms[t];
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
      const std::int64_t first = std::int64_t(tile) * plan.columns.usual_vectors * lanes;
      const int width = plan.columns.vectorsOf(tile) * lanes;
      to = packColumns(forms, term.right, right_components, c, first, width, to);
    }
  }

  /// A vector of an array at points from p on; past the last point, at that.
  KONTRACT_INLINE Vec atPoints(const HostTensor<Real>& t, std::int64_t offset,
                               std::int64_t p) const {
    const Real* const data = t.data + offset;
    if (t.point == 0) return Vec{} + data[0];
    if (t.point == 1 && p + lanes <= forms.points) return load<vector_bytes>(data + p);
    Vec v;
    if (p + lanes <= forms.points) {
      const Real* from = data + p * t.point;
      for (int lane = 0; lane < lanes; ++lane, from += t.point) v[lane] = *from;
      return v;
    }
    for (int lane = 0; lane < lanes; ++lane) {
      const std::int64_t point = p + lane < forms.points ? p + lane : forms.points - 1;
      v[lane] = data[point * t.point];
    }
    return v;
  }

  // The arrays of a cell's geometry, a point in each lane.
  Real* geometryArray(int n, std::int64_t p) const { return geometry + n * plan.points + p; }
  static constexpr int inverse_at = D * D, determinant_at = 2 * D * D, measure_at = 2 * D * D + 1;

  KONTRACT_INLINE Vec jacobianEntry(std::int64_t c, std::int64_t p, int i, int j) const {
    const HostTensor<Real>& mapping = forms.mapping;
    if (gradients == nullptr) {
      return atPoints(mapping, c * mapping.cell + i * mapping.row + j * mapping.column, p);
    }
    Vec sum = {};
    const Real* nodes = mapping.data + c * mapping.cell + i * mapping.row;
    for (std::int64_t n = 0; n < forms.nodes; ++n) {
      sum +=
          nodes[n * mapping.field] * load<vector_bytes>(gradients + (n * D + j) * plan.points + p);
    }
    return sum;
  }

  void computeGeometry(std::int64_t c) {
    for (std::int64_t p = 0; p < plan.points; p += lanes) {
      PointGeometry<D, Vec> g;
      g.measure = atPoints(forms.weights, c * forms.weights.cell, p);
      if (forms.has_mapping) {
        for (int i = 0; i < D; ++i) {
          for (int j = 0; j < D; ++j) g.jacobian[i][j] = jacobianEntry(c, p, i, j);
        }
        invertJacobian(g);
        if (!forms.weights_are_measures) {
          const Vec size = g.determinant < 0 ? -g.determinant : g.determinant;
          g.measure *= size;
        }
        for (int i = 0; i < D; ++i) {
          for (int j = 0; j < D; ++j) {
            store<vector_bytes>(geometryArray(i * D + j, p), g.jacobian[i][j]);
            store<vector_bytes>(geometryArray(inverse_at + i * D + j, p), g.inverse[i][j]);
          }
        }
        store<vector_bytes>(geometryArray(determinant_at, p), g.determinant);
      }
      store<vector_bytes>(geometryArray(measure_at, p), g.measure);
    }
  }

  KONTRACT_INLINE void loadGeometry(std::int64_t p, PointGeometry<D, Vec>& g) const {
    g.measure = load<vector_bytes>(geometryArray(measure_at, p));
    if (!forms.has_mapping) return;
    for (int i = 0; i < D; ++i) {
      for (int j = 0; j < D; ++j) {
        g.jacobian[i][j] = load<vector_bytes>(geometryArray(i * D + j, p));
        g.inverse[i][j] = load<vector_bytes>(geometryArray(inverse_at + i * D + j, p));
      }
    }
    g.determinant = load<vector_bytes>(geometryArray(determinant_at, p));
  }

  /// The matrices between left and right values at all points, an array for each entry.
  template <int NL, int NR>
  void computeMetric(const HostTerm<Real>& term, std::int64_t c, int i, int j) {
    const HostTensor<Real>& from = term.coefficient;
    for (std::int64_t p = 0; p < plan.points; p += lanes) {
      PointGeometry<D, Vec> g = {};
      loadGeometry(p, g);
      Vec k[NL][NR] = {};
      termMetric<D, NL, NR>(
          term, g, i, j,
          [&](std::int64_t row, std::int64_t column) KONTRACT_INLINE_LAMBDA {
            return atPoints(from, c * from.cell + row * from.row + column * from.column, p);
          },
          [&]() KONTRACT_INLINE_LAMBDA { return atPoints(term.second, c * term.second.cell, p); },
          k);
      for (int n = 0; n < NL * NR; ++n) {
        store<vector_bytes>(metric + n * plan.points + p, k[n / NR][n % NR]);
      }
    }
  }

  /// \return false if the term does not couple those components
  bool addTerm(int t, std::int64_t c, int i, int j, bool is_first) {
    const HostTerm<Real>& term = forms.terms[t];
    if (!couples(term, i, j)) return false;
    withTermComponents<D>(term, [&](auto nl, auto nr) KONTRACT_INLINE_LAMBDA {
      addTermOf<decltype(nl)::value, decltype(nr)::value>(t, c, i, j, is_first);
    });
    return true;
  }

  template <int NL, int NR>
  void addTermOf(int t, std::int64_t c, int i, int j, bool is_first) {
    computeMetric<NL, NR>(forms.terms[t], c, i, j);
    const FormColumns& columns = plan.columns;
    const Real* values = right[t];
    for (int tile = 0; tile < columns.tiles; ++tile) {
      const int vectors = columns.vectorsOf(tile), width = vectors * lanes;
      const FormTile<Real> kernel = formTileOf<Real>(plan.rows, vectors);
      const std::int64_t first_column = std::int64_t(tile) * columns.usual_vectors * lanes;
      // Of a symmetric matrix what is on the diagonal or below it.
      const std::int64_t first_row = forms.is_symmetric ? first_column / plan.rows : 0;
      Real* const sums_of_tile = sums + plan.row_tiles * plan.rows * first_column;
      for (std::int64_t p = 0; p < forms.points; p += plan.points_of_block) {
        std::int64_t n = forms.points - p;
        if (n > plan.points_of_block) n = plan.points_of_block;
        makePanel<NL, NR>(values + p * NR * width, p, n, vectors);
        for (std::int64_t row = first_row; row < plan.row_tiles; ++row) {
          kernel(left[t] + (row * forms.points + p) * NL * plan.rows, panel, n * NL,
                 sums_of_tile + row * plan.rows * width, width, is_first && p == 0);
        }
      }
      if (forms.points == 0 && is_first) clearSums();
      values += forms.points * NR * width;
    }
  }

  /// The right side of some points: the products of their matrices with right values.
  template <int NL, int NR>
  void makePanel(const Real* values, std::int64_t first, std::int64_t n, int vectors) {
    Real* to = panel;
    const int width = vectors * lanes;
    for (std::int64_t p = first; p < first + n; ++p, values += NR * width, to += NL * width) {
      Real k[NL][NR];
      for (int e = 0; e < NL * NR; ++e) k[e / NR][e % NR] = metric[e * plan.points + p];
      for (int v = 0; v < width; v += lanes) {
        Vec b[NR];
        for (int m = 0; m < NR; ++m) b[m] = load<vector_bytes>(values + m * width + v);
        for (int a = 0; a < NL; ++a) {
          Vec sum = k[a][0] * b[0];
          for (int m = 1; m < NR; ++m) sum += k[a][m] * b[m];
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
    const bool has_signs = forms.left_signs.data != nullptr || forms.right_signs.data != nullptr;
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
  /// two.
  template <class Put>
  KONTRACT_INLINE void writeAll(std::int64_t c, int i, int j, const Put& put) {
    const std::int64_t row_step = forms.out_row * forms.left_blocks;
    const std::int64_t column_step = forms.out_column * forms.right_blocks;
    Real* const out = forms.out + c * forms.out_cell + i * forms.out_row + j * forms.out_column;
    Real* const mirrored =
        forms.out + c * forms.out_cell + j * forms.out_row + i * forms.out_column;
    for (int tile = 0; tile < plan.columns.tiles; ++tile) {
      const int width = plan.columns.vectorsOf(tile) * lanes;
      const std::int64_t first = std::int64_t(tile) * plan.columns.usual_vectors * lanes;
      const Real* row = sums + plan.row_tiles * plan.rows * first;
      const std::int64_t last = first + width < forms.rights ? first + width : forms.rights;
      std::int64_t l = forms.is_symmetric ? first : 0;
      row += l * width;
      for (; l < forms.lefts; ++l, row += width) {
        const std::int64_t end = forms.is_symmetric && l + 1 < last ? l + 1 : last;
        Real* const to = out + l * row_step + first * column_step;
        const std::int64_t n = end - first;
        if (column_step == 1) {
          for (std::int64_t r = 0; r < n; ++r) put(to[r], row[r], l, first + r);
        } else {
          for (std::int64_t r = 0; r < n; ++r) put(to[r * column_step], row[r], l, first + r);
        }
        if (!forms.is_symmetric) continue;
        Real* const column = mirrored + first * row_step + l * column_step;
        const std::int64_t below = end == l + 1 ? n - 1 : n;
        for (std::int64_t r = 0; r < below; ++r) put(column[r * row_step], row[r], first + r, l);
      }
    }
  }

  Real finished(std::int64_t c, std::int64_t l, std::int64_t r, Real sum, Real before) const {
    sum = withSigns(forms, c, l, r, sum);
    return forms.sum_into ? before + sum : sum;
  }
};
