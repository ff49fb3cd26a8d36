// SPDX-License-Identifier: BSD-3-Clause
//
// Division by data: outputs of integers are refused, because they hold neither quotients nor
// infinities; integers as data or fields of an output of real numbers are divided as real numbers.

#include <Kokkos_Core.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "Kontract_FunctionSpaceTools.hpp"
#include "Kontract_StreamingArrayTools.hpp"
#include "Refusal.hpp"
#include "Runner.hpp"

namespace KontractTest {
namespace {

using Device = Kokkos::DefaultHostExecutionSpace::device_type;
using Tools = Kontract::ArrayTools<Device>;
using Functions = Kontract::FunctionSpaceTools<Device>;
using Streaming = Kontract::StreamingArrayTools<Device>;
template <class T>
using Dyn = Kokkos::DynRankView<T, Kokkos::LayoutRight, Device>;

/// Expects that calls with that output are refused before it changes. Data are 0 throughout.
template <class Out, class Call>
void requireRefusal(const Dyn<Out>& output, const std::string& function, const std::string& what,
                    const std::string& data, Teuchos::FancyOStream& out, bool& success,
                    const Call& call) {
  Kokkos::deep_copy(output, Out(7));
  const Refusal refusal = refusalOf([&] { call(output); });
  TEST_ASSERT(refusal.happened);
  TEST_EQUALITY(refusal.text, "Kontract::" + function + ": " + what +
                                  " has elements of an integer type, but is divided by " + data +
                                  ": it needs a floating-point type");
  for (std::size_t i = 0; i < output.size(); ++i) TEST_EQUALITY_CONST(output.data()[i], Out(7));
}

/// All functions that divide, with an output of integers.
template <class Out, class Left, class Right>
void requireRefusals(Teuchos::FancyOStream& out, bool& success) {
  const Dyn<Left> data("data", 2, 3), jacobian("jacobian", 2, 3, 3, 3), plane("plane", 2, 3, 2, 2);
  const Dyn<Right> values("values", 2, 4, 3), vectors("vectors", 2, 4, 3, 3),
      points("points", 2, 3);
  const Dyn<Out> of_field("output", 2, 4, 3), of_vectors("output", 2, 4, 3, 3),
      of_points("output", 2, 3);
  const auto require = [&](const auto& output, const char* function, const char* what,
                           const char* given, const auto& call) {
    requireRefusal(output, function, what, given, out, success, call);
  };
  require(of_field, "scalarMultiplyDataField", "outputFields", "inputData",
          [&](const auto& to) { Tools::scalarMultiplyDataField(to, data, values, true); });
  require(of_points, "scalarMultiplyDataData", "outputData", "inputDataLeft",
          [&](const auto& to) { Tools::scalarMultiplyDataData(to, data, points, true); });
  require(of_field, "scalarMultiplyDataField", "outputFields", "inputData",
          [&](const auto& to) { Streaming().scalarMultiplyDataField(to, data, values, true); });
  require(of_field, "HDIVtransformDIV", "outputVals", "jacobianDet",
          [&](const auto& to) { Functions::HDIVtransformDIV(to, data, values); });
  require(of_field, "HVOLtransformVALUE", "outputVals", "jacobianDet",
          [&](const auto& to) { Functions::HVOLtransformVALUE(to, data, values); });
  require(of_field, "HCURLtransformCURL", "outputVals", "jacobianDet",
          [&](const auto& to) { Functions::HCURLtransformCURL(to, plane, data, values); });
  require(of_vectors, "HDIVtransformVALUE", "outputVals", "jacobianDet",
          [&](const auto& to) { Functions::HDIVtransformVALUE(to, jacobian, data, vectors); });
  require(of_vectors, "HCURLtransformCURL", "outputVals", "jacobianDet",
          [&](const auto& to) { Functions::HCURLtransformCURL(to, jacobian, data, vectors); });
  // Products of integers are as they were.
  Kokkos::deep_copy(data, Left(3));
  Kokkos::deep_copy(values, Right(5));
  TEST_NOTHROW(Tools::scalarMultiplyDataField(of_field, data, values, false));
  TEST_EQUALITY_CONST(of_field(1, 3, 2), Out(15));
}

TEUCHOS_UNIT_TEST(IntegerQuotients, outputsOfIntegersAreRefused) {
  requireRefusals<int, int, int>(out, success);
  requireRefusals<int, double, double>(out, success);
  requireRefusals<long, double, int>(out, success);
}

template <class Out, class Layout, class Left, class Right>
std::string quotientFails(const Kontract::Options& options, bool one_point) {
  const std::vector<std::size_t> of_data{4, std::size_t(one_point ? 1 : 5)}, of_field{4, 3, 5};
  std::vector<Left> data(4 * of_data[1]);
  std::vector<Right> field(4 * 3 * 5);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = Left(int(i % 4) - 1);
  for (std::size_t i = 0; i < field.size(); ++i) field[i] = Right(int(i % 5) - 2);
  const Placed<Left, Layout, Device> left(of_data, data);
  const Placed<Right, Layout, Device> right(of_field, field);
  Placed<Out, Layout, Device> result(of_field, std::vector<Out>(field.size(), poison<Out>()));
  const Refusal refusal = refusalOf([&] {
    Tools::scalarMultiplyDataField(result.dynRankView(), left.dynRankView(), right.dynRankView(),
                                   true, options);
  });
  if (isUnserved(refusal.text)) return "";
  if (refusal.text != "no exception") return refusal.text;
  const std::vector<Out> found = result.values();
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::size_t c = i / 15, p = i % 5;
    const double divisor = double(data[one_point ? c : c * 5 + p]), dividend = double(field[i]);
    const double expected = dividend / divisor;
    const bool is_right = std::isnan(expected) ? std::isnan(found[i]) : found[i] == Out(expected);
    if (!is_right) {
      return std::to_string(dividend) + " / " + std::to_string(divisor) + " is " +
             std::to_string(found[i]);
    }
  }
  return "";
}

template <class Out, class Left, class Right>
void requireQuotients(Teuchos::FancyOStream& out, bool& success) {
  for (const NamedOptions& algorithm : allAlgorithms()) {
    for (const bool one_point : {false, true}) {
      const auto require = [&](const std::string& wrong) {
        TEST_EQUALITY(algorithm.name + ": " + wrong, algorithm.name + ": ");
      };
      require(quotientFails<Out, Kokkos::LayoutLeft, Left, Right>(algorithm.options, one_point));
      require(quotientFails<Out, Kokkos::LayoutRight, Left, Right>(algorithm.options, one_point));
      require(quotientFails<Out, Kokkos::LayoutStride, Left, Right>(algorithm.options, one_point));
    }
  }
}

/// Zeros among the data make infinities, and not a number where they divide zeros.
TEUCHOS_UNIT_TEST(IntegerQuotients, integersAreDividedAsRealNumbers) {
  requireQuotients<double, int, double>(out, success);
  requireQuotients<double, int, int>(out, success);
  requireQuotients<float, long, float>(out, success);
  requireQuotients<double, double, int>(out, success);
}

}  // namespace
}  // namespace KontractTest
