// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FORMCHECKER_HPP
#define KONTRACT_FORMCHECKER_HPP

#include "Kontract_FormDescription.hpp"

namespace Kontract {
namespace Impl {

/// Checks a call of Integration.
/// \param terms  room for as many as the call has; they are filled in
/// \throws std::invalid_argument as ArgumentChecker does; if a form cannot be of such values,
///   coefficients or cells; if the output overlaps an input
FormShape checkForm(const char* function, const FormDescription& call, CheckedTerm* terms);

}  // namespace Impl
}  // namespace Kontract

#endif
