// SPDX-License-Identifier: BSD-3-Clause
//
// All operations in all their forms, for every algorithm, layout and execution space, against plain
// loops. Compiled once for each combination of scalars.

#include <Kokkos_Core.hpp>
#include <Teuchos_UnitTestHarness.hpp>

#include "Cases.hpp"
#include "Runner.hpp"

namespace KontractTest {
namespace {

using Out = KONTRACT_TEST_OUT;
using Left = KONTRACT_TEST_LEFT;
using Right = KONTRACT_TEST_RIGHT;

using L = Kokkos::LayoutLeft;
using R = Kokkos::LayoutRight;
using S = Kokkos::LayoutStride;

template <class... Mixes>
struct MixList {};

#ifdef KONTRACT_TEST_ALL_MIXES
using Mixes = MixList<Mix<L, L, L, false>, Mix<R, R, R, false>, Mix<S, S, S, false>,
                      Mix<L, R, S, false>, Mix<L, L, L, true>, Mix<R, R, R, true>,
                      Mix<S, S, S, true>, Mix<R, S, L, true>, Mix<S, L, R, true>>;
#else
using Mixes =
    MixList<Mix<L, R, L, false>, Mix<R, R, R, true>, Mix<L, L, L, true>, Mix<S, S, S, true>>;
#endif

template <std::size_t form, class Space, class... M>
void runMixes(MixList<M...>, const Problem<Out, Left, Right>& problem, Tally& tally) {
  static const std::vector<NamedOptions> algorithms = allAlgorithms();
  for (const NamedOptions& algorithm : algorithms) {
    (runForm<form, Space, M>(problem, algorithm, tally), ...);
  }
}

void runSizes(const std::vector<Sizes>& all, Tally& tally) {
  forEachForm([&](auto form) {
    const Form& shape = forms[form];
    for (const Sizes& either : all) {
      for (const Sizes& sizes : withOnePoint(shape, either)) {
        for (const Flags& flags : flagsOf(shape)) {
          const bool divides = flags.yes && flagKindOf(shape.operation) == FlagKind::Reciprocal;
          if (std::is_integral_v<Out> && divides)
            continue;  // the oracle does not cut quotients off
          const auto problem = makeProblem<Out, Left, Right>(shape, sizes, flags);
          forEachSpace([&](auto space) {
            runMixes<decltype(form)::value, decltype(space)>(Mixes(), problem, tally);
          });
        }
      }
    }
  });
}

TEUCHOS_UNIT_TEST(Operations, everyFormAndAlgorithmFollowsTheOracle) {
  Tally tally(out);
  runSizes(ordinarySizes(), tally);
  TEST_ASSERT(tally.checks() > 1000);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

TEUCHOS_UNIT_TEST(Operations, emptyExtentsFollowTheOracle) {
  Tally tally(out);
  runSizes(emptySizes(), tally);
  TEST_ASSERT(tally.checks() > 1000);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

}  // namespace
}  // namespace KontractTest
