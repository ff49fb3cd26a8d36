// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TRILINEARCELLS_HPP
#define KONTRACT_TRILINEARCELLS_HPP

#include <Kokkos_Macros.hpp>
#include <cstdint>
#include <limits>

#include "Kontract_Unroll.hpp"

namespace Kontract {
namespace Impl {

/// Jacobians of hexahedra of eight nodes at points of a tensor product:
///
///     x = x0 + a xi + b eta + c zeta + d eta zeta + e zeta xi + f xi eta + g xi eta zeta
///
/// With the seven vectors a to g of a cell a point takes 24 multiply-adds, and reads no gradients
/// of nodes' functions; summed over nodes it takes 72. Whether the gradients that a caller gives
/// are those of trilinear functions, of nodes in any order, is found out from them:
///
///     d/dxi of node n = s(n,0) (1 + s(n,1) eta) (1 + s(n,2) zeta) / 8,   s(n,d) = 1 or -1
struct TrilinearCells {
  static constexpr int D = 3, nodes = 8, vectors = 7;

  /// Numbers that a block keeps of the nodes of its cells, and of a table if they may be trilinear.
  /// \param points  in all directions together
  static std::int64_t scratchNumbers(int cell_nodes, int cells, int points) {
    const int table = cell_nodes == nodes ? 1 + D * nodes + points : 0;
    return std::int64_t(D) * cell_nodes * cells + table;
  }
};

/// What all cells have in common, in scratch memory: signs of nodes and coordinates of points.
template <class Acc>
class TrilinearTable {
  static constexpr int D = TrilinearCells::D, nodes = TrilinearCells::nodes;

 public:
  TrilinearTable() = default;
  /// \param memory  that comes after the nodes of cells
  /// \param points  in each direction
  KOKKOS_FORCEINLINE_FUNCTION TrilinearTable(Acc* memory, const int (&points)[D])
      : _signs(memory),
        _coordinates(memory + D * nodes),
        _is_trilinear(_coordinates + points[0] + points[1] + points[2]),
        _points{points[0], points[1], points[2]} {}

  /// Whether gradients are those of trilinear functions, after all steps of finding out.
  KOKKOS_FORCEINLINE_FUNCTION bool isTrilinear() const { return *_is_trilinear != Acc(0); }
  KOKKOS_FORCEINLINE_FUNCTION Acc sign(int node, int d) const { return _signs[node * D + d]; }
  /// The first coordinate in a direction; those of other points follow.
  KOKKOS_FORCEINLINE_FUNCTION const Acc* coordinates(int d) const {
    return _coordinates + (d > 0 ? _points[0] : 0) + (d > 1 ? _points[1] : 0);
  }

  // The steps, of threads first, first + step, ... each; all threads have to be done with one
  // before any begins the next.

  /// Signs, by a point where a derivative is not zero: mostly the one in the middle. Where it is
  /// zero at all points, as when these lie at one end of a direction, they are not found.
  /// \param gradient  gradient(node, point, direction); there are points
  template <class Gradient>
  KOKKOS_FORCEINLINE_FUNCTION void findSigns(int first, int step, const Gradient& gradient) const {
    if (first == 0) *_is_trilinear = Acc(1);
    const int count = pointCount();
    const int middle = (_points[2] / 2 * _points[1] + _points[1] / 2) * _points[0] + _points[0] / 2;
    for (int n = first; n < D * nodes; n += step) {
      Acc slope = gradient(n / D, middle, n % D);
      for (int p = 0; p < count && isRounding(slope); ++p) slope = gradient(n / D, p, n % D);
      _signs[n] = slope < Acc(0) ? Acc(-1) : Acc(1);
    }
  }
  /// Coordinates: the sum over nodes of s(n,d) s(n,e) times the derivative in direction e.
  template <class Gradient>
  KOKKOS_FORCEINLINE_FUNCTION void findPoints(int first, int step, const Gradient& gradient) const {
    int place = 0, apart = 1;
    KONTRACT_UNROLL
    for (int d = 0; d < D; place += _points[d], apart *= _points[d], ++d) {
      const int e = (d + 1) % D;
      for (int i = first; i < _points[d]; i += step) {
        Acc sum = 0;
        for (int n = 0; n < nodes; ++n) sum += sign(n, d) * sign(n, e) * gradient(n, i * apart, e);
        _coordinates[place + i] = sum;
      }
    }
  }
  /// Compares all gradients.
  template <class Gradient>
  KOKKOS_FORCEINLINE_FUNCTION void compare(int first, int step, const Gradient& gradient) const {
    bool is_trilinear = true;
    for (int p = first; p < pointCount(); p += step) {
      const int j = p / _points[0], at[D] = {p % _points[0], j % _points[1], j / _points[1]};
      for (int n = 0; n < nodes; ++n) {
        Acc factors[D];
        KONTRACT_UNROLL
        for (int d = 0; d < D; ++d) factors[d] = 1 + sign(n, d) * coordinates(d)[at[d]];
        KONTRACT_UNROLL
        for (int d = 0; d < D; ++d) {
          const Acc expected = sign(n, d) * factors[(d + 1) % D] * factors[(d + 2) % D] / 8;
          const Acc difference = gradient(n, p, d) - expected;
          is_trilinear = is_trilinear && isRounding(difference);
        }
      }
    }
    if (!is_trilinear) *_is_trilinear = Acc(0);
  }

 private:
  /// Of numbers below 1/2. A member, because nvcc warns of epsilon(), a function of the host, where
  /// a function of the device calls it.
  static constexpr Acc tolerance = 8 * std::numeric_limits<Acc>::epsilon();

  /// Whether a number is one that rounding leaves.
  KOKKOS_FORCEINLINE_FUNCTION static bool isRounding(Acc x) {
    return x <= tolerance && x >= -tolerance;
  }
  KOKKOS_FORCEINLINE_FUNCTION int pointCount() const {
    return _points[0] * _points[1] * _points[2];
  }

  Acc *_signs, *_coordinates, *_is_trilinear;
  int _points[D];
};

/// Computes component i of the vectors of a cell from its nodes, and leaves them so far apart.
/// \param x  x(n) is component i of node n
template <class Acc, class X>
KOKKOS_FORCEINLINE_FUNCTION void setTrilinear(const TrilinearTable<Acc>& table, const X& x, Acc* to,
                                              int step) {
  Acc sums[TrilinearCells::vectors] = {};
  Acc of_nodes[TrilinearCells::nodes];
  KONTRACT_UNROLL
  for (int n = 0; n < TrilinearCells::nodes; ++n) of_nodes[n] = x(n);
  KONTRACT_UNROLL
  for (int n = 0; n < TrilinearCells::nodes; ++n) {
    const Acc a = table.sign(n, 0), b = table.sign(n, 1), c = table.sign(n, 2);
    const Acc signs[TrilinearCells::vectors] = {a, b, c, b * c, c * a, a * b, a * b * c};
    KONTRACT_UNROLL
    for (int k = 0; k < TrilinearCells::vectors; ++k) sums[k] += signs[k] * of_nodes[n];
  }
  KONTRACT_UNROLL
  for (int k = 0; k < TrilinearCells::vectors; ++k) to[k * step] = sums[k] / 8;
}

/// A column of points of a cell, in the last direction.
template <class Acc>
struct TrilinearColumn {
  const Acc* vectors;          ///< by vector and component
  int step;                    ///< how far those are apart
  const Acc *xi, *eta, *zeta;  ///< where its coordinates are; zeta: of its first point

  struct Point {
    const TrilinearColumn& column;
    int third;

    template <class Problem>
    KOKKOS_FORCEINLINE_FUNCTION void setJacobian(const Problem&, std::int64_t,
                                                 Acc (&jacobian)[3][3]) const {
      constexpr int D = TrilinearCells::D;
      const Acc xi = *column.xi, eta = *column.eta, zeta = column.zeta[third];
      KONTRACT_UNROLL
      for (int i = 0; i < D; ++i) {
        const auto vector = [&](int k) { return column.vectors[(k * D + i) * column.step]; };
        const Acc d = vector(3), f = vector(5), g = vector(6), eg = vector(4) + g * eta;
        jacobian[i][0] = vector(0) + f * eta + eg * zeta;
        jacobian[i][1] = vector(1) + f * xi + (d + g * xi) * zeta;
        jacobian[i][2] = vector(2) + d * eta + eg * xi;
      }
    }
  };
  KOKKOS_FORCEINLINE_FUNCTION Point ofPoint(int third) const { return {*this, third}; }
};

}  // namespace Impl
}  // namespace Kontract

#endif
