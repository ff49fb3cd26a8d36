// SPDX-License-Identifier: BSD-3-Clause
//
// Forms of Intrepid2's bases on affine and curved cells of all shapes: matrices, vectors and
// matrix-free products against plain loops in long double, and both against the chain of functions
// of FunctionSpaceTools, of Intrepid2 and of Kontract. Fields of HCURL and HDIV have random signs.

#include <Teuchos_UnitTestHarness.hpp>
#include <set>
#include <sstream>

#include "BasisSequence.hpp"
#include "DeformedCells.hpp"
#include "FormCalls.hpp"
#include "FormChain.hpp"
#include "FormOracle.hpp"
#include "ReferenceElement.hpp"
#include "Tally.hpp"

namespace KontractTest {
namespace {

using Kontract::Form;
using Kontract::FunctionSpace;
using Kontract::Pullback;
using Term = FormOracle::Term;

/// Errors relative to a cell's largest entry: rounding of several hundred terms, and of Jacobians.
constexpr double tolerance = 1e-12;

/// A form with its values, and the coefficients to take it with, as letters.
struct Case {
  std::string name;
  Form form;
  const Numbers *left, *right;
  std::vector<std::string> coefficients;
  bool has_signs = false;
};

std::vector<Case> matricesOf(const BasisSequence& s, int dimension) {
  const std::vector<std::string> scalars{"", "CP", "CQ"}, all{"", "CP", "CPD", "CPDE", "CQDE"},
      vectors{"CPD", "CQD"};
  const auto of_curls = dimension == 3 ? all : scalars;
  const Form mixed = Form::product(Pullback::Contravariant, Pullback::Contravariant);
  return {
      {"mass HGRAD", Form::mass(FunctionSpace::HGRAD), &s.values, &s.values, scalars},
      {"gradGrad", Form::gradGrad(), &s.gradients, &s.gradients, all},
      {"advection", Form::advection(), &s.values, &s.gradients, vectors},
      {"advectionTransposed", Form::advectionTransposed(), &s.gradients, &s.values, vectors},
      {"elasticity", Form::elasticity(), &s.gradients, &s.gradients, {"CP", "CQ"}},
      {"curls of HGRAD", mixed, &s.rotated_gradients, &s.rotated_gradients, {"", "CPDE"}},
      {"mass HCURL", Form::mass(FunctionSpace::HCURL), &s.edge_values, &s.edge_values, all, true},
      {"curlCurl", Form::curlCurl(), &s.curls, &s.curls, of_curls, true},
      {"gradient", Form::gradient(), &s.edge_values, &s.gradients, {"", "CPDE"}, true},
      {"mass HDIV", Form::mass(FunctionSpace::HDIV), &s.face_values, &s.face_values, all, true},
      {"divDiv", Form::divDiv(), &s.divergences, &s.divergences, {"", "CP"}, true},
      {"divergence", Form::divergence(), &s.volume_values, &s.divergences, {"", "CP"}, true},
      {"mass HVOL", Form::mass(FunctionSpace::HVOL), &s.volume_values, &s.volume_values, scalars},
  };
}

std::vector<Case> loadsOf(const BasisSequence& s) {
  const auto source = [](FunctionSpace space) { return Form::source(space); };
  const std::vector<std::string> vectors{"CPD", "CQD"};
  return {
      {"source HGRAD", source(FunctionSpace::HGRAD), &s.values, nullptr, {"CP", "CQ", "CPD"}},
      {"source HCURL", source(FunctionSpace::HCURL), &s.edge_values, nullptr, vectors, true},
      {"source HDIV", source(FunctionSpace::HDIV), &s.face_values, nullptr, vectors, true},
      {"source HVOL", source(FunctionSpace::HVOL), &s.volume_values, nullptr, {"CP", "CQ"}},
  };
}

/// Cells in the ways that geometry() takes their mapping.
class Cells {
 public:
  struct Way {
    std::string name;
    CellArrays arrays;
  };

  Cells(CellShape shape, Deformation deformation, std::size_t cells, int degree)
      : at_points(mappingFunctions(shape, deformation), deformedNodes(shape, deformation, cells),
                  degree),
        jacobians(jacobiansOf(mappingFunctions(shape, deformation), at_points.nodes,
                              at_points.cubature.points)),
        _first_gradients(firstPointOf(at_points.gradients)),
        _first_jacobians(firstPointOf(jacobians)) {
    const int d = at_points.dimension();
    const Numbers* const weights = &at_points.cubature.weights;
    ways = {{"nodes", at_points.arrays()},
            {"Jacobians", {d, &jacobians, nullptr, nullptr, weights}}};
    if (deformation != Deformation::Affine) return;
    ways.push_back({"one Jacobian", {d, &_first_jacobians, nullptr, nullptr, weights}});
    if (!isSimplex(shape)) return;
    ways.push_back({"one gradient", {d, nullptr, &at_points.nodes, &_first_gradients, weights}});
  }
  Cells(const Cells&) = delete;
  Cells& operator=(const Cells&) = delete;

  std::size_t size() const { return at_points.cells(); }
  std::size_t points() const { return at_points.pointsOfCell(); }
  int dimension() const { return at_points.dimension(); }
  const Numbers& weights() const { return at_points.cubature.weights; }
  FormOracle oracle() const { return FormOracle(at_points.arrays()); }

  const CellsAtPoints at_points;
  const Numbers jacobians;
  std::vector<Way> ways;

 private:
  Numbers _first_gradients, _first_jacobians;
};

/// What calls are to leave, of one cell after the other, and how large a cell's entries are.
struct Expected {
  WideVector values, sizes;

  void add(const WideVector& of_cell, Wide size) {
    values.insert(values.end(), of_cell.begin(), of_cell.end());
    sizes.push_back(size);
  }
};

Wide largestOf(const WideVector& values) {
  Wide largest = 0;
  for (const Wide x : values) largest = std::max(largest, std::abs(x));
  return largest;
}

std::string differenceOf(const std::vector<double>& found, const Expected& expected) {
  if (found.size() != expected.values.size()) return "it has another size";
  const std::size_t of_cell = found.size() / expected.sizes.size();
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Wide value = expected.values[i], size = expected.sizes[i / of_cell];
    if (!(size > 0)) return "the oracle has nothing but zeros";
    if (std::abs(found[i] - value) <= tolerance * size) continue;  // false for NaN
    std::ostringstream text;
    text << "element " << i << " is " << found[i] << " instead of " << double(value)
         << ", where the largest is " << double(size);
    return text.str();
  }
  return "";
}

/// Compares calls of terms on some cells.
class Checker {
 public:
  Checker(const std::string& name, const Cells& cells, Tally& tally)
      : _name(name), _cells(cells), _tally(tally) {}

  void matrices(const std::string& name, const Term& term) {
    const int blocks = blocksOf(term, _cells.dimension());
    const std::size_t columns = term.right->extent(&Place::f) * blocks;
    const Numbers vectors = numbers("CF", {_cells.size(), columns});
    Expected expected, products;
    for (std::size_t c = 0; c < _cells.size(); ++c) {
      const WideVector matrix = _cells.oracle().matrix(term, c, _cells.points(), blocks);
      WideVector product(matrix.size() / columns, 0);
      for (std::size_t i = 0; i < matrix.size(); ++i) {
        product[i / columns] += matrix[i] * vectors.at({c, i % columns, 0, 0, 0, 0});
      }
      expected.add(matrix, largestOf(matrix));
      products.add(product, largestOf(matrix));
    }
    check(name + ", chain of Intrepid2", expected, [&] {
      return matricesByChain(Library::Intrepid2, _cells.jacobians, _cells.weights(), term);
    });
    check(name + ", chain of Kontract", expected, [&] {
      return matricesByChain(Library::Kontract, _cells.jacobians, _cells.weights(), term);
    });
    forEachCall([&](const std::string& call, const FormCalls& calls, const CellArrays& cells) {
      check(name + call, expected, [&] { return calls.matrices(cells, term); });
      check(name + call + ", apply", products,
            [&] { return calls.products(cells, term, vectors); });
    });
  }

  void vectors(const std::string& name, const Term& load) {
    Expected expected;
    for (std::size_t c = 0; c < _cells.size(); ++c) {
      const int blocks = blocksOf(load, _cells.dimension());
      const WideVector vector = _cells.oracle().load(load, c, _cells.points(), blocks);
      expected.add(vector, largestOf(vector));
    }
    check(name + ", chain of Intrepid2", expected, [&] {
      return vectorsByChain(Library::Intrepid2, _cells.jacobians, _cells.weights(), load);
    });
    check(name + ", chain of Kontract", expected, [&] {
      return vectorsByChain(Library::Kontract, _cells.jacobians, _cells.weights(), load);
    });
    forEachCall([&](const std::string& call, const FormCalls& calls, const CellArrays& cells) {
      check(name + call, expected, [&] { return calls.vectors(cells, load); });
    });
  }

  /// Numbers for a coefficient: near one, or near the identity.
  Numbers coefficient(const std::string& letters) const {
    const std::size_t d = _cells.dimension();
    std::vector<std::size_t> extents{_cells.size(), letters[1] == 'Q' ? 1 : _cells.points()};
    extents.resize(letters.size(), d);
    Numbers result = numbers(letters, extents);
    forEachPlace(result, [&](const Place& at) {
      result.at(at) = 0.3 * result.at(at) + (letters.size() < 4 || at.d == at.e ? 1 : 0);
    });
    return result;
  }

  Numbers signs(std::size_t fields) const {
    Numbers result = numbers("CF", {_cells.size(), fields});
    for (double& x : result.values()) x = x < 0 ? -1 : 1;
    return result;
  }

 private:
  static Numbers numbers(const std::string& letters, const std::vector<std::size_t>& extents) {
    Numbers result(letters, extents);
    for (double& x : result.values()) x = random().real();
    return result;
  }

  /// Calls f(name, calls, arrays) for all calls and all ways to give cells.
  template <class F>
  void forEachCall(const F& f) const {
    static const auto all = allFormCalls();
    for (const auto& calls : all) {
      for (const Cells::Way& way : _cells.ways) {
        f(", " + calls->name() + ", " + way.name, *calls, way.arrays);
      }
    }
  }

  template <class Call>
  void check(const std::string& name, const Expected& expected, const Call& call) {
    if (_tally.leavesOut()) return;
    std::string wrong;
    try {
      wrong = differenceOf(call(), expected);
    } catch (const std::exception& refusal) {
      wrong = refusal.what();
    }
    _tally.add(_name + ", " + name, wrong);
  }

  std::string _name;
  const Cells& _cells;
  Tally& _tally;
};

/// Makes a term of a case with random coefficients and signs, and gives it to the checker.
void checkCase(const Case& given, const std::string& letters, Checker& checker) {
  const bool is_load = given.right == nullptr;
  Term term{given.form, given.left, given.right};
  Numbers coefficient, second, left_signs, right_signs;
  if (!letters.empty()) term.coefficient = &(coefficient = checker.coefficient(letters));
  if (given.form.is_elastic) term.second = &(second = checker.coefficient(letters));
  if (given.has_signs) {
    term.left_signs = &(left_signs = checker.signs(given.left->extent(&Place::f)));
    if (given.right == given.left) {
      term.right_signs = term.left_signs;
    } else if (!is_load) {
      term.right_signs = &(right_signs = checker.signs(given.right->extent(&Place::f)));
    }
  }
  const std::string name = given.name + " " + letters;
  if (is_load) {
    checker.vectors(name, term);
  } else {
    checker.matrices(name, term);
  }
}

/// \param names  of forms to check; all if there are none
void checkForms(CellShape shape, int order, Deformation deformation,
                const std::set<std::string>& names, Tally& tally) {
  const int degree = 2 * order + (deformation == Deformation::Affine ? 0 : 2);
  // Hexahedra of high order take the most time. Kernels of hosts take several small cells at once,
  // and have a way of their own for 16 affine cells and more.
  const bool is_large = shape == CellShape::Hexahedron && order > 2;
  const bool has_many = order == 1 || (deformation == Deformation::Affine && order < 3);
  const Cells cells(shape, deformation, has_many ? 19 : (is_large ? 1 : 3), degree);
  const BasisSequence sequence(shape, order, cells.at_points.cubature.points);
  const std::string name =
      nameOf(shape) + " of order " + std::to_string(order) + ", " + nameOf(deformation);
  Checker checker(name, cells, tally);
  std::vector<Case> cases = matricesOf(sequence, dimensionOf(shape));
  const std::vector<Case> loads = loadsOf(sequence);
  cases.insert(cases.end(), loads.begin(), loads.end());
  for (const Case& given : cases) {
    const bool is_there = given.left->size() > 0 && (!given.right || given.right->size() > 0);
    if (!is_there || (!names.empty() && names.count(given.name) == 0)) continue;
    for (const std::string& letters : given.coefficients) {
      const bool is_first_or_last =
          letters == given.coefficients.front() || letters == given.coefficients.back();
      if (is_large && !is_first_or_last) continue;
      checkCase(given, letters, checker);
    }
  }
}

void checkShape(CellShape shape, int orders, long at_least, Teuchos::FancyOStream& out,
                bool& success) {
  Tally tally(out);
  for (int order = 1; order <= orders; ++order) {
    for (const Deformation deformation : deformationsOf(shape)) {
      // They are quadratic ones, too.
      if (order > 3 && deformation == Deformation::Multilinear) continue;
      checkForms(shape, order, deformation, {}, tally);
    }
  }
  TEST_ASSERT(tally.checks() >= at_least);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

TEUCHOS_UNIT_TEST(FormsOfBases, triangles) {
  checkShape(CellShape::Triangle, 4, 4500, out, success);
}
TEUCHOS_UNIT_TEST(FormsOfBases, quadrilaterals) {
  checkShape(CellShape::Quadrilateral, 4, 5000, out, success);
}
TEUCHOS_UNIT_TEST(FormsOfBases, tetrahedra) {
  checkShape(CellShape::Tetrahedron, 4, 4500, out, success);
}
TEUCHOS_UNIT_TEST(FormsOfBases, hexahedra) {
  checkShape(CellShape::Hexahedron, 4, 4000, out, success);
}
TEUCHOS_UNIT_TEST(FormsOfBases, wedges) { checkShape(CellShape::Wedge, 2, 1900, out, success); }
TEUCHOS_UNIT_TEST(FormsOfBases, pyramids) { checkShape(CellShape::Pyramid, 1, 450, out, success); }
TEUCHOS_UNIT_TEST(FormsOfBases, highOrder) {
  Tally tally(out);
  checkForms(CellShape::Quadrilateral, 6, Deformation::Affine, {}, tally);
  checkForms(CellShape::Quadrilateral, 6, Deformation::Quadratic, {}, tally);
  checkForms(CellShape::Hexahedron, 6, Deformation::Affine, {"mass HGRAD"}, tally);
  checkForms(CellShape::Hexahedron, 6, Deformation::Quadratic, {"advection", "source HDIV"}, tally);
  TEST_ASSERT(tally.checks() >= 1000);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

}  // namespace
}  // namespace KontractTest
