// SPDX-License-Identifier: BSD-3-Clause
//
// Forms of Intrepid2's bases on meshes: patch tests, and orders of convergence of projections and
// of solutions of a diffusion equation, on deformed meshes of all shapes of cells.

#include <Teuchos_UnitTestHarness.hpp>
#include <cmath>
#include <sstream>

#include "DeformedCells.hpp"
#include "DenseAlgebra.hpp"
#include "FormCalls.hpp"
#include "FormOracle.hpp"
#include "Projection.hpp"
#include "StructuredMesh.hpp"
#include "Tally.hpp"

namespace KontractTest {
namespace {

using Kontract::Form;
using Kontract::FunctionSpace;
using Term = FormOracle::Term;

/// HGRAD of an order on a mesh.
struct Discretization {
  StructuredMesh mesh;
  Numbering numbering;
  CellsAtPoints cells;
  Numbers values, gradients;

  /// The cubature integrates what the forms below make of constant coefficients exactly.
  Discretization(CellShape shape, int n, Deformation deformation, int order)
      : mesh(shape, n, deformation),
        numbering(mesh, order),
        cells(mesh.functions, mesh.nodes, 2 * order + 4),
        values(valuesAt(cells.cubature.points, {shape, FunctionSpace::HGRAD, order})),
        gradients(valuesAt(cells.cubature.points, {shape, FunctionSpace::HGRAD, order},
                           Derivative::Gradient)) {}

  std::size_t fields() const { return values.extents()[0]; }

  /// What cells have of a vector of all degrees of freedom, (C,F D) for D components of each.
  Numbers gathered(const std::vector<double>& all, std::size_t components) const {
    Numbers of_cells("CF", {mesh.cells(), fields() * components});
    for (std::size_t c = 0; c < mesh.cells(); ++c) {
      for (std::size_t f = 0; f < fields() * components; ++f) {
        const std::size_t number = numbering.cells[c][f / components];
        of_cells.at({c, f, 0, 0, 0, 0}) = all[number * components + f % components];
      }
    }
    return of_cells;
  }

  /// Sums of what cells have, (C,F D).
  std::vector<double> scattered(const std::vector<double>& of_cells, std::size_t components) const {
    std::vector<double> all(numbering.size() * components, 0);
    const std::size_t rows = fields() * components;
    for (std::size_t i = 0; i < of_cells.size(); ++i) {
      const std::size_t number = numbering.cells[i / rows][i % rows / components];
      all[number * components + i % components] += of_cells[i];
    }
    return all;
  }
};

/// Numbers of one point that are the same for all cells.
Numbers constant(const std::string& letters, std::size_t cells, const std::vector<double>& values) {
  const std::size_t d =
      letters.size() == 4 ? std::size_t(std::lround(std::sqrt(values.size()))) : values.size();
  std::vector<std::size_t> extents{cells, 1};
  extents.resize(letters.size(), d);
  Numbers numbers(letters, extents);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers.values()[i] = values[i % values.size()];
  return numbers;
}

std::vector<double> randomValues(std::size_t n) {
  std::vector<double> values(n);
  for (double& x : values) x = random().real();
  return values;
}

/// A linear function of each component at the degrees of freedom.
std::vector<double> linear(const Numbering& numbering, std::size_t dimension,
                           std::size_t components) {
  const std::vector<double> slopes = randomValues(dimension * components);
  std::vector<double> values;
  for (const Point& x : numbering.points) {
    for (std::size_t i = 0; i < components; ++i) {
      values.push_back(0.5);
      for (std::size_t k = 0; k < dimension; ++k) {
        values.back() += slopes[i * dimension + k] * x[k];
      }
    }
  }
  return values;
}

double largestOf(const std::vector<double>& values) {
  double largest = 0;
  for (const double x : values) {
    if (std::abs(x) > largest || std::isnan(x)) largest = std::abs(x);
  }
  return largest;
}

/// Inside a patch the sums over cells are zero, as products of matrices and as matrix-free ones.
void requireBalance(const Discretization& patch, const FormCalls& calls,
                    const std::vector<Term>& terms, const std::vector<double>& field,
                    std::size_t components, const std::string& name, Tally& tally) {
  const Numbers of_cells = patch.gathered(field, components);
  const std::size_t rows = of_cells.extents()[1];
  std::vector<double> by_matrices(of_cells.size(), 0), matrix_free(of_cells.size(), 0);
  for (const Term& term : terms) {
    const auto matrices = calls.matrices(patch.cells.arrays(), term);
    const auto products = calls.products(patch.cells.arrays(), term, of_cells);
    for (std::size_t i = 0; i < of_cells.size(); ++i) {
      matrix_free[i] += products[i];
      for (std::size_t j = 0; j < rows; ++j) {
        by_matrices[i] += matrices[i * rows + j] * of_cells.values()[i / rows * rows + j];
      }
    }
  }
  for (const std::vector<double>* forces : {&by_matrices, &matrix_free}) {
    std::vector<double> inside;
    const std::vector<double> sums = patch.scattered(*forces, components);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (!patch.numbering.on_boundary[i / components]) inside.push_back(sums[i]);
    }
    std::ostringstream wrong;
    const double error = largestOf(inside) / largestOf(*forces);
    if (!(error <= 1e-11)) wrong << "the sums inside are " << error << " of what cells give";
    if (inside.empty()) wrong << "the patch has nothing inside";
    tally.add(name, wrong.str());
  }
}

void checkPatch(CellShape shape, int order, Deformation deformation, Tally& tally) {
  const Discretization patch(shape, 2, deformation, order);
  const std::size_t cells = patch.mesh.cells(), d = patch.cells.dimension();
  const Numbers tensor = constant("CQDE", cells, randomValues(d * d)),
                velocity = constant("CQD", cells, randomValues(d)),
                lambda = constant("CQ", cells, {1.7}), mu = constant("CQ", cells, {0.6});
  const Numbers &v = patch.values, &g = patch.gradients;
  for (const auto& calls : allFormCalls()) {
    const std::string name = nameOf(shape) + " of order " + std::to_string(order) + ", " +
                             nameOf(deformation) + ", " + calls->name();
    requireBalance(patch, *calls, {{Form::gradGrad(), &g, &g, &tensor}},
                   linear(patch.numbering, d, 1), 1, name + ", gradGrad", tally);
    requireBalance(patch, *calls, {{Form::elasticity(), &g, &g, &lambda, &mu}},
                   linear(patch.numbering, d, d), d, name + ", elasticity", tally);
    requireBalance(
        patch, *calls,
        {{Form::advection(), &v, &g, &velocity}, {Form::advectionTransposed(), &g, &v, &velocity}},
        randomValues(patch.numbering.size()), 1, name + ", advection", tally);
  }
}

TEUCHOS_UNIT_TEST(FiniteElements, patchTestsPass) {
  Tally tally(out);
  for (const CellShape shape : cell_shapes) {
    for (int order = 1; order <= 3; ++order) {
      for (const Deformation deformation : {Deformation::Multilinear, Deformation::Quadratic}) {
        // Linear functions are among the fields where those that map cells are.
        const bool has_linear_fields = order >= mappingFunctions(shape, deformation).order;
        const bool is_there = ReferenceBasis{shape, FunctionSpace::HGRAD, order}.isThere() &&
                              mappingFunctions(shape, deformation).isThere();
        if (has_linear_fields && is_there) checkPatch(shape, order, deformation, tally);
      }
    }
  }
  TEST_ASSERT(tally.checks() >= 200);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

/// A smooth function of space, and its argument's gradient.
constexpr Point wave{2, 1, 0.5};
double smooth(const Point& x, double phase = 0.3) {
  return std::sin(wave[0] * x[0] + wave[1] * x[1] + wave[2] * x[2] + phase);
}

/// The smooth function at points of cells (C,P,D): (C,P), or (C,P,D) of one in each component.
Numbers smoothAt(const Numbers& points, bool is_vector) {
  Numbers values = is_vector ? points : Numbers("CP", {points.extents()[0], points.extents()[1]});
  forEachPlace(values, [&](const Place& at) {
    Point x{};
    for (std::size_t k = 0; k < points.extents()[2]; ++k) {
      x[k] = points.at({at.c, 0, 0, at.p, k, 0});
    }
    values.at(at) = smooth(x, 0.3 + double(at.d));
  });
  return values;
}

/// The root of the integral of squares of errors at points, given for each cell.
double normOf(const std::vector<WideVector>& errors, const CellsAtPoints& cells) {
  Wide sum = 0;
  for (std::size_t c = 0; c < errors.size(); ++c) {
    const WideVector measures = FormOracle(cells.arrays()).measures(c, cells.pointsOfCell());
    const std::size_t components = errors[c].size() / measures.size();
    for (std::size_t i = 0; i < errors[c].size(); ++i) {
      sum += measures[i / components] * errors[c][i] * errors[c][i];
    }
  }
  return double(std::sqrt(sum));
}

/// Requires that errors on n and 2 n squares in each direction are of an order.
void requireOrder(double coarse, double fine, int order, const std::string& name, Tally& tally) {
  const double observed = std::log2(coarse / fine);
  std::ostringstream wrong;
  if (!(observed >= order - 0.2)) {
    wrong << "the order is " << observed << " instead of " << order << ", the errors are " << coarse
          << " and " << fine;
  }
  tally.add(name, wrong.str());
}

double errorOfProjection(const ReferenceBasis& basis, int n, const FormCalls& calls) {
  const StructuredMesh mesh(basis.shape, n, Deformation::Multilinear);
  const CellsAtPoints cells(mesh.functions, mesh.nodes, 2 * basis.order + 4);
  const Numbers values = valuesAt(cells.cubature.points, basis);
  const Numbers given = smoothAt(cells.points, values.dimensions() == 1);
  return normOf(projectionErrors(calls, cells.arrays(), basis.space, values, given), cells);
}

TEUCHOS_UNIT_TEST(FiniteElements, projectionsConvergeAtTheirOrder) {
  Tally tally(out);
  for (const CellShape shape : cell_shapes) {
    const int d = dimensionOf(shape), n = d == 2 ? 4 : 2;
    for (const FunctionSpace space :
         {FunctionSpace::HGRAD, FunctionSpace::HCURL, FunctionSpace::HDIV, FunctionSpace::HVOL}) {
      for (int order = space == FunctionSpace::HVOL ? 0 : 1; order <= (d == 2 ? 3 : 2); ++order) {
        const ReferenceBasis basis{shape, space, order};
        if (!basis.isThere()) continue;
        const bool is_vector = space == FunctionSpace::HCURL || space == FunctionSpace::HDIV;
        for (const auto& calls : allFormCalls()) {
          const std::string name = nameOf(shape) + ", space " + std::to_string(int(space)) +
                                   " of order " + std::to_string(order) + ", " + calls->name();
          requireOrder(errorOfProjection(basis, n, *calls), errorOfProjection(basis, 2 * n, *calls),
                       is_vector ? order : order + 1, name, tally);
        }
      }
    }
  }
  TEST_ASSERT(tally.checks() >= 50);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

/// A system of all degrees of freedom.
struct System {
  DenseMatrix matrix;
  std::vector<double> load;
};

/// -div (tensor grad u) = f
System assembled(const Discretization& given, const FormCalls& calls, const Term& stiffness,
                 const Term& source) {
  const std::size_t fields = given.fields();
  System system{DenseMatrix(given.numbering.size(), given.numbering.size()),
                given.scattered(calls.vectors(given.cells.arrays(), source), 1)};
  const auto matrices = calls.matrices(given.cells.arrays(), stiffness);
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    const auto& numbers = given.numbering.cells[i / fields / fields];
    system.matrix(numbers[i / fields % fields], numbers[i % fields]) += matrices[i];
  }
  return system;
}

/// Solves for what is inside; the boundary is given.
std::vector<double> solution(const System& system, const Numbering& numbering) {
  std::vector<double> u(numbering.size());
  std::vector<int> inside;
  for (int i = 0; i < numbering.size(); ++i) {
    if (numbering.on_boundary[i]) {
      u[i] = smooth(numbering.points[i]);
    } else {
      inside.push_back(i);
    }
  }
  const int n = static_cast<int>(inside.size());
  DenseMatrix matrix(n, n), right(n, 1);
  for (int i = 0; i < n; ++i) {
    right(i, 0) = system.load[inside[i]];
    for (int j = 0; j < numbering.size(); ++j) {
      if (numbering.on_boundary[j]) right(i, 0) -= system.matrix(inside[i], j) * u[j];
    }
    for (int j = 0; j < n; ++j) matrix(i, j) = system.matrix(inside[i], inside[j]);
  }
  const DenseMatrix solved_for = solved(matrix, right);
  for (int i = 0; i < n; ++i) u[inside[i]] = solved_for(i, 0);
  return u;
}

double errorOfSolution(CellShape shape, int order, int n, Deformation deformation,
                       const FormCalls& calls) {
  const Discretization given(shape, n, deformation, order);
  const std::size_t d = given.cells.dimension();
  std::vector<double> conductivity(d * d, 0.3);
  double decay = 0;  // of the smooth function, wave . tensor wave
  for (std::size_t i = 0; i < d; ++i) {
    conductivity[i * d + i] = 1 + 0.2 * double(i);
    for (std::size_t k = 0; k < d; ++k) decay += wave[i] * wave[k] * conductivity[i * d + k];
  }
  const Numbers tensor = constant("CQDE", given.mesh.cells(), conductivity),
                exact = smoothAt(given.cells.points, false);
  Numbers source = exact;
  for (double& x : source.values()) x *= decay;
  const System system =
      assembled(given, calls, {Form::gradGrad(), &given.gradients, &given.gradients, &tensor},
                {Form::source(FunctionSpace::HGRAD), &given.values, nullptr, &source});
  const std::vector<double> u = solution(system, given.numbering);
  std::vector<WideVector> errors(given.mesh.cells());
  for (std::size_t c = 0; c < errors.size(); ++c) {
    for (std::size_t p = 0; p < given.cells.pointsOfCell(); ++p) {
      errors[c].push_back(-exact.at({c, 0, 0, p, 0, 0}));
      for (std::size_t f = 0; f < given.fields(); ++f) {
        errors[c].back() += u[given.numbering.cells[c][f]] * given.values.at({0, f, 0, p, 0, 0});
      }
    }
  }
  return normOf(errors, given.cells);
}

TEUCHOS_UNIT_TEST(FiniteElements, solutionsConvergeAtTheirOrder) {
  Tally tally(out);
  for (const CellShape shape : cell_shapes) {
    const bool is_flat = dimensionOf(shape) == 2;
    for (int order = 1; order <= (is_flat ? 3 : 2); ++order) {
      for (const Deformation deformation : {Deformation::Multilinear, Deformation::Quadratic}) {
        const bool is_there = ReferenceBasis{shape, FunctionSpace::HGRAD, order}.isThere() &&
                              mappingFunctions(shape, deformation).isThere();
        const bool is_isoparametric = order >= mappingFunctions(shape, deformation).order;
        if (!is_there || !is_isoparametric) continue;
        const int n = is_flat ? 8 / order : 4 / order;
        for (const auto& calls : allFormCalls()) {
          const std::string name = nameOf(shape) + " of order " + std::to_string(order) + ", " +
                                   nameOf(deformation) + ", " + calls->name();
          requireOrder(errorOfSolution(shape, order, n, deformation, *calls),
                       errorOfSolution(shape, order, 2 * n, deformation, *calls), order + 1, name,
                       tally);
        }
      }
    }
  }
  TEST_ASSERT(tally.checks() >= 30);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

}  // namespace
}  // namespace KontractTest
