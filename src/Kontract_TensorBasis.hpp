// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TENSORBASIS_HPP
#define KONTRACT_TENSORBASIS_HPP

#include "detail/support/Kontract_Requirements.hpp"

#include <array>
#include <cstddef>
#include <utility>

#include "Kontract_Form.hpp"

namespace Kontract {

namespace Impl {

/// \throws std::invalid_argument that says what tensorBasis() takes of Intrepid2's
[[noreturn]] void refuseBasisValues(int directions);

/// \throws std::invalid_argument unless what is given is of as many directions as a basis
void requireDirections(int of_basis, int given, const char* what);

}  // namespace Impl

/// A basis whose fields are products of functions of one coordinate each, at points that are a grid
/// in the same way: what Intrepid2's HGRAD bases on lines, quadrilaterals and hexahedra are at
/// points of a tensor cubature. Field and point numbers count the first direction fastest:
///
///     f = f_1 + N_1 (f_2 + N_2 f_3),   p = p_1 + Q_1 (p_2 + Q_2 p_3)
///     value(f,p) = product over d of values_d(f_d,p_d)
///
/// It stands where the values of a term stand. A side with values that are vectors with the
/// pullback of gradients (gradGrad(), elasticity(), the gradients of advection()) takes its
/// gradients, a side of scalars its values. See the functions tensorBasis().
///
/// Source: S. Orszag, "Spectral methods for problems in complex geometries" (1980), for the sums
/// direction by direction that this allows.
template <class Values, class Derivatives>
struct TensorBasis {
  int dimension;               ///< how many directions there are
  Values values[3];            ///< (N_d,Q_d) of each direction
  Derivatives derivatives[3];  ///< (N_d,Q_d) or (N_d,Q_d,1)
};

/// The same functions and points in each of D directions.
/// \tparam D  directions: 1, 2 or 3
/// \param values       (N,Q), as getValues of a basis on a line leaves them
/// \param derivatives  (N,Q) or (N,Q,1)
template <int D, class Values, class Derivatives>
TensorBasis<Values, Derivatives> tensorBasis(const Values& values, const Derivatives& derivatives) {
  static_assert(D >= 1 && D <= 3, "Kontract: a tensor-product basis has one to three directions");
  TensorBasis<Values, Derivatives> basis{D, {}, {}};
  for (int d = 0; d < D; ++d) {
    basis.values[d] = values;
    basis.derivatives[d] = derivatives;
  }
  return basis;
}

/// Functions and points of their own in each of D directions, (N_d,Q_d).
template <class Values, class Derivatives, std::size_t D>
TensorBasis<Values, Derivatives> tensorBasis(const std::array<Values, D>& values,
                                             const std::array<Derivatives, D>& derivatives) {
  static_assert(D >= 1 && D <= 3, "Kontract: a tensor-product basis has one to three directions");
  TensorBasis<Values, Derivatives> basis{static_cast<int>(D), {}, {}};
  for (std::size_t d = 0; d < D; ++d) {
    basis.values[d] = values[d];
    basis.derivatives[d] = derivatives[d];
  }
  return basis;
}

/// A basis of HCURL or HDIV on quadrilaterals or hexahedra whose fields are products of functions of
/// one coordinate each. Fields are in families, one after another. Those of a family have one
/// component, along a direction e, and count the first direction fastest, as points do:
///
///     f = f_1 + N_1 (f_2 + N_2 f_3)
///     value(f,p)[e] = sign * product over d of t_d(f_d,p_d)
///
/// In HCURL t_e are open functions and all others closed ones, in HDIV it is the other way round.
/// Closed functions are those of a basis of HGRAD on a line, of order k; open ones are one fewer,
/// of a basis of order k - 1 on a line, so that derivatives of closed ones are sums of open ones.
/// MFEM calls them so, too.
///
/// It stands where the values of a term stand. A side with the pullback of values of its space
/// takes its values, a side of curlCurl() the curls of HCURL, and a side with the pullback of
/// densities the divergences of HDIV. See the functions tensorBasis().
///
/// Source: D. N. Arnold, D. Boffi and F. Bonizzoni, "Finite element differential forms on
/// curvilinear cubic meshes and their approximation properties" (2015), for bases of the exact
/// sequence as tensor products.
template <class Values, class Derivatives>
struct VectorTensorBasis {
  FunctionSpace space;                      ///< HCURL or HDIV
  TensorBasis<Values, Derivatives> closed;  ///< functions of each direction, and derivatives
  Values open[3];                           ///< (M_d,Q_d) of each direction
  int components[3];                        ///< the direction of each family's component, from 0 on
  int signs[3];                             ///< of each family: 1 or -1

  /// The same basis with its families in another order, and signs. Intrepid2's bases have the order
  /// 0, 1, 2, but for HDIV_QUAD_In_FEM with 1, 0, and of bases of its DerivedNodalBasisFamily
  /// HDIV_QUAD with 1, 0 and signs -1, 1, and HDIV_HEX with 2, 0, 1.
  /// \param of_components, of_signs  of each family, as many as there are directions
  /// \throws std::invalid_argument if they are not as many; calls that take the basis refuse
  ///   components that are not those of all directions, and signs other than 1 and -1
  template <std::size_t D>
  VectorTensorBasis withFamilies(const std::array<int, D>& of_components,
                                 const std::array<int, D>& of_signs) const {
    static_assert(D >= 2 && D <= 3, "Kontract: a basis of vectors has two or three families");
    Impl::requireDirections(closed.dimension, static_cast<int>(D), "families");
    VectorTensorBasis basis = *this;
    for (std::size_t n = 0; n < D; ++n) {
      basis.components[n] = of_components[n];
      basis.signs[n] = of_signs[n];
    }
    return basis;
  }
  /// The same with signs that are all 1.
  template <std::size_t D>
  VectorTensorBasis withFamilies(const std::array<int, D>& of_components) const {
    std::array<int, D> all_one{};
    all_one.fill(1);
    return withFamilies(of_components, all_one);
  }
};

/// A basis of HCURL or HDIV, families in the order of their components.
/// \param space   HCURL or HDIV
/// \param closed  a tensorBasis() of the closed functions, of two or three directions
/// \param open    (M,Q) of each direction, as getValues of a basis on a line leaves them
/// \throws std::invalid_argument if they are of other directions than closed functions
template <class Values, class Derivatives, std::size_t D>
VectorTensorBasis<Values, Derivatives> tensorBasis(
    FunctionSpace space, const TensorBasis<Values, Derivatives>& closed,
    const std::array<Values, D>& open) {
  static_assert(D >= 2 && D <= 3, "Kontract: a basis of vectors has two or three directions");
  Impl::requireDirections(closed.dimension, static_cast<int>(D), "open functions");
  VectorTensorBasis<Values, Derivatives> basis{space, closed, {}, {0, 1, 2}, {1, 1, 1}};
  for (std::size_t d = 0; d < D; ++d) basis.open[d] = open[d];
  return basis;
}

/// The same functions and points in each of D directions.
/// \tparam D  directions: 2 or 3
/// \param space        HCURL or HDIV
/// \param values       (N,Q) of closed functions
/// \param derivatives  (N,Q) or (N,Q,1) of closed functions
/// \param open         (M,Q) of open functions
template <int D, class Values, class Derivatives>
VectorTensorBasis<Values, Derivatives> tensorBasis(FunctionSpace space, const Values& values,
                                                   const Derivatives& derivatives,
                                                   const Values& open) {
  static_assert(D >= 2 && D <= 3, "Kontract: a basis of vectors has two or three directions");
  std::array<Values, D> all;
  all.fill(open);
  return tensorBasis(space, tensorBasis<D>(values, derivatives), all);
}

/// The directions of one of Intrepid2's tensor-product bases, from what its getValues() leaves for
/// points of a tensor cubature: nothing is copied.
///
///     auto values = basis->allocateBasisValues(points, Intrepid2::OPERATOR_VALUE);
///     auto gradients = basis->allocateBasisValues(points, Intrepid2::OPERATOR_GRAD);
///     basis->getValues(values, points, Intrepid2::OPERATOR_VALUE);
///     basis->getValues(gradients, points, Intrepid2::OPERATOR_GRAD);
///     auto tensor_basis = Kontract::tensorBasis(values, gradients);
///
/// \tparam BasisValues  Intrepid2::BasisValues
/// \param values, gradients  of an HGRAD basis of Intrepid2::DerivedNodalBasisFamily or
///   HierarchicalBasisFamily on a quadrilateral or hexahedron
/// \throws std::invalid_argument if they are not products of functions of one coordinate each
template <class BasisValues, class = decltype(std::declval<const BasisValues&>().vectorData())>
auto tensorBasis(const BasisValues& values, const BasisValues& gradients) {
  const auto& gradient = gradients.vectorData();
  const auto& value = values.tensorDataFamilies()[0];
  const int dimension = static_cast<int>(value.numTensorComponents());
  const bool is_product = values.numTensorDataFamilies() == 1 && dimension >= 1 && dimension <= 3 &&
                          gradient.isValid() && gradient.numFamilies() == 1 &&
                          static_cast<int>(gradient.numComponents()) == dimension;
  if (!is_product) Impl::refuseBasisValues(dimension);
  using View = decltype(value.getTensorComponent(0).getUnderlyingView());
  TensorBasis<View, View> basis{dimension, {}, {}};
  for (int d = 0; d < dimension; ++d) {
    const auto& component = gradient.getComponent(0, d);
    if (component.numTensorComponents() != dimension) Impl::refuseBasisValues(dimension);
    basis.values[d] = value.getTensorComponent(d).getUnderlyingView();
    basis.derivatives[d] = component.getTensorComponent(d).getUnderlyingView();
  }
  return basis;
}

namespace Impl {

template <class T>
inline constexpr bool is_tensor_basis = false;
template <class Values, class Derivatives>
inline constexpr bool is_tensor_basis<TensorBasis<Values, Derivatives>> = true;
template <class Values, class Derivatives>
inline constexpr bool is_tensor_basis<VectorTensorBasis<Values, Derivatives>> = true;

}  // namespace Impl
}  // namespace Kontract

#endif
