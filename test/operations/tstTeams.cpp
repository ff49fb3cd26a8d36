// SPDX-License-Identifier: BSD-3-Clause
//
// Algorithms of teams with all their settings, in sizes that leave remainders, against plain loops.

#include <Kokkos_Core.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <cstring>
#include <functional>
#include <thread>

#include "Cases.hpp"
#include "OnHost.hpp"
#include "Refusal.hpp"
#include "Runner.hpp"

namespace KontractTest {
namespace {

using L = Kokkos::LayoutLeft;
using R = Kokkos::LayoutRight;
using S = Kokkos::LayoutStride;
using Default = Kokkos::DefaultExecutionSpace;
using Teuchos::ParameterList;

/// A value of a setting: "Tiling.Tile L" = 3.
struct Value {
  std::string name, value;
};
using Values = std::vector<Value>;

Kontract::Options optionsOf(const std::string& algorithm, const Values& values) {
  ParameterList list;
  list.set("Algorithm", algorithm);
  for (const auto& [name, value] : values) {
    const bool is_word = value.find_first_not_of("0123456789") != std::string::npos;
    const bool is_launch =
        name == "Team Size" || name == "Vector Length" || name == "Cells Per Team";
    ParameterList& group = list.sublist(is_launch ? "Launch" : algorithm);
    if (is_word) {
      group.set(name, value);
    } else {
      group.set(name, std::stoi(value));
    }
  }
  return Kontract::Options(list);
}

NamedOptions plan(const std::string& algorithm, const Values& values = {}) {
  std::string text = algorithm;
  for (const auto& [name, value] : values) text += ", " + name + " = " + value;
  return {text, optionsOf(algorithm, values)};
}

std::string text(int value) { return std::to_string(value); }

/// The largest team of a space.
template <class Space>
int mostThreads() {
  return Kontract::Impl::machineOf(Space()).team_size_max;
}

std::vector<NamedOptions> reductions(int most_threads) {
  std::vector<NamedOptions> all;
  for (const char* depth : {"Auto", "1", "2", "3", "Stride"}) {
    for (int threads = 0; threads <= std::min(most_threads, 3); ++threads) {
      for (const int lanes : {0, 4}) {
        for (const int cells : {0, 2}) {
          all.push_back(plan("Team Reduction", {{"Depth", depth},
                                                {"Team Size", text(threads)},
                                                {"Vector Length", text(lanes)},
                                                {"Cells Per Team", text(cells)}}));
        }
      }
    }
  }
  all.push_back(plan("Team Reduction", {{"Vector Length", "32"}, {"Cells Per Team", "1000000"}}));
  return all;
}

std::vector<NamedOptions> slices(int most_threads) {
  std::vector<NamedOptions> all;
  for (const int rows : {0, 1, 2, 3, 1000}) {
    for (int threads = 0; threads <= std::min(most_threads, 3); ++threads) {
      for (const int cells : {0, 1, 3}) {
        all.push_back(plan("Slicing", {{"Rows Per Slice", text(rows)},
                                       {"Team Size", text(threads)},
                                       {"Vector Length", text(threads == 1 ? 8 : 0)},
                                       {"Cells Per Team", text(cells)}}));
      }
    }
  }
  return all;
}

std::vector<NamedOptions> tiles(int most_threads) {
  std::vector<NamedOptions> all;
  for (const int l : {1, 2, 4}) {
    for (const int r : {1, 2, 4}) {
      const Values registers{{"Register L", text(l)}, {"Register R", text(r)}};
      for (const auto& [tile_l, tile_r, tile_k] :
           {std::array{0, 0, 0}, std::array{1, 1, 1}, std::array{3, 5, 7}, std::array{7, 2, 4},
            std::array{4, 8, 1}, std::array{1000, 1000, 1}, std::array{2, 3, 200}}) {
        for (const int threads : {0, std::min(2, most_threads)}) {
          Values values = registers;
          values.push_back({"Tile L", text(tile_l)});
          values.push_back({"Tile R", text(tile_r)});
          values.push_back({"Tile K", text(tile_k)});
          values.push_back({"Team Size", text(threads)});
          values.push_back({"Cells Per Team", tile_l == 3 ? "2" : "0"});
          all.push_back(plan("Tiling", values));
        }
      }
    }
  }
  for (const char* unroll : {"1", "4", "8"}) {
    for (const char* tile_k : {"0", "3", "11"}) {
      all.push_back(plan("Tiling", {{"Unroll K", unroll}, {"Tile K", tile_k}}));
    }
  }
  return all;
}

std::vector<NamedOptions> parts(int most_threads) {
  std::vector<NamedOptions> all;
  for (const int count : {0, 1, 2, 7, 60000}) {
    for (const char* combine : {"Second Pass", "Atomic"}) {
      for (int threads = 0; threads <= std::min(most_threads, 2); ++threads) {
        for (const int lanes : {0, 4}) {
          all.push_back(plan("Split K", {{"Parts", text(count)},
                                         {"Combine", combine},
                                         {"Team Size", text(threads)},
                                         {"Vector Length", text(lanes)}}));
        }
      }
    }
  }
  return all;
}

using Plans = std::vector<NamedOptions> (*)(int);

template <std::size_t form, class Space, class... M, class T>
void runPlans(const Problem<T, T, T>& problem, Plans plans, Tally& tally) {
  for (const NamedOptions& settings : plans(mostThreads<Space>())) {
    (runForm<form, Space, M>(problem, settings, tally), ...);
  }
}

constexpr std::size_t field_field_scalar = 0, field_field_tensor = 2, data_field_vector = 4,
                      data_data_scalar = 6, data_data_tensor = 8;

/// A contraction of each kind, in sizes with remainders, overwriting NaN and adding. Views with
/// strides have three levels of terms, the others one.
template <class T, class... M>
void runAll(Plans plans, Tally& tally) {
  forEachSpace([&](auto space) {
    using Space = decltype(space);
    for (const bool sum_into : {false, true}) {
      const Flags flags{sum_into, 'N'};
      const auto run = [&](auto form, const std::vector<Sizes>& all) {
        constexpr std::size_t number = decltype(form)::value;
        for (const Sizes& sizes : all) {
          runPlans<number, Space, M...>(makeProblem<T, T, T>(forms[number], sizes, flags), plans,
                                        tally);
        }
      };
      run(std::integral_constant<std::size_t, field_field_scalar>(),
          {{1, 1, 1, 1, 1, 1, 1}, {3, 5, 7, 11, 1, 1, 1}, {2, 9, 4, 33, 1, 1, 1}});
      run(std::integral_constant<std::size_t, field_field_tensor>(), {{5, 3, 2, 7, 3, 2, 1}});
      run(std::integral_constant<std::size_t, data_field_vector>(), {{7, 5, 1, 6, 3, 1, 1}});
      run(std::integral_constant<std::size_t, data_data_tensor>(), {{2, 1, 1, 37, 3, 2, 1}});
      run(std::integral_constant<std::size_t, data_data_scalar>(), {{2, 1, 1, 1301, 1, 1, 1}});
    }
  });
}

template <class T>
void runLayouts(Plans plans, Tally& tally) {
  if (std::is_same_v<T, double>) {
    runAll<T, Mix<L, L, L, false>, Mix<R, R, R, false>, Mix<S, S, S, true>>(plans, tally);
  } else {
    runAll<T, Mix<L, R, S, true>>(plans, tally);
  }
}

void sweep(Plans plans, Teuchos::FancyOStream& out, bool& success) {
  Tally tally(out);
  runLayouts<double>(plans, tally);
  runLayouts<float>(plans, tally);
  runLayouts<Kokkos::complex<double>>(plans, tally);
  TEST_ASSERT(tally.checks() > 500);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

TEUCHOS_UNIT_TEST(Teams, teamReductionsOfEverySizeAreRight) { sweep(reductions, out, success); }
TEUCHOS_UNIT_TEST(Teams, slicesOfEverySizeAreRight) { sweep(slices, out, success); }
TEUCHOS_UNIT_TEST(Teams, tilesOfEverySizeAreRight) { sweep(tiles, out, success); }
TEUCHOS_UNIT_TEST(Teams, sumsInAnyNumberOfPartsAreRight) { sweep(parts, out, success); }

/// Rows of more than 32 kB go to scratch of level 1, where Kokkos has that little of level 0.
TEUCHOS_UNIT_TEST(Teams, longSumsAreRight) {
  Tally tally(out);
  forEachSpace([&](auto space) {
    using Space = decltype(space);
    const auto problem = makeProblem<double, double, double>(forms[field_field_scalar],
                                                             {2, 3, 4, 7001, 1, 1, 1}, Flags());
    for (const NamedOptions& settings :
         {plan("Slicing"), plan("Slicing", {{"Rows Per Slice", "3"}}), plan("Tiling"),
          plan("Split K"), plan("Split K", {{"Combine", "Atomic"}, {"Parts", "64"}}),
          plan("Team Reduction"), plan("Team Reduction", {{"Depth", "Stride"}})}) {
      runForm<field_field_scalar, Space, Mix<R, R, R, false>>(problem, settings, tally);
      runForm<field_field_scalar, Space, Mix<L, L, L, false>>(problem, settings, tally);
    }
  });
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

/// Few values seen through strides of zero, so that a sum of millions of terms needs no memory.
struct LongSum {
  using View = Kokkos::View<const double***, Kokkos::LayoutStride, Default>;
  explicit LongSum(std::size_t lefts, std::size_t rights, std::size_t terms)
      : sums("sums", 1, lefts, rights), one("one", 1) {
    Kokkos::deep_copy(one, 2);
    Kokkos::deep_copy(sums, -1);
    left = View(one.data(), Kokkos::LayoutStride(1, 1, lefts, 0, terms, 0));
    right = View(one.data(), Kokkos::LayoutStride(1, 1, rights, 0, terms, 0));
  }
  /// Sums that are not the right number.
  std::size_t wrong(double right_number) const {
    const OnHost host(sums);
    std::size_t count = 0;
    for (std::size_t i = 0; i < host.span(); ++i) count += host.at(i) != right_number;
    return count;
  }
  Kokkos::View<double***, Default> sums;
  Kokkos::View<double*, Default> one;
  View left, right;
};

/// Terms of doubles that no scratch memory of a space holds.
template <class Space>
std::size_t termsBeyondScratch(std::size_t rows) {
  const auto& bytes = Kontract::Impl::machineOf(Space()).scratch_bytes;
  return std::size_t(std::max(bytes[0], bytes[1])) / (rows * sizeof(double)) + 1;
}

TEUCHOS_UNIT_TEST(Teams, rowsThatFitNoScratchAreCut) {
  const std::size_t terms = termsBeyondScratch<Default>(1);
  const std::size_t rights = 300;  // sums wait in scratch, in two batches
  const LongSum a(1, rights, terms);
  Kontract::ArrayTools<Default>::contractFieldFieldScalar(a.sums, a.left, a.right,
                                                          optionsOf("Slicing", {}));
  TEST_EQUALITY_CONST(a.wrong(4.0 * double(terms)), 0);
}

/// More sums than the workspace holds at once.
TEUCHOS_UNIT_TEST(Teams, partsOfManyOutputsAreRight) {
  const std::size_t fields = 40, terms = 1000;
  for (const char* count : {"999", "1000"}) {
    const LongSum a(fields, fields, terms);
    Kontract::ArrayTools<Default>::contractFieldFieldScalar(
        a.sums, a.left, a.right, optionsOf("Split K", {{"Parts", count}}));
    TEST_EQUALITY_CONST(a.wrong(4.0 * double(terms)), 0);
  }
}

/// The order of additions is up to the settings, not to who comes first.
TEUCHOS_UNIT_TEST(Teams, resultsRepeatBitForBit) {
  forEachSpace([&](auto space) {
    using Space = decltype(space);
    using TestMix = Mix<R, R, R, true>;
    const int most = mostThreads<Space>();
    const auto problem = makeProblem<float, float, float>(forms[field_field_scalar],
                                                          {2, 3, 5, 20011, 1, 1, 1}, Flags());
    std::vector<NamedOptions> all{plan("Tiling"), plan("Slicing")};
    for (const char* threads : {"1", "2"}) {
      if (std::stoi(threads) > most) continue;
      all.push_back(plan("Team Reduction", {{"Team Size", threads}, {"Vector Length", "4"}}));
      all.push_back(plan("Team Reduction", {{"Team Size", threads}, {"Depth", "Stride"}}));
      all.push_back(plan("Split K", {{"Team Size", threads}, {"Parts", "7"}}));
      all.push_back(plan("Tiling", {{"Team Size", threads}}));
    }
    for (const NamedOptions& settings : all) {
      std::vector<float> before;
      for (int run = 0; run < 8; ++run) {
        Arrays<Space, TestMix, float, float, float> arrays(problem);
        makeCall<field_field_scalar, Space, TestMix>(problem.flags, arrays, settings.options);
        const std::vector<float> now = arrays.out.values();
        if (run > 0) {
          TEST_EQUALITY_CONST(std::memcmp(now.data(), before.data(), now.size() * sizeof(float)),
                              0);
        }
        before = now;
      }
    }
  });
}

std::string refusalText(const std::string& algorithm, const Values& values, const LongSum& a) {
  const Kontract::Options options = optionsOf(algorithm, values);
  const Refusal refusal = refusalOf([&] {
    Kontract::ArrayTools<Default>::contractFieldFieldScalar(a.sums, a.left, a.right, options);
  });
  return refusal.happened ? refusal.text : "not refused: " + refusal.text;
}

/// Settings that do not fit are refused with those that would.
TEUCHOS_UNIT_TEST(Teams, refusalsSayWhatWouldFit) {
  const LongSum a(1000, 2000, 600);
  const auto says = [&](const std::string& text, const std::string& part) {
    out << "\n" << text;
    return text.find(part) != std::string::npos && text.find("not refused") == std::string::npos;
  };
  const std::string too_many = std::to_string(mostThreads<Default>() + 1);
  for (const char* algorithm : {"Team Reduction", "Slicing", "Tiling", "Split K"}) {
    const std::string refusal = refusalText(algorithm, {{"Team Size", too_many}}, a);
    TEST_ASSERT(says(refusal, std::string("Kontract::contractFieldFieldScalar: ") + algorithm));
    TEST_ASSERT(says(refusal, "Team Size = " + too_many));
    TEST_ASSERT(says(refusal, "at most " + std::to_string(mostThreads<Default>())));
  }
  TEST_ASSERT(says(refusalText("Tiling", {{"Register L", "3"}}, a),
                   "Register L = 3 is not offered: 1, 2 or 4 are"));
  TEST_ASSERT(says(refusalText("Tiling", {{"Register R", "8"}}, a), "Register R = 8"));
  TEST_ASSERT(says(refusalText("Tiling", {{"Unroll K", "3"}}, a),
                   "Unroll K = 3 is not offered: 1, 4 or 8 are"));
  TEST_ASSERT(says(refusalText("Tiling", {{"Unroll K", "8"}, {"Register L", "2"}}, a),
                   "a register tile of 2 fields is not offered with Unroll K"));
  const std::string tile =
      refusalText("Tiling", {{"Tile L", "1000"}, {"Tile R", "2000"}, {"Tile K", "600"}}, a);
  TEST_ASSERT(says(tile, "Tile L, R, K = 1000, 2000, 600"));
  TEST_ASSERT(says(tile, " would"));
  TEST_ASSERT(says(refusalText("Split K", {{"Parts", "70000"}}, a), "at most 65536"));
  TEST_ASSERT(says(refusalText("Split K", {{"Vector Length", "2000"}}, a), "Vector Length = 2000"));
  const LongSum longer(5000, 1, termsBeyondScratch<Default>(5000));
  TEST_ASSERT(says(refusalText("Slicing", {{"Rows Per Slice", "5000"}}, longer), "at most "));
}

/// A device may have no registers for teams that its blocks would hold: calls are served, or
/// refused before anything is written.
TEUCHOS_UNIT_TEST(Teams, refusedCallsWriteNothing) {
  const std::size_t terms = 64;
  int refused = 0;
  for (const char* algorithm : {"Team Reduction", "Slicing", "Tiling", "Split K"}) {
    for (const char* combine : {"Second Pass", "Atomic"}) {
      const bool is_split = std::strcmp(algorithm, "Split K") == 0;
      if (!is_split && std::strcmp(combine, "Atomic") == 0) continue;
      for (const int fewer : {0, 1}) {
        const int size = std::max(1, mostThreads<Default>() - fewer);
        Values values = {{"Team Size", std::to_string(size)}};
        if (is_split) values.insert(values.end(), {{"Parts", "8"}, {"Combine", combine}});
        const LongSum a(2, 97, terms);
        bool is_refused = false;
        try {
          Kontract::ArrayTools<Default>::contractFieldFieldScalar(a.sums, a.left, a.right,
                                                                  optionsOf(algorithm, values));
        } catch (const std::invalid_argument& refusal) {
          out << "\n" << refusal.what();
          is_refused = true;
        }
        refused += is_refused;
        TEST_EQUALITY_CONST(a.wrong(is_refused ? -1.0 : 4.0 * double(terms)), 0);
      }
    }
  }
  out << "\n" << refused << " calls refused";
}

/// What a refusal of tiles offers runs.
TEUCHOS_UNIT_TEST(Teams, candidatesFitScratchMemory) {
  const LongSum a(1000, 2000, 600);
  const std::string text =
      refusalText("Tiling", {{"Tile L", "1000"}, {"Tile R", "2000"}, {"Tile K", "600"}}, a);
  const std::size_t at = text.find("; Tile L, R, K = ");
  TEST_ASSERT(at != std::string::npos);
  int l = 0, r = 0, k = 0;
  TEST_EQUALITY_CONST(std::sscanf(text.c_str() + at, "; Tile L, R, K = %d, %d, %d of", &l, &r, &k),
                      3);
  Kontract::ArrayTools<Default>::contractFieldFieldScalar(
      a.sums, a.left, a.right,
      optionsOf("Tiling", {{"Tile L", std::to_string(l)},
                           {"Tile R", std::to_string(r)},
                           {"Tile K", std::to_string(k)}}));
  TEST_EQUALITY_CONST(a.wrong(2400.0), 0);
}

#ifdef KOKKOS_ENABLE_SERIAL
/// Calls from several threads of the host share a workspace and scratch memory.
TEUCHOS_UNIT_TEST(Teams, severalHostThreadsMayCallAtOnce) {
  using Tools = Kontract::ArrayTools<Kokkos::Serial>;
  const std::vector<Kontract::Options> all{optionsOf("Split K", {{"Parts", "7"}}),
                                           optionsOf("Tiling", {}), optionsOf("Slicing", {})};
  std::vector<long> wrong(4, 0);
  const auto work = [&](std::size_t thread) {
    const std::size_t terms = 501 + thread;
    const Kokkos::View<double***, Kokkos::Serial> sums("sums", 2, 5, 7);
    const Kokkos::View<double***, Kokkos::Serial> left("left", 2, 5, terms),
        right("right", 2, 7, terms);
    Kokkos::deep_copy(Kokkos::Serial(), left, 1.0 + double(thread));
    Kokkos::deep_copy(Kokkos::Serial(), right, 1.0);
    for (int i = 0; i < 200; ++i) {
      Tools::contractFieldFieldScalar(sums, left, right, all[std::size_t(i) % all.size()]);
      wrong[thread] += sums(1, 4, 6) != double(terms) * (1.0 + double(thread));
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < wrong.size(); ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
  for (const long count : wrong) TEST_EQUALITY_CONST(count, 0);
}
#endif

}  // namespace
}  // namespace KontractTest
