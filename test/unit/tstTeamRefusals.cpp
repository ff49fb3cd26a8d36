// SPDX-License-Identifier: BSD-3-Clause
//
// What functions for a caller's own kernel say of wrong arrays in builds that check, before the
// kernel is stopped. Each call is a process of its own.

#define KONTRACT_CHECKS_CELLS

#include <sys/wait.h>
#include <unistd.h>

#include <Teuchos_UnitTestHarness.hpp>
#include <csignal>
#include <cstdio>
#include <string>

#include "Kontract_Team.hpp"

namespace KontractTest {
namespace {

namespace team = Kontract::team;
// A process that was forked has none of the threads that others of its kind may have.
#ifdef KOKKOS_ENABLE_SERIAL
using Space = Kokkos::Serial;
#else
using Space = Kokkos::DefaultHostExecutionSpace;
#endif
using Tools = team::ArrayTools<team::Serial>;
using Basis = team::Basis<team::Serial>;
template <class Data>
using View = Kokkos::View<Data, Kokkos::LayoutRight, Kokkos::HostSpace>;

/// What a call prints before it stops its process; empty if it does not.
template <class Call>
std::string refusalOf(const Call& call) {
  std::fflush(stdout);
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    setvbuf(stdout, nullptr, _IONBF, 0);
    std::signal(SIGABRT, SIG_DFL);
    call();
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  char buffer[512];
  for (ssize_t got = 0; (got = read(ends[0], buffer, sizeof(buffer))) > 0;) {
    text.append(buffer, std::size_t(got));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? "" : text;
}

/// Arrays of a cell with 4 fields and 5 points.
struct Arrays {
  View<double**> square{"square", 4, 4}, wide{"wide", 4, 6}, at_points{"at points", 4, 5};
  View<double***> gradients{"gradients", 4, 5, 3}, plane{"plane", 4, 5, 2};
  View<double*> points{"points", 5}, fewer{"fewer", 4}, one{"one", 1}, fields{"fields", 4};
  View<double**> vectors{"vectors", 5, 3};
};

#define KONTRACT_TEST_SAYS(call, text)                               \
  {                                                                  \
    const std::string said = refusalOf([&] { call; });               \
    out << said;                                                     \
    TEST_INEQUALITY(said.find(text), std::string::npos);             \
    TEST_INEQUALITY(said.find("Kontract::team"), std::string::npos); \
  }

TEUCHOS_UNIT_TEST(TeamRefusals, extentsAndRanks) {
  const Arrays a;
  KONTRACT_TEST_SAYS(Tools::contractFieldFieldVector(a.wide, a.gradients, a.gradients),
                     "contractFieldFieldVector, cell -1: extent 0 of the right input is 4, but "
                     "needs 6");
  KONTRACT_TEST_SAYS(Tools::contractFieldFieldVector(a.square, a.plane, a.gradients),
                     "extent 2 of the left input is 2, but needs 3");
  KONTRACT_TEST_SAYS(Tools::contractFieldFieldVector(a.square, a.at_points, a.gradients),
                     "the left input has rank 2, but needs 3 (LPD)");
  KONTRACT_TEST_SAYS(Tools::contractDataFieldScalar(a.fields, a.fewer, a.at_points),
                     "extent 0 of the left input is 4, but needs 5 or 1");
  KONTRACT_TEST_SAYS(Tools::scalarMultiplyDataField(a.gradients, a.fewer, a.gradients),
                     "scalarMultiplyDataField, cell -1: extent 0 of the left input is 4");
  KONTRACT_TEST_SAYS(Tools::matvecProductDataField(a.gradients, a.points, a.plane),
                     "extent 2 of the right input is 2, but needs 3");
  KONTRACT_TEST_SAYS(Tools::dotMultiplyDataField(a.at_points, a.vectors, a.plane),
                     "extent 1 of the left input is 3, but needs 2");
  KONTRACT_TEST_SAYS(Basis::evaluate(a.points, a.points, a.at_points),
                     "extent 0 of the coefficients");
  KONTRACT_TEST_SAYS(Basis::integrate(a.fields, a.fewer, a.at_points), "Basis::integrate");
}

TEUCHOS_UNIT_TEST(TeamRefusals, tooFewIndices) {
  const Arrays a;
  const View<double> number("number");
  KONTRACT_TEST_SAYS(Tools::scalarMultiplyDataField(a.fields, a.points, a.fields),
                     "the output has rank 1, but needs 2 (FP)");
  KONTRACT_TEST_SAYS(Tools::dotMultiplyDataField(a.at_points, number, a.at_points),
                     "the left input has rank 0, but needs 1 (p)");
  KONTRACT_TEST_SAYS(Tools::matvecProductDataField(a.gradients, number, a.gradients),
                     "the left input has rank 0, but needs 1 (p)");
}

TEUCHOS_UNIT_TEST(TeamRefusals, tensorBases) {
  const Arrays a;
  const View<double**> table("table", 2, 3);
  const auto basis = Kontract::tensorBasis<2>(table, table);  // 4 a.fields, 9 points
  const View<double*> nine("nine", 9), scratch("scratch", std::size_t(Basis::scratchExtent(basis)));
  const View<double*> small("small", scratch.extent(0) - 1);
  const View<double**> slopes("slopes", 9, 2);
  KONTRACT_TEST_SAYS(Basis::evaluate(a.points, a.fields, basis, scratch),
                     "there are 5 points, but the basis has 9");
  KONTRACT_TEST_SAYS(Basis::evaluate(nine, a.points, basis, scratch),
                     "there are 5 fields, but the basis has 4");
  KONTRACT_TEST_SAYS(Basis::evaluate(slopes, a.fields, basis, small), "scratch has");
  TEST_EQUALITY_CONST(refusalOf([&] { Basis::evaluate(slopes, a.fields, basis, scratch); }), "");
  TEST_EQUALITY_CONST(refusalOf([&] { Basis::integrate(a.fields, slopes, basis, scratch); }), "");
}

TEUCHOS_UNIT_TEST(TeamRefusals, whatFits) {
  const Arrays a;
  const auto isQuiet = [&](const auto& call) { TEST_EQUALITY_CONST(refusalOf(call), ""); };
  isQuiet([&] { Tools::contractFieldFieldVector(a.square, a.gradients, a.gradients); });
  isQuiet([&] { Tools::contractDataFieldScalar(a.fields, a.one, a.at_points); });
  isQuiet([&] { Tools::scalarMultiplyDataField(a.gradients, a.one, a.gradients); });
  isQuiet([&] { Tools::matvecProductDataField(a.gradients, a.vectors, a.gradients); });
  isQuiet([&] { Tools::dotMultiplyDataField(a.at_points, a.vectors, a.gradients); });
  isQuiet([&] { Tools::crossProductDataField(a.gradients, a.vectors, a.gradients); });
  isQuiet([&] { Tools::scalarMultiplyDataData(a.vectors, a.points, a.vectors); });
}

/// A cell is told by the number of its team.
TEUCHOS_UNIT_TEST(TeamRefusals, cellOfTeam) {
  const Arrays a;
  using Member = Kokkos::TeamPolicy<Space>::member_type;
  KONTRACT_TEST_SAYS(Kokkos::parallel_for("wrong", Kokkos::TeamPolicy<Space>(4, 1),
                                          [&](const Member& member) {
                                            if (member.league_rank() != 3) return;
                                            team::ArrayTools<team::Team>::contractFieldFieldScalar(
                                                member, a.square, a.at_points, a.square);
                                          }),
                     "contractFieldFieldScalar, cell 3: extent 1");
}

}  // namespace
}  // namespace KontractTest
