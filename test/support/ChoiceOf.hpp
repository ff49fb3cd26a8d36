// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACTTEST_CHOICEOF_HPP
#define KONTRACTTEST_CHOICEOF_HPP

#include <string>
#include <vector>

#include "detail/dispatch/Kontract_Choice.hpp"

// What Auto takes on a machine that need not be there.
namespace KontractTest {

/// \return the place of an algorithm in the list, -1 if it is not in there
inline int placeOf(const std::string& name) {
  int place = -1;
  Kontract::Impl::forEachAlgorithm([&](auto algorithm, auto index) {
    if (decltype(algorithm)::name == name) place = index;
  });
  return place;
}

/// What Auto takes for that work, of the algorithms that serve it.
inline std::string chosenOf(const std::vector<std::string>& algorithms,
                            const Kontract::Impl::Work& work,
                            const Kontract::Impl::Machine& machine) {
  using namespace Kontract;
  Impl::Applicable applicable{};
  for (const std::string& name : algorithms) applicable.at(std::size_t(placeOf(name))) = true;
  const Options options;
  const Impl::Operation operation = Impl::Operation::contractFieldFieldScalar;
  const int place =
      Impl::choose(operation, options.of(operation), work, machine, applicable).algorithm;
  std::string chosen;
  Impl::forEachAlgorithm([&](auto algorithm, auto index) {
    if (place == index) chosen = decltype(algorithm)::name;
  });
  return chosen;
}

}  // namespace KontractTest

#endif
