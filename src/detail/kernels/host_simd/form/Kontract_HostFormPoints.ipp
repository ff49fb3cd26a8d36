// SPDX-License-Identifier: BSD-3-Clause
//
// Geometry and point matrices of a cell of a form, in vectors of points.
#ifndef KONTRACT_HOSTFORMPOINTS_IPP
#define KONTRACT_HOSTFORMPOINTS_IPP

#include "detail/kernels/host_simd/common/Kontract_HostSimd.ipp"

template <class G>
KONTRACT_INLINE G constantOf(double x) {
  G zero = {};
  const __typeof__(zero[0] * zero[0]) real = x;
  return zero + real;
}

/// The square root of each lane.
template <class G>
KONTRACT_INLINE G rootOf(const G& x) {
  constexpr int lanes = int(sizeof(G) / sizeof(x[0]));
  G root = x;
  for (int lane = 0; lane < lanes; ++lane) {
    if constexpr (sizeof(x[0]) == sizeof(float)) {
      root[lane] = __builtin_sqrtf(x[lane]);
    } else {
      root[lane] = __builtin_sqrt(x[lane]);
    }
  }
  return root;
}

#define KONTRACT_POINT_MATRIX_INLINE KONTRACT_INLINE
#include "detail/problem/Kontract_PointMatrix.ipp"
#undef KONTRACT_POINT_MATRIX_INLINE

/// Signs of the fields, which all terms have.
template <class Real>
KONTRACT_INLINE const PlainArray<Real>& leftSigns(const HostForms<Real>& forms) {
  return forms.terms[0].left_signs;
}
template <class Real>
KONTRACT_INLINE const PlainArray<Real>& rightSigns(const HostForms<Real>& forms) {
  return forms.terms[0].right_signs;
}

template <class Real>
KONTRACT_INLINE Real at(const PlainArray<Real>& t, std::int64_t c, std::int64_t f, std::int64_t p,
                        std::int64_t i = 0, std::int64_t j = 0) {
  return t.data[c * t.cell + f * t.field + p * t.point + i * t.row + j * t.column];
}

/// Functions of one coordinate of a family, or their derivatives.
template <class Real>
KONTRACT_INLINE const PlainTable<Real>& tableOf(const PlainValues<Real>& values, int family, int d,
                                                bool is_derivative) {
  const PlainDirection<Real>& direction = values.direction[d];
  return is_derivative                        ? direction.derivatives
         : values.families.is_open[family][d] ? direction.open_values
                                              : direction.values;
}
template <class Real>
KONTRACT_INLINE Real at(const PlainTable<Real>& table, std::int64_t f, std::int64_t p) {
  return table.data[f * table.field + p * table.point];
}

/// How many of them there are.
template <class Real>
KONTRACT_INLINE std::int64_t functionsIn(const PlainValues<Real>& values, int family, int d) {
  const PlainDirection<Real>& direction = values.direction[d];
  return values.families.is_open[family][d] ? direction.open_functions : direction.functions;
}
template <class Real>
KONTRACT_INLINE std::int64_t fieldsOf(const PlainValues<Real>& values, int family) {
  std::int64_t product = 1;
  for (int d = 0; d < values.directions; ++d) product *= functionsIn(values, family, d);
  return product;
}

template <class Real>
Real productAt(const PlainValues<Real>& t, std::int64_t f, std::int64_t p, int i) {
  int m = 0;
  while (m < t.families.count - 1 && f >= fieldsOf(t, m)) f -= fieldsOf(t, m++);
  Real product = t.families.sign[m][i];
  if (product == 0) return 0;
  for (int d = 0; d < t.directions; ++d) {
    const std::int64_t functions = functionsIn(t, m, d), points = t.direction[d].points;
    product *= at(tableOf(t, m, d, t.families.derivative[m][i] == d), f % functions, p % points);
    f /= functions;
    p /= points;
  }
  return product;
}

template <class Real>
KONTRACT_INLINE Real at(const PlainValues<Real>& t, std::int64_t c, std::int64_t f, std::int64_t p,
                        std::int64_t i = 0) {
  if (!t.is_there) return productAt(t, f, p, int(i));
  return t.data[c * t.cell + f * t.field + p * t.point + i * t.row];
}

/// Components of the left and the right side between which a matrix is.
struct Blocks {
  int left, right;
};

/// Whether a term couples left component i with right component j.
template <class Real>
bool couples(const PlainTerm<Real>& term, int i, int j) {
  return i == j || term.kind == CoefficientKind::Elastic || term.coefficient_is_vector_of_blocks;
}

/// Whether two tables are one.
template <class Real>
bool isSameTable(const PlainTable<Real>& a, const PlainTable<Real>& b) {
  return a.data == b.data && a.field == b.field && a.point == b.point;
}

inline bool isSame(const BasisFamilies& a, const BasisFamilies& b) {
  if (a.count != b.count) return false;
  for (int m = 0; m < a.count; ++m) {
    for (int i = 0; i < 3; ++i) {
      if (a.is_open[m][i] != b.is_open[m][i] || a.derivative[m][i] != b.derivative[m][i] ||
          a.sign[m][i] != b.sign[m][i]) {
        return false;
      }
    }
  }
  return true;
}

/// Whether values are the same numbers.
template <class Real>
bool isSame(const PlainValues<Real>& a, const PlainValues<Real>& b) {
  if (a.is_there != b.is_there || a.directions != b.directions) return false;
  if (a.is_there) {
    return a.data == b.data && a.cell == b.cell && a.field == b.field && a.point == b.point &&
           a.row == b.row;
  }
  for (int d = 0; d < a.directions; ++d) {
    const PlainDirection<Real>&x = a.direction[d], &y = b.direction[d];
    const bool is_same_line =
        isSameTable(x.values, y.values) && isSameTable(x.derivatives, y.derivatives) &&
        isSameTable(x.open_values, y.open_values) && x.functions == y.functions &&
        x.open_functions == y.open_functions && x.points == y.points;
    if (!is_same_line) return false;
  }
  return isSame(a.families, b.families);
}

/// The first term with the left values of a term: what is multiplied with them can be summed up
/// before.
template <class Real>
int firstWithLeft(const HostForms<Real>& forms, int t) {
  const PlainTerm<Real>& term = forms.terms[t];
  for (int i = 0; i < t; ++i) {
    if (forms.terms[i].left_is_vector == term.left_is_vector &&
        isSame(forms.terms[i].left, term.left)) {
      return i;
    }
  }
  return t;
}

template <int n>
struct Constant {
  static constexpr int value = n;
};

/// Calls f(Constant<NL>, Constant<NR>) with the numbers of components of a term's values.
template <int D, class Real, class F>
KONTRACT_INLINE void withTermComponents(const PlainTerm<Real>& term, const F& f) {
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

/// A term of which all is known when compiling.
template <Pullback of_both, CoefficientKind of_coefficient>
struct UsualTerm {
  static constexpr Pullback pullback = of_both;
  static constexpr CoefficientKind kind = of_coefficient;
  static constexpr bool is_vector = pullback != Pullback::Scalar;
};

/// Calls f(UsualTerm) for one of grad-grad, without or with a scalar, or with factors; or of mass
/// of HGRAD, without or with a scalar. \return false if a term is another one
template <class Real, class F>
KONTRACT_INLINE bool withUsualTerm(const PlainTerm<Real>& term, const F& f) {
  if (term.kind == CoefficientKind::Symmetric && term.left_pullback == Pullback::Physical) {
    f(UsualTerm<Pullback::Physical, CoefficientKind::Symmetric>());
    return true;
  }
  const bool has_scalar = term.kind == CoefficientKind::Scalar;
  if (term.kind != CoefficientKind::None && !has_scalar) return false;
  if (term.coefficient_is_vector_of_blocks) return false;
  if (term.left_pullback != term.right_pullback) return false;
  if (term.left_is_vector != term.right_is_vector) return false;
  constexpr auto none = CoefficientKind::None, scalar = CoefficientKind::Scalar;
  if (term.left_is_vector && term.left_pullback == Pullback::Covariant) {
    if (has_scalar) {
      f(UsualTerm<Pullback::Covariant, scalar>());
    } else {
      f(UsualTerm<Pullback::Covariant, none>());
    }
    return true;
  }
  if (!term.left_is_vector && term.left_pullback == Pullback::Scalar) {
    if (has_scalar) {
      f(UsualTerm<Pullback::Scalar, scalar>());
    } else {
      f(UsualTerm<Pullback::Scalar, none>());
    }
    return true;
  }
  return false;
}

/// Fills in the coefficient of a term between components of blocks i and j.
/// \param get  get(row, column) of the coefficient
template <int NL, int NR, class Real, class Vec, class Get>
KONTRACT_INLINE void termCoefficient(const PlainTerm<Real>& term, int i, int j, const Get& get,
                                     Vec (&a)[9]) {
  if (!term.coefficient.is_there) return;
  if (term.coefficient_is_vector_of_blocks) {
    a[0] = get(i + j, 0);  // one of them is 0
  } else if (term.kind == CoefficientKind::Diagonal) {
    for (int n = 0; n < NL; ++n) a[n] = get(n, 0);
  } else if (term.kind == CoefficientKind::Full) {
    for (int n = 0; n < NL * NR; ++n) {
      a[n] = NL == 1 || NR == 1 ? get(n, 0) : get(n / NR, n % NR);
    }
  } else if (term.kind == CoefficientKind::Symmetric) {
    for (int n = 0; n < NL * NR; ++n) a[n] = get(placeInHalf<NL>(n / NR, n % NR), 0);
  } else {
    a[0] = get(0, 0);
  }
}

/// Makes a full coefficient of the normal of a side.
/// \param normal  normal(a), component a of the normal on the reference cell
/// \return what the coefficient is then
template <int D, class Real, class Vec, class Normal>
KONTRACT_INLINE CoefficientKind takeNormal(const PlainTerm<Real>& term,
                                           const PointGeometry<D, Vec>& g, const Normal& normal,
                                           Vec (&a)[9]) {
  if (term.kind != CoefficientKind::Normal) return term.kind;
  const Vec scale = term.coefficient.is_there ? a[0] : constantOf<Vec>(1);
  Vec reference[D], unit[D];
  for (int b = 0; b < D; ++b) reference[b] = normal(b);
  unitNormalOf<D>(g, reference, unit);
  for (int b = 0; b < D; ++b) a[b] = scale * unit[b];
  return CoefficientKind::Full;
}

/// The measure of a point whose weight is known: that times the size of the cell or of its side.
/// \param normal  as above
template <int D, class Real, class Vec, class Normal>
KONTRACT_INLINE void multiplyBySize(const HostForms<Real>& forms, const Normal& normal,
                                    PointGeometry<D, Vec>& g) {
  if (forms.weights_are_measures) return;
  if (forms.is_side) {
    Vec reference[D];
    for (int b = 0; b < D; ++b) reference[b] = normal(b);
    g.measure *= sideRatioOf<D>(g, reference);
    return;
  }
  g.measure *= absoluteOf(g.determinant);
}

/// The matrix between left component values of block i and right ones of block j.
/// \param get     get(row, column) of the coefficient
/// \param second  the second coefficient
/// \param normal  as above
template <int D, int NL, int NR, class Real, class Vec, class Get, class Second, class Normal>
KONTRACT_INLINE void termPointMatrix(const PlainTerm<Real>& term, const PointGeometry<D, Vec>& g,
                                     int i, int j, const Get& get, const Second& second,
                                     const Normal& normal, Vec (&k)[NL][NR]) {
  Vec a[9];
  termCoefficient<NL, NR>(term, i, j, get, a);
  if constexpr (NL == D && NR == D) {
    if (term.kind == CoefficientKind::Elastic) {
      a[1] = second();
      elasticPointMatrixAt<D>(term.left_pullback, i, j, g, a, k);
      return;
    }
  }
  const CoefficientKind kind = takeNormal<D>(term, g, normal, a);
  pointMatrixAt<D>(term.left_pullback, term.right_pullback, kind, g, a, k);
}

/// A thread's memory, given out piece by piece.
template <class Real>
struct FormMemory {
  Real* next;

  Real* take(std::int64_t reals) {
    Real* const piece = next;
    next += roundUp(reals, 64 / std::int64_t(sizeof(Real)));
    return piece;
  }
  /// Memory that vectors are computed from before all of their lanes are written, which may have
  /// held no numbers.
  Real* takeZeros(std::int64_t reals) {
    Real* const piece = take(reals);
    for (std::int64_t i = 0; i < reals; ++i) piece[i] = 0;
    return piece;
  }
};

/// Computes geometry and point matrices at the points of a cell.
template <class R, int D>
struct FormPoints {
  using Real = R;
  using Vec = Vector<Real, vector_bytes>;
  static constexpr int simd_width = simd_width_of<Real>;
  static constexpr int geometry_arrays = 2 * D * D + 2;

  const HostForms<Real>& forms;
  std::int64_t points;  ///< whole vectors of them
  Real* geometry = nullptr;
  Real* gradients = nullptr;

  explicit FormPoints(const HostForms<Real>& f) : forms(f), points(roundUp(f.points, simd_width)) {}

  std::int64_t reals() const {
    const bool has_gradients = forms.gradients.is_there;
    return roundUp(geometry_arrays * points, 64) +
           (has_gradients ? roundUp(forms.nodes * D * points, 64) : 0);
  }
  void begin(FormMemory<Real>& memory) {
    geometry = memory.take(geometry_arrays * points);
    if (!forms.gradients.is_there) return;
    gradients = memory.take(forms.nodes * D * points);
    packGradients();
  }

  void computeGeometry(std::int64_t c) {
    for (std::int64_t p = 0; p < points; p += simd_width) {
      PointGeometry<D, Vec> g;  // what is not there is not looked at
      g.measure = forms.weights.is_there ? atPoints(forms.weights, c * forms.weights.cell, p)
                                         : constantOf<Vec>(1);
      if (forms.has_mapping) {
        for (int i = 0; i < D; ++i) {
          for (int j = 0; j < D; ++j) g.jacobian[i][j] = jacobianEntry(c, p, i, j);
        }
        completeGeometry<D>(
            forms.space_dimension,
            [&](int i, int j) KONTRACT_INLINE_LAMBDA { return jacobianEntry(c, p, i, j); }, g);
        multiplyBySize<D>(
            forms, [&](int a) KONTRACT_INLINE_LAMBDA { return normalAt(p, a); }, g);
        for (int i = 0; i < D; ++i) {
          for (int j = 0; j < D; ++j) {
            store<vector_bytes>(geometryArray(i * D + j, p), g.jacobian[i][j]);
            store<vector_bytes>(geometryArray(adjugate_at + i * D + j, p), g.adjugate[i][j]);
          }
        }
        store<vector_bytes>(geometryArray(reciprocal_at, p), g.reciprocal);
      }
      store<vector_bytes>(geometryArray(measure_at, p), g.measure);
    }
  }

  /// The matrices between left and right values at all points, an array for each entry.
  template <int NL, int NR>
  void computePointMatrices(const PlainTerm<Real>& term, std::int64_t c, int i, int j,
                            Real* point_matrices) const {
    const PlainArray<Real>& from = term.coefficient;
    for (std::int64_t p = 0; p < points; p += simd_width) {
      PointGeometry<D, Vec> g;  // what is not there is not looked at
      loadGeometry(p, g);
      Vec k[NL][NR] = {};
      termPointMatrix<D, NL, NR>(
          term, g, i, j,
          [&](std::int64_t row, std::int64_t column) KONTRACT_INLINE_LAMBDA {
            return atPoints(from, c * from.cell + row * from.row + column * from.column, p);
          },
          [&]() KONTRACT_INLINE_LAMBDA { return atPoints(term.second, c * term.second.cell, p); },
          [&](int a) KONTRACT_INLINE_LAMBDA { return normalAt(p, a); }, k);
      for (int n = 0; n < NL * NR; ++n) {
        store<vector_bytes>(point_matrices + n * points + p, k[n / NR][n % NR]);
      }
    }
  }

 private:
  /// Gradients of nodes' functions with points contiguous.
  void packGradients() {
    if (gradients == nullptr) return;
    Real* to = gradients;
    for (std::int64_t n = 0; n < forms.nodes; ++n) {
      for (int d = 0; d < D; ++d) {
        for (std::int64_t p = 0; p < points; ++p) {
          *to++ = at(forms.gradients, 0, n, p < forms.points ? p : forms.points - 1, d);
        }
      }
    }
  }

  /// A vector of an array at points from p on; past the last point, at that.
  KONTRACT_INLINE Vec atPoints(const PlainArray<Real>& t, std::int64_t offset,
                               std::int64_t p) const {
    const Real* const data = t.data + offset;
    if (t.point == 0) return Vec{} + data[0];
    if (t.point == 1 && p + simd_width <= forms.points) return load<vector_bytes>(data + p);
    Vec v;
    if (p + simd_width <= forms.points) {
      const Real* from = data + p * t.point;
      for (int lane = 0; lane < simd_width; ++lane, from += t.point) v[lane] = *from;
      return v;
    }
    for (int lane = 0; lane < simd_width; ++lane) {
      const std::int64_t point = p + lane < forms.points ? p + lane : forms.points - 1;
      v[lane] = data[point * t.point];
    }
    return v;
  }

  // The arrays of a cell's geometry, in vectors of points.
  Real* geometryArray(int n, std::int64_t p) const { return geometry + n * points + p; }
  static constexpr int adjugate_at = D * D, reciprocal_at = 2 * D * D, measure_at = 2 * D * D + 1;

  KONTRACT_INLINE Vec jacobianEntry(std::int64_t c, std::int64_t p, int i, int j) const {
    const PlainArray<Real>& mapping = forms.mapping;
    if (gradients == nullptr) {
      return atPoints(mapping, c * mapping.cell + i * mapping.row + j * mapping.column, p);
    }
    Vec sum = {};
    const Real* nodes = mapping.data + c * mapping.cell + i * mapping.row;
    for (std::int64_t n = 0; n < forms.nodes; ++n) {
      sum += nodes[n * mapping.field] * load<vector_bytes>(gradients + (n * D + j) * points + p);
    }
    return sum;
  }

  KONTRACT_INLINE Vec normalAt(std::int64_t p, int a) const {
    return atPoints(forms.normals, a * forms.normals.row, p);
  }

  KONTRACT_INLINE void loadGeometry(std::int64_t p, PointGeometry<D, Vec>& g) const {
    g.measure = load<vector_bytes>(geometryArray(measure_at, p));
    if (!forms.has_mapping) return;
    for (int i = 0; i < D; ++i) {
      for (int j = 0; j < D; ++j) {
        g.jacobian[i][j] = load<vector_bytes>(geometryArray(i * D + j, p));
        g.adjugate[i][j] = load<vector_bytes>(geometryArray(adjugate_at + i * D + j, p));
      }
    }
    g.reciprocal = load<vector_bytes>(geometryArray(reciprocal_at, p));
  }
};

#endif
