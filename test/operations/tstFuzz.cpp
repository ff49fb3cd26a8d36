// SPDX-License-Identifier: BSD-3-Clause
//
// Calls by chance against plain loops: any form, sizes, flags, layouts, scalars, algorithm and
// settings. The environment is that of FuzzRun.

#include <Kokkos_Core.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <array>
#include <cstring>

#include "Fuzz.hpp"
#include "FuzzRun.hpp"

namespace KontractTest {
namespace {

using L = Kokkos::LayoutLeft;
using R = Kokkos::LayoutRight;
using S = Kokkos::LayoutStride;

/// What came of the calls.
struct Counts {
  long applicable = 0, unserved = 0, refused = 0, repeated = 0;
};

/// Runs a case on one kind of arrays.
template <class Space, class MixType, class T>
struct CaseRunner {
  using ArraysType = Arrays<Space, MixType, T, T, T>;
  using Call = void (*)(const Flags&, const ArraysType&, const Kontract::Options&);

  const FuzzCase& drawn;
  unsigned long seed;
  bool is_twice;
  Counts& counts;

  /// The call of a form that is known only now.
  static Call callOf(std::size_t form) {
    static const std::array<Call, form_count> calls = [] {
      std::array<Call, form_count> all{};
      forEachForm([&](auto i) {
        constexpr std::size_t number = decltype(i)::value;
        all[number] = &makeCall<number, Space, MixType, ArraysType>;
      });
      return all;
    }();
    return calls[form];
  }

  /// \return empty if all is well, else what is wrong
  std::string run() const {
    random().seed(seed);
    const auto problem = makeProblem<T, T, T>(forms[drawn.form], drawn.sizes, drawn.flags);
    now_running += problem.text() + ", " + drawn.algorithm.name;
    std::vector<T> first, second;
    std::string wrong = runOnce(problem, first);
    if (!wrong.empty() || first.empty() || !is_twice || !drawn.is_same_in_every_run) return wrong;
    ++counts.repeated;
    wrong = runOnce(problem, second);
    if (!wrong.empty()) return "in the second run: " + wrong;
    const bool is_same = std::memcmp(first.data(), second.data(), first.size() * sizeof(T)) == 0;
    return is_same ? "" : "the second run gives other bits";
  }

 private:
  template <class ProblemType>
  std::string runOnce(const ProblemType& problem, std::vector<T>& found) const {
    random().seed(seed + 1);  // the strides are the same in a second run
    ArraysType arrays(problem);
    try {
      callOf(drawn.form)(drawn.flags, arrays, drawn.algorithm.options);
    } catch (const std::invalid_argument& refusal) {
      ++(isUnserved(refusal.what()) ? counts.unserved : counts.refused);
      const bool is_well = isAllowed<MixType>(drawn, refusal.what());
      if (!is_well) return std::string("refused: ") + refusal.what();
      return arrays.out.isUntouched() ? "" : "refused, but the output changed";
    } catch (const std::exception& other) {
      return std::string("another exception: ") + other.what();
    }
    ++counts.applicable;
    found = arrays.out.values();
    const std::string wrong = compare(problem, found);
    if (!wrong.empty()) return wrong;
    if (!arrays.out.guardsAreUntouched()) return "memory next to the output changed";
    if (!arrays.left.isUntouched() || !arrays.right.isUntouched()) return "an input changed";
    return "";
  }
};

using RunCase = std::string (*)(const FuzzCase&, unsigned long, bool, Counts&);

template <class Space, class MixType, class T>
std::string run(const FuzzCase& drawn, unsigned long seed, bool is_twice, Counts& counts) {
  constexpr const char* scalar = std::is_same_v<T, double>  ? "double"
                                 : std::is_same_v<T, float> ? "float"
                                                            : "complex";
  now_running += std::string(scalar) + ", " + MixType::name() + ", " + Space::name() + ", ";
  return CaseRunner<Space, MixType, T>{drawn, seed, is_twice, counts}.run();
}

/// All kinds of arrays.
std::vector<RunCase> allRunners() {
  std::vector<RunCase> all;
  forEachSpace([&](auto space) {
    using Space = decltype(space);
    all.push_back(&run<Space, Mix<L, L, L, true>, double>);
    all.push_back(&run<Space, Mix<R, R, R, true>, double>);
    all.push_back(&run<Space, Mix<S, S, S, true>, double>);
    all.push_back(&run<Space, Mix<L, S, R, true>, double>);
    all.push_back(&run<Space, Mix<R, R, R, false>, double>);
    all.push_back(&run<Space, Mix<S, L, S, false>, double>);
    all.push_back(&run<Space, Mix<R, R, R, true>, float>);
    all.push_back(&run<Space, Mix<S, S, S, true>, float>);
    all.push_back(&run<Space, Mix<L, L, L, true>, Kokkos::complex<double>>);
    all.push_back(&run<Space, Mix<S, R, S, true>, Kokkos::complex<double>>);
  });
  return all;
}

TEUCHOS_UNIT_TEST(Fuzz, randomCallsFollowTheOracle) {
  const std::vector<RunCase> runners = allRunners();
  Counts counts;
  const long failed = FuzzRun::go([&](unsigned long own_seed, unsigned long i) {
    random().seed(own_seed);
    const FuzzCase drawn = drawCase();
    const RunCase runner = runners[random().below(runners.size())];
    return runner(drawn, own_seed, i % 3 == 0, counts);
  });
  std::cout << "(" << counts.applicable << " calls served, " << counts.refused << " refused, "
            << counts.unserved << " not for that algorithm, " << counts.repeated << " repeated) ";
  TEST_EQUALITY_CONST(failed, 0);
}

}  // namespace
}  // namespace KontractTest
