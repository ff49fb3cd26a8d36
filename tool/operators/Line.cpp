// SPDX-License-Identifier: BSD-3-Clause
#include "Line.hpp"

#include <cmath>

namespace KontractOperators {
namespace {

constexpr int steps_of_newton = 50;
const double pi = std::acos(-1.0);

/// Legendre's polynomials of a degree and of the one before.
struct Legendre {
  double value = 1, before = 0;

  Legendre(int degree, double x) {
    for (int k = 1; k <= degree; ++k) {
      const double next = ((2 * k - 1) * x * value - (k - 1) * before) / k;
      before = value;
      value = next;
    }
  }
};

}  // namespace

Rule gaussRule(int count) {
  Rule rule;
  for (int i = 0; i < count; ++i) {
    double x = -std::cos(pi * (i + 0.75) / (count + 0.5)), slope = 1;
    for (int step = 0; step < steps_of_newton; ++step) {
      const Legendre at(count, x);
      slope = count * (x * at.value - at.before) / (x * x - 1);
      x -= at.value / slope;
    }
    rule.points.push_back(x);
    rule.weights.push_back(2 / ((1 - x * x) * slope * slope));
  }
  return rule;
}

std::vector<double> lobattoNodes(int order) {
  std::vector<double> nodes;
  for (int i = 0; i <= order; ++i) {
    double x = -std::cos(pi * i / order);
    // Inner ones are the zeros of the derivative of Legendre's polynomial.
    for (int step = 0; step < steps_of_newton && i > 0 && i < order; ++step) {
      const Legendre at(order, x);
      x -= (x * at.value - at.before) / ((order + 1) * at.value);
    }
    nodes.push_back(x);
  }
  return nodes;
}

LineTable lagrange(const std::vector<double>& nodes, const std::vector<double>& points) {
  LineTable table{int(nodes.size()), int(points.size()), {}, {}};
  for (int f = 0; f < table.functions; ++f) {
    for (const double x : points) {
      double value = 1, derivative = 0;
      for (int n = 0; n < table.functions; ++n) {
        if (n == f) continue;
        const double slope = 1 / (nodes[f] - nodes[n]);
        derivative = derivative * (x - nodes[n]) * slope + value * slope;
        value *= (x - nodes[n]) * slope;
      }
      table.values.push_back(value);
      table.derivatives.push_back(derivative);
    }
  }
  return table;
}

}  // namespace KontractOperators
