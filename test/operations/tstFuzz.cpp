// SPDX-License-Identifier: BSD-3-Clause
//
// Calls by chance against plain loops: any form, sizes, flags, layouts, scalars, algorithm and
// settings. Environment:
//   KONTRACT_FUZZ_SEED     of all cases; by default another one in every run
//   KONTRACT_FUZZ_SECONDS  how long to go on
//   KONTRACT_FUZZ_CASE     the only case to run, with the seed that the failure told

#include <Kokkos_Core.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <random>

#include "Fuzz.hpp"

namespace KontractTest {
namespace {

using L = Kokkos::LayoutLeft;
using R = Kokkos::LayoutRight;
using S = Kokkos::LayoutStride;

unsigned long numberFrom(const char* variable, unsigned long otherwise) {
  const char* const given = std::getenv(variable);
  return given == nullptr ? otherwise : std::strtoul(given, nullptr, 10);
}

/// What is being run, for those who want to know why the program ends.
std::string now_running;

extern "C" void tellAndEnd(int signal) {
  std::fprintf(stderr, "\nsignal %d in %s\n", signal, now_running.c_str());
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// What came of the calls.
struct Counts {
  long applicable = 0, unserved = 0, refused = 0, repeated = 0, failed = 0;
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
  const unsigned long seed = numberFrom("KONTRACT_FUZZ_SEED", std::random_device()() % 1000000);
  const unsigned long seconds = numberFrom("KONTRACT_FUZZ_SECONDS", 10);
  const bool is_single = std::getenv("KONTRACT_FUZZ_CASE") != nullptr;
  const unsigned long first = numberFrom("KONTRACT_FUZZ_CASE", 0);
  std::cout << "(KONTRACT_FUZZ_SEED=" << seed << ") " << std::flush;
  for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGINT, SIGTERM}) {
    std::signal(signal, &tellAndEnd);
  }
  Counts counts;
  const auto begin = std::chrono::steady_clock::now();
  const auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  double slowest = 0;
  for (unsigned long i = first; i == first || (!is_single && elapsed() < double(seconds)); ++i) {
    now_running = "KONTRACT_FUZZ_SEED=" + std::to_string(seed) +
                  " KONTRACT_FUZZ_CASE=" + std::to_string(i) + ": ";
    const double start = elapsed();
    const unsigned long own_seed = (seed * 1000003 + i) * 2;  // of this case, whatever came before
    random().seed(own_seed);
    const FuzzCase drawn = drawCase();
    const RunCase runner = runners[random().below(runners.size())];
    const std::string wrong = runner(drawn, own_seed, i % 3 == 0, counts);
    if (is_single) std::cout << "\n" << now_running << "\n";
    if (elapsed() - start > slowest) {
      slowest = elapsed() - start;
      if (slowest > 1) out << "\n" << slowest << " s for " << now_running;
    }
    if (!wrong.empty() && ++counts.failed <= 20) {
      std::cout << "\nfailed: " << now_running << ": " << wrong << std::endl;
    }
  }
  std::cout << "(" << counts.applicable << " calls served, " << counts.refused << " refused, "
            << counts.unserved << " not for that algorithm, " << counts.repeated << " repeated, "
            << counts.failed << " failed; the slowest " << slowest << " s) ";
  TEST_EQUALITY_CONST(counts.failed, 0);
}

}  // namespace
}  // namespace KontractTest
