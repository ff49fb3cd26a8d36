// SPDX-License-Identifier: BSD-3-Clause
//
// Lagrange functions of reference cells in long double: from the monomials that they span and the
// nodes at which each is one, by elimination. No basis of Intrepid2 has a part in it.
#ifndef KONTRACT_TEST_LAGRANGECELL_HPP
#define KONTRACT_TEST_LAGRANGECELL_HPP

#include <Intrepid2_CellTools.hpp>
#include <Kokkos_Core.hpp>
#include <Shards_CellTopology.hpp>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace KontractTest {

using Coordinates = std::array<long double, 3>;

/// x^a y^b z^c / (1 - z)^d
struct Monomial {
  int a, b, c, d = 0;

  static long double power(long double x, int n) { return n <= 0 ? 1 : x * power(x, n - 1); }
  long double value(const Coordinates& x) const {
    return power(x[0], a) * power(x[1], b) * power(x[2], c) / power(1 - x[2], d);
  }
  long double derivative(const Coordinates& x, int by) const {
    if (by == 0) return a == 0 ? 0 : a * Monomial{a - 1, b, c, d}.value(x);
    if (by == 1) return b == 0 ? 0 : b * Monomial{a, b - 1, c, d}.value(x);
    const long double of_power = c == 0 ? 0 : c * Monomial{a, b, c - 1, d}.value(x);
    return of_power + (d == 0 ? 0 : d * Monomial{a, b, c, d + 1}.value(x));
  }
};

/// Monomials of degree up to `sum` in x and y (`order` each), and up to `of_z` in z.
inline std::vector<Monomial> monomialsUpTo(int dimension, int order, int sum, int of_z,
                                           int sum_all) {
  std::vector<Monomial> list;
  for (int c = 0; c <= (dimension > 2 ? of_z : 0); ++c) {
    for (int b = 0; b <= (dimension > 1 ? order : 0); ++b) {
      for (int a = 0; a <= order; ++a) {
        if (a + b <= sum && a + b + c <= sum_all) list.push_back({a, b, c});
      }
    }
  }
  return list;
}

/// A cell with functions that are one at one node each.
class LagrangeCell {
 public:
  LagrangeCell(const CellTopologyData* data, std::vector<Monomial> monomials)
      : topology(data), _monomials(std::move(monomials)) {
    using Device = Kokkos::DefaultHostExecutionSpace::device_type;
    const std::size_t n = _monomials.size();
    for (std::size_t i = 0; i < n; ++i) {
      const Kokkos::DynRankView<double, Device> node("node", 3);
      Intrepid2::CellTools<Device>::getReferenceNode(node, topology, int(i));
      nodes.push_back({node(0), node(1), node(2)});
      // A node at the apex of a pyramid, in the limit.
      if (_monomials.back().d > 0 && node(2) == 1) nodes.back()[2] = 1 - 1e-18L;
    }
    invert();
  }

  std::size_t nodeCount() const { return nodes.size(); }
  int dimension() const { return int(topology.getDimension()); }

  long double value(std::size_t n, const Coordinates& x) const {
    long double sum = 0;
    for (std::size_t k = 0; k < nodes.size(); ++k) sum += _of[k][n] * _monomials[k].value(x);
    return sum;
  }
  long double derivative(std::size_t n, const Coordinates& x, int by) const {
    long double sum = 0;
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      sum += _of[k][n] * _monomials[k].derivative(x, by);
    }
    return sum;
  }

  shards::CellTopology topology;
  std::vector<Coordinates> nodes;

 private:
  /// Coefficients of functions: the inverse of the monomials' values at nodes, by Gauss and Jordan.
  void invert() {
    const std::size_t n = nodes.size();
    std::vector<std::vector<long double>> a(n, std::vector<long double>(2 * n));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < n; ++k) a[i][k] = _monomials[k].value(nodes[i]);
      a[i][n + i] = 1;
    }
    for (std::size_t k = 0; k < n; ++k) {
      std::size_t pivot = k;
      for (std::size_t i = k; i < n; ++i) {
        if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
      }
      std::swap(a[k], a[pivot]);
      const long double scale = a[k][k];
      for (long double& x : a[k]) x /= scale;
      for (std::size_t i = 0; i < n; ++i) {
        const long double factor = a[i][k];
        if (i == k || factor == 0) continue;
        for (std::size_t j = 0; j < 2 * n; ++j) a[i][j] -= factor * a[k][j];
      }
    }
    _of.assign(n, std::vector<long double>(n));
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t i = 0; i < n; ++i) _of[k][i] = a[k][n + i];
    }
  }

  std::vector<Monomial> _monomials;
  std::vector<std::vector<long double>> _of;
};

/// All cells of Shards that Intrepid2 13.2 maps, but the composite tetrahedron.
inline std::vector<LagrangeCell> lagrangeCells() {
  const auto data = [](auto topology) { return shards::getCellTopologyData<decltype(topology)>(); };
  std::vector<Monomial> pyramid = monomialsUpTo(3, 1, 1, 1, 1);
  pyramid.push_back({1, 1, 0, 1});
  return {{data(shards::Line<2>()), monomialsUpTo(1, 1, 1, 0, 1)},
          {data(shards::Triangle<3>()), monomialsUpTo(2, 1, 1, 0, 1)},
          {data(shards::Triangle<6>()), monomialsUpTo(2, 2, 2, 0, 2)},
          {data(shards::Quadrilateral<4>()), monomialsUpTo(2, 1, 2, 0, 2)},
          {data(shards::Quadrilateral<9>()), monomialsUpTo(2, 2, 4, 0, 4)},
          {data(shards::Tetrahedron<4>()), monomialsUpTo(3, 1, 1, 1, 1)},
          {data(shards::Tetrahedron<10>()), monomialsUpTo(3, 2, 2, 2, 2)},
          {data(shards::Hexahedron<8>()), monomialsUpTo(3, 1, 2, 1, 3)},
          {data(shards::Hexahedron<27>()), monomialsUpTo(3, 2, 4, 2, 6)},
          {data(shards::Wedge<6>()), monomialsUpTo(3, 1, 1, 1, 2)},
          {data(shards::Wedge<18>()), monomialsUpTo(3, 2, 2, 2, 4)},
          {data(shards::Pyramid<5>()), pyramid}};
}

}  // namespace KontractTest

#endif
