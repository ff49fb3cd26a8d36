// SPDX-License-Identifier: BSD-3-Clause
//
// The file that KONTRACT_OPTIONS names. KONTRACT_TEST_EXPECT tells what is to come of it: "Serial",
// "" for an automatic choice, or "refused: <part of the text>".

#include <Kokkos_Core.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <atomic>
#include <cstdlib>
#include <string>

#include "Kontract.hpp"
#include "Refusal.hpp"
#include "Threads.hpp"

namespace KontractTest {
namespace {

using Space = Kokkos::DefaultHostExecutionSpace;
using Tools = Kontract::ArrayTools<Space>;

/// The first use of the file, by several threads at once.
int wrongFirstUses(const std::string& expected) {
  std::atomic<const Kontract::Options*> first{nullptr};
  return wrongThreads(8, [&](int) {
    if (expected.rfind("refused: ", 0) == 0) {
      return refusalOf([] { Kontract::defaultOptions(); }).says(expected.substr(9));
    }
    const Kontract::Options* const mine = &Kontract::defaultOptions();
    const Kontract::Options* seen = nullptr;
    return first.compare_exchange_strong(seen, mine) || seen == mine;
  });
}

TEUCHOS_UNIT_TEST(OptionsEnvironment, fileIsUsedOrRefused) {
  const char* const given = std::getenv("KONTRACT_TEST_EXPECT");
  const std::string expected = given == nullptr ? "" : given;
  TEST_EQUALITY_CONST(wrongFirstUses(expected), 0);
  const Kokkos::View<double*, Space> sums("sums", 2);
  const Kokkos::View<double**, Space> data("data", 2, 3), product("product", 2, 3);
  Kokkos::deep_copy(sums, 7.0);
  const auto contract = [&] { Tools::contractDataDataScalar(sums, data, data); };
  if (expected.rfind("refused: ", 0) == 0) {
    // Every call says so, not the first one alone, and the output stays as it is.
    for (int call = 0; call < 2; ++call) {
      const Refusal refusal = refusalOf(contract);
      out << "\n" << refusal.text << "\n";
      TEST_ASSERT(refusal.says(expected.substr(9)));
      TEST_EQUALITY_CONST(sums(0), 7.0);
    }
    // Options set by the program are used whatever the file is.
    Kontract::setDefaultOptions(Kontract::Options());
    TEST_NOTHROW(contract());
    return;
  }
  TEST_NOTHROW(contract());
  TEST_EQUALITY_CONST(sums(0), 0.0);
  if (expected.empty()) {
    TEST_ASSERT(Kontract::explain().why.find("expected time") != std::string::npos);
    return;
  }
  TEST_EQUALITY(Kontract::explain().algorithm, expected);
  Tools::dotMultiplyDataData(product, data, data);
  TEST_EQUALITY_CONST(Kontract::explain().algorithm, "Flat");
  Kontract::setDefaultOptions(Kontract::Options());
  contract();
  TEST_ASSERT(Kontract::explain().why.find("expected time") != std::string::npos);
}

}  // namespace
}  // namespace KontractTest
