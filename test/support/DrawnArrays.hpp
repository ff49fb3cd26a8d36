// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_DRAWNARRAYS_HPP
#define KONTRACT_TEST_DRAWNARRAYS_HPP

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <random>
#include <type_traits>
#include <vector>

#include "TrilinearGradients.hpp"

namespace KontractTest {

using Numbers = std::vector<long double>;
using Indices = std::array<std::size_t, 4>;

/// Numbers that are on the host as long doubles, and on the device.
template <class View>
struct Held {
  View view;
  Numbers numbers;  ///< the last index fastest
};

/// Draws numbers, and arrays of them in the memory of the default execution space.
template <class Real, class Layout>
class DrawnArrays {
 public:
  template <class T>
  using Array = Kokkos::View<T, Layout, Kokkos::DefaultExecutionSpace::memory_space>;

  explicit DrawnArrays(unsigned seed) : _random(seed) {}

  int draw(int first, int last) { return std::uniform_int_distribution<int>(first, last)(_random); }

  /// An array of numbers from -1 to 1, to which more(indices) is added.
  template <class T, class More>
  Held<Array<T>> drawn(const std::vector<int>& extents, const More& more) {
    std::uniform_real_distribution<double> any(-1, 1);
    return held<T>(extents, [&](const Indices& i) { return any(_random) + more(i); });
  }
  template <class T>
  Held<Array<T>> drawn(const std::vector<int>& extents) {
    return drawn<T>(extents, [](const Indices&) { return 0.; });
  }
  /// An array of number(indices).
  template <class T, class Number>
  Held<Array<T>> held(const std::vector<int>& extents, const Number& number) {
    constexpr std::size_t rank = Array<T>::rank;
    Indices e{1, 1, 1, 1}, i{};
    std::copy(extents.begin(), extents.end(), e.begin());
    Held<Array<T>> held{allocated<Array<T>>(e), {}};
    const auto host = Kokkos::create_mirror_view(held.view);
    for (i[0] = 0; i[0] < e[0]; ++i[0]) {
      for (i[1] = 0; i[1] < e[1]; ++i[1]) {
        for (i[2] = 0; i[2] < e[2]; ++i[2]) {
          for (i[3] = 0; i[3] < e[3]; ++i[3]) {
            Real& x = element(host, i, std::integral_constant<std::size_t, rank>());
            x = Real(number(i));
            held.numbers.push_back(x);
          }
        }
      }
    }
    Kokkos::deep_copy(held.view, host);
    return held;
  }

  /// Nodes of cells in space and gradients of their functions at points of a tensor product: four
  /// of any functions, or eight of trilinear ones. Jacobians are not singular.
  /// \param points  in each direction
  void drawNodes(int cells, const std::array<int, 3>& points) {
    const int all_points = points[0] * points[1] * points[2];
    if (draw(0, 1) == 0) {
      const auto far = [](std::size_t i, std::size_t j) { return i == j ? 5. : 0.; };
      _nodes = drawn<Real***>({cells, 4, 3}, [&](const Indices& i) { return far(i[1], i[2]); });
      _gradients =
          drawn<Real***>({4, all_points, 3}, [&](const Indices& i) { return far(i[0], i[2]); });
    } else {
      constexpr int count = TrilinearGradients::nodes;
      const TrilinearGradients of(points, [&](int first, int last) { return draw(first, last); });
      _nodes = drawn<Real***>(
          {cells, count, 3}, [&](const Indices& i) { return 4 * of.corner(int(i[1]), int(i[2])); });
      _gradients = held<Real***>({count, all_points, 3}, [&](const Indices& i) {
        return of.at(int(i[0]), int(i[1]), int(i[2]));
      });
    }
  }
  const Array<Real***>& nodes() const { return _nodes.view; }
  const Array<Real***>& gradients() const { return _gradients.view; }
  /// Adds the Jacobian of a point.
  void addNodes(int c, int p, long double (&jacobian)[9]) const {
    const std::size_t count = _nodes.view.extent(1), points = _gradients.view.extent(1);
    for (std::size_t n = 0; n < count; ++n) {
      for (std::size_t i = 0; i < 9; ++i) {
        jacobian[i] += _nodes.numbers[(std::size_t(c) * count + n) * 3 + i / 3] *
                       _gradients.numbers[(n * points + std::size_t(p)) * 3 + i % 3];
      }
    }
  }

 private:
  template <class View>
  static View allocated(const Indices& e) {
    if constexpr (View::rank == 1) {
      return View("drawn", e[0]);
    } else if constexpr (View::rank == 2) {
      return View("drawn", e[0], e[1]);
    } else if constexpr (View::rank == 3) {
      return View("drawn", e[0], e[1], e[2]);
    } else {
      return View("drawn", e[0], e[1], e[2], e[3]);
    }
  }
  template <class View, std::size_t rank>
  static auto& element(const View& view, const Indices& i,
                       std::integral_constant<std::size_t, rank>) {
    if constexpr (rank == 1) {
      return view(i[0]);
    } else if constexpr (rank == 2) {
      return view(i[0], i[1]);
    } else if constexpr (rank == 3) {
      return view(i[0], i[1], i[2]);
    } else {
      return view(i[0], i[1], i[2], i[3]);
    }
  }

  std::mt19937 _random;
  Held<Array<Real***>> _nodes, _gradients;
};

/// A matrix of three rows from a row of nine numbers, its inverse and determinant.
struct Jacobian {
  long double at[3][3], inverse[3][3], determinant;
  explicit Jacobian(const long double* of) {
    for (int i = 0; i < 9; ++i) at[i / 3][i % 3] = of[i];
    determinant = 0;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        const int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
        inverse[i][j] = at[a][c] * at[b][d] - at[a][d] * at[b][c];
      }
    }
    for (int i = 0; i < 3; ++i) determinant += at[0][i] * inverse[i][0];
    for (auto& row : inverse) {
      for (long double& x : row) x /= determinant;
    }
  }
};

}  // namespace KontractTest

#endif
