// SPDX-License-Identifier: BSD-3-Clause
//
// Whether gradients are found to be those of trilinear functions, and Jacobians of such cells
// against the sums over nodes.

#include <Kokkos_Core.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "TrilinearGradients.hpp"
#include "detail/kernels/portable/Kontract_TrilinearCells.hpp"

namespace KontractTest {
namespace {

using Kontract::Impl::TrilinearCells;
using Kontract::Impl::TrilinearColumn;
using Kontract::Impl::TrilinearTable;

/// A table of gradients, found out by three threads one after another.
template <class Real>
class FoundTable {
 public:
  FoundTable(const std::array<int, 3>& points, const TrilinearGradients& gradients)
      : _memory(
            std::size_t(TrilinearCells::scratchNumbers(8, 0, points[0] + points[1] + points[2])),
            std::numeric_limits<Real>::quiet_NaN()),
        _points{points[0], points[1], points[2]},
        _table(_memory.data(), _points) {
    constexpr int threads = 3;
    const auto gradient = [&](int node, int p, int d) { return Real(gradients.at(node, p, d)); };
    for (int n = 0; n < threads; ++n) _table.findSigns(n, threads, gradient);
    for (int n = 0; n < threads; ++n) _table.findPoints(n, threads, gradient);
    for (int n = 0; n < threads; ++n) _table.compare(n, threads, gradient);
  }
  const TrilinearTable<Real>& operator*() const { return _table; }

 private:
  std::vector<Real> _memory;
  int _points[3];
  TrilinearTable<Real> _table;
};

/// \return whether gradients were those of trilinear functions
template <class Real>
bool check(unsigned seed, Teuchos::FancyOStream& out, bool& success) {
  std::mt19937 random(seed);
  const auto draw = [&](int first, int last) {
    return std::uniform_int_distribution<int>(first, last)(random);
  };
  const std::array<int, 3> points{draw(1, 5), draw(1, 5), draw(1, 5)};
  const TrilinearGradients gradients(points, draw);
  const FoundTable<Real> found(points, gradients);
  TEST_EQUALITY((*found).isTrilinear(), gradients.areExact());
  if (!gradients.areExact()) return false;

  constexpr int step = 5;  // of several cells side by side
  double nodes[8][3];
  std::vector<Real> vectors(TrilinearCells::vectors * 3 * step, Real(0));
  for (int i = 0; i < 3; ++i) {
    for (int n = 0; n < 8; ++n) {
      nodes[n][i] = double(Real(2 * gradients.corner(n, i) + draw(-100, 100) / 100.));
    }
    setTrilinear(
        *found, [&](int n) { return Real(nodes[n][i]); }, vectors.data() + i * step, 3 * step);
  }
  double worst = 0;
  for (int p = 0; p < points[0] * points[1] * points[2]; ++p) {
    const int first = p % points[0], second = p / points[0] % points[1];
    const TrilinearColumn<Real> column{vectors.data(), step, (*found).coordinates(0) + first,
                                       (*found).coordinates(1) + second, (*found).coordinates(2)};
    Real jacobian[3][3];
    column.ofPoint(p / (points[0] * points[1])).setJacobian(0, p, jacobian);
    for (int i = 0; i < 3; ++i) {
      for (int d = 0; d < 3; ++d) {
        double sum = 0;
        for (int n = 0; n < 8; ++n) sum += nodes[n][i] * gradients.at(n, p, d);
        worst = std::max(worst, std::abs(sum - double(jacobian[i][d])));
      }
    }
  }
  TEST_COMPARE(worst, <, 40 * double(std::numeric_limits<Real>::epsilon()));
  return true;
}

/// Gradients at the points of coordinates xi in all directions, to one of which a difference is
/// added. \return whether they were found to be trilinear
template <class Real, class Xi>
bool isTrilinear(const std::array<int, 3>& points, const Xi& xi, Real difference = 0) {
  std::vector<Real> memory(
      std::size_t(TrilinearCells::scratchNumbers(8, 0, points[0] + points[1] + points[2])));
  const int extents[3] = {points[0], points[1], points[2]};
  const TrilinearTable<Real> table(memory.data(), extents);
  const auto gradient = [&](int node, int p, int d) {
    const int at[3] = {p % points[0], p / points[0] % points[1], p / (points[0] * points[1])};
    Real product = (node >> d & 1) != 0 ? Real(0.125) : Real(-0.125);
    for (int e = 0; e < 3; ++e) {
      const Real x = Real(xi(at[e], points[std::size_t(e)]));
      if (e != d) product *= (node >> e & 1) != 0 ? 1 + x : 1 - x;
    }
    return node == 5 && p == 1 && d == 2 ? product + difference : product;
  };
  table.findSigns(0, 1, gradient);
  table.findPoints(0, 1, gradient);
  table.compare(0, 1, gradient);
  return table.isTrilinear();
}

template <class Real>
void checkLimits(Teuchos::FancyOStream& out, bool& success) {
  const Real epsilon = std::numeric_limits<Real>::epsilon();
  const auto line = [](int i, int count) { return -0.9 + 1.7 * i / count; };
  const auto ends = [](int i, int count) { return -1. + 2. * i / (count - 1); };
  TEST_ASSERT(isTrilinear<Real>({3, 4, 2}, line));
  TEST_ASSERT(isTrilinear<Real>({3, 4, 2}, line, epsilon));
  TEST_ASSERT(!isTrilinear<Real>({3, 4, 2}, line, 50 * epsilon));
  TEST_ASSERT(!isTrilinear<Real>({3, 4, 2}, line, -50 * epsilon));
  TEST_ASSERT(!isTrilinear<Real>({3, 4, 2}, line, std::numeric_limits<Real>::quiet_NaN()));
  TEST_ASSERT(isTrilinear<Real>({2, 2, 2}, ends));
  TEST_ASSERT(isTrilinear<Real>({3, 5, 4}, ends));
  // Ends that are a little outside leave derivatives of the other sign.
  for (const int side : {-1, 1}) {
    TEST_ASSERT(isTrilinear<Real>(
        {3, 2, 5}, [&](int i, int count) { return ends(i, count) * (1 + side * epsilon); }));
  }
  // Signs cannot be seen where all points are at one end.
  TEST_ASSERT(!isTrilinear<Real>({1, 1, 1}, [](int, int) { return 1.; }));
}

TEUCHOS_UNIT_TEST(TrilinearCells, limits) {
  checkLimits<double>(out, success);
  checkLimits<float>(out, success);
}

TEUCHOS_UNIT_TEST(TrilinearCells, byChance) {
  int trilinear = 0;
  for (unsigned seed = 0; seed < 400 && success; ++seed) {
    trilinear += check<double>(seed, out, success);
    trilinear += check<float>(seed, out, success);
    if (!success) out << "seed " << seed << "\n";
  }
  TEST_COMPARE(trilinear, >, 500);
  TEST_COMPARE(trilinear, <, 700);
}

}  // namespace
}  // namespace KontractTest
