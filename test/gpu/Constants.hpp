// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_CONSTANTS_HPP
#define KONTRACT_TEST_CONSTANTS_HPP

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "Kontract_ArrayTools.hpp"
#include "OnHost.hpp"
#include "Runner.hpp"

namespace KontractTest {

using Kontract::Impl::DeviceSpace;

/// A call on arrays of the device whose inputs are constants, so that its result is one number.
struct ConstantCall {
  std::string name;
  double factor;  ///< result over the product of the constants
  std::function<void(const DeviceSpace&, double, double)> fill;  ///< inputs, on that instance
  std::function<void(const DeviceSpace&)> poison;                ///< the output
  std::function<void(const DeviceSpace&, const Kontract::Options&)> run;
  std::function<std::size_t(double)> wrong;  ///< outputs that are not that number

  /// Outputs that are not as they should be for those constants.
  std::size_t wrongFor(double left, double right) const { return wrong(factor * left * right); }
};

template <class Out, class Left, class Right, class Run>
ConstantCall constantCall(const std::string& name, double factor, const Out& out, const Left& left,
                          const Right& right, const Run& run) {
  return {name,
          factor,
          [=](const DeviceSpace& space, double a, double b) {
            Kokkos::deep_copy(space, left, a);
            Kokkos::deep_copy(space, right, b);
          },
          [=](const DeviceSpace& space) { Kokkos::deep_copy(space, out, poison<double>()); },
          [=](const DeviceSpace& space, const Kontract::Options& options) {
            run(space, out, left, right, options);
          },
          [=](double number) {
            const OnHost host(out);
            std::size_t count = 0;
            for (std::size_t i = 0; i < host.span(); ++i) count += host.at(i) != number;
            return count;
          }};
}

/// A contraction of each kind and a product, in one layout. There are few outputs with long sums
/// among them, for which algorithms need scratch memory and workspaces.
template <class Layout>
void addConstantCalls(int cells, std::vector<ConstantCall>& calls) {
  using Tools = Kontract::ArrayTools<DeviceSpace>;
  using A1 = Kokkos::View<double*, Layout, DeviceSpace>;
  using A2 = Kokkos::View<double**, Layout, DeviceSpace>;
  using A3 = Kokkos::View<double***, Layout, DeviceSpace>;
  using A4 = Kokkos::View<double****, Layout, DeviceSpace>;
  const std::string layout =
      std::is_same_v<Layout, Kokkos::LayoutLeft> ? ", LayoutLeft, " : ", LayoutRight, ";
  const std::string end = layout + std::to_string(cells) + " cells";
  const int fields = 9, points = 70, dimensions = 3, many = 20000;
  calls.push_back(
      constantCall("contractFieldFieldScalar" + end, points, A3("out", cells, fields, fields + 2),
                   A3("left", cells, fields, points), A3("right", cells, fields + 2, points),
                   [](auto&... args) { Tools::contractFieldFieldScalar(args...); }));
  calls.push_back(constantCall("contractDataFieldVector" + end, points * dimensions,
                               A2("out", cells, fields), A3("left", cells, points, dimensions),
                               A4("right", cells, fields, points, dimensions),
                               [](auto&... args) { Tools::contractDataFieldVector(args...); }));
  calls.push_back(constantCall("contractDataDataScalar" + end, many, A1("out", cells),
                               A2("left", cells, many), A2("right", cells, many),
                               [](auto&... args) { Tools::contractDataDataScalar(args...); }));
  calls.push_back(constantCall(
      "dotMultiplyDataField" + end, dimensions, A3("out", cells, fields, points),
      A3("left", cells, points, dimensions), A4("right", cells, fields, points, dimensions),
      [](auto&... args) { Tools::dotMultiplyDataField(args...); }));
}

inline std::vector<ConstantCall> constantCalls(int cells) {
  std::vector<ConstantCall> calls;
  addConstantCalls<Kokkos::LayoutLeft>(cells, calls);
  addConstantCalls<Kokkos::LayoutRight>(cells, calls);
  return calls;
}

/// Calls f(call, algorithm, name) for each of those calls and each algorithm that serves it, Auto
/// included, after it ran once: what Kokkos and CUDA do for first calls is done.
/// \return how many there were
template <class F>
int forEachServed(int cells, const DeviceSpace& space, const F& f) {
  int count = 0;
  for (const ConstantCall& call : constantCalls(cells)) {
    for (const NamedOptions& algorithm : allAlgorithms()) {
      call.fill(space, 1, 1);
      try {
        call.run(space, algorithm.options);
      } catch (const std::invalid_argument& refusal) {
        const bool may_be = isUnserved(refusal.what()) || isLimitOf(algorithm.name, refusal.what());
        if (!may_be || algorithm.name == "Auto") throw;
        continue;
      }
      space.fence();
      f(call, algorithm.options, call.name + ", " + algorithm.name);
      ++count;
    }
  }
  return count;
}

}  // namespace KontractTest

#endif
