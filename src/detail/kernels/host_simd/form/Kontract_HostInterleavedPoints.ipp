// SPDX-License-Identifier: BSD-3-Clause
//
// Arrays of a form and what is known of a point, in a vector of interleaved cells.
#ifndef KONTRACT_HOSTINTERLEAVEDPOINTS_IPP
#define KONTRACT_HOSTINTERLEAVEDPOINTS_IPP

#include "Kontract_HostFormPoints.ipp"
#include "detail/kernels/host_simd/common/Kontract_HostPrefetch.ipp"
#include "detail/kernels/host_simd/contraction/Kontract_HostInterleave.ipp"

/// An array of a form at some points of a vector of cells.
template <class Real>
struct InterleavedArray {
  using Vec = Vector<Real, vector_bytes>;
  static constexpr int simd_width = simd_width_of<Real>;
  PlainArray<Real> array;
  int rows = 1, columns = 1;
  Real* values = nullptr;
  std::int64_t first = 0;  ///< point that is held

  /// Whether an entry's points are contiguous, and entries are not.
  bool hasRowsOfPoints() const { return array.is_there && array.point == 1 && rows * columns > 1; }

  std::int64_t reals(std::int64_t points) const {
    return array.is_there ? points * rows * columns * simd_width : 0;
  }

  /// Reads some points of n cells. What has one point for all is read with the first.
  void read(std::int64_t c, int n, std::int64_t from_point, std::int64_t points) {
    if (!array.is_there) return;
    if (array.point == 0) {
      if (from_point > 0) return;
      points = 1;
    }
    first = from_point;
    const std::int64_t entries = rows * columns;
    const Real* const from = array.data + c * array.cell + from_point * array.point;
    const bool is_run = (columns == 1 || array.column == 1) &&
                        (rows == 1 || array.row == columns) &&
                        (points == 1 || array.point == entries);
    if (is_run) {
      interleaveCells<Real>({from, array.cell, 1, points * entries}, n, {values, simd_width});
      return;
    }
    for (int j = 0; j < columns; ++j) {
      interleaveCells<Real>({from + j * array.column, array.cell, array.point, points}, n,
                            {values + j * simd_width, entries * simd_width},
                            {rows, array.row, columns * simd_width});
    }
  }

  KONTRACT_INLINE Vec at(std::int64_t p, std::int64_t i = 0, std::int64_t j = 0) const {
    const std::int64_t point = array.point == 0 ? 0 : p - first;
    return load<vector_bytes>(values + ((point * rows + i) * columns + j) * simd_width);
  }
};

/// Software prefetches of the next cells while these are computed: simd_width streams of memory are
/// more than hardware prefetchers keep up with, where they are short. They come some lines at a
/// time, because a burst of requests would stall.
template <class Real>
struct CellPrefetch {
  static constexpr int most = 4, simd_width = vector_bytes / int(sizeof(Real));
  /// Bytes of simd_width cells above which the hardware is faster, on Zen 5 with AVX-512
  /// (`doc/notebook.md`).
  static constexpr std::int64_t most_bytes = 160 * 1024;

  /// What is still to be fetched, so many lines at a time: always as many, as branches that cannot
  /// be foreseen take longer than lines that are fetched early.
  struct Lines {
    const char *next = nullptr, *end = nullptr;
    std::int64_t at_once = 0;
  };
  Lines arrays[most];
  int count = 0;

  /// Fetches what an array has for the cells after those from c on, if that is one run.
  void add(const PlainArray<Real>& array, std::int64_t c, std::int64_t units) {
    if (!array.is_there || array.cell <= simd_width || count == most) return;
    const std::int64_t bytes = simd_width * array.cell * std::int64_t(sizeof(Real));
    if (bytes > most_bytes) return;
    const Real* const from = array.data + (c + simd_width) * array.cell;
    const char* const next = reinterpret_cast<const char*>(from);
    const std::int64_t lines = (bytes + 63) / 64;
    Lines& of = arrays[count++];
    of.next = next;
    of.end = next + bytes;
    of.at_once = units > 0 ? (lines + units - 1) / units : lines;
  }
  KONTRACT_INLINE void advance() {
    for (int n = 0; n < count; ++n) {
      Lines& lines = arrays[n];
      if (lines.next >= lines.end) continue;
      for (std::int64_t i = 0; i < lines.at_once; ++i, lines.next += 64) fetchLine(lines.next);
    }
  }
};

/// Geometry and point matrices at the points of a vector of interleaved cells.
template <class R, int D>
struct InterleavedPoints {
  using Real = R;
  using Vec = Vector<Real, vector_bytes>;
  static constexpr int simd_width = simd_width_of<Real>;

  const HostForms<Real>& forms;
  InterleavedArray<Real> mapping, measures, coefficient[max_form_terms], second[max_form_terms];
  static constexpr std::int64_t points_of_row = 64;  ///< 512 bytes in double precision
  std::int64_t points_of_block = 2 * simd_width;     ///< read at a time
  Real* nodes = nullptr;
  std::int64_t c = 0;  ///< first of the cells
  int n = 0;           ///< cells
  CellPrefetch<Real> prefetch;
  std::int64_t units;  ///< of work in which the next cells are fetched, a point each or more

  explicit InterleavedPoints(const HostForms<Real>& f) : forms(f), units(f.points) {
    if (f.has_mapping && !f.gradients.is_there) mapping = {f.mapping, f.space_dimension, D};
    if (f.weights_are_measures) measures = {f.weights};
    for (int t = 0; t < f.term_count; ++t) {
      const PlainTerm<Real>& term = f.terms[t];
      const bool has_row =
          term.kind == CoefficientKind::Diagonal || term.kind == CoefficientKind::Full;
      const int blocks = f.left_blocks * f.right_blocks;  // one of them is 1
      const bool is_matrix =
          term.kind == CoefficientKind::Full && term.left_is_vector && term.right_is_vector;
      coefficient[t] = {term.coefficient,
                        term.coefficient_is_vector_of_blocks      ? blocks
                        : has_row                                 ? D
                        : term.kind == CoefficientKind::Symmetric ? D * (D + 1) / 2
                                                                  : 1,
                        is_matrix ? D : 1};
      second[t] = {term.second};
    }
    // Rows of points have to be long enough for hardware prefetchers to follow.
    forEachArray(*this, [&](const InterleavedArray<Real>& array) {
      if (array.hasRowsOfPoints()) points_of_block = points_of_row;
    });
    if (points_of_block > f.points) points_of_block = f.points;
  }

  std::int64_t reals() const {
    std::int64_t sum = forms.nodes * forms.space_dimension * simd_width;
    forEachArray(*this,
                 [&](const InterleavedArray<Real>& array) { sum += array.reals(points_of_block); });
    return sum + (3 + 2 * forms.term_count) * (64 / std::int64_t(sizeof(Real)));
  }

  void begin(FormMemory<Real>& memory) {
    nodes = memory.take(forms.nodes * forms.space_dimension * simd_width);
    forEachArray(*this, [&](InterleavedArray<Real>& array) {
      array.values = memory.take(array.reals(points_of_block));
    });
  }

  /// Takes n cells from c on.
  void take(std::int64_t first_cell, int cells) {
    c = first_cell;
    n = cells;
    prefetch.count = 0;
    forEachArray(*this,
                 [&](const InterleavedArray<Real>& array) { prefetch.add(array.array, c, units); });
    if (!forms.gradients.is_there || forms.nodes == 0) return;
    for (int d = 0; d < forms.space_dimension; ++d) {
      const PlainArray<Real>& of = forms.mapping;
      interleaveCells<Real>({of.data + c * of.cell + d * of.row, of.cell, of.field, forms.nodes}, n,
                            {nodes + d * simd_width, forms.space_dimension * simd_width});
    }
  }

  /// Calls f(p, geometry) for each point.
  template <class F>
  KONTRACT_INLINE void forEachPoint(const F& f) {
    for (std::int64_t first = 0; first < forms.points; first += points_of_block) {
      const std::int64_t rest = forms.points - first;
      const std::int64_t points = rest < points_of_block ? rest : points_of_block;
      forEachArray(*this, [&](InterleavedArray<Real>& array) { array.read(c, n, first, points); });
      for (std::int64_t p = first; p < first + points; ++p) {
        PointGeometry<D, Vec> g;  // what is not there is not looked at
        computeGeometry(p, g);
        f(p, g);
        prefetch.advance();
      }
    }
  }

  /// The matrix between left and right values of a term at a point that is being visited.
  template <int NL, int NR>
  KONTRACT_INLINE void pointMatrix(int t, const PointGeometry<D, Vec>& g, std::int64_t p, int i,
                                   int j, Vec (&k)[NL][NR]) const {
    termPointMatrix<D, NL, NR>(
        forms.terms[t], g, i, j,
        [&](std::int64_t row, std::int64_t column)
            KONTRACT_INLINE_LAMBDA { return coefficient[t].at(p, row, column); },
        [&]() KONTRACT_INLINE_LAMBDA { return second[t].at(p); },
        [&](int b) KONTRACT_INLINE_LAMBDA { return normalAt(p, b); }, k);
  }

  /// Fills in the coefficient of a usual term, the only one, of values with N components.
  template <class Term, int N>
  KONTRACT_INLINE void coefficientOf(std::int64_t p, Vec (&a)[9]) const {
    if constexpr (Term::kind == CoefficientKind::Scalar) a[0] = coefficient[0].at(p);
    if constexpr (Term::kind == CoefficientKind::Symmetric) {
      for (int n = 0; n < N * N; ++n) a[n] = coefficient[0].at(p, placeInHalf<N>(n / N, n % N));
    }
  }

  /// What a right value contributes to left ones: the point matrix times it.
  template <int NL, int NR>
  KONTRACT_INLINE void flux(int t, const PointGeometry<D, Vec>& g, std::int64_t p, Blocks blocks,
                            const Vec (&u)[NR], Vec (&f)[NL]) const {
    const PlainTerm<Real>& term = forms.terms[t];
    Vec a[9];
    termCoefficient<NL, NR>(
        term, blocks.left, blocks.right,
        [&](std::int64_t row, std::int64_t column)
            KONTRACT_INLINE_LAMBDA { return coefficient[t].at(p, row, column); },
        a);
    const CoefficientKind kind = takeNormal<D>(
        term, g, [&](int b) KONTRACT_INLINE_LAMBDA { return normalAt(p, b); }, a);
    fluxAt<D>(term.left_pullback, term.right_pullback, kind, g, a, u, f);
  }

 private:
  template <class Self, class F>
  static void forEachArray(Self& self, const F& f) {
    f(self.mapping);
    f(self.measures);
    for (int t = 0; t < self.forms.term_count; ++t) {
      f(self.coefficient[t]);
      f(self.second[t]);
    }
  }

  KONTRACT_INLINE Vec normalAt(std::int64_t p, int a) const {
    return Vec{} + at(forms.normals, 0, 0, p, a);
  }

  /// An entry of the Jacobian.
  KONTRACT_INLINE Vec jacobianEntry(std::int64_t p, int i, int j) const {
    if (!forms.gradients.is_there) return mapping.at(p, i, j);
    Vec sum = {};
    for (std::int64_t node = 0; node < forms.nodes; ++node) {
      sum += at(forms.gradients, 0, node, p, j) *
             load<vector_bytes>(nodes + (node * forms.space_dimension + i) * simd_width);
    }
    return sum;
  }

  KONTRACT_INLINE void computeGeometry(std::int64_t p, PointGeometry<D, Vec>& g) const {
    g.measure = !forms.weights.is_there      ? constantOf<Vec>(1)
                : forms.weights_are_measures ? measures.at(p)
                                             : Vec{} + at(forms.weights, 0, 0, p);
    if (!forms.has_mapping) return;
    if (!forms.gradients.is_there) {
      for (int i = 0; i < D; ++i) {
        for (int j = 0; j < D; ++j) g.jacobian[i][j] = mapping.at(p, i, j);
      }
    } else {
      for (int i = 0; i < D; ++i) {
        for (int j = 0; j < D; ++j) g.jacobian[i][j] = Vec{};
      }
      for (std::int64_t node = 0; node < forms.nodes; ++node) {
        for (int i = 0; i < D; ++i) {
          const Vec x = load<vector_bytes>(nodes + (node * forms.space_dimension + i) * simd_width);
          for (int j = 0; j < D; ++j) g.jacobian[i][j] += at(forms.gradients, 0, node, p, j) * x;
        }
      }
    }
    completeGeometry<D>(
        forms.space_dimension,
        [&](int i, int j) KONTRACT_INLINE_LAMBDA { return jacobianEntry(p, i, j); }, g);
    multiplyBySize<D>(
        forms, [&](int a) KONTRACT_INLINE_LAMBDA { return normalAt(p, a); }, g);
  }
};

#endif
