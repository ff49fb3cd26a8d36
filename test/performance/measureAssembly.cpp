// SPDX-License-Identifier: BSD-3-Clause
//
// Times assemblies of diffusion with a coefficient at each point, from the nodes to the values of a
// matrix in compressed rows, the load vector and the product with a vector, on the default
// execution space: by each algorithm that serves them, beside the time that memory takes to read
// and write the values of the matrix once, or the vectors, at the speed of copying. Fails where
// sums of rows, symmetry or norms are wrong. Cells are those of a deformed cube. The same with
// orientations that exchange fields, adding element matrices that are there, and the diagonal
// without a matrix. Usage: Kontract_measureAssembly [million cells = 0.1] [seconds per entry = 0.3] [cells = all to hex4, or
// one of tet1, tet2, hex1 to hex6] [algorithm = each] [Scatter = Auto]

#include <Kokkos_Core.hpp>
#include <Teuchos_ParameterList.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "CubeMesh.hpp"
#include "Kontract_CellOrientations.hpp"
#include "Kontract_ElementScatter.hpp"

namespace {

using namespace KontractTest;

double million_cells = 0.1;
double least_seconds = 0.3;
std::string wanted_algorithm = "each", scatter = "Auto";
int mistakes = 0;

/// What stands at the end of a line, which the program's status reports, too.
const char* verdict(bool is_right) {
  if (!is_right) ++mistakes;
  return is_right ? "" : "  WRONG";
}

double secondsOf(const std::function<void()>& call) {
  return medianSeconds<Space>(call, least_seconds);
}

/// Of a row of a matrix: |sum of entries| and sum of |entries|; what x.Az - z.Ax gets of it, and
/// the sum of what it gets in absolute values.
struct RowSums {
  Array<double*> values;
  Kontract::CellGraph<Device> graph;
  KOKKOS_INLINE_FUNCTION static double x(std::int64_t i) {
    return 1 + double(i * 7919 % 1009) / 1009;
  }
  KOKKOS_INLINE_FUNCTION static double z(std::int64_t i) {
    return 1 + double(i * 104729 % 997) / 997;
  }

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t row, double& largest_sum, double& largest,
                                         double& difference, double& scale) const {
    double sum = 0, absolute = 0, az = 0, ax = 0;
    for (auto n = graph.row_map(row); n < graph.row_map(row + 1); ++n) {
      const double value = values(n);
      sum += value;
      absolute += value < 0 ? -value : value;
      az += value * z(graph.entries(n));
      ax += value * x(graph.entries(n));
    }
    sum = sum < 0 ? -sum : sum;
    largest_sum = sum > largest_sum ? sum : largest_sum;
    largest = absolute > largest ? absolute : largest;
    difference += x(row) * az - z(row) * ax;
    scale += absolute;
  }
};

/// Constants are in the null space of diffusion, and its matrix is symmetric.
void checkIdentities(const Array<double*>& matrix, const Kontract::CellGraph<Device>& graph) {
  double largest_sum = 0, largest = 0, difference = 0, scale = 0;
  Kokkos::parallel_reduce("identities",
                          Kokkos::RangePolicy<Space>(0, std::int64_t(graph.row_map.extent(0)) - 1),
                          RowSums{matrix, graph}, Kokkos::Max<double>(largest_sum),
                          Kokkos::Max<double>(largest), difference, scale);
  const double row_sum = largest_sum / largest, asymmetry = std::abs(difference) / scale;
  std::printf("identities: largest row sum %.1e, |x.Az - z.Ax| %.1e%s\n", row_sum, asymmetry,
              verdict(row_sum < 1e-13 && asymmetry < 1e-13));
}

/// One line for each algorithm that serves a call.
/// \param limit_bytes  that must move
/// \return whether any does
bool row(const char* what, const Mesh& mesh, int order, double limit_bytes, double rate,
         const Array<double*>& output, const std::function<void(const Kontract::Options&)>& call) {
  double first_norm = -1;
  for (const char* algorithm :
       {"Flat", "Tiling", "Tensor Core", "Team Reduction", "Register Blocking", "Auto"}) {
    if (wanted_algorithm != "each" && wanted_algorithm != algorithm) continue;
    // These evaluate tensor-product bases anew for each entry: minutes for a handful of cells.
    const bool evaluates = std::string(algorithm) == "Flat" || std::string(algorithm) == "Tiling";
    const bool is_slow = evaluates && !mesh.has_tetrahedra && order > 2;
    if (is_slow && wanted_algorithm == "each") continue;
    Teuchos::ParameterList list("Kontract");
    list.set("Algorithm", algorithm);
    list.sublist("Launch").set("Scatter", scatter);
    const Kontract::Options options(list);
    try {
      call(options);
    } catch (const std::invalid_argument&) {
      continue;  // it does not serve this
    }
    const double result = norm(output);
    if (first_norm < 0) first_norm = result;
    const double seconds = secondsOf([&] { call(options); });
    const double limit = limit_bytes / rate;
    std::printf("%-11s %d %-8s %9d cells  %-17s %10.3f ns a cell  limit %8.3f ns  share %.3f", what,
                order, mesh.has_tetrahedra ? "tet" : "hex", mesh.cells(), algorithm,
                seconds / mesh.cells() * 1e9, limit / mesh.cells() * 1e9, limit / seconds);
    const double difference = std::abs(result / first_norm - 1);
    std::printf("%s\n", verdict(difference <= 1e-11));
    std::fflush(stdout);
  }
  return first_norm >= 0;
}

/// Element matrices (C,F,F) from Jacobians (C,P,D,D), of as many cells as fit 4 GB.
template <class Layout, class Term>
void elementMatrices(const char* what, const Mesh& mesh, int order, double rate, int fields,
                     const Array<double*>& weights, const Term& term) {
  const std::int64_t points = weights.extent(0);
  if (double(fields) * double(fields) * mesh.cells() > 5e8) return;
  const Kokkos::View<double****, Layout, Device> jacobians("jacobians", mesh.cells(), points, 3, 3);
  Kokkos::deep_copy(jacobians, 0.01);
  for (int d = 0; d < 3; ++d) {
    Kokkos::deep_copy(Kokkos::subview(jacobians, Kokkos::ALL, Kokkos::ALL, d, d), 0.5 + 0.1 * d);
  }
  const Kokkos::View<double***, Layout, Device> matrices("matrices", mesh.cells(), fields, fields);
  const Array<double*> all(matrices.data(), matrices.size());
  row(what, mesh, order, 8.0 * double(matrices.size() + jacobians.size()), rate, all,
      [&](const auto& options) {
        Integration::matrices(matrices, Kontract::geometry(jacobians, weights), term, options);
      });
}

/// Element matrices (C,F,F) that are there are added, of as many cells as fit 4 GB.
template <class Plan>
void addedMatrices(const Mesh& mesh, int order, double rate, int fields, const Plan& plan,
                   const Array<double*>& matrix) {
  if (double(fields) * double(fields) * mesh.cells() > 5e8) return;
  const Kokkos::View<double***, Kokkos::LayoutRight, Device> matrices("matrices", mesh.cells(),
                                                                      fields, fields);
  Kokkos::deep_copy(matrices, 1.0);
  Teuchos::ParameterList list("Kontract");
  list.sublist("Launch").set("Scatter", scatter);
  const Kontract::Options options(list);
  const double seconds = secondsOf([&] {
    Kontract::ElementScatter<Device>::matrices(Kontract::scattered(matrix, plan), matrices,
                                               options);
  });
  const double limit = (8.0 * double(matrices.size()) + 16.0 * double(matrix.size())) / rate;
  std::printf("%-11s %d %-8s %9d cells  %-17s %10.3f ns a cell  limit %8.3f ns  share %.3f\n",
              "added", order, mesh.has_tetrahedra ? "tet" : "hex", mesh.cells(), "",
              seconds / mesh.cells() * 1e9, limit / mesh.cells() * 1e9, limit / seconds);
}

/// In the place of orientations of a basis: half of the cells have two neighbouring fields the
/// other way round, in each of four ways for such pairs.
Kontract::CellOrientations<Device> orientations(int cells, int fields) {
  auto store = std::make_shared<Kontract::Impl::OperatorStore>(fields);
  std::vector<std::int32_t> blocks;
  for (int f = 0; f + 1 < fields; f += 2)
    blocks.push_back(store->addBlock({f, f + 1}, {0, 1, 1, 0}));
  for (int c = 0; c < cells; ++c) {
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (c >> (i % 4) & 1) store->give(blocks[i]);
    }
    store->endCell();
  }
  return Kontract::CellOrientations<Device>(Kontract::Impl::CellOperators(store));
}

void measure(const Mesh& mesh, int order, double rate) {
  const std::vector<double> line = gaussPoints(order + 2);
  const Table of_line = lagrange(order, line);
  const int tetrahedron_points = order == 1 ? 4 : 11;
  const Table table =
      mesh.has_tetrahedra ? tetrahedron(order, tetrahedron_points) : hexahedron(of_line);
  const Table mapping =
      mesh.has_tetrahedra ? tetrahedron(1, tetrahedron_points) : hexahedron(lagrange(1, line));
  const int side = Mesh::latticeSize(order * mesh.n), nodes_side = Mesh::latticeSize(mesh.n);
  const std::int64_t count = std::int64_t(side) * side * side;
  const Kokkos::Timer timer;
  const Kontract::CellNumbers<Device> unknowns(mesh.numbers(order), count);
  const Kontract::CellNumbers<Device> nodes(mesh.numbers(1), nodes_side * nodes_side * nodes_side);
  Space().fence();
  const double numbers_seconds = timer.seconds();
  const Kontract::CellGraph<Device> graph(unknowns);
  Space().fence();
  const double graph_seconds = timer.seconds() - numbers_seconds;
  const Kontract::ScatterPlan<Device> plan(graph, unknowns);
  Space().fence();
  const double plan_seconds = timer.seconds() - numbers_seconds - graph_seconds;
  const std::int64_t entries = plan.numEntries();
  std::printf("order %d: %lld unknowns, %lld entries; graph %.1f ms, plan %.1f ms, %.2f GB\n",
              order, static_cast<long long>(count), static_cast<long long>(entries),
              graph_seconds * 1e3, plan_seconds * 1e3, 1e-9 * double(plan.bytes()));
  const Array<double**> conductivity("conductivity", mesh.cells(), table.points);
  Kokkos::parallel_for("fill", Kokkos::RangePolicy<Space>(0, conductivity.size()),
                       Fill{conductivity});
  const Array<double*> weights("weights", table.points);
  Kokkos::deep_copy(weights, 1.0 / table.points);
  const auto values = valuesOf(table);
  const auto gradients = gradientsOf(table);
  const auto cells = Kontract::geometry(Kontract::gathered(mesh.coordinates(), nodes),
                                        gradientsOf(mapping), weights);
  using Kontract::Form;
  const auto source =
      Kontract::load(Form::source(Kontract::FunctionSpace::HGRAD), values, conductivity);
  const Array<double*> matrix("matrix", entries), x("x", count), y("y", count);
  Kokkos::parallel_for("fill", Kokkos::RangePolicy<Space>(0, x.size()),
                       Fill{Array<double**>(x.data(), x.size(), 1)});
  const double of_coefficient = 8.0 * double(conductivity.size());
  const auto measureTerm = [&](const auto& diffusion) {
    const bool is_there =
        row("matrix", mesh, order, 16.0 * double(entries), rate, matrix, [&](const auto& options) {
          Integration::matrices(Kontract::scattered(matrix, plan), cells, diffusion, options);
        });
    if (is_there) checkIdentities(matrix, graph);
    addedMatrices(mesh, order, rate, table.functions, plan, matrix);
    const auto oriented = unknowns.oriented(orientations(mesh.cells(), table.functions));
    const Kontract::ScatterPlan<Device> oriented_plan(graph, oriented);
    row("oriented", mesh, order, 16.0 * double(entries), rate, matrix, [&](const auto& options) {
      Integration::matrices(Kontract::scattered(matrix, oriented_plan), cells, diffusion, options);
    });
    elementMatrices<Kokkos::LayoutRight>("arrays R", mesh, order, rate, table.functions, weights,
                                         diffusion);
    elementMatrices<Kokkos::LayoutLeft>("arrays L", mesh, order, rate, table.functions, weights,
                                        diffusion);
    row("product", mesh, order, 24.0 * double(count) + of_coefficient, rate, y,
        [&](const auto& options) {
          Integration::apply(Kontract::scattered(y, unknowns), Kontract::gathered(x, unknowns),
                             cells, diffusion, options);
        });
    row("diagonal", mesh, order, 16.0 * double(count) + of_coefficient, rate, y,
        [&](const auto& options) {
          Integration::diagonals(Kontract::scattered(y, unknowns), cells, diffusion, options);
        });
    row("oriented y", mesh, order, 24.0 * double(count) + of_coefficient, rate, y,
        [&](const auto& options) {
          Integration::apply(Kontract::scattered(y, oriented), Kontract::gathered(x, oriented),
                             cells, diffusion, options);
        });
  };
  row("load", mesh, order, 16.0 * double(count) + of_coefficient, rate, y,
      [&](const auto& options) {
        Integration::vectors(Kontract::scattered(y, unknowns), cells, source, options);
      });
  if (mesh.has_tetrahedra) {
    measureTerm(Kontract::term(Form::gradGrad(), gradients, gradients, conductivity));
  } else {
    const auto basis = Kontract::tensorBasis<3>(
        valuesOf(of_line),
        valuesOf(Table{of_line.functions, of_line.points, of_line.gradients, {}}));
    measureTerm(Kontract::term(Form::gradGrad(), basis, basis, conductivity));
  }
}

}  // namespace

int main(int argc, char* argv[]) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  if (argc > 1) million_cells = std::atof(argv[1]);
  if (argc > 2) least_seconds = std::atof(argv[2]);
  const double rate = copyRate(least_seconds);
  std::printf("copying: %.3g GB/s\n", rate * 1e-9);
  const std::string wanted = argc > 3 ? argv[3] : "all";
  if (argc > 4) wanted_algorithm = argv[4];
  if (argc > 5) scatter = argv[5];
  const auto is_wanted = [&](const char* cells, int order) {
    return wanted == "all" || wanted == cells + std::to_string(order);
  };
  const auto side = [](double cells) { return std::max(2, int(std::cbrt(cells))); };
  for (const int order : {1, 2}) {
    if (is_wanted("tet", order)) measure({side(million_cells * 1e6 / 6), true}, order, rate);
  }
  for (const int order : {1, 2, 3, 4, 5, 6}) {
    // The highest ones are for who asks for them.
    if (!is_wanted("hex", order) || (order > 4 && wanted == "all")) continue;
    measure({side(million_cells * 1e5 * 4 / std::pow(order, 4)), false}, order, rate);
  }
  return mistakes == 0 ? 0 : 1;
}
