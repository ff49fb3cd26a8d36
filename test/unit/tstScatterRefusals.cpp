// SPDX-License-Identifier: BSD-3-Clause
//
// What plans, graphs and calls of cells that share arrays refuse, in what words, and that nothing
// is written then.

#include <Teuchos_ParameterList.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <string>
#include <vector>

#include "HostForms.hpp"
#include "Kontract_Explain.hpp"
#include "Refusal.hpp"

namespace KontractTest {
namespace {

/// A row of cells, each with an unknown in common with the next: cell c has c, c + 1 and c + 2.
struct Row {
  static constexpr int cells = 6, fields = 3, count = cells + 2;
  Right<int**> table{"table", cells, fields};
  Unknowns numbers;
  Graph graph;
  Plan plan;
  Right<double**> values{"values", fields, 2}, measures{"measures", cells, 2},
      coordinates{"coordinates", count, 1};
  Right<double***> gradients{"gradients", fields, 1, 1};
  Right<double*> weights{"weights", 2}, vector{"vector", count}, entries;

  Row() {
    for (int c = 0; c < cells; ++c) {
      for (int f = 0; f < fields; ++f) table(c, f) = c + f;
    }
    numbers = Unknowns(table, count);
    graph = Graph(numbers);
    plan = Plan(graph, numbers);
    entries = Right<double*>("entries", graph.entries.extent(0));
    Kokkos::deep_copy(entries, 7.);
    Kokkos::deep_copy(vector, 7.);
    Kokkos::deep_copy(measures, 1.);
    Kokkos::deep_copy(values, 1.);
  }

  auto mass() const { return Kontract::term(Form::mass(FunctionSpace::HGRAD), values, values); }
  auto load() const { return Kontract::load(Form::source(FunctionSpace::HGRAD), values, measures); }
  bool isUntouched() const {
    for (std::size_t i = 0; i < entries.extent(0); ++i) {
      if (entries(i) != 7) return false;
    }
    for (std::size_t i = 0; i < vector.extent(0); ++i) {
      if (vector(i) != 7) return false;
    }
    return true;
  }
};

TEUCHOS_UNIT_TEST(ScatterRefusals, numbers) {
  Row row;
  row.table(3, 2) = Row::count;
  TEST_ASSERT(refusalOf([&] {
                Unknowns(row.table, Row::count);
              }).says("CellNumbers: field 2 of cell 3 has the number 8, but it must be below 8"));
  row.table(3, 2) = -5;  // stands for nothing
  TEST_NOTHROW(Unknowns(row.table, Row::count));
  const Kokkos::DynRankView<long, Kokkos::HostSpace> three("three", 2, 3, 4);
  TEST_ASSERT(refusalOf([&] { Unknowns(three, 5); }).says("rank 3, but they must be (C,F)"));
  const Kokkos::DynRankView<long, Kokkos::HostSpace> two("two", 2, 3);
  two(1, 2) = 4294967296 + 1;  // 1 in 32 bits
  TEST_ASSERT(refusalOf([&] {
                Unknowns(two, 5);
              }).says("field 2 of cell 1 has the number 4294967297, but it must be below 5"));
  // What has no sign is not negative.
  const Right<std::uint64_t**> without_sign("without sign", 2, 3);
  without_sign(0, 1) = ~std::uint64_t(0);
  TEST_ASSERT(refusalOf([&] {
                Unknowns(without_sign, 5);
              }).says("field 1 of cell 0 has the number 18446744073709551615"));
  TEST_ASSERT(refusalOf([&] { Unknowns(Right<int**>(nullptr, 2, 3), 5); }).says("data() is null"));
  TEST_ASSERT(refusalOf([&] { Unknowns(two, -1); }).says("-1 unknowns"));
  TEST_ASSERT(refusalOf([&] { Unknowns(two, 3000000000); }).says("0 to 2147483647"));
  TEST_ASSERT(refusalOf([&] {
                row.numbers.cells(2, 7);
              }).says("cells 2 to 7 were asked for, but there are 6"));
  TEST_ASSERT(refusalOf([&] { row.numbers.cells(-1, 2); }).happened);
  TEST_ASSERT(refusalOf([&] { row.numbers.cells(3, 2); }).happened);
  TEST_EQUALITY(row.numbers.cells(2, 5).cells(1, 3).numCells(), 2);
}

TEUCHOS_UNIT_TEST(ScatterRefusals, listsOfCells) {
  const Row row;
  const Right<short*> list("list", 3);
  list(0) = 3, list(1) = 0, list(2) = 3;
  const Unknowns some = row.numbers.cells(1, 5).subset(list);
  TEST_EQUALITY(some.numCells(), 3);
  TEST_EQUALITY(some.count(), std::int64_t(Row::count));
  for (int c = 0; c < 3; ++c) {
    for (int f = 0; f < Row::fields; ++f) TEST_EQUALITY(some.impl().view()(c, f), list(c) + 1 + f);
  }
  TEST_EQUALITY(row.numbers.subset(Right<int*>("none", 0)).numCells(), 0);
  TEST_EQUALITY(Unknowns().subset(Right<int*>("none", 0)).numCells(), 0);
  list(1) = 4;
  TEST_ASSERT(refusalOf([&] {
                row.numbers.cells(1, 5).subset(list);
              }).says("element 1 of a list of cells is none of the 4 cells that there are"));
  list(1) = -1;
  TEST_ASSERT(refusalOf([&] { row.numbers.subset(list); }).says("element 1 of a list of cells"));
  TEST_ASSERT(refusalOf([&] { Unknowns().subset(list); }).says("none of the 0 cells"));
  const Right<const int*> nowhere(nullptr, 3);
  TEST_ASSERT(refusalOf([&] {
                row.numbers.subset(nowhere);
              }).says("elements of a list of cells have no memory"));
  const Kokkos::DynRankView<int, Kokkos::HostSpace> two("two", 2, 2);
  TEST_ASSERT(refusalOf([&] { row.numbers.subset(two); }).says("rank 2, but it must have rank 1"));
}

TEUCHOS_UNIT_TEST(ScatterRefusals, plans) {
  Row row;
  // The graph of fewer cells.
  const Graph smaller(row.numbers.cells(0, 4));
  TEST_ASSERT(refusalOf([&] { Plan(smaller, row.numbers); })
                  .says("ScatterPlan: cell 4 adds to row 4, column 6, which the graph does not "
                        "have"));
  const Right<std::int64_t*> few_rows("few rows", 5);
  TEST_ASSERT(
      refusalOf([&] {
        Plan(few_rows, row.graph.entries, row.numbers, row.numbers);
      }).says("the matrix has 4 rows, but there are 8 unknowns: field 2 of cell 2 adds to row 4"));
  // Unknowns that no cell has are none of its business, but loads and products would have them.
  const Unknowns more(Right<int**>("numbers", 4, 2), Row::count + 1);
  TEST_ASSERT(refusalOf([&] {
                Plan(row.graph, more);
              }).says("the matrix has 8 rows, but there are 9 unknowns"));
  const auto starts = [&](std::size_t n, int start) {
    const Right<int*> changed("starts", row.graph.row_map.extent(0));
    for (std::size_t i = 0; i < changed.extent(0); ++i) changed(i) = int(row.graph.row_map(i));
    changed(n) = start;
    return changed;
  };
  TEST_ASSERT(refusalOf([&] {
                Plan(starts(0, -3), row.graph.entries, row.numbers, row.numbers);
              }).says("row 0 begins at entry -3 and ends before entry 3"));
  TEST_ASSERT(refusalOf([&] {
                Plan(starts(2, 2), row.graph.entries, row.numbers, row.numbers);
              }).says("row 1 begins at entry 3 and ends before entry 2"));
  TEST_ASSERT(refusalOf([&] {
                Plan(Right<int*>(nullptr, Row::count + 1), row.graph.entries, row.numbers,
                     row.numbers);
              }).says("starts of rows have no memory"));
  TEST_ASSERT(refusalOf([&] {
                Plan(row.graph.row_map, Right<int*>(nullptr, row.graph.entries.extent(0)),
                     row.numbers, row.numbers);
              }).says("columns of entries have no memory"));
  TEST_ASSERT(refusalOf([&] {
                Plan::withFixed(row.graph, row.numbers, Right<int*>(nullptr, Row::count));
              }).says("flags have no memory"));
  const Right<int*> few_entries("few entries", 3);
  TEST_ASSERT(refusalOf([&] {
                Plan(row.graph.row_map, few_entries, row.numbers, row.numbers);
              }).says("but there are 3 columns of entries"));
  TEST_ASSERT(refusalOf([&] {
                Plan(row.graph, row.numbers, row.numbers.cells(0, 3));
              }).says("of rows of 6 cells and of columns of 3"));
  TEST_ASSERT(
      refusalOf([&] { Plan(row.graph, row.numbers.cells(1, 3)); }).says("not of a part of them"));
  TEST_ASSERT(refusalOf([&] {
                Graph(row.numbers, row.numbers.cells(0, 3));
              }).says("of rows of 6 cells and of columns of 3"));
  const Right<int*> few_flags("few flags", 3);
  TEST_ASSERT(refusalOf([&] {
                Plan::withFixed(row.graph, row.numbers, few_flags);
              }).says("flags for 3 unknowns, but there are 8"));
}

/// What a plan needs is told where there is not so much memory: more than addresses reach.
TEUCHOS_UNIT_TEST(ScatterRefusals, plansThatDoNotFit) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // these end the program
  const Row row;
  const Right<int**> many("many", 1, 20000000);
  Kokkos::deep_copy(many, -1);
  const Unknowns numbers(many, Row::count);
  TEST_ASSERT(refusalOf([&] { Plan(row.graph, numbers); })
                  .says("ScatterPlan: the places of 400000000000000 entries take 4e+05 GB, and "
                        "there is not so much memory"));
#endif
}

/// Objects of nothing are plans of no cells, for a process that has none.
TEUCHOS_UNIT_TEST(ScatterRefusals, nothing) {
  const Row row;
  const Plan plan(row.graph, Unknowns());
  TEST_EQUALITY(plan.numCells(), 0);
  TEST_EQUALITY(plan.numEntries(), std::int64_t(row.entries.extent(0)));
  TEST_EQUALITY(Plan::withFixed(row.graph, Unknowns(), Right<int*>()).numCells(), 0);
  TEST_EQUALITY(Plan().cells(0, 0).numCells(), 0);
  TEST_EQUALITY(Graph(Unknowns()).row_map.extent(0), 1u);
}

TEUCHOS_UNIT_TEST(ScatterRefusals, outputs) {
  const Row row;
  const auto cells = Kontract::geometry(row.measures);
  const auto refused = [&](const auto& call, const std::string& text) {
    const Refusal refusal = refusalOf(call);
    if (!refusal.says(text)) out << "not \"" << text << "\" but " << refusal.text << "\n";
    TEST_ASSERT(refusal.says(text));
    TEST_ASSERT(row.isUntouched());
  };
  const Right<double*> few("few", 5);
  refused([&] { Integration::matrices(Kontract::scattered(few, row.plan), cells, row.mass()); },
          "matrices: output is (5) but the matrix of the plan has 34 entries");
  refused([&] { Integration::vectors(Kontract::scattered(few, row.numbers), cells, row.load()); },
          "vectors: output is (5) but cells have numbers below 8");
  const Right<double**> two("two", Row::count, 2);
  refused([&] { Integration::vectors(Kontract::scattered(two, row.numbers), cells, row.load()); },
          "output is (8, 2) but it must be of rank 1, or have one column");
  const Right<double**> column("column", 34, 1);
  refused([&] { Integration::matrices(Kontract::scattered(column, row.plan), cells, row.mass()); },
          "output is (34, 1) but it must be the values of a matrix, of rank 1");
  const Right<double**> wide("wide", 34, 2);
  const auto gapped = Kokkos::subview(wide, Kokkos::ALL, 0);
  refused([&] { Integration::matrices(Kontract::scattered(gapped, row.plan), cells, row.mass()); },
          "with gaps");
  refused(
      [&] {
        Integration::matrices(Kontract::scattered(row.entries, row.plan.cells(0, 3)), cells,
                              row.mass());
      },
      "plan of the output is (3, 3, 3) but it must be (6, 3, 3)");
  refused(
      [&] {
        Integration::vectors(Kontract::scattered(row.vector, row.numbers.cells(0, 3)), cells,
                             row.load());
      },
      "numbers of the output is (3, 3) but it must be (6, 3)");
  refused(
      [&] { Integration::matrices(Kontract::scattered(row.entries, Plan()), cells, row.mass()); },
      "plan of the output is (0, 0, 0) but it must be (6, 3, 3)");
  refused(
      [&] {
        Integration::apply(Kontract::scattered(row.vector, row.numbers),
                           Kontract::gathered(row.vector, row.numbers), cells, row.mass());
      },
      "overlaps vector");
  refused(
      [&] {
        Integration::apply(Kontract::scattered(row.vector, row.numbers),
                           Kontract::gathered(few, row.numbers), cells, row.mass());
      },
      "vector is (5) but cells have numbers below 8");
  const Right<double*> x("x", Row::count);
  refused(
      [&] {
        Integration::apply(Kontract::scattered(row.vector, row.numbers),
                           Kontract::gathered(x, row.numbers.cells(0, 3)), cells, row.mass());
      },
      "numbers of the vector is (3, 3) but it must be (6, 3)");
}

TEUCHOS_UNIT_TEST(ScatterRefusals, nodes) {
  const Row row;
  const auto refused = [&](const auto& nodes, const std::string& text) {
    const Refusal refusal = refusalOf([&] {
      Integration::matrices(Kontract::scattered(row.entries, row.plan),
                            Kontract::geometry(nodes, row.gradients, row.weights), row.mass());
    });
    if (!refusal.says(text)) out << "not \"" << text << "\" but " << refusal.text << "\n";
    TEST_ASSERT(refusal.says(text));
    TEST_ASSERT(row.isUntouched());
  };
  const Right<double**> few("few", 4, 1), four("four", Row::count, 4);
  refused(Kontract::gathered(few, row.numbers),
          "coordinates is (4, 1) but cells have numbers below 8");
  refused(Kontract::gathered(four, row.numbers),
          "nodes is (C=6, N=3, D=4): the space dimensions D must agree");
  refused(Kontract::gathered(row.vector, row.numbers), "coordinates is (8) but it must be (N,D)");
  refused(Kontract::gathered(row.coordinates, row.numbers.cells(1, 3)),
          "plan of the output is (6, 3, 3) but it must be (2, 3, 3)");
}

TEUCHOS_UNIT_TEST(ScatterRefusals, options) {
  const Row row;
  const auto cells = Kontract::geometry(row.measures);
  Teuchos::ParameterList list("Kontract");
  list.set("Algorithm", "Flat");
  list.sublist("Launch").set("Scatter", "Colored");
  TEST_ASSERT(refusalOf([&] {
                Integration::matrices(Kontract::scattered(row.entries, row.plan), cells, row.mass(),
                                      list);
              }).says("Register Blocking alone adds by colors"));
  TEST_ASSERT(row.isUntouched());
  list.set("Algorithm", "Register Blocking");
  const std::string text =
      Kontract::explain<Space>("matrices", Kontract::scattered(row.entries, row.plan), cells,
                               row.mass(), list)
          .text();
  TEST_INEQUALITY(text.find("Scatter = Colored"), std::string::npos);
  TEST_ASSERT(row.isUntouched());
  list.sublist("Launch").set("Cells Per Team", 2);
  TEST_ASSERT(refusalOf([&] {
                Integration::matrices(Kontract::scattered(row.entries, row.plan), cells, row.mass(),
                                      list);
              }).says("Cells Per Team does not fit: colors are of blocks of cells"));
  TEST_ASSERT(row.isUntouched());
  list.sublist("Launch").set("Scatter", "By chance");
  TEST_ASSERT(refusalOf([&] { Kontract::Options{list}; }).happened);
}

}  // namespace
}  // namespace KontractTest
