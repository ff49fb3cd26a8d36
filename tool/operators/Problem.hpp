// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_OPERATORS_PROBLEM_HPP
#define KONTRACT_OPERATORS_PROBLEM_HPP

#include <array>
#include <cstdint>
#include <vector>

#include "Line.hpp"

namespace KontractOperators {

/// What is computed: products of vectors (C,F) of all cells, products of vectors of all unknowns,
/// which cells gather and scatter, or element matrices.
enum class Operation { Cells, Global, Matrices };

/// What a call is given of the cells' geometry.
enum class Geometry { Factors, Jacobians, Nodes };

const char* nameOf(Operation operation);
const char* nameOf(Geometry geometry);

using Point = std::array<double, 3>;

/// Where a point of the unit cube is in the deformed one that all contestants have for a domain.
Point deformed(const Point& x);

/// The function of which the vector to multiply has the values at nodes.
double functionAt(const Point& x);

/// Diffusion on the hexahedra of a deformed cube, in a form that every contestant can take what it
/// needs from. Fields, points, nodes and cells count the first direction fastest.
struct Problem {
  Operation operation = Operation::Cells;
  int order = 1, line_points = 2;
  int side = 1;  ///< cells in each direction
  bool is_single = false;

  Rule rule;            ///< of a direction
  LineTable functions;  ///< of the order, on nodes of Gauss and Lobatto
  LineTable corners;    ///< of order one, on the ends: of the geometry

  std::vector<int> numbers;         ///< of the unknowns of cells, (C,F)
  std::vector<int> corner_numbers;  ///< of the nodes of cells, (C,8)
  std::vector<double> coordinates;  ///< (N,3)
  std::vector<double> weights;      ///< of the points of a cell, (P)
  std::vector<double> gradients;    ///< of functions of corners at points of a cell, (8,P,3)
  std::vector<double> vector;       ///< to multiply: of all unknowns or, for cells, (C,F)

  Problem(Operation operation, int order, int line_points, int side, bool is_single);

  int cells() const { return cube(side); }
  int fields() const { return cube(order + 1); }
  int points() const { return cube(line_points); }
  int unknowns() const { return cube(order * side + 1); }
  int nodes() const { return cube(side + 1); }
  double scalarBytes() const { return is_single ? 4 : 8; }

  /// Bytes that memory must move for one call: what it is given of the geometry, and vectors or
  /// matrices, once each. An output to which cells add is read, too.
  double bytes(Geometry geometry) const;

  static int cube(int n) { return n * n * n; }

 private:
  std::vector<int> numbersOf(int of_order) const;
  void makeGeometry();
  void makeVector();
};

/// Cells in each direction such that the largest array of any contestant takes about so many bytes.
int sideFor(double bytes, Operation operation, int order, int line_points, double scalar_bytes);

}  // namespace KontractOperators

#endif
