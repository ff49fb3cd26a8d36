// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_CELLMAPPING_HPP
#define KONTRACT_CELLMAPPING_HPP

#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "Kontract_CellRange.hpp"
#include "Kontract_IsMapping.hpp"
#include "Kontract_Operate.hpp"
#include "Kontract_ReferenceValues.hpp"

namespace Kontract {
namespace Impl {

/// What setJacobian and mapToPhysicalFrame compute: sums over the nodes of cells, times gradients
/// or values of a basis on the reference cell.
template <class DeviceType, Function function>
struct CellMapping {
  static constexpr bool gradients = function == Function::setJacobian;
  static constexpr auto operation =
      gradients ? Operation::matmatProductDataData : Operation::matvecProductDataData;

  /// (space,) output, nodes, gradients or values (, start (, end)) (, options), or
  /// (space,) output, points, nodes, topology or basis (, start (, end)) (, options)
  template <class First, class... Rest>
  static void run(const First& first, const Rest&... rest) {
    if constexpr (Kokkos::is_execution_space<First>::value) {
      runOn(first, rest...);
    } else {
      runOn(typename DeviceType::execution_space(), first, rest...);
    }
  }

#ifdef KONTRACT_HAS_INTREPID2_GEOMETRY
  /// Whether run() would take a call of Intrepid2's, whatever its shapes: it may be for cells that
  /// Kontract knows no basis of, or for Fads as points of each cell.
  template <class Out, class Second, class Third, class... Rest>
  static bool takes(const Out&, const Second& second, const Third&, const Rest&... rest) {
    if constexpr (startsWithMapping<Rest...>()) {
      const auto& mapping = std::get<0>(std::tie(rest...));
      if constexpr (is_topology<std::decay_t<decltype(mapping)>>) {
        if (!withBasisOf(mapping, [](auto) {})) return false;
      }
      return is_plain<typename Second::non_const_value_type> || rankOf(second) < 3;
    } else {
      return true;
    }
  }
#endif

 private:
  template <class Space, class Out, class Second, class Third, class... Rest>
  static void runOn(const Space& space, const Out& out, const Second& second, const Third& third,
                    const Rest&... rest) {
#ifdef KONTRACT_HAS_INTREPID2_GEOMETRY
    if constexpr (startsWithMapping<Rest...>()) {
      runAt(space, out, second, third, rest...);
      return;
    } else
#endif
    {
      sum(space, out, second, third, rest...);
    }
  }

  /// Of some cells of the workset.
  template <class Space, class Out, class Nodes, class Values, class... Rest>
  static void sum(const Space& space, const Out& out, const Nodes& nodes, const Values& values,
                  const Rest&... rest) {
    if constexpr ((std::is_integral_v<Rest> || ...)) {
      sumFrom(space, out, nodes, values, rest...);
    } else {
      actPointwise(Called(operation, signatureOf(function)), PointwiseKind::Product, false,
                   callOf<DeviceType, 3, NoFlag>(space, out, nodes, values, rest...), Run());
    }
  }
  template <class Space, class Out, class Nodes, class Values, class... Rest>
  static void sumFrom(const Space& space, const Out& out, const Nodes& nodes, const Values& values,
                      std::int64_t start, const Rest&... rest) {
    if constexpr ((std::is_integral_v<Rest> || ...)) {
      sumBetween(space, out, nodes, values, start, rest...);
    } else {
      sumBetween(space, out, nodes, values, start, -1, rest...);
    }
  }
  template <class Space, class Out, class Nodes, class Values, class... Rest>
  static void sumBetween(const Space& space, const Out& out, const Nodes& nodes,
                         const Values& values, std::int64_t start, std::int64_t end,
                         const Rest&... rest) {
    const auto cells = cellsOf(signatureOf(function), std::int64_t(nodes.extent(0)), start, end);
    if (rankOf(nodes) != 3) return sum(space, out, nodes, values, rest...);  // which refuses it
    if constexpr (hasThreeExtents<Nodes>()) {
      const auto all = Kokkos::ALL();
      sum(space, out, Kokkos::subview(nodes, cells, all, all), values, rest...);
    }
  }
  template <class View>
  static constexpr bool hasThreeExtents() {
    if constexpr (Kokkos::is_dyn_rank_view<View>::value) {
      return true;
    } else {
      return View::rank == 3;
    }
  }

#ifdef KONTRACT_HAS_INTREPID2_GEOMETRY
  template <class... Rest>
  static constexpr bool startsWithMapping() {
    if constexpr (sizeof...(Rest) == 0) {
      return false;
    } else {
      return is_mapping<std::tuple_element_t<0, std::tuple<Rest...>>>;
    }
  }

  template <class Space, class Out, class Points, class Nodes, class Mapping, class... Rest>
  static void runAt(const Space& space, const Out& out, const Points& points, const Nodes& nodes,
                    const Mapping& mapping, const Rest&... rest) {
    using Scalar = typename Points::non_const_value_type;
    if constexpr (is_topology<Mapping>) {
      checkPoints<Space>(out, points, mapping);
      const auto basis = basisOf<DeviceType, Scalar>(mapping);
      if (basis.is_null()) {
        refuse(signatureOf(function).name, "cellTopo is " + std::string(mapping.getName()) +
                                               ", for which Kontract has no basis: give one");
      }
      sumAt(space, out, points, nodes, basis, rest...);
    } else {
      checkBasis(mapping);
      checkPoints<Space>(out, points, mapping->getBaseCellTopology());
      sumAt(space, out, points, nodes, mapping, rest...);
    }
  }

  /// Bases of H(curl) and H(div) have vectors where there is room for scalars.
  template <class Basis>
  static void checkBasis(const Basis& basis) {
    bool is_null;
    if constexpr (std::is_pointer_v<Basis>) {
      is_null = basis == nullptr;
    } else {
      is_null = basis.get() == nullptr;
    }
    const char* const name = signatureOf(function).name;
    if (is_null) refuse(name, "basis is null");
    const auto space = basis->getFunctionSpace();
    if (space == Intrepid2::FUNCTION_SPACE_HCURL || space == Intrepid2::FUNCTION_SPACE_HDIV) {
      refuse(name, std::string("basis is ") + basis->getName() + ": it needs one of H(grad)");
    }
  }

  /// Checks what has no part in the sum.
  template <class Space, class Out, class Points>
  static void checkPoints(const Out& out, const Points& points, const shards::CellTopology& cell) {
    const Signature& signature = pointsOf(function);
    const ArrayDescription described = describe<Space>(points);
    checkShapes(signature, false, describe<Space>(out), ArrayDescription(), described);
    const std::int64_t has = described.extents[described.rank - 1];
    if (has != std::int64_t(cell.getDimension())) {
      refuse(signature.name, std::string(signature.right_name) + " has dimension " +
                                 std::to_string(has) + " but the cells are " + cell.getName() +
                                 ", of dimension " + std::to_string(cell.getDimension()));
    }
    if (described.rank == 3 && described.is_fad) {
      refuse(signature.name, std::string(signature.right_name) +
                                 " is (C,P,D) of Fads: points of each cell need plain scalars");
    }
  }

  /// Nodes that a basis has no functions of are left out, as by Intrepid2: the composite
  /// tetrahedron has one.
  template <class Space, class Out, class Nodes, class Values, class... Rest>
  static void sumOfBasis(const Space& space, const Out& out, const Nodes& nodes, std::size_t count,
                         const Values& values, const Rest&... rest) {
    if constexpr (hasThreeExtents<Nodes>()) {
      if (rankOf(nodes) == 3 && nodes.extent(1) > count) {
        const auto all = Kokkos::ALL();
        const auto first = std::make_pair(std::size_t(0), count);
        return sum(space, out, Kokkos::subview(nodes, all, first, all), values, rest...);
      }
    }
    sum(space, out, nodes, values, rest...);
  }

  template <class Space, class Out, class Points, class Nodes, class Basis, class... Rest>
  static void sumAt(const Space& space, const Out& out, const Points& points, const Nodes& nodes,
                    const Basis& basis, const Rest&... rest) {
    using Scalar = typename Points::non_const_value_type;
    using OneSet = ReferenceValues<DeviceType, gradients, Scalar>;
    const bool is_affine = gradients && hasConstantGradients(basis);
    const bool has_cells = rankOf(points) == 3;
    const auto sumWith = [&](const auto& values) {
      constexpr bool is_async = !is_host_space<Space>;
      // Values are computed on the default instance, and go when this returns.
      if (is_async) typename DeviceType::execution_space().fence();
      sumOfBasis(space, out, nodes, std::size_t(basis->getCardinality()), values, rest...);
      if (is_async) space.fence();
    };
    if (is_affine && has_cells) {
      // Where it does not matter: gradients are the same everywhere.
      const typename OneSet::Array origin("Kontract::point", 1,
                                          basis->getBaseCellTopology().getDimension());
      sumWith(OneSet::of(basis, origin, 1));
    } else if (!has_cells) {
      const std::size_t count = points.extent(0);
      sumWith(OneSet::of(basis, points, is_affine && count > 0 ? 1 : count));
    } else if constexpr (is_plain<Scalar>) {
      sumWith(CellReferenceValues<DeviceType, gradients, Scalar>(basis, points).view());
    }
  }
#endif
};

}  // namespace Impl
}  // namespace Kontract

#endif
