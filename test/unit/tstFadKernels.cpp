// SPDX-License-Identifier: BSD-3-Clause
//
// The sums of Fads in every instruction set that this machine has, against the product rule in
// plain loops; and that the environment variable which names the set of host kernels holds for
// them.

#include <Teuchos_UnitTestHarness.hpp>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "HostSets.hpp"
#include "detail/kernels/fad/Kontract_FadTiles.hpp"

namespace KontractTest {
namespace {

using Kontract::Impl::ContractionShape;
using Kontract::Impl::FadArray;
using Kontract::Impl::FadArrays;
using Kontract::Impl::FadKernels;
using Kontract::Impl::fadKernels;
using Kontract::Impl::PointwiseShape;
using Kontract::Impl::RunOfPlaces;
using std::int64_t;

/// Blocks of 24, 8, 2 and 1 derivatives.
constexpr int64_t derivatives = 24 + 8 + 2 + 1;

/// Fads as Sacado keeps them: derivatives, then the value; or each of a Fad's scalars far apart.
struct FadMemory {
  int64_t count;   ///< of derivatives
  int64_t stride;  ///< from one derivative to the next
  int64_t step;    ///< from one element to the next
  std::vector<double> scalars;

  FadMemory(int64_t elements, int64_t derivative_count, bool unit, std::mt19937& random)
      : count(derivative_count),
        stride(unit ? 1 : elements),
        step(unit ? count + 1 : 1),
        scalars(static_cast<std::size_t>(elements * (count + 1))) {
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (double& x : scalars) x = uniform(random);
  }
  FadArray<double> output() { return {scalars.data(), count * stride, count, stride}; }
  FadArray<const double> input() const { return {scalars.data(), count * stride, count, stride}; }
  double value(int64_t element) const { return at(element, count); }
  /// 0 for constants.
  double dx(int64_t element, int64_t i) const { return count == 0 ? 0 : at(element, i); }
  double at(int64_t element, int64_t i) const {
    return scalars[static_cast<std::size_t>(element * step + i * stride)];
  }
};

/// A sum of products.
struct Sum {
  double value = 0, dx[derivatives] = {};

  void add(const FadMemory& left, int64_t l, const FadMemory& right, int64_t r) {
    value += left.value(l) * right.value(r);
    for (int64_t i = 0; i < derivatives; ++i) {
      dx[i] += left.dx(l, i) * right.value(r) + left.value(l) * right.dx(r, i);
    }
  }
  /// The largest difference from an element of an output.
  double differenceFrom(const FadMemory& out, int64_t element) const {
    double most = std::abs(value - out.value(element));
    for (int64_t i = 0; i < derivatives; ++i) {
      most = std::max(most, std::abs(dx[i] - out.dx(element, i)));
    }
    return most;
  }
};

/// What the factors are made of.
struct Factors {
  bool left, right, unit;  ///< have derivatives; lie side by side
};
const Factors all_factors[] = {{true, true, true},   {true, true, false}, {true, false, true},
                               {false, true, false}, {false, true, true}, {false, false, true}};

/// Fields times fields of one cell, summed over two levels.
double errorOfContraction(const FadKernels& kernels, const Factors& factors, bool add) {
  constexpr int64_t lefts = 3, rights = 6, outer = 2, inner = 5, terms = outer * inner;
  std::mt19937 random(1);
  const FadMemory left(lefts * terms, factors.left ? derivatives : 0, factors.unit, random);
  const FadMemory right(rights * terms, factors.right ? derivatives : 0, factors.unit, random);
  FadMemory out(lefts * rights, derivatives, factors.unit, random);
  const FadMemory before = out;
  ContractionShape shape;
  shape.cells = 1;
  shape.lefts = lefts;
  shape.rights = rights;
  // Levels in an order that memory does not have, so that they cannot be one.
  shape.sum[1] = {inner, outer * left.step, outer * right.step};
  shape.sum[2] = {outer, left.step, right.step};
  shape.left_field = terms * left.step;
  shape.right_field = terms * right.step;
  shape.out_left = rights * out.step;
  shape.out_right = out.step;
  shape.sum_into = add;
  kernels.contract(shape, {out.output(), left.input(), right.input()}, {0, 0, 0, lefts, rights});
  double most = 0;
  for (int64_t l = 0; l < lefts; ++l) {
    for (int64_t r = 0; r < rights; ++r) {
      Sum sum;
      if (add) {
        sum.value = before.value(l * rights + r);
        for (int64_t i = 0; i < derivatives; ++i) sum.dx[i] = before.dx(l * rights + r, i);
      }
      for (int64_t k = 0; k < terms; ++k) sum.add(left, l * terms + k, right, r * terms + k);
      most = std::max(most, sum.differenceFrom(out, l * rights + r));
    }
  }
  return most;
}

/// Matrices times vectors at some points.
double errorOfProduct(const FadKernels& kernels, const Factors& factors) {
  constexpr int64_t points = 7, d = 3;
  std::mt19937 random(2);
  const FadMemory left(points * d * d, factors.left ? derivatives : 0, factors.unit, random);
  const FadMemory right(points * d, factors.right ? derivatives : 0, factors.unit, random);
  FadMemory out(points * d, derivatives, factors.unit, random);
  PointwiseShape shape;
  shape.points = points;
  shape.rows = d;
  shape.sum[0] = {d, left.step, right.step};
  shape.out.row = out.step;
  shape.left.row = d * left.step;
  const RunOfPlaces run{points, 0, 0, 0, d * out.step, d * d * left.step, d * right.step};
  kernels.multiply(shape, {out.output(), left.input(), right.input()}, run);
  double most = 0;
  for (int64_t p = 0; p < points; ++p) {
    for (int64_t i = 0; i < d; ++i) {
      Sum sum;
      for (int64_t j = 0; j < d; ++j) sum.add(left, (p * d + i) * d + j, right, p * d + j);
      most = std::max(most, sum.differenceFrom(out, p * d + i));
    }
  }
  return most;
}

TEUCHOS_UNIT_TEST(FadKernels, eachInstructionSetFollowsTheProductRule) {
  int sets = 0;
  for (const char* const name : set_names) {
    const FadKernels* const kernels = fadKernels(name);
    if (kernels == nullptr) continue;
    ++sets;
    TEST_EQUALITY(std::string(kernels->name), std::string(name));
    for (const Factors& factors : all_factors) {
      for (const bool add : {false, true}) {
        TEST_COMPARE(errorOfContraction(*kernels, factors, add), <, 1e-13);
      }
      TEST_COMPARE(errorOfProduct(*kernels, factors), <, 1e-13);
    }
  }
  out << sets << " sets of instructions\n";
  TEST_ASSERT(sets > 0);
  TEST_ASSERT(fadKernels("avx1024") == nullptr);
}

/// Host kernels that are compiled for one machine leave the choice to Fads, which take the best.
TEUCHOS_UNIT_TEST(FadKernels, environmentHoldsForThemAsForHostKernels) {
  const FadKernels* expected = fadKernels(Kontract::Impl::hostKernels().name);
  for (const char* const name : {"avx512", "avx2", "baseline"}) {
    if (expected == nullptr) expected = fadKernels(name);
  }
  out << "host kernels: " << Kontract::Impl::hostKernels().name
      << ", sums of Fads: " << fadKernels().name << "\n";
  TEST_EQUALITY(std::string(fadKernels().name), std::string(expected->name));
}

}  // namespace
}  // namespace KontractTest
