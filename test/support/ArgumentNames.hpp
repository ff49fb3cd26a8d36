// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_ARGUMENTNAMES_HPP
#define KONTRACT_TEST_ARGUMENTNAMES_HPP

#include <array>
#include <string>
#include <string_view>

namespace KontractTest {

/// The names of output, left and right argument, as Intrepid2's documentation has them.
inline std::array<std::string, 3> argumentNames(std::string_view operation) {
  const auto has = [&](std::string_view part) { return operation.find(part) != operation.npos; };
  if (has("cloneFields")) return {"outputFields", "", "inputFields"};
  if (has("cloneData")) return {"outputData", "", "inputData"};
  if (has("FieldField")) return {"outputFields", "leftFields", "rightFields"};
  if (has("DataField")) return {"outputFields", "inputData", "inputFields"};
  return {"outputData", "inputDataLeft", "inputDataRight"};
}

}  // namespace KontractTest

#endif
