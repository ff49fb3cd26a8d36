// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_FUZZ_HPP
#define KONTRACT_TEST_FUZZ_HPP

#include <Teuchos_ParameterList.hpp>
#include <algorithm>
#include <climits>
#include <string>
#include <vector>

#include "Cases.hpp"
#include "Runner.hpp"
#include "detail/algorithms/Kontract_AlgorithmList.hpp"

namespace KontractTest {

/// A call by chance: all of it follows from the state of random() where it is drawn.
struct FuzzCase {
  std::size_t form = 0;
  Sizes sizes{};
  Flags flags;
  NamedOptions algorithm;  ///< the name with all settings that are given
  std::vector<std::string> given;
  bool is_automatic = false;
  bool is_same_in_every_run = true;
};

inline bool chance(std::size_t percent) { return random().below(100) < percent; }

template <class T, std::size_t n>
T oneOf(const T (&list)[n]) {
  return list[random().below(n)];
}

/// Extents where code is likely to err: one, few, just around a power of two, primes.
inline std::size_t drawExtent(std::size_t most) {
  std::size_t extent = 0;
  switch (random().below(6)) {
    case 0: extent = 1; break;
    case 1: extent = 2 + random().below(7); break;
    case 2:
    case 3: extent = (std::size_t(1) << (1 + random().below(11))) + random().below(3) - 1; break;
    case 4:
      extent = oneOf({11, 13, 17, 19, 23, 29, 31, 37, 53, 67, 97, 131, 257, 521, 1031});
      break;
    default: extent = 1 + random().below(64);
  }
  return std::clamp<std::size_t>(extent, 1, most);
}

/// Extents of a call that plain loops in long double can follow in a few milliseconds.
inline Sizes drawSizes() {
  constexpr std::size_t most_products = 12000, most_points = 4000, most_others = 300;
  const auto dimension = [] { return chance(85) ? 1 + random().below(3) : 4 + random().below(6); };
  Sizes sizes{drawExtent(most_others),
              drawExtent(most_others),
              drawExtent(most_others),
              drawExtent(most_points),
              dimension(),
              dimension(),
              dimension()};
  std::size_t* const extents[] = {&sizes.cells, &sizes.lefts, &sizes.rights, &sizes.points};
  const auto products = [&] {
    return sizes.cells * sizes.lefts * sizes.rights * sizes.points * sizes.d * sizes.e * sizes.g;
  };
  // Any of them is cut down, so that each is the long one at times.
  while (products() > most_products) {
    std::size_t& extent = *extents[random().below(4)];
    extent = drawExtent(std::max<std::size_t>(1, extent / 2));
  }
  if (chance(2)) *extents[random().below(4)] = 0;
  return sizes;
}

/// Values of a number: likely ones, ones with remainders, and ones that nothing can hold.
inline int drawNumber() {
  if (chance(3)) return oneOf({INT_MAX, INT_MAX - 1, 1 << 30, 65536, 65537, 70000});
  return chance(15) ? static_cast<int>(drawExtent(2048))
                    : oneOf({1, 1, 2, 2, 3, 4, 4, 5, 7, 8, 16});
}

/// Some of the settings of an algorithm, and of the launch settings that it heeds.
template <class Algorithm>
void drawSettings(Algorithm, Teuchos::ParameterList& list, FuzzCase& drawn) {
  const auto add = [&](const char* group, const char* name, auto& value) {
    if (chance(50)) return;
    Teuchos::ParameterList& sublist = list.sublist(group);
    std::string text;
    if constexpr (std::is_same_v<decltype(value), int&>) {
      const int number = drawNumber();
      sublist.set(name, number);
      text = std::to_string(number);
    } else {
      text = value.words[random().below(std::size_t(value.count))];
      sublist.set(name, text);
    }
    drawn.algorithm.name += std::string(", ") + name + " = " + text;
    drawn.given.push_back(name);
    if (text == "Atomic") drawn.is_same_in_every_run = false;
  };
  typename Algorithm::Settings settings;
  settings.visit(
      [&](const char* name, auto& value, const char*) { add(Algorithm::name, name, value); });
  Kontract::Impl::LaunchSettings launch;
  unsigned knob = 1;
  launch.visit([&](const char* name, auto& value, const char*) {
    if ((Algorithm::launch_knobs & knob) != 0) add("Launch", name, value);
    knob *= 2;
  });
}

/// An algorithm, or Auto with settings of one, for all operations or for this one alone.
inline void drawAlgorithm(FuzzCase& drawn) {
  namespace Impl = Kontract::Impl;
  Teuchos::ParameterList list("Kontract");
  const bool for_one = chance(30);
  const std::string operation(forms[drawn.form].operation);
  Teuchos::ParameterList& place = for_one ? list.sublist(operation) : list;
  drawn.is_automatic = chance(10);
  const int chosen = static_cast<int>(random().below(Impl::algorithm_count));
  Impl::forEachAlgorithm([&](auto algorithm, auto index) {
    if (chosen != index) return;
    drawn.algorithm.name = drawn.is_automatic ? "Auto" : algorithm.name;
    place.set("Algorithm", drawn.algorithm.name);
    if (for_one) drawn.algorithm.name += " for that operation";
    if (chance(75)) drawSettings(algorithm, place, drawn);
  });
  drawn.algorithm.options = Kontract::Options(list);
}

inline FuzzCase drawCase() {
  FuzzCase drawn;
  // Contractions have more to them than the many forms of the others.
  constexpr std::size_t contractions = 9;
  drawn.form = random().below(chance(50) ? contractions : form_count);
  const Form& form = forms[drawn.form];
  const std::vector<Sizes> sizes = withOnePoint(form, drawSizes());
  drawn.sizes = sizes[random().below(sizes.size())];
  const std::vector<Flags> flags = flagsOf(form);
  drawn.flags = flags[random().below(flags.size())];
  drawAlgorithm(drawn);
  return drawn;
}

/// Whether an algorithm may refuse a case with these words: it is not for such calls, or a setting
/// does not fit. Auto may not, nor an algorithm without settings; but how large teams can be is
/// known only when a kernel is there.
template <class MixType>
bool isAllowed(const FuzzCase& drawn, const std::string& refusal) {
  if (drawn.is_automatic) return refusal.find("Team Size can be at most ") != std::string::npos;
  if (isUnserved(refusal)) return true;
  const std::string algorithm = drawn.algorithm.name.substr(0, drawn.algorithm.name.find(','));
  const std::string name = algorithm.substr(0, algorithm.find(" for that operation"));
  const Sizes& n = drawn.sizes;
  const bool has_terms = n.cells * n.lefts * n.rights * n.points * n.d * n.e > 0;
  // Scalars at one point are one term, which has no neighbour.
  const bool are_matrices = areMatrices<MixType>(forms[drawn.form]) && has_terms && n.points > 1;
  if (isLimitOf(name, refusal, are_matrices)) return true;
  const bool tells_why = refusal.find(" fit") != std::string::npos ||
                         refusal.find("at most ") != std::string::npos ||
                         refusal.find("is not offered") != std::string::npos;
  return !drawn.given.empty() && tells_why;
}

}  // namespace KontractTest

#endif
