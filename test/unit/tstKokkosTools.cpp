// SPDX-License-Identifier: BSD-3-Clause
//
// What Kokkos Tools see of a call: one kernel with its label in one region, and nothing else.

#include <Kokkos_Core.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <string>

#include "Cases.hpp"
#include "Kontract_CellGraph.hpp"
#include "Kontract_ElementScatter.hpp"
#include "Kontract_Integration.hpp"
#include "Refusal.hpp"
#include "Runner.hpp"
#include "ToolsEvents.hpp"

namespace KontractTest {
namespace {

using S = Kokkos::LayoutStride;
using TestMix = Mix<S, S, S, true>;
using DoubleProblem = Problem<double, double, double>;
template <class Space>
using DoubleArrays = Arrays<Space, TestMix, double, double, double>;

/// That the events of a call of that form and algorithm are as they should be.
template <std::size_t form, class Space>
void checkEvents(const DoubleProblem& problem, const NamedOptions& algorithm, Tally& tally) {
  const DoubleArrays<Space> arrays(problem);
  const std::string function(problem.form->operation);
  const std::string what = problem.text() + ", " + algorithm.name + ", " + Space::name();
  const auto require = [&](bool holds, const std::string& wrong) {
    tally.add(what, holds ? "" : wrong);
  };
  std::string last;
  // The first call of its kind may make Kokkos or Kontract allocate what later ones use again.
  const auto call = [&] {
    makeCall<form, Space, TestMix>(problem.flags, arrays, algorithm.options);
  };
  refusalOf(call);
  {
    const ToolsEvents events;
    const Refusal refusal = refusalOf(call);
    if (refusal.says("was asked for by name")) return;
    if (isLimitOf(algorithm.name, refusal.text)) return;
    require(!refusal.happened, refusal.text);
    last = Kontract::explain().algorithm;
    require(events.isBalanced(), "regions or kernels are left open");
    require(events.regions().size() == 1 && events.regions()[0] == "Kontract::" + function,
            "regions are not Kontract::" + function);
    require(!events.kernels().empty(), "there is no kernel");
    for (const std::string& label : events.kernels()) {
      require(label == "Kontract::" + function + "::" + last,
              "a kernel has the label " + label + " but explain() says " + last);
    }
    require(events.allocations().empty(), "something is allocated");
    require(events.copies().empty(), "something is copied");
    require(events.fences().empty(),
            "there is a fence: " + (events.fences().empty() ? "" : events.fences()[0]));
  }
  if (algorithm.name != "Auto") require(last == algorithm.name, "another algorithm ran: " + last);
}

TEUCHOS_UNIT_TEST(KokkosTools, callsAreLabelledAndNeitherAllocateNorFence) {
  Tally tally(out);
  const std::vector<NamedOptions> algorithms = allAlgorithms();
  forEachForm([&](auto form) {
    constexpr std::size_t number = decltype(form)::value;
    const auto problem =
        makeProblem<double, double, double>(forms[number], {3, 2, 4, 5, 3, 3, 3}, Flags());
    forEachSpace([&](auto space) {
      for (const NamedOptions& algorithm : algorithms) {
        checkEvents<number, decltype(space)>(problem, algorithm, tally);
      }
    });
  });
  TEST_ASSERT(tally.checks() > 1000);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

/// Forms that add to a matrix and to vectors, and element arrays that are added, once they have
/// run.
TEUCHOS_UNIT_TEST(KokkosTools, whatIsScatteredIsLabelled) {
  forEachSpace([&](auto space) {
    using Space = decltype(space);
    using Device = Kokkos::Device<Space, typename Space::memory_space>;
    using Integration = Kontract::Integration<Space>;
    using Kontract::Form;
    const int cells = 40, fields = 3, points = 4, count = cells + fields - 1;
    const Kokkos::View<int**, Space> table("table", cells, fields);
    const auto on_host = Kokkos::create_mirror_view(table);
    for (int c = 0; c < cells; ++c) {
      for (int f = 0; f < fields; ++f) on_host(c, f) = c + f;
    }
    Kokkos::deep_copy(table, on_host);
    const Kontract::CellNumbers<Device> unknowns(table, count);
    const Kontract::CellGraph<Device> graph(unknowns);
    const Kontract::ScatterPlan<Device> plan(graph, unknowns);
    const Kokkos::View<double*, Space> matrix("matrix", graph.entries.extent(0)), x("x", count),
        y("y", count);
    const Kokkos::View<double**, Space> values("values", fields, points),
        measures("measures", cells, points), element_vectors("vectors", cells, fields);
    const Kokkos::View<double***, Space> element_matrices("matrices", cells, fields, fields);
    const auto mass = Kontract::term(Form::mass(Kontract::FunctionSpace::HGRAD), values, values);
    const auto source =
        Kontract::load(Form::source(Kontract::FunctionSpace::HGRAD), values, measures);
    const auto geometry = Kontract::geometry(measures);
    const auto expect = [&](const std::string& function, bool is_form, const auto& call) {
      call();
      const ToolsEvents events;
      call();
      TEST_ASSERT(events.isBalanced());
      TEST_ASSERT(events.allocations().empty());
      TEST_EQUALITY(events.regions().size(), 1);
      if (!events.regions().empty()) TEST_EQUALITY(events.regions()[0], function);
      TEST_ASSERT(!events.kernels().empty());
      const std::string label =
          is_form ? function + "::" + Kontract::explain().algorithm : function;
      for (const std::string& kernel : events.kernels()) {
        if (kernel.rfind(label, 0) != 0) out << "a kernel has the label " << kernel << "\n";
        TEST_ASSERT(kernel.rfind(label, 0) == 0);
      }
    };
    expect("Kontract::matrices", true,
           [&] { Integration::matrices(Kontract::scattered(matrix, plan), geometry, mass, true); });
    expect("Kontract::vectors", true,
           [&] { Integration::vectors(Kontract::scattered(y, unknowns), geometry, source, true); });
    expect("Kontract::apply", true, [&] {
      Integration::apply(Kontract::scattered(y, unknowns), Kontract::gathered(x, unknowns),
                         geometry, mass, true);
    });
    using ElementScatter = Kontract::ElementScatter<Space>;
    expect("Kontract::ElementScatter::matrices", false, [&] {
      ElementScatter::matrices(Kontract::scattered(matrix, plan), element_matrices, true);
    });
    expect("Kontract::ElementScatter::vectors", false, [&] {
      ElementScatter::vectors(Kontract::scattered(y, unknowns), element_vectors, true);
    });
  });
}

/// That ToolsEvents would see what must not be there.
TEUCHOS_UNIT_TEST(KokkosTools, eventsAreSeen) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  const Kokkos::View<double*, Space> from("from", 3);
  const ToolsEvents events;
  const Kokkos::View<double*, Space> to("to", 3);
  Kokkos::deep_copy(to, from);
  Kokkos::parallel_for("kernel", Kokkos::RangePolicy<Space>(0, 3), [=](int i) { to(i) = 1; });
  TEST_EQUALITY_CONST(events.allocations().size(), 1);
  TEST_EQUALITY_CONST(events.copies().size(), 1);
  TEST_ASSERT(!events.kernels().empty());
  TEST_EQUALITY_CONST(events.kernels().back(), "kernel");
#if KOKKOS_VERSION >= 30600  // older ones do not tell of fences
  Space().fence("a fence");
  TEST_ASSERT(!events.fences().empty());
#endif
  TEST_ASSERT(events.isBalanced());
  Kokkos::Profiling::pushRegion("left open");
  TEST_ASSERT(!events.isBalanced());
  Kokkos::Profiling::popRegion();
  TEST_ASSERT(events.isBalanced());
}

TEUCHOS_UNIT_TEST(KokkosTools, refusedCallsLeaveNothingOpen) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  using Tools = Kontract::ArrayTools<Space>;
  const Kokkos::View<double*, Space> output("output", 3);
  const Kokkos::View<double**, Space> left("left", 3, 4), right("right", 3, 5);
  const ToolsEvents events;
  TEST_THROW(Tools::contractDataDataScalar(output, left, right), std::invalid_argument);
  Teuchos::ParameterList list;
  list.set("Algorithm", Kontract::Options::algorithmNames().front());
  list.sublist("Launch").set("Team Size", 7);
  const Kontract::Options options(list);
  TEST_THROW(Tools::contractDataDataScalar(output, left, left, options), std::invalid_argument);
  TEST_ASSERT(events.isBalanced());
  TEST_ASSERT(events.kernels().empty());
}

TEUCHOS_UNIT_TEST(KokkosTools, callsWithNothingToDoStartNothing) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  using Tools = Kontract::ArrayTools<Space>;
  const Kokkos::View<double*, Space> output("output", 0);
  const Kokkos::View<double**, Space> data("data", 0, 4);
  const ToolsEvents events;
  TEST_NOTHROW(Tools::contractDataDataScalar(output, data, data));
  TEST_ASSERT(events.kernels().empty());
  TEST_ASSERT(events.isBalanced());
}

}  // namespace
}  // namespace KontractTest
