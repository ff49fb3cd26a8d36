// SPDX-License-Identifier: BSD-3-Clause
//
// Outputs that share memory with an input: refused where that is proven and not allowed, and legal
// where views are interleaved but disjoint.

#include <Kokkos_Core.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "Cases.hpp"
#include "Refusal.hpp"
#include "Runner.hpp"
#include "detail/view/Kontract_ArrayText.hpp"
#include "detail/view/Kontract_Overlap.hpp"

namespace KontractTest {
namespace {

using Space = Kokkos::DefaultHostExecutionSpace;
using Device = Space::device_type;
using Tools = Kontract::ArrayTools<Device>;
using Dyn = Kokkos::DynRankView<double, Kokkos::LayoutRight, Device>;

constexpr Sizes sizes{3, 4, 4, 4, 2, 2, 2};

std::size_t productOf(const std::vector<std::size_t>& extents) {
  std::size_t product = 1;
  for (const std::size_t extent : extents) product *= extent;
  return product;
}

/// A form whose output and inputs lie at given elements of one allocation.
struct OneAllocation {
  explicit OneAllocation(const Form& form) {
    Sizes own = sizes;
    if (form.dimension != 0) own.d = form.dimension;
    extents[0] = own.of(form.out);
    extents[1] = own.of(form.left);
    extents[2] = own.of(form.right);
    for (int i = 0; i < 3; ++i) size[i] = productOf(extents[i]);
    memory = Kokkos::View<double*, Device>("memory", 4 * (size[0] + size[1] + size[2]));
    for (std::size_t i = 0; i < memory.extent(0); ++i) memory(i) = random().real();
  }

  Dyn at(int argument, std::size_t offset) const {
    Kokkos::LayoutRight layout;
    for (int i = 0; i < 8; ++i) {
      layout.dimension[i] =
          i < int(extents[argument].size()) ? extents[argument][i] : KOKKOS_INVALID_INDEX;
    }
    return Dyn(memory.data() + offset, layout);
  }

  template <class Operation>
  Refusal tryCall(std::size_t out, std::size_t left, std::size_t right) const {
    return refusalOf([&] {
      callOperation<Operation, Tools>(std::tuple<>(), Flags(), at(0, out), at(1, left),
                                      at(2, right));
    });
  }

  std::vector<std::size_t> extents[3];
  std::size_t size[3];
  Kokkos::View<double*, Device> memory;
};

bool worksInPlace(const Form& form) {
  const FlagKind kind = flagKindOf(form.operation);
  return kind == FlagKind::Reciprocal || (kind == FlagKind::Transpose && !form.hasFullMatrix());
}

TEUCHOS_UNIT_TEST(Overlap, everyOperationRefusesOverlapThatHarms) {
  Tally tally(out);
  forEachForm([&](auto form_number) {
    const Form& form = forms[form_number];
    using Operation = OperationOf<decltype(form_number)::value>;
    const OneAllocation arrays(form);
    const std::size_t far = arrays.size[0] + arrays.size[1] + arrays.size[2];
    for (const int input : {1, 2}) {
      if (arrays.extents[input].empty()) continue;
      const bool may_be_input = worksInPlace(form) && arrays.extents[input] == arrays.extents[0];
      // The output from overlapping the input's end to overlapping its beginning, and beside both.
      const std::size_t input_at = far + arrays.size[0];
      const std::size_t first = input_at - arrays.size[0], last = input_at + arrays.size[input];
      for (const std::size_t output_at :
           {first, first + 1, input_at - 1, input_at, input_at + 1, last - 1, last}) {
        const bool disjoint = output_at == first || output_at == last;
        const bool allowed = disjoint || (may_be_input && output_at == input_at);
        const std::vector<double> before(arrays.memory.data(),
                                         arrays.memory.data() + arrays.memory.extent(0));
        const Refusal refusal = input == 1 ? arrays.tryCall<Operation>(output_at, input_at, 0)
                                           : arrays.tryCall<Operation>(output_at, 0, input_at);
        const std::string what = std::string(form.operation) + " " + std::string(form.out) + " " +
                                 std::string(form.left) + " " + std::string(form.right) +
                                 ", input " + std::to_string(input) + ", output " +
                                 std::to_string(long(output_at) - long(input_at)) + " after it";
        if (allowed) {
          tally.add(what, refusal.text == "no exception" ? "" : refusal.text);
          continue;
        }
        const bool says = refusal.says("Kontract::" + std::string(form.operation) + ": ") &&
                          refusal.says("overlap");
        tally.add(what, says ? "" : "not refused: " + refusal.text);
        const std::vector<double> after(arrays.memory.data(),
                                        arrays.memory.data() + arrays.memory.extent(0));
        tally.add(what, before == after ? "" : "memory changed");
      }
    }
  });
  TEST_ASSERT(tally.checks() > 500);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

/// Worksets of one LayoutLeft array are ranges of its fastest index: interleaved, and disjoint.
TEUCHOS_UNIT_TEST(Overlap, interleavedCellRangesAreLegal) {
  using View4 = Kokkos::View<double****, Kokkos::LayoutLeft, Device>;
  const View4 all("all", 10, 3, 4, 2);
  Kokkos::deep_copy(all, 3.0);
  const Kokkos::View<double**, Kokkos::LayoutLeft, Device> data("data", 5, 4);
  Kokkos::deep_copy(data, 2.0);
  const auto cells = [&](int begin) {
    return Kokkos::subview(all, std::make_pair(begin, begin + 5), Kokkos::ALL(), Kokkos::ALL(),
                           Kokkos::ALL());
  };
  TEST_NOTHROW(Tools::scalarMultiplyDataField(cells(5), data, cells(0)));
  TEST_EQUALITY_CONST(all(4, 2, 3, 1), 3.0);
  TEST_EQUALITY_CONST(all(5, 0, 0, 0), 6.0);
  TEST_EQUALITY_CONST(all(9, 2, 3, 1), 6.0);
  // Shifted by less than their length they do overlap.
  for (const int shift : {1, 2, 4}) {
    const Refusal refusal =
        refusalOf([&] { Tools::scalarMultiplyDataField(cells(shift), data, cells(0)); });
    TEST_ASSERT(refusal.says("overlap"));
  }
  TEST_EQUALITY_CONST(all(1, 0, 0, 0), 3.0);
}

/// Odd and even elements, and columns of a matrix beside each other.
TEUCHOS_UNIT_TEST(Overlap, interleavedStridesAreLegal) {
  const Kokkos::View<double*, Device> memory("memory", 64);
  using Strided = Kokkos::View<double**, Kokkos::LayoutStride, Device>;
  const Kokkos::LayoutStride every_other(4, 8, 4, 2), rows(4, 8, 4, 1);
  const Strided even(memory.data(), every_other), odd(memory.data() + 1, every_other);
  const Kokkos::View<double**, Device> factor("factor", 4, 1);
  Kokkos::deep_copy(factor, 4.0);
  Kokkos::deep_copy(memory, 2.0);
  TEST_NOTHROW(Tools::scalarMultiplyDataData(odd, factor, even));
  TEST_EQUALITY_CONST(memory(0), 2.0);
  TEST_EQUALITY_CONST(memory(1), 8.0);
  const Strided left_half(memory.data(), rows), right_half(memory.data() + 4, rows);
  TEST_NOTHROW(Tools::scalarMultiplyDataData(right_half, factor, left_half));
  const Strided shifted(memory.data() + 3, rows);
  TEST_ASSERT(refusalOf([&] {
                Tools::scalarMultiplyDataData(shifted, factor, left_half);
              }).says("overlap"));
}

/// An output whose elements are one and the same cannot hold a result.
TEUCHOS_UNIT_TEST(Overlap, repeatedOutputIsRefused) {
  const Kokkos::View<double*, Device> memory("memory", 64);
  const Kokkos::View<double**, Kokkos::LayoutStride, Device> repeated(
      memory.data(), Kokkos::LayoutStride(4, 0, 4, 1));
  const Kokkos::View<double**, Device> factor("factor", 4, 4);
  const Kokkos::View<double*, Device> right("right", 4);
  const Refusal refusal =
      refusalOf([&] { Tools::scalarMultiplyDataData(repeated, factor, right); });
  TEST_ASSERT(refusal.says("Kontract::scalarMultiplyDataData: outputData"));
  TEST_ASSERT(refusal.says("stride 0"));
  // Inputs may repeat themselves.
  const Kokkos::View<double**, Device> output("output", 4, 4);
  TEST_NOTHROW(Tools::scalarMultiplyDataData(output, factor, repeated));
}

struct Strided {
  std::vector<std::size_t> extents, strides;

  std::size_t span() const {
    std::size_t last = 0;
    for (std::size_t i = 0; i < extents.size(); ++i) last += (extents[i] - 1) * strides[i];
    return last + 1;
  }
  bool hasCoincidingElements() const {
    std::set<std::size_t> places;
    std::vector<std::size_t> index(extents.size(), 0);
    for (std::size_t n = 0; n < productOf(extents); ++n) {
      std::size_t place = 0;
      for (std::size_t i = 0; i < index.size(); ++i) place += index[i] * strides[i];
      if (!places.insert(place).second) return true;
      for (std::size_t i = 0; i < index.size() && ++index[i] == extents[i]; ++i) index[i] = 0;
    }
    return false;
  }
  std::string text() const {
    std::string text;
    for (std::size_t i = 0; i < extents.size(); ++i) {
      text += " " + std::to_string(extents[i]) + " at " + std::to_string(strides[i]);
    }
    return text;
  }
};

Strided randomlyStrided(std::size_t rank) {
  Strided array;
  for (std::size_t i = 0; i < rank; ++i) {
    array.extents.push_back(1 + random().below(4));
    array.strides.push_back(random().below(i < 3 ? 8 : 40));
  }
  return array;
}

using DynStrided = Kokkos::DynRankView<double, Kokkos::LayoutStride, Device>;

DynStrided viewOf(double* data, const Strided& array) {
  Kokkos::LayoutStride layout;
  for (std::size_t i = 0; i < 8; ++i) {
    const bool is_there = i < array.extents.size();
    layout.dimension[i] = is_there ? array.extents[i] : KOKKOS_INVALID_INDEX;
    layout.stride[i] = is_there ? array.strides[i] : 0;
  }
  return DynStrided(data, layout);
}

/// Outputs are refused if two of their elements share a place, and only then.
TEUCHOS_UNIT_TEST(Overlap, coincidingOutputsAreRefused) {
  const Kokkos::View<double*, Device> memory("memory", 1000);
  const Kokkos::View<double*, Device> factor("factor", 1);
  Tally tally(out);
  std::size_t coinciding = 0;
  for (int i = 0; i < 4000; ++i) {
    const Strided array = randomlyStrided(2 + random().below(3));
    TEST_ASSERT(array.span() <= memory.extent(0));
    const auto repeated = [&](std::size_t rank) {
      Strided input{array.extents, std::vector<std::size_t>(rank, 0)};
      input.extents.resize(rank);
      return viewOf(factor.data(), input);
    };
    const Refusal refusal = refusalOf([&] {
      Tools::scalarMultiplyDataData(viewOf(memory.data(), array), repeated(2),
                                    repeated(array.extents.size()));
    });
    const bool coincides = array.hasCoincidingElements();
    coinciding += coincides ? 1 : 0;
    const bool is_right = coincides
                              ? refusal.says("Kontract::scalarMultiplyDataData: outputData") &&
                                    refusal.says("its elements must be distinct")
                              : refusal.text == "no exception";
    tally.add(array.text(), is_right ? "" : (coincides ? "coincides: " : "") + refusal.text);
  }
  TEST_ASSERT(coinciding > 500 && coinciding < 3500);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

/// Any array, of Fads or of numbers, whose strides may be negative.
/// \param strides  below this
Kontract::Impl::ArrayDescription anyArray(int most_rank, unsigned strides) {
  Kontract::Impl::ArrayDescription array;
  array.rank = 1 + int(random().below(std::size_t(most_rank)));
  array.unit_bytes = 8;
  for (int i = 0; i < array.rank; ++i) {
    array.extents[i] = int(random().below(5));
    if (random().below(8) > 0) array.extents[i] = 1 + array.extents[i] % 4;
    const int stride = int(random().below(strides));
    array.strides[i] = array.extents[i] < 2 ? 0 : random().below(4) == 0 ? -stride : stride;
  }
  array.is_fad = random().below(3) == 0;
  if (array.is_fad) {
    array.derivatives = int(random().below(4));
    array.derivative_stride = 1 + int(random().below(50));
    array.value_at = array.derivatives * array.derivative_stride;
    // As in views of some derivatives.
    if (array.derivatives > 0 && random().below(2) == 0) array.value_at += int(random().below(60));
  }
  return array;
}

/// Calls f(place) with where each scalar of an array is, from its address.
template <class F>
void forEachPlace(const Kontract::Impl::ArrayDescription& array, const F& f) {
  for (std::int64_t element = 0; element < array.size(); ++element) {
    std::int64_t place = 0, rest = element;
    for (int i = 0; i < array.rank; ++i) {
      place += rest % array.extents[i] * array.strides[i];
      rest /= array.extents[i];
    }
    for (std::int64_t d = 0; d < array.derivatives; ++d) f(place + d * array.derivative_stride);
    f(place + array.value_at);
  }
}

/// Fads coincide where any of their scalars do.
TEUCHOS_UNIT_TEST(Overlap, coincidingElementsAreFoundInAnyDescription) {
  Tally tally(out);
  int coinciding = 0;
  for (int n = 0; n < 20000; ++n) {
    const auto array = anyArray(6, n % 3 == 0 ? 12 : n % 3 == 1 ? 60 : 400);
    bool coincides = false;
    std::set<std::int64_t> places;
    forEachPlace(
        array, [&](std::int64_t place) { coincides = !places.insert(place).second || coincides; });
    coinciding += coincides ? 1 : 0;
    const bool is_right = Kontract::Impl::hasCoincidingElements(array) == coincides;
    tally.add(Kontract::Impl::stridesText(array), is_right ? "" : "is told the other way round");
  }
  TEST_ASSERT(coinciding > 4000 && coinciding < 16000);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

TEUCHOS_UNIT_TEST(Overlap, isProvenForAnyDescriptionsThatMeet) {
  Tally tally(out);
  int meeting = 0;
  for (int n = 0; n < 20000; ++n) {
    const unsigned strides = n % 2 == 0 ? 60 : 400;
    auto a = anyArray(3, strides), b = anyArray(3, strides);
    const std::int64_t distance = std::int64_t(random().below(80)) - 40;
    a.address = std::uintptr_t(1) << 20;
    b.address = a.address + std::uintptr_t(8 * distance);
    std::set<std::int64_t> places;
    forEachPlace(a, [&](std::int64_t place) { places.insert(place); });
    bool meet = false;
    forEachPlace(b, [&](std::int64_t place) { meet = meet || places.count(place + distance) > 0; });
    meeting += meet ? 1 : 0;
    const bool is_right = Kontract::Impl::provenToOverlap(a, b) == meet;
    tally.add(Kontract::Impl::stridesText(a) + Kontract::Impl::stridesText(b),
              is_right ? "" : "is told the other way round");
  }
  TEST_ASSERT(meeting > 1500 && meeting < 16000);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

}  // namespace
}  // namespace KontractTest
