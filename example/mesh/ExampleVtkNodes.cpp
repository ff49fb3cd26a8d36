// SPDX-License-Identifier: BSD-3-Clause
#include "ExampleElement.hpp"

// The orders are those of VTK's cell types 10, 24 and 71 (tetrahedra), 12, 29 and 72 (hexahedra,
// as from file version 2.2 on): corners, then edges, faces and inside.

namespace Example {
namespace {

using Lattice = std::array<int, space_dim>;

/// Corners and edges of the tetrahedron; a lattice point is order times the reference point.
const Lattice tet_corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
const int tet_edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
/// Each face starts where VTK counts its inner points from.
const int tet_faces[4][3] = {{0, 1, 3}, {2, 3, 1}, {0, 3, 2}, {0, 2, 1}};

template <std::size_t N>
Lattice combine(const std::array<int, N>& corners, const std::array<int, N>& weights) {
  Lattice point{0, 0, 0};
  for (std::size_t i = 0; i < N; ++i)
    for (int d = 0; d < space_dim; ++d) point[d] += weights[i] * tet_corners[corners[i]][d];
  return point;
}

std::vector<Lattice> tetrahedronLattice(int p) {
  std::vector<Lattice> lattice;
  for (int corner = 0; corner < 4; ++corner) lattice.push_back(combine<1>({corner}, {p}));
  for (const auto& e : tet_edges)
    for (int i = 1; i < p; ++i) lattice.push_back(combine<2>({e[0], e[1]}, {p - i, i}));
  for (const auto& f : tet_faces) {
    if (p == 3) lattice.push_back(combine<3>({f[0], f[1], f[2]}, {1, 1, 1}));
    if (p == 4)
      for (int i = 0; i < 3; ++i)
        lattice.push_back(combine<3>({f[i], f[(i + 1) % 3], f[(i + 2) % 3]}, {2, 1, 1}));
  }
  if (p == 4) lattice.push_back({1, 1, 1});
  return lattice;
}

std::vector<Lattice> hexahedronLattice(int p) {
  std::vector<Lattice> lattice;
  const int square[4][2] = {{0, 0}, {p, 0}, {p, p}, {0, p}};
  for (const int k : {0, p})
    for (const auto& s : square) lattice.push_back({s[0], s[1], k});
  for (const int k : {0, p}) {
    for (int i = 1; i < p; ++i) lattice.push_back({i, 0, k});
    for (int i = 1; i < p; ++i) lattice.push_back({p, i, k});
    for (int i = 1; i < p; ++i) lattice.push_back({i, p, k});
    for (int i = 1; i < p; ++i) lattice.push_back({0, i, k});
  }
  for (const auto& s : square)
    for (int i = 1; i < p; ++i) lattice.push_back({s[0], s[1], i});
  for (int normal = 0; normal < space_dim; ++normal)
    for (const int side : {0, p})
      for (int j = 1; j < p; ++j)
        for (int i = 1; i < p; ++i) {
          Lattice point;
          point[normal] = side;
          point[normal == 0 ? 1 : 0] = i;
          point[normal == 2 ? 1 : 2] = j;
          lattice.push_back(point);
        }
  for (int k = 1; k < p; ++k)
    for (int j = 1; j < p; ++j)
      for (int i = 1; i < p; ++i) lattice.push_back({i, j, k});
  return lattice;
}

}  // namespace

ReferencePoints vtkNodes(Shape shape, int order) {
  const bool is_tet = shape == Shape::Tetrahedron;
  ReferencePoints points;
  for (const Lattice& l : is_tet ? tetrahedronLattice(order) : hexahedronLattice(order)) {
    std::array<double, space_dim> x;
    for (int d = 0; d < space_dim; ++d) {
      const double t = static_cast<double>(l[d]) / order;
      x[d] = is_tet ? t : 2 * t - 1;
    }
    points.push_back(x);
  }
  return points;
}

}  // namespace Example
