// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_SIDETABLES_HPP
#define KONTRACT_TEST_SIDETABLES_HPP

#include <array>
#include <vector>

namespace KontractTest {

using Point3 = std::array<double, 3>;

/// A reference cell: its vertices, and the vertices of its edges and faces in the order of Shards.
struct ReferenceSides {
  int dimension;
  std::vector<Point3> vertices;
  std::vector<std::vector<int>> edges, faces;

  /// Derivatives of the map from the reference segment [-1,1], triangle or square [-1,1]^2 to a
  /// side.
  std::vector<Point3> tangents(const std::vector<int>& side) const {
    const double scale = side.size() == 3 ? 1 : 0.5;
    const auto along = [&](int to) {
      Point3 difference{};
      for (int d = 0; d < 3; ++d) {
        difference[d] = scale * (vertices[side[to]][d] - vertices[side[0]][d]);
      }
      return difference;
    };
    if (side.size() == 2) return {along(1)};
    return {along(1), along(static_cast<int>(side.size()) - 1)};
  }
};

inline ReferenceSides triangleSides() {
  return {2, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1}, {1, 2}, {2, 0}}, {}};
}
inline ReferenceSides quadrilateralSides() {
  return {
      2, {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}}, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}, {}};
}
inline ReferenceSides tetrahedronSides() {
  return {3,
          {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
          {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}},
          {{0, 1, 3}, {1, 2, 3}, {0, 3, 2}, {0, 2, 1}}};
}
inline ReferenceSides hexahedronSides() {
  return {3,
          {{-1, -1, -1},
           {1, -1, -1},
           {1, 1, -1},
           {-1, 1, -1},
           {-1, -1, 1},
           {1, -1, 1},
           {1, 1, 1},
           {-1, 1, 1}},
          {{0, 1},
           {1, 2},
           {2, 3},
           {3, 0},
           {4, 5},
           {5, 6},
           {6, 7},
           {7, 4},
           {0, 4},
           {1, 5},
           {2, 6},
           {3, 7}},
          {{0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {0, 4, 7, 3}, {0, 3, 2, 1}, {4, 5, 6, 7}}};
}
inline ReferenceSides wedgeSides() {
  return {3,
          {{0, 0, -1}, {1, 0, -1}, {0, 1, -1}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}},
          {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 3}, {1, 4}, {2, 5}},
          {{0, 1, 4, 3}, {1, 2, 5, 4}, {0, 3, 5, 2}, {0, 2, 1}, {3, 4, 5}}};
}

}  // namespace KontractTest

#endif
