// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_SMALLMATRIX_HPP
#define KONTRACT_SMALLMATRIX_HPP

#include <cmath>
#include <type_traits>

#include "Kontract_SumOfProducts.hpp"
#include "detail/problem/Kontract_RunOfPlaces.hpp"

namespace Kontract {
namespace Impl {

/// A copy of an element in the precision of sums.
template <class Acc, class T>
KOKKOS_FORCEINLINE_FUNCTION Acc elementAs(const T& x) {
  if constexpr (used_as_is<Acc, T>) {
    return Acc(x);
  } else {
    return Acc(widen<Acc>(x));
  }
}

/// Distances between rows and columns of a matrix in memory.
struct MatrixSteps {
  std::int64_t row, column;
};

/// A small matrix in registers.
template <int D, class Acc>
struct SmallMatrix {
  Acc a[D][D];

  template <class Elements>
  KOKKOS_FORCEINLINE_FUNCTION SmallMatrix(const Elements& elements, std::int64_t at,
                                          const MatrixSteps& step) {
    for (int i = 0; i < D; ++i) {
      for (int j = 0; j < D; ++j) {
        a[i][j] = elementAs<Acc>(elements[at + i * step.row + j * step.column]);
      }
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION Acc cofactor(int i, int j) const {
    if constexpr (D == 1) {
      return Acc(1);
    } else if constexpr (D == 2) {
      return i == j ? Acc(a[1 - i][1 - j]) : Acc(-a[1 - i][1 - j]);
    } else {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      return Acc(a[i1][j1] * a[i2][j2] - a[i1][j2] * a[i2][j1]);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION Acc determinant() const {
    Acc sum = a[0][0];
    if constexpr (D > 1) sum *= cofactor(0, 0);
    for (int j = 1; j < D; ++j) sum += a[0][j] * cofactor(0, j);
    return sum;
  }
};

/// What the matrices along a run are asked for: determinants, inverses, or products of their
/// cofactors with vectors.
template <int D, class Problem>
KOKKOS_INLINE_FUNCTION void computeMatricesOf(const Problem& problem, RunOfPlaces run) {
  using Acc = AccumulatorOf<Problem>;
  using Matrix = SmallMatrix<D, Acc>;
  const PointwiseShape& s = problem.shape;
  for (std::int64_t place = 0; place < run.length; ++place) {
    if (s.kind == PointwiseKind::Determinant) {
      const Matrix matrix(problem.right, run.right, {s.sum[0].right, s.sum[1].right});
      store<false>(problem.out[run.out], matrix.determinant());
    } else if (s.kind == PointwiseKind::Inverse) {
      const Matrix matrix(problem.right, run.right, {s.right.row, s.right.column});
      const Acc factor = Acc(Acc(1) / matrix.determinant());
      for (int i = 0; i < D; ++i) {
        for (int j = 0; j < D; ++j) {
          store<false>(problem.out[run.out + i * s.out.row + j * s.out.column],
                       Acc(matrix.cofactor(j, i) * factor));
        }
      }
    } else {
      const Matrix matrix(problem.left, run.left, {s.left.row, s.sum[0].left});
      for (int i = 0; i < D; ++i) {
        Acc sum(0);
        for (int m = 0; m < D; ++m) {
          multiplyAdd(sum, problem.right[run.right + m * s.sum[0].right], matrix.cofactor(i, m));
        }
        store<false>(problem.out[run.out + i * s.out.row], sum);
      }
    }
    run.out += run.out_step;
    run.left += run.left_step;
    run.right += run.right_step;
  }
}

template <class Problem>
KOKKOS_INLINE_FUNCTION void computeMatrices(const Problem& problem, const RunOfPlaces& run) {
  const PointwiseShape& s = problem.shape;
  switch (s.kind == PointwiseKind::Determinant ? s.sum[0].extent : s.rows) {
    case 1: computeMatricesOf<1>(problem, run); break;
    case 2: computeMatricesOf<2>(problem, run); break;
    default: computeMatricesOf<3>(problem, run);
  }
}

/// Norms of the vectors along a run.
template <class Problem>
KOKKOS_INLINE_FUNCTION void computeNorms(const Problem& problem, RunOfPlaces run) {
  using Acc = AccumulatorOf<Problem>;
  const PointwiseShape& s = problem.shape;
  const SumLevel& level = s.sum[0];
  if constexpr (!IsComplex<Acc>::value) {
    for (std::int64_t place = 0; place < run.length; ++place) {
      Acc norm(0);
      for (std::int64_t m = 0; m < level.extent; ++m) {
        Acc x = elementAs<Acc>(problem.right[run.right + m * level.right]);
        if (s.kind == PointwiseKind::NormTwo) {
          norm += x * x;
          continue;
        }
        if (x < Acc(0)) x = Acc(-x);
        if (s.kind == PointwiseKind::NormOne) {
          norm += x;
        } else if (norm < x) {
          norm = x;
        }
      }
      if (s.kind == PointwiseKind::NormTwo) {
        using std::sqrt;
        using Real = std::conditional_t<std::is_integral_v<Acc>, double, Acc>;
        norm = Acc(sqrt(Real(norm)));
      }
      store<false>(problem.out[run.out], norm);
      run.out += run.out_step;
      run.right += run.right_step;
    }
  }
}

}  // namespace Impl
}  // namespace Kontract

#endif
