// SPDX-License-Identifier: BSD-3-Clause
//
// All operations on views of Sacado's Fad types, alone and with double as Panzer mixes them,
// against the product rule by hand. Compiled once for each Fad type.

#include "FadArrays.hpp"

// Kontract after Sacado.
#include <Teuchos_UnitTestHarness.hpp>

#include "Cases.hpp"
#include "Refusal.hpp"
#include "Runner.hpp"

namespace KontractTest {
namespace {

using Fad = KONTRACT_TEST_FAD;
using L = Kokkos::LayoutLeft;
using R = Kokkos::LayoutRight;

/// A call on duals.
struct FadProblem {
  Flags flags;
  Array<Dual> out, left, right, expected;
  double tolerance;
};

Array<Dual> randomDuals(const std::string& letters, const std::vector<std::size_t>& extents,
                        int derivatives) {
  Array<Dual> array(letters, extents);
  for (Dual& dual : array.values()) {
    dual.value = random().real();
    for (int i = 0; i < derivatives; ++i) dual.dx[i] = random().real();
  }
  return array;
}

FadProblem makeFadProblem(const Form& form, Sizes sizes, const Flags& flags, int left_derivatives,
                          int right_derivatives) {
  if (form.dimension != 0) sizes.d = form.dimension;
  const std::string out(form.out), right(form.right),
      left = leftLetters(form, flags.isTransposed());
  FadProblem problem;
  problem.flags = flags;
  problem.out = randomDuals(out, sizes.of(out), Dual::derivatives);
  problem.left = randomDuals(left, sizes.of(left), left_derivatives);
  problem.right = randomDuals(right, sizes.of(right), right_derivatives);
  problem.expected = Oracle<Dual>::expect(std::string(form.operation), flags, problem.out,
                                          problem.left, problem.right);
  const bool adds = flags.yes && flagKindOf(form.operation) == FlagKind::SumInto;
  if (!adds) {
    for (Dual& dual : problem.out.values()) {
      dual.value = std::numeric_limits<double>::quiet_NaN();
      dual.dx.fill(dual.value);
    }
  }
  const double terms = double(sizes.points * sizes.d * sizes.e);
  problem.tolerance = (terms + 16) * terms * 16 * std::numeric_limits<double>::epsilon();
  return problem;
}

/// LayoutContiguous is for Fads; plain scalars have the layout inside it.
template <class T, class Layout>
using LayoutOf = std::conditional_t<is_fad<T>, Layout, typename inner_layout<Layout>::type>;

template <class T>
constexpr int derivativesOf = is_fad<T> ? Dual::derivatives : 0;

/// Fills arrays, calls, compares.
template <std::size_t form, class Device, class OutView, class LeftView, class RightView>
void runFad(const FadProblem& problem, const NamedOptions& algorithm, const OutView& out,
            const LeftView& left, const RightView& right, Tally& tally) {
  fill(out, problem.out);
  fill(left, problem.left);
  fill(right, problem.right);
  const Refusal refusal = refusalOf([&] {
    callOperation<OperationOf<form>, Kontract::ArrayTools<Device>>(
        std::tuple<>(), problem.flags, out, left, right, algorithm.options);
  });
  // Single fields of Fads are fields of scalars, which algorithms for matrices have limits for.
  if (isUnserved(refusal.text) || isLimitOf(algorithm.name, refusal.text)) return;
  const std::string wrong = refusal.text == "no exception"
                                ? compareFads(out, problem.expected, problem.tolerance)
                                : refusal.text;
  tally.add(std::string(forms[form].operation) + " " + std::string(forms[form].left) + " " +
                std::string(forms[form].right) + " " + algorithm.name,
            wrong);
}

const std::vector<Sizes> fad_sizes{
    {3, 2, 4, 5, 3, 2, 3}, {2, 3, 1, 9, 2, 2, 1}, {1, 1, 1, 1, 1, 1, 1}};

/// Every form with these types of inputs; the output is a Fad.
template <class Device, class Layout, class Left, class Right, bool dyn_rank>
void runForms(Tally& tally) {
  const std::vector<NamedOptions> algorithms = allAlgorithms();
  forEachForm([&](auto form) {
    constexpr std::size_t number = decltype(form)::value;
    constexpr Form shape = forms[number];
    for (const Sizes& either : fad_sizes) {
      for (const Sizes& sizes : withOnePoint(shape, either)) {
        for (const Flags& flags : flagsOf(shape)) {
          const FadProblem p =
              makeFadProblem(shape, sizes, flags, derivativesOf<Left>, derivativesOf<Right>);
          const int n = Dual::derivatives;
          const auto& [out, left, right] =
              std::tie(p.out.extents(), p.left.extents(), p.right.extents());
          for (const NamedOptions& algorithm : algorithms) {
            if constexpr (dyn_rank) {
              runFad<number, Device>(
                  p, algorithm, makeDynRankView<Fad, LayoutOf<Fad, Layout>, Device>(out, n),
                  makeDynRankView<Left, LayoutOf<Left, Layout>, Device>(left, n),
                  makeDynRankView<Right, LayoutOf<Right, Layout>, Device>(right, n), tally);
            } else {
              runFad<number, Device>(
                  p, algorithm,
                  makeView<int(shape.out.size()), Fad, LayoutOf<Fad, Layout>, Device>(out, n),
                  makeView<int(shape.left.size()), Left, LayoutOf<Left, Layout>, Device>(left, n),
                  makeView<int(shape.right.size()), Right, LayoutOf<Right, Layout>, Device>(right,
                                                                                            n),
                  tally);
            }
          }
        }
      }
    }
  });
}

#define KONTRACT_TEST_FAD_CASE(NAME, LAYOUT, LEFT, RIGHT, DYN_RANK) \
  TEUCHOS_UNIT_TEST(Fad, NAME) {                                    \
    Tally tally(out);                                               \
    forEachSpace([&](auto space) {                                  \
      using Device = typename decltype(space)::device_type;         \
      runForms<Device, LAYOUT, LEFT, RIGHT, DYN_RANK>(tally);       \
    });                                                             \
    TEST_ASSERT(tally.checks() > 500);                              \
    TEST_EQUALITY_CONST(tally.failures(), 0);                       \
  }
KONTRACT_TEST_FAD_CASE(fadTimesFadDynRankView, R, Fad, Fad, true)
KONTRACT_TEST_FAD_CASE(doubleTimesFadView, L, double, Fad, false)
KONTRACT_TEST_FAD_CASE(fadTimesDoubleViewContiguous, LayoutContiguous<L>, Fad, double, false)
#ifdef KONTRACT_TEST_ALL_MIXES
KONTRACT_TEST_FAD_CASE(fadTimesFadDynRankViewLeft, L, Fad, Fad, true)
KONTRACT_TEST_FAD_CASE(doubleTimesFadDynRankView, R, double, Fad, true)
KONTRACT_TEST_FAD_CASE(fadTimesDoubleDynRankViewLeft, L, Fad, double, true)
KONTRACT_TEST_FAD_CASE(doubleTimesDoubleDynRankView, R, double, double, true)
#endif
#undef KONTRACT_TEST_FAD_CASE

/// scalarMultiply onto its own field: the product rule needs the old value while it writes.
TEUCHOS_UNIT_TEST(Fad, productsInPlaceAreRight) {
  const Form& form = forms[11];
  TEST_EQUALITY_CONST(std::string(form.operation) + std::string(form.out),
                      "scalarMultiplyDataFieldCFPD");
  forEachSpace([&](auto space) {
    using Device = typename decltype(space)::device_type;
    for (const bool reciprocal : {false, true}) {
      const FadProblem p = makeFadProblem(form, fad_sizes[0], Flags{reciprocal, 'N'},
                                          Dual::derivatives, Dual::derivatives);
      const auto data = makeDynRankView<Fad, R, Device>(p.left.extents(), Dual::derivatives);
      const auto field = makeDynRankView<Fad, R, Device>(p.right.extents(), Dual::derivatives);
      fill(data, p.left);
      fill(field, p.right);
      TEST_NOTHROW(
          Kontract::ArrayTools<Device>::scalarMultiplyDataField(field, data, field, reciprocal));
      TEST_EQUALITY_CONST(compareFads(field, p.expected, p.tolerance), "");
    }
  });
}

/// Three cells of an array of more.
template <class View>
auto cellsOf(const View& all) {
  return Kokkos::subview(all, std::make_pair(1, int(all.extent(0)) - 1), Kokkos::ALL(),
                         Kokkos::ALL());
}

/// Ranges of cells of one array, which are subviews with gaps.
TEUCHOS_UNIT_TEST(Fad, subviewsAreRight) {
  const FadProblem p =
      makeFadProblem(forms[0], fad_sizes[0], Flags(), Dual::derivatives, Dual::derivatives);
  forEachSpace([&](auto space) {
    using Device = typename decltype(space)::device_type;
    const auto make = [](const Array<Dual>& array) {
      const auto& n = array.extents();
      const Kokkos::View<Fad***, L, Device> all("all", n[0] + 2, n[1], n[2], Dual::derivatives + 1);
      const auto here = Kokkos::create_mirror_view(all);
      fill(cellsOf(here), array);
      Kokkos::deep_copy(all, here);
      return all;
    };
    const auto sums = make(p.out), left = make(p.left), right = make(p.right);
    TEST_NOTHROW(Kontract::ArrayTools<Device>::contractFieldFieldScalar(
        cellsOf(sums), cellsOf(left), cellsOf(right)));
    const auto here = Kokkos::create_mirror_view(sums);
    Kokkos::deep_copy(here, sums);
    TEST_EQUALITY_CONST(compareFads(cellsOf(here), p.expected, p.tolerance), "");
  });
}

#ifndef KONTRACT_TEST_FAD_IS_STATIC
using Device = Kokkos::DefaultHostExecutionSpace::device_type;
using Tools = Kontract::ArrayTools<Device>;

TEUCHOS_UNIT_TEST(Fad, numbersOfDerivativesMustAgree) {
  const auto sums = makeDynRankView<Fad, R, Device>({2}, 3);
  const auto three = makeDynRankView<Fad, R, Device>({2, 4}, 3);
  const auto two = makeDynRankView<Fad, R, Device>({2, 4}, 2);
  Kokkos::deep_copy(sums, Fad(3, 7.0));
  for (const Refusal& refusal :
       {refusalOf([&] { Tools::contractDataDataScalar(sums, two, three); }),
        refusalOf([&] { Tools::contractDataDataScalar(sums, three, two); })}) {
    out << "\n" << refusal.text << "\n";
    TEST_ASSERT(refusal.says("Kontract::contractDataDataScalar: "));
    TEST_ASSERT(refusal.says("derivatives"));
    TEST_EQUALITY_CONST(sums(0).val(), 7.0);
  }
}

/// A Fad without derivatives is a constant.
TEUCHOS_UNIT_TEST(Fad, fadsWithoutDerivativesAreConstants) {
  const FadProblem p = makeFadProblem(forms[0], fad_sizes[0], Flags(), 0, Dual::derivatives);
  const auto sums = makeDynRankView<Fad, R, Device>(p.out.extents(), Dual::derivatives);
  const auto left = makeDynRankView<Fad, R, Device>(p.left.extents(), 0);
  const auto right = makeDynRankView<Fad, R, Device>(p.right.extents(), Dual::derivatives);
  fill(sums, p.out);
  fill(left, p.left);
  fill(right, p.right);
  TEST_NOTHROW(Tools::contractFieldFieldScalar(sums, left, right));
  TEST_EQUALITY_CONST(compareFads(sums, p.expected, p.tolerance), "");
}

/// Numbers of derivatives that fill blocks of every width, and leave some over.
const std::vector<int> derivative_counts{0, 1, 2, 5, 7, 8, 9, 15, 24, 25, 33, 47, 48, 59, 200};

/// Component d of element n of an array that is filled by a rule; the last one is the value.
double componentOf(int array, std::size_t n, int d) {
  return 0.25 * double((array + 3 * int(n) + 5 * d) % 11) - 1;
}

template <class View>
void fillByRule(const View& view, const std::vector<std::size_t>& extents, int array, int count) {
  writeElements(view, extents, [&](std::size_t n, auto& element) {
    if constexpr (is_fad<typename View::non_const_value_type>) {
      for (int d = 0; d < count; ++d) element.fastAccessDx(d) = componentOf(array, n, d);
      element.val() = componentOf(array, n, count);
    } else {
      element = componentOf(array, n, count);
    }
  });
}

/// (C,L,R) = (C,L,P) x (C,R,P), by the product rule.
template <class Device, class Left, class Right, class Layout>
std::string contractionWithDerivativesFails(int count, bool sum_into) {
  constexpr std::size_t c_end = 2, l_end = 3, r_end = 7, p_end = 5;
  const std::vector<std::size_t> of_out{c_end, l_end, r_end}, of_left{c_end, l_end, p_end},
      of_right{c_end, r_end, p_end};
  const auto sums = makeDynRankView<Fad, LayoutOf<Fad, Layout>, Device>(of_out, count);
  const auto left = makeDynRankView<Left, LayoutOf<Left, Layout>, Device>(of_left, count);
  const auto right = makeDynRankView<Right, LayoutOf<Right, Layout>, Device>(of_right, count);
  fillByRule(sums, of_out, 0, count);
  fillByRule(left, of_left, 1, count);
  fillByRule(right, of_right, 2, count);
  Kontract::ArrayTools<Device>::contractFieldFieldScalar(sums, left, right, sum_into);
  std::string wrong;
  readElements(sums, of_out, [&](std::size_t n, auto& element) {
    const std::size_t c = n / (l_end * r_end), l = n / r_end % l_end, r = n % r_end;
    for (int d = 0; d <= count; ++d) {
      double sum = sum_into ? componentOf(0, n, d) : 0;
      for (std::size_t p = 0; p < p_end; ++p) {
        const std::size_t at_left = (c * l_end + l) * p_end + p,
                          at_right = (c * r_end + r) * p_end + p;
        const double a = componentOf(1, at_left, count), b = componentOf(2, at_right, count);
        if (d == count) {
          sum += a * b;
        } else {
          if (is_fad<Left>) sum += componentOf(1, at_left, d) * b;
          if (is_fad<Right>) sum += componentOf(2, at_right, d) * a;
        }
      }
      const double found = d == count ? element.val() : element.fastAccessDx(d);
      if (std::abs(found - sum) > 1e-12) {
        wrong = "component " + std::to_string(d) + " of " + std::to_string(count) + " is " +
                std::to_string(found) + " but should be " + std::to_string(sum);
      }
    }
  });
  return wrong;
}

TEUCHOS_UNIT_TEST(Fad, contractionsOfAnyNumberOfDerivativesAreRight) {
  for (const int count : derivative_counts) {
    for (const bool sum_into : {false, true}) {
      const auto check = [&](auto device, auto layout) {
        using D = decltype(device);
        using Layout = decltype(layout);
        TEST_EQUALITY_CONST((contractionWithDerivativesFails<D, Fad, Fad, Layout>(count, sum_into)),
                            "");
        TEST_EQUALITY_CONST(
            (contractionWithDerivativesFails<D, Fad, double, Layout>(count, sum_into)), "");
        TEST_EQUALITY_CONST(
            (contractionWithDerivativesFails<D, double, Fad, Layout>(count, sum_into)), "");
      };
      forEachSpace([&](auto space) {
        const typename decltype(space)::device_type device;
        check(device, R());
        check(device, L());
        check(device, LayoutContiguous<L>());
      });
    }
  }
}

/// Also onto one of the factors, whose value and derivatives are then still needed.
template <class Device>
void checkProducts(int count, Teuchos::FancyOStream& out, bool& success) {
  const std::vector<std::size_t> of_data{2, 5}, of_field{2, 3, 5};
  const auto data = makeDynRankView<Fad, R, Device>(of_data, count);
  const auto field = makeDynRankView<Fad, R, Device>(of_field, count);
  const auto product = makeDynRankView<Fad, R, Device>(of_field, count);
  fillByRule(data, of_data, 1, count);
  fillByRule(field, of_field, 2, count);
  Kontract::ArrayTools<Device>::scalarMultiplyDataField(product, data, field);
  Kontract::ArrayTools<Device>::scalarMultiplyDataField(field, data, field);
  for (const auto& result : {product, field}) {
    readElements(result, of_field, [&](std::size_t n, auto& element) {
      const std::size_t at_data = n / 15 * 5 + n % 5;
      const double a = componentOf(1, at_data, count), b = componentOf(2, n, count);
      TEST_EQUALITY(element.val(), a * b);
      for (int d = 0; d < count; ++d) {
        const double sum = componentOf(1, at_data, d) * b + componentOf(2, n, d) * a;
        TEST_ASSERT(std::abs(element.fastAccessDx(d) - sum) <= 1e-12);
      }
    });
  }
}

TEUCHOS_UNIT_TEST(Fad, productsOfAnyNumberOfDerivativesAreRight) {
  forEachSpace([&](auto space) {
    using Device = typename decltype(space)::device_type;
    for (const int count : derivative_counts) checkProducts<Device>(count, out, success);
  });
}

/// Products of many cells, of which host kernels compute some at a time: (C,F,P,3) = (C,P,3) x
/// (C,F,P,3), and (C,F,P,3) = (C,P,3,3) * (C,F,P,3), by the product rule.
template <class Device>
void checkManyCells(Teuchos::FancyOStream& out, bool& success) {
  constexpr int count = 7;
  constexpr std::size_t cells = 5000, fields = 3, points = 5, D = 3;
  const std::vector<std::size_t> of_vectors{cells, points, D}, of_matrices{cells, points, D, D},
      of_fields{cells, fields, points, D};
  const auto vectors = makeDynRankView<Fad, R, Device>(of_vectors, count);
  const auto matrices = makeDynRankView<Fad, R, Device>(of_matrices, count);
  const auto of_both = makeDynRankView<Fad, R, Device>(of_fields, count);
  const auto cross = makeDynRankView<Fad, R, Device>(of_fields, count);
  const auto product = makeDynRankView<Fad, R, Device>(of_fields, count);
  fillByRule(vectors, of_vectors, 1, count);
  fillByRule(of_both, of_fields, 2, count);
  fillByRule(matrices, of_matrices, 3, count);
  Kontract::ArrayTools<Device>::crossProductDataField(cross, vectors, of_both);
  Kontract::ArrayTools<Device>::matvecProductDataField(product, matrices, of_both, 'N');
  // Component d of the product of elements of two arrays.
  const auto productOf = [&](int left, std::size_t l, std::size_t r, int d) {
    const double a = componentOf(left, l, count), b = componentOf(2, r, count);
    return d == count ? a * b : componentOf(left, l, d) * b + componentOf(2, r, d) * a;
  };
  const auto check = [&](const char* what, const auto& result, const auto& wanted) {
    int wrong = 0;
    readElements(result, of_fields, [&](std::size_t n, auto& element) {
      const std::size_t row = n % D, at_field = n - row;
      const std::size_t at_point = n / (fields * points * D) * points + n / D % points;
      for (int d = 0; d <= count; ++d) {
        const double found = d == count ? element.val() : element.fastAccessDx(d);
        wrong += !(std::abs(found - wanted(at_point, at_field, row, d)) <= 1e-12);
      }
    });
    out << what << ": " << wrong << " numbers are wrong\n";
    TEST_EQUALITY(wrong, 0);
  };
  check("crossProductDataField", cross, [&](std::size_t p, std::size_t f, std::size_t row, int d) {
    const std::size_t i = (row + 1) % D, j = (row + 2) % D;
    return productOf(1, p * D + i, f + j, d) - productOf(1, p * D + j, f + i, d);
  });
  check("matvecProductDataField", product,
        [&](std::size_t p, std::size_t f, std::size_t row, int d) {
          double sum = 0;
          for (std::size_t j = 0; j < D; ++j) sum += productOf(3, (p * D + row) * D + j, f + j, d);
          return sum;
        });
}

TEUCHOS_UNIT_TEST(Fad, productsOfManyCellsAreRight) {
  forEachSpace(
      [&](auto space) { checkManyCells<typename decltype(space)::device_type>(out, success); });
}

/// Copies and products of constants have derivatives, and all of them are zero.
TEUCHOS_UNIT_TEST(Fad, resultsOfConstantsHaveZeroDerivatives) {
  const auto field = makeDynRankView<Fad, R, Device>({3, 4}, 0);
  const auto data = makeDynRankView<Fad, R, Device>({2, 4}, 0);
  Kokkos::deep_copy(field, Fad(6.0));
  Kokkos::deep_copy(data, Fad(2.0));
  const auto check = [&](double expected, const auto& call) {
    const auto result = makeDynRankView<Fad, R, Device>({2, 3, 4}, 3);
    Kokkos::deep_copy(result, Fad(3, -77.0));
    for (int d = 0; d < 3; ++d) result(1, 2, 3).fastAccessDx(d) = -77.0;
    call(result);
    TEST_EQUALITY_CONST(result(1, 2, 3).val(), expected);
    for (int d = 0; d < 3; ++d) TEST_EQUALITY_CONST(result(1, 2, 3).dx(d), 0.0);
  };
  check(6.0, [&](const auto& result) { Tools::cloneFields(result, field); });
  check(12.0, [&](const auto& r) { Tools::scalarMultiplyDataField(r, data, field); });
  check(3.0, [&](const auto& r) { Tools::scalarMultiplyDataField(r, data, field, true); });
}
#endif

}  // namespace
}  // namespace KontractTest
