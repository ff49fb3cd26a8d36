// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_STRUCTUREDMESH_HPP
#define KONTRACT_TEST_STRUCTUREDMESH_HPP

#include <array>
#include <cmath>
#include <map>
#include <stdexcept>
#include <vector>

#include "DeformedCells.hpp"
#include "ReferenceElement.hpp"

namespace KontractTest {

using Point = std::array<double, 3>;
using Polytope = std::vector<Point>;  ///< vertices in the order of the reference cell

/// The unit square or cube, divided into cells of a shape.
inline std::vector<Polytope> divided(CellShape shape) {
  const Point a{0, 0, 0}, b{1, 0, 0}, c{1, 1, 0}, d{0, 1, 0}, e{0, 0, 1}, f{1, 0, 1}, g{1, 1, 1},
      h{0, 1, 1}, middle{0.5, 0.5, 0.5};
  switch (shape) {
    case CellShape::Triangle: return {{a, b, c}, {a, c, d}};
    case CellShape::Quadrilateral: return {{a, b, c, d}};
    case CellShape::Tetrahedron:
      return {{a, b, c, g}, {a, b, f, g}, {a, d, c, g}, {a, d, h, g}, {a, e, f, g}, {a, e, h, g}};
    case CellShape::Hexahedron: return {{a, b, c, d, e, f, g, h}};
    case CellShape::Wedge: return {{a, b, c, e, f, g}, {a, c, d, e, g, h}};
    default:
      return {{a, b, c, d, middle}, {e, f, g, h, middle}, {a, b, f, e, middle},
              {d, c, g, h, middle}, {a, d, h, e, middle}, {b, c, g, f, middle}};
  }
}

/// A point of the unit square or cube after a smooth deformation that leaves its boundary.
inline Point moved(const Point& x, int dimension) {
  double bubble = 1;
  for (int k = 0; k < dimension; ++k) bubble *= std::sin(M_PI * x[k]);
  constexpr Point direction{0.09, -0.07, 0.06};
  Point result = x;
  for (int k = 0; k < dimension; ++k) result[k] += direction[k] * bubble;
  return result;
}

/// The unit square or cube in n^D squares or cubes that are divided into cells, and deformed.
class StructuredMesh {
 public:
  StructuredMesh(CellShape shape, int n, Deformation deformation)
      : functions(mappingFunctions(shape, deformation)), _n(n) {
    const int d = dimensionOf(shape);
    for (int i = 0; i < (d == 3 ? n * n * n : n * n); ++i) {
      for (Polytope cell : divided(shape)) {
        for (Point& x : cell) {
          x = {(x[0] + i % n) / n, (x[1] + i / n % n) / n, d == 3 ? (x[2] + i / n / n) / n : 0};
        }
        _vertices.push_back(cell);
      }
    }
    const Numbers images = undeformed(nodesOf(functions));
    nodes = Numbers("CFD", images.extents());
    nodes.values() = images.values();
    if (deformation == Deformation::Affine) return;
    for (std::size_t at = 0; at < nodes.size(); at += d) {
      Point x{};
      for (int k = 0; k < d; ++k) x[k] = nodes.values()[at + k];
      x = moved(x, d);
      for (int k = 0; k < d; ++k) nodes.values()[at + k] = x[k];
    }
  }

  ReferenceBasis functions;  ///< of the nodes
  Numbers nodes;             ///< (C,F,D)

  std::size_t cells() const { return _vertices.size(); }

  /// Where points (P,D) of the reference cell are before the deformation, (C,P,D).
  Numbers undeformed(const Numbers& points) const {
    const ReferenceBasis linear = mappingFunctions(functions.shape, Deformation::Affine);
    const std::size_t d = points.extents()[1];
    Numbers vertices("CFD", {cells(), _vertices[0].size(), d});
    forEachPlace(vertices, [&](const Place& at) { vertices.at(at) = _vertices[at.c][at.f][at.d]; });
    return imagesOf(points, linear, vertices);
  }

  /// In each direction.
  int squares() const { return _n; }

 private:
  int _n;
  std::vector<Polytope> _vertices;
};

/// Degrees of freedom of HGRAD on a mesh: those of cells are one where they are at one point.
class Numbering {
 public:
  Numbering(const StructuredMesh& mesh, int order) {
    const ReferenceBasis basis{mesh.functions.shape, Kontract::FunctionSpace::HGRAD, order};
    const Numbers reference = nodesOf(basis), lattice = mesh.undeformed(reference),
                  positions = imagesOf(reference, mesh.functions, mesh.nodes);
    const int d = dimensionOf(basis.shape);
    // All are on a lattice of so many squares in each direction; middles of pyramids halve them.
    const int squares = 2 * order * mesh.squares();
    std::map<std::array<long, 3>, int> numbers;
    for (std::size_t c = 0; c < mesh.cells(); ++c) {
      cells.emplace_back();
      for (std::size_t f = 0; f < reference.extents()[0]; ++f) {
        std::array<long, 3> key{};
        Point position{};
        bool is_outer = false;
        for (int k = 0; k < d; ++k) {
          const Place at{c, 0, 0, f, std::size_t(k), 0};
          const double scaled = lattice.at(at) * squares;
          key[k] = std::lround(scaled);
          if (std::abs(scaled - double(key[k])) > 1e-6) throw std::logic_error("off the lattice");
          is_outer = is_outer || key[k] == 0 || key[k] == squares;
          position[k] = positions.at(at);
        }
        const auto [found, is_new] = numbers.insert({key, int(numbers.size())});
        cells.back().push_back(found->second);
        if (!is_new) continue;
        points.push_back(position);
        on_boundary.push_back(is_outer);
      }
    }
  }

  std::vector<std::vector<int>> cells;  ///< the number of each field
  std::vector<Point> points;
  std::vector<bool> on_boundary;

  int size() const { return static_cast<int>(points.size()); }
};

}  // namespace KontractTest

#endif
