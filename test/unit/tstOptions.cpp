// SPDX-License-Identifier: BSD-3-Clause
//
// Options: names, defaults, validation, files, overrides for single operations.

#include <Kokkos_Core.hpp>
#include <Teuchos_ParameterList.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <Teuchos_XMLParameterListCoreHelpers.hpp>
#include <Teuchos_YamlParameterListCoreHelpers.hpp>
#include <cstdio>
#include <fstream>
#include <limits>
#include <sstream>

#include "Kontract.hpp"
#include "Operations.hpp"
#include "Refusal.hpp"
#include "WhatAlgorithmsServe.hpp"

namespace KontractTest {
namespace {

using Kontract::Options;
using Teuchos::ParameterList;
using Space = Kokkos::DefaultHostExecutionSpace;
using Vector = Kokkos::View<double*, Space>;
using Matrix = Kokkos::View<double**, Space>;

/// A small contraction and a small product to ask about.
struct Arrays {
  Vector sums{"sums", 3};
  Matrix left{"left", 3, 4}, right{"right", 3, 4}, product{"product", 3, 4};
};

std::string contractionRuns(const Options& options) {
  const Arrays a;
  return Kontract::explain<Space>("contractDataDataScalar", a.sums, a.left, a.right, options)
      .algorithm;
}
std::string productRuns(const Options& options) {
  const Arrays a;
  return Kontract::explain<Space>("dotMultiplyDataData", a.product, a.left, a.right, options)
      .algorithm;
}

Refusal refusalOfList(const ParameterList& list) {
  return refusalOf([&] { const Options options(list); });
}

std::string documentation() {
  std::ostringstream text;
  Options::printDocumentation(text);
  return text.str();
}

TEUCHOS_UNIT_TEST(Options, everyAlgorithmAndOperationIsInTheList) {
  const ParameterList& valid = Options::validParameters();
  TEST_EQUALITY_CONST(valid.get<std::string>("Algorithm"), "Auto");
  TEST_EQUALITY_CONST(Options::algorithmNames().empty(), false);
  const std::string text = documentation();
  for (const std::string& name : Options::algorithmNames()) {
    TEST_ASSERT(text.find(name) != std::string::npos);
    ParameterList list;
    list.set("Algorithm", name);
    TEST_NOTHROW(Options{list});
    if (contractsOn<Space>(name)) TEST_EQUALITY(contractionRuns(Options(list)), name);
    // An algorithm may be one for contractions alone, and says so.
    std::string product;
    const Refusal refusal = refusalOf([&] { product = productRuns(Options(list)); });
    TEST_ASSERT(product == name || refusal.says(name + " was asked for by name"));
  }
  std::apply(
      [&](auto... operations) {
        for (const std::string_view name : {decltype(operations)::name...}) {
          TEST_ASSERT(valid.isSublist(std::string(name)));
          TEST_ASSERT(text.find(name) != std::string::npos);
        }
      },
      OperationList());
}

/// An algorithm of a library runs contractions where the library was found, and refuses all else.
TEUCHOS_UNIT_TEST(Options, algorithmsOfLibrariesSayWhatTheyCannotRun) {
  int seen = 0;
  for (const std::string& name : Options::algorithmNames()) {
    if (!isOfALibrary(name)) continue;
    ++seen;
    ParameterList list;
    list.set("Algorithm", name);
    const Options options(list);
    TEST_ASSERT(refusalOf([&] { productRuns(options); }).says("was asked for by name"));
    // Cells are side by side, so that no index of a cell's matrices has unit stride.
    using Left = Kokkos::View<double***, Kokkos::LayoutLeft, Space>;
    const Left sums("sums", 5, 3, 4), left("left", 5, 3, 6), right("right", 5, 4, 6);
    Kokkos::deep_copy(left, 2.0);
    Kokkos::deep_copy(right, 3.0);
    const Refusal refusal = refusalOf(
        [&] { Kontract::ArrayTools<Space>::contractFieldFieldScalar(sums, left, right, options); });
    if (!contractsOn<Space>(name)) {
      TEST_ASSERT(refusal.says("was asked for by name"));
    } else if (name == "Vendor BLAS") {
      out << "\n" << refusal.text << "\n";
      TEST_ASSERT(refusal.says("contractFieldFieldScalar: Vendor BLAS: needs a left input"));
      TEST_ASSERT(refusal.says("they are 5 and 15"));
    } else {
      TEST_EQUALITY_CONST(sums(4, 2, 3), 36.0);
    }
  }
  TEST_EQUALITY_CONST(seen, 2);
}

/// What was in the output is not read where sums are not added to it.
TEUCHOS_UNIT_TEST(Options, algorithmsOfLibrariesOverwriteNumbersThatAreNone) {
  for (const std::string& name : Options::algorithmNames()) {
    if (!isOfALibrary(name) || !contractsOn<Space>(name)) continue;
    ParameterList list;
    list.set("Algorithm", name);
    const Kokkos::View<double***, Kokkos::LayoutRight, Space> sums("sums", 2, 3, 4),
        left("left", 2, 3, 6), right("right", 2, 4, 6), nothing("nothing", 2, 3, 0),
        nothing_too("nothing", 2, 4, 0);
    Kokkos::deep_copy(left, 2.0);
    Kokkos::deep_copy(right, 3.0);
    using Tools = Kontract::ArrayTools<Space>;
    Kokkos::deep_copy(sums, std::numeric_limits<double>::quiet_NaN());
    Tools::contractFieldFieldScalar(sums, left, right, list);
    TEST_EQUALITY_CONST(sums(1, 2, 3), 36.0);
    Tools::contractFieldFieldScalar(sums, left, right, true, list);
    TEST_EQUALITY_CONST(sums(1, 2, 3), 72.0);
    Kokkos::deep_copy(sums, std::numeric_limits<double>::quiet_NaN());
    Tools::contractFieldFieldScalar(sums, nothing, nothing_too, list);
    TEST_EQUALITY_CONST(sums(1, 2, 3), 0.0);
  }
}

TEUCHOS_UNIT_TEST(Options, documentationNamesEverySettingOnce) {
  const std::string text = documentation();
  for (const char* name :
       {"Algorithm", "Launch", "Team Size", "Vector Length", "Cells Per Team", "Max Threads",
        "Min Blocks", "Tile C", "Tile L", "Tile R", "Iterate", "Unroll K", "Tuning"}) {
    TEST_ASSERT(text.find(name) != std::string::npos);
  }
  TEST_ASSERT(text.find("so far") == std::string::npos);
}

TEUCHOS_UNIT_TEST(Options, defaultsAreValidAndAutomatic) {
  TEST_NOTHROW(Options{});
  TEST_NOTHROW(Options{ParameterList()});
  TEST_NOTHROW(Options{Options::validParameters()});
  TEST_ASSERT(!contractionRuns(Options()).empty());
  TEST_EQUALITY(contractionRuns(Options()), contractionRuns(Options(Options::validParameters())));
}

TEUCHOS_UNIT_TEST(Options, unknownNamesAreRefusedWithTheValidOnes) {
  ParameterList misspelt;
  misspelt.set("Algoritm", "Auto");
  const Refusal name = refusalOfList(misspelt);
  TEST_ASSERT(name.says("there is no parameter 'Algoritm' in the list 'ANONYMOUS'"));
  TEST_ASSERT(name.says("there are 'Algorithm'"));
  TEST_ASSERT(name.says("contractFieldFieldScalar"));
  ParameterList sublist;
  sublist.sublist("MDRange").set("Tile Q", 3);
  TEST_ASSERT(refusalOfList(sublist).says("Tile Q"));
  TEST_ASSERT(refusalOfList(sublist).says("Tile C"));
  ParameterList operation;
  operation.sublist("contractFieldFieldScaler").set("Algorithm", "Auto");
  TEST_ASSERT(refusalOfList(operation).says("contractFieldFieldScaler"));
  TEST_ASSERT(refusalOfList(operation).says("contractFieldFieldScalar"));
  ParameterList algorithm;
  algorithm.set("Algorithm", "Fastest");
  const Refusal value = refusalOfList(algorithm);
  TEST_ASSERT(value.says("Fastest"));
  TEST_ASSERT(value.says("Auto"));
  for (const std::string& valid : Options::algorithmNames()) TEST_ASSERT(value.says(valid));
}

/// In one sentence that names parameter and list, what it is and what it may be, and nothing of
/// Teuchos.
TEUCHOS_UNIT_TEST(Options, wrongTypesAndRangesAreRefused) {
  const auto says = [&](const ParameterList& list, const std::string& text) {
    const Refusal refusal = refusalOfList(list);
    out << "\n" << refusal.text;
    return refusal.says("Kontract::Options: the parameter " + text) && !refusal.says("\n");
  };
  const auto given = [](const char* name, auto value) {
    ParameterList list("Mine");
    list.set(name, value);
    return list;
  };
  TEST_ASSERT(
      says(given("Algorithm", 3), "'Algorithm' in the list 'Mine' is 3 (of type int) but must be"));
  TEST_ASSERT(says(given("Algorithm", Teuchos::Array<int>(2, 1)),
                   "'Algorithm' in the list 'Mine' is {1, 1} (of type Array(int)) but must be"));
  TEST_ASSERT(says(given("MDRange", 4), "'MDRange' in the list 'Mine' is 4 (of type int)"));
  TEST_ASSERT(says(given("cloneData", "Flat"),
                   "'cloneData' in the list 'Mine' is the text 'Flat' but must be a list"));
  const auto of_group = [&](const char* group, const char* name, auto value) {
    ParameterList list;
    list.sublist(group).set(name, value);
    return list;
  };
  const std::string needs_number = " but must be a whole number (an int), 0 or more";
  TEST_ASSERT(says(of_group("MDRange", "Tile C", 2.5),
                   "'Tile C' in 'MDRange' is 2.5 (of type double)" + needs_number));
  TEST_ASSERT(says(of_group("MDRange", "Tile C", 2LL),
                   "'Tile C' in 'MDRange' is 2 (of type long long)" + needs_number));
  TEST_ASSERT(says(of_group("MDRange", "Tile C", ParameterList()),
                   "'Tile C' in 'MDRange' is a list" + needs_number));
  TEST_ASSERT(says(of_group("MDRange", "Tile C", -1),
                   "'Tile C' in 'MDRange' is -1 (of type int)" + needs_number));
  ParameterList of_operation;
  of_operation.set("cloneData", of_group("Launch", "Team Size", -8));
  TEST_ASSERT(
      says(of_operation, "'Team Size' in 'cloneData->Launch' is -8 (of type int)" + needs_number));
  TEST_ASSERT(says(of_group("MDRange", "Iterate", "Down"),
                   "'Iterate' in 'MDRange' is the text 'Down' but must be one of Auto, Left, "));
  TEST_ASSERT(says(of_group("Tuning", "Mode", "Sometimes"),
                   "'Mode' in 'Tuning' is the text 'Sometimes' but must be one of Off, Read, "));
  TEST_ASSERT(says(of_group("Tuning", "File", 3),
                   "'File' in 'Tuning' is 3 (of type int) but must be a text"));
}

TEUCHOS_UNIT_TEST(Options, listsOfOperationsOverrideTheGeneralOne) {
  ParameterList list;
  list.set("Algorithm", "Flat");
  list.sublist("contractDataDataScalar").set("Algorithm", "Serial");
  TEST_EQUALITY_CONST(contractionRuns(Options(list)), "Serial");
  TEST_EQUALITY_CONST(productRuns(Options(list)), "Flat");
  // What an operation does not say, the whole list does.
  ParameterList inherited;
  inherited.set("Algorithm", "MDRange");
  inherited.sublist("MDRange").set("Tile C", 2);
  inherited.sublist("contractDataDataScalar").sublist("MDRange").set("Tile R", 3);
  const Arrays a;
  const auto settings = [&](const char* function, const Vector& sums) {
    return Kontract::explain<Space>(function, sums, a.left, a.right, Options(inherited)).settings;
  };
  TEST_EQUALITY_CONST(settings("contractDataDataScalar", a.sums),
                      "Tile C = 2, Tile L = 0, Tile R = 3");
  TEST_EQUALITY_CONST(
      Kontract::explain<Space>("dotMultiplyDataData", a.product, a.left, a.right, inherited)
          .settings,
      "Tile C = 2, Tile L = 0, Tile R = 0");
}

/// The order in which a list names its operations must not matter.
TEUCHOS_UNIT_TEST(Options, overridesDoNotLeakIntoOtherOperations) {
  ParameterList list;
  list.sublist("cloneData").set("Algorithm", "Serial");
  list.sublist("contractFieldFieldScalar").set("Algorithm", "Serial");
  list.set("Algorithm", "Flat");
  TEST_EQUALITY_CONST(contractionRuns(Options(list)), "Flat");
}

/// Lists are often made by editing one that has all defaults.
TEUCHOS_UNIT_TEST(Options, aListWithAllDefaultsMeansWhatItSaysAtTheTop) {
  ParameterList list(Options::validParameters());
  list.set("Algorithm", "Flat");
  TEST_EQUALITY_CONST(contractionRuns(Options(list)), "Flat");
  list.set("Algorithm", "MDRange");
  list.sublist("MDRange").set("Tile C", 2);
  const Arrays a;
  TEST_EQUALITY_CONST(
      Kontract::explain<Space>("dotMultiplyDataData", a.product, a.left, a.right, list).settings,
      "Tile C = 2, Tile L = 0, Tile R = 0");
  ParameterList completed;
  completed.set("Algorithm", "Serial");
  completed.validateParametersAndSetDefaults(Options::validParameters());
  TEST_EQUALITY_CONST(productRuns(Options(completed)), "Serial");
}

/// A tile is as large as the problem at most; the call runs, and is right.
TEUCHOS_UNIT_TEST(Options, tilesLargerThanTheProblemAreCut) {
  ParameterList list;
  list.set("Algorithm", "MDRange");
  for (const char* tile : {"Tile C", "Tile L", "Tile R"}) {
    list.sublist("MDRange").set(tile, std::numeric_limits<int>::max());
  }
  const Arrays a;
  Kokkos::deep_copy(a.left, 2.0);
  Kokkos::deep_copy(a.right, 3.0);
  Kontract::ArrayTools<Space>::contractDataDataScalar(a.sums, a.left, a.right, list);
  TEST_EQUALITY_CONST(a.sums(2), 24.0);
}

/// Whatever index goes fastest, contractions and products are the same, bit by bit.
TEUCHOS_UNIT_TEST(Options, theOrderOfIterationIsASetting) {
  const Arrays a;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 4; ++j) a.left(i, j) = 1.0 + i - 0.3 * j, a.right(i, j) = 0.7 * i + j;
  }
  const auto results = [&](const char* order, int tile) {
    ParameterList list;
    list.set("Algorithm", "MDRange");
    list.sublist("MDRange").set("Iterate", order).set("Tile C", tile);
    const double not_a_number = std::numeric_limits<double>::quiet_NaN();
    Kokkos::deep_copy(a.sums, not_a_number);
    Kokkos::deep_copy(a.product, not_a_number);
    Kontract::ArrayTools<Space>::contractDataDataScalar(a.sums, a.left, a.right, list);
    Kontract::ArrayTools<Space>::dotMultiplyDataData(a.product, a.left, a.right, list);
    std::vector<double> all(a.sums.data(), a.sums.data() + a.sums.size());
    all.insert(all.end(), a.product.data(), a.product.data() + a.product.size());
    return all;
  };
  const std::vector<double> expected = results("Auto", 0);
  for (const char* order : {"Left", "Right"}) {
    for (const int tile : {0, 2}) TEST_COMPARE_ARRAYS(results(order, tile), expected);
  }
  ParameterList wrong;
  wrong.sublist("MDRange").set("Iterate", "Down");
  TEST_ASSERT(refusalOfList(wrong).says("Right"));
  ParameterList list;
  list.set("Algorithm", "MDRange").sublist("MDRange").set("Iterate", "Left");
  TEST_EQUALITY_CONST(
      Kontract::explain<Space>("contractDataDataScalar", a.sums, a.left, a.right, list).settings,
      "Tile C = 0, Tile L = 0, Tile R = 0, Iterate = Left");
}

TEUCHOS_UNIT_TEST(Options, explainRefusesWhatTheCallWouldNotTake) {
  const Arrays a;
  TEST_ASSERT(refusalOf([&] {
                Kontract::explain<Space>("dotMultiplyDataData", a.product, a.left, a.right, true);
              }).says("dotMultiplyDataData has no flag"));
  TEST_ASSERT(refusalOf([&] {
                Kontract::explain<Space>("cloneData", a.product, a.left, a.right);
              }).says("cloneData takes 2 arrays, not 3"));
  TEST_ASSERT(refusalOf([&] {
                Kontract::explain<Space>("contractData", a.product, a.left, a.right);
              }).says("there is no function 'contractData'"));
}

/// Whether options are good does not depend on how many cells there are.
TEUCHOS_UNIT_TEST(Options, areCheckedWhereThereIsNothingToDo) {
  ParameterList list;
  list.set("Algorithm", "Nope");
  const Vector sums("sums", 0);
  const Matrix empty("empty", 0, 4);
  TEST_ASSERT(refusalOf([&] {
                Kontract::ArrayTools<Space>::contractDataDataScalar(sums, empty, empty, list);
              }).says("Nope"));
}

TEUCHOS_UNIT_TEST(Options, aMainListMayHoldOurs) {
  ParameterList main_list;
  main_list.sublist("Kontract").set("Algorithm", "Flat");
  TEST_EQUALITY_CONST(contractionRuns(Options(main_list)), "Flat");
  ParameterList crowded(main_list);
  crowded.set("Mesh", "part.geo");
  TEST_ASSERT(refusalOfList(crowded).says("give that sublist"));
  main_list.sublist("Kontract").set("Speed", "High");
  TEST_ASSERT(refusalOfList(main_list).says("Speed"));
}

TEUCHOS_UNIT_TEST(Options, launchSettingsThatAnAlgorithmDoesNotHonourAreRefusedByName) {
  const Arrays a;
  unsigned knob = 1;
  for (const char* name :
       {"Team Size", "Vector Length", "Cells Per Team", "Max Threads", "Min Blocks"}) {
    ParameterList list;
    list.sublist("Launch").set(name, 1);
    Kontract::Impl::forEachAlgorithm([&](auto algorithm, auto) {
      if (!contractsOn<Space>(algorithm.name)) return;
      list.set("Algorithm", algorithm.name);
      const Options options(list);
      const Refusal refusal = refusalOf([&] {
        Kontract::ArrayTools<Space>::contractDataDataScalar(a.sums, a.left, a.right, options);
      });
      if ((algorithm.launch_knobs & knob) != 0) {
        const bool is_bound = (Kontract::Impl::LaunchSettings::bound_knobs & knob) != 0;
        TEST_EQUALITY(refusal.happened, is_bound);  // which hosts do not have
        TEST_ASSERT(!is_bound || refusal.says("launch bounds are for devices"));
        return;
      }
      TEST_ASSERT(refusal.says("Kontract::contractDataDataScalar: "));
      TEST_ASSERT(refusal.says(name));
      TEST_ASSERT(refusal.says(algorithm.name));
    });
    knob *= 2;
    list.set("Algorithm", "Auto");  // which never fails
    const Options options(list);
    TEST_NOTHROW(
        Kontract::ArrayTools<Space>::contractDataDataScalar(a.sums, a.left, a.right, options));
  }
}

/// Writes a text to a file that is removed at the end.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, const std::string& text) : _name(name) {
    std::ofstream(_name) << text;
  }
  ~TemporaryFile() { std::remove(_name.c_str()); }
  const std::string& name() const { return _name; }

 private:
  std::string _name;
};

TEUCHOS_UNIT_TEST(Options, filesRoundTrip) {
  ParameterList list("Kontract");
  list.set("Algorithm", "MDRange");
  list.sublist("MDRange").set("Tile C", 5);
  list.sublist("dotMultiplyDataData").set("Algorithm", "Serial");
  for (const char* name : {"Kontract_tstOptions.xml", "Kontract_tstOptions.yaml"}) {
    const TemporaryFile file(name, "");
    const bool is_yaml = std::string(name).find(".yaml") != std::string::npos;
    const auto write = [&](const ParameterList& what) {
      if (is_yaml) {
        Teuchos::writeParameterListToYamlFile(what, file.name());
      } else {
        Teuchos::writeParameterListToXmlFile(what, file.name());
      }
    };
    write(list);
    const Options options = Options::fromFile(file.name());
    TEST_EQUALITY_CONST(contractionRuns(options), "MDRange");
    TEST_EQUALITY_CONST(productRuns(options), "Serial");
    write(Options::validParameters());
    TEST_NOTHROW(Options::fromFile(file.name()));
  }
}

/// Teuchos takes what a text begins with, and cuts what does not fit.
TEUCHOS_UNIT_TEST(Options, numbersAreWholeNumbers) {
  const auto refusal = [](const std::string& type, const std::string& value) {
    const TemporaryFile file("Kontract_tstNumbers.xml",
                             "<ParameterList><ParameterList name=\"Launch\"><Parameter "
                             "name=\"Team Size\" type=\"" +
                                 type + "\" value=\"" + value +
                                 "\"/></ParameterList></ParameterList>");
    return refusalOf([&] { Options::fromFile(file.name()); });
  };
  for (const char* value :
       {"four", "", "0x10", "4x", "2.5", "1e3", "99999999999", "-99999999999"}) {
    const Refusal bad = refusal("int", value);
    out << "\n" << bad.text;
    TEST_ASSERT(bad.says(std::string("'Team Size' is '") + value + "', which is no int"));
  }
  for (const char* value : {"4", " 4 ", "+4"}) {
    TEST_EQUALITY_CONST(refusal("int", value).text, "no exception");
  }
  for (const char* value : {"4", "abc", "99999999999"}) {
    TEST_ASSERT(refusal("string", value).says("'Team Size' in 'Launch' is the text"));
    ParameterList list;
    list.sublist("Launch").set("Team Size", std::string(value));
    TEST_ASSERT(refusalOf([&] { Options{list}; }).says("but must be a whole number"));
  }
  TEST_ASSERT(refusalOf([] { Options::fromFile(std::string(5000, 'x')); }).says("cannot read"));
}

TEUCHOS_UNIT_TEST(Options, badFilesAreRefusedByName) {
  const auto refusal = [](const std::string& name) {
    return refusalOf([&] { Options::fromFile(name); });
  };
  TEST_ASSERT(refusal("no/such/file.xml").says("no/such/file.xml"));
  for (const char* name : {"Kontract_tstBad.xml", "Kontract_tstBad.yaml"}) {
    for (const char* text : {"<ParameterList name=\"Kontract\"><Parameter", "{[}", ""}) {
      const TemporaryFile file(name, text);
      const Refusal bad = refusal(file.name());
      out << "\n" << bad.text << "\n";
      TEST_ASSERT(bad.says(*text == '\0' ? "' is empty" : "' is not a parameter list: "));
      TEST_ASSERT(!bad.says("\n"));
    }
  }
  const TemporaryFile unknown(
      "Kontract_tstUnknown.xml",
      "<ParameterList name=\"Kontract\">"
      "<Parameter name=\"Algorithms\" type=\"string\" value=\"Flat\"/></ParameterList>");
  TEST_ASSERT(refusal(unknown.name()).says("the file 'Kontract_tstUnknown.xml' cannot be used"));
  TEST_ASSERT(refusal(unknown.name()).says("'Algorithms'"));
}

}  // namespace
}  // namespace KontractTest
