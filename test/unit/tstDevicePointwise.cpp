// SPDX-License-Identifier: BSD-3-Clause
//
// The kernel that devices have for pointwise operations, run by threads of the host, against plain
// loops: random sizes, layouts, gaps and alignments, operands without some of the indices, outputs
// that are an input, inputs that end where a page does that nobody can touch. Numbers are such that
// all results are exact.

#include <Teuchos_UnitTestHarness.hpp>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "GuardedPages.hpp"
#include "detail/algorithms/Kontract_DevicePointwise.hpp"
#include "detail/dispatch/Kontract_CompiledProblems.hpp"

namespace KontractTest {
namespace {

using namespace Kontract::Impl;
using std::int64_t;

/// Stands for an execution space: as many threads as a device may have, one after the other.
struct MadeUpDevice {
  int64_t threads;
  bool backwards;                  ///< devices start their threads in any order
  std::set<std::string>* kernels;  ///< that ran
  int64_t concurrency() const { return threads; }
};

/// DevicePointwise finds this for its space, and Kontract's own launch() for all others.
template <ElementKind kind, int terms, bool keeps_left, ThreadCells cells, int width, class Problem>
void launch(const MadeUpDevice& device, const std::string&, int64_t n,
            const PointwiseThread<kind, terms, keeps_left, cells, width, Problem>& functor) {
  device.kernels->insert((cells == ThreadCells::Lines ? "lines of " : "packs of ") +
                         std::to_string(width) + ", kind " + std::to_string(int(kind)) + ", " +
                         std::to_string(terms) +
                         (keeps_left ? " terms, left side kept" : " terms"));
  for (int64_t i = 0; i < n; ++i) functor(device.backwards ? n - 1 - i : i);
}

/// Indices of an operation: cells, fields, points, rows and columns of the output, two sums.
constexpr int indices = 7, outer_sum = 5;
using Numbers = int64_t[indices];

struct Dice {
  std::mt19937 engine;
  int64_t below(int64_t n) { return int64_t(engine() % static_cast<unsigned>(n)); }
  int64_t from(int64_t first, int64_t last) { return first + below(last - first + 1); }
  bool once(int64_t in) { return below(in) == 0; }
};

/// What is in no input and no result.
constexpr float untouched = 1000000;

/// Where an array is between pages that nobody can touch.
enum class Place { AtBegin, AtEnd, Between };

/// An array in memory of its own.
template <class T>
class Array {
 public:
  Numbers strides = {};

  /// \param has   which indices; the others have stride 0
  /// \param tidy  such that packs are likely to fit
  Array(const Numbers& extents, const bool (&has)[indices], bool tidy, Dice& dice) {
    lay(extents, has, tidy, dice);
    const int64_t shift = tidy ? 4 * dice.below(17) : dice.below(70);  // over a line's scalars
#ifdef KONTRACT_TEST_HAS_GUARD_PAGES
    _pages = std::make_unique<GuardedPages>(static_cast<std::size_t>(_span + shift) * sizeof(T));
    T* const begin = reinterpret_cast<T*>(_pages->begin());
    T* const end = reinterpret_cast<T*>(_pages->end());
#else
    _memory.resize(static_cast<std::size_t>(_span + shift));
    T *const begin = _memory.data(), *const end = begin + _memory.size();
#endif
    const auto place = static_cast<Place>(dice.below(3));
    _data = place == Place::AtBegin ? begin : place == Place::AtEnd ? end - _span : begin + shift;
    _begin = begin;
    _size = end - begin;
    std::uninitialized_fill(begin, end, T(untouched));
  }

  T* data() const { return _data; }
  T& at(const Numbers& index) const {
    int64_t offset = 0;
    for (int i = 0; i < indices; ++i) offset += index[i] * strides[i];
    return _data[offset];
  }
  PointwiseShape::Strides pointwise() const {
    return {strides[0], strides[1], strides[2], strides[3], strides[4]};
  }
  /// All the memory, what is next to the array too.
  std::vector<T> memory() const { return {_begin, _begin + _size}; }
  int64_t offsetInMemory(const Numbers& index) const { return &at(index) - _begin; }

 private:
  void lay(const Numbers& extents, const bool (&has)[indices], bool tidy, Dice& dice) {
    const bool cell_fastest = tidy || !dice.once(4);
    const int64_t gap_kind = tidy ? dice.from(2, 4) : dice.below(5);
    int64_t step = !tidy && dice.once(5) ? 2 : 1;
    _span = 1;
    for (int i = 0; i < indices; ++i) {
      const int index = cell_fastest ? i : indices - 1 - i;
      if (!has[index]) continue;
      const int64_t extent = std::max<int64_t>(1, extents[index]);
      strides[index] = step;
      _span += (extent - 1) * step;
      step *= extent;
      if (gap_kind == 0) step += dice.below(4);
      if (i > 0) continue;
      if (gap_kind == 1) step += 1 + 2 * dice.below(17);
      if (gap_kind == 2) step = (step + 3) / 4 * 4;
      if (gap_kind == 3) step = (step + 31) / 32 * 32;
    }
  }

#ifdef KONTRACT_TEST_HAS_GUARD_PAGES
  std::unique_ptr<GuardedPages> _pages;
#else
  std::vector<T> _memory;
#endif
  T *_data, *_begin;
  int64_t _size, _span;
};

/// Calls f for all indices up to those extents, those behind `last` excepted, which are as they
/// are.
template <class F>
void forEach(const Numbers& extents, int first, int last, Numbers& index, const F& f) {
  if (first == last) return f();
  for (index[first] = 0; index[first] < extents[first]; ++index[first]) {
    forEach(extents, first + 1, last, index, f);
  }
  index[first] = 0;
}

template <class T>
struct IsComplexNumber : std::false_type {};
template <class T>
struct IsComplexNumber<Kokkos::complex<T>> : std::true_type {};

/// Powers of two, which divide exactly, or whole numbers. None is 0, which would hide the others.
template <class T>
T number(Dice& dice, bool is_power) {
  const auto power = [&] { return std::ldexp(dice.once(2) ? 1.f : -1.f, int(dice.from(-2, 2))); };
  const auto whole = [&] { return float(dice.from(1, 60)) * (dice.once(2) ? 1 : -1); };
  if constexpr (IsComplexNumber<T>::value) {
    if (!is_power) return T(whole(), whole());
    return dice.once(2) ? T(power(), 0) : T(0, power());
  } else {
    return is_power ? power() : whole();
  }
}

template <class T>
void fill(const Array<T>& array, const Numbers& extents, const bool (&has)[indices], bool powers,
          Dice& dice) {
  Numbers held, index = {};
  for (int i = 0; i < indices; ++i) held[i] = has[i] ? extents[i] : 1;
  forEach(held, 0, indices, index, [&] { array.at(index) = number<T>(dice, powers); });
}

/// An operation and the sizes and indices of its arrays.
struct Case {
  PointwiseKind kind;
  Numbers extents;
  bool out[indices], left[indices], right[indices];
  bool in_place, tidy;
};

int64_t sizeOf(const Case& c) {
  int64_t n = 1;
  for (const int64_t extent : c.extents) n *= extent;
  return n;
}

void chooseSums(Case& c, Dice& dice) {
  const int64_t sums[][2] = {{1, 1}, {2, 1}, {3, 1}, {4, 1}, {3, 3}, {5, 2}, {1, 3}, {0, 1}};
  const auto& sum = sums[dice.below(std::size(sums))];
  if (c.kind == PointwiseKind::Product) std::copy(std::begin(sum), std::end(sum), c.extents + 5);
  if (c.kind == PointwiseKind::Cross2) c.extents[outer_sum] = 2;
  if (c.kind == PointwiseKind::Cross3) c.extents[3] = 3;
}

void chooseExtents(Case& c, Dice& dice) {
  const int64_t cells[] = {1, 31, 511, 512, 513, 544, 4 * dice.from(1, 300), dice.from(1, 1300)};
  const int64_t n = cells[dice.below(std::size(cells))];
  const int64_t extents[] = {
      n, dice.from(1, 9), dice.from(1, 5), dice.from(1, 3), dice.from(1, 3), 1, 1};
  std::copy(std::begin(extents), std::end(extents), c.extents);
  for (int i = 1; i < outer_sum; ++i) {
    if (dice.once(3)) c.extents[i] = 1;
  }
  chooseSums(c, dice);
}

void chooseIndices(Case& c, Dice& dice) {
  for (int i = 0; i < indices; ++i) {
    const int64_t is_without = i < 2 ? 3 : 6;
    c.out[i] = i < outer_sum;
    c.left[i] = !dice.once(is_without);
    c.right[i] = !dice.once(is_without);
  }
  // A side without its components is no vector.
  if (c.kind == PointwiseKind::Cross2) c.left[outer_sum] = c.right[outer_sum] = true;
  if (c.kind == PointwiseKind::Cross3) c.left[3] = c.right[3] = true;
}

Case draw(PointwiseKind kind, bool may_be_in_place, Dice& dice) {
  constexpr int64_t largest = 60000;  // so that many cases take seconds
  Case c = {};
  c.kind = kind;
  do chooseExtents(c, dice);
  while (sizeOf(c) > largest);
  chooseIndices(c, dice);
  const bool has_elements = c.extents[5] * c.extents[6] == 1 && kind != PointwiseKind::Cross3;
  c.in_place = may_be_in_place && has_elements && dice.once(4);
  if (c.in_place) std::copy(std::begin(c.out), std::end(c.out), c.right);
  c.tidy = dice.once(2);
  return c;
}

/// An output element, by its definition.
template <class T, class Left, class Right>
T expected(const Case& c, const Array<Left>& left, const Array<Right>& right, Numbers& index) {
  const auto product = [&](int i, int64_t of_left, int64_t of_right) {
    const int64_t was = std::exchange(index[i], of_left);
    const T l(left.at(index));
    index[i] = of_right;
    const T r(right.at(index));
    index[i] = was;
    return l * r;
  };
  T sum(0);
  switch (c.kind) {
    case PointwiseKind::Copy: return T(right.at(index));
    case PointwiseKind::Quotient: return T(right.at(index)) / T(left.at(index));
    case PointwiseKind::Cross2: return product(5, 0, 1) - product(5, 1, 0);
    case PointwiseKind::Cross3: {
      const int64_t next = (index[3] + 1) % 3, after = (index[3] + 2) % 3;
      return product(3, next, after) - product(3, after, next);
    }
    case PointwiseKind::Product:
      forEach(c.extents, outer_sum, indices, index,
              [&] { sum += T(left.at(index)) * T(right.at(index)); });
  }
  return sum;
}

template <class T, class Left, class Right>
PointwiseShape shapeOf(const Case& c, const Array<T>& out, const Array<Left>& left,
                       const Array<Right>& right) {
  PointwiseShape s;
  s.kind = c.kind;
  s.cells = c.extents[0], s.fields = c.extents[1], s.points = c.extents[2];
  s.rows = c.extents[3], s.columns = c.extents[4];
  for (int i = 0; i < 2; ++i) {
    const int at = outer_sum + i;
    s.sum[i] = {c.extents[at], left.strides[at], right.strides[at]};
  }
  s.out = out.pointwise(), s.left = left.pointwise(), s.right = right.pointwise();
  return s;
}

std::string describe(const Case& c, const PointwiseShape& s) {
  std::string text = "kind " + std::to_string(int(c.kind)) + (c.in_place ? " in place" : "");
  const auto add = [&text](const char* what, const auto&... numbers) {
    text += what;
    ((text += ' ' + std::to_string(numbers)), ...);
  };
  const auto addStrides = [&add](const char* what, const PointwiseShape::Strides& of) {
    add(what, of.cell, of.field, of.point, of.row, of.column);
  };
  add(", extents", s.cells, s.fields, s.points, s.rows, s.columns);
  add(", sums", s.sum[0].extent, s.sum[0].left, s.sum[0].right, s.sum[1].extent, s.sum[1].left,
      s.sum[1].right);
  addStrides(", out", s.out);
  addStrides(", left", s.left);
  addStrides(", right", s.right);
  return text;
}

/// The output of this case: its right side, where that may be.
template <class T, class Right>
const Array<T>& outputOf(const Case& c, const Array<T>& apart, const Array<Right>& right) {
  if constexpr (std::is_same_v<T, Right>) return c.in_place ? right : apart;
  return apart;
}

/// \return what is wrong; empty if nothing is
template <class T, class Left, class Right, class Space>
std::string faultOf(const Case& c, const Space& space, Dice& dice) {
  // One array of other strides or alignment is enough for packs not to fit.
  const Array<Left> left(c.extents, c.left, c.tidy && !dice.once(4), dice);
  const Array<Right> right(c.extents, c.right, c.tidy && !dice.once(4), dice);
  const Array<T> apart(c.extents, c.out, c.tidy, dice);
  const Array<T>& out = outputOf(c, apart, right);
  fill(left, c.extents, c.left, true, dice);
  fill(right, c.extents, c.right, false, dice);

  std::vector<T> all = out.memory();
  Numbers index = {};
  forEach(c.extents, 0, outer_sum, index, [&] {
    all[std::size_t(out.offsetInMemory(index))] = expected<T>(c, left, right, index);
  });
  Problem<PointwiseShape, Accessor<T>, Accessor<const Left>, Accessor<const Right>> problem{
      shapeOf(c, out, left, right), {out.data()}, {left.data()}, {right.data()}};
  if (c.kind == PointwiseKind::Copy) problem.left.data = nullptr, problem.shape.left = {};
  const std::string what = describe(c, problem.shape);
  if (!DevicePointwise::run(space, problem, "Kontract::test")) return what + ": refused";

  const std::vector<T> computed = out.memory();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (computed[i] == all[i]) continue;
    return what + ", wrong at " + std::to_string(int64_t(i) - out.offsetInMemory(index));
  }
  return {};
}

/// Of those to draw, half are products.
constexpr PointwiseKind kinds[] = {
    PointwiseKind::Product, PointwiseKind::Copy,   PointwiseKind::Product, PointwiseKind::Quotient,
    PointwiseKind::Product, PointwiseKind::Cross2, PointwiseKind::Product, PointwiseKind::Cross3};

/// \return kernels that ran, by name
template <class T, class Left, class Right>
std::set<std::string> checkMany(int cases, bool& success, Teuchos::FancyOStream& out) {
  Dice dice{std::mt19937(17)};
  std::set<std::string> kernels;
  // One thread, few of them for one or both of the walked indices, and more than there is work.
  const int64_t threads[] = {1, 2, 9, 40, 150, 600, 270336};
  for (int i = 0; i < cases; ++i) {
    const PointwiseKind kind = kinds[std::size_t(i) % std::size(kinds)];
    const Case c = draw(kind, std::is_same_v<T, Right>, dice);
    const MadeUpDevice device{threads[dice.below(std::size(threads))], dice.once(2), &kernels};
    const std::string fault = faultOf<T, Left, Right>(c, device, dice);
    if (fault.empty()) continue;
    out << fault << ", " << device.threads << " threads\n";
    success = false;
  }
  return kernels;
}

/// All kernels that can be chosen have to run: packs and single scalars of each kind, and lines of
/// what gains from them, in complex double no sums but empty ones. Mixed scalars have neither packs
/// nor lines.
template <class T, class Left = T, class Right = T>
void checkScalars(std::size_t kernels, bool& success, Teuchos::FancyOStream& out) {
  const std::set<std::string> ran = checkMany<T, Left, Right>(2500, success, out);
  if (ran.size() == kernels) return;
  for (const std::string& kernel : ran) out << kernel << '\n';
  TEST_EQUALITY(ran.size(), kernels);
}

TEUCHOS_UNIT_TEST(DevicePointwise, computesDoubles) { checkScalars<double>(38, success, out); }
TEUCHOS_UNIT_TEST(DevicePointwise, computesFloats) { checkScalars<float>(38, success, out); }
TEUCHOS_UNIT_TEST(DevicePointwise, computesComplexFloats) {
  checkScalars<Kokkos::complex<float>>(38, success, out);
}
TEUCHOS_UNIT_TEST(DevicePointwise, computesComplexDoubles) {
  checkScalars<Kokkos::complex<double>>(22, success, out);
}

TEUCHOS_UNIT_TEST(DevicePointwise, computesMixedScalars) {
  checkScalars<double, float, int>(14, success, out);
  checkScalars<Kokkos::complex<double>, double, Kokkos::complex<double>>(14, success, out);
  checkScalars<float, double, double>(14, success, out);
}

/// A line of memory holds more of them than a warp has threads.
TEUCHOS_UNIT_TEST(DevicePointwise, copiesShortIntegers) {
  std::vector<short> from(1000), to(1001, short(-1));
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<short>(i);
  PointwiseShape s;
  s.kind = PointwiseKind::Copy;
  s.cells = 1000, s.fields = s.points = s.rows = s.columns = 1;
  s.out.cell = s.right.cell = 1;
  const PlainPointwise<short> problem{s, {to.data() + 1}, {nullptr}, {from.data()}};
  std::set<std::string> kernels;
  TEST_ASSERT(DevicePointwise::run(MadeUpDevice{40, false, &kernels}, problem, "Kontract::test"));
  TEST_EQUALITY(to[0], -1);
  TEST_ASSERT(std::equal(from.begin(), from.end(), to.begin() + 1));
}

TEUCHOS_UNIT_TEST(DevicePointwise, leavesWhatItCannotCount) {
  std::set<std::string> kernels;
  const MadeUpDevice device{270336, false, &kernels};
  constexpr int64_t many = int64_t(1) << 31;
  for (int i = 0; i < outer_sum; ++i) {
    Numbers n = {1, 1, 1, 1, 1};
    n[0] = 2;
    n[i] = many;
    n[i == 1 ? 2 : 1] = 2;
    PointwiseShape s;
    s.cells = n[0], s.fields = n[1], s.points = n[2], s.rows = n[3], s.columns = n[4];
    s.out = {1, n[0], n[0] * n[1], n[0] * n[1] * n[2], n[0] * n[1] * n[2] * n[3]};
    s.left = s.right = s.out;
    const PlainPointwise<double> problem{s, {nullptr}, {nullptr}, {nullptr}};
    TEST_ASSERT(!DevicePointwise::run(device, problem, "Kontract::test"));
  }
  TEST_ASSERT(kernels.empty());
}

TEUCHOS_UNIT_TEST(DevicePointwise, runsInExecutionSpaces) {
  Dice dice{std::mt19937(5)};
  for (const PointwiseKind kind : kinds) {
    for (int i = 0; i < 10; ++i) {
      const Case c = draw(kind, true, dice);
      const std::string fault =
          faultOf<double, double, double>(c, Kokkos::DefaultHostExecutionSpace(), dice);
      TEST_EQUALITY(fault, "");
    }
  }
}

}  // namespace
}  // namespace KontractTest
