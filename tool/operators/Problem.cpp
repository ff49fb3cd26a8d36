// SPDX-License-Identifier: BSD-3-Clause
#include "Problem.hpp"

#include <algorithm>
#include <cmath>

namespace KontractOperators {
namespace {

/// Numbers along each direction of one that counts the first direction fastest.
std::array<int, 3> indices(int number, int side) {
  return {number % side, number / side % side, number / side / side};
}

constexpr int of_corners = 8;  // of a cell

}  // namespace

const char* nameOf(Operation operation) {
  constexpr const char* names[] = {"cells", "global", "matrices"};
  return names[int(operation)];
}

const char* nameOf(Geometry geometry) {
  constexpr const char* names[] = {"factors", "Jacobians", "nodes"};
  return names[int(geometry)];
}

Point deformed(const Point& x) {
  const double bubble = std::sin(3 * x[0]) * std::sin(3 * x[1]) * std::sin(3 * x[2]);
  return {x[0] + 0.05 * bubble, x[1] + 0.1 * bubble, x[2] + 0.15 * bubble};
}

double functionAt(const Point& x) {
  return std::sin(7 * x[0] + 3 * x[1]) * std::cos(5 * x[2]) + x[0] * x[1];
}

Problem::Problem(Operation what, int of_order, int points_of_line, int cells_of_side, bool single)
    : operation(what),
      order(of_order),
      line_points(points_of_line),
      side(cells_of_side),
      is_single(single),
      rule(gaussRule(points_of_line)),
      functions(lagrange(lobattoNodes(of_order), rule.points)),
      corners(lagrange({-1, 1}, rule.points)),
      numbers(numbersOf(of_order)),
      corner_numbers(numbersOf(1)) {
  makeGeometry();
  makeVector();
}

std::vector<int> Problem::numbersOf(int of_order) const {
  const int lattice = of_order * side + 1, of_cell = cube(of_order + 1);
  std::vector<int> all;
  all.reserve(std::size_t(cells()) * of_cell);
  for (int c = 0; c < cells(); ++c) {
    const auto cell = indices(c, side);
    for (int f = 0; f < of_cell; ++f) {
      const auto field = indices(f, of_order + 1);
      const auto at = [&](int d) { return of_order * cell[d] + field[d]; };
      all.push_back(at(0) + lattice * (at(1) + lattice * at(2)));
    }
  }
  return all;
}

void Problem::makeGeometry() {
  for (int n = 0; n < nodes(); ++n) {
    const auto at = indices(n, side + 1);
    const Point x = deformed({double(at[0]) / side, double(at[1]) / side, double(at[2]) / side});
    coordinates.insert(coordinates.end(), x.begin(), x.end());
  }
  for (int p = 0; p < points(); ++p) {
    const auto at = indices(p, line_points);
    weights.push_back(rule.weights[at[0]] * rule.weights[at[1]] * rule.weights[at[2]]);
  }
  for (int n = 0; n < of_corners; ++n) {
    const auto function = indices(n, 2);
    for (int p = 0; p < points(); ++p) {
      const auto point = indices(p, line_points);
      for (int derived = 0; derived < 3; ++derived) {
        double value = 1;
        for (int d = 0; d < 3; ++d) {
          const int at = function[d] * line_points + point[d];
          value *= d == derived ? corners.derivatives[at] : corners.values[at];
        }
        gradients.push_back(value);
      }
    }
  }
}

void Problem::makeVector() {
  const LineTable at_nodes = lagrange({-1, 1}, lobattoNodes(order));
  // What a corner contributes to the place of a field.
  std::vector<double> shares;
  for (int f = 0; f < fields(); ++f) {
    const auto field = indices(f, order + 1);
    for (int n = 0; n < of_corners; ++n) {
      const auto corner = indices(n, 2);
      const auto along = [&](int d) { return at_nodes.values[corner[d] * (order + 1) + field[d]]; };
      shares.push_back(along(0) * along(1) * along(2));
    }
  }
  const bool is_global = operation == Operation::Global;
  vector.resize(is_global ? unknowns() : numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::size_t cell = i / fields(), field = i % fields();
    Point x{};
    for (int n = 0; n < of_corners; ++n) {
      const int node = corner_numbers[of_corners * cell + n];
      for (int d = 0; d < 3; ++d)
        x[d] += shares[of_corners * field + n] * coordinates[3 * node + d];
    }
    vector[is_global ? numbers[i] : i] = functionAt(x);
  }
}

double Problem::bytes(Geometry geometry) const {
  const double at_points = double(cells()) * points(), of_cells = double(cells()) * fields();
  const double of_geometry = geometry == Geometry::Factors     ? 6 * at_points
                             : geometry == Geometry::Jacobians ? 9 * at_points
                                                               : 3.0 * nodes();
  const double moved = operation == Operation::Cells    ? 2 * of_cells
                       : operation == Operation::Global ? 3.0 * unknowns()
                                                        : of_cells * fields();
  return scalarBytes() * (of_geometry + moved);
}

int sideFor(double bytes, Operation operation, int order, int line_points, double scalar_bytes) {
  const double points = 9.0 * Problem::cube(line_points);
  const double fields = Problem::cube(order + 1);
  const double of_cell =
      operation == Operation::Matrices ? std::max(points, fields * fields) : points;
  return std::max(2, int(std::cbrt(bytes / (scalar_bytes * of_cell)) + 1e-9));
}

}  // namespace KontractOperators
