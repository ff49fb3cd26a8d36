// SPDX-License-Identifier: BSD-3-Clause
//
// Options of forms: default ones that do not apply, launch settings that do, calls with nothing to
// do, and memory that threads are refused.

#include <Kokkos_Core.hpp>
#include <Teuchos_ParameterList.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <new>
#include <string>

#include "Kontract_ArrayTools.hpp"
#include "Kontract_Integration.hpp"
#include "LittleMemory.hpp"
#include "Refusal.hpp"

namespace KontractTest {
namespace {

using Kontract::Form;
using Kontract::FunctionSpace;
using Space = Kokkos::DefaultHostExecutionSpace;
using Integration = Kontract::Integration<Space>;
using View2 = Kokkos::View<double**, Space>;
using View3 = Kokkos::View<double***, Space>;

/// Options as default ones, to the end of the scope.
class AsDefaults {
 public:
  explicit AsDefaults(const Teuchos::ParameterList& list) {
    Kontract::setDefaultOptions(Kontract::Options(list));
  }
  ~AsDefaults() { Kontract::setDefaultOptions(Kontract::Options()); }
  AsDefaults(const AsDefaults&) = delete;
  AsDefaults& operator=(const AsDefaults&) = delete;
};

Teuchos::ParameterList algorithm(const std::string& name) {
  Teuchos::ParameterList list("Kontract");
  list.set("Algorithm", name);
  return list;
}

/// A mass matrix of ones, of cells of size one: each entry is the number of points.
struct Ones {
  static constexpr int fields = 4, points = 5;
  View3 matrices;
  View2 values, measures;

  explicit Ones(int cells)
      : matrices("matrices", cells, fields, fields),
        values("values", fields, points),
        measures("measures", cells, points) {
    Kokkos::deep_copy(matrices, -1.);
    Kokkos::deep_copy(values, 1.);
    Kokkos::deep_copy(measures, 1.);
  }
  auto term() const { return Kontract::term(Form::mass(FunctionSpace::HGRAD), values, values); }
  auto geometry() const { return Kontract::geometry(measures); }
  bool areRight() const {
    bool all = true;
    for (std::size_t i = 0; i < matrices.size(); ++i) all = all && matrices.data()[i] == points;
    return all;
  }
};

TEUCHOS_UNIT_TEST(IntegrationOptions, anyDefaultAlgorithmLetsFormsRun) {
  for (const std::string& name : Kontract::Options::algorithmNames()) {
    const AsDefaults defaults(algorithm(name));
    const Ones ones(7);
    Integration::matrices(ones.matrices, ones.geometry(), ones.term());
    TEST_ASSERT(ones.areRight());
    const Kontract::Explanation explanation = Kontract::explain();
    const bool applies = name == "Flat" || name == "Register Blocking";
    TEST_EQUALITY(explanation.algorithm, applies ? name : std::string("Register Blocking"));
    const std::size_t why = explanation.why.find("default options do not apply: ");
    TEST_EQUALITY(why != std::string::npos, !applies);
    if (!applies) TEST_ASSERT(explanation.why.find(name, why) != std::string::npos);
    // In a call the same name is refused.
    const Refusal refusal = refusalOf([&] {
      Integration::matrices(ones.matrices, ones.geometry(), ones.term(), algorithm(name));
    });
    TEST_EQUALITY(refusal.happened, !applies);
  }
}

TEUCHOS_UNIT_TEST(IntegrationOptions, defaultLaunchSettingsLetFormsRun) {
  Teuchos::ParameterList list = algorithm("Flat");
  list.sublist("Launch").set("Team Size", 7);
  const AsDefaults defaults(list);
  const Ones ones(7);
  Integration::matrices(ones.matrices, ones.geometry(), ones.term());
  TEST_ASSERT(ones.areRight());
  TEST_ASSERT(Kontract::explain().why.find("Flat has no launch setting 'Team Size'") !=
              std::string::npos);
}

TEUCHOS_UNIT_TEST(IntegrationOptions, cellsOfAThreadMayBeGiven) {
  for (const int cells : {1, 2, 7, 45, 46, 1000000000}) {
    Teuchos::ParameterList list = algorithm("Register Blocking");
    list.sublist("Launch").set("Cells Per Team", cells);
    const Ones ones(45);
    Integration::matrices(ones.matrices, ones.geometry(), ones.term(), list);
    TEST_ASSERT(ones.areRight());
    TEST_EQUALITY_CONST(Kontract::explain().algorithm, "Register Blocking");
  }
}

TEUCHOS_UNIT_TEST(IntegrationOptions, callsWithoutOutputsDoNothing) {
  const Ones none(0);
  const View2 vectors("vectors", 0, 4), source("source", 0, 5);
  for (const std::string& name : Kontract::Options::algorithmNames()) {
    Integration::matrices(none.matrices, none.geometry(), none.term(), algorithm(name));
    TEST_EQUALITY_CONST(Kontract::explain().why,
                        "there is nothing to do: the output has no elements");
    TEST_EQUALITY_CONST(Kontract::explain().algorithm, "");
    Integration::apply(vectors, View2("other", 0, 4), none.geometry(), none.term(),
                       algorithm(name));
    Integration::vectors(vectors, none.geometry(),
                         Kontract::load(Form::source(FunctionSpace::HGRAD), none.values, source),
                         algorithm(name));
    const auto basis = Kontract::tensorBasis<1>(none.values, none.values);
    Integration::vectors(vectors,
                         Kontract::geometry(Kokkos::View<double****, Space>("J", 0, 5, 1, 1),
                                            Kokkos::View<double*, Space>("weights", 5)),
                         Kontract::load(Form::source(FunctionSpace::HGRAD), basis, source),
                         algorithm(name));
  }
}

/// Memory for the work of a thread that is not to be had ends a call, not the program.
TEUCHOS_UNIT_TEST(IntegrationOptions, threadsWithoutMemory) {
  constexpr int cells = 40, fields = 300, points = 4000;
  const View3 matrices("matrices", cells, fields, fields);
  const View2 values("values", fields, points), measures("measures", cells, points);
  Kokkos::deep_copy(values, 1.);
  Kokkos::deep_copy(measures, 1.);
  const auto integrate = [&] {
    Integration::matrices(matrices, Kontract::geometry(measures),
                          Kontract::term(Form::mass(FunctionSpace::HGRAD), values, values));
  };
  using Tools = Kontract::ArrayTools<Space>;
  const Kokkos::View<float***, Space> left("left", cells, fields, 100),
      right("right", cells, fields, 100);
  const auto contract = [&] { Tools::contractFieldFieldScalar(matrices, left, right); };
  {
    const LittleMemory little;
    if (!little.isInForce()) {
      out << "memory cannot be limited here\n";
      return;
    }
    TEST_THROW(integrate(), std::bad_alloc);
    TEST_THROW(contract(), std::bad_alloc);
  }
  integrate();
  TEST_EQUALITY_CONST(matrices(cells - 1, 3, fields - 1), points);
  contract();
  TEST_EQUALITY_CONST(matrices(cells - 1, 3, fields - 1), 0.);
}

}  // namespace
}  // namespace KontractTest
