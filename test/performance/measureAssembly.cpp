// SPDX-License-Identifier: BSD-3-Clause
//
// Times assemblies of diffusion with a coefficient at each point, from the nodes to the values of a
// matrix in compressed rows, the load vector and the product with a vector, on the default
// execution space: by each algorithm that serves them, beside the time that memory takes to read
// and write the values of the matrix once, or the vectors, at the speed of copying. Cells are those
// of a deformed cube. Usage: Kontract_measureAssembly [million cells = 0.1] [seconds per entry =
// 0.3] [cells = all, or one of tet1, tet2, hex1 to hex4]

#include <Kokkos_Core.hpp>
#include <Teuchos_ParameterList.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "Kontract.hpp"
#include "MedianSeconds.hpp"

namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Device = Kokkos::Device<Space, Space::memory_space>;
using Integration = Kontract::Integration<Device>;
template <class Data>
using Array = Kokkos::View<Data, Kokkos::LayoutRight, Device>;

double million_cells = 0.1;
double least_seconds = 0.3;

double secondsOf(const std::function<void()>& call) {
  return KontractTest::medianSeconds<Space>(call, least_seconds);
}

/// Bytes a second that are read and written by copying.
double copyRate() {
  const std::size_t n = Kontract::Impl::is_host_space<Space> ? 1 << 25 : 1 << 28;
  const Array<double*> from("from", n), to("to", n);
  return 16.0 * double(n) / secondsOf([&] { Kokkos::deep_copy(Space(), to, from); });
}

/// Points of Gauss and Legendre in (-1, 1).
std::vector<double> gaussPoints(int count) {
  std::vector<double> points;
  for (int i = 0; i < count; ++i) {
    double x = std::cos(M_PI * (i + 0.75) / (count + 0.5));
    for (int step = 0; step < 50; ++step) {
      double before = 1, value = x;
      for (int k = 2; k <= count; ++k) {
        const double next = ((2 * k - 1) * x * value - (k - 1) * before) / k;
        before = value, value = next;
      }
      x -= value * (x * x - 1) / (count * (x * value - before));
    }
    points.push_back(x);
  }
  return points;
}

/// Functions at points, and their derivatives: by function, point and direction.
struct Table {
  int functions = 0, points = 0;
  std::vector<double> values, gradients;
};

/// Functions of Lagrange of an order in one coordinate, with nodes at equal distances.
Table lagrange(int order, const std::vector<double>& points) {
  Table table{order + 1, int(points.size()), {}, {}};
  for (int f = 0; f <= order; ++f) {
    const auto node = [&](int n) { return -1 + 2.0 * n / order; };
    for (const double x : points) {
      double value = 1, derivative = 0;
      for (int n = 0; n <= order; ++n) {
        if (n == f) continue;
        const double slope = 1 / (node(f) - node(n));
        derivative = derivative * (x - node(n)) * slope + value * slope;
        value *= (x - node(n)) * slope;
      }
      table.values.push_back(value);
      table.gradients.push_back(derivative);
    }
  }
  return table;
}

/// Products of functions of each coordinate; the first one fastest.
Table hexahedron(const Table& line) {
  const int n = line.functions, q = line.points;
  Table table{n * n * n, q * q * q, {}, {}};
  for (int f = 0; f < table.functions; ++f) {
    for (int p = 0; p < table.points; ++p) {
      const int at[3] = {f % n * q + p % q, f / n % n * q + p / q % q, f / n / n * q + p / q / q};
      const auto product = [&](int derived) {
        double value = 1;
        for (int d = 0; d < 3; ++d)
          value *= d == derived ? line.gradients[at[d]] : line.values[at[d]];
        return value;
      };
      table.values.push_back(product(-1));
      for (int d = 0; d < 3; ++d) table.gradients.push_back(product(d));
    }
  }
  return table;
}

/// Functions of order one or two on the tetrahedron: of vertices, then of edges.
constexpr int edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
Table tetrahedron(int order, int points) {
  Table table{order == 1 ? 4 : 10, points, {}, {}};
  constexpr double slopes[4][3] = {{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int f = 0; f < table.functions; ++f) {
    for (int p = 0; p < points; ++p) {
      double b[4] = {0, 0.1 + 0.3 * (p % 3) / 3, 0.1 + 0.3 * (p % 5) / 5, 0.1 + 0.3 * (p % 7) / 7};
      b[0] = 1 - b[1] - b[2] - b[3];
      if (f < 4) {
        table.values.push_back(order == 1 ? b[f] : b[f] * (2 * b[f] - 1));
        for (const double slope : slopes[f])
          table.gradients.push_back(order == 1 ? slope : (4 * b[f] - 1) * slope);
      } else {
        const int i = edges[f - 4][0], j = edges[f - 4][1];
        table.values.push_back(4 * b[i] * b[j]);
        for (int d = 0; d < 3; ++d)
          table.gradients.push_back(4 * (b[i] * slopes[j][d] + b[j] * slopes[i][d]));
      }
    }
  }
  return table;
}

Array<double**> valuesOf(const Table& table) {
  const Array<double**> values("values", table.functions, table.points);
  const auto host = Kokkos::create_mirror_view(values);
  std::copy(table.values.begin(), table.values.end(), host.data());
  Kokkos::deep_copy(values, host);
  return values;
}
Array<double***> gradientsOf(const Table& table) {
  const Array<double***> gradients("gradients", table.functions, table.points,
                                   table.gradients.size() / table.values.size());
  const auto host = Kokkos::create_mirror_view(gradients);
  std::copy(table.gradients.begin(), table.gradients.end(), host.data());
  Kokkos::deep_copy(gradients, host);
  return gradients;
}

/// Cells of a cube of n^3 cubes, each one hexahedron or six tetrahedra.
struct Mesh {
  int n;
  bool has_tetrahedra;

  int cells() const { return n * n * n * (has_tetrahedra ? 6 : 1); }
  static int latticeSize(int squares) { return squares + 1; }

  /// Numbers of the functions of an order: of the points of a lattice.
  Array<int**> numbers(int order) const {
    const int side = latticeSize(order * n);
    const int fields =
        has_tetrahedra ? (order == 1 ? 4 : 10) : (order + 1) * (order + 1) * (order + 1);
    const Array<int**> all("numbers", cells(), fields);
    const auto host = Kokkos::create_mirror_view(all);
    // Ways along the axes from a corner of a cube to the opposite one.
    constexpr int ways[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int c = 0; c < cells(); ++c) {
      const int cube = has_tetrahedra ? c / 6 : c;
      const int first[3] = {cube % n * order, cube / n % n * order, cube / n / n * order};
      const auto number = [&](const int(&at)[3]) {
        return first[0] + at[0] + side * (first[1] + at[1] + side * (first[2] + at[2]));
      };
      if (!has_tetrahedra) {
        for (int f = 0; f < fields; ++f) {
          host(c, f) = number(
              {f % (order + 1), f / (order + 1) % (order + 1), f / (order + 1) / (order + 1)});
        }
        continue;
      }
      int vertices[4][3] = {};
      for (int v = 1; v < 4; ++v) {
        std::copy(vertices[v - 1], vertices[v - 1] + 3, vertices[v]);
        vertices[v][ways[c % 6][v - 1]] += order;
      }
      for (int f = 0; f < fields; ++f) {
        int at[3];
        for (int d = 0; d < 3; ++d) {
          at[d] = f < 4 ? vertices[f][d]
                        : (vertices[edges[f - 4][0]][d] + vertices[edges[f - 4][1]][d]) / 2;
        }
        host(c, f) = number(at);
      }
    }
    Kokkos::deep_copy(all, host);
    return all;
  }

  Array<double**> coordinates() const {
    const int side = latticeSize(n);
    const Array<double**> all("coordinates", side * side * side, 3);
    const auto host = Kokkos::create_mirror_view(all);
    for (int i = 0; i < side * side * side; ++i) {
      const double x[3] = {double(i % side) / n, double(i / side % side) / n,
                           double(i / side / side) / n};
      const double bubble = std::sin(3 * x[0]) * std::sin(3 * x[1]) * std::sin(3 * x[2]);
      for (int d = 0; d < 3; ++d) host(i, d) = x[d] + 0.05 * (d + 1) * bubble;
    }
    Kokkos::deep_copy(all, host);
    return all;
  }
};

struct Fill {
  Array<double**> values;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    const std::int64_t points = static_cast<std::int64_t>(values.extent(1));
    values(i / points, i % points) = 1 + 0.25 * static_cast<double>(i % 7);
  }
};

double norm(const Array<double*>& of) {
  double sum = 0;
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), of);
  for (std::size_t i = 0; i < host.size(); ++i) sum += host(i) * host(i) * (1 + double(i % 5));
  return std::sqrt(sum);
}

/// One line for each algorithm that serves a call.
/// \param limit_bytes  that must move
void row(const char* what, const Mesh& mesh, int order, double limit_bytes, double rate,
         const Array<double*>& output, const std::function<void(const Kontract::Options&)>& call) {
  double first_norm = -1;
  for (const char* algorithm : {"Flat", "Tiling", "Tensor Core", "Team Reduction",
                                "Register Blocking", "Auto"}) {
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
    const double seconds = secondsOf([&] { call(options); });
    const double limit = limit_bytes / rate;
    std::printf("%-11s %d %-8s %9d cells  %-17s %10.3f ns a cell  limit %8.3f ns  share %.3f", what,
                order, mesh.has_tetrahedra ? "tet" : "hex", mesh.cells(), algorithm,
                seconds / mesh.cells() * 1e9, limit / mesh.cells() * 1e9, limit / seconds);
    if (std::abs(result / first_norm - 1) > 1e-11)
      std::printf("  WRONG: %g", result / first_norm - 1);
    std::printf("\n");
    std::fflush(stdout);
  }
}

/// Element matrices (C,F,F) from Jacobians (C,P,D,D), of as many cells as fit 4 GB.
template <class Layout, class Term>
void elementMatrices(const char* what, const Mesh& mesh, int order, double rate,
                     const Array<double*>& weights, const Term& term) {
  const std::int64_t fields = std::int64_t(term.left.extent(0)), points = weights.extent(0);
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
  const auto diffusion = Kontract::term(Form::gradGrad(), gradients, gradients, conductivity);
  const auto source =
      Kontract::load(Form::source(Kontract::FunctionSpace::HGRAD), values, conductivity);
  const Array<double*> matrix("matrix", entries), x("x", count), y("y", count);
  Kokkos::parallel_for("fill", Kokkos::RangePolicy<Space>(0, x.size()),
                       Fill{Array<double**>(x.data(), x.size(), 1)});
  const double of_coefficient = 8.0 * double(conductivity.size());
  row("matrix", mesh, order, 16.0 * double(entries), rate, matrix, [&](const auto& options) {
    Integration::matrices(Kontract::scattered(matrix, plan), cells, diffusion, options);
  });
  row("load", mesh, order, 16.0 * double(count) + of_coefficient, rate, y,
      [&](const auto& options) {
        Integration::vectors(Kontract::scattered(y, unknowns), cells, source, options);
      });
  elementMatrices<Kokkos::LayoutRight>("arrays R", mesh, order, rate, weights, diffusion);
  elementMatrices<Kokkos::LayoutLeft>("arrays L", mesh, order, rate, weights, diffusion);
  if (mesh.has_tetrahedra) {
    row("product", mesh, order, 24.0 * double(count) + of_coefficient, rate, y,
        [&](const auto& options) {
          Integration::apply(Kontract::scattered(y, unknowns), Kontract::gathered(x, unknowns),
                             cells, diffusion, options);
        });
  } else {
    const auto basis = Kontract::tensorBasis<3>(
        valuesOf(of_line),
        valuesOf(Table{of_line.functions, of_line.points, of_line.gradients, {}}));
    row("product", mesh, order, 24.0 * double(count) + of_coefficient, rate, y,
        [&](const auto& options) {
          Integration::apply(Kontract::scattered(y, unknowns), Kontract::gathered(x, unknowns),
                             cells, Kontract::term(Form::gradGrad(), basis, basis, conductivity),
                             options);
        });
  }
}

}  // namespace

int main(int argc, char* argv[]) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  if (argc > 1) million_cells = std::atof(argv[1]);
  if (argc > 2) least_seconds = std::atof(argv[2]);
  const double rate = copyRate();
  std::printf("copying: %.3g GB/s\n", rate * 1e-9);
  const std::string wanted = argc > 3 ? argv[3] : "all";
  const auto is_wanted = [&](const char* cells, int order) {
    return wanted == "all" || wanted == cells + std::to_string(order);
  };
  const auto side = [](double cells) { return std::max(2, int(std::cbrt(cells))); };
  for (const int order : {1, 2}) {
    if (is_wanted("tet", order)) measure({side(million_cells * 1e6 / 6), true}, order, rate);
  }
  for (const int order : {1, 2, 3, 4}) {
    if (!is_wanted("hex", order)) continue;
    measure({side(million_cells * 1e5 * 4 / std::pow(order, 4)), false}, order, rate);
  }
  return 0;
}
