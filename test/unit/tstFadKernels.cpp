// SPDX-License-Identifier: BSD-3-Clause
//
// What hosts have for Fads, in every instruction set that this machine has, against the product
// rule in long double: components side by side in vectors, and far apart as problems of scalars.

#include <Teuchos_UnitTestHarness.hpp>
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "FadsByChance.hpp"
#include "GuardedPages.hpp"
#include "HostSets.hpp"
#include "detail/kernels/portable/Kontract_HostFads.hpp"

namespace KontractTest {
namespace {

using namespace Kontract::Impl;

/// Memory of so many bytes, aligned as workspaces are, of NaNs, with a page behind it that nobody
/// can touch.
class Workspace {
 public:
  explicit Workspace(int64_t bytes) : _bytes(std::size_t((bytes + 63) / 64 * 64)), _pages(_bytes) {
    std::memset(data(), 0xff, _bytes);
  }
  void* data() { return _pages.end() - _bytes; }

 private:
  std::size_t _bytes;
#ifdef KONTRACT_TEST_HAS_GUARD_PAGES
  GuardedPages _pages;
#else
  struct Pages {
    explicit Pages(std::size_t bytes) : memory(bytes + 64) {}
    char* end() {
      const auto address = reinterpret_cast<std::uintptr_t>(memory.data() + memory.size());
      return reinterpret_cast<char*>(address / 64 * 64);
    }
    std::vector<char> memory;
  } _pages;
#endif
};

/// In two parts of cells, and parts of so many left fields.
template <class S>
void checkContraction(const HostKernels& kernels, unsigned seed, int64_t lefts_each,
                      FadContractionByChance<S>& drawn, Teuchos::FancyOStream& out, bool& success) {
  const HostFadContraction<S> contraction(drawn.problem(), kernels);
  Workspace workspace(contraction.bytes);
  const int64_t cell = drawn.cells < 32 ? drawn.cells / 2 : drawn.cells / 32 * 16;
  for (const int64_t part : {0, 1}) {
    const int64_t first = part == 0 ? 0 : cell, last = part == 0 ? cell : drawn.cells;
    for (int64_t left = 0; left < drawn.lefts; left += lefts_each) {
      contraction.contract({first, last, left, std::min(drawn.lefts, left + lefts_each)},
                           workspace.data());
    }
  }
  const int64_t wrong = drawn.wrong();
  TEST_EQUALITY(wrong, 0);
  if (wrong > 0) out << kernels.name << ", seed " << seed << ", " << drawn.text();
}
template <class S>
void checkFewFields(const HostKernels& kernels, unsigned seed, Teuchos::FancyOStream& out,
                    bool& success) {
  FadContractionByChance<S> drawn(seed, 1, 9, 1, 15);
  if (drawn.derivatives == 0) return;  // scalars
  checkContraction(kernels, seed, (drawn.lefts + 1) / 2, drawn, out, success);
}

/// \return whether there were kernels for it
template <class S>
bool checkElements(const HostKernels& kernels, unsigned seed, bool streams,
                   Teuchos::FancyOStream& out, bool& success) {
  FadElementsByChance<S> drawn(seed, 5);
  if (drawn.derivatives == 0) return false;  // scalars
  const auto problem = drawn.problem();
  const HostFadProducts<S> products(problem, kernels);
  if (products.bytes < 0) return false;
  Workspace workspace(products.bytes);
  if (streams && areSideBySide(problem)) {
    HostPointwise<S> pointwise = products.pointwise();
    pointwise.stream = true;
    hostKernelsOf<S>(kernels).multiply_fads(pointwise, hostFadsOf(problem), 0, products.cells,
                                            workspace.data());
  } else {
    const int64_t cell = products.cells / 32 * 16;
    products.multiply(0, cell, workspace.data());
    // The last cell by itself, as threads and chunks may leave it.
    products.multiply(cell, products.cells - 1, workspace.data());
    products.multiply(products.cells - 1, products.cells, workspace.data());
  }
  const int64_t wrong = drawn.wrong();
  TEST_EQUALITY(wrong, 0);
  if (wrong > 0) out << kernels.name << ", seed " << seed << ", " << drawn.text();
  return true;
}

TEUCHOS_UNIT_TEST(FadKernels, eachInstructionSetFollowsTheProductRule) {
  int sets = 0;
  for (const char* const name : set_names) {
    const HostKernels* const kernels = hostKernels(name);
    if (kernels == nullptr) continue;
    ++sets;
    int served = 0;
    for (unsigned seed = 0; seed < 150 && success; ++seed) {
      checkFewFields<double>(*kernels, seed, out, success);
      checkFewFields<float>(*kernels, seed, out, success);
      for (const bool streams : {false, true}) {
        served += checkElements<double>(*kernels, seed, streams, out, success);
        served += checkElements<float>(*kernels, seed, streams, out, success);
      }
    }
    out << name << ": " << served << " of 600 at points\n";
    TEST_COMPARE(served, >, 250);
  }
  out << sets << " sets of instructions\n";
  TEST_ASSERT(sets > 0);
}

/// Parts as threads have them have the same bits as all fields.
template <class S, class Draw>
void checkParts(const HostKernels& kernels, unsigned seed, const Draw& draw,
                Teuchos::FancyOStream& out, bool& success) {
  auto all = draw(), cut = draw();
  if (all.derivatives == 0 || !areSideBySide(all.problem())) return;
  checkContraction(kernels, seed, all.lefts, all, out, success);
  checkContraction(kernels, seed, 12, cut, out, success);
  TEST_ASSERT(all.output.scalars == cut.output.scalars);
  if (!success) out << kernels.name << ", seed " << seed << ", " << all.text();
}

/// Components side by side of many fields, with a workspace and without, and in parts.
/// \return whether something is packed or copied
template <class S>
bool checkManyFields(const HostKernels& kernels, unsigned seed, Teuchos::FancyOStream& out,
                     bool& success) {
  const auto draw = [seed] { return FadContractionByChance<S>(seed, 1, 45, 1, 45, 2, 30); };
  auto drawn = draw();
  const auto problem = drawn.problem();
  if (!areSideBySide(problem)) return false;
  checkContraction(kernels, seed, 1 + seed % 16, drawn, out, success);
  checkParts<S>(kernels, seed, draw, out, success);
  auto same = draw();
  const auto without = same.problem();
  hostKernelsOf<S>(kernels).contract_fads(hostFadContraction(without), hostFadsOf(without),
                                          {0, same.cells, 0, same.lefts}, nullptr);
  const int64_t wrong = same.wrong();
  TEST_EQUALITY(wrong, 0);
  if (wrong > 0) out << kernels.name << ", seed " << seed << ", no workspace, " << same.text();
  return HostFadContraction<S>(problem, kernels).bytes > 0;
}

TEUCHOS_UNIT_TEST(FadKernels, manyFields) {
  for (const char* const name : set_names) {
    const HostKernels* const kernels = hostKernels(name);
    if (kernels == nullptr) continue;
    int packed = 0, drawn = 0;
    for (unsigned seed = 500; seed < 550 && success; ++seed, drawn += 2) {
      packed += checkManyFields<double>(*kernels, seed, out, success);
      packed += checkManyFields<float>(*kernels, seed, out, success);
    }
    out << name << ": " << packed << " of " << drawn << " in a workspace\n";
    TEST_COMPARE(packed, >, 2);
  }
}

/// With one left field more than parts have, and all ends of tiles of right fields.
TEUCHOS_UNIT_TEST(FadKernels, partsHaveTheSameBits) {
  for (const char* const name : set_names) {
    const HostKernels* const kernels = hostKernels(name);
    if (kernels == nullptr) continue;
    unsigned seed = 700;
    for (const int64_t lefts : {13, 25}) {
      for (const int64_t rights : {1, 2, 8, 9, 13, 14, 20, 26}) {
        for (int i = 0; i < 8; ++i, ++seed) {
          checkParts<double>(
              *kernels, seed,
              [=] { return FadContractionByChance<double>(seed, lefts, lefts, rights, rights, 2); },
              out, success);
        }
      }
    }
  }
}

/// Bytes that kernels want for Fads on the left, whose components fill vectors or do not, times
/// numbers that are so far apart.
template <class S>
int64_t workspaceOf(const HostKernels& kernels, int64_t derivatives, int64_t apart) {
  constexpr int64_t fields = 45, terms = 64;
  const S number = 1;
  S fad = 1;
  ContractionShape s;
  s.cells = 1, s.lefts = s.rights = fields;
  s.sum[2] = {terms, derivatives + 1, apart};
  s.out_right = derivatives + 1, s.out_left = fields * s.out_right;
  s.left_field = terms * (derivatives + 1), s.right_field = terms * apart;
  const FadProblem<ContractionShape, S> problem{s,
                                                {&fad, derivatives, derivatives, 1},
                                                {&fad, derivatives, derivatives, 1},
                                                {&number, 0, 0, 0}};
  return HostFadContraction<S>(problem, kernels).bytes;
}

TEUCHOS_UNIT_TEST(FadKernels, packsWhatFillsNoVectorAndCopiesWhatIsApart) {
  for (const char* const name : set_names) {
    const HostKernels* const kernels = hostKernels(name);
    if (kernels == nullptr) continue;
    TEST_EQUALITY(workspaceOf<double>(*kernels, 7, 1), 0);
    TEST_COMPARE(workspaceOf<double>(*kernels, 8, 1), >, 0);
    TEST_COMPARE(workspaceOf<double>(*kernels, 7, 8), >, 0);
    TEST_EQUALITY(workspaceOf<float>(*kernels, 15, 1), 0);
    TEST_COMPARE(workspaceOf<float>(*kernels, 16, 1), >, 0);
    TEST_COMPARE(workspaceOf<float>(*kernels, 15, 16), >, 0);
  }
}

/// No cells, fields or terms: sums of nothing are zero, and nothing else is written.
TEUCHOS_UNIT_TEST(FadKernels, contractionsOfNothing) {
  constexpr int64_t n = 3, some = 2;
  const std::vector<double> fads(std::size_t(some * some * some * (n + 1)), 1.0);
  for (const char* const name : set_names) {
    const HostKernels* const kernels = hostKernels(name);
    if (kernels == nullptr) continue;
    for (int left_out = 0; left_out < 6; ++left_out) {
      // The last two have a single field on the other side.
      ContractionShape s;
      s.cells = left_out == 0 ? 0 : some;
      s.lefts = left_out == 1 || left_out == 4 ? 0 : left_out == 5 ? 1 : some;
      s.rights = left_out == 2 || left_out == 5 ? 0 : left_out == 4 ? 1 : some;
      s.sum[2] = {left_out == 3 ? 0 : some, n + 1, n + 1};
      s.out_right = n + 1, s.out_left = some * (n + 1), s.out_cell = some * some * (n + 1);
      s.left_field = s.right_field = some * (n + 1);
      s.left_cell = s.right_cell = some * some * (n + 1);
      std::vector<double> sums(fads.size(), -1.0);
      const FadProblem<ContractionShape, double> problem{
          s, {sums.data(), n, n, 1}, {fads.data(), n, n, 1}, {fads.data(), n, n, 1}};
      const HostFadContraction<double> contraction(problem, *kernels);
      Workspace workspace(contraction.bytes);
      contraction.contract({0, s.cells, 0, s.lefts}, workspace.data());
      const double wanted = left_out == 3 ? 0.0 : -1.0;
      for (const double sum : sums) TEST_EQUALITY(sum, wanted);
    }
  }
}

/// Where the output is an operand, element by element.
template <class S>
void checkInPlace(bool is_left, bool is_contiguous, int64_t derivatives, bool divides,
                  Teuchos::FancyOStream& out, bool& success) {
  std::mt19937 random(1);
  const std::vector<int64_t> extents{5, 1, 4};
  Fads<S> x(extents, derivatives, is_left, is_contiguous, random);
  const Fads<S> y(extents, derivatives, is_left, is_contiguous, random), before = x;
  PointwiseShape s;
  s.kind = divides ? PointwiseKind::Quotient : PointwiseKind::Product;
  s.cells = 5, s.points = 4;
  s.out = s.left = s.right = {x.step(0), 0, x.step(2), 0, 0};
  const HostFadProducts<S> products(
      FadProblem<PointwiseShape, S>{s, x.output(), x.input(), y.input()});
  if (products.bytes < 0) return;
  Workspace workspace(products.bytes);
  products.multiply(0, 5, workspace.data());
  int64_t wrong = 0;
  forEachPlace(extents, [&](const std::vector<int64_t>& at) {
    const int64_t e = x.elements.at(at), n = derivatives;
    const long double l = before.component(e, n, n), r = y.component(e, n, n);
    for (int64_t i = 0; i <= n; ++i) {
      long double wanted = productOf(before, e, y, e, i, n);
      if (divides) {
        wanted =
            i == n ? r / l : (y.component(e, i, n) * l - r * before.component(e, i, n)) / (l * l);
      }
      wrong += !isClose(static_cast<S>(x.component(e, i, n)), wanted);
    }
  });
  TEST_EQUALITY(wrong, 0);
  if (wrong > 0) {
    out << (is_left ? "LayoutLeft" : "LayoutRight") << (is_contiguous ? ", contiguous, " : ", ")
        << derivatives << " derivatives" << (divides ? ", quotient\n" : "\n");
  }
}

TEUCHOS_UNIT_TEST(FadKernels, productsAndQuotientsInPlace) {
  for (const bool is_left : {false, true}) {
    for (const bool is_contiguous : {false, true}) {
      for (const int64_t derivatives : {1, 7, 8, 19}) {
        for (const bool divides : {false, true}) {
          checkInPlace<double>(is_left, is_contiguous, derivatives, divides, out, success);
          checkInPlace<float>(is_left, is_contiguous, derivatives, divides, out, success);
        }
      }
    }
  }
}

/// Constants over constants: where these are zero, results are infinite and have no derivatives.
/// \return whether there was a kernel for it
template <class S>
bool checkConstants(const HostKernels& kernels, int64_t derivatives, bool is_contiguous,
                    Teuchos::FancyOStream& out, bool& success) {
  constexpr int64_t points = 5;
  const S zero = 0, infinity = std::numeric_limits<S>::infinity();
  const std::vector<S> ones(points, S(1));
  const int64_t stride = is_contiguous ? 1 : points, step = is_contiguous ? derivatives + 1 : 1;
  std::vector<S> quotients(std::size_t(points * (derivatives + 1)), S(-1));
  PointwiseShape s;
  s.kind = PointwiseKind::Quotient;
  s.points = points;
  s.out = {0, 0, step, 0, 0};
  s.right = {0, 0, 1, 0, 0};
  const FadProblem<PointwiseShape, S> problem{
      s,
      {quotients.data(), derivatives * stride, derivatives, stride},
      {&zero, 0, 0, 0},
      {ones.data(), 0, 0, 0}};
  const HostFadProducts<S> products(problem, kernels);
  if (products.bytes < 0) return false;
  Workspace workspace(products.bytes);
  products.multiply(0, 1, workspace.data());
  for (int64_t p = 0; p < points; ++p) {
    for (int64_t i = 0; i <= derivatives; ++i) {
      const S found = quotients[std::size_t(p * step + i * stride)];
      TEST_EQUALITY(found, i == derivatives ? infinity : zero);
    }
  }
  return true;
}

TEUCHOS_UNIT_TEST(FadKernels, quotientsOfConstantsByZero) {
  for (const char* const name : set_names) {
    const HostKernels* const kernels = hostKernels(name);
    if (kernels == nullptr) continue;
    int served = 0;
    for (const int64_t derivatives : {1, 3, 8, 19}) {
      for (const bool is_contiguous : {false, true}) {
        served += checkConstants<double>(*kernels, derivatives, is_contiguous, out, success);
        served += checkConstants<float>(*kernels, derivatives, is_contiguous, out, success);
      }
    }
    TEST_COMPARE(served, >, 8);
  }
}

}  // namespace
}  // namespace KontractTest
