// SPDX-License-Identifier: BSD-3-Clause
//
// Arrays of a form and what is known of a point, in vectors whose lanes are cells, or points of
// one.
#ifndef KONTRACT_HOSTINTERLEAVEDPOINTS_IPP
#define KONTRACT_HOSTINTERLEAVEDPOINTS_IPP

#include "Kontract_HostFormPoints.ipp"
#include "detail/kernels/host_simd/common/Kontract_HostPrefetch.ipp"
#include "detail/kernels/host_simd/contraction/Kontract_HostInterleave.ipp"

/// What the lanes of a vector are.
enum class Lanes {
  Cells,    ///< neighbouring cells, interleaved: an element of an array is a vector
  Elements  ///< neighbouring elements of one cell, as its points are
};
/// Vectors of two doubles would gain nothing by elements of one cell.
constexpr bool has_lanes_of_elements = vector_bytes > unit_bytes;

/// An array of a form at some points of a vector of cells, or at some vectors of points of a cell.
template <class Real, Lanes lanes>
struct InterleavedArray {
  using Vec = Vector<Real, vector_bytes>;
  static constexpr int simd_width = simd_width_of<Real>;
  PlainArray<Real> array;
  int rows = 1, columns = 1;
  Real* values = nullptr;
  // What is held: from which point on, where, and from one point, row and column to the next.
  std::int64_t first = 0;
  const Real* held = nullptr;
  std::int64_t of_point = 0, of_row = 0, of_column = 0;

  /// Whether an entry's points are contiguous, and entries are not.
  bool hasRowsOfPoints() const { return array.is_there && array.point == 1 && rows * columns > 1; }

  std::int64_t reals(std::int64_t points) const {
    if (!array.is_there) return 0;
    return rows * columns *
           (lanes == Lanes::Cells ? points * simd_width : roundUp(points, simd_width));
  }

  /// Reads some points of n cells, or of one. What has one point for all is read with the first.
  void read(std::int64_t c, int n, std::int64_t from_point, std::int64_t points) {
    if (!array.is_there) return;
    if (array.point == 0) {
      if (from_point > 0) return;
      points = 1;
    }
    first = from_point;
    const Real* const from = array.data + c * array.cell + from_point * array.point;
    if constexpr (lanes == Lanes::Cells) {
      holdValues(array.point == 0 ? 0 : rows * columns * simd_width);
      readCells(from, n, points);
    } else if (array.point == 1 && points % simd_width == 0) {
      held = from;
      of_point = 1;
      of_row = array.row;
      of_column = array.column;
    } else {
      holdValues(array.point == 0 ? 0 : rows * columns);
      readPoints(from, points);
    }
  }

  /// An entry at a point, or at the vector of points from p on.
  KONTRACT_INLINE Vec at(std::int64_t p, std::int64_t i = 0, std::int64_t j = 0) const {
    return load<vector_bytes>(held + (p - first) * of_point + i * of_row + j * of_column);
  }

  /// The first entries of some rows there.
  template <int n>
  KONTRACT_INLINE void rowsAt(std::int64_t p, Vec (&row)[n]) const {
    const Real* from = held + (p - first) * of_point;
    for (int i = 0; i < n; ++i, from += of_row) {
      inRegister(from);
      row[i] = load<vector_bytes>(from);
    }
  }

 private:
  /// Whether the entries of a point are contiguous.
  bool hasRunOfEntries() const {
    return (columns == 1 || array.column == 1) && (rows == 1 || array.row == columns);
  }
  void holdValues(std::int64_t from_point_to_point) {
    held = values;
    of_point = from_point_to_point;
    of_row = columns * simd_width;
    of_column = simd_width;
  }

  void readCells(const Real* from, int n, std::int64_t points) const {
    const std::int64_t entries = rows * columns;
    if (hasRunOfEntries() && (points == 1 || array.point == entries)) {
      interleaveCells<Real>({from, array.cell, 1, points * entries}, n, {values, simd_width});
      return;
    }
    for (int j = 0; j < columns; ++j) {
      interleaveCells<Real>({from + j * array.column, array.cell, array.point, points}, n,
                            {values + j * simd_width, entries * simd_width},
                            {rows, array.row, columns * simd_width});
    }
  }
  /// Points are to their cell what cells are to all of them.
  __attribute__((noinline)) void readPoints(const Real* from, std::int64_t points) const {
    const std::int64_t entries = rows * columns;
    const bool is_run = hasRunOfEntries();
    const std::int64_t step = is_run ? 1 : array.row, count = is_run ? entries : rows;
    const CellRows rest{is_run ? 1 : columns, array.column, simd_width};
    Real* to = values;
    for (std::int64_t p = 0; p < points; p += simd_width, to += entries * simd_width) {
      const int n = points - p < simd_width ? int(points - p) : simd_width;
      gatherLanes<Real>({from + p * array.point, array.point, step, count}, n,
                        {to, is_run ? simd_width : columns * simd_width}, rest);
    }
  }
};

/// Software prefetches of the next cells while these are computed: simd_width streams of memory are
/// more than hardware prefetchers keep up with, where they are short, and of one they wait while it
/// is not read. They come some lines at a time, because a burst of requests would stall.
template <class Real>
struct CellPrefetch {
  static constexpr int most = 4, simd_width = vector_bytes / int(sizeof(Real));
  /// Bytes of the next cells above which the hardware is faster, on Zen 5 with AVX-512
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
  int cells = simd_width;  ///< that are computed at a time
  std::int64_t steps = 1;  ///< in which lines are fetched: as many as the cells before took
  std::int64_t taken = 0;  ///< for these cells up to now

  /// Begins with cells.
  void begin() {
    count = 0;
    if (taken > 0) steps = taken;
    taken = 0;
  }
  /// Fetches what an array has for the cells after those from c on, if that is one run.
  void add(const PlainArray<Real>& array, std::int64_t c) {
    if (!array.is_there || array.cell <= simd_width || count == most) return;
    const std::int64_t bytes = cells * array.cell * std::int64_t(sizeof(Real));
    if (bytes > most_bytes) return;
    const Real* const from = array.data + (c + cells) * array.cell;
    const char* const next = reinterpret_cast<const char*>(from);
    const std::int64_t lines = (bytes + 63) / 64;
    Lines& of = arrays[count++];
    of.next = next;
    of.end = next + bytes;
    of.at_once = (lines + steps - 1) / steps;
  }
  KONTRACT_INLINE void advance() {
    ++taken;
    for (int n = 0; n < count; ++n) {
      Lines& lines = arrays[n];
      if (lines.next >= lines.end) continue;
      for (std::int64_t i = 0; i < lines.at_once; ++i, lines.next += 64) {
        // What a single cell has stays in the first cache until it is read.
        if (cells == 1) {
          fetchLineNear(lines.next);
        } else {
          fetchLine(lines.next);
        }
      }
    }
  }
};

/// Geometry and point matrices at the points of a vector of interleaved cells, or at vectors of
/// points of a cell, whose geometry is not computed from its nodes then.
template <class R, int D, Lanes lanes = Lanes::Cells>
struct InterleavedPoints {
  using Real = R;
  using Vec = Vector<Real, vector_bytes>;
  using LaneArray = InterleavedArray<Real, lanes>;
  static constexpr int simd_width = simd_width_of<Real>;

  const HostForms<Real>& forms;
  LaneArray mapping, measures, normals, coefficient[max_form_terms], second[max_form_terms];
  static constexpr std::int64_t points_of_row = 64;  ///< 512 bytes in double precision
  /// Read at a time.
  std::int64_t points_of_block = (lanes == Lanes::Cells ? 2 : 8) * simd_width;
  Real* nodes = nullptr;
  std::int64_t c = 0;  ///< first of the cells
  int n = 0;           ///< cells
  CellPrefetch<Real> prefetch;

  explicit InterleavedPoints(const HostForms<Real>& f) : forms(f) {
    prefetch.steps = f.points > 0 ? f.points : 1;
    if (f.has_mapping && !f.gradients.is_there) mapping = {f.mapping, f.space_dimension, D};
    if (f.weights_are_measures) measures = {f.weights};
    if (lanes == Lanes::Elements) takeWhatCellsShare();
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
    forEachArray(*this, [&](const LaneArray& array) {
      if (lanes == Lanes::Cells && array.hasRowsOfPoints()) points_of_block = points_of_row;
    });
    if (lanes == Lanes::Elements) prefetch.cells = 1;
    if (points_of_block > f.points) points_of_block = f.points;
  }

  std::int64_t reals() const {
    std::int64_t sum = forms.nodes * forms.space_dimension * simd_width;
    forEachArray(*this, [&](const LaneArray& array) { sum += array.reals(points_of_block); });
    return sum + (4 + 2 * forms.term_count) * (64 / std::int64_t(sizeof(Real)));
  }

  void begin(FormMemory<Real>& memory) {
    nodes = memory.take(forms.nodes * forms.space_dimension * simd_width);
    forEachArray(
        *this, [&](LaneArray& array) { array.values = memory.take(array.reals(points_of_block)); });
  }

  /// Takes n cells from c on, or one.
  void take(std::int64_t first_cell, int cells) {
    c = first_cell;
    n = cells;
    prefetch.begin();
    forEachArray(*this, [&](const LaneArray& array) { prefetch.add(array.array, c); });
    if (!forms.gradients.is_there || forms.nodes == 0) return;
    for (int d = 0; d < forms.space_dimension; ++d) {
      const PlainArray<Real>& of = forms.mapping;
      interleaveCells<Real>({of.data + c * of.cell + d * of.row, of.cell, of.field, forms.nodes}, n,
                            {nodes + d * simd_width, forms.space_dimension * simd_width});
    }
  }

  /// Calls f(p, geometry) for each point, or for each vector of points, from p on.
  template <class F>
  KONTRACT_INLINE void forEachPoint(const F& f) {
    constexpr int step = lanes == Lanes::Cells ? 1 : simd_width;
    for (std::int64_t first = 0, points; first < forms.points; first += points) {
      const std::int64_t rest = forms.points - first;
      points = rest < points_of_block ? rest : points_of_block;
      // A vector that is full in part is read for itself.
      if (points > step) points -= points % step;
      forEachArray(*this, [&](LaneArray& array) { array.read(c, n, first, points); });
      for (std::int64_t p = first; p < first + points; p += step) {
        PointGeometry<D, Vec> g;  // what is not there is not looked at
        computeGeometry(p, g);
        f(p, g);
        // The next points of one cell are on their way already.
        if (lanes == Lanes::Cells) prefetch.advance();
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
      Vec half[N * (N + 1) / 2];
      coefficient[0].rowsAt(p, half);
      for (int n = 0; n < N * N; ++n) a[n] = half[placeInHalf<N>(n / N, n % N)];
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
  /// Vectors of points have weights and normals of the reference cell in vectors, too.
  void takeWhatCellsShare() {
    if (!forms.weights_are_measures) {
      measures = {forms.weights};
      measures.array.cell = 0;
    }
    normals = {forms.normals, D};
    normals.array.cell = 0;
  }

  template <class Self, class F>
  static void forEachArray(Self& self, const F& f) {
    f(self.mapping);
    f(self.measures);
    f(self.normals);
    for (int t = 0; t < self.forms.term_count; ++t) {
      f(self.coefficient[t]);
      f(self.second[t]);
    }
  }

  KONTRACT_INLINE Vec normalAt(std::int64_t p, int a) const {
    if constexpr (lanes == Lanes::Elements) return normals.at(p, a);
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
    g.measure = !forms.weights.is_there   ? constantOf<Vec>(1)
                : measures.array.is_there ? measures.at(p)
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
