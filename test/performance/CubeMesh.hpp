// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_CUBEMESH_HPP
#define KONTRACT_TEST_CUBEMESH_HPP

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "CopyRate.hpp"
#include "Kontract.hpp"
#include "MedianSeconds.hpp"

// Cells of a deformed cube on the default execution space, their functions, and how long calls
// take: what programs that measure forms have in common.
namespace KontractTest {

using Space = Kokkos::DefaultExecutionSpace;
using Device = Kokkos::Device<Space, Space::memory_space>;
using Integration = Kontract::Integration<Device>;
template <class Data>
using Array = Kokkos::View<Data, Kokkos::LayoutRight, Device>;

/// Bytes a second that are read and written by copying arrays larger than caches.
inline double copyRate(double least_seconds) {
  return copyRate<Space>(Kontract::Impl::is_host_space<Space> ? 1 << 25 : 1 << 28, least_seconds);
}

/// Points of Gauss and Legendre in (-1, 1).
inline std::vector<double> gaussPoints(int count) {
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
inline Table lagrange(int order, const std::vector<double>& points) {
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
inline Table hexahedron(const Table& line) {
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
inline constexpr int edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
inline Table tetrahedron(int order, int points) {
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

inline Array<double**> valuesOf(const Table& table) {
  const Array<double**> values("values", table.functions, table.points);
  const auto host = Kokkos::create_mirror_view(values);
  std::copy(table.values.begin(), table.values.end(), host.data());
  Kokkos::deep_copy(values, host);
  return values;
}
inline Array<double***> gradientsOf(const Table& table) {
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

inline double norm(const Array<double*>& of) {
  double sum = 0;
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), of);
  for (std::size_t i = 0; i < host.size(); ++i) sum += host(i) * host(i) * (1 + double(i % 5));
  return std::sqrt(sum);
}

}  // namespace KontractTest

#endif
