// SPDX-License-Identifier: BSD-3-Clause
//
// Times matrix-free products of diffusion by tensor-product bases on hexahedra of a deformed cube,
// on the default execution space, with order + 2 points in each direction: on global vectors with a
// coefficient at each point and the geometry from the nodes, and on element vectors from Jacobians;
// on global vectors also by factors in both layouts, products of mass matrices, and loads. Each
// algorithm that serves them, beside the time that memory takes to copy as many bytes as must move;
// the results are compared.
// Usage: Kontract_measureProducts [million unknowns = 1] [seconds per entry = 0.1] [orders = 8]

#include <Kokkos_Core.hpp>
#include <Teuchos_ParameterList.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "CubeMesh.hpp"

namespace {

using namespace KontractTest;
using Kontract::Form;

double million_unknowns = 1;
double least_seconds = 0.1;

/// One line for each algorithm that serves a call.
/// \param first_norm  of what it should compute, if that is known
/// \return that
double row(const char* what, int order, int cells, double limit_bytes, double rate,
           const Array<double*>& output, const std::function<void(const Kontract::Options&)>& call,
           double first_norm = -1) {
  for (const std::string algorithm :
       {"Flat", "Team Reduction", "Tensor Core", "Register Blocking", "Auto"}) {
    constexpr int highest = 3;  // plain sums take seconds
    if (algorithm == "Flat" && order > highest) continue;
    Teuchos::ParameterList list("Kontract");
    list.set("Algorithm", algorithm);
    const Kontract::Options options(list);
    try {
      call(options);
    } catch (const std::invalid_argument&) {
      continue;  // it does not serve this
    }
    const double result = norm(output);
    if (first_norm < 0) first_norm = result;
    const double seconds = medianSeconds<Space>([&] { call(options); }, least_seconds);
    const double limit = limit_bytes / rate;
    std::printf("%-22s order %d %8d cells  %-17s %9.3f ns a cell  limit %7.3f ns  share %.3f", what,
                order, cells, algorithm.c_str(), seconds / cells * 1e9, limit / cells * 1e9,
                limit / seconds);
    if (std::abs(result / first_norm - 1) > 1e-11)
      std::printf("  WRONG: %g", result / first_norm - 1);
    std::printf("\n");
    std::fflush(stdout);
  }
  return first_norm;
}

/// Products by factors of that layout.
template <class Layout, class Term, class Geometry, class Apply>
void rowsOfFactors(const char* what, int order, const Term& term, const Geometry& geometry,
                   std::int64_t points, double other_bytes, double rate, const Array<double*>& y,
                   double norm, const Apply& apply) {
  const int cells = int(term.coefficient.extent(0));
  const Kokkos::View<double***, Layout, Device> factors("factors", cells, 6, points);
  const double bytes = 48.0 * cells * double(points);
  row((what + std::string(", made")).c_str(), order, cells, bytes / 6 * 7, rate,
      Array<double*>(factors.data(), factors.size()),
      [&](const auto& options) { Integration::factors(factors, geometry, term, options); });
  row(
      what, order, cells, other_bytes + bytes, rate, y,
      [&](const auto& options) {
        apply(Kontract::geometry(), Kontract::factored(term, factors), options);
      },
      norm);
}

void measure(const Mesh& mesh, int order, double rate) {
  const std::vector<double> line = gaussPoints(order + 2);
  const Table of_line = lagrange(order, line);
  const int points = (order + 2) * (order + 2) * (order + 2);
  const int side = Mesh::latticeSize(order * mesh.n), nodes_side = Mesh::latticeSize(mesh.n);
  const std::int64_t count = std::int64_t(side) * side * side;
  const int fields = (order + 1) * (order + 1) * (order + 1), cells = mesh.cells();
  const Kontract::CellNumbers<Device> unknowns(mesh.numbers(order), count);
  const Kontract::CellNumbers<Device> nodes(mesh.numbers(1), nodes_side * nodes_side * nodes_side);
  const Array<double*> weights("weights", points);
  Kokkos::deep_copy(weights, 1.0 / points);
  const Array<double**> conductivity("conductivity", cells, points);
  const auto fill = [](const Array<double*>& all) {
    Kokkos::parallel_for("fill", Kokkos::RangePolicy<Space>(0, all.size()),
                         Fill{Array<double**>(all.data(), all.size(), 1)});
  };
  fill(Array<double*>(conductivity.data(), conductivity.size()));
  const auto from_nodes = Kontract::geometry(Kontract::gathered(mesh.coordinates(), nodes),
                                             gradientsOf(hexahedron(lagrange(1, line))), weights);
  const Array<double****> jacobians("jacobians", cells, points, 3, 3);
  Kokkos::deep_copy(jacobians, 0.01);
  for (int d = 0; d < 3; ++d) {
    Kokkos::deep_copy(Kokkos::subview(jacobians, Kokkos::ALL, Kokkos::ALL, d, d), 0.5 + 0.1 * d);
  }
  const auto values = valuesOf(of_line);
  const auto derivatives =
      valuesOf(Table{of_line.functions, of_line.points, of_line.gradients, {}});
  const auto basis = Kontract::tensorBasis<3>(values, derivatives);
  const Array<double*> x("x", count), y("y", count);
  const Array<double**> element_x("x of cells", cells, fields),
      element_y("y of cells", cells, fields);
  fill(x);
  fill(Array<double*>(element_x.data(), element_x.size()));
  const double of_points = 8.0 * cells * points, of_vectors = 24.0 * double(count);
  const auto stiffness = Kontract::term(Form::gradGrad(), basis, basis, conductivity);
  const auto mass =
      Kontract::term(Form::mass(Kontract::FunctionSpace::HGRAD), basis, basis, conductivity);
  const auto apply = [&](const auto& geometry, const auto& term, const auto& options) {
    Integration::apply(Kontract::scattered(y, unknowns), Kontract::gathered(x, unknowns), geometry,
                       term, options);
  };
  const double of_product =
      row("stiffness, global", order, cells, of_vectors + of_points, rate, y,
          [&](const auto& options) { apply(from_nodes, stiffness, options); });
  rowsOfFactors<Kokkos::LayoutRight>("factors, LayoutRight", order, stiffness, from_nodes, points,
                                     of_vectors, rate, y, of_product, apply);
  rowsOfFactors<Kokkos::LayoutLeft>("factors, LayoutLeft", order, stiffness, from_nodes, points,
                                    of_vectors, rate, y, of_product, apply);
  row("mass, global", order, cells, of_vectors + of_points, rate, y,
      [&](const auto& options) { apply(from_nodes, mass, options); });
  const auto element = Array<double*>(element_y.data(), element_y.size());
  row("stiffness, Jacobians", order, cells, 9 * of_points + 16.0 * double(element_y.size()), rate,
      element, [&](const auto& options) {
        Integration::apply(element_y, element_x, Kontract::geometry(jacobians, weights),
                           Kontract::term(Form::gradGrad(), basis, basis), options);
      });
  row("load, global", order, cells, 16.0 * double(count) + of_points, rate, y,
      [&](const auto& options) {
        Integration::vectors(
            Kontract::scattered(y, unknowns), from_nodes,
            Kontract::load(Form::source(Kontract::FunctionSpace::HGRAD), basis, conductivity),
            options);
      });
}

}  // namespace

int main(int argc, char* argv[]) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  if (argc > 1) million_unknowns = std::atof(argv[1]);
  if (argc > 2) least_seconds = std::atof(argv[2]);
  const int orders = argc > 3 ? std::atoi(argv[3]) : 8;
  const double rate = copyRate(least_seconds);
  std::printf("copying: %.3g GB/s\n", rate * 1e-9);
  for (int order = 1; order <= orders; ++order) {
    const int side = int(std::cbrt(million_unknowns * 1e6) / order);
    measure({side > 2 ? side : 2, false}, order, rate);
  }
  return 0;
}
