// SPDX-License-Identifier: BSD-3-Clause
//
// Kontract's tensor-product bases of HCURL and HDIV made of Intrepid2's bases on lines, against
// Intrepid2's bases on quadrilaterals and hexahedra: the same fields in the same order.

#include <Intrepid2_DerivedBasisFamily.hpp>
#include <Intrepid2_HCURL_HEX_In_FEM.hpp>
#include <Intrepid2_HCURL_QUAD_In_FEM.hpp>
#include <Intrepid2_HDIV_HEX_In_FEM.hpp>
#include <Intrepid2_HDIV_QUAD_In_FEM.hpp>
#include <Intrepid2_HGRAD_LINE_Cn_FEM.hpp>
#include <Intrepid2_HVOL_LINE_Cn_FEM.hpp>
#include <Intrepid2_NodalBasisFamily.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <array>
#include <cmath>
#include <random>

#include "KeepLargest.hpp"
#include "Kontract_Integration.hpp"

namespace KontractTest {
namespace {

using Kontract::Form;
using Kontract::FunctionSpace;
using Space = Kokkos::DefaultHostExecutionSpace;
using Device = Kokkos::Device<Space, Kokkos::HostSpace>;
using Integration = Kontract::Integration<Device>;
using View = Kokkos::DynRankView<double, Device>;
using Basis = Intrepid2::Basis<Device, double, double>;
using HgradLine = Intrepid2::Basis_HGRAD_LINE_Cn_FEM<Device, double, double>;
using HvolLine = Intrepid2::Basis_HVOL_LINE_Cn_FEM<Device, double, double>;
using Family = Intrepid2::DerivedNodalBasisFamily<Device, double, double>;

/// Points on a line, of no cubature.
View pointsOnLine(int count) {
  View points("points", count, 1);
  for (int q = 0; q < count; ++q) points(q, 0) = -0.93 + 1.81 * q / count;
  return points;
}

template <class LineBasis>
View valuesOnLine(const LineBasis& basis, const View& points) {
  View values("values", basis.getCardinality(), points.extent(0));
  basis.getValues(values, points, Intrepid2::OPERATOR_VALUE);
  return values;
}

/// Intrepid2's values at a grid of points, (F,P) or (F,P,D).
View valuesOf(const Basis& basis, int dimension, const View& line, Intrepid2::EOperator of,
              int components) {
  const std::size_t q = line.extent(0), count = dimension == 3 ? q * q * q : q * q;
  View points("points", count, dimension);
  for (std::size_t p = 0; p < count; ++p) {
    std::size_t rest = p;
    for (int d = 0; d < dimension; ++d, rest /= q) points(p, d) = line(rest % q, 0);
  }
  const auto fields = std::size_t(basis.getCardinality());
  const View values =
      components == 1 ? View("values", fields, count) : View("values", fields, count, components);
  basis.getValues(values, points, of);
  return values;
}

/// Compares the matrices of a tensor-product basis against arrays on the right with those of arrays
/// on both sides: both have the same fields if these are the same.
template <class Vectors>
void compare(const Form& form, const Vectors& basis, const View& values, int dimension,
             Teuchos::FancyOStream& out, bool& success) {
  static std::mt19937 engine(5);
  std::uniform_real_distribution<double> any(-0.2, 0.2);
  const std::size_t cells = 3, fields = values.extent(0), points = values.extent(1);
  View jacobians("jacobians", cells, points, dimension, dimension), weights("weights", points);
  for (std::size_t p = 0; p < points; ++p) {
    weights(p) = 1 + any(engine);
    for (std::size_t c = 0; c < cells; ++c) {
      for (int i = 0; i < dimension; ++i) {
        for (int j = 0; j < dimension; ++j) jacobians(c, p, i, j) = (i == j) + any(engine);
      }
    }
  }
  const auto geometry = Kontract::geometry(jacobians, weights);
  View expected("expected", cells, fields, fields), mixed("mixed", cells, fields, fields),
      both("both", cells, fields, fields);
  Integration::matrices(expected, geometry, Kontract::term(form, values, values));
  Integration::matrices(mixed, geometry, Kontract::term(form, basis, values));
  Integration::matrices(both, geometry, Kontract::term(form, basis, basis));
  double largest = 0, size = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    size = std::max(size, std::abs(expected.data()[i]));
    for (const View& found : {mixed, both}) {
      const double difference = std::abs(found.data()[i] - expected.data()[i]);
      keepLargest(largest, difference);
    }
  }
  TEST_ASSERT(size > 0.01);
  TEST_ASSERT(largest < 1e-12 * size);
}

/// \param basis    of Intrepid2
/// \param vectors  what it is said to be
template <class Vectors>
void compareBases(const Basis& basis, const Vectors& vectors, int dimension, const View& line,
                  Teuchos::FancyOStream& out, bool& success) {
  out << basis.getName() << "\n";
  const View values = valuesOf(basis, dimension, line, Intrepid2::OPERATOR_VALUE, dimension);
  compare(Form::mass(vectors.space), vectors, values, dimension, out, success);
  if (vectors.space == FunctionSpace::HCURL) {
    const View curls =
        valuesOf(basis, dimension, line, Intrepid2::OPERATOR_CURL, dimension == 3 ? 3 : 1);
    compare(Form::curlCurl(), vectors, curls, dimension, out, success);
  } else {
    const View divergences = valuesOf(basis, dimension, line, Intrepid2::OPERATOR_DIV, 1);
    compare(Form::divDiv(), vectors, divergences, dimension, out, success);
  }
}

/// Functions of one coordinate at points of a line.
struct Line {
  View points, closed, slopes, open;

  template <class OpenBasis>
  Line(const HgradLine& of_closed, const OpenBasis& of_open, int count)
      : points(pointsOnLine(count)),
        closed(valuesOnLine(of_closed, points)),
        slopes("slopes", closed.extent(0), closed.extent(1), 1),
        open(valuesOnLine(of_open, points)) {
    of_closed.getValues(slopes, points, Intrepid2::OPERATOR_GRAD);
  }
  template <int D>
  auto basis(FunctionSpace space) const {
    return Kontract::tensorBasis<D>(space, closed, slopes, open);
  }
};

TEUCHOS_UNIT_TEST(TensorBases, fieldsOfIntrepid2) {
  using namespace Intrepid2;
  for (int order = 1; order <= 4; ++order) {
    const Line line(HgradLine(order, POINTTYPE_EQUISPACED), HvolLine(order - 1, POINTTYPE_GAUSS),
                    order + 2);
    const auto check = [&](const Basis& basis, const auto& vectors, int dimension) {
      compareBases(basis, vectors, dimension, line.points, out, success);
    };
    check(Basis_HCURL_QUAD_In_FEM<Device, double, double>(order),
          line.basis<2>(FunctionSpace::HCURL), 2);
    check(Basis_HCURL_HEX_In_FEM<Device, double, double>(order),
          line.basis<3>(FunctionSpace::HCURL), 3);
    check(Basis_HDIV_QUAD_In_FEM<Device, double, double>(order),
          line.basis<2>(FunctionSpace::HDIV).withFamilies(std::array<int, 2>{1, 0}), 2);
    check(Basis_HDIV_HEX_In_FEM<Device, double, double>(order), line.basis<3>(FunctionSpace::HDIV),
          3);
  }
}

TEUCHOS_UNIT_TEST(TensorBases, fieldsOfDerivedBases) {
  for (int order = 1; order <= 3; ++order) {
    const Line line(Family::HGRAD_LINE(order), Family::HVOL_LINE(order - 1), order + 2);
    const auto check = [&](const Basis& basis, const auto& vectors, int dimension) {
      compareBases(basis, vectors, dimension, line.points, out, success);
    };
    check(Family::HCURL_QUAD(order), line.basis<2>(FunctionSpace::HCURL), 2);
    check(Family::HCURL_HEX(order), line.basis<3>(FunctionSpace::HCURL), 3);
    check(Family::HDIV_QUAD(order),
          line.basis<2>(FunctionSpace::HDIV)
              .withFamilies(std::array<int, 2>{1, 0}, std::array<int, 2>{-1, 1}),
          2);
    check(Family::HDIV_HEX(order),
          line.basis<3>(FunctionSpace::HDIV).withFamilies(std::array<int, 3>{2, 0, 1}), 3);
  }
}

}  // namespace
}  // namespace KontractTest
