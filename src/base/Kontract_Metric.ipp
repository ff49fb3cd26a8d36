// SPDX-License-Identifier: BSD-3-Clause
//
// The small matrix that stands between left and right reference values at a point: geometry,
// pullbacks and coefficient in one. Included into a namespace of its own by each that computes it:
// by kernels of hosts with vectors of points for G, A and K, by portable ones with scalars, Fads
// among them. KONTRACT_METRIC_INLINE says how functions are declared there, and constantOf<G>(x) is
// a G of value x.

/// The geometry of a cell at a point.
template <int D, class G>
struct PointGeometry {
  G jacobian[D][D];
  G inverse[D][D];
  G determinant;
  G measure;  ///< the weight of the point in the cell
};

/// Fills in determinant and inverse.
template <int D, class G>
KONTRACT_METRIC_INLINE void invertJacobian(PointGeometry<D, G>& at) {
  const auto& j = at.jacobian;
  const G one = constantOf<G>(1);
  if constexpr (D == 1) {
    at.determinant = j[0][0];
    at.inverse[0][0] = one / j[0][0];
  } else if constexpr (D == 2) {
    at.determinant = j[0][0] * j[1][1] - j[0][1] * j[1][0];
    const G scale = one / at.determinant;
    at.inverse[0][0] = j[1][1] * scale;
    at.inverse[0][1] = -j[0][1] * scale;
    at.inverse[1][0] = -j[1][0] * scale;
    at.inverse[1][1] = j[0][0] * scale;
  } else {
    for (int a = 0; a < 3; ++a) {
      const int a1 = (a + 1) % 3, a2 = (a + 2) % 3;
      for (int i = 0; i < 3; ++i) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        at.inverse[a][i] = j[i1][a1] * j[i2][a2] - j[i1][a2] * j[i2][a1];
      }
    }
    at.determinant =
        j[0][0] * at.inverse[0][0] + j[1][0] * at.inverse[0][1] + j[2][0] * at.inverse[0][2];
    const G scale = one / at.determinant;
    for (int a = 0; a < 3; ++a) {
      for (int i = 0; i < 3; ++i) at.inverse[a][i] = at.inverse[a][i] * scale;
    }
  }
}

/// The matrix b of a pullback: v(i) = sum over a of b(i,a) v^(a), with N components.
template <int D, int N, class G>
KONTRACT_METRIC_INLINE void pullbackAt(Pullback pullback, const PointGeometry<D, G>& at,
                                       G (&b)[N][N]) {
  const G zero = constantOf<G>(0), one = constantOf<G>(1);
  if constexpr (N == 1) {
    if (pullback == Pullback::Density) {
      b[0][0] = one / at.determinant;
      return;
    }
  }
  if constexpr (N == D) {
    if (pullback == Pullback::Covariant) {
      for (int i = 0; i < N; ++i) {
        for (int a = 0; a < N; ++a) b[i][a] = at.inverse[a][i];
      }
      return;
    }
    if (pullback == Pullback::Contravariant) {
      const G scale = one / at.determinant;
      for (int i = 0; i < N; ++i) {
        for (int a = 0; a < N; ++a) b[i][a] = at.jacobian[i][a] * scale;
      }
      return;
    }
  }
  for (int i = 0; i < N; ++i) {
    for (int a = 0; a < N; ++a) b[i][a] = i == a ? one : zero;
  }
}

/// Multiplies by the matrix b of a pullback, v = b u, or by its transpose.
template <int D, bool is_transposed, int N, class G>
KONTRACT_METRIC_INLINE void pullBack(Pullback pullback, const PointGeometry<D, G>& at,
                                     const G (&u)[N], G (&v)[N]) {
  if constexpr (N == 1) {
    if (pullback == Pullback::Density) {
      v[0] = u[0] / at.determinant;
      return;
    }
  }
  if constexpr (N == D) {
    if (pullback == Pullback::Covariant) {
      for (int i = 0; i < N; ++i) {
        v[i] = (is_transposed ? at.inverse[i][0] : at.inverse[0][i]) * u[0];
        for (int a = 1; a < N; ++a) {
          v[i] = v[i] + (is_transposed ? at.inverse[i][a] : at.inverse[a][i]) * u[a];
        }
      }
      return;
    }
    if (pullback == Pullback::Contravariant) {
      const G scale = constantOf<G>(1) / at.determinant;
      for (int i = 0; i < N; ++i) {
        v[i] = (is_transposed ? at.jacobian[0][i] : at.jacobian[i][0]) * u[0];
        for (int a = 1; a < N; ++a) {
          v[i] = v[i] + (is_transposed ? at.jacobian[a][i] : at.jacobian[i][a]) * u[a];
        }
        v[i] = v[i] * scale;
      }
      return;
    }
  }
  for (int i = 0; i < N; ++i) v[i] = u[i];
}

/// What a right value u contributes to left values, f = k u with the matrix of metricAt(), which
/// takes fewer operations than the matrix does.
template <int D, int NL, int NR, class G>
KONTRACT_METRIC_INLINE void fluxAt(Pullback left, Pullback right, CoefficientKind kind,
                                   const PointGeometry<D, G>& at, const G (&c)[9], const G (&u)[NR],
                                   G (&f)[NL]) {
  G v[NR], w[NL] = {};
  pullBack<D, false>(right, at, u, v);
  if (kind == CoefficientKind::Full) {
    for (int i = 0; i < NL; ++i) {
      for (int j = 0; j < NR; ++j) w[i] = w[i] + c[i * NR + j] * v[j];
    }
  } else if constexpr (NL == NR) {
    for (int i = 0; i < NL; ++i) {
      w[i] = kind == CoefficientKind::None       ? v[i]
             : kind == CoefficientKind::Diagonal ? c[i] * v[i]
                                                 : c[0] * v[i];
    }
  }
  for (int i = 0; i < NL; ++i) w[i] = w[i] * at.measure;
  pullBack<D, true>(left, at, w, f);
}

/// The matrix k(a,b) of a term at a point,
///
///     integrand(l,r) = sum over a, b of left(l,a) k(a,b) right(r,b),
///
/// k = measure * bl^T c br with the pullbacks' matrices and the coefficient c.
/// \param c  the coefficient: one entry, or a diagonal, or all entries row by row
template <int D, int NL, int NR, class G, class A, class K>
KONTRACT_METRIC_INLINE void metricAt(Pullback left, Pullback right, CoefficientKind kind,
                                     const PointGeometry<D, G>& at, const A (&c)[9],
                                     K (&k)[NL][NR]) {
  G bl[NL][NL], br[NR][NR];
  pullbackAt<D>(left, at, bl);
  pullbackAt<D>(right, at, br);
  if (kind == CoefficientKind::None || kind == CoefficientKind::Scalar) {
    if constexpr (NL == NR) {
      for (int a = 0; a < NL; ++a) {
        for (int b = 0; b < NR; ++b) {
          G sum = bl[0][a] * br[0][b];
          for (int i = 1; i < NL; ++i) sum = sum + bl[i][a] * br[i][b];
          sum = sum * at.measure;
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
          k[a][b] = sum * at.measure;
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
      k[a][b] = sum * at.measure;
    }
  }
}

/// The matrix between the gradients of left component i and right component j of displacements, for
/// Lame's parameters c = (lambda, mu):
///
///     lambda (div u)(div v) + 2 mu e(u) : e(v),   e(u) = (grad u + grad u^T) / 2
template <int D, class G, class A, class K>
KONTRACT_METRIC_INLINE void elasticMetricAt(int i, int j, const PointGeometry<D, G>& at,
                                            const A (&c)[9], K (&k)[D][D]) {
  for (int a = 0; a < D; ++a) {
    for (int b = 0; b < D; ++b) {
      K sum = K(c[0] * (at.inverse[a][i] * at.inverse[b][j]));
      sum = sum + c[1] * (at.inverse[a][j] * at.inverse[b][i]);
      if (i == j) {
        G gradients = at.inverse[a][0] * at.inverse[b][0];
        for (int n = 1; n < D; ++n) gradients = gradients + at.inverse[a][n] * at.inverse[b][n];
        sum = sum + c[1] * gradients;
      }
      k[a][b] = sum * at.measure;
    }
  }
}
