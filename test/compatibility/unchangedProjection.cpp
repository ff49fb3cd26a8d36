// SPDX-License-Identifier: BSD-3-Clause
//
// A program that knows Intrepid2 alone: its projection tools, on hexahedra whose nodes are numbered
// so that edges and faces have several orientations. Polynomials that a space holds come back,
// which is checked; the coefficients are printed, or compared with those of another build. Usage:
// unchangedProjection [file of results]

#include <Intrepid2_ProjectionTools.hpp>
// Its first header is one that Kontract wraps.
#include <Intrepid2_FunctionSpaceTools.hpp>
#include <Intrepid2_HCURL_HEX_In_FEM.hpp>
#include <Intrepid2_HGRAD_HEX_Cn_FEM.hpp>
#include <Intrepid2_Orientation.hpp>
#include <Intrepid2_OrientationTools.hpp>
#include <Intrepid2_RealSpaceTools.hpp>
#include <Kokkos_Core.hpp>
#include <Kokkos_DynRankView.hpp>
#include <Shards_CellTopology.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <type_traits>
#include <utility>

#include "KeepLargest.hpp"
#include "Results.hpp"

namespace Intrepid2::Experimental {}  // namespace Intrepid2::Experimental

namespace {

namespace Found {
using namespace Intrepid2;
using namespace Intrepid2::Experimental;
}  // namespace Found

using Device = Kokkos::Device<Kokkos::DefaultHostExecutionSpace, Kokkos::HostSpace>;
using Array = Kokkos::DynRankView<double, Device>;
using Orientations = Kokkos::DynRankView<Intrepid2::Orientation, Device>;
using Tools = Found::ProjectionTools<Device>;
using Projection = Found::ProjectionStruct<Device, double>;
using Vector = std::array<double, 3>;

/// Nodes of the cells in a mesh.
constexpr int cells = 3;
constexpr int nodes[cells][8] = {
    {0, 1, 2, 3, 4, 5, 6, 7}, {11, 3, 8, 1, 9, 0, 7, 2}, {5, 9, 6, 10, 2, 8, 4, 3}};

/// A cell is an affine image of the reference cell, x = origin + matrix X.
constexpr double matrix[3][3] = {{0.9, 0.2, -0.1}, {0.1, 1.1, 0.3}, {-0.2, 0.1, 0.8}};
Vector physical(int cell, const Vector& reference) {
  Vector x{2. * cell, -1. * cell, 0.5};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) x[i] += matrix[i][j] * reference[j];
  }
  return x;
}
/// Gradients and fields of edges, seen from the reference cell.
Vector pulledBack(const Vector& v) {
  Vector result{};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) result[i] += matrix[j][i] * v[j];
  }
  return result;
}

double scalarField(const Vector& x) { return x[0] * x[0] * x[1] - 2 * x[1] * x[2] * x[0] + x[2]; }
Vector gradient(const Vector& x) {
  return {2 * x[0] * x[1] - 2 * x[1] * x[2], x[0] * x[0] - 2 * x[2] * x[0], 1 - 2 * x[1] * x[0]};
}
Vector edgeField(const Vector& x) { return {x[1] - 2 * x[2], 1 + x[0] + x[2], 3 * x[0] - x[1]}; }

/// A function at the points (C,P,D) of all cells, as the reference cell sees it.
Array scalarsAt(const Array& points) {
  const Array values("scalars", cells, points.extent(1));
  for (int c = 0; c < cells; ++c) {
    for (int p = 0; p < int(points.extent(1)); ++p) {
      values(c, p) = scalarField(physical(c, {points(c, p, 0), points(c, p, 1), points(c, p, 2)}));
    }
  }
  return values;
}
template <class Field>
Array vectorsAt(const Array& points, const Field& field) {
  const Array values("vectors", cells, points.extent(1), 3);
  for (int c = 0; c < cells; ++c) {
    for (int p = 0; p < int(points.extent(1)); ++p) {
      const Vector x = physical(c, {points(c, p, 0), points(c, p, 1), points(c, p, 2)});
      const Vector value = pulledBack(field(x));
      for (int d = 0; d < 3; ++d) values(c, p, d) = value[d];
    }
  }
  return values;
}

// What differs between the releases of Intrepid2: Trilinos 13 has points of each cell, which
// ProjectionTools gives and wants back; later, ProjectionStruct has those of the reference cell.
template <class Struct, class = void>
struct HasPoints : std::false_type {};
template <class Struct>
struct HasPoints<Struct, std::void_t<decltype(std::declval<Struct&>().getAllEvalPoints())>>
    : std::true_type {};

struct Points {
  Array values, derivatives;  ///< (C,P,D)
};

/// \param ask asks the tools that it is given for points
template <class Struct, class Ask>
Points pointsOf(Struct& projection, const Ask& ask) {
  const Points points{
      Array("points", cells, projection.getNumTargetEvalPoints(), 3),
      Array("derivatives' points", cells, projection.getNumTargetDerivEvalPoints(), 3)};
  if constexpr (HasPoints<Struct>::value) {
    using Spaces = Intrepid2::RealSpaceTools<Device>;
    Spaces::clone(points.values, projection.getAllEvalPoints());
    if (points.derivatives.size() > 0) {
      Spaces::clone(points.derivatives, projection.getAllDerivEvalPoints());
    }
  } else {
    ask(Tools(), points);
  }
  return points;
}

/// \param call computes coefficients, given the points that it has to name
template <class Struct, class Call, class... Where>
void compute(const Struct&, const Call& call, const Where&... points) {
  if constexpr (HasPoints<Struct>::value) {
    call();
  } else {
    call(points...);
  }
}

Orientations orientationsOf(const shards::CellTopology& topology) {
  const Kokkos::DynRankView<Intrepid2::ordinal_type, Device> of_cells("nodes", cells, 8);
  for (int c = 0; c < cells; ++c) {
    for (int n = 0; n < 8; ++n) of_cells(c, n) = nodes[c][n];
  }
  const Orientations orientations("orientations", cells);
  Intrepid2::OrientationTools<Device>::getOrientation(orientations, of_cells, topology);
  return orientations;
}

/// Some points of each cell, (C,P,D).
Array somePoints() {
  const Array points("some points", cells, 4, 3);
  for (int c = 0; c < cells; ++c) {
    for (int p = 0; p < 4; ++p) {
      for (int d = 0; d < 3; ++d) points(c, p, d) = std::sin(3. * c + 5. * p + 7. * d);
    }
  }
  return points;
}

/// The field with some coefficients (C,F) at points (C,P,D), as the reference cell sees it.
template <class Basis>
void evaluate(const Array& values, const Basis& basis, const Orientations& orientations,
              const Array& coefficients, const Array& points) {
  const auto fields = basis.getCardinality();
  const auto number = points.extent(1);
  const bool is_scalar = values.rank() == 2;
  const Array reference =
      is_scalar ? Array("basis", fields, number) : Array("basis", fields, number, 3);
  const Array of_cells = is_scalar ? Array("of cells", cells, fields, number)
                                   : Array("of cells", cells, fields, number, 3);
  const Array oriented = is_scalar ? Array("oriented", cells, fields, number)
                                   : Array("oriented", cells, fields, number, 3);
  for (int c = 0; c < cells; ++c) {
    basis.getValues(reference, Kokkos::subview(points, c, Kokkos::ALL(), Kokkos::ALL()),
                    Intrepid2::OPERATOR_VALUE);
    for (int f = 0; f < fields; ++f) {
      for (std::size_t p = 0; p < number; ++p) {
        if (is_scalar) of_cells(c, f, p) = reference(f, p);
        for (int d = 0; d < 3 && !is_scalar; ++d) of_cells(c, f, p, d) = reference(f, p, d);
      }
    }
  }
  Intrepid2::OrientationTools<Device>::modifyBasisByOrientation(oriented, of_cells, orientations,
                                                                &basis);
  Intrepid2::FunctionSpaceTools<Device>::evaluate(values, coefficients, oriented);
}

/// Keeps coefficients, and checks that they give the field back.
template <class Basis>
bool take(KontractTest::Results& results, const std::string& name, const Basis& basis,
          const Orientations& orientations, const Array& coefficients, const Array& expected) {
  for (int c = 0; c < cells; ++c) {
    for (int f = 0; f < basis.getCardinality(); ++f) results.add(name, coefficients(c, f));
  }
  const Array values = expected.rank() == 2 ? Array("values", cells, expected.extent(1))
                                            : Array("values", cells, expected.extent(1), 3);
  evaluate(values, basis, orientations, coefficients, somePoints());
  double error = 0, largest = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    largest = std::max(largest, std::abs(expected.data()[i]));
    const double here = std::abs(values.data()[i] - expected.data()[i]);
    KontractTest::keepLargest(error, here);
  }
  if (error <= 1e-11 * largest) return true;
  std::printf("%s: the projection is wrong by %.1e, of %.1e\n", name.c_str(), error, largest);
  return false;
}

bool project(KontractTest::Results& results) {
  const Intrepid2::Basis_HGRAD_HEX_Cn_FEM<Device, double, double> scalars(3);
  const Intrepid2::Basis_HCURL_HEX_In_FEM<Device, double, double> edges(2);
  const Orientations orientations = orientationsOf(scalars.getBaseCellTopology());
  const Array of_scalars("coefficients", cells, scalars.getCardinality()),
      of_edges("coefficients of edges", cells, edges.getCardinality());
  const Array exact_scalars = scalarsAt(somePoints()),
              exact_edges = vectorsAt(somePoints(), edgeField);
  bool is_right = true;
  {
    Projection projection;
    projection.createHGradProjectionStruct(&scalars, 3, 2);
    const Points at = pointsOf(projection, [&](auto tools, const Points& p) {
      tools.getHGradEvaluationPoints(p.values, p.derivatives, orientations, &scalars, &projection);
    });
    const Array values = scalarsAt(at.values), gradients = vectorsAt(at.derivatives, gradient);
    compute(
        projection,
        [&](const auto&... points) {
          Tools::getHGradBasisCoeffs(of_scalars, values, gradients, points..., orientations,
                                     &scalars, &projection);
        },
        at.values, at.derivatives);
    is_right = take(results, "HGRAD", scalars, orientations, of_scalars, exact_scalars) && is_right;
  }
  {
    Projection projection;
    projection.createL2ProjectionStruct(&scalars, 3);
    const Points at = pointsOf(projection, [&](auto tools, const Points& p) {
      tools.getL2EvaluationPoints(p.values, orientations, &scalars, &projection);
    });
    const Array values = scalarsAt(at.values);
    compute(
        projection,
        [&](const auto&... points) {
          Tools::getL2BasisCoeffs(of_scalars, values, points..., orientations, &scalars,
                                  &projection);
        },
        at.values);
    is_right =
        take(results, "L2-HGRAD", scalars, orientations, of_scalars, exact_scalars) && is_right;
  }
  {
    Projection projection;
    projection.createL2ProjectionStruct(&edges, 2);
    const Points at = pointsOf(projection, [&](auto tools, const Points& p) {
      tools.getL2EvaluationPoints(p.values, orientations, &edges, &projection);
    });
    const Array values = vectorsAt(at.values, edgeField);
    compute(
        projection,
        [&](const auto&... points) {
          Tools::getL2BasisCoeffs(of_edges, values, points..., orientations, &edges, &projection);
        },
        at.values);
    is_right = take(results, "L2-HCURL", edges, orientations, of_edges, exact_edges) && is_right;
  }
  return is_right;
}

}  // namespace

int main(int argc, char* argv[]) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  try {
    KontractTest::Results results;
    if (!project(results)) return 1;
    return KontractTest::report(results, argc, argv);
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
    return 2;
  }
}
