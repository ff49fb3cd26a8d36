// SPDX-License-Identifier: BSD-3-Clause
//
// The comparisons of tstOperations on calls that are spoilt on purpose. The mutant is named by the
// environment variable KONTRACT_TEST_MUTANT; every one but "none" must make this program fail by
// comparison. That it does is what the tests with the label "mutation" require.

#include <Kokkos_Core.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <cstdlib>

#include "Cases.hpp"
#include "Runner.hpp"

namespace KontractTest {
namespace {

std::string mutant() {
  const char* const name = std::getenv("KONTRACT_TEST_MUTANT");
  return name == nullptr ? "none" : name;
}

/// Hides the last of an index in every argument that has more than one of it.
template <class PlacedArray>
void hideLast(std::string_view letters, char letter, PlacedArray& array) {
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const bool is_points = letter == 'P' && letters[i] == 'Q';
    if (letters[i] == letter || is_points) array.hideLast(i);
  }
}

/// Spoils calls. Where a mutant does not apply it leaves a call as it is.
struct Spoilt {
  template <class Out, class Left, class Right>
  static bool alter(const Form& form, Flags& flags, Out& out, Left& left, Right& right) {
    static const std::string name = mutant();
    const FlagKind kind = flagKindOf(form.operation);
    const auto hide = [&](char letter) {
      hideLast(form.out, letter, out);
      hideLast(form.left, letter, left);
      hideLast(form.right, letter, right);
    };
    if (name == "nothing") return false;
    if (name == "last_point") hide('P');
    if (name == "last_cell") hide('C');
    if (name == "last_right_field") hide('R');
    if (name == "no_sum_into" && kind == FlagKind::SumInto) flags.yes = false;
    if (name == "always_sum_into" && kind == FlagKind::SumInto) flags.yes = true;
    if (name == "no_reciprocal" && kind == FlagKind::Reciprocal) flags.yes = false;
    if (name == "no_transpose" && kind == FlagKind::Transpose) flags.transpose = 'N';
    return true;
  }
};

TEUCHOS_UNIT_TEST(Mutants, comparisonsFindSpoiltCalls) {
  Tally tally(out);
  const std::vector<NamedOptions> algorithms = allAlgorithms();
  const Sizes sizes{3, 2, 4, 5, 3, 3, 3};
  using S = Kokkos::LayoutStride;
  forEachForm([&](auto form) {
    constexpr std::size_t number = decltype(form)::value;
    for (const Flags& flags : flagsOf(forms[number])) {
      const auto problem = makeProblem<double, double, double>(forms[number], sizes, flags);
      forEachSpace([&](auto space) {
        for (const NamedOptions& algorithm : algorithms) {
          runForm<number, decltype(space), Mix<S, S, S, true>, Spoilt>(problem, algorithm, tally);
        }
      });
    }
  });
  out << "\n" << tally.checks() << " comparisons with mutant " << mutant() << "\n";
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

}  // namespace
}  // namespace KontractTest
