// SPDX-License-Identifier: BSD-3-Clause
#include "SlabMesh.hpp"

#include <cmath>
#include <vector>

namespace Devices {
namespace {

/// Numbers of the points of a lattice on each cell, the first direction fastest.
CellNumbers latticeNumbers(int n, int order, int layers) {
  const int side = n * order + 1, of_line = order + 1, fields = of_line * of_line * of_line;
  const Array<int**> numbers("numbers", std::size_t(layers) * n * n, fields);
  const auto host = Kokkos::create_mirror_view(numbers);
  for (int c = 0; c < n * n * layers; ++c) {
    for (int f = 0; f < fields; ++f) {
      const int x = c % n * order + f % of_line, y = c / n % n * order + f / of_line % of_line;
      const int z = c / n / n * order + f / of_line / of_line;
      host(c, f) = x + side * (y + side * z);
    }
  }
  Kokkos::deep_copy(numbers, host);
  return {numbers, std::int64_t(side) * side * (layers * order + 1)};
}

/// Points and weights of Gauss and Legendre in (-1, 1).
void gauss(int count, std::vector<double>& points, std::vector<double>& weights) {
  for (int i = 0; i < count; ++i) {
    double x = std::cos(M_PI * (i + 0.75) / (count + 0.5)), slope = 1;
    for (int step = 0; step < 50; ++step) {
      double before = 1, value = x;
      for (int k = 2; k <= count; ++k) {
        const double next = ((2 * k - 1) * x * value - (k - 1) * before) / k;
        before = value, value = next;
      }
      slope = count * (x * value - before) / (x * x - 1);
      x -= value / slope;
    }
    points.push_back(x);
    weights.push_back(2 / ((1 - x * x) * slope * slope));
  }
}

/// A function of Lagrange with nodes at equal distances, and its derivative.
std::array<double, 2> lagrange(int order, int f, double x) {
  double value = 1, derivative = 0;
  for (int n = 0; n <= order; ++n) {
    if (n == f) continue;
    const double slope = order / (2.0 * (f - n)), distance = x - (-1 + 2.0 * n / order);
    derivative = (derivative * distance + value) * slope;
    value *= distance * slope;
  }
  return {value, derivative};
}

}  // namespace

SlabMesh::SlabMesh(int n_, int order_, int first_, int last_)
    : n(n_),
      order(order_),
      first(first_),
      last(last_),
      plane_unknowns((n * order + 1) * (n * order + 1)),
      unknowns(plane_unknowns * ((last - first) * order + 1)),
      numbers(latticeNumbers(n, order, last - first)),
      nodes(latticeNumbers(n, 1, last - first)),
      coordinates("coordinates", std::size_t(nodes.count()), 3) {
  const auto host = Kokkos::create_mirror_view(coordinates);
  const int side = n + 1;
  for (int i = 0; i < int(nodes.count()); ++i) {
    const double x[] = {double(i % side) / n, double(i / side % side) / n,
                        double(first + i / side / side) / n};
    const double bend = 0.05 * std::sin(3 * x[0]) * std::sin(3 * x[1]) * std::sin(3 * x[2]);
    for (int d = 0; d < 3; ++d) host(i, d) = x[d] + (d + 1) * bend;
  }
  Kokkos::deep_copy(coordinates, host);
}

SlabElement::SlabElement(int order) {
  std::vector<double> points, of_line;
  const int count = order + 2;
  gauss(count, points, of_line);
  values = Array<double**>("values", order + 1, count);
  derivatives = Array<double**>("derivatives", order + 1, count);
  node_gradients = Array<double***>("gradients", 8, count * count * count, 3);
  weights = Array<double*>("weights", count * count * count);
  const auto v = Kokkos::create_mirror_view(values), d = Kokkos::create_mirror_view(derivatives);
  for (int f = 0; f <= order; ++f) {
    for (int p = 0; p < count; ++p) {
      const auto at = lagrange(order, f, points[std::size_t(p)]);
      v(f, p) = at[0], d(f, p) = at[1];
    }
  }
  const auto g = Kokkos::create_mirror_view(node_gradients);
  const auto w = Kokkos::create_mirror_view(weights);
  for (int p = 0; p < count * count * count; ++p) {
    const int at[] = {p % count, p / count % count, p / count / count};
    w(p) = 1;
    for (const int direction : at) w(p) *= of_line[std::size_t(direction)];
    for (int node = 0; node < 8; ++node) {
      for (int derived = 0; derived < 3; ++derived) {
        g(node, p, derived) = 1;
        for (int a = 0; a < 3; ++a) {
          const auto of = lagrange(1, node >> a & 1, points[std::size_t(at[a])]);
          g(node, p, derived) *= of[a == derived ? 1 : 0];
        }
      }
    }
  }
  Kokkos::deep_copy(values, v);
  Kokkos::deep_copy(derivatives, d);
  Kokkos::deep_copy(node_gradients, g);
  Kokkos::deep_copy(weights, w);
}

}  // namespace Devices
