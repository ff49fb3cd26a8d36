// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_ParameterFile.hpp"

#include <Teuchos_FileInputSource.hpp>
#include <Teuchos_ParameterList.hpp>
#include <Teuchos_XMLObject.hpp>
#include <Teuchos_XMLParameterListReader.hpp>
#include <cerrno>
#include <cstdlib>
#include <limits>
#include <stdexcept>

namespace Kontract {
namespace Impl {
namespace {

/// Whether all of a text is one number of that type, "int" or "double".
bool isNumber(const std::string& text, const std::string& type) {
  char* end = nullptr;
  errno = 0;
  bool fits = true;
  if (type == "int") {
    const long value = std::strtol(text.c_str(), &end, 10);
    fits = value >= std::numeric_limits<int>::min() && value <= std::numeric_limits<int>::max();
  } else {
    std::strtod(text.c_str(), &end);
  }
  if (end == text.c_str() || errno == ERANGE || !fits) return false;
  return text.find_first_not_of(" \t\n\r", static_cast<std::size_t>(end - text.c_str())) ==
         std::string::npos;
}

void requireNumbers(const Teuchos::XMLObject& xml) {
  for (int i = 0; i < xml.numChildren(); ++i) {
    const Teuchos::XMLObject& child = xml.getChild(i);
    requireNumbers(child);
    if (child.getTag() != "Parameter" || !child.hasAttribute("type")) continue;
    const std::string type = child.getRequired("type");
    if ((type != "int" && type != "double") || !child.hasAttribute("value")) continue;
    const std::string value = child.getRequired("value");
    if (isNumber(value, type)) continue;
    const std::string name = child.hasAttribute("name") ? child.getRequired("name") : std::string();
    throw std::invalid_argument("the parameter '" + name + "' is '" + value + "', which is no " +
                                type);
  }
}

}  // namespace

Teuchos::RCP<Teuchos::ParameterList> listFromXmlFile(const std::string& file) {
  const Teuchos::FileInputSource source(file);
  const Teuchos::XMLObject xml = source.getObject();
  requireNumbers(xml);
  return Teuchos::rcp(
      new Teuchos::ParameterList(Teuchos::XMLParameterListReader().toParameterList(xml)));
}

}  // namespace Impl
}  // namespace Kontract
