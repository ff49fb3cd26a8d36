// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FORMPROBLEM_HPP
#define KONTRACT_FORMPROBLEM_HPP

#include <cstdint>
#include <type_traits>
#include <utility>

#include "Kontract_Pullback.hpp"
#include "detail/support/Kontract_Scalar.hpp"
#include "detail/view/Kontract_Accessor.hpp"

namespace Kontract {
namespace Impl {

/// An array of a fused problem: elements and strides, 0 for what it lacks or has once for all.
template <class E>
struct Tensor {
  using value_type = typename E::value_type;
  static constexpr bool is_there = true;
  E elements;
  std::int64_t cell = 0, field = 0, point = 0, row = 0, column = 0;

  KOKKOS_FORCEINLINE_FUNCTION decltype(auto) at(std::int64_t c, std::int64_t f, std::int64_t p,
                                                std::int64_t i = 0, std::int64_t j = 0) const {
    return elements[c * cell + f * field + p * point + i * row + j * column];
  }
};

/// An array that is not there, or a number that is the same everywhere: its value is one.
struct NoTensor {
  using value_type = char;
  static constexpr bool is_there = false;
};

/// Signs of fields, a function of cell and field.
template <class F>
struct SignsByFunction {
  using value_type =
      std::decay_t<decltype(std::declval<const F&>()(std::int64_t(), std::int64_t()))>;
  static constexpr bool is_there = true;
  F sign;

  KOKKOS_FORCEINLINE_FUNCTION value_type at(std::int64_t c, std::int64_t f, std::int64_t) const {
    return sign(c, f);
  }
};

/// Where the elements of an array begin.
template <class T>
const void* beginOf(const Accessor<T>& elements) {
  return elements.data;
}
template <class Value, class Reference, class Scalar>
const void* beginOf(const ProxyAccessor<Value, Reference, Scalar>& elements) {
  return elements.derivatives;
}

/// Whether two arrays whose extents agree are one, or neither is there.
template <class A, class B>
bool isSameTensor(const A&, const B&) {
  return !A::is_there && !B::is_there;
}
template <class E>
bool isSameTensor(const Tensor<E>& a, const Tensor<E>& b) {
  return beginOf(a.elements) == beginOf(b.elements) && a.cell == b.cell && a.field == b.field &&
         a.point == b.point && a.row == b.row && a.column == b.column;
}

/// A term of a fused problem. Left and right values have one component or D.
template <class L, class R, class A, class B, class SL, class SR>
struct FusedTerm {
  using left_type = L;
  using right_type = R;
  using coefficient_type = A;
  using second_type = B;
  using left_signs_type = SL;
  using right_signs_type = SR;
  Pullback left_pullback, right_pullback;  ///< never Curl
  CoefficientKind kind;
  bool left_is_vector, right_is_vector;
  bool coefficient_is_vector_of_blocks;  ///< a load of D components: one for each block
  L left;
  R right;
  A coefficient;
  B second;
  SL left_signs;
  SR right_signs;
};

/// The terms of a sum.
template <class... Terms>
struct TermList;
template <>
struct TermList<> {};
template <class First, class... Rest>
struct TermList<First, Rest...> {
  First first;
  TermList<Rest...> rest;
};

/// Forms on cells, without their scalars' types:
///
///     matrix(c,l,r) = sum over terms, p, a, b of left(l,p,a) k(c,p)(a,b) right(r,p,b)
///
/// where k is what pointMatrixAt() computes from the geometry of the cell and a coefficient.
/// Vectors are matrices of one right field that is one everywhere.
struct FusedShape {
  std::int64_t cells = 0, lefts = 0, rights = 1, points = 0, nodes = 0;
  int dimension = 1;
  int left_blocks = 1,
      right_blocks = 1;      ///< components of each field, which are fields of the output
  bool has_mapping = false;  ///< Jacobians or nodes are given
  bool weights_are_measures = false;
  bool is_symmetric = false;  ///< matrix(l,r) = matrix(r,l): one half is computed
  bool sum_into = false;
  bool cell_fastest = false;
};

template <class Out, class Mapping, class Gradients, class Weights, class Terms>
struct FusedProblem {
  using out_type = Out;
  using mapping_type = Mapping;
  using gradients_type = Gradients;
  using weights_type = Weights;
  using terms_type = Terms;
  FusedShape shape;
  Out out;  ///< fields are rows, right ones columns
  Mapping mapping;
  Gradients gradients;
  Weights weights;
  Terms terms;
};

}  // namespace Impl
}  // namespace Kontract

#endif
