// SPDX-License-Identifier: BSD-3-Clause
//
// The host's kernels in every instruction set that this machine has, against plain loops: shapes
// with all remainders, layouts, sums into, and outputs that stream past the caches.

#include <Teuchos_UnitTestHarness.hpp>
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "GuardedPages.hpp"
#include "HostSets.hpp"
#include "KeepLargest.hpp"
#include "detail/kernels/host_simd/common/Kontract_ThreadMemory.hpp"

namespace KontractTest {
namespace {

using Kontract::Impl::HostContraction;
using Kontract::Impl::HostPart;
using std::int64_t;

enum class Layout { Right, Left, Padded, Levels, LeftPadded };

bool isLeft(Layout layout) { return layout == Layout::Left || layout == Layout::LeftPadded; }

/// How a problem is cut: not at all, cells and left fields in halves, or cells alone.
enum class Parts { One, Halves, Cells };

/// An array of (cell, field, p, d), or an output (cell, left, right, 1), with room around it.
template <class T>
struct Array {
  int64_t extents[4], strides[4];
  std::vector<T> memory;
  int64_t start;

  Array(int64_t cells, int64_t fields, int64_t p, int64_t d, Layout layout)
      : extents{cells, fields, p, d} {
    const int64_t gap = layout == Layout::Padded ? 3 : layout == Layout::Levels ? 1 : 0;
    const int64_t pads[4] = {2 * gap, gap, layout == Layout::Levels ? gap : 0, 0};
    int64_t step = 1;
    for (int i = 0; i < 4; ++i) {
      const int at = isLeft(layout) ? i : 3 - i;
      strides[at] = step;
      step *= extents[at] + (at > 0 && !isLeft(layout) ? pads[at - 1] : 0);
      if (at == 0 && layout == Layout::LeftPadded) step += 3;
    }
    constexpr int64_t room = 64;
    start = room;
    memory.resize(static_cast<std::size_t>(step + 2 * room));
  }
  T* data() { return memory.data() + start; }
  T& at(int64_t c, int64_t f, int64_t p, int64_t d) {
    return data()[c * strides[0] + f * strides[1] + p * strides[2] + d * strides[3]];
  }
};

template <class T>
void fill(std::vector<T>& values, std::mt19937& random) {
  using Real = typename RealOf<T>::type;
  std::uniform_real_distribution<Real> uniform(-1, 1);
  for (T& x : values) {
    if constexpr (std::is_same_v<T, Real>) {
      x = uniform(random);
    } else {
      x = T(uniform(random), uniform(random));
    }
  }
}

struct Sizes {
  int64_t cells, lefts, rights, p, d;
};

/// \return the largest error in units of the rounding that may be, or infinity if anything outside
/// of the output changed
template <class T>
double errorOf(const HostKernels& set, const Sizes& s, Layout layout, Layout out_layout, bool add,
               bool stream, Parts parts, std::mt19937& random) {
  using Real = typename RealOf<T>::type;
  Array<T> left(s.cells, s.lefts, s.p, s.d, layout), right(s.cells, s.rights, s.p, s.d, layout);
  Array<T> out(s.cells, s.lefts, s.rights, 1, out_layout);
  fill(left.memory, random);
  fill(right.memory, random);
  fill(out.memory, random);
  std::vector<T> expected = out.memory;
  const auto offset = [&](int64_t c, int64_t l, int64_t r) {
    return static_cast<std::size_t>(&out.at(c, l, r, 0) - out.memory.data());
  };
  for (int64_t c = 0; c < s.cells; ++c) {
    for (int64_t l = 0; l < s.lefts; ++l) {
      for (int64_t r = 0; r < s.rights; ++r) {
        T sum = add ? expected[offset(c, l, r)] : T(0);
        for (int64_t p = 0; p < s.p; ++p) {
          for (int64_t d = 0; d < s.d; ++d) sum += left.at(c, l, p, d) * right.at(c, r, p, d);
        }
        expected[offset(c, l, r)] = sum;
        if (!add) out.at(c, l, r, 0) = T(std::numeric_limits<Real>::quiet_NaN());
      }
    }
  }
  HostContraction<Real> problem;
  problem.out = reinterpret_cast<Real*>(out.data());
  problem.left = reinterpret_cast<const Real*>(left.data());
  problem.right = reinterpret_cast<const Real*>(right.data());
  problem.lefts = s.lefts;
  problem.rights = s.rights;
  problem.sum[0] = {1, 0, 0};
  problem.sum[1] = {s.p, left.strides[2], right.strides[2]};
  problem.sum[2] = {s.d, left.strides[3], right.strides[3]};
  if (isLeft(layout)) std::swap(problem.sum[1], problem.sum[2]);
  if (layout != Layout::Levels) {  // as the library merges them
    const int64_t step = isLeft(layout) ? left.strides[2] : 1;
    const int64_t right_step = isLeft(layout) ? right.strides[2] : 1;
    problem.sum[1] = {1, 0, 0};
    problem.sum[2] = {s.p * s.d, step, right_step};
  }
  problem.out_cell = out.strides[0];
  problem.out_left = out.strides[1];
  problem.out_right = out.strides[2];
  problem.left_cell = left.strides[0];
  problem.left_field = left.strides[1];
  problem.right_cell = right.strides[0];
  problem.right_field = right.strides[1];
  problem.add = add;
  problem.stream = stream;
  const HostKernels::Of<Real>& kernels = kernelsFor(set, T());
  void* const memory = Kontract::Impl::threadMemory(kernels.workspace(problem));
  const int64_t cells_each = parts == Parts::One     ? s.cells
                             : parts == Parts::Cells ? std::min<int64_t>(s.cells, 50)
                                                     : std::max<int64_t>(1, s.cells / 2);
  const int64_t lefts_each = parts == Parts::Halves ? std::max<int64_t>(1, s.lefts / 2) : s.lefts;
  for (int64_t c = 0; c < s.cells; c += cells_each) {
    for (int64_t l = 0; l < s.lefts; l += lefts_each) {
      kernels.contract(
          problem,
          HostPart{c, std::min(s.cells, c + cells_each), l, std::min(s.lefts, l + lefts_each)},
          memory);
    }
  }
  double worst = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double rounding = std::numeric_limits<Real>::epsilon() * double(s.p * s.d + 8) * 4;
    const double error = std::abs(out.memory[i] - expected[i]) / rounding;
    keepLargest(worst, error);
  }
  return worst;
}

const std::vector<Sizes>& sizes() {
  static const std::vector<Sizes> all = [] {
    std::vector<Sizes> list{
        {1, 1, 1, 1, 1},     {5, 8, 8, 8, 1},     {3, 27, 27, 64, 1}, {40, 4, 4, 4, 1},
        {2, 13, 33, 9, 3},   {1, 50, 41, 216, 3}, {70, 1, 9, 5, 3},   {70, 9, 1, 5, 3},
        {200, 1, 1, 27, 9},  {1, 1, 1, 5000, 1},  {9, 3, 2, 0, 1},    {1000, 2, 3, 2, 1},
        {2, 64, 64, 1, 1},   {3, 35, 35, 7, 1},   {70, 9, 11, 40, 3}, {37, 60, 45, 20, 1},
        {19, 90, 90, 10, 1}, {67, 1, 1, 3, 1},    {41, 1, 1, 13, 2},  {35, 54, 52, 110, 1}};
    std::mt19937 random(7);
    const auto upTo = [&](int most) { return int64_t(random() % static_cast<unsigned>(most)) + 1; };
    for (int i = 0; i < 120; ++i) list.push_back({upTo(40), upTo(30), upTo(45), upTo(12), upTo(3)});
    return list;
  }();
  return all;
}

template <class T>
void testAll(Teuchos::FancyOStream& out, bool& success) {
  int sets = 0;
  for (const char* name : set_names) {
    const HostKernels* const set = Kontract::Impl::hostKernels(name);
    if (set == nullptr) {
      out << name << ": not on this machine, or not compiled\n";
      continue;
    }
    ++sets;
    out << name << "\n";
    TEST_EQUALITY(std::string(set->name), name);
    std::mt19937 random(42);
    long checks = 0;
    for (const Sizes& s : sizes()) {
      for (const Layout layout :
           {Layout::Right, Layout::Left, Layout::Padded, Layout::Levels, Layout::LeftPadded}) {
        for (const Layout out_layout :
             {Layout::Right, Layout::Left, Layout::Padded, Layout::LeftPadded}) {
          const bool add = random() % 2 == 0, stream = random() % 2 == 0;
          const Parts parts = random() % 2 == 0 ? Parts::One : Parts(random() % 3);
          const double error =
              errorOf<T>(*set, s, layout, out_layout, add, stream && !add, parts, random);
          ++checks;
          if (!(error <= 1)) {
            out << name << " cells " << s.cells << " lefts " << s.lefts << " rights " << s.rights
                << " p " << s.p << " d " << s.d << " layout " << int(layout) << " of output "
                << int(out_layout) << (add ? " add" : "") << (stream ? " stream" : "") << " parts "
                << int(parts) << ": error " << error << "\n";
            success = false;
          }
        }
      }
    }
    out << checks << " checks\n";
  }
  TEST_COMPARE(sets, >=, 1);
}

TEUCHOS_UNIT_TEST(HostKernels, contractionsOfDoubleAreRightInEverySet) {
  testAll<double>(out, success);
}
TEUCHOS_UNIT_TEST(HostKernels, contractionsOfFloatAreRightInEverySet) {
  testAll<float>(out, success);
}
TEUCHOS_UNIT_TEST(HostKernels, contractionsOfComplexDoubleAreRightInEverySet) {
  testAll<std::complex<double>>(out, success);
}
TEUCHOS_UNIT_TEST(HostKernels, contractionsOfComplexFloatAreRightInEverySet) {
  testAll<std::complex<float>>(out, success);
}

/// Outputs of cells that are neighbours in memory, computed in parts of so many.
template <class T>
std::vector<T> outputsInParts(const HostKernels& set, const Sizes& s, int64_t cells_each) {
  using Real = typename RealOf<T>::type;
  std::mt19937 random(3);
  Array<T> left(s.cells, s.lefts, s.p, 1, Layout::Left),
      right(s.cells, s.rights, s.p, 1, Layout::Left),
      out(s.cells, s.lefts, s.rights, 1, Layout::Left);
  fill(left.memory, random);
  fill(right.memory, random);
  HostContraction<Real> c{};
  c.out = reinterpret_cast<Real*>(out.data());
  c.left = reinterpret_cast<const Real*>(left.data());
  c.right = reinterpret_cast<const Real*>(right.data());
  c.lefts = s.lefts;
  c.rights = s.rights;
  c.sum[0] = c.sum[1] = {1, 0, 0};
  c.sum[2] = {s.p, left.strides[2], right.strides[2]};
  c.out_cell = c.left_cell = c.right_cell = 1;
  c.out_left = out.strides[1];
  c.out_right = out.strides[2];
  c.left_field = left.strides[1];
  c.right_field = right.strides[1];
  c.stream = true;
  const HostKernels::Of<Real>& kernels = kernelsFor(set, T());
  void* const memory = Kontract::Impl::threadMemory(kernels.workspace(c));
  for (int64_t cell = 0; cell < s.cells; cell += cells_each) {
    kernels.contract(c, HostPart{cell, std::min(s.cells, cell + cells_each), 0, s.lefts}, memory);
  }
  return out.memory;
}

template <class T>
void testBitsOfParts(Teuchos::FancyOStream& out, bool& success) {
  for (const char* name : set_names) {
    const HostKernels* const set = Kontract::Impl::hostKernels(name);
    if (set == nullptr) continue;
    for (const Sizes& s : {Sizes{99, 20, 20, 400, 1}, Sizes{103, 4, 9, 31, 1},
                           Sizes{107, 1, 5, 37, 1}, Sizes{33, 8, 8, 8, 1}}) {
      const std::vector<T> whole = outputsInParts<T>(*set, s, s.cells);
      for (const int64_t each : {16, 48, 96}) {
        out << name << " " << s.cells << " cells, " << each << " at a time\n";
        TEST_ASSERT(outputsInParts<T>(*set, s, each) == whole);
      }
    }
  }
}

TEUCHOS_UNIT_TEST(HostKernels, bitsDoNotDependOnPartsOfWholeVectors) {
  testBitsOfParts<double>(out, success);
  testBitsOfParts<float>(out, success);
  testBitsOfParts<std::complex<double>>(out, success);
  testBitsOfParts<std::complex<float>>(out, success);
}

#ifdef KONTRACT_TEST_HAS_GUARD_PAGES
/// Data with data whose arrays end where a page does that nobody can touch, in parts of so many
/// cells. A cell has NaN, which its neighbours must not see.
template <class Real>
void dotsOfCells(const HostKernels& set, int64_t cells, int64_t terms, int64_t each, int64_t bad,
                 Teuchos::FancyOStream& out, bool& success) {
  const auto bytes = static_cast<std::size_t>(cells * terms) * sizeof(Real);
  const GuardedPages left_pages(bytes), right_pages(bytes),
      out_pages(static_cast<std::size_t>(cells) * sizeof(Real));
  Real* const left = reinterpret_cast<Real*>(left_pages.end()) - cells * terms;
  Real* const right = reinterpret_cast<Real*>(right_pages.end()) - cells * terms;
  Real* const sums = reinterpret_cast<Real*>(out_pages.end()) - cells;
  for (int64_t i = 0; i < cells * terms; ++i) {
    left[i] = Real(i % 7 - 3);
    right[i] = Real(i % 5 - 1);
  }
  if (bad < cells) left[bad * terms + terms / 2] = std::numeric_limits<Real>::quiet_NaN();
  HostContraction<Real> c{};
  c.out = sums;
  c.left = left;
  c.right = right;
  c.lefts = c.rights = 1;
  c.sum[0] = c.sum[1] = {1, 0, 0};
  c.sum[2] = {terms, 1, 1};
  c.out_cell = c.out_left = c.out_right = 1;
  c.left_cell = c.right_cell = c.left_field = c.right_field = terms;
  c.stream = cells % 2 == 0;
  const HostKernels::Of<Real>& kernels = kernelsFor(set, Real());
  void* const memory = Kontract::Impl::threadMemory(kernels.workspace(c));
  for (int64_t cell = 0; cell < cells; cell += each) {
    kernels.contract(c, HostPart{cell, std::min(cells, cell + each), 0, 1}, memory);
  }
  for (int64_t cell = 0; cell < cells; ++cell) {
    Real sum = 0;  // of small integers, so that no order rounds
    for (int64_t k = cell * terms; k < (cell + 1) * terms; ++k) sum += left[k] * right[k];
    if (sums[cell] == sum || (cell == bad && std::isnan(sums[cell]))) continue;
    out << set.name << ": " << cells << " cells of " << terms << " terms, " << each
        << " at a time: cell " << cell << " has " << sums[cell] << ", not " << sum << "\n";
    success = false;
  }
}

TEUCHOS_UNIT_TEST(HostKernels, dotsOfCellsReadNothingButTheirArrays) {
  for (const char* name : set_names) {
    const HostKernels* const set = Kontract::Impl::hostKernels(name);
    if (set == nullptr) continue;
    for (int64_t terms = 1; terms <= 70; ++terms) {
      for (const int64_t cells : {1, 2, 3, 7, 8, 15, 16, 17, 33, 40}) {
        for (const int64_t each : {int64_t(1), int64_t(5), cells}) {
          dotsOfCells<double>(*set, cells, terms, each, terms % 11, out, success);
          dotsOfCells<float>(*set, cells, terms, each, terms % 11, out, success);
        }
      }
    }
  }
}
#endif

TEUCHOS_UNIT_TEST(HostKernels, unknownNamesHaveNoKernels) {
  TEST_ASSERT(Kontract::Impl::hostKernels("avx1024") == nullptr);
}

TEUCHOS_UNIT_TEST(HostKernels, environmentMayNameALesserSet) {
  const char* const wanted = std::getenv("KONTRACT_INSTRUCTION_SET");
  const HostKernels* expected = wanted == nullptr ? nullptr : Kontract::Impl::hostKernels(wanted);
  for (const char* name : set_names) {  // the last one that there is, if nothing else holds
    if (wanted != nullptr && Kontract::Impl::hostKernels(wanted) != nullptr) break;
    if (Kontract::Impl::hostKernels(name) != nullptr) expected = Kontract::Impl::hostKernels(name);
  }
  TEST_ASSERT(expected != nullptr);
  TEST_ASSERT(&Kontract::Impl::hostKernels() == expected);
}

TEUCHOS_UNIT_TEST(HostKernels, workspaceIsKeptAndGrows) {
  void* const first = Kontract::Impl::threadMemory(1000);
  TEST_EQUALITY_CONST(reinterpret_cast<std::uintptr_t>(first) % 64, 0u);
  TEST_ASSERT(Kontract::Impl::threadMemory(10) == first);
  TEST_ASSERT(Kontract::Impl::threadMemory(100000000) != nullptr);
}

}  // namespace
}  // namespace KontractTest
