// SPDX-License-Identifier: BSD-3-Clause
//
// Which way Auto takes for products and matrices of tensor-product bases on devices that need not
// be there, and that plans of columns by matrix instructions fit them.

#include <Teuchos_UnitTestHarness.hpp>
#include <cstdlib>
#include <string>
#include <utility>

#include "ChoiceOf.hpp"
#include "H200.hpp"
#include "MI250X.hpp"
#include "detail/algorithms/Kontract_TensorColumnPlan.hpp"
#include "detail/algorithms/Kontract_TensorMatrixPlan.hpp"
#include "detail/problem/Kontract_PlainForm.hpp"

namespace KontractTest {
namespace {

using namespace Kontract::Impl;

/// Diffusion by factors on hexahedra.
Work productOf(int functions, int points, std::int64_t cells) {
  const double N = functions, Q = points, C = double(cells);
  Work work;
  work.is_form = true;
  work.scalar_bytes[0] = 8;
  FormShape& s = work.form.shape;
  s.kind = FormKind::Products;
  s.cells = cells;
  s.lefts = s.rights = functions * functions * functions;
  s.points = points * points * points;
  s.dimension = s.space_dimension = 3;
  s.term_count = 1;
  s.has_tensor_bases_alone = true;
  work.box = {{cells, s.lefts, 1}};
  work.terms = s.points;
  s.flops = work.flops = 12 * C * N * N * N * Q * Q * Q;  // of plain sums
  work.bytes = 8 * C * (2 * N * N * N + 6 * Q * Q * Q);
  work.form.sizes.flops = 4 * C * (2 * N * N * N * Q + 3 * N * N * Q * Q + 3 * N * Q * Q * Q);
  work.form.sizes.cells = cells;
  work.form.sizes.points = s.points;
  ColumnSizes& columns = work.form.columns;
  columns.functions = functions;
  columns.dimension = 3;
  for (int& of : columns.points) of = points;
  columns.first_arrays = 2;
  columns.second_arrays = 3;
  return work;
}

/// Matrices of diffusion on hexahedra, by Jacobians.
Work matricesOf(int functions, int points, std::int64_t cells, bool is_scattered) {
  const double basis = 1;  // planning reads no numbers
  PlainForm<double> form;
  PlainTerm<double> term;
  form.terms = &term;
  form.term_count = 1;
  form.kind = FormKind::Matrices;
  form.cells = cells;
  form.lefts = form.rights = functions * functions * functions;
  form.points = points * points * points;
  form.dimension = form.space_dimension = 3;
  form.has_tensor_bases_alone = form.has_like_tensor_bases = form.has_square_tensor_bases = true;
  form.is_symmetric = form.has_mapping = true;
  form.mapping.is_there = form.weights.is_there = true;
  form.is_scattered = is_scattered;
  form.flops = 6 * double(cells) * double(form.lefts * form.rights * form.points);
  form.bytes = 8 * double(cells) * double(form.lefts * form.rights + 9 * form.points);
  term.left_is_vector = term.right_is_vector = true;
  term.left_pullback = term.right_pullback = Kontract::Pullback::Covariant;
  PlainValues<double>& values = term.left;
  values.directions = 3;
  values.families.count = 1;
  for (int d = 0; d < 3; ++d) {
    values.direction[d].functions = functions;
    values.direction[d].points = points;
    values.direction[d].values = values.direction[d].derivatives = {&basis, points, 1};
    values.families.sign[0][d] = 1;
    values.families.derivative[0][d] = static_cast<signed char>(d);
  }
  term.right = values;
  return workOf(form);
}

std::string chosen(const Work& work, const Machine& machine, bool has_instructions) {
  std::vector<std::string> served{"Flat", "Team Reduction"};
  if (has_instructions) served.push_back("Tensor Core");
  return chosenOf(served, work, machine);
}

TEUCHOS_UNIT_TEST(ColumnChoice, plansFit) {
  const Machine device = h200();
  for (int functions = 2; functions <= max_tensor_column_functions; ++functions) {
    for (int points = functions; points <= functions + 2; ++points) {
      for (const int nodes : {0, 8, 27, -8}) {
        const bool cells_first = nodes < 0;
        Work work = productOf(functions, points, 1000000);
        work.cell_fastest = cells_first;
        work.form.columns.nodes = std::abs(nodes);
        const TensorColumnPlan plan = tensorColumnPlan(work, device);
        TEST_ASSERT(plan.fits && hasTensorColumns(work, device));
        TEST_ASSERT(plan.shared_bytes > 0 && plan.shared_bytes <= device.block_shared_bytes);
        TEST_EQUALITY_CONST(plan.sizes.threads % 32, 0);
        TEST_COMPARE(plan.sizes.threads, <=,
                     TensorColumnSteps::mostThreads(plan.steps.functions, false, 3));
        // Of few cells a block has fewer, so that all multiprocessors have some.
        const TensorColumnPlan of_few = tensorColumnPlan(productOf(functions, points, 200), device);
        TEST_EQUALITY_CONST(of_few.sizes.cells, 1);
      }
    }
  }
}

TEUCHOS_UNIT_TEST(ColumnChoice, rowsSayWhereTheyAre) {
  const int most_cell = ColumnRow::most_cells - 1, most_number = ColumnRow::most_numbers - 1,
            most_place = ColumnRow::most_places - 1;
  for (const int cell : {0, 1, 7, most_cell}) {
    for (const int number : {0, 1, 4095, most_number}) {
      for (const int place : {0, 1, 12345, most_place}) {
        const ColumnRow row = ColumnRow::ofCell(cell, number, place);
        TEST_EQUALITY(row.cell(), cell);
        TEST_EQUALITY(row.number(), number);
        TEST_EQUALITY(row.place(), place);
      }
    }
  }
  for (const int one : {0, 1, 12345, most_place}) {
    for (const int two : {0, 1, 23456, most_place}) {
      const ColumnRow row = ColumnRow::between(one, two);
      TEST_EQUALITY(row.one(), one);
      TEST_EQUALITY(row.two(), two);
    }
  }
  for (const auto& [count, tiled] : {std::pair{0, 0}, {1, 16}, {16, 16}, {17, 32}}) {
    TEST_EQUALITY(ColumnRow::tiled(count), tiled);
  }
  // All fields of the largest bases have a number: three families, of edges or of faces.
  constexpr int most = max_tensor_column_functions;
  static_assert(3 * most * most * most <= ColumnRow::most_numbers);
}

/// The memory that a multiprocessor has for as many blocks as a plan shall leave room for.
bool hasRoomFor(int blocks, const TensorColumnPlan& plan, const Machine& machine) {
  constexpr std::int64_t kept = 1024;  // by the device, of each block
  return blocks * (plan.shared_bytes + kept) <= machine.block_shared_bytes + kept;
}

// A block that would be alone leaves room for others where half its cells do; where neighbours in
// memory are cells, two blocks share the threads that have registers.
TEUCHOS_UNIT_TEST(ColumnChoice, blocksShareAMultiprocessor) {
  const Machine machine = h200();
  constexpr std::int64_t cells = 1000000;
  Work work = productOf(7, 8, cells);
  ColumnSizes& columns = work.form.columns;
  columns.is_coupled = true;
  columns.families = 3, columns.first_arrays = 6, columns.second_arrays = 9;
  const TensorColumnPlan elastic = tensorColumnPlan(columns, false, cells, 8, false, machine);
  TEST_ASSERT(elastic.fits && hasRoomFor(3, elastic, machine));
  int shared = 0;
  for (int functions = 2; functions <= max_tensor_column_functions; ++functions) {
    ColumnSizes sizes = productOf(functions, functions + 1, cells).form.columns;  // of curls
    sizes.has_families = true;
    sizes.families = 3, sizes.first_arrays = sizes.second_arrays = 6;
    const TensorColumnPlan plan = tensorColumnPlan(sizes, false, cells, 8, true, machine);
    const int most = TensorColumnSteps::mostThreads(plan.steps.functions, true, 6);
    if (!plan.fits || hasRoomFor(3, plan, machine)) continue;
    const bool are_two = hasRoomFor(2, plan, machine);
    shared += are_two ? 1 : 0;
    TEST_EQUALITY(plan.sizes.threads, are_two ? most / 64 * 32 : most);
    // Of few cells there is one block for each multiprocessor, with all threads.
    const std::int64_t few = std::int64_t(plan.sizes.cells) * machine.multiprocessors;
    const TensorColumnPlan of_few = tensorColumnPlan(sizes, false, few, 8, true, machine);
    TEST_EQUALITY(of_few.sizes.cells, plan.sizes.cells);
    TEST_EQUALITY(of_few.sizes.threads, most);
  }
  TEST_COMPARE(shared, >, 0);
}

// Rows and places of all cells of a block are below what a row can say, whatever memory there is.
TEUCHOS_UNIT_TEST(ColumnChoice, blocksOfVastMemory) {
  Machine vast = h200();
  vast.block_shared_bytes = std::int64_t(1) << 30;
  for (int functions = 2; functions <= max_tensor_column_functions; ++functions) {
    const TensorColumnPlan plan =
        tensorColumnPlan(productOf(functions, functions + 1, 1000000), vast);
    TEST_ASSERT(plan.fits);
    TEST_COMPARE(plan.sizes.cells, <=, ColumnRow::most_cells);
    TEST_COMPARE(plan.shared_bytes, <=, 8 * ColumnRow::most_places);
  }
}

/// Whether kernels of matrices that know their sizes take the memory that is planned for any sizes.
template <int N, int Q, bool cells_first>
bool takesWhatIsPlanned() {
  using namespace Kontract::Impl;
  AnyMatrixSizes any;
  any.functions_in = N;
  for (int d = 0; d < 3; ++d) any.points_in[d] = Q;
  any.tables_in = 2;
  any.numbers_in = 6;
  any.couplings_in = 9;
  any.groups_in = 4;
  any.nodes_in = 8;
  any.starts_in = N * N * N;
  any.block = TensorMatrixBlock::usual(N, true, cells_first);
  any.divide();
  const TensorMatrixLayout<KnownMatrixSizes<N, Q, cells_first>> known(any);
  const TensorMatrixLayout<AnyMatrixSizes> planned(any);
  return known.bytes(8) == planned.bytes(8) && known.bytes(4) == planned.bytes(4);
}
template <int N>
bool takeWhatIsPlanned() {
  return takesWhatIsPlanned<N, N, false>() && takesWhatIsPlanned<N, N + 1, false>() &&
         takesWhatIsPlanned<N, N, true>() && takesWhatIsPlanned<N, N + 1, true>();
}

TEUCHOS_UNIT_TEST(ColumnChoice, knownMatricesTakeWhatIsPlanned) {
  TEST_ASSERT(takeWhatIsPlanned<2>() && takeWhatIsPlanned<3>() && takeWhatIsPlanned<4>());
  TEST_ASSERT(takeWhatIsPlanned<5>() && takeWhatIsPlanned<6>() && takeWhatIsPlanned<7>());
  TEST_ASSERT(takeWhatIsPlanned<8>() && takeWhatIsPlanned<9>());
}

TEUCHOS_UNIT_TEST(ColumnChoice, columnsThatDoNotFit) {
  Machine small = h200();
  small.block_shared_bytes = 48 << 10;
  TEST_ASSERT(!hasTensorColumns(productOf(12, 14, 1000), small));
  TEST_ASSERT(hasTensorColumns(productOf(12, 14, 1000), h200()));
  TEST_ASSERT(!hasTensorColumns(productOf(2, 17, 1000), h200()));
  TEST_ASSERT(hasTensorColumns(productOf(2, 16, 1000), h200()));
  Work none = productOf(3, 4, 1000);
  none.form.columns = {};
  TEST_ASSERT(!hasTensorColumns(none, h200()));
}

TEUCHOS_UNIT_TEST(ColumnChoice, matrixInstructionsWhereTheyAreFast) {
  for (int functions = 2; functions <= 9; ++functions) {
    const Work work = productOf(functions, functions + 1, 10000000 / (functions * functions));
    TEST_EQUALITY(chosen(work, h200(), true), "Tensor Core");
    Machine old = h200();
    old.compute_capability = 80;
    TEST_EQUALITY(chosen(work, old, true), "Tensor Core");
    if (functions > 8) continue;  // there columns of that order do not fit
    // Double precision is for completeness there.
    old.compute_capability = 89;
    TEST_EQUALITY(chosen(work, old, true), "Team Reduction");
    old.compute_capability = 70;
    TEST_EQUALITY(chosen(work, old, false), "Team Reduction");
    TEST_EQUALITY(chosen(work, mi250x(), false), "Team Reduction");
  }
}

/// Where neighbours in memory are cells.
TEUCHOS_UNIT_TEST(ColumnChoice, matricesOfNeighbouringCells) {
  for (int functions = 2; functions <= 9; ++functions) {
    Work work = matricesOf(functions, functions + 1, 2000000 / (1 << (2 * functions - 4)), false);
    work.form.shape.cell_fastest = true;
    TEST_EQUALITY(chosen(work, h200(), true), "Tensor Core");
  }
}

/// Of few fields a thread has a cell, if it knows its nodes.
TEUCHOS_UNIT_TEST(ColumnChoice, matricesOfFewFields) {
  Work of_few = matricesOf(2, 3, 1000000, true);
  of_few.form.shape.nodes = 8;
  TEST_EQUALITY(chosenOf({"Register Blocking", "Tensor Core"}, of_few, h200()),
                "Register Blocking");
}

/// Nanoseconds a cell as measured on an H100; copying is half as fast again on an H200.
TEUCHOS_UNIT_TEST(ColumnChoice, matricesByInstructions) {
  const struct {
    int functions;
    double into_arrays, into_a_matrix;
  } measured[] = {{2, 1.5, 2.8}, {3, 6.9, 13.6}, {4, 22, 68}, {5, 89, 306}, {6, 267, 958}};
  for (const auto& row : measured) {
    for (const bool is_scattered : {false, true}) {
      constexpr std::int64_t cells = 100000;
      const Work work = matricesOf(row.functions, row.functions + 1, cells, is_scattered);
      TEST_EQUALITY(chosen(work, h200(), true), "Tensor Core");
      const double seconds = 1e-9 * (is_scattered ? row.into_a_matrix : row.into_arrays);
      const double ratio = secondsOfTensorMatrices(work, h200()) / (seconds * double(cells));
      out << row.functions << (is_scattered ? " scattered: " : ": ") << ratio << '\n';
      TEST_ASSERT(ratio > 0.5 && ratio < 1.5);
    }
  }
}

/// Geometry from nodes takes as long for each vector, and for each node.
TEUCHOS_UNIT_TEST(ColumnChoice, geometryCounts) {
  const auto seconds = [](int nodes, int vectors) {
    Work work = productOf(3, 4, 1000000);
    work.form.shape.nodes = work.form.columns.nodes = nodes;
    work.form.shape.vectors = vectors;
    return secondsOfTensorColumns(work, h200());
  };
  TEST_COMPARE(seconds(8, 4), >, 3.5 * seconds(8, 1));
  TEST_COMPARE(seconds(27, 1), >, 3 * seconds(8, 1));
  TEST_COMPARE(seconds(8, 1), >, seconds(0, 1));
}

}  // namespace
}  // namespace KontractTest
