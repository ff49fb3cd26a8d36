// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_BYCHANCE_HPP
#define KONTRACT_TEST_BYCHANCE_HPP

#include <Kokkos_Core.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <map>
#include <string>

#include "Tuning.hpp"
#include "detail/support/Kontract_Machine.hpp"

namespace KontractTest {

/// Checks forms by chance, each with all algorithms that serve it: Auto serves all, Team Reduction
/// some, and so does Tensor Core where a device has its instructions.
/// \tparam Check  is made of a seed, has run(), and counts calls by algorithm in `served`
/// \param name    of the test, for a tuning table of its own
template <class Check>
void checkByChance(const char* name, unsigned first, unsigned count, Teuchos::FancyOStream& out,
                   bool& success) {
  const TuningFile file(name);
  std::map<std::string, int> served;
  for (unsigned seed = first; seed < first + count; ++seed) {
    Check check(seed, out, success);
    check.run();
    for (const auto& [algorithm, calls] : check.served) served[algorithm] += calls;
  }
  for (const auto& [algorithm, calls] : served) out << algorithm << ": " << calls << " calls\n";
  TEST_ASSERT(served["Auto"] >= int(count) && served["Team Reduction"] > 0);
  const auto machine = Kontract::Impl::machineOf(Kokkos::DefaultExecutionSpace());
  TEST_EQUALITY(served["Tensor Core"] > 0, machine.compute_capability >= 80);
}

}  // namespace KontractTest

#endif
