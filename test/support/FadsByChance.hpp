// SPDX-License-Identifier: BSD-3-Clause
//
// Problems of Fads by chance, as kernels get them, against the product rule in long double: shapes,
// orders of memory and operands with and without derivatives, in outputs of NaNs that are no longer
// than their scalars.
#ifndef KONTRACT_TEST_FADSBYCHANCE_HPP
#define KONTRACT_TEST_FADSBYCHANCE_HPP

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "Chance.hpp"
#include "detail/kernels/fad/Kontract_FadComponents.hpp"

namespace KontractTest {

using Kontract::Impl::ContractionShape;
using Kontract::Impl::FadArray;
using Kontract::Impl::FadProblem;
using Kontract::Impl::PointwiseKind;
using Kontract::Impl::PointwiseShape;
using std::int64_t;

/// Where an array keeps its elements: of an index with these extents, neighbours last or first.
struct Elements {
  std::vector<int64_t> extents, steps;
  int64_t count = 1;

  Elements() = default;
  /// Indices that the array does not have have extent 1 and step 0.
  Elements(const std::vector<int64_t>& of, bool is_left, int64_t step) : extents(of) {
    steps.resize(of.size(), 0);
    const int n = int(of.size());
    for (int i = 0; i < n; ++i) {
      const int at = is_left ? i : n - 1 - i;
      if (of[std::size_t(at)] > 1) steps[std::size_t(at)] = count * step;
      count *= of[std::size_t(at)];
    }
  }
  int64_t at(const std::vector<int64_t>& index) const {
    int64_t sum = 0;
    for (std::size_t i = 0; i < index.size(); ++i) sum += index[i] * steps[i];
    return sum;
  }
};

/// An array of Fads by chance: derivatives side by side before the value, or as far apart as the
/// array is large.
template <class S>
struct Fads {
  Elements elements;
  int64_t count, stride;
  std::vector<S> scalars;

  Fads(const std::vector<int64_t>& extents, int64_t derivatives, bool is_left, bool is_contiguous,
       std::mt19937& random)
      : count(derivatives) {
    elements = Elements(extents, is_left, is_contiguous ? count + 1 : 1);
    stride = is_contiguous ? 1 : elements.count;
    scalars.resize(std::size_t(elements.count * (count + 1)));
    std::uniform_real_distribution<double> uniform(0.5, 1);
    for (S& x : scalars) x = S(uniform(random));
  }
  int64_t step(std::size_t index) const { return elements.steps[index]; }
  FadArray<S> output() { return {scalars.data(), count * stride, count, stride}; }
  FadArray<const S> input() const { return {scalars.data(), count * stride, count, stride}; }
  void fillWithNan() { scalars.assign(scalars.size(), std::numeric_limits<S>::quiet_NaN()); }
  /// A derivative, or of an output of so many the value; 0 of constants.
  long double component(int64_t element, int64_t i, int64_t derivatives) const {
    if (i < derivatives && count == 0) return 0;
    return scalars[std::size_t(element + (i < derivatives ? i : count) * stride)];
  }
};

/// Component i of a product.
template <class S>
long double productOf(const Fads<S>& left, int64_t l, const Fads<S>& right, int64_t r, int64_t i,
                      int64_t n) {
  const long double x = left.component(l, n, n), y = right.component(r, n, n);
  return i == n ? x * y : left.component(l, i, n) * y + x * right.component(r, i, n);
}

/// Calls f(index) for all places of these extents.
template <class F>
void forEachPlace(const std::vector<int64_t>& extents, const F& f) {
  std::vector<int64_t> index(extents.size(), 0);
  int64_t count = 1;
  for (const int64_t n : extents) count *= n;
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i;
    for (std::size_t d = extents.size(); d-- > 0; rest /= extents[d]) index[d] = rest % extents[d];
    f(index);
  }
}

template <class S>
bool isClose(S found, long double wanted) {
  const long double tolerance = 100 * std::numeric_limits<S>::epsilon();
  return std::abs(static_cast<long double>(found) - wanted) <=
         tolerance * std::max<long double>(1, std::abs(wanted));
}

/// Fields with fields, summed over three levels.
template <class S>
class FadContractionByChance {
 public:
  FadContractionByChance(unsigned seed, int64_t least_lefts, int64_t most_lefts,
                         int64_t least_rights, int64_t most_rights, int64_t most_cells = 40,
                         int64_t most_inner_terms = 9)
      : _chance(seed),
        derivatives(_chance.derivatives()),
        _terms{_chance.draw(1, 2), _chance.draw(1, 3), _chance.draw(1, most_inner_terms)},
        is_left(_chance.flip()),
        is_contiguous(_chance.flip()),
        cells(_chance.draw(1, most_cells)),
        lefts(_chance.draw(least_lefts, most_lefts)),
        rights(_chance.draw(least_rights, most_rights)),
        left(factorOf(lefts)),
        right(factorOf(rights)),
        output(make({cells, lefts, rights}, derivatives)),
        _before(output) {
    ContractionShape& s = shape;
    s.cells = cells, s.lefts = lefts, s.rights = rights;
    for (std::size_t i = 0; i < 3; ++i) s.sum[i] = {_terms[i], left.step(2 + i), right.step(2 + i)};
    s.out_cell = output.step(0), s.out_left = output.step(1), s.out_right = output.step(2);
    s.left_cell = left.step(0), s.left_field = left.step(1);
    s.right_cell = right.step(0), s.right_field = right.step(1);
    s.sum_into = _chance.flip();
    if (!s.sum_into) output.fillWithNan();
  }

  FadProblem<ContractionShape, S> problem() {
    return {shape, output.output(), left.input(), right.input()};
  }

  /// \return how many components are beyond rounding
  int64_t wrong() const {
    int64_t count = 0;
    const int64_t n = derivatives;
    forEachPlace({cells, lefts, rights, n + 1}, [&](const std::vector<int64_t>& at) {
      const int64_t i = at[3], place_of_out = output.elements.at({at[0], at[1], at[2]});
      long double wanted = shape.sum_into ? _before.component(place_of_out, i, n) : 0;
      forEachPlace(_terms, [&](const std::vector<int64_t>& k) {
        wanted += productOf(left, left.elements.at({at[0], at[1], k[0], k[1], k[2]}), right,
                            right.elements.at({at[0], at[2], k[0], k[1], k[2]}), i, n);
      });
      count += !isClose(static_cast<S>(output.component(place_of_out, i, n)), wanted);
    });
    return count;
  }

  std::string text() const {
    return "fields " + std::to_string(lefts) + "x" + std::to_string(rights) + ", cells " +
           std::to_string(cells) + ", derivatives " + std::to_string(derivatives) + " of " +
           std::to_string(left.count) + " and " + std::to_string(right.count) +
           (is_left ? ", LayoutLeft" : ", LayoutRight") + (is_contiguous ? ", contiguous" : "") +
           (shape.sum_into ? ", summed into\n" : "\n");
  }

 private:
  Chance _chance;

 public:
  const int64_t derivatives;

 private:
  const std::vector<int64_t> _terms;

 public:
  const bool is_left, is_contiguous;
  const int64_t cells, lefts, rights;
  ContractionShape shape;
  const Fads<S> left, right;
  Fads<S> output;

 private:
  Fads<S> make(const std::vector<int64_t>& extents, int64_t count) {
    const bool mixes = _chance.draw(0, 5) == 0;  // in an order of its own
    return Fads<S>(extents, count, mixes ? _chance.flip() : is_left,
                   mixes ? _chance.flip() : is_contiguous, _chance.random);
  }
  Fads<S> factorOf(int64_t fields) {
    const int64_t shared = _chance.draw(0, 4) == 0 ? 1 : cells;
    return make({shared, fields, _terms[0], _terms[1], _terms[2]},
                _chance.flip() ? derivatives : 0);
  }

  const Fads<S> _before;
};

/// Copies, products, quotients and cross products at points, as functions have them: the left
/// operand has cells and no fields, the right one has all fields and points.
template <class S>
class FadElementsByChance {
 public:
  /// \param kinds  so many of them, from the first on
  FadElementsByChance(unsigned seed, int kinds)
      : _chance(seed),
        derivatives(_chance.draw(0, 24) == 0 ? 300 : _chance.derivatives()),
        shape(shapeOf(kinds)),
        is_left(_chance.flip()),
        is_contiguous(_chance.flip()),
        left(leftFactor()),
        right(rightFactor()),
        output({shape.cells, shape.fields, shape.points, shape.rows, shape.columns}, derivatives,
               is_left, is_contiguous, _chance.random) {
    output.fillWithNan();
    shape.out = stridesOf(output), shape.left = stridesOf(left), shape.right = stridesOf(right);
    for (std::size_t i = 0; i < 2; ++i) {
      shape.sum[i] = {_terms[i], left.step(5 + i), right.step(5 + i)};
    }
  }

  FadProblem<PointwiseShape, S> problem() {
    const auto left_array = hasLeft(shape.kind) ? left.input() : FadArray<const S>{};
    return {shape, output.output(), left_array, right.input()};
  }

  /// \return how many components are beyond rounding
  int64_t wrong() const {
    int64_t count = 0;
    forEachPlace(
        {shape.cells, shape.fields, shape.points, shape.rows, shape.columns, derivatives + 1},
        [&](const std::vector<int64_t>& at) {
          const std::vector<int64_t> place(at.begin(), at.begin() + 5);
          const S found =
              static_cast<S>(output.component(output.elements.at(place), at[5], derivatives));
          count += !isClose(found, wanted(place, at[5]));
        });
    return count;
  }

  std::string text() const {
    return "kind " + std::to_string(int(shape.kind)) + ", derivatives " +
           std::to_string(derivatives) + " of " + std::to_string(left.count) + " and " +
           std::to_string(right.count) + (is_left ? ", LayoutLeft" : ", LayoutRight") +
           (is_contiguous ? ", contiguous\n" : "\n");
  }

 private:
  Chance _chance;

 public:
  const int64_t derivatives;

 private:
  std::vector<int64_t> _terms;

 public:
  PointwiseShape shape;
  const bool is_left, is_contiguous;
  const Fads<S> left, right;
  Fads<S> output;

 private:
  bool isCross3() const { return shape.kind == PointwiseKind::Cross3; }

  PointwiseShape shapeOf(int kinds) {
    PointwiseShape s;
    s.kind = static_cast<PointwiseKind>(_chance.draw(0, kinds - 1));
    s.cells = _chance.draw(0, 3) == 0 ? _chance.draw(60, 140) : _chance.draw(1, 9);
    s.fields = _chance.draw(1, 4), s.points = _chance.draw(1, 5);
    s.rows = _chance.draw(1, 3), s.columns = _chance.draw(1, 3);
    const bool has_sums = s.kind == PointwiseKind::Product;
    _terms = {has_sums ? _chance.draw(1, 3) : 1, has_sums ? _chance.draw(1, 4) : 1};
    if (has_sums && _chance.draw(0, 9) == 0) _terms = {5, 4};
    if (s.kind == PointwiseKind::Cross2) _terms[0] = 2, s.rows = s.columns = 1;
    if (s.kind == PointwiseKind::Cross3) s.rows = 3, s.columns = 1;
    return s;
  }

  /// An operand with all indices that it must have, and others by chance.
  Fads<S> leftFactor() {
    return factor({true, false, _chance.flip(), _chance.flip(), _chance.flip()});
  }
  Fads<S> rightFactor() {
    return factor({_chance.flip(), true, true, _chance.flip(), _chance.flip()});
  }
  Fads<S> factor(const std::array<bool, 5>& has) {
    std::vector<int64_t> extents{shape.cells, shape.fields, shape.points, shape.rows,
                                 shape.columns};
    for (std::size_t i = 0; i < extents.size(); ++i) {
      if (!has[i] && !(i == 3 && isCross3())) extents[i] = 1;
    }
    extents.insert(extents.end(), _terms.begin(), _terms.end());
    return make(extents, _chance.flip() ? derivatives : 0);
  }
  /// In an order of its own in a few cases.
  Fads<S> make(const std::vector<int64_t>& extents, int64_t count) {
    const bool mixes = _chance.draw(0, 5) == 0;
    return Fads<S>(extents, count, mixes ? _chance.flip() : is_left,
                   mixes ? _chance.flip() : is_contiguous, _chance.random);
  }
  static PointwiseShape::Strides stridesOf(const Fads<S>& of) {
    return {of.step(0), of.step(1), of.step(2), of.step(3), of.step(4)};
  }
  static int64_t placeIn(const Fads<S>& of, const std::vector<int64_t>& place,
                         const std::vector<int64_t>& term) {
    std::vector<int64_t> index = place;
    index.insert(index.end(), term.begin(), term.end());
    return of.elements.at(index);
  }

  /// Component i of left(a) * right(b) - left(b) * right(a).
  long double crossOf(const std::vector<int64_t>& a, const std::vector<int64_t>& a_term,
                      const std::vector<int64_t>& b, const std::vector<int64_t>& b_term,
                      int64_t i) const {
    const auto l = [&](const auto& place, const auto& term) { return placeIn(left, place, term); };
    const auto r = [&](const auto& place, const auto& term) { return placeIn(right, place, term); };
    return productOf(left, l(a, a_term), right, r(b, b_term), i, derivatives) -
           productOf(left, l(b, b_term), right, r(a, a_term), i, derivatives);
  }

  long double wanted(const std::vector<int64_t>& place, int64_t i) const {
    const int64_t n = derivatives;
    if (shape.kind == PointwiseKind::Cross2) return crossOf(place, {0, 0}, place, {1, 0}, i);
    if (isCross3()) {
      std::vector<int64_t> next = place, after = place;
      next[3] = (place[3] + 1) % 3, after[3] = (place[3] + 2) % 3;
      return crossOf(next, {0, 0}, after, {0, 0}, i);
    }
    const int64_t l = placeIn(left, place, {0, 0}), r = placeIn(right, place, {0, 0});
    if (shape.kind == PointwiseKind::Copy) return right.component(r, i, n);
    if (shape.kind == PointwiseKind::Quotient) {
      const long double x = left.component(l, n, n), y = right.component(r, n, n);
      if (i == n) return y / x;
      return (right.component(r, i, n) * x - y * left.component(l, i, n)) / (x * x);
    }
    long double sum = 0;
    forEachPlace(_terms, [&](const std::vector<int64_t>& term) {
      sum += productOf(left, placeIn(left, place, term), right, placeIn(right, place, term), i, n);
    });
    return sum;
  }
};

}  // namespace KontractTest

#endif
