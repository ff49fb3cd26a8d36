// SPDX-License-Identifier: BSD-3-Clause
//
// The small matrix that stands between left and right reference values at a point: geometry,
// pullbacks and coefficient in one. Included into a namespace of its own by each that computes it:
// by kernels of hosts with vectors of points for G, A and K, by portable ones with scalars, Fads
// among them. KONTRACT_POINT_MATRIX_INLINE says how functions are declared there, constantOf<G>(x)
// is a G of value x, and rootOf(x) the square root of a G.

/// The place of an entry of a symmetric matrix of N rows of which the upper half is there, row by
/// row.
template <int N>
KONTRACT_POINT_MATRIX_INLINE constexpr int placeInHalf(int i, int j) {
  const int row = i < j ? i : j, column = i < j ? j : i;
  return row * N - row * (row + 1) / 2 + column;
}

/// The geometry of a cell at a point.
template <int D, class G>
struct PointGeometry {
  G jacobian[D][D];
  G adjugate[D][D];  ///< determinant times inverse
  G determinant;
  G reciprocal;  ///< of the determinant
  G measure;     ///< the weight of the point in the cell
};

template <int D, class G>
KONTRACT_POINT_MATRIX_INLINE G determinantOf(const G (&j)[D][D]) {
  if constexpr (D == 1) {
    return j[0][0];
  } else if constexpr (D == 2) {
    return j[0][0] * j[1][1] - j[0][1] * j[1][0];
  } else {
    return j[0][0] * (j[1][1] * j[2][2] - j[1][2] * j[2][1]) +
           j[1][0] * (j[2][1] * j[0][2] - j[2][2] * j[0][1]) +
           j[2][0] * (j[0][1] * j[1][2] - j[0][2] * j[1][1]);
  }
}

/// Fills in what follows from the Jacobian.
template <int D, class G>
KONTRACT_POINT_MATRIX_INLINE void invertJacobian(PointGeometry<D, G>& at) {
  const auto& j = at.jacobian;
  if constexpr (D == 1) {
    at.adjugate[0][0] = constantOf<G>(1);
    at.determinant = j[0][0];
  } else if constexpr (D == 2) {
    at.adjugate[0][0] = j[1][1];
    at.adjugate[0][1] = -j[0][1];
    at.adjugate[1][0] = -j[1][0];
    at.adjugate[1][1] = j[0][0];
    at.determinant = determinantOf(j);
  } else {
    for (int a = 0; a < 3; ++a) {
      const int a1 = (a + 1) % 3, a2 = (a + 2) % 3;
      for (int i = 0; i < 3; ++i) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        at.adjugate[a][i] = j[i1][a1] * j[i2][a2] - j[i1][a2] * j[i2][a1];
      }
    }
    at.determinant =
        j[0][0] * at.adjugate[0][0] + j[1][0] * at.adjugate[0][1] + j[2][0] * at.adjugate[0][2];
  }
  at.reciprocal = constantOf<G>(1) / at.determinant;
}

template <class G>
KONTRACT_POINT_MATRIX_INLINE G absoluteOf(const G& x) {
  const G minus = -x;
  return x < constantOf<G>(0) ? minus : x;
}

/// The length of a vector. It is scaled, because squares of what small cells have may be below all
/// numbers of their type.
template <int N, class G>
KONTRACT_POINT_MATRIX_INLINE G lengthOf(const G (&v)[N]) {
  const G one = constantOf<G>(1);
  G largest = absoluteOf(v[0]);
  for (int n = 1; n < N; ++n) {
    const G next = absoluteOf(v[n]);
    largest = next > largest ? next : largest;
  }
  const G scale = largest > constantOf<G>(0) ? largest : one;
  const G reciprocal = one / scale;
  G sum = constantOf<G>(0);
  for (int n = 0; n < N; ++n) {
    const G x = v[n] * reciprocal;
    sum = sum + x * x;
  }
  return scale * rootOf(sum);
}

/// The cross product of the columns of a Jacobian of a surface in space.
template <class G>
KONTRACT_POINT_MATRIX_INLINE void crossColumns(const G (&j)[3][2], G (&cross)[3]) {
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    cross[i] = j[i1][0] * j[i2][1] - j[i2][0] * j[i1][1];
  }
}

/// Orthonormal vectors in the direction of a curve, or in the plane of a surface, the first one in
/// the direction of the first column of the Jacobian.
/// \param j  the Jacobian; rows that space does not have are 0
template <int D, class G>
KONTRACT_POINT_MATRIX_INLINE void frameOf(const G (&j)[3][D], G (&frame)[3][D]) {
  const G first[3] = {j[0][0], j[1][0], j[2][0]};
  const G length = lengthOf(first);
  for (int i = 0; i < 3; ++i) frame[i][0] = first[i] / length;
  if constexpr (D == 2) {
    G normal[3];
    crossColumns(j, normal);
    const G area = lengthOf(normal);
    for (int i = 0; i < 3; ++i) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
      frame[i][1] = (normal[i1] * frame[i2][0] - normal[i2] * frame[i1][0]) / area;
    }
  }
}

/// Fills in the geometry of a cell with fewer dimensions than space by that of a flat one with the
/// same lengths and angles: the Jacobian in the frame of frameOf(), R of its decomposition Q R.
/// Pullbacks by the pseudo-inverse of the Jacobian are those by the inverse of R, turned by Q,
/// which forms do not see.
/// \param j  the Jacobian; rows that space does not have are 0
template <int D, class G>
KONTRACT_POINT_MATRIX_INLINE void flattenJacobian(const G (&j)[3][D], PointGeometry<D, G>& at) {
  const G first[3] = {j[0][0], j[1][0], j[2][0]};
  const G one = constantOf<G>(1), length = lengthOf(first);
  at.jacobian[0][0] = length;
  at.determinant = length;
  if constexpr (D == 1) {
    at.adjugate[0][0] = one;
  } else {
    const G reciprocal = one / length;
    G normal[3];
    crossColumns(j, normal);
    at.determinant = lengthOf(normal);
    G along = first[0] * reciprocal * j[0][1];
    for (int i = 1; i < 3; ++i) along = along + first[i] * reciprocal * j[i][1];
    at.jacobian[0][1] = along;
    at.jacobian[1][0] = constantOf<G>(0);
    at.jacobian[1][1] = at.determinant * reciprocal;
    at.adjugate[0][0] = at.jacobian[1][1];
    at.adjugate[0][1] = -along;
    at.adjugate[1][0] = constantOf<G>(0);
    at.adjugate[1][1] = length;
  }
  at.reciprocal = one / at.determinant;
}

/// All entries of the Jacobian of a curve or a surface; rows that space does not have become 0.
/// \param entry  entry(i, a) of it
template <int D, class G, class Entry>
KONTRACT_POINT_MATRIX_INLINE void readJacobian(int space_dimension, const Entry& entry,
                                               G (&j)[3][D]) {
  for (int i = 0; i < 3; ++i) {
    for (int a = 0; a < D; ++a) j[i][a] = i < space_dimension ? entry(i, a) : constantOf<G>(0);
  }
}

/// Fills in what follows from a Jacobian of which D rows are there. Cells that have fewer
/// dimensions than space become flat.
/// \param entry  entry(i, a) of the Jacobian
template <int D, class G, class Entry>
KONTRACT_POINT_MATRIX_INLINE void completeGeometry(int space_dimension, const Entry& entry,
                                                   PointGeometry<D, G>& at) {
  if constexpr (D < 3) {
    if (space_dimension > D) {
      G j[3][D];
      readJacobian<D>(space_dimension, entry, j);
      flattenJacobian<D>(j, at);
      return;
    }
  }
  invertJacobian(at);
}

/// The normal of a side in the cell, as long as the measures of the two are to each other: det J
/// J^-T times the normal on the reference cell (E. J. Nanson 1878).
template <int D, class G>
KONTRACT_POINT_MATRIX_INLINE void areaVectorOf(const PointGeometry<D, G>& at,
                                               const G (&reference_normal)[D], G (&area)[D]) {
  for (int i = 0; i < D; ++i) {
    area[i] = at.adjugate[0][i] * reference_normal[0];
    for (int a = 1; a < D; ++a) area[i] = area[i] + at.adjugate[a][i] * reference_normal[a];
  }
}

/// The measure of a side by that on the reference cell.
template <int D, class G>
KONTRACT_POINT_MATRIX_INLINE G sideRatioOf(const PointGeometry<D, G>& at,
                                           const G (&reference_normal)[D]) {
  G area[D];
  areaVectorOf<D>(at, reference_normal, area);
  return lengthOf(area);
}

/// The unit normal of a side that points out of the cell if that on the reference cell does.
template <int D, class G>
KONTRACT_POINT_MATRIX_INLINE void unitNormalOf(const PointGeometry<D, G>& at,
                                               const G (&reference_normal)[D], G (&normal)[D]) {
  areaVectorOf<D>(at, reference_normal, normal);
  const G length = lengthOf(normal), minus = -length;
  const G size = at.reciprocal < constantOf<G>(0) ? minus : length;
  for (int i = 0; i < D; ++i) normal[i] = normal[i] / size;
}

/// Whether the matrix of a pullback is pullbackAt() over the determinant; otherwise it is 1.
KONTRACT_POINT_MATRIX_INLINE bool isOverDeterminant(Pullback pullback) {
  return pullback != Pullback::Scalar && pullback != Pullback::Physical;
}

/// The matrix b of a pullback, v(i) = sum over a of b(i,a) v^(a), with N components, times the
/// determinant where isOverDeterminant() holds.
template <int D, int N, class G>
KONTRACT_POINT_MATRIX_INLINE void pullbackAt(Pullback pullback, const PointGeometry<D, G>& at,
                                             G (&b)[N][N]) {
  if constexpr (N == D) {
    if (pullback == Pullback::Covariant) {
      for (int i = 0; i < N; ++i) {
        for (int a = 0; a < N; ++a) b[i][a] = at.adjugate[a][i];
      }
      return;
    }
    if (pullback == Pullback::Contravariant) {
      for (int i = 0; i < N; ++i) {
        for (int a = 0; a < N; ++a) b[i][a] = at.jacobian[i][a];
      }
      return;
    }
  }
  for (int i = 0; i < N; ++i) {
    for (int a = 0; a < N; ++a) b[i][a] = constantOf<G>(i == a ? 1 : 0);
  }
}

/// The weight of a point times the powers of the determinant that pullbackAt() leaves out. They
/// come one after the other, because the square of a small cell's determinant may be below all
/// numbers of its type.
template <int D, class G>
KONTRACT_POINT_MATRIX_INLINE G measureOf(Pullback left, Pullback right,
                                         const PointGeometry<D, G>& at) {
  G measure = at.measure;
  if (isOverDeterminant(left)) measure = measure * at.reciprocal;
  if (isOverDeterminant(right)) measure = measure * at.reciprocal;
  return measure;
}

/// Multiplies by the matrix of pullbackAt(), v = b u, or by its transpose.
template <int D, bool is_transposed, int N, class G>
KONTRACT_POINT_MATRIX_INLINE void pullBack(Pullback pullback, const PointGeometry<D, G>& at,
                                           const G (&u)[N], G (&v)[N]) {
  if (!isOverDeterminant(pullback)) {
    for (int i = 0; i < N; ++i) v[i] = u[i];
    return;
  }
  G b[N][N];
  pullbackAt<D>(pullback, at, b);
  for (int i = 0; i < N; ++i) {
    v[i] = (is_transposed ? b[0][i] : b[i][0]) * u[0];
    for (int a = 1; a < N; ++a) v[i] = v[i] + (is_transposed ? b[a][i] : b[i][a]) * u[a];
  }
}

/// What a right value u contributes to left values, f = k u with the matrix of pointMatrixAt(), in
/// fewer operations than the matrix takes.
template <int D, int NL, int NR, class G>
KONTRACT_POINT_MATRIX_INLINE void fluxAt(Pullback left, Pullback right, CoefficientKind kind,
                                         const PointGeometry<D, G>& at, const G (&c)[9],
                                         const G (&u)[NR], G (&f)[NL]) {
  G v[NR], w[NL] = {};
  pullBack<D, false>(right, at, u, v);
  const G measure = measureOf(left, right, at);
  if (kind == CoefficientKind::Full || kind == CoefficientKind::Symmetric) {
    for (int i = 0; i < NL; ++i) {
      for (int j = 0; j < NR; ++j) w[i] = w[i] + c[i * NR + j] * v[j];
      w[i] = w[i] * measure;
    }
  } else if constexpr (NL == NR) {
    const bool is_diagonal = kind == CoefficientKind::Diagonal;
    for (int i = 0; i < NL; ++i) {
      G factor = measure;
      if (kind != CoefficientKind::None) {
        // Both are read, and one is taken: devices keep arrays in memory whose places they compute.
        const G entry = is_diagonal ? c[i] : c[0];
        factor = entry * measure;
      }
      w[i] = factor * v[i];
    }
  }
  pullBack<D, true>(left, at, w, f);
}

/// The same of linear elasticity, for the gradients of all components of displacements: f = k u with
/// the matrices of elasticPointMatrixAt().
/// \param lambda, mu  Lame's parameters
template <int D, class G>
KONTRACT_POINT_MATRIX_INLINE void elasticFluxAt(Pullback pullback, const PointGeometry<D, G>& at,
                                                const G& lambda, const G& mu, const G (&u)[D][D],
                                                G (&f)[D][D]) {
  G gradient[D][D];
  for (int i = 0; i < D; ++i) pullBack<D, false>(pullback, at, u[i], gradient[i]);
  G measure = measureOf(pullback, pullback, at);
  G divergence = gradient[0][0];
  for (int i = 1; i < D; ++i) divergence = divergence + gradient[i][i];
  const G pressure = lambda * divergence;
  for (int i = 0; i < D; ++i) {
    G stress[D];
    for (int n = 0; n < D; ++n) {
      stress[n] = mu * (gradient[i][n] + gradient[n][i]);
      if (n == i) stress[n] = stress[n] + pressure;
      stress[n] = stress[n] * measure;
    }
    pullBack<D, true>(pullback, at, stress, f[i]);
  }
}

/// The matrix k(a,b) of a term at a point,
///
///     integrand(l,r) = sum over a, b of left(l,a) k(a,b) right(r,b),
///
/// k = measure * bl^T c br with the pullbacks' matrices and the coefficient c.
/// \param c  the coefficient: one entry, or a diagonal, or all entries row by row
template <int D, int NL, int NR, class G, class A, class K>
KONTRACT_POINT_MATRIX_INLINE void pointMatrixAt(Pullback left, Pullback right, CoefficientKind kind,
                                                const PointGeometry<D, G>& at, const A (&c)[9],
                                                K (&k)[NL][NR]) {
  G bl[NL][NL], br[NR][NR];
  pullbackAt<D>(left, at, bl);
  pullbackAt<D>(right, at, br);
  const G measure = measureOf(left, right, at);
  for (int i = 0; i < NR; ++i) {
    for (int b = 0; b < NR; ++b) br[i][b] = measure * br[i][b];
  }
  if (kind == CoefficientKind::None || kind == CoefficientKind::Scalar) {
    if constexpr (NL == NR) {
      for (int a = 0; a < NL; ++a) {
        for (int b = 0; b < NR; ++b) {
          G sum = bl[0][a] * br[0][b];
          for (int i = 1; i < NL; ++i) sum = sum + bl[i][a] * br[i][b];
          if (kind == CoefficientKind::None) {
            k[a][b] = K(sum);
          } else {
            k[a][b] = K(c[0] * sum);
          }
        }
      }
    }
    return;
  }
  if constexpr (NL == NR) {
    if (kind == CoefficientKind::Diagonal) {
      for (int a = 0; a < NL; ++a) {
        for (int b = 0; b < NR; ++b) {
          K sum = K(c[0] * (bl[0][a] * br[0][b]));
          for (int i = 1; i < NL; ++i) sum = sum + c[i] * (bl[i][a] * br[i][b]);
          k[a][b] = sum;
        }
      }
      return;
    }
  }
  for (int b = 0; b < NR; ++b) {
    K column[NL];  // of c br
    for (int i = 0; i < NL; ++i) {
      column[i] = K(c[i * NR] * br[0][b]);
      for (int j = 1; j < NR; ++j) column[i] = column[i] + c[i * NR + j] * br[j][b];
    }
    for (int a = 0; a < NL; ++a) {
      K sum = K(column[0] * bl[0][a]);
      for (int i = 1; i < NL; ++i) sum = sum + column[i] * bl[i][a];
      k[a][b] = sum;
    }
  }
}

/// A row of a matrix. Devices keep arrays in memory whose places they compute.
template <int D, class G>
KONTRACT_POINT_MATRIX_INLINE void takeRow(const G (&rows)[D][D], int row, G (&to)[D]) {
  for (int a = 0; a < D; ++a) {
    // All are read, and one is taken.
    const G first = rows[0][a], second = rows[D > 1 ? 1 : 0][a], third = rows[D - 1][a];
    to[a] = row == 0 ? first : row == 1 ? second : third;
  }
}

/// The matrix between the gradients of left component i and right component j of displacements, for
/// Lame's parameters c = (lambda, mu):
///
///     lambda (div u)(div v) + 2 mu e(u) : e(v),   e(u) = (grad u + grad u^T) / 2
///
/// \param pullback  of the gradients on both sides
template <int D, class G, class A, class K>
KONTRACT_POINT_MATRIX_INLINE void elasticPointMatrixAt(Pullback pullback, int i, int j,
                                                       const PointGeometry<D, G>& at,
                                                       const A (&c)[9], K (&k)[D][D]) {
  G pulled[D][D];  // component n of the gradient that component a on the reference cell makes
  pullbackAt<D>(pullback, at, pulled);
  if (isOverDeterminant(pullback)) {
    for (int n = 0; n < D; ++n) {
      for (int a = 0; a < D; ++a) pulled[n][a] = pulled[n][a] * at.reciprocal;
    }
  }
  G of_i[D], of_j[D];
  takeRow(pulled, i, of_i);
  takeRow(pulled, j, of_j);
  for (int a = 0; a < D; ++a) {
    for (int b = 0; b < D; ++b) {
      K sum = K(c[0] * (of_i[a] * of_j[b]));
      sum = sum + c[1] * (of_j[a] * of_i[b]);
      if (i == j) {
        G gradients = pulled[0][a] * pulled[0][b];
        for (int n = 1; n < D; ++n) gradients = gradients + pulled[n][a] * pulled[n][b];
        sum = sum + c[1] * gradients;
      }
      k[a][b] = sum * at.measure;
    }
  }
}
