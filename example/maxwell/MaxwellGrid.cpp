// SPDX-License-Identifier: BSD-3-Clause
#include "MaxwellGrid.hpp"

#include <algorithm>
#include <cmath>

namespace Maxwell {

GlobalOrdinal Grid::vertex(int i, int j, int k) const { return i + stride(1) * j + stride(2) * k; }

GlobalOrdinal Grid::stride(int direction) const {
  const GlobalOrdinal side = num_cells + 1;
  return direction == 0 ? 1 : direction == 1 ? side : side * side;
}

std::array<int, space_dim> Grid::position(GlobalOrdinal vertex) const {
  const GlobalOrdinal side = num_cells + 1;
  return {static_cast<int>(vertex % side), static_cast<int>(vertex / side % side),
          static_cast<int>(vertex / side / side)};
}

std::array<double, space_dim> Grid::coordinates(GlobalOrdinal vertex) const {
  const double pi = std::acos(-1.0);
  std::array<double, space_dim> x;
  double shift = bend;
  for (int d = 0; d < space_dim; ++d) {
    x[d] = static_cast<double>(position(vertex)[d]) / num_cells;
    shift *= std::sin(2 * pi * x[d]);
  }
  for (double& component : x) component += shift;
  return x;
}

GlobalOrdinal Grid::edge(GlobalOrdinal vertex, GlobalOrdinal other) const {
  const auto length = std::abs(other - vertex);
  const int direction = length == stride(0) ? 0 : length == stride(1) ? 1 : 2;
  return space_dim * std::min(vertex, other) + direction;
}

GlobalOrdinal Grid::higherVertex(GlobalOrdinal edge) const {
  return lowerVertex(edge) + stride(static_cast<int>(edge % space_dim));
}

bool Grid::isOnBoundary(GlobalOrdinal edge) const {
  const auto lower = position(lowerVertex(edge));
  const auto higher = position(higherVertex(edge));
  for (int d = 0; d < space_dim; ++d)
    if (lower[d] == higher[d] && (lower[d] == 0 || lower[d] == num_cells)) return true;
  return false;
}

}  // namespace Maxwell
