// SPDX-License-Identifier: BSD-3-Clause
//
// Element matrices of few fields: cells are interleaved, because rows of such matrices do not fill
// vectors and geometry takes as long as sums do.
#ifndef KONTRACT_HOSTFORMINTERLEAVED_IPP
#define KONTRACT_HOSTFORMINTERLEAVED_IPP

#include "Kontract_HostInterleavedPoints.ipp"
#include "Kontract_HostTiledMatrix.ipp"

/// Computes such matrices, a vector of cells at a time.
template <class R, int D>
struct InterleavedMatrices {
  using Real = R;
  using Vec = Vector<Real, vector_bytes>;
  static constexpr int simd_width = simd_width_of<Real>;
  static constexpr int rows_of_tile = 4;
  static constexpr int columns_of_panel = 8, panel_row = columns_of_panel * simd_width;

  const HostForms<Real>& forms;
  InterleavedPoints<Real, D> points;
  TiledMatrix<Real> left[max_form_terms];
  Real *point_matrices[max_form_terms], *right[max_form_terms], *panel, *sums, *left_signs,
      *right_signs, *finished;
  std::int64_t row;              ///< reals of a row of interleaved matrices
  std::int64_t points_of_panel;  ///< whose right side is made at a time, to stay in the near cache

  explicit InterleavedMatrices(const HostForms<Real>& f)
      : forms(f), points(f), row(f.rights * simd_width) {
    constexpr std::int64_t reals_of_panel = 24 * 1024 / sizeof(Real);
    points_of_panel = reals_of_panel / (D * panel_row);
    if (points_of_panel > f.points) points_of_panel = f.points;
    if (points_of_panel < 1) points_of_panel = 1;
    for (int t = 0; t < f.term_count; ++t) {
      left[t] = {f.lefts, f.points * leftComponents(t), rows_of_tile};
    }
  }

  std::int64_t reals() const {
    std::int64_t sum =
        points.reals() + panelReals() + sumReals() + row * 2 + forms.lefts * simd_width;
    for (int t = 0; t < forms.term_count; ++t) {
      sum += pointMatrixReals(t) + rightReals(t);
      if (firstWithLeft(forms, t) == t) sum += left[t].reals();
    }
    return sum + (6 + 3 * forms.term_count) * (64 / std::int64_t(sizeof(Real)));
  }

  void begin(FormMemory<Real>& memory) {
    points.begin(memory);
    panel = memory.take(panelReals());
    sums = memory.take(sumReals());
    finished = memory.take(row);
    right_signs = memory.take(row);
    left_signs = memory.take(forms.lefts * simd_width);
    for (int t = 0; t < forms.term_count; ++t) {
      point_matrices[t] = memory.take(pointMatrixReals(t));
      if (firstWithLeft(forms, t) == t) {
        left[t].pack(memory, [&](std::int64_t field, std::int64_t term) {
          const int components = leftComponents(t);
          return at(forms.terms[t].left, 0, field, term / components, term % components);
        });
      }
      right[t] = memory.take(rightReals(t));
      packRight(t);
    }
  }

  __attribute__((noinline)) void compute(std::int64_t first_cell, std::int64_t last_cell) {
    for (std::int64_t c = first_cell; c < last_cell; c += simd_width) {
      computeCells(c, last_cell - c < simd_width ? int(last_cell - c) : simd_width);
    }
    if (forms.stream) finishNonTemporal();
  }

 private:
  int leftComponents(int t) const { return forms.terms[t].left_is_vector ? D : 1; }
  int rightComponents(int t) const { return forms.terms[t].right_is_vector ? D : 1; }
  std::int64_t blocks() const { return forms.left_blocks * forms.right_blocks; }
  std::int64_t panelReals() const { return points_of_panel * D * panel_row; }
  std::int64_t sumReals() const { return forms.lefts * row; }
  std::int64_t pointMatrixReals(int t) const {
    return blocks() * forms.points * leftComponents(t) * rightComponents(t) * simd_width;
  }

  std::int64_t rightReals(int t) const { return forms.points * forms.rights * rightComponents(t); }

  /// Right values point by point, with their components contiguous.
  void packRight(int t) {
    Real* to = right[t];
    for (std::int64_t p = 0; p < forms.points; ++p) {
      for (std::int64_t r = 0; r < forms.rights; ++r) {
        for (int b = 0; b < rightComponents(t); ++b) *to++ = at(forms.terms[t].right, 0, r, p, b);
      }
    }
  }

  void computeCells(std::int64_t c, int n) {
    readSigns(leftSigns(forms), c, n, forms.lefts, left_signs);
    readSigns(rightSigns(forms), c, n, forms.rights, right_signs);
    points.take(c, n);
    storeAllPointMatrices();
    for (int i = 0; i < forms.left_blocks; ++i) {
      for (int j = 0; j < (forms.is_symmetric ? i + 1 : forms.right_blocks); ++j) {
        bool is_first = true;
        for (int t = 0; t < forms.term_count; ++t) {
          if (firstWithLeft(forms, t) == t && addTerms(t, i, j, is_first)) is_first = false;
        }
        if (is_first) {
          for (std::int64_t e = 0; e < sumReals(); ++e) sums[e] = 0;
        }
        write(c, n, i, j);
        if (!forms.is_symmetric || i == j) continue;
        transposeSums();
        write(c, n, j, i);
      }
    }
  }

  static void readSigns(const PlainArray<Real>& of, std::int64_t c, int n, std::int64_t fields,
                        Real* to) {
    if (!of.is_there) return;
    interleaveCells<Real>({of.data + c * of.cell, of.cell, of.field, fields}, n, {to, simd_width});
  }

  Real* pointMatrixOf(int t, int i, int j, std::int64_t p) const {
    const std::int64_t entries = leftComponents(t) * rightComponents(t);
    return point_matrices[t] +
           ((i * forms.right_blocks + j) * forms.points + p) * entries * simd_width;
  }

  void storeAllPointMatrices() {
    const bool is_usual = forms.term_count == 1 && blocks() == 1 &&
                          withUsualTerm(forms.terms[0], [&](auto term) KONTRACT_INLINE_LAMBDA {
                            storeUsualPointMatrices<decltype(term)>();
                          });
    if (is_usual) return;
    points.forEachPoint([&](std::int64_t p, const PointGeometry<D, Vec>& g) KONTRACT_INLINE_LAMBDA {
      for (int t = 0; t < forms.term_count; ++t) storePointMatrices(t, p, g);
    });
  }

  template <class Term>
  __attribute__((noinline)) void storeUsualPointMatrices() {
    constexpr int N = Term::is_vector ? D : 1;
    points.forEachPoint([&](std::int64_t p, const PointGeometry<D, Vec>& g) KONTRACT_INLINE_LAMBDA {
      Vec a[9], k[N][N];
      points.template coefficientOf<Term, N>(p, a);
      pointMatrixAt<D>(Term::pullback, Term::pullback, Term::kind, g, a, k);
      Real* const to = pointMatrixOf(0, 0, 0, p);
      for (int e = 0; e < N * N; ++e) store<vector_bytes>(to + e * simd_width, k[e / N][e % N]);
    });
  }

  KONTRACT_INLINE void storePointMatrices(int t, std::int64_t p, const PointGeometry<D, Vec>& g) {
    const PlainTerm<Real>& term = forms.terms[t];
    withTermComponents<D>(term, [&](auto nl, auto nr) KONTRACT_INLINE_LAMBDA {
      constexpr int NL = decltype(nl)::value, NR = decltype(nr)::value;
      for (int i = 0; i < forms.left_blocks; ++i) {
        for (int j = 0; j < forms.right_blocks; ++j) {
          if (!couples(term, i, j)) continue;
          Vec k[NL][NR] = {};
          points.template pointMatrix<NL, NR>(t, g, p, i, j, k);
          Real* const to = pointMatrixOf(t, i, j, p);
          for (int e = 0; e < NL * NR; ++e)
            store<vector_bytes>(to + e * simd_width, k[e / NR][e % NR]);
        }
      }
    });
  }

  /// Points and fields of a right side.
  struct Panel {
    std::int64_t first_point, points, first_field;
    int columns;
  };

  /// Adds the terms that have the left values of one: their right sides are summed up first.
  /// \return false if none of them couples those components
  bool addTerms(int leader, int i, int j, bool is_first) {
    const bool is_symmetric = forms.is_symmetric && i == j;
    const int components = leftComponents(leader);
    bool is_coupled = false;
    for (std::int64_t first = 0; first < forms.rights; first += columns_of_panel) {
      const int columns =
          forms.rights - first < columns_of_panel ? int(forms.rights - first) : columns_of_panel;
      for (std::int64_t p = 0; p == 0 || p < forms.points; p += points_of_panel) {
        const std::int64_t rest = forms.points - p;
        const Panel part{p, rest < points_of_panel ? rest : points_of_panel, first, columns};
        is_coupled = makePanels(leader, i, j, part);
        if (!is_coupled) return false;
        for (int column = 0; column < columns; column += rows_of_tile) {
          const std::int64_t r = first + column;
          const int here = columns - column < rows_of_tile ? columns - column : rows_of_tile;
          left[leader].multiply({is_symmetric ? r : 0, p * components, part.points * components},
                                {panel + column * simd_width, panel_row},
                                {sums + r * simd_width, row}, here * simd_width,
                                is_first && p == 0);
        }
      }
    }
    if (is_symmetric) mirror();
    return is_coupled;
  }

  /// The sum of the right sides of all terms with those left values.
  bool makePanels(int leader, int i, int j, const Panel& part) {
    bool is_first = true;
    for (int t = leader; t < forms.term_count; ++t) {
      if (firstWithLeft(forms, t) != leader || !couples(forms.terms[t], i, j)) continue;
      withTermComponents<D>(forms.terms[t], [&](auto nl, auto nr) KONTRACT_INLINE_LAMBDA {
        constexpr int NL = decltype(nl)::value, NR = decltype(nr)::value;
        is_first ? makePanel<NL, NR, false>(t, i, j, part) : makePanel<NL, NR, true>(t, i, j, part);
      });
      is_first = false;
    }
    return !is_first;
  }

  void mirror() {
    for (std::int64_t l = 0; l < forms.lefts; ++l) {
      for (std::int64_t r = l + 1; r < forms.rights; ++r) {
        store<vector_bytes>(sums + l * row + r * simd_width,
                            load<vector_bytes>(sums + r * row + l * simd_width));
      }
    }
  }

  void transposeSums() {
    for (std::int64_t l = 0; l < forms.lefts; ++l) {
      for (std::int64_t r = 0; r < l; ++r) {
        Real* const below = sums + l * row + r * simd_width;
        Real* const above = sums + r * row + l * simd_width;
        const Vec sum = load<vector_bytes>(below);
        store<vector_bytes>(below, load<vector_bytes>(above));
        store<vector_bytes>(above, sum);
      }
    }
  }

  /// The right side of some fields at some points: the products of point matrices with right
  /// values.
  /// \tparam adds  to those that are there
  template <int NL, int NR, bool adds>
  void makePanel(int t, int i, int j, const Panel& part) {
    const std::int64_t first = part.first_point;
    for (std::int64_t p = first; p < first + part.points; ++p) {
      const Real* const from = pointMatrixOf(t, i, j, p);
      Vec k[NL][NR];
      for (int e = 0; e < NL * NR; ++e)
        k[e / NR][e % NR] = load<vector_bytes>(from + e * simd_width);
      const Real* b = right[t] + (p * forms.rights + part.first_field) * NR;
      Real* const to = panel + (p - first) * NL * panel_row;
      for (int column = 0; column < part.columns; ++column, b += NR) {
        for (int a = 0; a < NL; ++a) {
          Real* const at = to + a * panel_row + column * simd_width;
          Vec sum = k[a][0] * b[0];
          for (int m = 1; m < NR; ++m) sum += k[a][m] * b[m];
          if (adds) sum += load<vector_bytes>(at);
          store<vector_bytes>(at, sum);
        }
      }
    }
  }

  void write(std::int64_t c, int n, int i, int j) {
    const std::int64_t row_step = forms.out_row * forms.left_blocks;
    const std::int64_t column_step = forms.out_column * forms.right_blocks;
    Real* const to = forms.out + c * forms.out_cell + i * forms.out_row + j * forms.out_column;
    const bool has_signs = leftSigns(forms).is_there || rightSigns(forms).is_there;
    const bool is_plain = !has_signs && !forms.sum_into;
    if (is_plain && column_step == 1 && row_step == forms.rights) {
      deinterleaveCells<Real>({sums, simd_width}, n,
                              {to, forms.out_cell, 1, forms.lefts * forms.rights}, forms.stream);
      return;
    }
    for (std::int64_t l = 0; l < forms.lefts; ++l) {
      const Real* from = sums + l * row;
      if (!is_plain) {
        finishRow(l, n, to + l * row_step, column_step);
        from = finished;
      }
      deinterleaveCells<Real>({from, simd_width}, n,
                              {to + l * row_step, forms.out_cell, column_step, forms.rights});
    }
  }

  /// A row of sums with signs, and with what the output holds.
  void finishRow(std::int64_t l, int n, const Real* to, std::int64_t column_step) {
    if (forms.sum_into) {
      interleaveCells<Real>({to, forms.out_cell, column_step, forms.rights}, n,
                            {finished, simd_width});
    }
    for (std::int64_t r = 0; r < forms.rights; ++r) {
      Vec sum = load<vector_bytes>(sums + l * row + r * simd_width);
      if (leftSigns(forms).is_there) sum *= load<vector_bytes>(left_signs + l * simd_width);
      if (rightSigns(forms).is_there) sum *= load<vector_bytes>(right_signs + r * simd_width);
      if (forms.sum_into) sum += load<vector_bytes>(finished + r * simd_width);
      store<vector_bytes>(finished + r * simd_width, sum);
    }
  }
};

/// Whether a call had better take interleaved cells: few fields, and a vector of cells.
template <class Real>
bool favorsInterleavedCells(const HostForms<Real>& forms) {
  constexpr std::int64_t few = 32, simd_width = simd_width_of<Real>;
  return forms.lefts <= few && forms.rights <= few && forms.cells_at_once >= simd_width &&
         forms.has_values_of_reference;
}

#endif
