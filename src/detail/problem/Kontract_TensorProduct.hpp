// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TENSORPRODUCT_HPP
#define KONTRACT_TENSORPRODUCT_HPP

#include <string>

#include "Kontract_TensorBasis.hpp"
#include "detail/call/Kontract_FormCall.hpp"

namespace Kontract {
namespace Impl {

/// Values of a tensor-product basis, in the place of a Tensor: an element is the product of one of
/// each direction's.
template <class V, class G>
struct TensorProduct {
  using value_type = typename V::value_type;
  static constexpr bool is_there = true;
  int dimension;
  bool is_gradient;
  V values[3];       ///< by field and point
  G derivatives[3];  ///< by field and point
  std::int64_t functions[3], points[3];

  /// A function of its own on devices: kernels that have it in dozens of places take compilers
  /// minutes.
#if defined(__CUDACC__) || defined(__HIPCC__)
  __noinline__
#endif
      KOKKOS_FUNCTION value_type
      at(std::int64_t, std::int64_t f, std::int64_t p, int i = 0, int = 0) const {
    value_type product(1);
    for (int d = 0; d < dimension; ++d) {
      const std::int64_t function = f % functions[d], point = p % points[d];
      f /= functions[d];
      p /= points[d];
      product = product * (is_gradient && d == i ? derivatives[d].at(0, function, point)
                                                 : values[d].at(0, function, point));
    }
    return product;
  }
};

template <class T>
inline constexpr bool is_tensor_product = false;
template <class V, class G>
inline constexpr bool is_tensor_product<TensorProduct<V, G>> = true;

template <class V, class G>
bool isSameTensor(const TensorProduct<V, G>& a, const TensorProduct<V, G>& b) {
  bool is_same = a.dimension == b.dimension && a.is_gradient == b.is_gradient;
  for (int d = 0; d < a.dimension && is_same; ++d) {
    is_same = a.functions[d] == b.functions[d] && a.points[d] == b.points[d] &&
              isSameTensor(a.values[d], b.values[d]) &&
              isSameTensor(a.derivatives[d], b.derivatives[d]);
  }
  return is_same;
}
template <class V, class G, class Other>
bool isSameTensor(const TensorProduct<V, G>&, const Other&) {
  return false;
}
template <class E, class V, class G>
bool isSameTensor(const Tensor<E>&, const TensorProduct<V, G>&) {
  return false;
}

/// What a term's values are, for messages.
struct ValuesOfTerm {
  const char* name;
  const char* directions;  ///< of a tensor-product basis
  int term;
};

/// Checks the arrays of one direction of a tensor-product basis.
/// \throws std::invalid_argument if they are not (N,Q) and (N,Q) or (N,Q,1)
void checkDirection(const Extents& extents, const ValuesOfTerm& of, int direction,
                    const ArrayDescription& values, const ArrayDescription& derivatives);

/// The shape that the values of a tensor-product basis have together, for checks.
/// \param rank  2 for (F,P), 3 for (F,P,D)
NamedArray productShape(const ValuesOfTerm& of, int rank, int dimension,
                        const std::int64_t* functions, const std::int64_t* points);

/// The same for the number of directions alone.
NamedArray directionsShape(const ValuesOfTerm& of, int dimension);

/// The rank that values of a side have.
template <class View>
int rankOfValues(const View& values, Pullback pullback) {
  if constexpr (std::is_same_v<View, NoView>) {
    return 0;
  } else if constexpr (is_tensor_basis<View>) {
    return pullback == Pullback::Covariant ? 3 : 2;
  } else {
    return rankOf(values);
  }
}

/// \throws std::invalid_argument if a tensor-product basis has no values for that pullback
void requireTensorPullback(const Extents& extents, const ValuesOfTerm& of, Pullback pullback);

/// Takes the values of a term: an array, or a tensor-product basis.
template <class Space, class View>
auto valuesOf(FusedArrays<Space>& arrays, const View& view, const ValuesOfTerm& of, Pullback,
              const char* letters) {
  return arrays.input(view, of.name, of.term, letters);
}
template <class Space, class Values, class Derivatives>
auto valuesOf(FusedArrays<Space>& arrays, const TensorBasis<Values, Derivatives>& basis,
              const ValuesOfTerm& of, Pullback pullback, const char* letters) {
  Extents& extents = arrays.extents();
  requireTensorPullback(extents, of, pullback);
  using V = decltype(arrays.table(basis.values[0], std::declval<const NamedArray&>()));
  using G = decltype(arrays.table(basis.derivatives[0], std::declval<const NamedArray&>()));
  static_assert(std::is_same_v<typename V::value_type, typename G::value_type> &&
                    is_plain<typename V::value_type>,
                "Kontract: values and derivatives of a tensor-product basis are numbers of one "
                "type");
  TensorProduct<V, G> product{};
  product.dimension = basis.dimension;
  product.is_gradient = pullback == Pullback::Covariant;
  ArrayDescription values[3], derivatives[3];
  for (int d = 0; d < basis.dimension; ++d) {
    values[d] = describe<Space>(basis.values[d]);
    derivatives[d] = describe<Space>(basis.derivatives[d]);
    checkDirection(extents, of, d, values[d], derivatives[d]);
    product.functions[d] = values[d].extents[0];
    product.points[d] = values[d].extents[1];
  }
  extents.take(directionsShape(of, basis.dimension), "D");
  extents.take(productShape(of, product.is_gradient ? 3 : 2, basis.dimension, product.functions,
                            product.points),
               letters);
  for (int d = 0; d < basis.dimension; ++d) {
    product.values[d] = arrays.table(basis.values[d], {of.name, of.term, values[d]});
    product.derivatives[d] = arrays.table(basis.derivatives[d], {of.name, of.term, derivatives[d]});
  }
  return product;
}

}  // namespace Impl
}  // namespace Kontract

#endif
