// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_DRAWNBASIS_HPP
#define KONTRACT_TEST_DRAWNBASIS_HPP

#include <array>
#include <string>
#include <vector>

#include "FormChecker.hpp"

namespace KontractTest {

inline std::size_t product(const std::array<std::size_t, 3>& of, int dimension) {
  std::size_t product = 1;
  for (int d = 0; d < dimension; ++d) product *= of[d];
  return product;
}

/// One side's functions of one coordinate, random, with all their products.
template <class Here>
struct DrawnBasis {
  std::vector<Numbers> functions, derivatives;
  Numbers values, gradients;

  DrawnBasis(int dimension, const std::array<std::size_t, 3>& count,
             const std::array<std::size_t, 3>& points, char letter)
      : values(std::string{letter, 'P'}, {product(count, dimension), product(points, dimension)}),
        gradients(std::string{letter, 'P', 'D'},
                  {product(count, dimension), product(points, dimension), std::size_t(dimension)}) {
    for (int d = 0; d < dimension; ++d) {
      functions.push_back(randomTable(count[d], points[d]));
      derivatives.push_back(randomTable(count[d], points[d]));
    }
    forEachPlace(values, [&](const Place& at) { values.at(at) = valueAt(at, -1); });
    forEachPlace(gradients, [&](const Place& at) { gradients.at(at) = valueAt(at, int(at.d)); });
  }

  /// As Integration takes it; holds the arrays.
  auto basis() {
    if (_held.empty()) {
      for (const auto* tables : {&functions, &derivatives}) {
        for (const Numbers& table : *tables) _held.push_back(Here::place(table));
      }
    }
    switch (functions.size()) {
      case 1: return basisOf(std::array<std::size_t, 1>{0});
      case 2: return basisOf(std::array<std::size_t, 2>{0, 1});
      default: return basisOf(std::array<std::size_t, 3>{0, 1, 2});
    }
  }

 private:
  static Numbers randomTable(std::size_t functions, std::size_t points) {
    Numbers table("FP", {functions, points});
    for (double& x : table.values()) x = FormScalar(random().real());
    return table;
  }

  double valueAt(const Place& at, int derivative) const {
    double product = 1;
    std::size_t f = at.f, p = at.p;
    for (std::size_t d = 0; d < functions.size(); ++d) {
      const Numbers& table = int(d) == derivative ? derivatives[d] : functions[d];
      const std::size_t of_function = f % table.extents()[0], of_point = p % table.extents()[1];
      product *= table.at({0, of_function, 0, of_point, 0, 0});
      f /= table.extents()[0];
      p /= table.extents()[1];
    }
    return product;
  }

  template <std::size_t D>
  auto basisOf(const std::array<std::size_t, D>& directions) {
    std::array<typename Here::View, D> of_functions, of_derivatives;
    for (const std::size_t d : directions) {
      of_functions[d] = _held[d].dynRankView();
      of_derivatives[d] = _held[D + d].dynRankView();
    }
    return Kontract::tensorBasis(of_functions, of_derivatives);
  }

  std::vector<typename Here::Held> _held;
};

}  // namespace KontractTest

#endif
