// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_TeuchosLock.hpp"

#include <Teuchos_ParameterList.hpp>

namespace Kontract {
namespace Impl {
namespace {

/// Never destroyed: threads may outlive the statics of the program.
std::recursive_mutex& teuchosMutex() {
  static std::recursive_mutex& mutex = *new std::recursive_mutex;
  return mutex;
}

}  // namespace

TeuchosLock::TeuchosLock() : _lock(teuchosMutex()) {}

Teuchos::ParameterList valuesOf(const Teuchos::ParameterList& list) {
  Teuchos::ParameterList values(list.name());
  for (auto i = list.begin(); i != list.end(); ++i) {
    const std::string& name = list.name(i);
    const Teuchos::ParameterEntry& entry = list.entry(i);
    if (entry.isList()) {
      values.sublist(name) = valuesOf(list.sublist(name));
    } else {
      Teuchos::ParameterEntry value;
      value.setAnyValue(entry.getAny(false), entry.isDefault());  // not marked as used
      values.setEntry(name, value);
    }
  }
  return values;
}

}  // namespace Impl
}  // namespace Kontract
