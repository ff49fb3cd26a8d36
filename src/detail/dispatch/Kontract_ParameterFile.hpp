// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_PARAMETERFILE_HPP
#define KONTRACT_PARAMETERFILE_HPP

#include <Teuchos_RCP.hpp>
#include <string>

namespace Teuchos {
class ParameterList;
}

namespace Kontract {
namespace Impl {

/// The list in an XML file, as Teuchos reads it; but what is to be a number has to be one, and not
/// only begin with it. To be called with the TeuchosLock.
/// \throws std::exception that tells what is wrong with the file
Teuchos::RCP<Teuchos::ParameterList> listFromXmlFile(const std::string& file);

}  // namespace Impl
}  // namespace Kontract

#endif
