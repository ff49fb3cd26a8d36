// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_WORKOFFORM_HPP
#define KONTRACT_WORKOFFORM_HPP

#include "Kontract_FactorizedForms.hpp"
#include "Kontract_HostForms.hpp"
#include "detail/problem/Kontract_Work.hpp"

namespace Kontract {
namespace Impl {

inline Work workOfShape(const FormShape& shape, int number_bytes) {
  Work work;
  work.is_form = true;
  work.flops = shape.flops;
  work.bytes = shape.bytes;
  work.box = {{shape.cells, shape.lefts * shape.left_blocks,
               shape.kind == FormKind::Matrices ? shape.rights * shape.right_blocks : 1}};
  work.cell_fastest = shape.cell_fastest;
  work.terms = shape.points;
  for (int& bytes : work.scalar_bytes) bytes = number_bytes;
  FormWork& form = work.form;
  form.kind = shape.kind;
  form.has_tensor_bases_alone = shape.has_tensor_bases_alone;
  form.have_same_signs = shape.have_same_signs;
  return work;
}

template <class Values, class Derivatives>
BasisExtents extentsOf(const FormBasis<Values, Derivatives>& basis) {
  BasisExtents extents{basis.dimension, basis.is_gradient, {}, {}};
  std::copy(basis.functions, basis.functions + 3, extents.functions);
  std::copy(basis.points, basis.points + 3, extents.points);
  return extents;
}
template <class T>
BasisExtents extentsOf(const HostValues<T>& values) {
  BasisExtents extents{values.directions, values.is_gradient, {}, {}};
  for (int d = 0; d < values.directions; ++d) {
    extents.functions[d] = static_cast<int>(values.direction[d].functions);
    extents.points[d] = static_cast<int>(values.direction[d].points);
  }
  return extents;
}

/// How much a form of any scalars has to do.
template <FormKind kind, class... Parts>
Work workOf(const FormProblem<kind, Parts...>& problem) {
  using Problem = FormProblem<kind, Parts...>;
  using Acc = typename FormPoint<Problem, 3>::Acc;
  Work work = workOfShape(problem.shape, int(sizeof(Acc)));
  if constexpr (HasFactorization<Problem>::value) {
    forEachTerm(problem.terms, [&](const auto& term) {
      const BasisExtents left = extentsOf(term.left);
      if constexpr (kind == FormKind::Products) {
        const BasisExtents right = extentsOf(term.right);
        addFactorization(problem.shape, left, &right, work.form.sizes);
      } else {
        addFactorization(problem.shape, left, nullptr, work.form.sizes);
      }
    });
  }
  return work;
}

template <class T>
Work workOf(const PlainForm<T>& form) {
  Work work = workOfShape(form, int(sizeof(T)));
  work.is_single = std::is_same_v<T, float>;
  if (form.have_same_signs)
    work.form.host_kernels = hostKernelsOf<T>(hostKernels()).form_kernels(form);
  if (form.kind == FormKind::Matrices || !form.has_tensor_bases_alone) return work;
  for (int t = 0; t < form.term_count; ++t) {
    const BasisExtents left = extentsOf(form.terms[t].left);
    const BasisExtents right = extentsOf(form.terms[t].right);
    addFactorization(form, left, form.kind == FormKind::Products ? &right : nullptr,
                     work.form.sizes);
  }
  return work;
}

// Forms are not cut into chunks.
template <FormKind kind, class... Parts>
Work wholeWorkOf(const FormProblem<kind, Parts...>& problem) {
  return workOf(problem);
}
template <class T>
Work wholeWorkOf(const PlainForm<T>& form) {
  return workOf(form);
}

/// Expected seconds of a form whose arithmetic runs at that rate on each thread.
inline double secondsOfForm(const Work& work, const Machine& machine, double flops,
                            double flops_per_second) {
  const double threads = machine.is_host ? double(machine.concurrency) : 1;
  return machine.launch_seconds +
         std::max(flops / (threads * flops_per_second), work.bytes / machine.bytes_per_second);
}

}  // namespace Impl
}  // namespace Kontract

#endif
