// SPDX-License-Identifier: BSD-3-Clause
//
// Wrong ranks and extents are refused: every argument and every index of every operation.

#include <Kokkos_Core.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <array>
#include <string>

#include "ArgumentNames.hpp"
#include "Cases.hpp"
#include "Refusal.hpp"
#include "Runner.hpp"

namespace KontractTest {
namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Device = Space::device_type;
using Tools = Kontract::ArrayTools<Device>;
using PlacedArray = Placed<double, Kokkos::LayoutRight, Device>;
using Shapes = std::array<std::vector<std::size_t>, 3>;  // output, left, right

// All different, so that swapped indices do not go unnoticed.
constexpr Sizes sizes{3, 4, 5, 7, 2, 6, 8};

Shapes shapesOf(const Form& form, bool transposed) {
  Sizes own = sizes;
  if (form.dimension != 0) own.d = form.dimension;
  return {own.of(form.out), own.of(leftLetters(form, transposed)), own.of(form.right)};
}

PlacedArray placed(const std::vector<std::size_t>& extents) {
  std::size_t size = 1;
  for (const std::size_t extent : extents) size *= extent;
  std::vector<double> values(size);
  for (double& x : values) x = random().value<double>();
  return PlacedArray(extents, values);
}

std::string text(const Form& form, const Shapes& shapes, char transpose) {
  std::string line = std::string(form.operation) + " " + transpose;
  for (const auto& shape : shapes) {
    line += " (";
    for (const std::size_t extent : shape) line += std::to_string(extent) + " ";
    line += ")";
  }
  return line;
}

/// Makes a call of those shapes.
/// \param[out] untouched  whether the output is as it was
template <class Operation>
Refusal tryCall(const Shapes& shapes, char transpose, bool& untouched) {
  PlacedArray out = placed(shapes[0]), left = placed(shapes[1]), right = placed(shapes[2]);
  const Refusal refusal = refusalOf([&] {
    callOperation<Operation, Tools>(std::tuple<>(), Flags{false, transpose}, out.dynRankView(),
                                    left.dynRankView(), right.dynRankView());
  });
  untouched = out.isUntouched();
  return refusal;
}

std::vector<char> lettersToTry(const Form& form) {
  return form.hasFullMatrix() ? std::vector<char>{'N', 'T'} : std::vector<char>{'N'};
}

bool isForm(std::string_view operation, const Shapes& shapes) {
  for (const Form& form : forms) {
    if (form.operation == operation && form.out.size() == shapes[0].size() &&
        form.left.size() == shapes[1].size() && form.right.size() == shapes[2].size()) {
      return true;
    }
  }
  return false;
}

/// Whether nothing else in the call has the extent of that index, which is then free.
bool isFree(const Form& form, int argument, std::size_t index) {
  const std::string_view letters[3] = {form.out, form.left, form.right};
  const auto plain = [](char letter) { return letter == 'Q' ? 'P' : letter; };
  int count = 0;
  for (const std::string_view all : letters) {
    for (const char letter : all) count += plain(letter) == plain(letters[argument][index]);
  }
  return count == 1;
}

/// Refused, with a text that names function and argument and what else it should, output untouched.
void requireRefusal(const Refusal& refusal, bool untouched, const Form& form, int argument,
                    const std::string& what, const std::vector<std::string>& parts, Tally& tally) {
  const auto require = [&](bool holds, const std::string& wrong) {
    tally.add(what, holds ? "" : wrong + " [" + refusal.text + "]");
  };
  require(refusal.happened, "was not refused");
  if (!refusal.happened) return;
  require(untouched, "the output changed");
  require(refusal.text.rfind("Kontract::" + std::string(form.operation) + ": ", 0) == 0,
          "does not begin with the function");
  require(refusal.says(argumentNames(form.operation)[argument]), "does not name the argument");
  for (const std::string& part : parts) require(refusal.says(part), "does not say " + part);
}

TEUCHOS_UNIT_TEST(ShapeRefusals, wrongExtentsAreRefused) {
  Tally tally(out);
  forEachForm([&](auto form_number) {
    const Form& form = forms[form_number];
    using Operation = OperationOf<decltype(form_number)::value>;
    for (const char transpose : lettersToTry(form)) {
      const Shapes right_ones = shapesOf(form, transpose == 'T');
      for (int argument = 0; argument < 3; ++argument) {
        for (std::size_t i = 0; i < right_ones[argument].size(); ++i) {
          for (const long change : {+1, -1, -2}) {
            Shapes shapes = right_ones;
            std::size_t& extent = shapes[argument][i];
            extent = change == -2 ? 0 : extent + change;
            const std::string what = text(form, shapes, transpose);
            const std::string_view letters[3] = {form.out, form.left, form.right};
            bool untouched = true;
            const Refusal refusal = tryCall<Operation>(shapes, transpose, untouched);
            if (isFree(form, argument, i)) {
              tally.add(what, refusal.text == "no exception" ? "" : "refused: " + refusal.text);
            } else if (extent == 1 && letters[argument][i] == 'Q') {
              tally.add(what, "this test should not make data with one point");
            } else {
              requireRefusal(refusal, untouched, form, argument, what,
                             {"must", "=" + std::to_string(extent)}, tally);
            }
          }
        }
      }
    }
  });
  TEST_ASSERT(tally.checks() > 1000);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

TEUCHOS_UNIT_TEST(ShapeRefusals, wrongRanksAreRefused) {
  Tally tally(out);
  forEachForm([&](auto form_number) {
    const Form& form = forms[form_number];
    using Operation = OperationOf<decltype(form_number)::value>;
    const Shapes right_ones = shapesOf(form, false);
    for (int argument = 0; argument < 3; ++argument) {
      if (right_ones[argument].empty()) continue;
      for (std::size_t rank = 0; rank <= 7; ++rank) {
        Shapes shapes = right_ones;
        shapes[argument].resize(rank, 2);
        if (isForm(form.operation, shapes)) continue;
        bool untouched = true;
        const Refusal refusal = tryCall<Operation>(shapes, 'N', untouched);
        requireRefusal(refusal, untouched, form, argument, text(form, shapes, 'N'), {"rank"},
                       tally);
      }
    }
  });
  TEST_ASSERT(tally.checks() > 1000);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

TEUCHOS_UNIT_TEST(ShapeRefusals, crossProductsOfOtherDimensionsAreRefused) {
  Tally tally(out);
  forEachForm([&](auto form_number) {
    const Form& form = forms[form_number];
    for (const std::size_t d : {0, 1, 2, 3, 4}) {
      if (form.dimension == 0 || d == form.dimension) continue;
      Sizes own = sizes;
      own.d = d;
      const Shapes shapes{own.of(form.out), own.of(form.left), own.of(form.right)};
      bool untouched = true;
      const auto refusal =
          tryCall<OperationOf<decltype(form_number)::value>>(shapes, 'N', untouched);
      requireRefusal(refusal, untouched, form, 1, text(form, shapes, 'N'), {"dimension"}, tally);
    }
  });
  TEST_EQUALITY_CONST(tally.checks(), 8 * 4 * 5);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

TEUCHOS_UNIT_TEST(ShapeRefusals, unknownTransposeLettersAreRefused) {
  Tally tally(out);
  forEachForm([&](auto form_number) {
    const Form& form = forms[form_number];
    if (flagKindOf(form.operation) != FlagKind::Transpose) return;
    for (int letter = 0; letter < 128; ++letter) {
      const char transpose = static_cast<char>(letter);
      if (std::string("NnTt").find(transpose) != std::string::npos) continue;
      bool untouched = true;
      const Refusal refusal = tryCall<OperationOf<decltype(form_number)::value>>(
          shapesOf(form, false), transpose, untouched);
      const bool says =
          refusal.says("Kontract::" + std::string(form.operation) + ": transpose is") &&
          refusal.says("'N'") && refusal.says("'T'") && untouched;
      tally.add(std::string(form.operation) + " letter " + std::to_string(letter),
                says ? "" : refusal.text);
    }
  });
  TEST_EQUALITY_CONST(tally.checks(), 24 * 124);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

/// The text that the specification gives as an example, letter for letter, from Views.
TEUCHOS_UNIT_TEST(ShapeRefusals, messagesAreThoseOfTheSpecification) {
  const Kokkos::View<double***, Device> output("out", 100, 8, 8);
  const Kokkos::View<double****, Device> left("left", 100, 8, 27, 3), right("right", 100, 8, 27, 2);
  const Refusal refusal = refusalOf([&] { Tools::contractFieldFieldVector(output, left, right); });
  TEST_ASSERT(refusal.happened);
  TEST_EQUALITY(refusal.text,
                "Kontract::contractFieldFieldVector: rightFields is (C=100, R=8, P=27, D=2) but "
                "leftFields is (C=100, L=8, P=27, D=3): the space dimensions D must agree");
}

/// Elements of an output may not share places, whatever the strides; they may interleave.
TEUCHOS_UNIT_TEST(ShapeRefusals, outputsWhoseElementsCoincideAreRefused) {
  using Matrix = Kokkos::View<double**, Kokkos::LayoutStride, Device>;
  using Sums = Kokkos::View<double***, Kokkos::LayoutStride, Device>;
  const Kokkos::View<double*, Device> memory("memory", 100);
  const Kokkos::View<double**, Device> data("data", 3, 4);
  const Kokkos::View<double***, Device> left("left", 2, 3, 5), right("right", 2, 4, 5);
  const auto matrix = [&](std::size_t cell, std::size_t point) {
    return Matrix(memory.data(), Kokkos::LayoutStride(3, cell, 4, point));
  };
  const auto sums = [&](std::size_t cell, std::size_t row, std::size_t column) {
    return Sums(memory.data(), Kokkos::LayoutStride(2, cell, 3, row, 4, column));
  };
  Kokkos::deep_copy(memory, 7.0);
  const auto is_untouched = [&] {
    const auto here = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), memory);
    for (std::size_t i = 0; i < here.extent(0); ++i) {
      if (here(i) != 7.0) return false;
    }
    return true;
  };
  const auto require = [&](const Refusal& refusal, const std::string& text) {
    out << "\n" << refusal.text;
    TEST_ASSERT(refusal.happened);
    TEST_EQUALITY(refusal.text, text);
    TEST_ASSERT(is_untouched());
  };
  require(refusalOf([&] { Tools::scalarMultiplyDataData(matrix(1, 1), data, data); }),
          "Kontract::scalarMultiplyDataData: outputData is (C=3, P=4) but with strides (1, 1) some "
          "of its elements coincide: its elements must be distinct");
  require(refusalOf([&] { Tools::dotMultiplyDataData(matrix(4, 2), data, data); }),
          "Kontract::dotMultiplyDataData: outputData is (C=3, P=4) but with strides (4, 2) some of "
          "its elements coincide: its elements must be distinct");
  require(refusalOf([&] { Tools::contractFieldFieldScalar(sums(6, 4, 1), left, right); }),
          "Kontract::contractFieldFieldScalar: outputFields is (C=2, L=3, R=4) but with strides "
          "(6, 4, 1) some of its elements coincide: its elements must be distinct");
  // In place, too.
  const Matrix own = matrix(2, 1);
  require(refusalOf([&] { Tools::scalarMultiplyDataData(own, data, own); }),
          "Kontract::scalarMultiplyDataData: outputData is (C=3, P=4) but with strides (2, 1) some "
          "of its elements coincide: its elements must be distinct");
  require(refusalOf([&] {
            const Matrix none = matrix(0, 1);
            Tools::scalarMultiplyDataData(none, data, none);
          }),
          "Kontract::scalarMultiplyDataData: outputData is (C=3, P=4) but has stride 0 in C: its "
          "elements must be distinct");
  // Neither of 3 cells at 5 and 4 points at 3 share a place, nor of transposed and of padded ones.
  for (const auto& [cell, point] : {std::make_pair(4, 3), {5, 3}, {3, 5}, {1, 3}, {4, 1}, {9, 2}}) {
    TEST_NOTHROW(Tools::scalarMultiplyDataData(matrix(cell, point), data, data));
  }
}

TEUCHOS_UNIT_TEST(ShapeRefusals, arraysWithoutMemoryAreRefused) {
  using Matrix = Kokkos::View<double**, Device>;
  const Matrix held("held", 3, 4), other("other", 3, 4), null(nullptr, 3, 4), empty(nullptr, 0, 4);
  const std::string nothing = " is (C=3, P=4) but its data() is null: it needs memory";
  const auto scale = [](const Matrix& result, const Matrix& left, const Matrix& right) {
    return refusalOf([&] { Tools::scalarMultiplyDataData(result, left, right); });
  };
  TEST_ASSERT(scale(null, held, other).says("outputData" + nothing));
  TEST_ASSERT(scale(held, null, other).says("inputDataLeft" + nothing));
  TEST_ASSERT(scale(held, other, null).says("inputDataRight" + nothing));
  TEST_EQUALITY_CONST(scale(empty, empty, empty).text, "no exception");
}

}  // namespace
}  // namespace KontractTest
