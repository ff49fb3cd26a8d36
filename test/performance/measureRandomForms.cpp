// SPDX-License-Identifier: BSD-3-Clause
//
// Times element matrices, loads and products with vectors of random elements, points, forms,
// coefficients and geometry, from arrays of reference values, in Kokkos' default execution space:
// by what Auto takes, as a share of copying what must move, and by each algorithm that serves, with
// what was expected and the largest difference from Flat. Usage: Kontract_measureRandomForms [cases
// = 40] [bytes per case = 1e9] [seconds per entry = 0.02] [first seed = 1] [vectors: loads and
// products alone; matrices: those alone]

#include <Kokkos_Core.hpp>
#include <Teuchos_ParameterList.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "Chance.hpp"
#include "CopyRate.hpp"
#include "Distribution.hpp"
#include "KeepLargest.hpp"
#include "Kontract.hpp"
#include "LargestDifference.hpp"
#include "MedianSeconds.hpp"

namespace KontractTest {

using Space = Kokkos::DefaultExecutionSpace;
using Kontract::Form;
using Kontract::FunctionSpace;

double bytes_each = 1e9, least_seconds = 0.02;
bool are_vectors_alone = false, are_matrices_alone = false;
double copied_per_second = 0;  ///< bytes

struct Element {
  const char* name;
  int dimension, fields, nodes;
  std::vector<int> points;
};
const Element elements[] = {{"triangle 1", 2, 3, 3, {1, 3, 4}},
                            {"triangle 2", 2, 6, 3, {3, 6, 7}},
                            {"triangle 3", 2, 10, 3, {6, 12}},
                            {"quadrilateral 1", 2, 4, 4, {4, 9}},
                            {"quadrilateral 2", 2, 9, 4, {9, 16}},
                            {"tetrahedron 1", 3, 4, 4, {1, 4, 5}},
                            {"tetrahedron 2", 3, 10, 4, {4, 11, 15}},
                            {"tetrahedron 3", 3, 20, 4, {11, 24, 31}},
                            {"wedge 1", 3, 6, 6, {6, 8}},
                            {"wedge 2", 3, 18, 6, {18, 21}},
                            {"hexahedron 1", 3, 8, 8, {8, 27}},
                            {"hexahedron serendipity", 3, 20, 8, {27}},
                            {"hexahedron 2", 3, 27, 8, {27, 64}}};
enum class Kind { Mass, Reaction, GradGrad, Diffusion, Anisotropic, Advection, Two, Load, Count };
const char* const names_of_kinds[] = {"mass",        "a mass",    "grad-grad",   "a grad-grad",
                                      "A grad-grad", "advection", "a grad+mass", "load"};
enum class Cells { Affine, Jacobians, Nodes };

struct Case {
  Element element;
  int points;
  Kind kind;
  Cells cells;
  bool is_product;  ///< with a vector, instead of matrices
};
Case drawCase(unsigned seed) {
  Chance chance(seed);
  Case of;
  of.element = elements[chance.draw(0, std::int64_t(std::size(elements)) - 1)];
  const auto& points = of.element.points;
  of.points = points[std::size_t(chance.draw(0, std::int64_t(points.size()) - 1))];
  of.kind = Kind(chance.draw(0, int(are_matrices_alone ? Kind::Load : Kind::Count) - 1));
  of.cells = Cells(chance.draw(0, 2));
  of.is_product = of.kind != Kind::Load && !are_matrices_alone &&
                  (chance.draw(0, 2) == 0 || are_vectors_alone);
  return of;
}

template <class Layout>
using ArrayIn = Kokkos::DynRankView<double, Layout, Kokkos::Device<Space, Space::memory_space>>;

/// Numbers around one that is given, which differ.
template <class Array>
void fill(const Array& array, double at, double by) {
  double* const data = array.data();
  Kokkos::parallel_for(
      "fill", Kokkos::RangePolicy<Space>(0, std::int64_t(array.size())),
      KOKKOS_LAMBDA(std::int64_t i) {
        data[i] = at + by * (double(i * 7919 % 1009) / 1009 - 0.5);
      });
}
/// Adds one to the diagonals of Jacobians (C,P,D,D).
template <class Array>
void addIdentityToJacobians(const Array& array) {
  const int points = int(array.extent(1)), D = int(array.extent(2));
  Kokkos::parallel_for(
      "identity", Kokkos::RangePolicy<Space>(0, std::int64_t(array.extent(0)) * points),
      KOKKOS_LAMBDA(std::int64_t i) {
        for (int d = 0; d < D; ++d) array(i / points, i % points, d, d) += 1;
      });
}
/// The same for the first nodes (C,N,D) of cells, which then have about the reference vectors.
template <class Array>
void addIdentityToNodes(const Array& array) {
  const int D = int(array.extent(2));
  Kokkos::parallel_for(
      "identity", Kokkos::RangePolicy<Space>(0, std::int64_t(array.extent(0))),
      KOKKOS_LAMBDA(std::int64_t c) {
        for (int d = 0; d < D; ++d) array(c, d, d) += 1;
      });
}
/// The same for the gradients (N,P,D) of nodes' functions.
template <class Array>
void addIdentityToGradients(const Array& array) {
  const int D = int(array.extent(2));
  Kokkos::parallel_for(
      "identity", Kokkos::RangePolicy<Space>(0, std::int64_t(array.extent(1))),
      KOKKOS_LAMBDA(std::int64_t p) {
        for (int d = 0; d < D; ++d) array(d, p, d) += 1;
      });
}

/// What a case came to.
struct Result {
  double share = 0;       ///< of copying, of what Auto takes
  double of_fastest = 1;  ///< the time of the fastest algorithm over Auto's
};

template <class Layout>
class Timing {
 public:
  explicit Timing(const Case& given) : of(given) {
    const int D = of.element.dimension, F = of.element.fields, N = of.element.nodes, P = of.points;
    const bool are_vectors = of.kind == Kind::Load || of.is_product;
    const int coefficients = of.kind == Kind::Anisotropic                         ? P * D * D
                             : of.kind == Kind::Advection                         ? P * D
                             : of.kind == Kind::Mass || of.kind == Kind::GradGrad ? 0
                                                                                  : P;
    const int of_geometry = of.cells == Cells::Nodes    ? N * D
                            : of.cells == Cells::Affine ? D * D
                                                        : P * D * D;
    bytes_of_cell =
        8.0 * (coefficients + of_geometry + (are_vectors ? F : F * F) + (of.is_product ? F : 0));
    // An odd number, which suits no vector and no warp.
    cells = std::max<std::int64_t>(8, std::int64_t(bytes_each / bytes_of_cell)) | 1;
    const auto make = [](auto... extents) {
      return ArrayIn<Layout>("array", std::size_t(extents)...);
    };
    values = make(F, P), gradients = make(F, P, D), weights = make(P);
    for (const auto& array : {values, gradients, weights}) fill(array, 0.3, 0.5);
    if (of.cells == Cells::Nodes) {
      nodes = make(cells, N, D), node_gradients = make(N, P, D);
      fill(nodes, 0, 0.1), fill(node_gradients, 0, 0.1);
      addIdentityToNodes(nodes);
      addIdentityToGradients(node_gradients);
    } else {
      jacobians = make(cells, of.cells == Cells::Affine ? 1 : P, D, D);
      fill(jacobians, 0, 0.1);
      addIdentityToJacobians(jacobians);
    }
    if (of.kind == Kind::Anisotropic) coefficient = make(cells, P, D, D);
    if (of.kind == Kind::Advection) coefficient = make(cells, P, D);
    if (coefficients == P) coefficient = make(cells, P);
    if (coefficients > 0) fill(coefficient, 1, 0.5);
    output = are_vectors ? make(cells, F) : make(cells, F, F);
    expected = are_vectors ? make(cells, F) : make(cells, F, F);
    if (of.is_product) {
      vector = make(cells, F);
      fill(vector, 0, 1);
    }
  }

  Result run() {
    std::printf("%-22s P %2d %-11s %-7s %-9s %s", of.element.name, of.points,
                names_of_kinds[int(of.kind)], of.is_product ? "product" : "",
                of.cells == Cells::Affine      ? "affine"
                : of.cells == Cells::Jacobians ? "Jacobians"
                                               : "nodes",
                std::is_same_v<Layout, Kokkos::LayoutLeft> ? "Left " : "Right");
    withOptions("Flat", expected);
    double fastest = 1e300;
    std::string times;
    for (const std::string algorithm :
         {"Flat", "Team Reduction", "Tensor Core", "Register Blocking", "Tiling"}) {
      const double seconds = timed(algorithm);
      if (!(seconds > 0)) continue;
      fastest = std::min(fastest, seconds);
      char text[80];
      std::snprintf(text, sizeof text, "  %s %.3g (%.3g)", algorithm.c_str(),
                    seconds / double(cells) * 1e9,
                    Kontract::explain().expected_seconds / double(cells) * 1e9);
      times += text;
    }
    const double seconds = timed("Auto");
    Result result;
    result.share = bytes_of_cell * double(cells) / copied_per_second / seconds;
    result.of_fastest = fastest / seconds;
    std::printf("  %9.3f ns a cell, of copying %.2f, fastest/Auto %.2f %.0e |%s\n",
                seconds / double(cells) * 1e9, result.share, result.of_fastest, difference,
                times.c_str());
    std::fflush(stdout);
    return result;
  }

 private:
  /// \return seconds; 0 if the algorithm does not serve this
  double timed(const std::string& algorithm) {
    try {
      Kokkos::deep_copy(output, std::numeric_limits<double>::quiet_NaN());
      withOptions(algorithm, output);
    } catch (const std::invalid_argument&) {
      return 0;
    }
    const double its =
        largestDifference<Space>(output.data(), expected.data(), std::int64_t(output.size()));
    keepLargest(difference, its);
    return medianSeconds<Space>([&] { withOptions(algorithm, output); }, least_seconds);
  }
  void withOptions(const std::string& algorithm, const ArrayIn<Layout>& to) {
    Teuchos::ParameterList list("Kontract");
    list.set("Algorithm", algorithm);
    const Kontract::Options options(list);
    if (of.cells == Cells::Nodes) {
      call(to, Kontract::geometry(nodes, node_gradients, weights), options);
    } else {
      call(to, Kontract::geometry(jacobians, weights), options);
    }
  }
  template <class Geometry>
  void call(const ArrayIn<Layout>& to, const Geometry& cells_of, const Kontract::Options& options) {
    using Integration = Kontract::Integration<typename ArrayIn<Layout>::device_type>;
    using Kontract::term;
    const Form mass = Form::mass(FunctionSpace::HGRAD);
    const auto matrices = [&](const auto&... terms) {
      if (of.is_product) {
        Integration::apply(to, vector, cells_of, terms..., options);
      } else {
        Integration::matrices(to, cells_of, terms..., options);
      }
    };
    switch (of.kind) {
      case Kind::Mass: return matrices(term(mass, values, values));
      case Kind::Reaction: return matrices(term(mass, values, values, coefficient));
      case Kind::GradGrad: return matrices(term(Form::gradGrad(), gradients, gradients));
      case Kind::Diffusion:
      case Kind::Anisotropic:
        return matrices(term(Form::gradGrad(), gradients, gradients, coefficient));
      case Kind::Advection:
        return matrices(term(Form::advection(), values, gradients, coefficient));
      case Kind::Two:
        return matrices(term(Form::gradGrad(), gradients, gradients, coefficient),
                        term(mass, values, values));
      default:
        Integration::vectors(
            to, cells_of, Kontract::load(Form::source(FunctionSpace::HGRAD), values, coefficient),
            options);
    }
  }

  Case of;
  std::int64_t cells = 0;
  double bytes_of_cell = 0, difference = 0;
  ArrayIn<Layout> values, gradients, weights, nodes, node_gradients, jacobians, coefficient, vector,
      output, expected;
};

void run(int cases, unsigned first_seed) {
  copied_per_second = copyRate<Space>(std::size_t(bytes_each / 16), least_seconds);
  std::printf("%s, copying %.3g bytes/s\n", Space::name(), copied_per_second);
  std::vector<double> shares[2], of_fastest;
  for (int i = 0; i < cases; ++i) {
    const Case of = drawCase(first_seed + unsigned(i));
    const Result results[] = {Timing<Kokkos::LayoutRight>(of).run(),
                              Timing<Kokkos::LayoutLeft>(of).run()};
    for (int n = 0; n < 2; ++n) {
      shares[n].push_back(results[n].share);
      of_fastest.push_back(results[n].of_fastest);
    }
  }
  sayDistribution("LayoutRight, share of copying", shares[0]);
  sayDistribution("LayoutLeft, share of copying", shares[1]);
  sayDistribution("the fastest algorithm's time over Auto's", of_fastest);
}

}  // namespace KontractTest

int main(int argc, char* argv[]) {
  const Kokkos::ScopeGuard guard(argc, argv);
  if (argc > 2) KontractTest::bytes_each = std::atof(argv[2]);
  if (argc > 3) KontractTest::least_seconds = std::atof(argv[3]);
  KontractTest::are_vectors_alone = argc > 5 && std::string(argv[5]) == "vectors";
  KontractTest::are_matrices_alone = argc > 5 && std::string(argv[5]) == "matrices";
  KontractTest::run(argc > 1 ? std::atoi(argv[1]) : 40,
                    argc > 4 ? unsigned(std::atoi(argv[4])) : 1u);
  return 0;
}
