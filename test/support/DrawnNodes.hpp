// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_DRAWNNODES_HPP
#define KONTRACT_TEST_DRAWNNODES_HPP

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <array>
#include <cmath>

#include "KeepLargest.hpp"
#include "TrilinearGradients.hpp"

namespace KontractTest {

/// Cells whose mapping is that of nodes, one on each axis and a little of others.
/// \tparam Real  of all numbers
template <class Real, class Layout>
struct DrawnNodes {
  template <class T>
  using Array = Kokkos::View<T, Layout, Kokkos::HostSpace>;

  int count = 0;
  Array<Real***> nodes, gradients;  ///< (C,N,D) and (N,P or 1,D)
  Array<Real**> coordinates;        ///< of all nodes, each of one cell
  Array<int**> numbers;             ///< by which cells know those

  DrawnNodes() = default;
  /// \param array  array<T>(extents...) of numbers by chance from -1 to 1
  template <class Draw, class Drawn>
  DrawnNodes(int cells, int points, int dimension, const Draw& draw, Drawn& array)
      : count(dimension + draw(1, 5)) {
    gradients = array.template array<Real***>(count, draw(0, 2) == 0 ? 1 : points, dimension);
    for (std::size_t i = 0; i < gradients.size(); ++i) gradients.data()[i] *= Real(0.1);
    for (std::size_t p = 0; p < gradients.extent(1); ++p) {
      for (int d = 0; d < dimension; ++d) gradients(d, p, d) += Real(1);
    }
    place(cells, dimension, array, [](int n, int d) { return n == d ? 4. : 0.; });
  }
  /// Hexahedra whose functions are trilinear, or nearly so.
  /// \param points  in each direction
  template <class Draw, class Drawn>
  DrawnNodes(int cells, const std::array<int, 3>& points, const Draw& draw, Drawn& array)
      : count(TrilinearGradients::nodes) {
    const TrilinearGradients of(points, draw);
    const int all_points = points[0] * points[1] * points[2];
    gradients = Array<Real***>("gradients", std::size_t(count), std::size_t(all_points), 3);
    for (int n = 0; n < count; ++n) {
      for (int p = 0; p < all_points; ++p) {
        for (int d = 0; d < 3; ++d) gradients(n, p, d) = Real(of.at(n, p, d));
      }
    }
    place(cells, 3, array, [&](int n, int d) { return 4 * of.corner(n, d); });
  }

 private:
  /// Puts nodes where they are, at(node, d), and a little beside it.
  template <class Drawn, class At>
  void place(int cells, int dimension, Drawn& array, const At& at) {
    nodes = array.template array<Real***>(cells, count, dimension);
    coordinates = array.template array<Real**>(cells * count, dimension);
    numbers = Array<int**>("numbers", std::size_t(cells), std::size_t(count));
    for (int c = 0; c < cells; ++c) {
      for (int n = 0; n < count; ++n) {
        numbers(c, n) = count * (cells - 1 - c) + n;
        for (int d = 0; d < dimension; ++d) {
          nodes(c, n, d) += Real(at(n, d));
          coordinates(numbers(c, n), d) = nodes(c, n, d);
        }
      }
    }
  }
};

/// Makes Jacobians (C,P or 1,D,D) of numbers from -1 to 1 far from singular, of both orientations.
template <class Jacobians>
void moveFromSingular(const Jacobians& jacobians) {
  for (std::size_t c = 0; c < jacobians.extent(0); ++c) {
    for (std::size_t p = 0; p < jacobians.extent(1); ++p) {
      for (std::size_t d = 0; d < jacobians.extent(2); ++d) {
        jacobians(c, p, d, d) += typename Jacobians::non_const_value_type(c % 2 == 0 ? 4 : -4);
      }
    }
  }
}

/// The largest difference of elements, relative to the largest wanted one or 1; not a number if one
/// of them is none.
template <class View>
double differenceOfAll(const View& found, const View& wanted) {
  double largest = 1, difference = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const double error = std::abs(double(found.data()[i]) - double(wanted.data()[i]));
    largest = std::max(largest, std::abs(double(wanted.data()[i])));
    keepLargest(difference, error);
  }
  return difference / largest;
}

}  // namespace KontractTest

#endif
