// SPDX-License-Identifier: BSD-3-Clause
#include "RandomSuite.hpp"

#include <algorithm>
#include <ctime>
#include <random>
#include <set>
#include <string>

#include "Elements.hpp"

namespace KontractBench {
namespace {

constexpr std::int64_t least_fields = 3, most_fields = 144, most_points = 125;

/// Numbers that are the same with every standard library, whose distributions are not.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : _engine(seed) {}

  /// A number from 0 to n - 1.
  std::size_t below(std::size_t n) { return std::size_t(_engine() % n); }
  template <class T>
  const T& one(const std::vector<T>& of) {
    return of[below(of.size())];
  }

 private:
  std::mt19937_64 _engine;
};

/// Two bases on one cell, and points for the product of both.
struct Pair {
  Element left, right;
  std::int64_t points;
};

class Shapes {
 public:
  explicit Shapes(std::uint64_t seed)
      : _dice(seed), _elements(elements(least_fields, most_fields)) {}

  Case draw() { return withFewerCells(drawCall(drawPair())); }

  Case drawPointwiseAlone() {
    const Pair pair = drawPair();
    return withFewerCells(drawPointwise({pair.right, pair.right, pair.points}));
  }

 private:
  static constexpr std::size_t most_fewer_cells = 32;

  Case withFewerCells(Case one) {
    one.fewer_cells = std::int64_t(_dice.below(most_fewer_cells));
    return one;
  }

  Pair drawPair() {
    for (;;) {
      Pair pair{_dice.one(_elements), {}, 0};
      pair.right = pair.left;
      if (_dice.below(2) == 0) pair.right = drawPartner(pair.left);
      const int degree = std::max(1, pair.left.order + pair.right.order - 1 + int(_dice.below(4)));
      pair.points = cubaturePoints(pair.left.cell, degree);
      if (pair.points > 0 && pair.points <= most_points) return pair;
    }
  }

  /// Another basis on the same cell.
  Element drawPartner(const Element& left) {
    for (;;) {
      const Element& other = _dice.one(_elements);
      if (other.cell == left.cell) return other;
    }
  }

  static bool isOfVectors(const Element& element) {
    return element.space == FieldSpace::HCURL || element.space == FieldSpace::HDIV;
  }

  static Case named(const std::string& what, const Pair& pair, const char* function,
                    const char* shape, const Sizes& sizes) {
    std::string label = what + " of " + pair.left.name();
    const bool is_mixed =
        pair.left.space != pair.right.space || pair.left.order != pair.right.order;
    if (is_mixed) label += " and " + pair.right.name();
    label += std::string(", ") + nameOf(pair.left.cell) + ", " + std::to_string(pair.points) +
             (pair.points == 1 ? " point" : " points");
    return makeCase(label, function, shape, sizes);
  }

  Case drawCall(const Pair& pair) {
    const std::size_t kind = _dice.below(8);
    if (kind >= 4) return drawMatrix(pair);
    const Pair alone{pair.right, pair.right, pair.points};  // these calls have fields on one side
    return kind == 0 ? drawDataCall(alone) : drawPointwise(alone);
  }

  /// Element matrices: of values, of vectors or gradients, of gradients of vectors.
  Case drawMatrix(const Pair& pair) {
    const std::int64_t d = dimensionOf(pair.left.cell);
    const Sizes sizes{0, pair.left.fields, pair.right.fields, pair.points, d};
    const bool are_vectors = isOfVectors(pair.left) && isOfVectors(pair.right);
    const std::size_t kind = _dice.below(8);
    if (kind == 0) return named("tensors", pair, "contractFieldFieldTensor", "", sizes);
    if (kind < 4 && !are_vectors) {
      return named("scalars", pair, "contractFieldFieldScalar", "", sizes);
    }
    return named("vectors", pair, "contractFieldFieldVector", "", sizes);
  }

  /// Loads, and sums over points alone.
  Case drawDataCall(const Pair& pair) {
    const std::int64_t d = dimensionOf(pair.left.cell);
    const Sizes sizes{0, 1, pair.right.fields, pair.points, d};
    const std::size_t kind = _dice.below(4);
    if (kind == 0) return named("source", pair, "contractDataFieldScalar", "", sizes);
    if (kind == 1) return named("data", pair, "contractDataDataTensor", "", sizes);
    return named("flux", pair, "contractDataFieldVector", "", sizes);
  }

  Case drawPointwise(const Pair& pair) {
    struct Function {
      const char *what, *function, *shape;
      bool is_transposed;
    };
    static const std::vector<Function> functions{
        {"transform, without C,", "matvecProductDataField", "CFPD=CpDE*FPE", true},
        {"matvec", "matvecProductDataField", "CFPD=CpDE*CFPE", false},
        {"measure times vectors", "scalarMultiplyDataField", "CFPD=Cp*CFPD", false},
        {"measure times scalars", "scalarMultiplyDataField", "CFP=Cp*CFP", false},
        {"measure times vectors, without C,", "scalarMultiplyDataField", "CFPD=Cp*FPD", false},
        {"dot", "dotMultiplyDataField", "CFP=CpD*CFPD", false},
        {"outer product", "outerProductDataField", "CFPDd=CpD*CFPd", false},
        {"clones", "cloneFields", "CFPD=FPD", false}};
    const Function& one = _dice.one(functions);
    // Vectors and matrices that Intrepid2 takes are of the plane and of space.
    const std::int64_t d = std::max(2, dimensionOf(pair.left.cell));
    Case drawn =
        named(one.what, pair, one.function, one.shape, {0, 1, pair.right.fields, pair.points, d});
    drawn.is_transposed = one.is_transposed;
    return drawn;
  }

  Dice _dice;
  std::vector<Element> _elements;
};

std::vector<Case> casesOf(const Draw& draw, Case (Shapes::*draw_one)()) {
  Shapes shapes(draw.seed);
  std::vector<Case> cases;
  std::set<std::string> known;
  // Each shape once; there are more than anybody measures.
  for (int tries = 0; int(cases.size()) < draw.shapes && tries < 100 * draw.shapes; ++tries) {
    const Case one = (shapes.*draw_one)();
    if (known.insert(one.label).second) cases.push_back(one);
  }
  return cases;
}

}  // namespace

std::vector<Case> randomCases(const Draw& draw) { return casesOf(draw, &Shapes::draw); }

std::vector<Case> randomPointwiseCases(const Draw& draw) {
  return casesOf(draw, &Shapes::drawPointwiseAlone);
}

std::uint64_t seedOfTheDay() {
  const std::time_t now = std::time(nullptr);
  const std::tm* const date = std::gmtime(&now);
  return std::uint64_t(date->tm_year + 1900) * 10000 + std::uint64_t(date->tm_mon + 1) * 100 +
         std::uint64_t(date->tm_mday);
}

}  // namespace KontractBench
