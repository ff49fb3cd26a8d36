// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_TRILINEARGRADIENTS_HPP
#define KONTRACT_TEST_TRILINEARGRADIENTS_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace KontractTest {

/// Gradients of the trilinear functions of the corners of [-1,1]^3, in any order, at points of a
/// tensor product, not all at one end of a direction. Some are not quite those: a kernel that takes
/// them for trilinear ones is wrong.
class TrilinearGradients {
 public:
  static constexpr int nodes = 8;

  /// \param points  in each direction
  /// \param draw    draw(first, last) is a number by chance
  template <class Draw>
  TrilinearGradients(const std::array<int, 3>& points, const Draw& draw) : _points(points) {
    constexpr int steps = 1000;
    for (std::size_t d = 0; d < 3; ++d) {
      const bool has_ends = points[d] > 1 && draw(0, 1) == 0;
      for (int i = 0; i < points[d]; ++i) {
        const bool is_end = has_ends && (i == 0 || i == points[d] - 1);
        _coordinates[d].push_back(is_end ? (i == 0 ? -1. : 1.)
                                         : draw(1 - steps, steps - 1) / double(steps));
      }
    }
    for (int n = 0; n < nodes; ++n) _corners[std::size_t(n)] = n;
    for (int n = nodes - 1; n > 0; --n) {
      std::swap(_corners[std::size_t(n)], _corners[std::size_t(draw(0, n))]);
    }
    if (draw(0, 3) == 0) {
      _moved = {draw(0, nodes - 1), draw(0, std::max(0, points[0] * points[1] * points[2] - 1)),
                draw(0, 2)};
    }
  }

  /// Whether none was moved.
  bool areExact() const { return _moved[0] < 0; }
  /// Coordinate d of a node.
  double corner(int node, int d) const {
    return (_corners[std::size_t(node)] >> d & 1) != 0 ? 1. : -1.;
  }
  double at(int node, int p, int d) const {
    const int places[3] = {p % _points[0], p / _points[0] % _points[1],
                           p / (_points[0] * _points[1])};
    double product = corner(node, d) / 8;
    for (int e = 0; e < 3; ++e) {
      const std::size_t place = std::size_t(places[e]);
      if (e != d) product *= 1 + corner(node, e) * _coordinates[std::size_t(e)][place];
    }
    const bool is_moved = node == _moved[0] && p == _moved[1] && d == _moved[2];
    return is_moved ? product + 1e-2 : product;
  }

 private:
  std::array<int, 3> _points;
  std::array<std::vector<double>, 3> _coordinates;
  std::array<int, nodes> _corners{};
  std::array<int, 3> _moved{-1, -1, -1};
};

}  // namespace KontractTest

#endif
