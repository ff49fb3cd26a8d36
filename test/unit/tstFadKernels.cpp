// SPDX-License-Identifier: BSD-3-Clause
//
// What hosts have for Fads, in every instruction set that this machine has, against the product
// rule in long double: components side by side in vectors, and far apart as problems of scalars.

#include <Teuchos_UnitTestHarness.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "FadsByChance.hpp"
#include "HostSets.hpp"
#include "detail/kernels/portable/Kontract_HostFads.hpp"

namespace KontractTest {
namespace {

using namespace Kontract::Impl;

/// Memory of so many bytes, aligned as workspaces are.
class Workspace {
 public:
  explicit Workspace(int64_t bytes) : _memory(std::size_t(bytes + 64)) {}
  void* data() {
    const auto address = reinterpret_cast<std::uintptr_t>(_memory.data());
    return reinterpret_cast<void*>((address + 63) / 64 * 64);
  }

 private:
  std::vector<char> _memory;
};

/// In two parts of left fields and two of cells.
template <class S>
void checkContraction(const HostKernels& kernels, unsigned seed, Teuchos::FancyOStream& out,
                      bool& success) {
  FadContractionByChance<S> drawn(seed, 1, 9, 1, 15);
  if (drawn.derivatives == 0) return;  // scalars
  const HostFadContraction<S> contraction(drawn.problem(), kernels);
  Workspace workspace(contraction.bytes);
  const int64_t left = drawn.lefts / 2, cell = drawn.cells / 32 * 16;
  for (const int64_t part : {0, 1}) {
    const int64_t first = part == 0 ? 0 : cell, last = part == 0 ? cell : drawn.cells;
    contraction.contract({first, last, 0, left}, workspace.data());
    contraction.contract({first, last, left, drawn.lefts}, workspace.data());
  }
  const int64_t wrong = drawn.wrong();
  TEST_EQUALITY(wrong, 0);
  if (wrong > 0) out << kernels.name << ", seed " << seed << ", " << drawn.text();
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
      checkContraction<double>(*kernels, seed, out, success);
      checkContraction<float>(*kernels, seed, out, success);
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
