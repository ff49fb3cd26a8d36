// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_REFERENCEVALUES_HPP
#define KONTRACT_REFERENCEVALUES_HPP

#include "Kontract_Intrepid2Geometry.hpp"

#ifdef KONTRACT_HAS_INTREPID2_GEOMETRY

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

#include "detail/view/Kontract_DescribeView.hpp"

namespace Kontract {
namespace Impl {

template <template <class, class, class> class Basis>
struct BasisTag {
  template <class DeviceType, class Scalar>
  using type = Basis<DeviceType, Scalar, Scalar>;
};

/// Calls f with the basis that maps the reference cell of a topology.
/// \return false if Kontract knows none
template <class F>
bool withBasisOf(const shards::CellTopology& topology, const F& f) {
  switch (topology.getKey()) {
#define KONTRACT_BASIS(KEY, BASIS) \
  case shards::KEY::key: f(BasisTag<Intrepid2::Basis_HGRAD_##BASIS>()); return true
    KONTRACT_BASIS(Line<2>, LINE_C1_FEM);
    KONTRACT_BASIS(Triangle<3>, TRI_C1_FEM);
    KONTRACT_BASIS(Quadrilateral<4>, QUAD_C1_FEM);
    KONTRACT_BASIS(Tetrahedron<4>, TET_C1_FEM);
    KONTRACT_BASIS(Hexahedron<8>, HEX_C1_FEM);
    KONTRACT_BASIS(Wedge<6>, WEDGE_C1_FEM);
    KONTRACT_BASIS(Pyramid<5>, PYR_C1_FEM);
    KONTRACT_BASIS(Triangle<6>, TRI_C2_FEM);
    KONTRACT_BASIS(Quadrilateral<9>, QUAD_C2_FEM);
    KONTRACT_BASIS(Tetrahedron<10>, TET_C2_FEM);
    KONTRACT_BASIS(Tetrahedron<11>, TET_COMP12_FEM);
    KONTRACT_BASIS(Hexahedron<27>, HEX_C2_FEM);
    KONTRACT_BASIS(Wedge<18>, WEDGE_C2_FEM);
#undef KONTRACT_BASIS
    default: return false;
  }
}

/// That basis; null if Kontract knows none.
template <class DeviceType, class Scalar>
Teuchos::RCP<Intrepid2::Basis<DeviceType, Scalar, Scalar>> basisOf(
    const shards::CellTopology& topology) {
  Teuchos::RCP<Intrepid2::Basis<DeviceType, Scalar, Scalar>> basis;
  withBasisOf(topology, [&](auto tag) {
    basis = Teuchos::rcp(new typename decltype(tag)::template type<DeviceType, Scalar>());
  });
  return basis;
}

/// Whether a basis has the same gradients at all points: those of first order on a simplex.
template <class BasisPointer>
bool hasConstantGradients(const BasisPointer& basis) {
  const shards::CellTopology cell = basis->getBaseCellTopology();
  const auto vertices = cell.getVertexCount();
  return vertices == cell.getDimension() + 1 && basis->getDegree() == 1 &&
         static_cast<unsigned>(basis->getCardinality()) == vertices;
}

/// The values of a basis at points of the reference cell, (N,P), or its gradients, (N,P,D):
/// evaluated by Intrepid2.
template <class DeviceType, bool gradients, class Scalar>
struct ReferenceValues {
  using Array = Kokkos::DynRankView<Scalar, DeviceType>;
  static constexpr auto kind = gradients ? Intrepid2::OPERATOR_GRAD : Intrepid2::OPERATOR_VALUE;

  /// \param points  (P,D)
  /// \param count   the first so many of them
  template <class BasisPointer, class Points>
  static Array of(const BasisPointer& basis, const Points& points, std::size_t count) {
    const auto all = asDynRankView(points);
    if constexpr (std::is_const_v<typename Points::value_type>) {
      const auto copy = Kokkos::create_mirror(typename DeviceType::memory_space(), all);
      Kokkos::deep_copy(copy, all);
      return of(basis, copy, count);
    } else {
      const auto like = Kokkos::view_alloc(std::string("Kontract::reference values"),
                                           Kokkos::common_view_alloc_prop(all));
      const std::size_t nodes = basis->getCardinality();
      Array values;
      if constexpr (gradients) {
        values = Array(like, nodes, count, points.extent(1));
      } else {
        values = Array(like, nodes, count);
      }
      const auto first = std::make_pair(std::size_t(0), count);
      if (count > 0) basis->getValues(values, Kokkos::subview(all, first, Kokkos::ALL()), kind);
      return values;
    }
  }
};

/// The same where each cell has points of its own, (C,N,P) or (C,N,P,D): those of all cells are
/// evaluated as one set, by one launch. Of plain scalars.
template <class DeviceType, bool gradients, class Scalar>
class CellReferenceValues {
  using One = ReferenceValues<DeviceType, gradients, Scalar>;
  using Array = typename One::Array;
  using Extents = std::conditional_t<gradients, Scalar****, Scalar***>;

 public:
  using View = Kokkos::View<Extents, Kokkos::LayoutStride, DeviceType>;

  /// \param points  (C,P,D)
  template <class BasisPointer, class Points>
  CellReferenceValues(const BasisPointer& basis, const Points& points) {
    const std::size_t cells = points.extent(0), each = points.extent(1), count = cells * each;
    const std::size_t dimension = points.extent(2);
    const Array copy("Kontract::points", cells, each, dimension);
    if (count > 0) Kokkos::deep_copy(copy, asDynRankView(points));
    // Its memory is that of (C P, D) as well, in either layout.
    _values = One::of(basis, Array(copy.data(), count, dimension), count);
    constexpr bool is_left = std::is_same_v<typename Array::array_layout, Kokkos::LayoutLeft>;
    const std::size_t nodes = _values.extent(0), inner = gradients ? dimension : 1;
    const std::size_t next = is_left ? nodes : inner;  // from one point to the next
    const std::size_t cell = next * (is_left ? 1 : each), point = next * (is_left ? cells : 1);
    const std::size_t node = is_left ? 1 : count * inner;
    if constexpr (gradients) {
      _view = View(_values.data(), Kokkos::LayoutStride(cells, cell, nodes, node, each, point,
                                                        dimension, is_left ? nodes * count : 1));
    } else {
      _view = View(_values.data(), Kokkos::LayoutStride(cells, cell, nodes, node, each, point));
    }
  }

  const View& view() const { return _view; }

 private:
  Array _values;
  View _view;
};

}  // namespace Impl
}  // namespace Kontract

#endif
#endif
