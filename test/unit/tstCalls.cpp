// SPDX-License-Identifier: BSD-3-Clause
//
// The ways to call an operation: with and without execution space, flag and options; default
// options; explanations of calls.

#include <Kokkos_Core.hpp>
#include <Teuchos_ParameterList.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <algorithm>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <type_traits>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "Kontract.hpp"
#include "Refusal.hpp"
#include "WhatAlgorithmsServe.hpp"
#include "detail/support/Kontract_LargePages.hpp"

namespace KontractTest {
namespace {

using Kontract::Options;
using Teuchos::ParameterList;
using Space = Kokkos::DefaultHostExecutionSpace;
using Tools = Kontract::ArrayTools<Space>;
using Vector = Kokkos::View<double*, Space>;
using Matrix = Kokkos::View<double**, Space>;
using Tensors = Kokkos::View<double****, Space>;

Options named(const std::string& algorithm) {
  ParameterList list;
  list.set("Algorithm", algorithm);
  return Options(list);
}

/// Two cells with two points of ones and twos: the sum over points is 4.
struct Contraction {
  Vector sums{"sums", 2};
  Matrix ones{"ones", 2, 2}, twos{"twos", 2, 2};
  Contraction() {
    Kokkos::deep_copy(ones, 1.0);
    Kokkos::deep_copy(twos, 2.0);
    Kokkos::deep_copy(sums, 100.0);
  }
  double result() const { return sums(0) == sums(1) ? sums(0) : -1; }
};

/// The function under test with that many cells of one argument list; 4 or, added, 104.
template <class... Last>
double contract(bool with_space, const Last&... last) {
  const Contraction c;
  if (with_space) {
    Tools::contractDataDataScalar(Space(), c.sums, c.ones, c.twos, last...);
  } else {
    Tools::contractDataDataScalar(c.sums, c.ones, c.twos, last...);
  }
  return c.result();
}

TEUCHOS_UNIT_TEST(Calls, everyArgumentFormOfAContraction) {
  ParameterList list;
  list.set("Algorithm", "Serial");
  const Options options(list);
  for (const bool with_space : {false, true}) {
    TEST_EQUALITY_CONST(contract(with_space), 4.0);
    TEST_EQUALITY_CONST(contract(with_space, false), 4.0);
    TEST_EQUALITY_CONST(contract(with_space, true), 104.0);
    TEST_EQUALITY_CONST(contract(with_space, options), 4.0);
    TEST_EQUALITY_CONST(contract(with_space, list), 4.0);
    TEST_EQUALITY_CONST(contract(with_space, false, options), 4.0);
    TEST_EQUALITY_CONST(contract(with_space, true, options), 104.0);
    TEST_EQUALITY_CONST(contract(with_space, false, list), 4.0);
    TEST_EQUALITY_CONST(contract(with_space, true, list), 104.0);
    TEST_EQUALITY_CONST(Kontract::explain().algorithm, "Serial");
  }
}

TEUCHOS_UNIT_TEST(Calls, everyArgumentFormOfAMatrixProduct) {
  ParameterList list;
  list.set("Algorithm", "Serial");
  const Options options(list);
  const Tensors matrix("matrix", 1, 1, 2, 2);
  const Kokkos::View<double***, Space> vector("vector", 1, 1, 2), product("product", 1, 1, 2);
  matrix(0, 0, 0, 1) = 3;
  vector(0, 0, 0) = 1;
  vector(0, 0, 1) = 2;
  const auto check = [&](double first, double second) {
    TEST_EQUALITY(product(0, 0, 0), first);
    TEST_EQUALITY(product(0, 0, 1), second);
    Kokkos::deep_copy(product, -1.0);
  };
  Tools::matvecProductDataData(product, matrix, vector);
  check(6, 0);
  Tools::matvecProductDataData(product, matrix, vector, 'T');
  check(0, 3);
  Tools::matvecProductDataData(product, matrix, vector, options);
  check(6, 0);
  Tools::matvecProductDataData(product, matrix, vector, list);
  check(6, 0);
  Tools::matvecProductDataData(product, matrix, vector, 'T', options);
  check(0, 3);
  Tools::matvecProductDataData(product, matrix, vector, 'T', list);
  check(0, 3);
  Tools::matvecProductDataData(Space(), product, matrix, vector);
  check(6, 0);
  Tools::matvecProductDataData(Space(), product, matrix, vector, 'T');
  check(0, 3);
  Tools::matvecProductDataData(Space(), product, matrix, vector, list);
  check(6, 0);
  Tools::matvecProductDataData(Space(), product, matrix, vector, 't', options);
  check(0, 3);
}

TEUCHOS_UNIT_TEST(Calls, everyArgumentFormWithoutFlag) {
  ParameterList list;
  list.set("Algorithm", "Serial");
  const Options options(list);
  const Contraction c;
  const Matrix product("product", 2, 2);
  Vector shared("shared", 2);
  Kokkos::deep_copy(shared, 5.0);
  const auto check = [&](double value) {
    TEST_EQUALITY(product(1, 1), value);
    Kokkos::deep_copy(product, -1.0);
  };
  Tools::dotMultiplyDataData(product, c.ones, c.twos);
  check(2);
  Tools::dotMultiplyDataData(product, c.ones, c.twos, options);
  check(2);
  Tools::dotMultiplyDataData(product, c.ones, c.twos, list);
  check(2);
  Tools::dotMultiplyDataData(Space(), product, c.ones, c.twos);
  check(2);
  Tools::dotMultiplyDataData(Space(), product, c.ones, c.twos, list);
  check(2);
  Tools::cloneData(product, shared);
  check(5);
  Tools::cloneData(product, shared, options);
  check(5);
  Tools::cloneData(Space(), product, shared);
  check(5);
  Tools::cloneData(Space(), product, shared, list);
  check(5);
}

TEUCHOS_UNIT_TEST(Calls, aDeviceOrASpaceMayBeTheParameter) {
  const Contraction c;
  Kontract::ArrayTools<Space::device_type>::contractDataDataScalar(c.sums, c.ones, c.twos);
  TEST_EQUALITY_CONST(c.result(), 4.0);
  Kontract::ArrayTools<Space>::contractDataDataScalar(c.sums, c.ones, c.twos, true);
  TEST_EQUALITY_CONST(c.result(), 8.0);
}

TEUCHOS_UNIT_TEST(Calls, defaultOptionsAreUsedWhereNoneAreGiven) {
  const Options before = Kontract::defaultOptions();
  for (const std::string& algorithm : Options::algorithmNames()) {
    if (!contractsOn<Space>(algorithm)) continue;
    Kontract::setDefaultOptions(named(algorithm));
    contract(false);
    TEST_EQUALITY(Kontract::explain().algorithm, algorithm);
    contract(false, true);
    TEST_EQUALITY(Kontract::explain().algorithm, algorithm);
    contract(false, named("Serial"));
    TEST_EQUALITY_CONST(Kontract::explain().algorithm, "Serial");
  }
  Kontract::setDefaultOptions(before);
}

TEUCHOS_UNIT_TEST(Calls, explainTellsOfTheLastCallOfThisThread) {
  const Contraction c;
  Tools::contractDataDataScalar(c.sums, c.ones, c.twos, named("Flat"));
  const Kontract::Explanation flat = Kontract::explain();
  TEST_EQUALITY_CONST(flat.operation, "contractDataDataScalar");
  TEST_EQUALITY_CONST(flat.algorithm, "Flat");
  TEST_EQUALITY_CONST(flat.flops, 2.0 * 2 * 2);
  TEST_EQUALITY_CONST(flat.bytes, 8.0 * (2 + 4 + 4));
  TEST_ASSERT(flat.expected_seconds > 0);
  TEST_ASSERT(flat.why.find("name") != std::string::npos);
  std::ostringstream text;
  text << flat;
  TEST_EQUALITY(text.str(), flat.text());
  TEST_ASSERT(text.str().find("contractDataDataScalar") != std::string::npos);
  TEST_ASSERT(text.str().find("Flat") != std::string::npos);
  // A refused call is no call; another thread has made none.
  const Matrix wrong("wrong", 2, 7);
  TEST_THROW(Tools::contractDataDataScalar(c.sums, c.ones, wrong), std::invalid_argument);
  TEST_EQUALITY_CONST(Kontract::explain().algorithm, "Flat");
  bool refused = false;
  std::thread([&] {
    try {
      Kontract::explain();
    } catch (const std::logic_error&) {
      refused = true;
    }
  }).join();
  TEST_ASSERT(refused);
}

#if defined(__linux__)
/// Whether the system says so of memory that is asked for large pages and written to.
bool hasLargePages() {
  std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
  std::string choice;
  std::getline(file, choice);
  return choice.find("[madvise]") != std::string::npos;
}

TEUCHOS_UNIT_TEST(Calls, explainAdvisesLargePagesWhereTheyAreNotThere) {
  if (!std::is_same_v<Space::memory_space, Kokkos::HostSpace>) return;
  constexpr std::size_t mega = 1 << 20, page = 2 * mega, bytes = 32 * mega, cells = bytes / 64;
  void* const memory =
      mmap(nullptr, bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  TEST_ASSERT(memory != MAP_FAILED);
  const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
  double* const data = reinterpret_cast<double*>(begin);
  const Kokkos::View<double**, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>> large(data, cells,
                                                                                     8);
  const Kokkos::View<double**, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>> few(data, 2, 8);
  const Kokkos::View<double*, Space> sums("sums", cells), few_sums("few sums", 2);
  const auto advice = [&] {
    return Kontract::explain<Space>("contractDataDataScalar", sums, large, large).advice;
  };
  data[0] = 1;
  const bool is_offered = hasLargePages();
  TEST_EQUALITY(advice().find("GLIBC_TUNABLES") != std::string::npos, is_offered);
  const auto explanation = Kontract::explain<Space>("contractDataDataScalar", sums, large, large);
  TEST_EQUALITY(explanation.text().find("; its arrays lie in small pages") != std::string::npos,
                is_offered);
  TEST_EQUALITY_CONST(Kontract::explain<Space>("contractDataDataScalar", few_sums, few, few).advice,
                      "");
  Kontract::Impl::askForLargePages(data, bytes);
  std::fill(data, data + bytes / sizeof(double), 1.0);
  if (is_offered) TEST_EQUALITY_CONST(advice(), "");
  munmap(memory, bytes + page);
}
#endif

TEUCHOS_UNIT_TEST(Calls, explainOfACallRunsNothing) {
  const Contraction c;
  for (const std::string& algorithm : Options::algorithmNames()) {
    if (!contractsOn<Space>(algorithm)) continue;
    const auto explanation = Kontract::explain<Space>("contractDataDataScalar", c.sums, c.ones,
                                                      c.twos, true, named(algorithm));
    TEST_EQUALITY(explanation.algorithm, algorithm);
  }
  const auto automatic = Kontract::explain<Space>("contractDataDataScalar", c.sums, c.ones, c.twos);
  for (const std::string& algorithm : Options::algorithmNames()) {
    if (!contractsOn<Space>(algorithm)) continue;
    TEST_ASSERT(automatic.why.find(algorithm) != std::string::npos);
  }
  TEST_EQUALITY_CONST(c.result(), 100.0);
  Tools::contractDataDataScalar(c.sums, c.ones, c.twos);
  TEST_EQUALITY(Kontract::explain().text(), automatic.text());
}

TEUCHOS_UNIT_TEST(Calls, explainRefusesWhatTheCallWould) {
  const Contraction c;
  const Matrix wrong("wrong", 2, 7);
  const auto text = [&](const std::string& function, const Matrix& right) {
    return refusalOf([&] { Kontract::explain<Space>(function, c.sums, c.ones, right); });
  };
  TEST_ASSERT(text("contractDataDataScalar", wrong).says("the numbers of points P must agree"));
  const Refusal unknown = text("contractDataData", c.twos);
  TEST_ASSERT(unknown.says("contractDataData"));
  TEST_ASSERT(unknown.says("contractDataDataScalar"));
  TEST_ASSERT(unknown.says("cloneData"));
  TEST_ASSERT(refusalOf([&] {
                Kontract::explain<Space>("matvecProductDataData", c.ones, c.ones, c.ones, 'X');
              }).says("transpose"));
  TEST_ASSERT(refusalOf([&] { Kontract::explain<Space>("cloneData", c.ones, c.ones); }).happened);
  // The number of arrays is wrong for the function.
  TEST_ASSERT(
      refusalOf([&] { Kontract::explain<Space>("cloneData", c.ones, c.ones, c.ones); }).happened);
  TEST_ASSERT(
      refusalOf([&] { Kontract::explain<Space>("dotMultiplyDataData", c.ones, c.ones); }).happened);
}

TEUCHOS_UNIT_TEST(Calls, resultsRepeatBitForBit) {
  const Kokkos::View<double***, Space> left("left", 7, 5, 131), right("right", 7, 3, 131);
  for (std::size_t i = 0; i < left.size(); ++i) left.data()[i] = 1.0 / double(i + 3);
  for (std::size_t i = 0; i < right.size(); ++i) right.data()[i] = 1.0 / double(2 * i + 1);
  for (const std::string& algorithm : Options::algorithmNames()) {
    if (!contractsOn<Space>(algorithm)) continue;
    const Options options = named(algorithm);
    const Kokkos::View<double***, Space> first("first", 7, 5, 3), again("again", 7, 5, 3);
    Tools::contractFieldFieldScalar(first, left, right, options);
    for (int run = 0; run < 5; ++run) {
      Tools::contractFieldFieldScalar(again, left, right, options);
      bool same = true;
      for (std::size_t i = 0; i < first.size(); ++i) same &= first.data()[i] == again.data()[i];
      TEST_ASSERT(same);
    }
  }
}

}  // namespace
}  // namespace KontractTest
