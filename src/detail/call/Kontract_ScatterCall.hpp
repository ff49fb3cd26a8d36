// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_SCATTERCALL_HPP
#define KONTRACT_SCATTERCALL_HPP

#include <string>
#include <type_traits>

#include "Kontract_Call.hpp"
#include "Kontract_DescribeShared.hpp"
#include "detail/algorithms/Kontract_ScatteredArrays.hpp"
#include "detail/problem/Kontract_CheckScatter.hpp"
#include "detail/problem/Kontract_PlainForm.hpp"
#include "detail/problem/Kontract_Signature.hpp"
#include "detail/support/Kontract_Error.hpp"
#include "detail/support/Kontract_Region.hpp"

namespace Kontract {
namespace Impl {

/// Adds arrays of cells to what these share: (space,) scattered output, arrays (, sumInto) (,
/// options) \param function  for messages and labels
template <class DeviceType, FormKind kind, class... Arguments>
void scatterArrays(const std::string& function, const Arguments&... arguments) {
  const auto call = callOf<DeviceType, 2, bool>(arguments...);
  using Space = typename decltype(call)::space_type;
  const auto& out = call.template operand<0>();
  const auto& arrays = call.template array<1>();
  using Out = std::decay_t<decltype(out)>;
  static_assert(is_scattered<Out> && (kind == FormKind::Matrices) == is_scattered_by_plan<Out>,
                "Kontract: matrices are scattered() by a ScatterPlan, vectors by CellNumbers");
  using View = ViewOf<Out>;
  using Real = typename View::non_const_value_type;
  static_assert(!std::is_const_v<typename View::value_type>,
                "Kontract: the output array must not be const");
  static_assert((std::is_same_v<Real, float> || std::is_same_v<Real, double>)&&std::is_same_v<
                    Real, typename std::decay_t<decltype(arrays)>::non_const_value_type>,
                "Kontract: what is scattered has scalars that are all float or all double");
  call.withOptions([&](const CallOptions& options) {
    const bool are_matrices = kind == FormKind::Matrices;
    const Operation as = are_matrices ? Operation::matrices : Operation::vectors;
    const LaunchSettings& launch = options.of(as).launch;
    FormDescription form;
    form.kind = kind;
    form.shared_out =
        describeScattered(call.space(), out, static_cast<ScatterWay>(launch.scatter.place));
    form.out = are_matrices ? form.shared_out.ofEachCell({form.shared_out.columns})
                            : form.shared_out.ofEachCell({});
    const OperatorsOfArray operators = operatorsOfArray(out, FieldDirection::Out);
    form.left_operators = operators.left;
    if (are_matrices) form.right_operators = operators.right;
    form.vector = describe<Space>(arrays);
    form.sum_into = call.flag(false);
    const FormShape shape = checkScatter(function.c_str(), form);
    const std::string why = whyNotScatteredArrays(shape, is_host_space<Space>, launch);
    if (!why.empty()) refuse(function, why);
    PlainForm<Real> plain = plainForm<Real>(shape, form, nullptr, nullptr);
    plain.vector.data = reinterpret_cast<const Real*>(form.vector.address);
    plain.vector.cell = form.vector.strides[0];
    plain.vector.field = form.vector.strides[1];
    plain.vector.column = are_matrices ? form.vector.strides[2] : 0;
    const std::string label = "Kontract::" + function;
    const Region region(label);
    addArrays(call.space(), plain, launch, label);
  });
}

}  // namespace Impl
}  // namespace Kontract

#endif
