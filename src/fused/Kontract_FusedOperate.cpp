// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_FusedOperate.hpp"

#include <algorithm>

namespace Kontract {
namespace Impl {

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

std::string fusedLabel(const char* function, const Options& options) {
  const std::vector<std::string> names = Options::algorithmNames();
  const int wanted = options.general().algorithm;
  const std::string name = wanted == Wish::automatic ? "Flat" : names.at(wanted);
  if (name != "Flat") {
    refuse(function, "the algorithm '" + name + "' was asked for, but forms have Flat only");
  }
  return std::string("Kontract::") + function + "::" + name;
}

}  // namespace Impl
}  // namespace Kontract
