// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FACTORIZEDMATRICES_HPP
#define KONTRACT_FACTORIZEDMATRICES_HPP

#include <algorithm>
#include <string>

#include "Kontract_ColumnForms.hpp"
#include "Kontract_MatrixPlan.hpp"

namespace Kontract {
namespace Impl {

/// One term of a form.
template <int D, int N, int NL, int NR, class Launcher, class Problem>
void launchFactorizedMatrices(const Launcher& launcher, const Problem& problem,
                              const MatrixPlan& plan) {
  Teams teams = plan.teams;
  teams.pieces = piecesOf((problem.shape.cells + plan.cells - 1) / plan.cells, plan.many_teams);
  const auto divisor = [](int of) { return FastDivisor(std::max(1, of)); };
  launcher(teams,
           MatrixFactorization<Problem, D, N, NL, NR>{
               problem, plan.layout, plan.cells, divisor(plan.cells),
               divisor(plan.layout.sizes.points[0]),
               divisor(plan.layout.pointsOfSlice() / std::max(1, plan.layout.sizes.points[0])),
               divisor(plan.layout.points()), teams.pieces});
}

/// \tparam NL, NR  components of the term's values
template <int D, int NL, int NR, class Functions, class Launcher, class T>
void runFactorizedTerm(const Launcher& launcher, const PlainForm<T>& form, const FormTerms& term,
                       const MatrixPlan& plan) {
  using Variant =
      FormVariant<FormBasis<Accessor<const T>>, 1, FormMapping::Any, FormCoefficients::Any, true>;
  forEachLaunch(kernelForm<FormKind::Matrices, Variant>(form, term), [&](const auto& part) {
    withFunctions(Functions(), plan.layout.sizes.functions, [&](auto n) {
      launchFactorizedMatrices<D, decltype(n)::value, NL, NR>(launcher, part, plan);
    });
  });
}

template <int D, class Functions, class Launcher, class T>
void runFactorizedTerm(const Launcher& launcher, const PlainForm<T>& form, const FormTerms& term,
                       const MatrixPlan& plan) {
  const PlainTerm<T>& of = form.terms[term.first];
  if (of.left_is_vector && of.right_is_vector) {
    runFactorizedTerm<D, D, D, Functions>(launcher, form, term, plan);
  } else if (of.left_is_vector) {
    runFactorizedTerm<D, D, 1, Functions>(launcher, form, term, plan);
  } else if (of.right_is_vector) {
    runFactorizedTerm<D, 1, D, Functions>(launcher, form, term, plan);
  } else {
    runFactorizedTerm<D, 1, 1, Functions>(launcher, form, term, plan);
  }
}

/// Element matrices by sum factorization, term by term.
/// \tparam Functions  those that are compiled
/// \param launcher    called with teams and a kernel
template <class Functions = ColumnFunctions, class Launcher, class T>
void runFactorizedMatrices(const Launcher& launcher, const PlainForm<T>& form,
                           const MatrixPlan& plan) {
  if (form.outputs() == 0) return;
  forEachTerms(form, 1, [&](const FormTerms& term) {
    if (form.dimension == 2) {
      runFactorizedTerm<2, Functions>(launcher, form, term, plan);
    } else {
      runFactorizedTerm<3, Functions>(launcher, form, term, plan);
    }
  });
}

/// The same on a device.
template <class Space, class T>
void runFactorizedMatricesOf(const Space& space, const PlainForm<T>& form, const MatrixPlan& plan,
                             const std::string& label) {
  runFactorizedMatrices(TeamLauncher<Space>{space, label}, form, plan);
}

}  // namespace Impl
}  // namespace Kontract

#endif
