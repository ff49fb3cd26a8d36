// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FORMPOINT_HPP
#define KONTRACT_FORMPOINT_HPP

#include <cmath>
#include <type_traits>
#include <utility>

#include "Kontract_Unroll.hpp"
#include "detail/problem/Kontract_FormProblem.hpp"

namespace Kontract {
namespace Impl {

template <class G>
KOKKOS_FORCEINLINE_FUNCTION G constantOf(double x) {
  return G(x);
}

template <class G>
KOKKOS_FORCEINLINE_FUNCTION G rootOf(const G& x) {
  using std::sqrt;
  if constexpr (std::is_integral_v<G>) {
    return G(sqrt(double(x)));
  } else {
    return G(sqrt(x));
  }
}

#define KONTRACT_POINT_MATRIX_INLINE KOKKOS_INLINE_FUNCTION
#include "detail/problem/Kontract_PointMatrix.ipp"
#undef KONTRACT_POINT_MATRIX_INLINE

/// The type in which values of type T are worked with on the way into sums of type Acc.
template <class Acc, class T, bool plain = is_plain<T>>
struct WorkingType {
  using type = T;
};
template <class Acc, class T>
struct WorkingType<Acc, T, true> {
  using type = decltype(widen<Acc>(std::declval<const T&>()));
};

/// The type of a product of two of those.
template <class Acc, class A, class B>
using ProductOf =
    std::conditional_t<std::is_same_v<A, B>, A,
                       std::conditional_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B>,
                                          decltype(A() * B()), Acc>>;

template <class Acc, class T, class X>
KOKKOS_FORCEINLINE_FUNCTION T worked(const X& x) {
  if constexpr (std::is_same_v<std::decay_t<X>, T> || !is_plain<T>) {
    return T(x);
  } else {
    return widen<Acc>(x);
  }
}

/// The type in which sums are kept: the output's, or a wider one if an input is wider.
template <class Acc, class... Arrays>
struct SumType {
  using type = Acc;
};
template <class Acc, class First, class... Rest>
struct SumType<Acc, First, Rest...> {
  using Wider = typename Accumulator<Acc, Acc, typename First::value_type>::type;
  using type = typename SumType<Wider, Rest...>::type;
};
template <class Acc, class... Arrays>
struct SumType<Acc, TermList<>, Arrays...> {
  using type = typename SumType<Acc, Arrays...>::type;
};
template <class Acc, class Term, int most, class... Arrays>
struct SumType<Acc, TermArray<Term, most>, Arrays...> {
  using type = typename SumType<Acc, TermList<Term>, Arrays...>::type;
};
template <class Acc, class First, class... Rest, class... Arrays>
struct SumType<Acc, TermList<First, Rest...>, Arrays...> {
  using type = typename SumType<Acc, typename First::left_type, typename First::right_type,
                                typename First::coefficient_type, typename First::second_type,
                                typename First::left_signs_type, typename First::right_signs_type,
                                TermList<Rest...>, Arrays...>::type;
};
template <class Out, class... Arrays>
using SumOf = typename SumType<Out, Arrays...>::type;

/// The type in which a term's coefficients are worked with: one that holds both of elasticity's.
template <class Acc, class First, class Second>
struct CoefficientType {
  using type = ProductOf<Acc, typename WorkingType<Acc, typename First::value_type>::type,
                         typename WorkingType<Acc, typename Second::value_type>::type>;
};
template <class Acc, class First>
struct CoefficientType<Acc, First, NoFormArray> {
  using type = typename WorkingType<Acc, typename First::value_type>::type;
};

/// The type of numbers with signs.
template <class Acc, class T, class Signs>
struct SignedType {
  using type = ProductOf<Acc, T, typename WorkingType<Acc, typename Signs::value_type>::type>;
};
template <class Acc, class T>
struct SignedType<Acc, T, NoFormArray> {
  using type = T;
};

/// What is at a point of a form, for pieces of work of any algorithm that is portable.
/// \tparam Vector  of a matrix-free product, or NoFormArray
template <class Problem, int D>
struct FormPoint {
  using Mapping = typename Problem::mapping_type;
  using Gradients = typename Problem::gradients_type;
  using Weights = typename Problem::weights_type;

  using Acc = SumOf<typename Problem::out_type::value_type, Mapping, Gradients, Weights,
                    typename Problem::normals_type, typename Problem::vector_type,
                    typename Problem::terms_type>;
  using MappingType = typename WorkingType<Acc, typename Mapping::value_type>::type;
  using WeightType = typename WorkingType<Acc, typename Weights::value_type>::type;
  using Normals = typename Problem::normals_type;
  using NormalType = typename WorkingType<Acc, typename Normals::value_type>::type;
  using GeometryType = ProductOf<Acc, MappingType, WeightType>;
  using G = std::conditional_t<Normals::is_ever_there, ProductOf<Acc, GeometryType, NormalType>,
                               GeometryType>;

  static KOKKOS_INLINE_FUNCTION PointGeometry<D, G> geometry(const Problem& problem, std::int64_t c,
                                                             std::int64_t p) {
    PointGeometry<D, G> at;
    at.measure = weight(problem, c, p);
    if constexpr (Mapping::is_ever_there) {
      if (problem.mapping.isThere()) addMapping(problem, c, p, at);
    }
    return at;
  }

  /// The weight of a point, one if there is none.
  static KOKKOS_FORCEINLINE_FUNCTION G weight(const Problem& problem, std::int64_t c,
                                              std::int64_t p) {
    if constexpr (Weights::is_ever_there) {
      if (problem.weights.isThere()) return worked<Acc, G>(problem.weights.at(c, 0, p));
    }
    return constantOf<G>(1);
  }

  static KOKKOS_FORCEINLINE_FUNCTION void addMapping(const Problem& problem, std::int64_t c,
                                                     std::int64_t p, PointGeometry<D, G>& at) {
    readMapping(problem, c, p, at);
    if constexpr (!Problem::has_usual_cells) {
      completeGeometry<D>(
          problem.shape.space_dimension,
          [&](int i, int j) { return jacobian(problem, c, p, i, j); }, at);
    } else {
      invertJacobian(at);
    }
    addMeasure(problem, p, at);
  }

  /// Fills in the Jacobian. Each node and gradient is read once: kernels of devices otherwise read
  /// them again for each entry.
  static KOKKOS_FORCEINLINE_FUNCTION void readMapping(const Problem& problem, std::int64_t c,
                                                      std::int64_t p, PointGeometry<D, G>& at) {
    if constexpr (Gradients::is_ever_there) {
      if (problem.gradients.isThere()) {
        KONTRACT_UNROLL
        for (int i = 0; i < D; ++i) {
          KONTRACT_UNROLL
          for (int j = 0; j < D; ++j) at.jacobian[i][j] = constantOf<G>(0);
        }
        for (std::int64_t n = 0; n < problem.shape.nodes; ++n) {
          G x[D];
          KONTRACT_UNROLL
          for (int i = 0; i < D; ++i) x[i] = worked<Acc, G>(problem.mapping.at(c, n, 0, i));
          KONTRACT_UNROLL
          for (int j = 0; j < D; ++j) {
            const G gradient = worked<Acc, G>(problem.gradients.at(0, n, p, j));
            KONTRACT_UNROLL
            for (int i = 0; i < D; ++i) at.jacobian[i][j] = at.jacobian[i][j] + x[i] * gradient;
          }
        }
        return;
      }
    }
    KONTRACT_UNROLL
    for (int i = 0; i < D; ++i) {
      KONTRACT_UNROLL
      for (int j = 0; j < D; ++j) at.jacobian[i][j] = jacobian(problem, c, p, i, j);
    }
  }

  /// The measure of a point from its weight and what follows from the Jacobian.
  static KOKKOS_FORCEINLINE_FUNCTION void addMeasure(const Problem& problem, std::int64_t p,
                                                     PointGeometry<D, G>& at) {
    if (problem.shape.weights_are_measures) return;
    if constexpr (Normals::is_ever_there) {
      if (problem.normals.isThere()) {
        G normal[D];
        referenceNormal(problem, p, normal);
        at.measure = at.measure * sideRatioOf<D>(at, normal);
        return;
      }
    }
    const bool is_negative = at.determinant < 0.;
    at.measure = at.measure * at.determinant;
    if (is_negative) at.measure = -at.measure;
  }

  static KOKKOS_FORCEINLINE_FUNCTION G jacobian(const Problem& problem, std::int64_t c,
                                                std::int64_t p, int i, int j) {
    if constexpr (Gradients::is_ever_there) {
      if (problem.gradients.isThere()) {
        G sum = constantOf<G>(0);
        for (std::int64_t n = 0; n < problem.shape.nodes; ++n) {
          sum = sum + worked<Acc, G>(problem.mapping.at(c, n, 0, i)) *
                          worked<Acc, G>(problem.gradients.at(0, n, p, j));
        }
        return sum;
      }
    }
    return worked<Acc, G>(problem.mapping.at(c, 0, p, i, j));
  }

  static KOKKOS_FORCEINLINE_FUNCTION void referenceNormal(const Problem& problem, std::int64_t p,
                                                          G (&normal)[D]) {
    if constexpr (Normals::is_ever_there) {
      for (int a = 0; a < D; ++a) normal[a] = worked<Acc, G>(problem.normals.at(0, 0, p, a));
    }
  }

  /// The coefficient of a term at a point, and the types that follow from it.
  template <class Term>
  struct Of {
    using Left = typename WorkingType<Acc, typename Term::left_type::value_type>::type;
    using Right = typename WorkingType<Acc, typename Term::right_type::value_type>::type;
    using A = typename CoefficientType<Acc, typename Term::coefficient_type,
                                       typename Term::second_type>::type;
    using K = ProductOf<Acc, A, G>;
    using KRight =
        typename SignedType<Acc, ProductOf<Acc, K, Right>, typename Term::right_signs_type>::type;
    using SignedLeft = typename SignedType<Acc, Left, typename Term::left_signs_type>::type;
  };

  /// Fills in the coefficient between components of block i and others.
  template <int NL, int NR, class Term, class A>
  static KOKKOS_INLINE_FUNCTION void coefficient(const Term& term, std::int64_t c, std::int64_t p,
                                                 int i, A (&a)[9]) {
    if constexpr (Term::coefficient_type::is_ever_there) {
      if (!term.coefficient.isThere()) return;
      const auto get = [&](int row, int column) {
        return worked<Acc, A>(term.coefficient.at(c, 0, p, row, column));
      };
      if (term.coefficient_is_vector_of_blocks) {
        a[0] = get(i, 0);
      } else if (term.kind == CoefficientKind::Diagonal) {
        for (int n = 0; n < NL; ++n) a[n] = get(n, 0);
      } else if (term.kind == CoefficientKind::Full) {
        // A vector between a scalar and a vector lies along whichever of them it is.
        for (int n = 0; n < NL * NR; ++n) {
          a[n] = NL == 1 ? get(n, 0) : NR == 1 ? get(n, 0) : get(n / NR, n % NR);
        }
      } else if (term.kind == CoefficientKind::Symmetric) {
        for (int n = 0; n < NL * NR; ++n) a[n] = get(placeInHalf<NL>(n / NR, n % NR), 0);
      } else {
        a[0] = get(0, 0);
      }
    }
  }

  /// Whether a coefficient is a normal, or has directions of space and the cell has fewer.
  template <class Term>
  static KOKKOS_FORCEINLINE_FUNCTION bool hasCoefficientOfSpace(const Problem& problem,
                                                                const Term& term) {
    if constexpr (Problem::has_usual_cells) {
      return false;
    } else {
      const bool has_directions =
          term.kind == CoefficientKind::Diagonal || term.kind == CoefficientKind::Full;
      return term.kind == CoefficientKind::Normal ||
             (has_directions && problem.shape.space_dimension > D);
    }
  }

  /// Fills in such a coefficient in directions of the cell, as a full one.
  template <class Term, class K>
  static KOKKOS_INLINE_FUNCTION void coefficientOfSpace(const Problem& problem, const Term& term,
                                                        const PointGeometry<D, G>& at,
                                                        std::int64_t c, std::int64_t p, K (&a)[9]) {
    if (term.kind == CoefficientKind::Normal) {
      coefficientOfNormal(problem, term, at, c, p, a);
      return;
    }
    if constexpr (D < 3 && Mapping::is_ever_there && Term::coefficient_type::is_ever_there) {
      using A = typename Of<Term>::A;
      const auto get = [&](int row, int column) {
        return worked<Acc, A>(term.coefficient.at(c, 0, p, row, column));
      };
      const int space = problem.shape.space_dimension;
      G j[3][D], frame[3][D];
      readJacobian<D>(
          space, [&](int i, int b) { return jacobian(problem, c, p, i, b); }, j);
      frameOf<D>(j, frame);
      const bool is_diagonal = term.kind == CoefficientKind::Diagonal;
      const bool is_vector = !is_diagonal && !(term.left_is_vector && term.right_is_vector);
      for (int n = 0; n < D; ++n) {
        for (int m = 0; m < (is_vector ? 1 : D); ++m) {
          K& sum = a[is_vector ? n : n * D + m];
          sum = K(0);
          for (int e = 0; e < space; ++e) {
            if (is_vector) {
              sum = sum + get(e, 0) * frame[e][n];
            } else if (is_diagonal) {
              sum = sum + get(e, 0) * (frame[e][n] * frame[e][m]);
            } else {
              for (int f = 0; f < space; ++f) sum = sum + get(e, f) * (frame[e][n] * frame[f][m]);
            }
          }
        }
      }
    }
  }

  /// The unit normal of a side, times the coefficient if there is one.
  template <class Term, class K>
  static KOKKOS_INLINE_FUNCTION void coefficientOfNormal(const Problem& problem, const Term& term,
                                                         const PointGeometry<D, G>& at,
                                                         std::int64_t c, std::int64_t p,
                                                         K (&a)[9]) {
    G reference[D] = {}, normal[D];
    referenceNormal(problem, p, reference);
    unitNormalOf<D>(at, reference, normal);
    for (int n = 0; n < D; ++n) a[n] = K(normal[n]);
    if constexpr (Term::coefficient_type::is_ever_there) {
      using A = typename Of<Term>::A;
      if (!term.coefficient.isThere()) return;
      for (int n = 0; n < D; ++n)
        a[n] = K(worked<Acc, A>(term.coefficient.at(c, 0, p)) * normal[n]);
    }
  }

  /// Fills in the matrix between left component values of block i and right ones of block j.
  /// \return false if there is none: the term does not couple those blocks
  template <int NL, int NR, class Term>
  static KOKKOS_INLINE_FUNCTION bool pointMatrix(const Problem& problem, const Term& term,
                                                 const PointGeometry<D, G>& at, std::int64_t c,
                                                 std::int64_t p, int i, int j,
                                                 typename Of<Term>::K (&k)[NL][NR]) {
    using A = typename Of<Term>::A;
    if constexpr (!Problem::has_usual_cells) {
      if (hasCoefficientOfSpace(problem, term)) {
        if (i != j) return false;
        typename Of<Term>::K full[9] = {};
        coefficientOfSpace(problem, term, at, c, p, full);
        pointMatrixAt<D>(term.left_pullback, term.right_pullback, CoefficientKind::Full, at, full,
                         k);
        return true;
      }
    }
    A a[9] = {};
    coefficient<NL, NR>(term, c, p, i, a);
    if constexpr (NL == D && NR == D && Term::second_type::is_ever_there) {
      if (term.second.isThere()) {
        a[1] = worked<Acc, A>(term.second.at(c, 0, p));
        elasticPointMatrixAt<D>(term.left_pullback, i, j, at, a, k);
        return true;
      }
    }
    if (i != j && !term.coefficient_is_vector_of_blocks) return false;
    pointMatrixAt<D>(term.left_pullback, term.right_pullback, term.kind, at, a, k);
    return true;
  }

  /// Adds the flux to component values of block i that right values of block j make; of a load they
  /// are one. It is for real numbers of one type.
  template <int NL, int NR, class Term>
  static KOKKOS_INLINE_FUNCTION void addFlux(const Problem& problem, const Term& term,
                                             const PointGeometry<D, G>& at, std::int64_t c,
                                             std::int64_t p, int i, int j, const Acc (&u)[NR],
                                             Acc (&flux)[NL]) {
    constexpr bool is_load = Problem::kind == FormKind::Vectors;
    if (is_load || term.kind == CoefficientKind::Elastic || hasCoefficientOfSpace(problem, term)) {
      typename Of<Term>::K k[NL][NR] = {};
      if (!pointMatrix<NL, NR>(problem, term, at, c, p, i, j, k)) return;
      for (int a = 0; a < NL; ++a) {
        for (int b = 0; b < NR; ++b) flux[a] += Acc(k[a][b]) * u[b];
      }
    } else if (i == j || term.coefficient_is_vector_of_blocks) {
      Acc entries[9] = {};
      coefficient<NL, NR>(term, c, p, i, entries);
      fluxAt<D>(term.left_pullback, term.right_pullback, term.kind, at, entries, u, flux);
    }
  }

  template <class T, class X>
  static KOKKOS_FORCEINLINE_FUNCTION T value(const X& x) {
    return worked<Acc, T>(x);
  }

  /// Multiplies a number by the sign of a field, if it has one.
  template <class Signs, class T>
  static KOKKOS_FORCEINLINE_FUNCTION void applySign(const Signs& signs, std::int64_t c,
                                                    std::int64_t f, T& x) {
    if constexpr (Signs::is_ever_there) {
      using Sign = typename WorkingType<Acc, typename Signs::value_type>::type;
      if (signs.isThere()) x = x * worked<Acc, Sign>(signs.at(c, f, 0));
    }
  }
};

/// Takes the last of several indices off the number that they make together.
KOKKOS_FORCEINLINE_FUNCTION std::int64_t takeIndex(std::int64_t& n, std::int64_t extent) {
  const std::int64_t index = n % extent;
  n /= extent;
  return index;
}

/// Leaves a finished sum in the output of a form, or adds it to what cells share.
/// \param columns  of the output of a cell
template <class Problem, class Acc>
KOKKOS_FORCEINLINE_FUNCTION void leaveSum(const Problem& problem, std::int64_t c, std::int64_t row,
                                          std::int64_t column, std::int64_t columns,
                                          const Acc& sum) {
  if constexpr (Problem::scatter_type::is_ever_there) {
    if (problem.isScattered()) {
      problem.scatter.add(problem.out.data, c, row, column, columns, sum);
      return;
    }
  }
  const FormStrides& strides = problem.out_strides;
  const std::int64_t offset = c * strides.cell + row * strides.row + column * strides.column;
  if (problem.shape.sum_into) {
    Impl::store<true>(problem.out[offset], sum);
  } else {
    Impl::store<false>(problem.out[offset], sum);
  }
}

/// Calls f(constant<NL>, constant<NR>) with the numbers of components of a term's values.
template <int D, class Term, class F>
KOKKOS_FORCEINLINE_FUNCTION void withComponents(const Term& term, const F& f) {
  using One = std::integral_constant<int, 1>;
  using All = std::integral_constant<int, D>;
  if constexpr (D == 1) {
    f(One(), One());
  } else if (!term.left_is_vector) {
    if (term.right_is_vector) {
      f(One(), All());
    } else {
      f(One(), One());
    }
  } else {
    if (term.right_is_vector) {
      f(All(), All());
    } else {
      f(All(), One());
    }
  }
}

}  // namespace Impl
}  // namespace Kontract

#endif
