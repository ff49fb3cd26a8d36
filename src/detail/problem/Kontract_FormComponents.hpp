// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FORMCOMPONENTS_HPP
#define KONTRACT_FORMCOMPONENTS_HPP

#include <functional>

#include "Kontract_FormDescription.hpp"

namespace Kontract {
namespace Impl {

/// Takes a form of Fads apart that is linear in each of its coefficients and in its vector, and has
/// no other Fads: a derivative of the output is the same form of derivatives of coefficients, plus
/// that of derivatives of the vector, and its value is the form of values. Calls f with each of
/// these, whose arrays are of plain scalars; that of values comes last.
/// \param form  one that checkForm() has checked
/// \return false if f was not called: the form has no derivatives, a parameter of elasticity has
///   derivatives and the other one none, or where derivatives are is not known
bool forEachFormComponent(const FormDescription& form,
                          const std::function<void(const FormDescription&)>& f);

}  // namespace Impl
}  // namespace Kontract

#endif
