// SPDX-License-Identifier: BSD-3-Clause
//
// Times what devices have for Fads of double, whatever their type, in Kokkos' default execution
// space: contractions and products at points of shapes by chance, as shares of what memory allows.
// Beside contractions stand matrix instructions, what is expected to be faster, and a thread for
// each output, as Flat has it, and the largest difference from that. Usage: Kontract_measureFads
// [shapes = 14] [bytes per case = 1e9] [seconds per entry = 0.05]

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <vector>

#include "CopyRate.hpp"
#include "Distribution.hpp"
#include "KeepLargest.hpp"
#include "LargestDifference.hpp"
#include "MedianSeconds.hpp"
#include "detail/algorithms/Kontract_DeviceFads.hpp"
#include "detail/algorithms/Kontract_TensorCore.hpp"

namespace KontractTest {

using namespace Kontract::Impl;
using std::int64_t;
using Space = Kokkos::DefaultExecutionSpace;
using Scalars = Kokkos::View<double*, Space>;

double bytes_each = 1e9, least_seconds = 0.05;
double copied_per_second = 0;  ///< bytes

template <class Call>
double secondsOf(const Call& call) {
  return medianSeconds<Space>(call, least_seconds);
}

Scalars filled(int64_t size) {
  const Scalars scalars("scalars", std::size_t(size));
  Kokkos::parallel_for(
      "fill", Kokkos::RangePolicy<Space>(0, size),
      KOKKOS_LAMBDA(int64_t i) { scalars(i) = 0.5 + double(i % 1000) / 1000; });
  return scalars;
}

/// Where Sacado keeps Fads: derivatives side by side, in either layout; or far apart.
enum class Memory { Right, Left, FarApart };
const char* nameOf(Memory memory) {
  return memory == Memory::Right ? "Right" : memory == Memory::Left ? "Left" : "far apart";
}

/// An array of Fads with these extents.
struct Fads {
  Fads(const std::vector<int64_t>& extents, int64_t derivatives, Memory memory)
      : count(derivatives), steps(extents.size()) {
    int64_t size = 1;
    const int n = int(extents.size());
    const int64_t each = memory == Memory::FarApart ? 1 : count + 1;
    for (int i = 0; i < n; ++i) {
      const auto at = std::size_t(memory == Memory::Right ? n - 1 - i : i);
      steps[at] = size * each;
      size *= extents[at];
    }
    stride = memory == Memory::FarApart ? size : 1;
    scalars = filled(size * (count + 1));
  }
  FadArray<double> output() const { return {scalars.data(), count * stride, count, stride}; }
  FadArray<const double> input() const { return {scalars.data(), count * stride, count, stride}; }
  double bytes() const { return 8.0 * double(scalars.size()); }

  int64_t count, stride;
  std::vector<int64_t> steps;
  Scalars scalars;
};

/// A thread for each output.
struct EachOutput {
  FadProblem<ContractionShape, double> problem;
  KOKKOS_FUNCTION void operator()(int64_t i) const {
    const ContractionShape& shape = problem.shape;
    const bool is_cell_fastest = shape.out_cell < shape.out_right;
    const int64_t inner = is_cell_fastest ? shape.cells : shape.rights;
    const int64_t first = i % inner, rest = i / inner;
    const int64_t l = rest % shape.lefts, last = rest / shape.lefts;
    contractFad(problem, is_cell_fastest ? first : last, l, is_cell_fastest ? last : first);
  }
};

double differenceOf(const Fads& a, const Fads& b) {
  return largestDifference<Space>(a.scalars.data(), b.scalars.data(),
                                  std::int64_t(a.scalars.size()));
}

struct Factors {
  bool left, right;  ///< have derivatives
};

/// Fields with fields. \return the share of what memory allows, of the faster kernel by expectation
double contraction(int64_t lefts, int64_t rights, int64_t terms, int64_t n, const Factors& factors,
                   Memory memory) {
  const double each = 8.0 * double(n + 1) * double((lefts + rights) * terms + 2 * lefts * rights);
  // A multiple of 32, as worksets are.
  const int64_t cells = std::max<int64_t>(64, int64_t(bytes_each / each) / 32 * 32);
  const Fads left({cells, lefts, terms}, factors.left ? n : 0, memory);
  const Fads right({cells, rights, terms}, factors.right ? n : 0, memory);
  const Fads out({cells, lefts, rights}, n, memory), other({cells, lefts, rights}, n, memory);
  ContractionShape s;
  s.cells = cells, s.lefts = lefts, s.rights = rights;
  s.sum[2] = {terms, left.steps[2], right.steps[2]};
  s.out_cell = out.steps[0], s.out_left = out.steps[1], s.out_right = out.steps[2];
  s.left_cell = left.steps[0], s.left_field = left.steps[1];
  s.right_cell = right.steps[0], s.right_field = right.steps[1];
  const FadProblem<ContractionShape, double> problem{s, out.output(), left.input(), right.input()};
  const Work work = workOf(problem);
  const Machine machine = machineOf(Space());
  const auto choice = DeviceFads::choose(work, machine);
  Kokkos::deep_copy(out.scalars, std::numeric_limits<double>::quiet_NaN());
  const double ours =
      secondsOf([&] { runFadContraction(Space(), problem, choice.place, "tiles"); });
  const double plain = secondsOf([&] {
    launch(Space(), "each output", cells * lefts * rights,
           EachOutput{{s, other.output(), left.input(), right.input()}});
  });
  double difference = differenceOf(out, other);
  const auto shareOf = [&](double seconds) {
    return (left.bytes() + right.bytes() + out.bytes()) / copied_per_second / seconds;
  };
  double share = shareOf(ours), share_of_instructions = 0;
  const Plan<TensorCore::Settings> plan;
  if (TensorCore::whyNot(work, machine, plan).empty()) {
    Kokkos::deep_copy(out.scalars, std::numeric_limits<double>::quiet_NaN());
    const double seconds =
        secondsOf([&] { TensorCore::run(Space(), problem, plan, "instructions"); });
    share_of_instructions = shareOf(seconds);
    if (TensorCore::estimate(work, machine) < DeviceFads::seconds(work, machine)) {
      share = share_of_instructions;
    }
    const double its = differenceOf(out, other);
    keepLargest(difference, its);
  }
  const auto& tile = DeviceFads::tiles[choice.place];
  std::printf(
      "%3dx%3dx%3d %3d %-4s x %-6s %-9s %9.3f ns a cell %5.2f %5.2f %5.2f %7.1f x %4.2f  %dx%d "
      "%.0e\n",
      int(lefts), int(rights), int(terms), int(n), factors.left ? "Fad" : "real",
      factors.right ? "Fad" : "real", nameOf(memory), ours / double(cells) * 1e9, shareOf(ours),
      share_of_instructions, share, plain / ours, (choice.seconds + machine.launch_seconds) / ours,
      tile.lefts, tile.rights, difference);
  std::fflush(stdout);
  return share;
}

/// A thread for each field at each point.
struct EachPlace {
  FadProblem<PointwiseShape, double> problem;
  KOKKOS_FUNCTION void operator()(int64_t i) const {
    const PointwiseShape& shape = problem.shape;
    const int64_t p = i % shape.points, f = i / shape.points % shape.fields;
    const int64_t c = i / shape.points / shape.fields;
    const auto placeIn = [&](const PointwiseShape::Strides& array) {
      return c * array.cell + f * array.field + p * array.point;
    };
    multiplyFads(problem, RunOfPlaces{1, placeIn(shape.out), placeIn(shape.left),
                                      placeIn(shape.right), 0, 0, 0});
  }
};

/// Products of data and fields at points.
enum class Product { Scalars, Multiples, Dot, MatrixVector, MatrixMatrix, Outer };
constexpr int products_in_all = 6;
const char* nameOf(Product product) {
  const char* const names[] = {"scalars",       "multiples",     "dot",
                               "matrix-vector", "matrix-matrix", "outer"};
  return names[int(product)];
}

/// \return the share of what memory allows
double products(Product product, int64_t fields, int64_t points, int64_t d, int64_t n,
                const Factors& factors, Memory memory) {
  const bool is_outer = product == Product::Outer, is_dot = product == Product::Dot;
  const bool has_matrix = product == Product::MatrixVector || product == Product::MatrixMatrix;
  const int64_t of_left = has_matrix || is_outer || is_dot ? d : 1;
  const int64_t of_right = product == Product::Scalars ? 1 : d;
  const int64_t columns = product == Product::MatrixMatrix || is_outer ? d : 1;
  const int64_t right_columns = product == Product::MatrixMatrix ? d : 1;
  const int64_t rows = is_dot ? 1 : of_right;
  const int64_t each =
      fields * (of_right * right_columns + rows * columns) + of_left * (has_matrix ? d : 1);
  const int64_t cells = int64_t(bytes_each / (8.0 * double((n + 1) * points * each)));
  const Fads left({cells, points, of_left, has_matrix ? d : 1}, factors.left ? n : 0, memory);
  const Fads right({cells, fields, points, of_right, right_columns}, factors.right ? n : 0, memory);
  const Fads out({cells, fields, points, rows, columns}, n, memory);
  const Fads other({cells, fields, points, rows, columns}, n, memory);
  PointwiseShape s;
  s.cells = cells, s.fields = fields, s.points = points, s.rows = rows, s.columns = columns;
  s.out = {out.steps[0], out.steps[1], out.steps[2], out.steps[3], out.steps[4]};
  s.left = {left.steps[0], 0, left.steps[1], 0, 0};
  s.right = {right.steps[0], right.steps[1], right.steps[2], 0, 0};
  if (has_matrix) {
    s.left.row = left.steps[2];
    s.right.column = columns > 1 ? right.steps[4] : 0;
    s.sum[0] = {d, left.steps[3], right.steps[3]};
  } else if (is_dot) {
    s.sum[0] = {d, left.steps[2], right.steps[3]};
  } else if (is_outer) {
    s.left.row = left.steps[2];
    s.right.column = right.steps[3];
  } else {
    s.right.row = right.steps[3];
  }
  const FadProblem<PointwiseShape, double> problem{s, out.output(), left.input(), right.input()};
  Kokkos::deep_copy(out.scalars, std::numeric_limits<double>::quiet_NaN());
  const double seconds = secondsOf([&] { runFadElements(Space(), problem, "elements"); });
  launch(Space(), "each place", cells * fields * points,
         EachPlace{{s, other.output(), left.input(), right.input()}});
  const double share = (left.bytes() + right.bytes() + out.bytes()) / copied_per_second / seconds;
  std::printf("%3dx%3d, %-13s in %dD %3d %-4s x %-6s %-9s %5.2f %.0e\n", int(fields), int(points),
              nameOf(product), int(d), int(n), factors.left ? "Fad" : "real",
              factors.right ? "Fad" : "real", nameOf(memory), share, differenceOf(out, other));
  std::fflush(stdout);
  return share;
}

void run(int shapes) {
  copied_per_second = copyRate<Space>(std::size_t(bytes_each / 16), least_seconds);
  std::printf("%s, copying %.3g bytes/s\n", Space::name(), copied_per_second);
  std::printf(
      "shape, derivatives, factors, layout; share of copying of tiles, of matrix instructions, and "
      "of "
      "what is expected to be faster; tiles faster than a thread for each output; expected time; "
      "tile; largest difference\n");
  const Memory memories[] = {Memory::Right, Memory::Left, Memory::FarApart};
  const Factors all_factors[] = {{true, false}, {false, true}, {true, true}};
  std::mt19937 random(1);
  const auto draw = [&](int first, int last) {
    return int64_t(std::uniform_int_distribution<int>(first, last)(random));
  };
  std::vector<double> shares[3];
  for (int i = 0; i < shapes; ++i) {
    const int64_t lefts = draw(1, 27), rights = draw(1, 27), terms = draw(1, 81);
    for (int n = 0; n < 3; ++n) {
      shares[n].push_back(
          contraction(lefts, rights, terms, i % 2 == 0 ? 8 : 24, all_factors[i % 3], memories[n]));
    }
  }
  std::vector<double> of_products[3];
  for (int i = 0; i < shapes; ++i) {
    const auto product = Product(draw(0, products_in_all - 1));
    const int64_t fields = draw(1, 27), points = draw(1, 64), d = draw(2, 3);
    for (int n = 0; n < 3; ++n) {
      of_products[n].push_back(products(product, fields, points, d, i % 2 == 0 ? 8 : 24,
                                        all_factors[i % 3], memories[n]));
    }
  }
  for (int n = 0; n < 3; ++n)
    sayDistribution(std::string("share of copying, contractions, ") + nameOf(memories[n]),
                    shares[n]);
  for (int n = 0; n < 3; ++n)
    sayDistribution(std::string("share of copying, products, ") + nameOf(memories[n]),
                    of_products[n]);
}

}  // namespace KontractTest

int main(int argc, char* argv[]) {
  const Kokkos::ScopeGuard guard(argc, argv);
  if (argc > 2) KontractTest::bytes_each = std::atof(argv[2]);
  if (argc > 3) KontractTest::least_seconds = std::atof(argv[3]);
  KontractTest::run(argc > 1 ? std::atoi(argv[1]) : 14);
  return 0;
}
