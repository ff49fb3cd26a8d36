// SPDX-License-Identifier: BSD-3-Clause
//
// What tests of kernels of devices rely on: threads of a team take turns at barriers, and what goes
// wrong in one of them is told.

#include "TeamOfThreads.hpp"

#include <Teuchos_UnitTestHarness.hpp>
#include <string>

namespace KontractTest {
namespace {

TEUCHOS_UNIT_TEST(TeamOfThreads, turns) {
  for (const bool is_backwards : {false, true}) {
    std::string turns;
    TeamOfThreads(3, is_backwards)
        .run(
            [&](const auto& workers, std::int64_t piece) {
              const char rank = char('0' + workers.member.team_rank());
              turns += rank;
              workers.member.team_barrier();
              turns += piece == 0 ? rank : char('a' + workers.member.team_rank());
            },
            2, 0);
    TEST_EQUALITY(turns, std::string(is_backwards ? "210210210cba" : "012012012abc"));
  }
}

TEUCHOS_UNIT_TEST(TeamOfThreads, turnsOfWarps) {
  std::string turns;
  TeamOfThreads(64, false).run(
      [&](const auto& workers, std::int64_t) {
        const int rank = workers.member.team_rank();
        if (rank % 32 == 0 || rank % 32 == 31) turns += std::to_string(rank) + " ";
        workers.member.warp_barrier();
        if (rank % 32 == 0) turns += "again ";
      },
      1, 0);
  TEST_EQUALITY_CONST(turns, "0 31 again 32 63 again ");
}

/// What one thread leaves for another is there only behind a barrier, in one order or the other.
TEUCHOS_UNIT_TEST(TeamOfThreads, missingBarrier) {
  int wrong = 0;
  for (const bool is_backwards : {false, true}) {
    for (const bool has_barrier : {false, true}) {
      int given[2] = {0, 0}, found[2] = {0, 0};
      TeamOfThreads(2, is_backwards)
          .run(
              [&](const auto& workers, std::int64_t) {
                const int rank = workers.member.team_rank();
                given[rank] = 1;
                if (has_barrier) workers.member.team_barrier();
                found[rank] = given[1 - rank];
              },
              1, 0);
      const bool is_right = found[0] == 1 && found[1] == 1;
      if (has_barrier) TEST_ASSERT(is_right);
      if (!is_right) ++wrong;
    }
  }
  TEST_EQUALITY_CONST(wrong, 2);
}

TEUCHOS_UNIT_TEST(TeamOfThreads, whatGoesWrong) {
  TeamOfThreads team(4, false);
  const auto leaveEarly = [](const auto& workers, std::int64_t) {
    if (workers.member.team_rank() > 0) workers.member.team_barrier();
    workers.member.team_barrier();
  };
  const auto fail = [](const auto& workers, std::int64_t) {
    workers.member.team_barrier();
    if (workers.member.team_rank() == 2) throw std::runtime_error("of a kernel");
  };
  for (int times = 0; times < 2; ++times) {
    TEST_THROW(team.run(leaveEarly, 1, 0), std::logic_error);
    TEST_THROW(team.run(fail, 1, 0), std::runtime_error);
    TEST_NOTHROW(team.run([](const auto&, std::int64_t) {}, 1, 0));
  }
}

}  // namespace
}  // namespace KontractTest
