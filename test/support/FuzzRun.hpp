// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_FUZZRUN_HPP
#define KONTRACT_TEST_FUZZRUN_HPP

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>

namespace KontractTest {

inline unsigned long numberFrom(const char* variable, unsigned long otherwise) {
  const char* const given = std::getenv(variable);
  return given == nullptr ? otherwise : std::strtoul(given, nullptr, 10);
}

/// What is being run, for those who want to know why the program ends.
inline std::string now_running;

extern "C" inline void tellAndEnd(int signal) {
  std::fprintf(stderr, "\nsignal %d in %s\n", signal, now_running.c_str());
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// Cases by chance, one after another, as the environment has it:
///   KONTRACT_FUZZ_SEED     of all cases; by default another one in every run
///   KONTRACT_FUZZ_SECONDS  how long to go on
///   KONTRACT_FUZZ_CASE     the only case to run, with the seed that the failure told
class FuzzRun {
 public:
  /// Calls run(own seed of the case, number of the case) again and again, which says what is wrong.
  /// \return how many cases failed
  template <class F>
  static long go(const F& run) {
    const unsigned long seed = numberFrom("KONTRACT_FUZZ_SEED", std::random_device()() % 1000000);
    const unsigned long seconds = numberFrom("KONTRACT_FUZZ_SECONDS", 10);
    const bool is_single = std::getenv("KONTRACT_FUZZ_CASE") != nullptr;
    const unsigned long first = numberFrom("KONTRACT_FUZZ_CASE", 0);
    std::cout << "(KONTRACT_FUZZ_SEED=" << seed << ") " << std::flush;
    for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGINT, SIGTERM}) {
      std::signal(signal, &tellAndEnd);
    }
    const auto begin = std::chrono::steady_clock::now();
    const auto elapsed = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    double slowest = 0;
    long failed = 0;
    for (unsigned long i = first; i == first || (!is_single && elapsed() < double(seconds)); ++i) {
      now_running = "KONTRACT_FUZZ_SEED=" + std::to_string(seed) +
                    " KONTRACT_FUZZ_CASE=" + std::to_string(i) + ": ";
      const double start = elapsed();
      // Of this case, whatever came before.
      const std::string wrong = run((seed * 1000003 + i) * 2, i);
      if (is_single) std::cout << "\n" << now_running << "\n";
      if (elapsed() - start > slowest) {
        slowest = elapsed() - start;
        if (slowest > 1) std::cout << "\n" << slowest << " s for " << now_running << std::endl;
      }
      if (!wrong.empty() && ++failed <= 20) {
        std::cout << "\nfailed: " << now_running << ": " << wrong << std::endl;
      }
    }
    std::cout << "(" << failed << " failed; the slowest " << slowest << " s) ";
    return failed;
  }
};

}  // namespace KontractTest

#endif
