// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_FORMFUZZ_HPP
#define KONTRACT_TEST_FORMFUZZ_HPP

#include <Teuchos_ParameterList.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <limits>
#include <string>
#include <vector>

#include "FormChecker.hpp"
#include "FormOracle.hpp"
#include "Fuzz.hpp"

namespace KontractTest {

#ifndef KONTRACT_TEST_FORM_VALUES
#define KONTRACT_TEST_FORM_VALUES KONTRACT_TEST_FORM_SCALAR
#endif
/// The scalars of values of bases; those of all other arrays are FormScalar.
using FormValue = KONTRACT_TEST_FORM_VALUES;

enum class FuzzedFunction { Matrices, Apply, Vectors };

/// What the type of a term tells, as bits.
enum TermTraits : int {
  has_coefficient = 1,
  is_elastic = 2,
  has_left_signs = 4,
  has_right_signs = 8,
  has_left_basis = 16,
  has_right_basis = 32,
  has_sign_functions = 64,
  is_load = 128
};

struct FuzzArray {
  std::string name;
  Numbers numbers;
  std::vector<bool> is_shared;  ///< indices whose stride is zero
  bool is_of_values = false;
};

/// Functions of each coordinate, as arrays of a case, and their products.
struct FuzzBasis {
  std::array<int, 3> values{}, derivatives{};
  Numbers products, gradients;
};

/// Values of a side: an array or a basis.
struct FuzzSide {
  int array = -1, basis = -1;
  bool is_vector = false;
};

struct FuzzTerm {
  Kontract::Form form;
  FuzzSide left, right;
  int coefficient = -1, second = -1, left_signs = -1, right_signs = -1;
};

/// A call by chance, in arrays of numbers: all of it follows from the state of random().
class FormCase {
 public:
  FuzzedFunction function;
  int dimension = 1;
  std::size_t cells = 1, lefts = 1, rights = 1, points = 1, nodes = 3;
  bool has_mapping = true, has_nodes = false, sum_into = false;
  int blocks = 1;
  std::deque<FuzzArray> arrays;
  std::deque<FuzzBasis> bases;
  std::vector<FuzzTerm> terms;
  int out = -1, vector = -1, mapping = -1, gradients = -1, weights = -1;

  /// \param shape  TermTraits of each term
  FormCase(FuzzedFunction called, const std::vector<int>& shape) : function(called) {
    dimension = 1 + int(random().below(3));
    int all = 0;
    for (const int traits : shape) all |= traits;
    drawExtents(shape, all);
    drawGeometry(all);
    loads_have_blocks = chance(30);
    for (const int traits : shape) terms.push_back(drawTerm(traits));
    if ((all & is_elastic) != 0) blocks = dimension;
    if (called == FuzzedFunction::Vectors && loads_have_blocks) blocks = dimension;
    drawOutput();
  }

  std::size_t rows() const { return lefts * blocks; }
  std::size_t columns() const {
    return rights * (function == FuzzedFunction::Vectors ? 1 : blocks);
  }

  /// What the output should be.
  WideVector expected() const {
    CellArrays known;
    known.dimension = dimension;
    if (has_nodes) {
      known.nodes = &arrays[mapping].numbers;
      known.gradients = &arrays[gradients].numbers;
    } else if (has_mapping) {
      known.jacobians = &arrays[mapping].numbers;
    }
    known.weights = &arrays[weights].numbers;
    const FormOracle oracle(known);
    const std::vector<double>& before = arrays[out].numbers.values();
    WideVector expected;
    for (std::size_t c = 0; c < cells; ++c) {
      WideVector sum = inCell(oracle, terms[0], c);
      for (std::size_t t = 1; t < terms.size(); ++t) {
        const WideVector added = inCell(oracle, terms[t], c);
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += added[i];
      }
      if (function == FuzzedFunction::Apply) sum = product(sum, c);
      for (const Wide x : sum) {
        expected.push_back(x + (sum_into ? Wide(before[expected.size()]) : 0));
      }
    }
    return expected;
  }

  std::string text() const {
    std::ostringstream text;
    const char* const names[] = {"matrices", "apply", "vectors"};
    text << names[int(function)] << ", D=" << dimension << " C=" << cells << " L=" << lefts
         << " R=" << rights << " P=" << points << (sum_into ? ", sumInto" : "") << "; "
         << (has_nodes     ? "nodes "
             : has_mapping ? "jacobians "
                           : "");
    if (has_mapping) text << arrayText(mapping);
    if (has_nodes) text << " gradients " << arrayText(gradients);
    text << " weights " << arrayText(weights);
    for (const FuzzTerm& term : terms) {
      text << "; " << pullbackText(term.form.left);
      if (function != FuzzedFunction::Vectors) text << " x " << pullbackText(term.form.right);
      text << (term.form.is_elastic ? " elastic" : "") << ": " << sideText(term.left);
      if (function != FuzzedFunction::Vectors) text << ", " << sideText(term.right);
      for (const int array : {term.coefficient, term.second, term.left_signs, term.right_signs}) {
        if (array >= 0) text << ", " << arrayText(array);
      }
    }
    return text.str();
  }

  const Numbers& valuesOf(const FuzzSide& side) const {
    if (side.basis < 0) return arrays[side.array].numbers;
    const FuzzBasis& basis = bases[side.basis];
    return side.is_vector ? basis.gradients : basis.products;
  }

 private:
  bool has_bases = false, loads_have_blocks = false, are_same_fields = false;
  std::array<std::size_t, 3> grid{}, left_functions{}, right_functions{};

  std::string arrayText(int array) const {
    const FuzzArray& of = arrays[array];
    std::string text = of.name + "#" + std::to_string(array) + "(";
    for (int i = 0; i < of.numbers.rank(); ++i) {
      text += (i > 0 ? "," : "") + std::to_string(of.numbers.extents()[i]);
      if (of.is_shared[i]) text += "*0";
    }
    return text + ")";
  }
  std::string sideText(const FuzzSide& side) const {
    if (side.basis < 0) return arrayText(side.array);
    std::string text = "basis#" + std::to_string(side.basis) + "(";
    for (int d = 0; d < dimension; ++d) {
      text += (d > 0 ? " " : "") + arrayText(bases[side.basis].values[d]);
    }
    return text + ")";
  }
  static std::string pullbackText(Kontract::Pullback pullback) {
    const char* const names[] = {"Scalar",        "Physical", "Covariant",
                                 "Contravariant", "Density",  "Curl"};
    return names[int(pullback)];
  }

  static std::size_t product(const std::array<std::size_t, 3>& of, int dimension) {
    std::size_t product = 1;
    for (int d = 0; d < dimension; ++d) product *= of[d];
    return product;
  }

  static std::size_t drawFields() {
    if (chance(3)) return 41 + random().below(30);
    return chance(60) ? 1 + random().below(10) : 1 + random().below(40);
  }
  static std::size_t drawPoints() {
    if (chance(3)) return chance(20) ? 200 + random().below(100) : 71 + random().below(60);
    return chance(60) ? 1 + random().below(12) : random().below(71);
  }
  static std::size_t drawCells() { return chance(50) ? random().below(10) : random().below(41); }

  void drawExtents(const std::vector<int>& shape, int all) {
    has_bases = (all & (has_left_basis | has_right_basis)) != 0;
    are_same_fields = chance(50);
    nodes = dimension + random().below(5);
    if (chance(10)) nodes = 8;
    cells = drawCells();
    const auto functions = [] { return 1 + random().below(chance(10) ? 9 : 5); };
    const bool is_uniform = chance(50);
    for (int d = 0; d < 3; ++d) {
      const bool is_new = d == 0 || !is_uniform;
      grid[d] = is_new ? (chance(2) ? 0 : functions()) : grid[0];
      left_functions[d] = is_new ? functions() : left_functions[0];
      right_functions[d] = are_same_fields ? left_functions[d]
                           : is_new        ? functions()
                                           : right_functions[0];
    }
    lefts = has_bases ? 0 : drawFields();
    rights = are_same_fields ? lefts : drawFields();
    points = drawPoints();
    // Any of them is cut down, so that each is the long one at times.
    for (;;) {
      if (has_bases) {
        lefts = product(left_functions, dimension);
        rights = product(right_functions, dimension);
        points = product(grid, dimension);
      }
      if (function == FuzzedFunction::Vectors) rights = 1;
      if (work(shape) <= 1.5e6) break;
      const auto halve = [](std::size_t& x) { x = (x + 1) / 2; };
      const std::size_t which = random().below(5), d = random().below(3);
      if (which < 2 || cells > 12) {
        halve(cells);
      } else if (!has_bases) {
        halve(which == 2 ? lefts : which == 3 ? rights : points);
        if (are_same_fields && which < 4) halve(which == 2 ? rights : lefts);
      } else {
        halve((which == 2 ? left_functions : which == 3 ? right_functions : grid)[d]);
        if (are_same_fields && which < 4) halve((which == 2 ? right_functions : left_functions)[d]);
      }
    }
    if (are_same_fields && function != FuzzedFunction::Vectors) rights = lefts;
  }

  double work(const std::vector<int>& shape) const {
    double sum = 0;
    for (const int traits : shape) {
      const bool elastic = (traits & is_elastic) != 0;
      const double d = dimension, blocks_here = elastic ? d : 1, size = elastic ? d * d : d;
      const double l = double(lefts) * blocks_here, r = double(rights) * blocks_here;
      sum += double(cells) * double(points) * (l * r * size + 30 * (l + r) * size);
    }
    return sum + 40. * double(cells * lefts * rights) *
                     ((traitsOf(shape) & is_elastic) != 0 ? dimension * dimension : 1);
  }
  static int traitsOf(const std::vector<int>& shape) {
    int all = 0;
    for (const int traits : shape) all |= traits;
    return all;
  }

  double rounded(double x, bool is_of_values) const {
    return is_of_values ? double(FormValue(x)) : double(FormScalar(x));
  }

  /// Makes an array of random numbers.
  /// \param may_share  letters whose stride may be zero
  int drawOf(const std::string& name, const std::string& letters,
             const std::vector<std::size_t>& extents, const std::string& may_share,
             bool is_of_values = false, std::size_t percent = 8) {
    FuzzArray array{name, Numbers(letters, extents), std::vector<bool>(extents.size(), false),
                    is_of_values};
    for (double& x : array.numbers.values()) x = rounded(random().real(), is_of_values);
    for (std::size_t i = 0; i < letters.size(); ++i) {
      const bool may = may_share.find(letters[i]) != std::string::npos;
      if (may && chance(percent)) array.is_shared[i] = true;
    }
    arrays.push_back(array);
    return int(arrays.size()) - 1;
  }
  int draw(const std::string& name, const std::string& letters, const std::string& may_share,
           bool is_of_values = false, std::size_t percent = 8) {
    std::vector<std::size_t> extents;
    for (const char letter : letters) {
      switch (letter) {
        case 'C': extents.push_back(cells); break;
        case 'L': extents.push_back(lefts); break;
        case 'R': extents.push_back(rights); break;
        case 'P': extents.push_back(points); break;
        case 'Q': extents.push_back(1); break;
        case 'F': extents.push_back(nodes); break;
        default: extents.push_back(dimension);
      }
    }
    return drawOf(name, letters, extents, may_share, is_of_values, percent);
  }

  /// Gives elements that are the same in memory the same value.
  void share(int index) {
    FuzzArray& array = arrays[index];
    const std::vector<std::size_t>& extents = array.numbers.extents();
    std::vector<double>& values = array.numbers.values();
    for (std::size_t n = 0; n < values.size(); ++n) {
      std::size_t rest = n, step = 1, from = 0;
      for (std::size_t i = extents.size(); i-- > 0;) {
        if (!array.is_shared[i]) from += rest % extents[i] * step;
        rest /= extents[i];
        step *= extents[i];
      }
      values[n] = values[from];
    }
  }

  void drawGeometry(int all) {
    const bool needs_mapping = (all & is_elastic) != 0 && has_bases;
    const bool is_affine = chance(45);
    switch (random().below(5)) {
      case 0: has_mapping = needs_mapping; break;
      case 1: has_nodes = true; break;
      default: break;
    }
    if (has_nodes) {
      mapping = draw("nodes", "CFD", "C");
      gradients = draw("gradients", is_affine ? "FQD" : "FPD", "P");
      for (const int index : {mapping, gradients}) {
        forEachPlace(arrays[index].numbers, [&](const Place& at) {
          double& x = arrays[index].numbers.at(at);
          x = rounded(at.f == at.d ? 1 + 0.1 * x : 0.1 * x, false);
        });
        share(index);
      }
    } else if (has_mapping) {
      mapping = draw("jacobians", is_affine ? "CQDE" : "CPDE", "CP");
      Numbers& jacobians = arrays[mapping].numbers;
      forEachPlace(jacobians, [&](const Place& at) {
        double& x = jacobians.at(at);
        x *= at.d == at.e ? 2 : 0.3;
        if (at.d == at.e && x < 0 && (at.c + at.d) % 2 == 0) x *= -1;
        x = rounded(x, false);
      });
      share(mapping);
    }
    const bool are_measures = !has_mapping || chance(30);
    weights = are_measures ? draw("measures", is_affine && chance(70) ? "CQ" : "CP", "CP")
                           : draw("weights", "P", "P");
    share(weights);
  }

  /// A named form, or a product of any pullbacks.
  Kontract::Form drawForm(int traits) const {
    using Kontract::Form;
    using Kontract::FunctionSpace;
    using Kontract::Pullback;
    const FunctionSpace space = oneOf(
        {FunctionSpace::HGRAD, FunctionSpace::HCURL, FunctionSpace::HDIV, FunctionSpace::HVOL});
    if ((traits & is_elastic) != 0) return Form::elasticity();
    if ((traits & is_load) != 0 && chance(60)) return Form::source(space);
    switch (random().below(12)) {
      case 0:
      case 1:
      case 2: return Form::mass(space);
      case 3:
      case 4: return Form::gradGrad();
      case 5: return Form::curlCurl();
      case 6: return Form::divDiv();
      case 7: return Form::advection();
      case 8: return Form::advectionTransposed();
      case 9: return Form::divergence();
      case 10: return Form::gradient();
      default: {
        const auto any = [] {
          return oneOf({Pullback::Scalar, Pullback::Physical, Pullback::Covariant,
                        Pullback::Contravariant, Pullback::Density, Pullback::Curl});
        };
        const Pullback left = any();
        return Form::product(left, any());
      }
    }
  }

  /// Whether values with that pullback are vectors.
  bool isOfVectors(Kontract::Pullback pullback) const {
    using Kontract::Pullback;
    if (pullback == Pullback::Physical) return chance(50);
    return pullback == Pullback::Covariant || pullback == Pullback::Contravariant ||
           (pullback == Pullback::Curl && dimension == 3);
  }
  bool isAllowed(Kontract::Pullback pullback, bool is_of_basis) const {
    using Kontract::Pullback;
    if (pullback == Pullback::Curl && dimension == 1) return false;
    if (is_of_basis && pullback != Pullback::Density && pullback != Pullback::Scalar &&
        pullback != Pullback::Covariant) {
      return false;
    }
    return has_mapping || pullback == Pullback::Scalar || pullback == Pullback::Physical;
  }

  FuzzTerm drawTerm(int traits) {
    const bool load = (traits & is_load) != 0;
    const bool left_basis = (traits & has_left_basis) != 0,
               right_basis = (traits & has_right_basis) != 0;
    FuzzTerm term;
    for (;;) {
      term.form = drawForm(traits);
      term.left.is_vector = isOfVectors(term.form.left);
      term.right.is_vector = isOfVectors(term.form.right);
      // Pullbacks that do not depend on a mapping anyhow.
      const bool may_be_physical = !left_basis && !right_basis;
      if (may_be_physical && chance(has_mapping ? 10 : 60) &&
          (dimension > 1 || !isCurl(term.form))) {
        term.form = term.form.ofPhysicalValues();
      }
      if (!isAllowed(term.form.left, left_basis)) continue;
      if (load) {
        if (loads_have_blocks && term.left.is_vector) continue;
        break;
      }
      if (!isAllowed(term.form.right, right_basis)) continue;
      const bool is_mixed = term.left.is_vector != term.right.is_vector;
      if (is_mixed && (traits & has_coefficient) == 0) continue;
      break;
    }
    drawSide(term.left, term.form.left, 'L', left_basis);
    if (!load) {
      const bool may_be_same = term.left.is_vector == term.right.is_vector && lefts == rights &&
                               left_basis == right_basis &&
                               isPhysical(term.form.left) == isPhysical(term.form.right);
      if (may_be_same && chance(60)) {
        term.right = term.left;
      } else {
        drawSide(term.right, term.form.right, 'R', right_basis);
      }
    }
    if ((traits & has_coefficient) != 0) drawCoefficient(term, load);
    if ((traits & is_elastic) != 0) {
      term.second = chance(10) ? term.coefficient : shared("mu", chance(40) ? "CQ" : "CP", "CP");
    }
    if ((traits & has_left_signs) != 0) term.left_signs = drawSigns("CL", -1);
    if ((traits & has_right_signs) != 0) term.right_signs = drawSigns("CR", term.left_signs);
    return term;
  }

  static bool isCurl(const Kontract::Form& form) {
    return form.left == Kontract::Pullback::Curl || form.right == Kontract::Pullback::Curl;
  }
  static bool isPhysical(Kontract::Pullback pullback) {
    return pullback == Kontract::Pullback::Physical;
  }

  int shared(const std::string& name, const std::string& letters, const std::string& may_share,
             bool is_of_values = false, std::size_t percent = 8) {
    const int array = draw(name, letters, may_share, is_of_values, percent);
    share(array);
    return array;
  }

  void drawSide(FuzzSide& side, Kontract::Pullback pullback, char field, bool is_of_basis) {
    if (is_of_basis) {
      std::vector<int> others;
      for (std::size_t b = 0; b < bases.size(); ++b) {
        if (bases[b].products.letters()[0] == field) others.push_back(int(b));
      }
      const bool is_another = !others.empty() && chance(70);
      side.basis = is_another ? others[random().below(others.size())] : drawBasis(field);
      return;
    }
    const bool is_of_cells = isPhysical(pullback) || chance(25);
    const std::string letters =
        std::string(is_of_cells ? "C" : "") + field + "P" + (side.is_vector ? "D" : "");
    std::vector<int> others;
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      if (arrays[i].is_of_values && arrays[i].numbers.letters() == letters) {
        others.push_back(int(i));
      }
    }
    side.array = !others.empty() && chance(40) ? others[random().below(others.size())]
                                               : shared("values", letters, "C", true, 40);
  }

  int drawBasis(char field) {
    bases.emplace_back();
    FuzzBasis& basis = bases.back();
    std::array<std::size_t, 3> count = field == 'L' ? left_functions : right_functions,
                               of_points = grid;
    // The same number of points may be another grid.
    if (dimension > 1 && chance(5)) std::swap(of_points[0], of_points[1]);
    if (dimension > 1 && chance(5)) std::swap(count[0], count[1]);
    const bool is_one = chance(30);  // the same functions in each direction
    for (int d = 0; d < dimension; ++d) {
      const bool is_first = d > 0 && is_one && count[d] == count[0] && of_points[d] == of_points[0];
      if (is_first) {
        basis.values[d] = basis.values[0];
        basis.derivatives[d] = basis.derivatives[0];
        continue;
      }
      basis.values[d] = drawOf("table", "FP", {count[d], of_points[d]}, "", true);
      basis.derivatives[d] = chance(30)
                                 ? drawOf("table", "FPD", {count[d], of_points[d], 1}, "", true)
                                 : drawOf("table", "FP", {count[d], of_points[d]}, "", true);
    }
    const std::size_t fields = product(count, dimension),
                      all_points = product(of_points, dimension);
    basis.products = Numbers(std::string{field, 'P'}, {fields, all_points});
    basis.gradients =
        Numbers(std::string{field, 'P', 'D'}, {fields, all_points, std::size_t(dimension)});
    const auto fill = [&](Numbers& numbers, bool is_gradient) {
      std::size_t n = 0;
      const std::size_t components = is_gradient ? dimension : 1;
      for (std::size_t f = 0; f < fields; ++f) {
        for (std::size_t p = 0; p < all_points; ++p) {
          for (std::size_t a = 0; a < components; ++a) {
            numbers.values()[n++] = valueAt(basis, f, p, is_gradient ? int(a) : -1);
          }
        }
      }
    };
    fill(basis.products, false);
    fill(basis.gradients, true);
    return int(bases.size()) - 1;
  }

  double valueAt(const FuzzBasis& basis, std::size_t f, std::size_t p, int derivative) const {
    double product = 1;
    for (int d = 0; d < dimension; ++d) {
      const Numbers& table =
          arrays[d == derivative ? basis.derivatives[d] : basis.values[d]].numbers;
      const std::size_t count = table.extents()[0], of_points = table.extents()[1];
      product *= table.values()[f % count * of_points + p % of_points];
      f /= count;
      p /= of_points;
    }
    return product;
  }

  void drawCoefficient(FuzzTerm& term, bool load) {
    const std::string at_points = chance(40) ? "CQ" : "CP";
    std::string of_dimensions;
    if (load) {
      of_dimensions = term.left.is_vector || loads_have_blocks ? "D" : "";
    } else if (term.left.is_vector != term.right.is_vector) {
      of_dimensions = "D";
    } else if (term.left.is_vector && !term.form.is_elastic) {
      const std::string kinds[] = {"", "D", "DE"};
      of_dimensions = kinds[random().below(3)];
    }
    const std::string letters = at_points + of_dimensions;
    std::vector<int> others;
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      if (arrays[i].name == "coefficient" && arrays[i].numbers.letters() == letters) {
        others.push_back(int(i));
      }
    }
    term.coefficient = !others.empty() && chance(25) ? others[random().below(others.size())]
                                                     : shared("coefficient", letters, "CPDE");
  }

  int drawSigns(const std::string& letters, int of_left) {
    if (of_left >= 0 && lefts == rights && chance(50)) return of_left;
    std::vector<int> others;
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      if (arrays[i].name == "signs" && arrays[i].numbers.letters() == letters) {
        others.push_back(int(i));
      }
    }
    if (!others.empty() && chance(60)) return others[random().below(others.size())];
    const int signs = draw("signs", letters, "CLR");
    if (chance(60)) {
      for (double& x : arrays[signs].numbers.values()) x = x < 0 ? -1 : 1;
    }
    share(signs);
    return signs;
  }

  void drawOutput() {
    sum_into = chance(40);
    const bool is_matrix = function == FuzzedFunction::Matrices;
    if (function == FuzzedFunction::Apply) {
      vector = drawOf("vector", "CR", {cells, columns()}, "CR");
      share(vector);
    }
    out = is_matrix ? drawOf("output", "CLR", {cells, rows(), columns()}, "")
                    : drawOf("output", "CL", {cells, rows()}, "");
    if (sum_into) return;
    for (double& x : arrays[out].numbers.values()) x = std::numeric_limits<double>::quiet_NaN();
  }

  WideVector inCell(const FormOracle& oracle, const FuzzTerm& of, std::size_t c) const {
    const auto numbers = [&](int array) { return array < 0 ? nullptr : &arrays[array].numbers; };
    const bool load = function == FuzzedFunction::Vectors;
    const FormOracle::Term term{of.form,
                                &valuesOf(of.left),
                                load ? nullptr : &valuesOf(of.right),
                                numbers(of.coefficient),
                                numbers(of.second),
                                numbers(of.left_signs),
                                numbers(of.right_signs)};
    return load ? oracle.load(term, c, points, blocks) : oracle.matrix(term, c, points, blocks);
  }

  WideVector product(const WideVector& matrix, std::size_t c) const {
    WideVector product(rows(), 0);
    for (std::size_t row = 0; row < rows(); ++row) {
      for (std::size_t column = 0; column < columns(); ++column) {
        product[row] += matrix[row * columns() + column] *
                        arrays[vector].numbers.values()[c * columns() + column];
      }
    }
    return product;
  }
};

/// An algorithm for forms, with settings.
inline NamedOptions drawFormAlgorithm(bool is_automatic) {
  Teuchos::ParameterList list("Kontract");
  if (is_automatic) return {"Auto", Kontract::Options(list)};
  const std::string name =
      oneOf({"Flat", "Register Blocking", "Register Blocking", "Register Blocking",
             "Register Blocking", "Team Reduction", "Tiling", "Auto"});
  std::string text = name;
  list.set("Algorithm", name);
  if (name == "Register Blocking" && chance(85)) {
    const std::string kernel =
        oneOf({"Per Cell", "Interleaved Cells", "Reference Tensors", "Sum Factorization"});
    list.sublist(name).set("Kernel", kernel);
    text += ", Kernel = " + kernel;
  }
  if (name != "Flat" && name != "Auto" && chance(50)) {
    const int each = oneOf({1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 40, 1000});
    list.sublist("Launch").set("Cells Per Team", each);
    text += ", Cells Per Team = " + std::to_string(each);
  }
  return {text, Kontract::Options(list)};
}

/// Whether a refusal tells that an algorithm asked for by name is not for such a call.
inline bool isUnservedForm(const std::string& refusal) {
  return isUnserved(refusal) || refusal.find(": Register Blocking: ") != std::string::npos ||
         refusal.find(": Team Reduction: ") != std::string::npos ||
         refusal.find(": Tiling: ") != std::string::npos;
}

}  // namespace KontractTest

#endif
