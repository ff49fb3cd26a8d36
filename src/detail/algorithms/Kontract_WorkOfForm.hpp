// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_WORKOFFORM_HPP
#define KONTRACT_WORKOFFORM_HPP

#include "Kontract_FactorizedForms.hpp"
#include "detail/problem/Kontract_PlainForm.hpp"

namespace Kontract {
namespace Impl {

template <class Values, class Derivatives>
BasisExtents extentsOf(const FormBasis<Values, Derivatives>& basis) {
  BasisExtents extents;
  extents.dimension = basis.dimension;
  extents.families = basis.families;
  std::copy(basis.functions, basis.functions + 3, extents.functions);
  std::copy(basis.open_functions, basis.open_functions + 3, extents.open_functions);
  std::copy(basis.points, basis.points + 3, extents.points);
  return extents;
}

/// How much a form of any scalars has to do.
template <FormKind kind, class... Parts>
Work workOf(const FormProblem<kind, Parts...>& problem) {
  using Problem = FormProblem<kind, Parts...>;
  using Acc = typename FormPoint<Problem, 3>::Acc;
  Work work = workOfPlainSums(problem.shape, int(sizeof(Acc)));
  if constexpr (HasFactorization<Problem>::value) {
    forEachTerm(problem.terms, [&](const auto& term) {
      const BasisExtents left = extentsOf(term.left);
      if constexpr (kind == FormKind::Products) {
        const BasisExtents right = extentsOf(term.right);
        addFactorization(problem.shape, term, left, &right, work.form.sizes);
      } else {
        addFactorization(problem.shape, term, left, nullptr, work.form.sizes);
      }
    });
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
