// SPDX-License-Identifier: BSD-3-Clause
//
// A code of Intrepid2's with the directory intrepid2 first on its include path: what Kontract
// serves, it computes, and everything else is Intrepid2's.

#include <Intrepid2_CubatureControlVolumeBoundary.hpp>
#include <Intrepid2_FunctionSpaceTools.hpp>
#include <Kokkos_Core.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <type_traits>
#include <utility>

#include "Intrepid2Releases.hpp"
#include "Kontract.hpp"
#include "Refusal.hpp"

namespace KontractTest {
namespace {

using Device = Kokkos::Device<Kokkos::DefaultHostExecutionSpace, Kokkos::HostSpace>;
using ArrayTools = Intrepid2::ArrayTools<Device>;
using FunctionSpaceTools = Intrepid2::FunctionSpaceTools<Device>;
using Array = Kokkos::DynRankView<double, Device>;
using Data = Intrepid2::Data<double, Device>;
using Gradients = ReferenceGradients<double, Device>;

static_assert(std::is_base_of_v<Intrepid2::ArrayToolsOfIntrepid2<Device>, ArrayTools>);
static_assert(
    std::is_base_of_v<Intrepid2::FunctionSpaceToolsOfIntrepid2<Device>, FunctionSpaceTools>);

static_assert(
    std::is_base_of_v<Intrepid2::CellToolsOfIntrepid2<Device>, Intrepid2::CellTools<Device>>);
static_assert(std::is_base_of_v<Intrepid2::RealSpaceToolsOfIntrepid2<Device>,
                                Intrepid2::RealSpaceTools<Device>>);

// What Kontract does not take is known when compiling, and functions that it lacks are inherited.
static_assert(Kontract::Impl::takes_call<Device, Array, Array, bool>);
static_assert(!Kontract::Impl::takes_call<Device, Array, Data>);
static_assert(std::is_same_v<decltype(FunctionSpaceTools::getHGRADtransformGRAD(
                                 std::declval<Data>(), std::declval<Gradients>())),
                             Kontract::Impl::TransformedValues<double, Device>>);

TEUCHOS_UNIT_TEST(ReplacedIntrepid2, arraysAreKontracts) {
  const Array sums("sums", 2, 3, 4), left("left", 2, 3, 5), right("right", 2, 4, 5);
  Kokkos::deep_copy(left, 2.0);
  Kokkos::deep_copy(right, 3.0);
  ArrayTools::contractFieldFieldScalar(sums, left, right);
  TEST_EQUALITY_CONST(sums(1, 2, 3), 30.0);
  TEST_EQUALITY_CONST(Kontract::explain().operation, "contractFieldFieldScalar");
  // As Intrepid2's own tests write it, with the value type of the output.
  FunctionSpaceTools::integrate<double>(sums, left, right, true);
  TEST_EQUALITY_CONST(sums(1, 2, 3), 60.0);
  const Refusal refusal =
      refusalOf([&] { ArrayTools::contractFieldFieldScalar(left, left, right); });
  TEST_ASSERT(refusal.says("Kontract"));
}

TEUCHOS_UNIT_TEST(ReplacedIntrepid2, geometryIsKontracts) {
  using CellTools = Intrepid2::CellTools<Device>;
  using Spaces = Intrepid2::RealSpaceTools<Device>;
  const shards::CellTopology quadrilateral(shards::getCellTopologyData<shards::Quadrilateral<4>>()),
      serendipity(shards::getCellTopologyData<shards::Quadrilateral<8>>());
  const Array nodes("nodes", 2, 4, 2), points("points", 3, 2), jacobian("jacobian", 2, 3, 2, 2),
      inverse("inverse", 2, 3, 2, 2), determinant("det", 2, 3), physical("physical", 2, 3, 2),
      normals("normals", 2, 3, 2), lengths("lengths", 2, 3);
  for (int c = 0; c < 2; ++c) {
    for (int n = 0; n < 4; ++n) {
      nodes(c, n, 0) = n == 1 || n == 2 ? 4 : 0;
      nodes(c, n, 1) = n > 1 ? 6 : 0;
    }
  }
  const auto isKontracts = [&](const char* operation, const auto& call) {
    Kontract::ArrayTools<Device>::cloneData(Array("other", 1, 1), Array("another", 1));
    call();
    TEST_EQUALITY(Kontract::explain().operation, std::string(operation));
  };
  isKontracts("matmatProductDataData",
              [&] { CellTools::setJacobian(jacobian, points, nodes, quadrilateral); });
  TEST_EQUALITY_CONST(jacobian(1, 2, 0, 0), 2.0);
  TEST_EQUALITY_CONST(jacobian(1, 2, 1, 1), 3.0);
  isKontracts("dotMultiplyDataData", [&] { CellTools::setJacobianDet(determinant, jacobian); });
  TEST_EQUALITY_CONST(determinant(1, 2), 6.0);
  isKontracts("matmatProductDataData", [&] { CellTools::setJacobianInv(inverse, jacobian); });
  TEST_EQUALITY_CONST(inverse(0, 1, 0, 0), 0.5);
  isKontracts("matvecProductDataData",
              [&] { CellTools::mapToPhysicalFrame(physical, points, nodes, quadrilateral); });
  TEST_EQUALITY_CONST(physical(1, 0, 1), 3.0);
  isKontracts("matvecProductDataData",
              [&] { CellTools::getPhysicalSideNormals(normals, jacobian, 1, quadrilateral); });
  TEST_EQUALITY_CONST(normals(0, 2, 0), 3.0);
  isKontracts("dotMultiplyDataData",
              [&] { Spaces::vectorNorm(lengths, normals, Intrepid2::NORM_TWO); });
  TEST_EQUALITY_CONST(lengths(0, 2), 3.0);
  isKontracts("cloneData", [&] { Spaces::scale(lengths, 2.0); });  // Intrepid2's
  TEST_EQUALITY_CONST(lengths(0, 2), 6.0);
  // What cells Kontract does not know goes to Intrepid2, which may not know them either.
  const Refusal refusal =
      refusalOf([&] { CellTools::setJacobian(jacobian, points, nodes, serendipity); });
  TEST_ASSERT(!refusal.says("Kontract"));
}

/// What the original takes a missing Jacobian for, curls in the plane, the rank of the output
/// tells.
TEUCHOS_UNIT_TEST(ReplacedIntrepid2, curlsWithoutJacobians) {
  const Array plane("plane", 2, 4, 5), space("space", 2, 4, 5, 3), determinant("det", 2, 5),
      scalars("scalars", 4, 5), vectors("vectors", 4, 5, 3), jacobian("jacobian", 2, 5, 2, 2);
  Kokkos::deep_copy(determinant, 4.0);
  Kokkos::deep_copy(scalars, 2.0);
  Kokkos::deep_copy(space, 7.0);
  FunctionSpaceTools::HCURLtransformCURL(plane, Array(), determinant, scalars);
  TEST_EQUALITY_CONST(plane(1, 3, 4), 0.5);
  Kokkos::deep_copy(scalars, 3.0);
  FunctionSpaceTools::HCURLtransformCURL<double>(plane, jacobian, determinant, scalars);
  TEST_EQUALITY_CONST(plane(1, 3, 4), 0.75);
  for (const Array& wrong : {Array(), jacobian}) {
    const Refusal refusal = refusalOf(
        [&] { FunctionSpaceTools::HCURLtransformCURL(space, wrong, determinant, vectors); });
    TEST_ASSERT(refusal.says("Kontract::HCURLtransformCURL: "));
    TEST_EQUALITY_CONST(space(1, 3, 4, 2), 7.0);
  }
}

}  // namespace
}  // namespace KontractTest
