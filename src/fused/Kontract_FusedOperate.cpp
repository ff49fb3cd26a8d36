// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_FusedOperate.hpp"

#include <algorithm>

namespace Kontract {
namespace Impl {

namespace {

const char* nameOf(FusedAlgorithm algorithm) {
  switch (algorithm) {
    case FusedAlgorithm::RegisterBlocking: return RegisterBlocking::name;
    case FusedAlgorithm::TeamReduction: return TeamReduction::name;
    default: return Flat::name;
  }
}

}  // namespace

void requireFields(const Extents& extents, const NamedArray& given,
                   std::initializer_list<std::int64_t> needed) {
  const ArrayDescription& array = given.array;
  const bool fits = array.rank == static_cast<int>(needed.size()) &&
                    std::equal(needed.begin(), needed.end(), array.extents);
  if (!fits) {
    std::string text;
    for (const std::int64_t extent : needed) {
      text += (text.empty() ? "(" : ", ") + std::to_string(extent);
    }
    extents.refuseCall(given.text() + " but it must be " + text + ")");
  }
  if (!array.is_reachable) {
    extents.refuseCall(given.text() + ", in a memory space that the execution space cannot reach");
  }
}

FusedAlgorithm fusedAlgorithm(const char* function, const Options& options,
                              const FusedServes& serves) {
  const int wanted = options.general().algorithm;
  if (wanted == Wish::automatic) {
    if (serves.register_blocking) return FusedAlgorithm::RegisterBlocking;
    return serves.team_reduction && !serves.is_host ? FusedAlgorithm::TeamReduction
                                                    : FusedAlgorithm::Flat;
  }
  const std::string name = Options::algorithmNames().at(static_cast<std::size_t>(wanted));
  if (name == Flat::name) return FusedAlgorithm::Flat;
  if (name == RegisterBlocking::name && serves.register_blocking) {
    return FusedAlgorithm::RegisterBlocking;
  }
  if (name == TeamReduction::name && serves.team_reduction) return FusedAlgorithm::TeamReduction;
  refuse(function,
         "the algorithm '" + name + "' was asked for, but forms have " + Flat::name +
             "; on hosts, where scalars are all float or all double, terms have the same signs "
             "and values that a vector is multiplied by are those of the reference cell, " +
             RegisterBlocking::name + "; and for vectors of tensor-product bases " +
             TeamReduction::name);
}

void requireTeamSize(const char* function, int threads, const Machine& machine) {
  if (threads <= machine.team_size_max) return;
  refuse(function, "Team Size is " + std::to_string(threads) + " but can be at most " +
                       std::to_string(machine.team_size_max));
}

double formFlops(const FusedShape& s, bool is_load, bool is_action, int left, int right) {
  const double points = double(s.cells) * double(s.points);
  const double lefts = double(s.lefts) * s.left_blocks * left;
  if (is_load) return 2 * points * lefts;
  const double rights = double(s.rights) * s.right_blocks;
  const double metric = double(left) * right * s.left_blocks * s.right_blocks;
  if (is_action) return 2 * points * (rights * right + metric + lefts);
  const double sums = lefts * rights / (s.is_symmetric ? 2 : 1);
  return 2 * points * (sums + rights * left * right * s.left_blocks);
}

void rememberForms(const char* function, const Options& options, const FusedRun& run, double flops,
                   double bytes) {
  const bool is_asked_for = options.general().algorithm != Wish::automatic;
  rememberCall(
      FormDecision{function, nameOf(run.algorithm), run.kernel, is_asked_for, flops, bytes});
}

std::string fusedLabel(const char* function, FusedAlgorithm algorithm) {
  return std::string("Kontract::") + function + "::" + nameOf(algorithm);
}

}  // namespace Impl
}  // namespace Kontract
