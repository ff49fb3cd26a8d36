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
/// \param form   one that checkForm() has checked
/// \param shape  what that found
/// \param least_flops  of plain sums, below which calls take longer than the arithmetic of Fads
/// \param check  called with one of each kind before f is called; may refuse it
/// \return false if neither was called: the output alone has derivatives, or has none while others
///   have; a parameter of elasticity has derivatives and the other one none; derivatives lack the
///   elasticity that makes components of fields; where derivatives are is not known; or it has
///   little to do
bool forEachFormComponent(const FormDescription& form, const FormShape& shape, double least_flops,
                          const std::function<void(const FormDescription&)>& check,
                          const std::function<void(const FormDescription&)>& f);

}  // namespace Impl
}  // namespace Kontract

#endif
