// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_OPERATORS_LINE_HPP
#define KONTRACT_OPERATORS_LINE_HPP

#include <vector>

namespace KontractOperators {

/// Points in (-1, 1), increasing, and their weights.
struct Rule {
  std::vector<double> points, weights;
};

/// The cubature of Gauss and Legendre.
Rule gaussRule(int count);

/// Nodes of Gauss and Lobatto, the ends of the interval among them.
std::vector<double> lobattoNodes(int order);

/// Functions at points of a line, and their derivatives: value of function f at point q at
/// f points + q.
struct LineTable {
  int functions = 0, points = 0;
  std::vector<double> values, derivatives;
};

/// Functions of Lagrange: one at their node, zero at the others.
LineTable lagrange(const std::vector<double>& nodes, const std::vector<double>& points);

}  // namespace KontractOperators

#endif
