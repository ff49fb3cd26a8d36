// SPDX-License-Identifier: BSD-3-Clause
//
// CellTools on Fads: derivatives of Jacobians, determinants, inverses and norms by the nodes
// against the rules of matrices, d det = det tr(J^-1 dJ) and d J^-1 = -J^-1 dJ J^-1, in long
// double.

#include "FadMirrors.hpp"

// Kontract after Sacado.
#include <Teuchos_UnitTestHarness.hpp>
#include <cmath>
#include <type_traits>

#include "KeepLargest.hpp"
#include "Kontract_CellTools.hpp"
#include "Kontract_RealSpaceTools.hpp"
#include "Scalars.hpp"

namespace KontractTest {
namespace {

using Device = Kokkos::DefaultExecutionSpace::device_type;
using Tools = Kontract::CellTools<Device>;
constexpr std::size_t cells = 7, nodes = 8, points = 5, dimension = 3;
constexpr int derivatives = 2;

double uniform() { return double(random().below(2001)) / 1000 - 1; }

struct Matrix {
  long double a[3][3] = {};
};
Matrix operator*(const Matrix& x, const Matrix& y) {
  Matrix product;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 3; ++k) product.a[i][j] += x.a[i][k] * y.a[k][j];
    }
  }
  return product;
}

template <class Layout, class Fad>
void checkFads(Teuchos::FancyOStream& out, bool& success) {
  using F4 = Kokkos::View<Fad****, Layout, Device>;
  using F3 = Kokkos::View<Fad***, Layout, Device>;
  using F2 = Kokkos::View<Fad**, Layout, Device>;
  const F3 coordinates("nodes", cells, nodes, dimension, derivatives + 1);
  const Kokkos::View<double***, Layout, Device> gradients("gradients", nodes, points, dimension);
  const F4 jacobian("jacobian", cells, points, dimension, dimension, derivatives + 1);
  const F4 inverse("inverse", cells, points, dimension, dimension, derivatives + 1);
  const F2 determinant("determinant", cells, points, derivatives + 1);
  writeOnHost(coordinates, [](const auto& here) {
    for (std::size_t c = 0; c < cells; ++c) {
      for (std::size_t n = 0; n < nodes; ++n) {
        for (std::size_t i = 0; i < dimension; ++i) {
          Fad x(derivatives, 0.2 * uniform() + double(n >> i & 1));
          for (int k = 0; k < derivatives; ++k) x.fastAccessDx(k) = uniform();
          here(c, n, i) = x;
        }
      }
    }
  });
  writeOnHost(gradients, [](const auto& here) {
    for (std::size_t n = 0; n < nodes; ++n) {
      for (std::size_t p = 0; p < points; ++p) {
        for (std::size_t j = 0; j < dimension; ++j) {
          here(n, p, j) = 0.25 * (double(n >> j & 1) - 0.5) * (1 + 0.1 * uniform());
        }
      }
    }
  });
  Tools::setJacobian(jacobian, coordinates, gradients);
  Tools::setJacobianDet(determinant, jacobian);
  Tools::setJacobianInv(inverse, jacobian);
  const auto x = readOnHost(coordinates);
  const auto slopes = readOnHost(gradients);
  const auto j_of = readOnHost(jacobian), inv = readOnHost(inverse);
  const auto det = readOnHost(determinant);
  long double worst = 0;
  const auto expect = [&](long double is, long double should_be) {
    const long double error = std::abs(is - should_be) / (1 + std::abs(should_be));
    keepLargest(worst, error);
  };
  for (std::size_t c = 0; c < cells; ++c) {
    for (std::size_t p = 0; p < points; ++p) {
      Matrix value, of_inverse;
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
          value.a[i][j] = j_of(c, p, i, j).val();
          of_inverse.a[i][j] = inv(c, p, i, j).val();
          long double sum = 0;
          for (std::size_t n = 0; n < nodes; ++n) {
            sum += static_cast<long double>(x(c, n, i).val()) * slopes(n, p, j);
          }
          expect(value.a[i][j], sum);
        }
      }
      const Matrix unit = of_inverse * value;
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) expect(unit.a[i][j], i == j ? 1 : 0);
      }
      for (int k = 0; k < derivatives; ++k) {
        Matrix change;
        for (std::size_t i = 0; i < 3; ++i) {
          for (std::size_t j = 0; j < 3; ++j) {
            for (std::size_t n = 0; n < nodes; ++n) {
              change.a[i][j] += static_cast<long double>(x(c, n, i).dx(k)) * slopes(n, p, j);
            }
            expect(j_of(c, p, i, j).dx(k), change.a[i][j]);
          }
        }
        const Matrix relative = of_inverse * change, of_change = relative * of_inverse;
        const long double trace = relative.a[0][0] + relative.a[1][1] + relative.a[2][2];
        expect(det(c, p).dx(k), det(c, p).val() * trace);
        for (std::size_t i = 0; i < 3; ++i) {
          for (std::size_t j = 0; j < 3; ++j) expect(inv(c, p, i, j).dx(k), -of_change.a[i][j]);
        }
      }
    }
  }
  TEST_COMPARE(worst, <, 1e-11);
}

TEUCHOS_UNIT_TEST(CellToolsFads, derivativesByNodes) {
  checkFads<Kokkos::LayoutRight, Sacado::Fad::DFad<double>>(out, success);
  checkFads<Kokkos::LayoutLeft, Sacado::Fad::SFad<double, derivatives>>(out, success);
}

}  // namespace
}  // namespace KontractTest
