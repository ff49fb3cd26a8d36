// SPDX-License-Identifier: BSD-3-Clause
//
// The host's pointwise kernels in every instruction set that this machine has, against plain loops:
// all products of small tensors, layouts, sizes with all remainders, outputs that are an input or
// stream past the caches, arrays that end where a page does that nobody can touch.

#include <Teuchos_UnitTestHarness.hpp>
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "GuardedPages.hpp"
#include "HostSets.hpp"
#include "KeepLargest.hpp"
#include "detail/kernels/host_simd/common/Kontract_ThreadMemory.hpp"
#include "detail/problem/Kontract_IndexTable.hpp"
#include "detail/problem/Kontract_Pointwise.hpp"

namespace KontractTest {
namespace {

using Kontract::Impl::HostOperation;
using Kontract::Impl::HostPointwise;
using Kontract::Impl::IndexTable;
using Kontract::Impl::PointwiseKind;
using Kontract::Impl::PointwiseShape;
using std::int64_t;

/// Indices of an operation: cells, fields, points, rows and columns of the output, two sums.
const std::string letters = "CFPijmn";

struct Form {
  HostOperation operation;
  std::string out, left, right;
};

const std::vector<Form>& forms() {
  using Op = HostOperation;
  static const std::vector<Form> all = {
      {Op::Copy, "CFP", "CP", "CFP"},          {Op::Copy, "CFPij", "CP", "CFPij"},
      {Op::Product, "CFP", "CP", "CFP"},       {Op::Product, "CFPi", "CP", "CFPi"},
      {Op::Product, "CFPij", "CP", "CFPij"},   {Op::Quotient, "CFP", "CP", "CFP"},
      {Op::Quotient, "CFPi", "CP", "CFPi"},    {Op::Product, "CFPi", "CPi", "CFPi"},
      {Op::Product, "CFPij", "CPi", "CFPij"},  {Op::Product, "CFP", "CPm", "CFPm"},
      {Op::Product, "CFP", "CPmn", "CFPmn"},   {Op::Product, "CFPi", "CPim", "CFPm"},
      {Op::Product, "CFPi", "CPmi", "CFPm"},   {Op::Product, "CFPij", "CPim", "CFPmj"},
      {Op::Product, "CFPij", "CPmi", "CFPmj"}, {Op::Product, "CFPij", "CPi", "CFPj"},
      {Op::Cross2, "CFP", "CPm", "CFPm"},      {Op::Cross3, "CFPi", "CPi", "CFPi"}};
  return all;
}

enum class Layout { Right, Left, Padded };
enum class Place { Apart, OnLeft, OnRight };

struct Sizes {
  int64_t cells, fields, points, d;
  int64_t of(char letter) const {
    return letter == 'C' ? cells : letter == 'F' ? fields : letter == 'P' ? points : d;
  }
};

/// An array with the indices of some letters and room around it.
template <class T>
struct Array {
  int64_t strides[7] = {};
  std::vector<T> memory;
  static constexpr int64_t room = 64;

  Array(const std::string& indices, const Sizes& sizes, bool one_point, Layout layout) {
    int64_t step = 1;
    const int rank = int(indices.size());
    for (int i = 0; i < rank; ++i) {
      const char letter = indices[std::size_t(layout == Layout::Left ? i : rank - 1 - i)];
      const bool is_one = letter == 'P' && one_point;
      strides[letters.find(letter)] = is_one ? 0 : step;
      step *= (is_one ? 1 : sizes.of(letter)) + (layout == Layout::Padded ? 1 + i % 2 : 0);
    }
    memory.resize(static_cast<std::size_t>(step + 2 * room));
  }
  std::size_t offset(const int64_t (&index)[7]) const {
    int64_t at = room;
    for (int i = 0; i < 7; ++i) at += index[i] * strides[i];
    return static_cast<std::size_t>(at);
  }
  template <class Strides>
  void describe(Strides& of) const {
    of = {strides[0], strides[1], strides[2], strides[3], strides[4]};
  }
};

/// The memory of an array without the room around it, for as long as a call takes: where the system
/// has such pages, at the beginning or the end of some between those that nobody can touch.
template <class T>
class Guarded {
 public:
  Guarded(std::vector<T>& memory, bool at_end)
      : _inside(memory.data() + Array<T>::room),
        _size(memory.size() - 2 * Array<T>::room)
#ifdef KONTRACT_TEST_HAS_GUARD_PAGES
        ,
        _pages(_size * sizeof(T)),
        _data(at_end ? reinterpret_cast<T*>(_pages.end()) - _size
                     : reinterpret_cast<T*>(_pages.begin())) {
    std::copy(_inside, _inside + _size, _data);
  }
  ~Guarded() { std::copy(_data, _data + _size, _inside); }
  T* data() const { return _data; }
#else
  {
    (void)at_end;
  }
  T* data() const { return _inside; }
#endif
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;

 private:
  T* _inside;
  std::size_t _size;
#ifdef KONTRACT_TEST_HAS_GUARD_PAGES
  GuardedPages _pages;
  T* _data;
#endif
};

template <class T>
void fill(std::vector<T>& values, std::mt19937& random) {
  using Real = typename RealOf<T>::type;
  std::uniform_real_distribution<Real> uniform(Real(0.5), 2);
  const auto next = [&] { return random() % 2 == 0 ? uniform(random) : -uniform(random); };
  for (T& x : values) {
    if constexpr (std::is_same_v<T, Real>) {
      x = next();
    } else {
      x = T(next(), next());
    }
  }
}

/// Calls f(index) for all indices of a form.
template <class F>
void forEach(const std::string& indices, const Sizes& sizes, const F& f) {
  int64_t index[7] = {}, ends[7];
  for (std::size_t i = 0; i < 7; ++i) {
    ends[i] = indices.find(letters[i]) == std::string::npos ? 1 : sizes.of(letters[i]);
  }
  const auto loop = [&](const auto& self, std::size_t level) -> void {
    if (level == 7) {
      f(index);
      return;
    }
    for (index[level] = 0; index[level] < ends[level]; ++index[level]) self(self, level + 1);
    index[level] = 0;
  };
  loop(loop, 0);
}

struct Variant {
  Layout layout, out_layout;
  bool right_has_cells, has_fields, one_point, stream, in_parts, spoil, at_end;
  Place place;
};

/// \return the largest error in units of the rounding that may be, infinity if anything outside of
/// the output changed or bits depend on how cells are cut, or -1 if the kernels have nothing for
/// this
template <class T>
double errorOf(const HostKernels& set, const Form& form, const Sizes& s, const Variant& v,
               std::mt19937& random) {
  using Real = typename RealOf<T>::type;
  const auto without = [](std::string indices, char letter) {
    indices.erase(std::remove(indices.begin(), indices.end(), letter), indices.end());
    return indices;
  };
  const std::string out_indices = v.has_fields ? form.out : without(form.out, 'F');
  std::string right_indices = v.has_fields ? form.right : without(form.right, 'F');
  if (!v.right_has_cells) right_indices = without(right_indices, 'C');
  Array<T> left(form.left, s, v.one_point, v.layout);
  Array<T> right(right_indices, s, false, v.layout);
  Array<T> apart(out_indices, s, false, v.out_layout);
  Array<T>& out = v.place == Place::OnLeft ? left : v.place == Place::OnRight ? right : apart;
  fill(left.memory, random);
  fill(right.memory, random);
  fill(apart.memory, random);
  if (v.spoil) {
    const std::size_t inside = right.memory.size() - 2 * Array<T>::room;
    right.memory[Array<T>::room + random() % inside] = random() % 2 == 0
                                                           ? std::numeric_limits<Real>::quiet_NaN()
                                                           : std::numeric_limits<Real>::infinity();
  }
  std::vector<T> expected = out.memory;
  forEach(out_indices, s, [&](const int64_t(&index)[7]) {
    T value(0);
    int64_t a[7], b[7];
    const auto product = [&](std::size_t letter, int64_t left_i, int64_t right_i) {
      std::copy(index, index + 7, a);
      std::copy(index, index + 7, b);
      a[letter] = left_i;
      b[letter] = right_i;
      return left.memory[left.offset(a)] * right.memory[right.offset(b)];
    };
    switch (form.operation) {
      case HostOperation::Copy: value = right.memory[right.offset(index)]; break;
      case HostOperation::Quotient:
        value = right.memory[right.offset(index)] / left.memory[left.offset(index)];
        break;
      case HostOperation::Cross2: value = product(5, 0, 1) - product(5, 1, 0); break;
      case HostOperation::Cross3: {
        const int64_t next = (index[3] + 1) % 3, after = (index[3] + 2) % 3;
        value = product(3, next, after) - product(3, after, next);
        break;
      }
      default:
        forEach(without(without(without(without(without(form.left, 'C'), 'P'), 'i'), 'j'), 'F'), s,
                [&](const int64_t(&sums)[7]) {
                  std::copy(index, index + 7, a);
                  a[5] = sums[5];
                  a[6] = sums[6];
                  value += left.memory[left.offset(a)] * right.memory[right.offset(a)];
                });
    }
    expected[out.offset(index)] = value;
  });
  if (v.place == Place::Apart) {
    forEach(out_indices, s, [&](const int64_t(&index)[7]) {
      out.memory[out.offset(index)] = T(std::numeric_limits<Real>::quiet_NaN());
    });
  }
  const auto extent = [&](char letter, const std::string& in) {
    return in.find(letter) == std::string::npos ? int64_t(1) : s.of(letter);
  };
  HostPointwise<Real> p{};
  p.operation = form.operation;
  p.cells = s.cells;
  p.fields = extent('F', out_indices);
  p.points = s.points;
  p.rows = extent('i', out_indices);
  p.columns = extent('j', out_indices);
  p.sum[0] = {extent('m', form.left), left.strides[5], right.strides[5]};
  p.sum[1] = {extent('n', form.left), left.strides[6], right.strides[6]};
  out.describe(p.out_of);
  left.describe(p.left_of);
  right.describe(p.right_of);
  p.stream = v.stream && v.place == Place::Apart;
  const HostKernels::Of<Real>& kernels = kernelsFor(set, T());
  const int64_t bytes = kernels.multiply_workspace(p);
  if (bytes < 0) return -1;
  void* const memory = Kontract::Impl::threadMemory(bytes);
  const auto compute = [&](int64_t each) {
    const Guarded<T> here(out.memory, v.at_end), on_left(left.memory, v.at_end),
        on_right(right.memory, v.at_end);
    const auto realsOf = [](T* data) { return reinterpret_cast<Real*>(data); };
    p.out = realsOf(here.data());
    p.left = v.place == Place::OnLeft ? p.out : realsOf(on_left.data());
    p.right = v.place == Place::OnRight ? p.out : realsOf(on_right.data());
    for (int64_t c = 0; c < s.cells; c += each) {
      kernels.multiply(p, c, std::min(s.cells, c + each), memory);
    }
  };
  compute(v.in_parts ? 1 + int64_t(random() % unsigned(s.cells)) : s.cells);
  if (v.in_parts && v.place == Place::Apart && !v.spoil) {
    const std::vector<T> in_parts = out.memory;
    compute(s.cells);
    const std::size_t all = in_parts.size() * sizeof(T);
    const bool has_same_bits = std::memcmp(in_parts.data(), out.memory.data(), all) == 0;
    if (!has_same_bits) return std::numeric_limits<double>::infinity();
  }
  double worst = 0;
  const double rounding = std::numeric_limits<Real>::epsilon() * 200;
  const auto isBad = [](const T& x) { return !(std::abs(x) <= 1e30f); };
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (isBad(expected[i])) {
      if (!isBad(out.memory[i])) return std::numeric_limits<double>::infinity();
      continue;
    }
    const double error = std::abs(out.memory[i] - expected[i]) / rounding;
    keepLargest(worst, error);
  }
  return worst;
}

std::vector<Sizes> sizes() {
  std::vector<Sizes> list{{1, 1, 1, 1},
                          {3, 8, 8, 3},
                          {3, 8, 8, 2},
                          {2, 27, 27, 3},
                          {5, 1, 1, 3},
                          {300, 2, 1, 3},
                          {64, 2, 3, 2},
                          {1, 1, 1500, 3},
                          {2, 2, 300, 3},
                          {1, 3, 700, 2},
                          {33, 3, 16, 3},
                          {1, 2, 40, 4},
                          // Small cells, whose items repeat after a few of them.
                          {700, 5, 3, 2},
                          {131, 7, 11, 3},
                          {300, 3, 1, 2},
                          {90, 3, 17, 3},
                          {257, 1, 5, 2},
                          {80, 12, 9, 2}};
  std::mt19937 random(7);
  const auto upTo = [&](unsigned most) { return int64_t(random() % most) + 1; };
  for (int i = 0; i < 14; ++i) list.push_back({upTo(40), upTo(6), upTo(37), upTo(3)});
  return list;
}

/// Whether there should be kernels, so that a test of nothing is found out.
template <class T>
bool isExpected(const Form& form, const Sizes& s, const Variant& v) {
  const bool is_complex = !std::is_same_v<T, typename RealOf<T>::type>;
  if (form.operation == HostOperation::Quotient && is_complex) return false;
  // Of arrays with gaps, those with one component a point that is copied or scaled.
  const bool is_scalar =
      form.out == "CFP" && form.right == "CFP" && form.operation != HostOperation::Quotient;
  return (s.d == 2 || s.d == 3) && v.layout == v.out_layout &&
         (v.layout != Layout::Left || s.cells > 1) && (v.layout != Layout::Padded || is_scalar);
}

template <class T>
void testAll(Teuchos::FancyOStream& out, bool& success) {
  // A third of all sizes for each set and scalar, others for each.
  std::mt19937 random(42 + sizeof(T) + (std::is_same_v<T, double> ? 1 : 0));
  for (const char* name : set_names) {
    const HostKernels* const set = Kontract::Impl::hostKernels(name);
    if (set == nullptr) {
      out << name << ": not on this machine, or not compiled\n";
      continue;
    }
    long checks = 0, refused = 0;
    for (const Form& form : forms()) {
      for (Sizes s : sizes()) {
        if (random() % 3 != 0) continue;
        if (form.operation == HostOperation::Cross2) s.d = 2;
        if (form.operation == HostOperation::Cross3) s.d = 3;
        for (const Layout layout : {Layout::Right, Layout::Left, Layout::Padded}) {
          for (int other = 0; other < 4; ++other) {
            const auto maybe = [&](unsigned n) { return random() % n == 0; };
            Variant v{layout,   layout,   other % 2 == 0, maybe(4) == false, maybe(5),
                      maybe(2), maybe(3), maybe(4),       maybe(2),          Place::Apart};
            if (maybe(8)) v.out_layout = Layout(random() % 3);
            const bool is_element =
                form.out == form.right && form.operation != HostOperation::Cross3;
            if (other == 2 && is_element && v.right_has_cells) v.place = Place::OnRight;
            if (other == 3 && !v.has_fields && !v.one_point &&
                form.out.size() == form.left.size() + 1 && is_element) {
              v.place = Place::OnLeft;
            }
            const double error = errorOf<T>(*set, form, s, v, random);
            ++(error == -1 ? refused : checks);
            if (error == -1 ? isExpected<T>(form, s, v) && v.place == Place::Apart
                            : !(error <= 1)) {
              out << name << " operation " << int(form.operation) << " " << form.out << " "
                  << form.left << " " << form.right << " cells " << s.cells << " fields "
                  << s.fields << " points " << s.points << " d " << s.d << " layout "
                  << int(v.layout) << " of output " << int(v.out_layout)
                  << (v.right_has_cells ? "" : " no cells") << (v.has_fields ? "" : " no fields")
                  << (v.one_point ? " one point" : "") << (v.stream ? " stream" : "")
                  << (v.in_parts ? " in parts" : "") << (v.spoil ? " spoilt" : "") << " place "
                  << int(v.place) << ": error " << error << "\n";
              success = false;
            }
          }
        }
      }
    }
    out << name << ": " << checks << " checks, " << refused << " without a kernel\n";
    TEST_COMPARE(checks, >, refused);
  }
}

TEUCHOS_UNIT_TEST(HostPointwise, productsOfDoubleAreRightInEverySet) {
  testAll<double>(out, success);
}
TEUCHOS_UNIT_TEST(HostPointwise, productsOfFloatAreRightInEverySet) {
  testAll<float>(out, success);
}
TEUCHOS_UNIT_TEST(HostPointwise, productsOfComplexDoubleAreRightInEverySet) {
  testAll<std::complex<double>>(out, success);
}
TEUCHOS_UNIT_TEST(HostPointwise, productsOfComplexFloatAreRightInEverySet) {
  testAll<std::complex<float>>(out, success);
}

/// A point more than none must not make the rows of a tensor points: no kernel has those of outer
/// products, whose right side does not have them.
TEUCHOS_UNIT_TEST(HostPointwise, keepsTensorsOfOnePointTogether) {
  IndexTable indices;  // (C,F,P,D,d) = (C,P,D) * (C,F,P,d), with one point
  indices['C'] = {10, 54, 3, 18};
  indices['F'] = {6, 9, 0, 3};
  indices['D'] = {3, 3, 1, 0};
  indices['d'] = {3, 1, 0, 1};
  const PointwiseShape outer = pointwiseOf(indices, PointwiseKind::Product, true);
  TEST_EQUALITY(outer.rows, 3);
  TEST_EQUALITY(outer.columns, 3);
  TEST_EQUALITY(outer.fields * outer.points, 6);

  indices['C'] = {10, 54, 0, 54};  // copied, all of a cell is one run
  indices['F'] = {6, 9, 0, 9};
  indices['D'] = {3, 3, 0, 3};
  const PointwiseShape copy = pointwiseOf(indices, PointwiseKind::Copy, true);
  TEST_EQUALITY(copy.fields * copy.rows * copy.columns, 1);
  TEST_EQUALITY(copy.points, 54);
}

}  // namespace
}  // namespace KontractTest
