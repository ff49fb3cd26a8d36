// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_FusedOperate.hpp"

#include <algorithm>

namespace Kontract {
namespace Impl {

namespace {

const char* nameOf(FusedAlgorithm algorithm) {
  return algorithm == FusedAlgorithm::Flat ? Flat::name : RegisterBlocking::name;
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
                              bool register_blocking_serves) {
  const int wanted = options.general().algorithm;
  if (wanted == Wish::automatic) {
    return register_blocking_serves ? FusedAlgorithm::RegisterBlocking : FusedAlgorithm::Flat;
  }
  const std::string name = Options::algorithmNames().at(static_cast<std::size_t>(wanted));
  if (name == Flat::name) return FusedAlgorithm::Flat;
  if (name == RegisterBlocking::name && register_blocking_serves) {
    return FusedAlgorithm::RegisterBlocking;
  }
  refuse(function,
         "the algorithm '" + name + "' was asked for, but forms have " + Flat::name +
             " and, on hosts, where scalars are all float or all double, terms have the same "
             "signs and values that a vector is multiplied by are those of the reference cell, " +
             RegisterBlocking::name);
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
