// SPDX-License-Identifier: BSD-3-Clause
//
// Which algorithms and kernels serve which forms on hosts, and what options, tables of measured
// choices and explain() make of them: a table, so that nothing shrinks unseen.

#include <Kokkos_Core.hpp>
#include <Teuchos_ParameterList.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <cstdio>
#include <string>

#include "Kontract_ArrayTools.hpp"
#include "Kontract_Explain.hpp"
#include "Kontract_Integration.hpp"
#include "Kontract_Tuning.hpp"
#include "Refusal.hpp"

namespace KontractTest {
namespace {

using Kontract::Form;
using Kontract::FunctionSpace;
using Space = Kokkos::DefaultHostExecutionSpace;
using Integration = Kontract::Integration<Space>;

/// What a way to compute a form is called: an algorithm, and perhaps a kernel of it.
struct Way {
  const char *algorithm, *kernel;

  Teuchos::ParameterList options() const {
    Teuchos::ParameterList list("Kontract");
    list.set("Algorithm", algorithm);
    if (kernel[0] != '\0') list.sublist(algorithm).set("Kernel", kernel);
    return list;
  }
};
constexpr Way ways[] = {{"Flat", ""},
                        {"Register Blocking", ""},
                        {"Register Blocking", "Per Cell"},
                        {"Register Blocking", "Interleaved Cells"},
                        {"Register Blocking", "Reference Tensors"},
                        {"Register Blocking", "Sum Factorization"},
                        {"Team Reduction", ""},
                        {"Tiling", ""}};

/// Arrays of a case; Jacobians at points, and one for all.
template <class Real>
struct Arrays {
  static constexpr int cells = 5, side = 3, fields = side * side, points = fields;
  Kokkos::View<Real***, Space> matrices{"matrices", cells, fields, fields};
  Kokkos::View<Real**, Space> vectors{"vectors", cells, fields}, others{"others", cells, fields};
  Kokkos::View<Real****, Space> jacobians{"jacobians", cells, points, 2, 2};
  Kokkos::View<Real****, Space> of_affine{"jacobians of affine cells", cells, 1, 2, 2};
  Kokkos::View<Real*, Space> weights{"weights", points};
  Kokkos::View<Real**, Space> values{"values", fields, points}, table{"table", side, side};
  Kokkos::View<Real**, Space> signs{"signs", cells, fields}, source{"source", cells, points};
  Kokkos::View<Real***, Space> of_cells{"values of cells", cells, fields, points};
  Form mass = Form::mass(FunctionSpace::HGRAD);
};

/// "+" for each way that serves a call, "-" for each that refuses it.
template <class... Arguments>
std::string served(const char* function, const Arguments&... arguments) {
  std::string marks;
  for (const Way& way : ways) {
    const Teuchos::ParameterList options = way.options();
    const Refusal refusal =
        refusalOf([&] { Kontract::explain<Space>(function, arguments..., options); });
    marks += refusal.happened ? '-' : '+';
  }
  return marks;
}

template <class Real>
void checkTable(Teuchos::FancyOStream& out, bool& success) {
  const Arrays<Real> a;
  const auto cells = Kontract::geometry(a.jacobians, a.weights);
  const auto affine = Kontract::geometry(a.of_affine, a.weights);
  const auto basis = Kontract::tensorBasis<2>(a.table, a.table);
  const auto mass = Kontract::term(a.mass, a.values, a.values);
  const auto mass_of_cells = Kontract::term(a.mass, a.of_cells, a.of_cells);
  const auto mass_of_basis = Kontract::term(a.mass, basis, basis);
  const Form source = Form::source(FunctionSpace::HGRAD);
  //                                          Flat, Register Blocking: Auto, Per Cell, Interleaved
  //                                          Cells, Reference Tensors, Sum Factorization; Team
  //                                          Reduction; Tiling
  TEST_EQUALITY(served("matrices", a.matrices, cells, mass), "++++---+");
  TEST_EQUALITY(served("matrices", a.matrices, affine, mass), "+++++--+");
  TEST_EQUALITY(served("matrices", a.matrices, cells, mass_of_cells), "+++-----");
  TEST_EQUALITY(served("matrices", a.matrices, cells, mass_of_basis), "++++-+-+");
  TEST_EQUALITY(served("matrices", a.matrices, affine, mass_of_basis), "++++++-+");
  TEST_EQUALITY(served("matrices", a.matrices, cells, mass, mass.withSigns(a.signs, a.signs)),
                "+------+");
  TEST_EQUALITY(served("vectors", a.vectors, cells, Kontract::load(source, a.values, a.source)),
                "++++---+");
  TEST_EQUALITY(served("vectors", a.vectors, cells, Kontract::load(source, a.of_cells, a.source)),
                "+++-----");
  TEST_EQUALITY(served("vectors", a.vectors, cells, Kontract::load(source, basis, a.source)),
                "+++--+++");
  TEST_EQUALITY(served("apply", a.vectors, a.others, cells, mass), "++-+---+");
  TEST_EQUALITY(served("apply", a.vectors, a.others, cells, mass_of_cells), "+-------");
  TEST_EQUALITY(served("apply", a.vectors, a.others, cells, mass_of_basis), "++---+++");
}

TEUCHOS_UNIT_TEST(FormAlgorithms, whatServesWhatInDouble) { checkTable<double>(out, success); }
TEUCHOS_UNIT_TEST(FormAlgorithms, whatServesWhatInFloat) { checkTable<float>(out, success); }

TEUCHOS_UNIT_TEST(FormAlgorithms, mixedScalarsAreServedByFlatAlone) {
  const Arrays<double> a;
  const Arrays<float> narrow;
  const auto mass = Kontract::term(a.mass, narrow.values, narrow.values);
  TEST_EQUALITY(served("matrices", a.matrices, Kontract::geometry(a.jacobians, a.weights), mass),
                "+-------");
}

/// Options of a function of Integration hold for it alone.
TEUCHOS_UNIT_TEST(FormAlgorithms, optionsOfOneFunction) {
  const Arrays<double> a;
  const auto cells = Kontract::geometry(a.of_affine, a.weights);
  const auto mass = Kontract::term(a.mass, a.values, a.values);
  Teuchos::ParameterList list("Kontract");
  list.sublist("apply").set("Algorithm", "Flat");
  list.sublist("matrices").set("Algorithm", "Register Blocking");
  list.sublist("matrices").sublist("Register Blocking").set("Kernel", "Reference Tensors");
  const Kontract::Options options(list);
  Integration::matrices(a.matrices, cells, mass, options);
  TEST_EQUALITY_CONST(Kontract::explain().operation, "matrices");
  TEST_EQUALITY_CONST(Kontract::explain().settings, "Kernel = Reference Tensors");
  TEST_EQUALITY_CONST(Kontract::explain().why, "asked for by name");
  Integration::apply(a.vectors, a.others, cells, mass, options);
  TEST_EQUALITY_CONST(Kontract::explain().algorithm, "Flat");
}

/// What explain() says before a call is what the call runs.
TEUCHOS_UNIT_TEST(FormAlgorithms, explainedBeforeAndAfter) {
  const Arrays<double> a;
  const auto cells = Kontract::geometry(a.jacobians, a.weights);
  const auto mass = Kontract::term(a.mass, a.values, a.values);
  const Kontract::Explanation before =
      Kontract::explain<Space>("matrices", a.matrices, cells, mass);
  Integration::matrices(a.matrices, cells, mass);
  TEST_EQUALITY(before.text(), Kontract::explain().text());
  TEST_ASSERT(before.expected_seconds > 0);
  TEST_ASSERT(before.flops > 0 && before.bytes > 0);
  TEST_EQUALITY_CONST(before.algorithm, "Register Blocking");
  const auto wrong = [&](const char* function) {
    return refusalOf([&] { Kontract::explain<Space>(function, a.matrices, cells, mass); });
  };
  TEST_ASSERT(wrong("vectors").says("these are arguments of matrices, not of vectors"));
  TEST_ASSERT(wrong("cloneFields").says("these are arguments of matrices"));
  TEST_ASSERT(wrong("stiffness").says("there is no function 'stiffness'"));
  TEST_ASSERT(refusalOf([&] {
                Kontract::explain<Space>("matrices", a.vectors, a.others, a.signs);
              }).says("takes a geometry and terms"));
}

/// Forms are measured like all else: the choice is kept in a table, and taken from it.
TEUCHOS_UNIT_TEST(FormAlgorithms, choicesAreMeasured) {
  const char* const file = "form_algorithms_tuning.xml";
  std::remove(file);
  const Arrays<double> a;
  Kokkos::deep_copy(a.values, 1.);
  Kokkos::deep_copy(a.weights, 1.);
  for (int c = 0; c < a.cells; ++c) a.of_affine(c, 0, 0, 0) = a.of_affine(c, 0, 1, 1) = 2;
  const auto cells = Kontract::geometry(a.of_affine, a.weights);
  const auto mass = Kontract::term(a.mass, a.values, a.values);
  Teuchos::ParameterList list("Kontract");
  list.sublist("Tuning").set("Mode", "Measure").set("File", file);
  const Kontract::Options options(list);
  Kokkos::deep_copy(a.matrices, -1.);
  Integration::matrices(a.matrices, cells, mass, true, options);
  const Kontract::Explanation first = Kontract::explain();
  TEST_ASSERT(first.measured_seconds > 0);
  TEST_FLOATING_EQUALITY(a.matrices(4, 8, 8), 4. * a.points - 1, 1e-14);
  TEST_EQUALITY_CONST(Kontract::TuningTable::fromFile(file).size(), 1);
  Integration::matrices(a.matrices, cells, mass, options);
  TEST_EQUALITY(Kontract::explain().settings, first.settings);
  TEST_EQUALITY_CONST(Kontract::TuningTable::fromFile(file).size(), 1);
  // Another form, and the same one on other cells, are other problems.
  Integration::matrices(a.matrices, Kontract::geometry(a.jacobians, a.weights), mass, options);
  Integration::matrices(a.matrices, cells, Kontract::term(a.mass, a.values, a.values, a.source),
                        options);
  TEST_EQUALITY_CONST(Kontract::TuningTable::fromFile(file).size(), 3);
  // What Flat alone serves is not measured in the name of others, and has no key in common with
  // them.
  const Arrays<float> narrow;
  Integration::matrices(a.matrices, cells, Kontract::term(a.mass, narrow.values, narrow.values),
                        options);
  TEST_EQUALITY_CONST(Kontract::explain().algorithm, "Flat");
  TEST_EQUALITY_CONST(Kontract::TuningTable::fromFile(file).size(), 3);
  // Signs are another problem; what is fastest there differs from machine to machine.
  Kokkos::deep_copy(a.signs, 1.);
  Integration::matrices(a.matrices, cells, mass, mass.withSigns(a.signs, a.signs), options);
  TEST_EQUALITY_CONST(Kontract::TuningTable::fromFile(file).size(), 4);
  Integration::matrices(a.matrices, cells, mass, mass, options);
  TEST_ASSERT(Kontract::explain().measured_seconds > 0);
  TEST_EQUALITY_CONST(Kontract::TuningTable::fromFile(file).size(), 5);
  std::remove(file);
}

/// Settings that are for contractions, or for other forms, do not turn a form that chooses for
/// itself away from its fastest algorithm, nor contractions from theirs.
TEUCHOS_UNIT_TEST(FormAlgorithms, settingsOfOthersUnderAuto) {
  const Arrays<double> a;
  const auto cells = Kontract::geometry(a.jacobians, a.weights);
  const auto mass = Kontract::term(a.mass, a.values, a.values);
  Teuchos::ParameterList list("Kontract");
  list.sublist("Register Blocking").set("Kernel", "Sum Factorization");
  list.sublist("Team Reduction").set("Depth", "2");
  list.sublist("Launch").set("Vector Length", 8);
  Integration::matrices(a.matrices, cells, mass, list);
  TEST_EQUALITY_CONST(Kontract::explain().algorithm, "Register Blocking");
  TEST_EQUALITY_CONST(Kontract::explain().why.find("Team Reduction"), std::string::npos);
  const Kokkos::View<double**, Space> sums("sums", 3, 4), data("data", 3, 5);
  const Kokkos::View<double***, Space> fields("fields", 3, 4, 5);
  list.set("Algorithm", "Register Blocking");
  list.sublist("Launch").set("Vector Length", 0);
  Kontract::setDefaultOptions(Kontract::Options(list));
  Kontract::ArrayTools<Space>::contractDataFieldScalar(sums, data, fields);
  TEST_EQUALITY_CONST(Kontract::explain().algorithm, "Register Blocking");
  Integration::matrices(a.matrices, cells, mass);
  TEST_EQUALITY_CONST(Kontract::explain().algorithm, "Register Blocking");
  TEST_ASSERT(Kontract::explain().why.find("default options do not apply") != std::string::npos);
  Kontract::setDefaultOptions(Kontract::Options());
}

}  // namespace
}  // namespace KontractTest
