// SPDX-License-Identifier: BSD-3-Clause
//
// All functions side by side with Intrepid2::ArrayTools, called in the same way, on random arrays.
// Left out is what Intrepid2 does not take: matrices that are not square, and data with one point
// in cross and outer products and between data.

#include <Intrepid2_ArrayTools.hpp>
#include <Kokkos_Core.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <sstream>

#include "Cases.hpp"
#include "Runner.hpp"

namespace KontractTest {
namespace {

bool intrepid2Takes(const Form& form, const Sizes& sizes) {
  if (!sizes.one_point || sizes.points == 1) return true;
  const auto is = [&](std::string_view part) {
    return form.operation.find(part) != std::string_view::npos;
  };
  return !(is("cross") || is("outer") || is("contractDataData"));
}

/// The arrays of a problem in memory twice: one set for each library.
template <class Space, class Layout>
struct Twins {
  using DoubleProblem = Problem<double, double, double>;
  using PlacedArray = Placed<double, Layout, typename Space::device_type>;
  PlacedArray left, right, ours, theirs;
  explicit Twins(const DoubleProblem& problem)
      : left(problem.left.extents(), problem.left.values()),
        right(problem.right.extents(), problem.right.values()),
        ours(problem.out.extents(), problem.out.values()),
        theirs(problem.out.extents(), withoutNaN(problem.out.values())) {}

  /// Contractions of Intrepid2 16.1 multiply by zero what they overwrite, and NaN would stay.
  static std::vector<double> withoutNaN(std::vector<double> values) {
    for (double& value : values) {
      if (std::isnan(value)) value = 12345;
    }
    return values;
  }
};

template <std::size_t form, class Space, class Layout>
void compareWithIntrepid2(const Problem<double, double, double>& problem, Tally& tally) {
  using Operation = OperationOf<form>;
  using Ours = Kontract::ArrayTools<Space>;
  using Theirs = Intrepid2::ArrayTools<Space>;
  Twins<Space, Layout> arrays(problem);
  callOperation<Operation, Theirs>(std::tuple<>(), problem.flags, arrays.theirs.dynRankView(),
                                   arrays.left.dynRankView(), arrays.right.dynRankView());
  callOperation<Operation, Ours>(std::tuple<>(), problem.flags, arrays.ours.dynRankView(),
                                 arrays.left.dynRankView(), arrays.right.dynRankView());
  const std::vector<double> ours = arrays.ours.values(), theirs = arrays.theirs.values();
  std::ostringstream wrong;
  for (std::size_t i = 0; i < ours.size() && wrong.str().empty(); ++i) {
    const double tolerance = 2 * static_cast<double>(problem.tolerance[i]);
    if (std::abs(ours[i] - theirs[i]) <= tolerance) continue;
    wrong << "element " << i << " is " << ours[i] << ", Intrepid2 has " << theirs[i];
  }
  tally.add(problem.text(), wrong.str());
}

TEUCHOS_UNIT_TEST(Intrepid2, allFunctionsAgree) {
  Tally tally(out);
  //                                  C  L  R  P  D  D2 D3
  const std::vector<Sizes> square{{4, 3, 5, 7, 3, 3, 3},
                                  {5, 2, 3, 6, 2, 2, 2},
                                  {3, 5, 2, 1, 3, 3, 3},
                                  {1, 1, 1, 4, 2, 2, 2},
                                  {17, 8, 8, 27, 3, 3, 3}};
  forEachForm([&](auto form) {
    constexpr std::size_t number = decltype(form)::value;
    const Form& shape = forms[number];
    for (const Sizes& either : square) {
      for (const Sizes& sizes : withOnePoint(shape, either)) {
        if (!intrepid2Takes(shape, sizes)) continue;
        for (const Flags& flags : flagsOf(shape)) {
          const auto problem = makeProblem<double, double, double>(shape, sizes, flags);
          forEachSpace([&](auto space) {
            using Space = decltype(space);
            compareWithIntrepid2<number, Space, Kokkos::LayoutRight>(problem, tally);
            compareWithIntrepid2<number, Space, Kokkos::LayoutLeft>(problem, tally);
          });
        }
      }
    }
  });
  TEST_ASSERT(tally.checks() > 1000);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

}  // namespace
}  // namespace KontractTest
