// SPDX-License-Identifier: BSD-3-Clause
//
// What devices have for Fads, run by threads of the host, against the product rule in long double:
// shapes, orders of memory and factors with and without derivatives by chance, in outputs of NaNs.

#include <Teuchos_UnitTestHarness.hpp>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "H200.hpp"
#include "detail/algorithms/Kontract_DeviceFads.hpp"

namespace KontractTest {
namespace {

using namespace Kontract::Impl;
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

class Chance {
 public:
  explicit Chance(unsigned seed) : random(seed) {}
  int64_t draw(int64_t first, int64_t last) {
    return std::uniform_int_distribution<int64_t>(first, last)(random);
  }
  bool flip() { return draw(0, 1) == 0; }
  /// An output's number of derivatives, or of its factors': these may be constants.
  int64_t derivatives() { return std::array<int64_t, 5>{0, 1, 3, 8, 24}[std::size_t(draw(0, 4))]; }
  std::mt19937 random;
};

template <class S>
bool isClose(S found, long double wanted) {
  const long double tolerance = 100 * std::numeric_limits<S>::epsilon();
  return std::abs(static_cast<long double>(found) - wanted) <=
         tolerance * std::max<long double>(1, std::abs(wanted));
}

template <class S, std::size_t place>
void checkTile(unsigned seed, Teuchos::FancyOStream& out, bool& success) {
  constexpr CellTiles::Tile tile = DeviceFads::tiles[place];
  Chance chance(seed);
  const int64_t n = chance.derivatives(), cells = chance.draw(1, 40);
  const int64_t lefts = chance.draw(tile.lefts, 2 * tile.lefts + 1);
  const int64_t rights = chance.draw(tile.rights, 2 * tile.rights + 1);
  const std::vector<int64_t> terms{chance.draw(1, 2), chance.draw(1, 3), chance.draw(1, 6)};
  const bool is_left = chance.flip(), is_contiguous = chance.flip();
  const auto make = [&](const std::vector<int64_t>& extents, int64_t derivatives) {
    return Fads<S>(extents, derivatives, is_left, is_contiguous, chance.random);
  };
  const auto factorOf = [&](int64_t fields) {
    const int64_t shared = chance.draw(0, 4) == 0 ? 1 : cells;
    return make({shared, fields, terms[0], terms[1], terms[2]}, chance.flip() ? n : 0);
  };
  const Fads<S> left = factorOf(lefts), right = factorOf(rights);
  Fads<S> output = make({cells, lefts, rights}, n);
  ContractionShape s;
  s.cells = cells, s.lefts = lefts, s.rights = rights;
  for (std::size_t i = 0; i < 3; ++i) s.sum[i] = {terms[i], left.step(2 + i), right.step(2 + i)};
  s.out_cell = output.step(0), s.out_left = output.step(1), s.out_right = output.step(2);
  s.left_cell = left.step(0), s.left_field = left.step(1);
  s.right_cell = right.step(0), s.right_field = right.step(1);
  s.sum_into = chance.flip();
  if (!s.sum_into)
    output.scalars.assign(output.scalars.size(), std::numeric_limits<S>::quiet_NaN());
  const Fads<S> before = output;

  const FadTileOfCell<S, tile.lefts, tile.rights, 32> threads(
      s, {output.output(), left.input(), right.input()});
  for (int64_t i = threads.threads(); i-- > 0;) threads(i);

  int64_t wrong = 0;
  forEachPlace({cells, lefts, rights, n + 1}, [&](const std::vector<int64_t>& at) {
    const int64_t i = at[3], place_of_out = output.elements.at({at[0], at[1], at[2]});
    long double wanted = s.sum_into ? before.component(place_of_out, i, n) : 0;
    forEachPlace(terms, [&](const std::vector<int64_t>& k) {
      wanted += productOf(left, left.elements.at({at[0], at[1], k[0], k[1], k[2]}), right,
                          right.elements.at({at[0], at[2], k[0], k[1], k[2]}), i, n);
    });
    wrong += !isClose(static_cast<S>(output.component(place_of_out, i, n)), wanted);
  });
  TEST_EQUALITY(wrong, 0);
  if (wrong > 0) {
    out << "seed " << seed << ", tile " << tile.lefts << 'x' << tile.rights << ", fields " << lefts
        << 'x' << rights << ", cells " << cells << ", derivatives " << n << " of " << left.count
        << " and " << right.count << (is_left ? ", LayoutLeft" : ", LayoutRight")
        << (is_contiguous ? ", contiguous\n" : "\n");
  }
}

template <class S, std::size_t... place>
void checkTiles(std::index_sequence<place...>, Teuchos::FancyOStream& out, bool& success) {
  for (unsigned seed = 0; seed < 8 && success; ++seed) {
    (checkTile<S, place>(seed, out, success), ...);
  }
}
using AllTiles = std::make_index_sequence<std::size(DeviceFads::tiles)>;

TEUCHOS_UNIT_TEST(DeviceFads, contractionsByChance) {
  checkTiles<double>(AllTiles(), out, success);
  checkTiles<float>(AllTiles(), out, success);
}

/// Steps of an array of (cell, field, point, row, column, m, n).
template <class S>
PointwiseShape::Strides stridesOf(const Fads<S>& of) {
  return {of.step(0), of.step(1), of.step(2), of.step(3), of.step(4)};
}

template <class S>
void checkElements(unsigned seed, Teuchos::FancyOStream& out, bool& success) {
  Chance chance(seed);
  const int64_t n = chance.derivatives();
  PointwiseShape s;
  s.kind = static_cast<PointwiseKind>(chance.draw(0, 2));
  const bool has_sums = s.kind == PointwiseKind::Product;
  s.cells = chance.draw(0, 3) == 0 ? chance.draw(60, 140) : chance.draw(1, 9),
  s.fields = chance.draw(1, 4), s.points = chance.draw(1, 5);
  s.rows = chance.draw(1, 3), s.columns = chance.draw(1, 3);
  const std::vector<int64_t> places{s.cells, s.fields, s.points, s.rows, s.columns};
  const std::vector<int64_t> terms{has_sums ? chance.draw(1, 3) : 1,
                                   has_sums ? chance.draw(1, 2) : 1};
  const bool is_left = chance.flip(), is_contiguous = chance.flip();
  const auto factor = [&] {
    std::vector<int64_t> extents = places;
    for (int64_t& extent : extents) extent = chance.draw(0, 2) == 0 ? 1 : extent;
    extents.insert(extents.end(), terms.begin(), terms.end());
    return Fads<S>(extents, chance.flip() ? n : 0, is_left, is_contiguous, chance.random);
  };
  const Fads<S> left = factor(), right = factor();
  Fads<S> output(places, n, is_left, is_contiguous, chance.random);
  output.scalars.assign(output.scalars.size(), std::numeric_limits<S>::quiet_NaN());
  s.out = stridesOf(output), s.left = stridesOf(left), s.right = stridesOf(right);
  for (std::size_t i = 0; i < 2; ++i) s.sum[i] = {terms[i], left.step(5 + i), right.step(5 + i)};

  const auto left_array = hasLeft(s.kind) ? left.input() : FadArray<const S>{};
  TEST_ASSERT(runFadElements<S>(Kokkos::DefaultHostExecutionSpace(), s,
                                {output.output(), left_array, right.input()}, "elements"));

  int64_t wrong = 0;
  std::vector<int64_t> all = places;
  all.push_back(n + 1);
  forEachPlace(all, [&](const std::vector<int64_t>& at) {
    const int64_t i = at[5];
    const std::vector<int64_t> place(at.begin(), at.begin() + 5);
    const auto placeIn = [&](const Fads<S>& of, const std::vector<int64_t>& term) {
      std::vector<int64_t> index = place;
      index.insert(index.end(), term.begin(), term.end());
      return of.elements.at(index);
    };
    const int64_t l = placeIn(left, {0, 0}), r = placeIn(right, {0, 0});
    long double wanted = 0;
    if (s.kind == PointwiseKind::Copy) {
      wanted = right.component(r, i, n);
    } else if (s.kind == PointwiseKind::Quotient) {
      const long double x = left.component(l, n, n), y = right.component(r, n, n);
      wanted =
          i == n ? y / x : (right.component(r, i, n) * x - y * left.component(l, i, n)) / (x * x);
    } else {
      forEachPlace(terms, [&](const std::vector<int64_t>& term) {
        wanted += productOf(left, placeIn(left, term), right, placeIn(right, term), i, n);
      });
    }
    wrong += !isClose(static_cast<S>(output.component(output.elements.at(place), i, n)), wanted);
  });
  TEST_EQUALITY(wrong, 0);
  if (wrong > 0) out << "seed " << seed << ", kind " << int(s.kind) << '\n';
}

TEUCHOS_UNIT_TEST(DeviceFads, elementsByChance) {
  for (unsigned seed = 0; seed < 150 && success; ++seed) {
    checkElements<double>(seed, out, success);
    checkElements<float>(seed, out, success);
  }
}

/// A thread would read the value that another one has replaced; other kinds have no such elements.
TEUCHOS_UNIT_TEST(DeviceFads, leavesOthersAside) {
  std::mt19937 random(1);
  Fads<double> x({2, 3}, 3, false, true, random), y({2, 3}, 3, false, true, random);
  PointwiseShape s;
  s.cells = 2, s.fields = 3;
  s.out = s.left = s.right = {x.step(0), x.step(1), 0, 0, 0};
  const Kokkos::DefaultHostExecutionSpace space;
  const FadArrays<double> apart{y.output(), x.input(), x.input()};
  TEST_ASSERT(runFadElements(space, s, apart, "apart"));
  TEST_ASSERT(!runFadElements<double>(space, s, {x.output(), x.input(), y.input()}, "left"));
  TEST_ASSERT(!runFadElements<double>(space, s, {x.output(), y.input(), x.input()}, "right"));
  s.kind = PointwiseKind::Cross2;
  TEST_ASSERT(!runFadElements(space, s, apart, "cross product"));
  s.kind = PointwiseKind::Product;
  s.cells = int64_t(1) << 35;
  TEST_ASSERT(!runFadElements(space, s, apart, "too many"));
}

/// Derivatives of what has none of its own, into an output that keeps none.
TEUCHOS_UNIT_TEST(DeviceFads, outputsWithoutDerivatives) {
  std::mt19937 random(1);
  const Fads<double> left({2, 2}, 3, false, true, random), right({2, 2}, 3, false, true, random);
  Fads<double> output({2, 2, 2}, 0, false, true, random);
  ContractionShape s;
  s.cells = s.lefts = s.rights = 2;
  s.out_cell = 4, s.out_left = 2, s.out_right = 1;
  s.left_cell = left.step(0), s.left_field = left.step(1);
  s.right_cell = right.step(0), s.right_field = right.step(1);
  const FadTileOfCell<double, 1, 1, 32> threads(s, {output.output(), left.input(), right.input()});
  for (int64_t i = 0; i < threads.threads(); ++i) threads(i);
  forEachPlace({2, 2, 2}, [&](const std::vector<int64_t>& at) {
    const double wanted =
        static_cast<double>(left.component(left.elements.at({at[0], at[1]}), 3, 3) *
                            right.component(right.elements.at({at[0], at[2]}), 3, 3));
    TEST_EQUALITY(output.scalars[std::size_t(output.elements.at(at))], wanted);
  });
}

/// Tiles are those that fields fill, and large ones where fields are many.
TEUCHOS_UNIT_TEST(DeviceFads, choosesTiles) {
  const Machine machine = h200();
  Work work;
  work.is_contraction = work.is_fad = true;
  work.components = work.products = 9;
  work.scalar_bytes[0] = work.scalar_bytes[1] = 72, work.scalar_bytes[2] = 8;
  work.terms = 64;
  const auto tileFor = [&](int64_t lefts, int64_t rights) {
    work.box = {{100000, lefts, rights}};
    return DeviceFads::tiles[DeviceFads::choose(work, machine).place];
  };
  TEST_EQUALITY(tileFor(1, 1).lefts, 1);
  TEST_EQUALITY(tileFor(1, 27).lefts, 1);
  TEST_EQUALITY(tileFor(27, 1).rights, 1);
  TEST_COMPARE(tileFor(27, 27).lefts, >=, 4);
  TEST_COMPARE(tileFor(3, 3).lefts, <=, 3);
}

}  // namespace
}  // namespace KontractTest
