// SPDX-License-Identifier: BSD-3-Clause
//
// What holds of forms of Intrepid2's bases on any cell, without another computation to compare
// with: symmetry, null spaces, exact sequences, energies, integration by parts, and polynomials
// that projections leave as they are.

#include <Teuchos_UnitTestHarness.hpp>
#include <functional>
#include <sstream>

#include "BasisSequence.hpp"
#include "DeformedCells.hpp"
#include "DenseAlgebra.hpp"
#include "FormCalls.hpp"
#include "FormOracle.hpp"
#include "Projection.hpp"
#include "Tally.hpp"

namespace KontractTest {
namespace {

using Kontract::Form;
using Kontract::FunctionSpace;
using Kontract::Pullback;
using Term = FormOracle::Term;

/// Errors relative to the largest entry: of sums, and of what systems with mass matrices give.
constexpr double tolerance = 1e-12, tolerance_of_solutions = 1e-9;

/// Cells of a shape, of both orientations, and the bases of an order on them.
struct Element {
  CellShape shape;
  int order;
  Deformation deformation;
  CellsAtPoints cells;
  BasisSequence sequence;
  Numbers jacobian;  ///< of affine cells, (C,1,D,D)

  /// The cubature integrates constant coefficients exactly: Jacobians of quadratic cells have up to
  /// two factors of degree two in each direction. Kernels of hosts have a way of their own for 16
  /// affine cells and more.
  Element(CellShape shape, int order, Deformation deformation)
      : shape(shape),
        order(order),
        deformation(deformation),
        cells(mappingFunctions(shape, deformation),
              deformedNodes(shape, deformation,
                            deformation == Deformation::Affine && order < 3 ? 18 : 2),
              2 * order + (deformation == Deformation::Affine ? 0 : 4)),
        sequence(shape, order, cells.cubature.points) {
    if (deformation != Deformation::Affine) return;
    jacobian = firstPointOf(jacobiansOf(cells.functions, cells.nodes, cells.cubature.points));
  }

  CellArrays arrays() const {
    if (deformation != Deformation::Affine) return cells.arrays();
    return {dimension(), &jacobian, nullptr, nullptr, &cells.cubature.weights};
  }
  std::string name() const {
    return nameOf(shape) + " of order " + std::to_string(order) + ", " + nameOf(deformation);
  }
  int dimension() const { return cells.dimension(); }
  /// Whether displacements and potentials that are linear in space are among its fields.
  bool hasLinearFields() const { return order >= cells.functions.order; }
  ReferenceBasis potentials() const { return {shape, FunctionSpace::HGRAD, order}; }
};

/// Calls of Integration for an element.
class Matrices {
 public:
  Matrices(const Element& element, const FormCalls& calls) : _element(element), _calls(calls) {}

  /// The matrix of each cell.
  std::vector<DenseMatrix> of(const Term& term) const {
    const std::size_t blocks = blocksOf(term, _element.dimension());
    return split(_calls.matrices(_element.arrays(), term), term.left->extent(&Place::f) * blocks,
                 term.right->extent(&Place::f) * blocks);
  }
  std::vector<DenseMatrix> of(const Form& form, const Numbers& left, const Numbers& right) const {
    return of(Term{form, &left, &right});
  }
  std::vector<WideVector> projectionErrors(FunctionSpace space, const Numbers& values,
                                           const Numbers& given) const {
    return KontractTest::projectionErrors(_calls, _element.arrays(), space, values, given);
  }

 private:
  std::vector<DenseMatrix> split(const std::vector<double>& all, std::size_t rows,
                                 std::size_t columns) const {
    std::vector<DenseMatrix> split;
    for (std::size_t c = 0; c < _element.cells.cells(); ++c) {
      split.push_back(cellMatrix(all, c, rows, columns));
    }
    return split;
  }

  const Element& _element;
  const FormCalls& _calls;
};

/// Adds a comparison to a tally; NaN is an error.
void require(Tally& tally, const std::string& name, double error, double tolerance) {
  std::ostringstream wrong;
  if (!(error <= tolerance)) wrong << "the error is " << error;
  tally.add(name, wrong.str());
}

using Check = std::function<void(const Element&, const Matrices&, const std::string& name, Tally&)>;

/// Makes a check of all elements, on all execution spaces and with all algorithms.
void checkAll(const Check& check, long at_least, Teuchos::FancyOStream& out, bool& success) {
  Tally tally(out);
  const auto all = allFormCalls();
  for (const CellShape shape : cell_shapes) {
    for (int order = 1; order <= 4; ++order) {
      if (!ReferenceBasis{shape, FunctionSpace::HGRAD, order}.isThere()) continue;
      for (const Deformation deformation : deformationsOf(shape)) {
        const Element element(shape, order, deformation);
        for (const auto& calls : all) {
          check(element, Matrices(element, *calls), element.name() + ", " + calls->name(), tally);
        }
      }
    }
  }
  TEST_ASSERT(tally.checks() >= at_least);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

/// Numbers near one, the same for all cells.
Numbers constant(const std::string& letters, std::size_t cells, std::size_t dimension) {
  std::vector<std::size_t> extents{cells, 1};
  extents.resize(letters.size(), dimension);
  Numbers numbers(letters, extents), first(letters, extents);
  for (double& x : first.values()) x = 1 + 0.4 * random().real();
  forEachPlace(numbers, [&](Place at) {
    double& x = numbers.at(at);
    at.c = 0;
    x = first.at(at);
  });
  return numbers;
}

/// Flat copies one half of a symmetric matrix; others may compute both, where that is faster.
void checkSymmetry(const Element& element, const Matrices& matrices, const std::string& name,
                   Tally& tally) {
  const double symmetry = name.find("Flat") == std::string::npos ? 1e-14 : 0;
  const BasisSequence& s = element.sequence;
  const std::size_t cells = element.cells.cells(), d = element.dimension();
  Numbers scalar("CP", {cells, element.cells.pointsOfCell()}), diagonal = constant("CQD", cells, d);
  for (double& x : scalar.values()) x = 1 + 0.4 * random().real();
  const std::vector<Term> terms{
      {Form::mass(FunctionSpace::HGRAD), &s.values, &s.values, &scalar},
      {Form::mass(FunctionSpace::HCURL), &s.edge_values, &s.edge_values},
      {Form::mass(FunctionSpace::HDIV), &s.face_values, &s.face_values, &diagonal},
      {Form::mass(FunctionSpace::HVOL), &s.volume_values, &s.volume_values},
      {Form::gradGrad(), &s.gradients, &s.gradients},
      {Form::gradGrad(), &s.gradients, &s.gradients, &diagonal},
      {Form::curlCurl(), &s.curls, &s.curls, &scalar},
      {Form::divDiv(), &s.divergences, &s.divergences},
      {Form::elasticity(), &s.gradients, &s.gradients, &scalar, &scalar}};
  for (const Term& term : terms) {
    if (term.left->size() == 0) continue;
    for (const DenseMatrix& matrix : matrices.of(term)) {
      const DenseMatrix transposed(matrix, Teuchos::TRANS);
      require(tally, name + ", term " + std::to_string(&term - terms.data()),
              distance(transposed, matrix), symmetry);
    }
  }
}

/// Where fields have their nodes, as points: (C,P,D).
Numbers positionsOf(const Element& element) {
  return imagesOf(nodesOf(element.potentials()), element.cells.functions, element.cells.nodes);
}

using Displacement = std::function<double(const std::vector<double>& x, std::size_t component)>;

/// A displacement as a column.
DenseMatrix columnOf(const Displacement& displacement, const Numbers& positions, std::size_t cell) {
  const std::size_t fields = positions.extents()[1], d = positions.extents()[2];
  DenseMatrix column(int(fields * d), 1);
  for (std::size_t f = 0; f < fields; ++f) {
    std::vector<double> x(d);
    for (std::size_t k = 0; k < d; ++k) x[k] = positions.at({cell, 0, 0, f, k, 0});
    for (std::size_t i = 0; i < d; ++i) column(int(f * d + i), 0) = displacement(x, i);
  }
  return column;
}

/// Translations and rotations.
std::vector<Displacement> rigidMotions(std::size_t d) {
  std::vector<Displacement> motions;
  for (std::size_t k = 0; k < d; ++k) {
    motions.push_back([=](const auto&, std::size_t i) { return i == k ? 1 : 0; });
    for (std::size_t l = 0; l < k; ++l) {
      motions.push_back(
          [=](const auto& x, std::size_t i) { return i == k ? x[l] : (i == l ? -x[k] : 0); });
    }
  }
  return motions;
}

DenseMatrix ones(int rows) {
  DenseMatrix column(rows, 1);
  column.putScalar(1);
  return column;
}

void checkNullSpaces(const Element& element, const Matrices& matrices, const std::string& name,
                     Tally& tally) {
  const BasisSequence& s = element.sequence;
  const std::size_t cells = element.cells.cells(), d = element.dimension();
  const Numbers tensor = constant("CQDE", cells, d), vector = constant("CQD", cells, d),
                lambda = constant("CQ", cells, d), mu = constant("CQ", cells, d);
  const auto stiffness = matrices.of({Form::gradGrad(), &s.gradients, &s.gradients, &tensor});
  const auto advection = matrices.of({Form::advection(), &s.values, &s.gradients, &vector});
  const auto elasticity =
      matrices.of({Form::elasticity(), &s.gradients, &s.gradients, &lambda, &mu});
  const Numbers positions = positionsOf(element);
  for (std::size_t c = 0; c < cells; ++c) {
    for (const DenseMatrix& matrix : {stiffness[c], advection[c]}) {
      const double error = largestOf(product(matrix, ones(matrix.numCols())));
      require(tally, name + ", constants", error / largestOf(matrix), tolerance);
    }
    if (!element.hasLinearFields()) continue;
    for (const Displacement& motion : rigidMotions(d)) {
      const DenseMatrix column = columnOf(motion, positions, c);
      const double error = largestOf(product(elasticity[c], column));
      require(tally, name + ", rigid motion",
              error / (largestOf(elasticity[c]) * largestOf(column)), tolerance);
    }
  }
}

/// Linear fields have constant gradients: their energies are those times the cell's volume.
void checkEnergies(const Element& element, const Matrices& matrices, const std::string& name,
                   Tally& tally) {
  if (!element.hasLinearFields()) return;
  const BasisSequence& s = element.sequence;
  const std::size_t cells = element.cells.cells(), d = element.dimension();
  const Numbers tensor = constant("CQDE", cells, d), lambda = constant("CQ", cells, d),
                mu = constant("CQ", cells, d), positions = positionsOf(element);
  const auto mass = matrices.of(Form::mass(FunctionSpace::HGRAD), s.values, s.values);
  const auto stiffness = matrices.of({Form::gradGrad(), &s.gradients, &s.gradients, &tensor});
  const auto elasticity =
      matrices.of({Form::elasticity(), &s.gradients, &s.gradients, &lambda, &mu});
  const auto energy = [](const DenseMatrix& matrix, const DenseMatrix& left,
                         const DenseMatrix& right) {
    return product(left, product(matrix, right), true)(0, 0);
  };
  for (std::size_t c = 0; c < cells; ++c) {
    const DenseMatrix one = ones(mass[c].numRows());
    const double volume = energy(mass[c], one, one);
    for (std::size_t k = 0; k < d; ++k) {
      for (std::size_t l = 0; l < d; ++l) {
        DenseMatrix along_k(one), along_l(one);
        for (int f = 0; f < one.numRows(); ++f) {
          along_k(f, 0) = positions.at({c, 0, 0, std::size_t(f), k, 0});
          along_l(f, 0) = positions.at({c, 0, 0, std::size_t(f), l, 0});
        }
        const double expected = tensor.at({c, 0, 0, 0, k, l}) * volume;
        require(tally, name + ", energy of potentials",
                std::abs(energy(stiffness[c], along_k, along_l) / expected - 1), 1e-10);
        const DenseMatrix column =
            columnOf([=](const auto& x, std::size_t i) { return i == k ? x[l] : 0; }, positions, c);
        const double of_strain = k == l ? lambda.values()[0] + 2 * mu.values()[0] : mu.values()[0];
        require(tally, name + ", energy of displacements",
                std::abs(energy(elasticity[c], column, column) / (of_strain * volume) - 1), 1e-10);
      }
    }
  }
}

/// A derivative from one space to the next of an exact sequence.
struct Link {
  std::string name;
  Form mass;              ///< of the next space
  const Numbers* values;  ///< of the next space
  Form mixed;
  const Numbers* derivatives;
  Form stiffness;  ///< derivatives on both sides
};

/// The sequences of a dimension, from HGRAD to HVOL; shorter where Intrepid2 lacks a basis.
std::vector<std::vector<Link>> sequencesOf(const BasisSequence& s, int dimension) {
  const Form curls_in_divergences = Form::product(Pullback::Contravariant, Pullback::Curl),
             curls_in_volumes = Form::product(Pullback::Density, Pullback::Curl),
             rotated = Form::product(Pullback::Contravariant, Pullback::Contravariant);
  const Link grad{"grad",         Form::mass(FunctionSpace::HCURL),
                  &s.edge_values, Form::gradient(),
                  &s.gradients,   Form::gradGrad()},
      curl{"curl",         Form::mass(FunctionSpace::HDIV),
           &s.face_values, curls_in_divergences,
           &s.curls,       Form::curlCurl()},
      div{"div",
          Form::mass(FunctionSpace::HVOL),
          &s.volume_values,
          Form::divergence(),
          &s.divergences,
          Form::divDiv()},
      rot{"rot",  Form::mass(FunctionSpace::HDIV), &s.face_values, rotated, &s.rotated_gradients,
          rotated},
      curl_in_plane{"curl",           Form::mass(FunctionSpace::HVOL),
                    &s.volume_values, curls_in_volumes,
                    &s.curls,         Form::curlCurl()};
  std::vector<std::vector<Link>> sequences{{grad, curl, div}};
  if (dimension == 2) sequences = {{grad, curl_in_plane}, {rot, div}};
  for (std::vector<Link>& sequence : sequences) {
    for (std::size_t i = 0; i < sequence.size(); ++i) {
      if (sequence[i].values->size() == 0 || sequence[i].derivatives->size() == 0) {
        sequence.resize(i);
      }
    }
  }
  return sequences;
}

/// How many eigenvalues of a matrix that has no negative ones are zero.
/// \return -1 if that cannot be told
int kernelOf(const DenseMatrix& matrix) {
  const std::vector<double> eigenvalues = eigenvaluesOf(matrix);
  const double largest = eigenvalues.back();
  int zeros = 0;
  for (const double x : eigenvalues) {
    if (std::abs(x) <= 1e-12 * largest) {
      ++zeros;
    } else if (!(x >= 1e-9 * largest)) {
      return -1;
    }
  }
  return zeros;
}

/// Derivatives are in the next space, so that the stiffness is that of their projections; two in
/// turn are zero; and what a derivative makes zero is what the one before it gives.
void checkExactSequences(const Element& element, const Matrices& matrices, const std::string& name,
                         Tally& tally) {
  for (const std::vector<Link>& sequence : sequencesOf(element.sequence, element.dimension())) {
    std::vector<DenseMatrix> before;
    int kernel = 1;
    for (const Link& link : sequence) {
      const auto mass = matrices.of(link.mass, *link.values, *link.values),
                 mixed = matrices.of(link.mixed, *link.values, *link.derivatives),
                 stiffness = matrices.of(link.stiffness, *link.derivatives, *link.derivatives);
      const std::string what = name + ", " + link.name;
      std::vector<DenseMatrix> derivatives;
      for (std::size_t c = 0; c < mass.size(); ++c) {
        const DenseMatrix derivative = solved(mass[c], mixed[c]);
        require(tally, what + ", projection",
                distance(product(derivative, mixed[c], true), stiffness[c]),
                tolerance_of_solutions);
        if (!before.empty()) {
          require(tally, what + ", twice",
                  largestOf(product(derivative, before[c])) /
                      (largestOf(derivative) * largestOf(before[c])),
                  tolerance_of_solutions);
          require(tally, what + ", stiffness of derivatives",
                  largestOf(product(stiffness[c], before[c])) /
                      (largestOf(stiffness[c]) * largestOf(before[c])),
                  tolerance_of_solutions);
        }
        const int zeros = kernelOf(stiffness[c]);
        tally.add(what + ", kernel", zeros == kernel ? ""
                                                     : "it is " + std::to_string(zeros) +
                                                           " instead of " + std::to_string(kernel));
        derivatives.push_back(derivative);
      }
      before = derivatives;
      kernel = int(link.derivatives->extent(&Place::f)) - kernel;
    }
    const bool is_whole = int(sequence.size()) == (element.dimension() == 3 ? 3 : 2);
    if (is_whole) {
      // The last derivative gives the whole of HVOL.
      const int volumes = int(element.sequence.volume_values.extent(&Place::f));
      tally.add(name + ", last space", kernel == volumes ? "" : "its size is another");
    }
  }
}

void checkKernelOfElasticity(const Element& element, const Matrices& matrices,
                             const std::string& name, Tally& tally) {
  if (!element.hasLinearFields()) return;
  const Numbers& gradients = element.sequence.gradients;
  const Numbers lame = constant("CQ", element.cells.cells(), 0);
  const int motions = element.dimension() == 2 ? 3 : 6;
  for (const DenseMatrix& matrix :
       matrices.of({Form::elasticity(), &gradients, &gradients, &lame, &lame})) {
    const int kernel = kernelOf(matrix);
    tally.add(name, kernel == motions ? "" : "the kernel is " + std::to_string(kernel));
  }
}

/// Integration by parts with fields q of HGRAD that vanish on the boundary: sums of both sides.
std::vector<std::pair<Term, Term>> partsOf(const Element& element, const Numbers& vector,
                                           const Numbers& cross, const Numbers& minus) {
  const BasisSequence& s = element.sequence;
  std::vector<std::pair<Term, Term>> parts{
      // (q, b . grad u) + (b . grad q, u)
      {{Form::advection(), &s.values, &s.gradients, &vector},
       {Form::advectionTransposed(), &s.gradients, &s.values, &vector}},
      // (q, div u) + (grad q, u)
      {{Form::product(Pullback::Scalar, Pullback::Density), &s.values, &s.divergences},
       {Form::product(Pullback::Covariant, Pullback::Contravariant), &s.gradients,
        &s.face_values}}};
  if (element.dimension() == 2) {
    // (q, curl u) - (rot q, u)
    parts.push_back({{Form::product(Pullback::Scalar, Pullback::Curl), &s.values, &s.curls},
                     {Form::product(Pullback::Contravariant, Pullback::Covariant),
                      &s.rotated_gradients, &s.edge_values, &minus}});
  } else {
    // (q, b . curl u) - (grad q, b x u), from curl (q b) = grad q x b
    parts.push_back(
        {{Form::product(Pullback::Scalar, Pullback::Curl), &s.values, &s.curls, &vector},
         {Form::product(Pullback::Covariant, Pullback::Covariant), &s.gradients, &s.edge_values,
          &cross}});
  }
  return parts;
}

void checkIntegrationByParts(const Element& element, const Matrices& matrices,
                             const std::string& name, Tally& tally) {
  const std::vector<std::size_t> inside = insideFields(element.potentials());
  if (inside.empty()) return;
  const std::size_t cells = element.cells.cells(), d = element.dimension();
  const Numbers vector = constant("CQD", cells, d);
  Numbers cross("CQDE", {cells, 1, d, d}), minus("CQ", {cells, 1});
  minus.values().assign(cells, -1);
  for (std::size_t c = 0; c < cells; ++c) {
    for (std::size_t k = 0; k < d; ++k) {
      const double b = vector.at({c, 0, 0, 0, k, 0});
      cross.at({c, 0, 0, 0, (k + 1) % d, (k + 2) % d}) = b;  // minus of b x
      cross.at({c, 0, 0, 0, (k + 2) % d, (k + 1) % d}) = -b;
    }
  }
  for (const auto& [one, other] : partsOf(element, vector, cross, minus)) {
    if (one.right->size() == 0 || other.right->size() == 0) continue;
    const auto a = matrices.of(one), b = matrices.of(other);
    for (std::size_t c = 0; c < cells; ++c) {
      double error = 0;
      for (const std::size_t row : inside) {
        for (int column = 0; column < a[c].numCols(); ++column) {
          const double sum = a[c](int(row), column) + b[c](int(row), column);
          if (!(std::abs(sum) <= error)) error = std::abs(sum);
        }
      }
      require(tally, name, error / largestOf(a[c]), tolerance);
    }
  }
}

/// A polynomial of that degree in each component: (1 + a . x)^degree.
Numbers polynomial(const Numbers& points, int degree, bool is_vector) {
  const std::size_t d = points.extents()[2];
  Numbers directions("DE", {d, d});
  for (double& x : directions.values()) x = 0.5 * random().real();
  Numbers values = is_vector ? points : Numbers("CP", {points.extents()[0], points.extents()[1]});
  forEachPlace(values, [&](const Place& at) {
    double base = 1;
    for (std::size_t k = 0; k < d; ++k) {
      base += directions.at({0, 0, 0, 0, at.d, k}) * points.at({at.c, 0, 0, at.p, k, 0});
    }
    values.at(at) = std::pow(base, degree);
  });
  return values;
}

/// Polynomials of a space's order are what mass matrices and sources make of them.
void checkProjections(const Element& element, const Matrices& matrices, const std::string& name,
                      Tally& tally) {
  if (element.deformation != Deformation::Affine) return;
  const BasisSequence& s = element.sequence;
  const std::vector<std::pair<FunctionSpace, const Numbers*>> bases{
      {FunctionSpace::HGRAD, &s.values},
      {FunctionSpace::HCURL, &s.edge_values},
      {FunctionSpace::HDIV, &s.face_values},
      {FunctionSpace::HVOL, &s.volume_values}};
  for (const auto& [space, values] : bases) {
    if (values->size() == 0) continue;
    const int degree = space == FunctionSpace::HGRAD ? element.order : element.order - 1;
    const Numbers given = polynomial(element.cells.points, degree, values->dimensions() == 1);
    double largest = 0;
    for (const double x : given.values()) largest = std::max(largest, std::abs(x));
    for (const WideVector& errors : matrices.projectionErrors(space, *values, given)) {
      for (const Wide error : errors) {
        require(tally, name + ", space " + std::to_string(int(space)),
                double(std::abs(error)) / largest, tolerance_of_solutions);
      }
    }
  }
}

TEUCHOS_UNIT_TEST(FormIdentities, symmetry) { checkAll(checkSymmetry, 4000, out, success); }
TEUCHOS_UNIT_TEST(FormIdentities, nullSpaces) { checkAll(checkNullSpaces, 3000, out, success); }
TEUCHOS_UNIT_TEST(FormIdentities, energies) { checkAll(checkEnergies, 7000, out, success); }
TEUCHOS_UNIT_TEST(FormIdentities, exactSequences) {
  checkAll(checkExactSequences, 5000, out, success);
}
TEUCHOS_UNIT_TEST(FormIdentities, kernelOfElasticity) {
  checkAll(checkKernelOfElasticity, 500, out, success);
}
TEUCHOS_UNIT_TEST(FormIdentities, integrationByParts) {
  checkAll(checkIntegrationByParts, 450, out, success);
}
TEUCHOS_UNIT_TEST(FormIdentities, projections) { checkAll(checkProjections, 30000, out, success); }

}  // namespace
}  // namespace KontractTest
