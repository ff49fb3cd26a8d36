// SPDX-License-Identifier: BSD-3-Clause
//
// The other sources of this program, made while configuring, include one header each, twice: that
// they compile and link into one program is the test.

#include <Teuchos_UnitTestHarness.hpp>

#include "Kontract.hpp"

namespace KontractTest {
namespace {

TEUCHOS_UNIT_TEST(Headers, versionIsNotEmpty) {
  TEST_ASSERT(!Kontract::Options::algorithmNames().empty());
}

}  // namespace
}  // namespace KontractTest
