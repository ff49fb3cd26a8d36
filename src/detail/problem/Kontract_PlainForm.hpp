// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_PLAINFORM_HPP
#define KONTRACT_PLAINFORM_HPP

#include "Kontract_FormDescription.hpp"
#include "Kontract_FormProblem.hpp"
#include "Kontract_PlainArrays.hpp"
#include "Kontract_Work.hpp"

namespace Kontract {
namespace Impl {

/// A form whose scalars are all float or all double, whatever views it came from. Its kernels are
/// compiled once, in the library. Terms may have signs of their own.
template <class Real>
struct PlainForm : PlainArrays<Real> {
  using shape_type = FormShape;
  using out_type = Accessor<Real>;
  using left_type = Accessor<const Real>;
  using right_type = Accessor<const Real>;
};

template <class Real>
const FormShape& shapeOf(const PlainForm<Real>& form) {
  return form;
}

template <class Problem>
inline constexpr bool is_plain_form = false;
template <class Real>
inline constexpr bool is_plain_form<PlainForm<Real>> = true;

/// The form of a checked call.
/// \param terms  room for as many as the call has, which the form refers to
template <class Real>
PlainForm<Real> plainForm(const FormShape& shape, const FormDescription& call,
                          const CheckedTerm* checked, PlainTerm<Real>* terms);

/// Some cells of a form.
/// \param terms  room for as many as the form has, which the result refers to
template <class Real>
PlainForm<Real> cellsOf(const PlainForm<Real>& form, std::int64_t first, std::int64_t count,
                        PlainTerm<Real>* terms);

/// How much a form has to do.
template <class Real>
Work workOf(const PlainForm<Real>& form);

}  // namespace Impl
}  // namespace Kontract

#endif
