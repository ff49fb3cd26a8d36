// SPDX-License-Identifier: BSD-3-Clause
//
// Outputs that are an input, where operations allow it: scalar multiples, and products with scalar
// or diagonal matrices.

#include <Kokkos_Core.hpp>
#include <Teuchos_UnitTestHarness.hpp>

#include "Cases.hpp"
#include "Runner.hpp"

namespace KontractTest {
namespace {

bool worksInPlace(const Form& form) {
  const FlagKind kind = flagKindOf(form.operation);
  return kind == FlagKind::Reciprocal || (kind == FlagKind::Transpose && !form.hasFullMatrix());
}

bool sameShape(std::string_view a, std::string_view b) {
  std::string points(b);
  for (char& letter : points) letter = letter == 'Q' ? 'P' : letter;
  return a == points;
}

template <class Operation, class Space, class Layout, class T>
void runInPlace(const Problem<T, T, T>& problem, bool output_is_left, const NamedOptions& algorithm,
                Tally& tally) {
  if (tally.leavesOut()) return;
  using Device = typename Space::device_type;
  using Tools = Kontract::ArrayTools<Device>;
  Placed<T, Layout, Device> left(problem.left.extents(), problem.left.values());
  Placed<T, Layout, Device> right(problem.right.extents(), problem.right.values());
  Placed<T, Layout, Device>& out = output_is_left ? left : right;
  std::string wrong;
  try {
    callOperation<Operation, Tools>(std::tuple<>(), problem.flags, out.dynRankView(),
                                    left.dynRankView(), right.dynRankView(), algorithm.options);
    wrong = compare(problem, out.values());
    if (wrong.empty() && !out.guardsAreUntouched()) wrong = "memory next to the output changed";
    if (wrong.empty() && !(output_is_left ? right : left).isUntouched()) wrong = "an input changed";
  } catch (const std::invalid_argument& refusal) {
    if (isUnserved(refusal.what()) && algorithm.name != "Auto") return;
    wrong = std::string("refused: ") + refusal.what();
  }
  tally.add(problem.text() + (output_is_left ? ", onto left, " : ", onto right, ") + algorithm.name,
            wrong);
}

template <class T>
void runForms(Tally& tally) {
  const std::vector<NamedOptions> algorithms = algorithmsForAll();
  forEachForm([&](auto form) {
    constexpr std::size_t number = decltype(form)::value;
    const Form& shape = forms[number];
    if (!worksInPlace(shape)) return;
    for (const Sizes& either : ordinarySizes()) {
      for (const Sizes& sizes : withOnePoint(shape, either)) {
        for (const Flags& flags : flagsOf(shape)) {
          const auto problem = makeProblem<T, T, T>(shape, sizes, flags);
          for (const bool output_is_left : {false, true}) {
            if (!sameShape(shape.out, output_is_left ? shape.left : shape.right)) continue;
            if (output_is_left && sizes.one_point && sizes.points != 1) continue;
            for (const NamedOptions& algorithm : algorithms) {
              forEachSpace([&](auto space) {
                using Space = decltype(space);
                using Operation = OperationOf<number>;
                runInPlace<Operation, Space, Kokkos::LayoutLeft>(problem, output_is_left, algorithm,
                                                                 tally);
                runInPlace<Operation, Space, Kokkos::LayoutRight>(problem, output_is_left,
                                                                  algorithm, tally);
                runInPlace<Operation, Space, Kokkos::LayoutStride>(problem, output_is_left,
                                                                   algorithm, tally);
              });
            }
          }
        }
      }
    }
  });
}

TEUCHOS_UNIT_TEST(InPlace, allowedForms) {
  Tally tally(out);
  runForms<double>(tally);
  runForms<Kokkos::complex<double>>(tally);
  TEST_ASSERT(tally.checks() > 1000);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

}  // namespace
}  // namespace KontractTest
