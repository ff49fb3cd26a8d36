// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_PLAINFORM_HPP
#define KONTRACT_PLAINFORM_HPP

#include "Kontract_HostFormArguments.hpp"
#include "detail/problem/Kontract_FormDescription.hpp"
#include "detail/problem/Kontract_FormProblem.hpp"
#include "detail/problem/Kontract_Work.hpp"

namespace Kontract {
namespace Impl {

/// A form whose scalars are all float or all double, whatever views it came from: addresses and
/// strides. Its kernels are compiled once, in the library. Terms are the caller's, and may have
/// signs of their own.
template <class Real>
struct PlainForm : HostForms<Real> {
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
                          const CheckedTerm* checked, HostTerm<Real>* terms);

}  // namespace Impl
}  // namespace Kontract

#endif
