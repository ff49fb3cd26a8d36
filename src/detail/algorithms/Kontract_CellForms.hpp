// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_CELLFORMS_HPP
#define KONTRACT_CELLFORMS_HPP

#include <algorithm>
#include <string>

#include "Kontract_CellFormPlan.hpp"
#include "Kontract_ColumnForms.hpp"
#include "Kontract_TiledForms.hpp"

namespace Kontract {
namespace Impl {

// Element matrices of cells that have few fields, a cell in each thread: see FormCells.

template <int D, int F, bool is_half, class Launcher, class Problem>
void launchCellForms(const Launcher& launcher, const Problem& problem, const CellFormPlan& plan) {
  const std::int64_t cells = plan.layout.cells;
  const std::int64_t pieces = piecesOf((problem.shape.cells + cells - 1) / cells, plan.many_teams);
  Teams teams = plan.teams;
  teams.pieces = pieces * plan.pairs;
  launcher(teams, FormCells<Problem, D, F, is_half>{
                      problem, plan.layout,
                      FastDivisor(std::max<std::int64_t>(1, problem.shape.rights)), pieces});
}

/// Terms of a form, by kernels that are compiled for any terms, or for the one that most assemblies
/// have: a symmetric one with a scalar on cells with nodes, which leaves registers for sums.
template <int D, int F, class Launcher, class T>
void runCellTerms(const Launcher& launcher, const PlainForm<T>& form, const FormTerms& terms,
                  const CellFormPlan& plan) {
  using C = FormCoefficients;
  const auto run = [&](auto variant, auto is_half) {
    forEachLaunch(kernelForm<FormKind::Matrices, decltype(variant)>(form, terms),
                  [&](const auto& part) {
                    launchCellForms<D, F, decltype(is_half)::value>(launcher, part, plan);
                  });
  };
  using Any = FormVariant<FormValues<T>, most_cell_terms, FormMapping::Any, C::Any>;
  if (!form.is_symmetric || plan.pairs > 1) return run(Any(), std::false_type());
  const PlainTerm<T>& first = form.terms[terms.first];
  if (terms.count == 1 && coefficientsOf(form, terms) == C::One && form.gradients.is_there &&
      !hasSigns(first)) {
    return run(FormVariant<FormValues<T>, 1, FormMapping::Nodes, C::One, false>(),
               std::true_type());
  }
  run(Any(), std::true_type());
}

template <int D, int F, class Launcher, class T>
void runCellForms(const Launcher& launcher, const PlainForm<T>& form, const CellFormPlan& plan) {
  forEachTerms(form, most_cell_terms, [&](const FormTerms& terms) {
    CellFormPlan of_terms = plan;
    of_terms.layout.terms = terms.count;
    runCellTerms<D, F>(launcher, form, terms, of_terms);
  });
}

/// \param form      ready to be added to, if its output is scattered
/// \param launcher  called with teams and a kernel
template <class Launcher, class T>
void runCellForms(const Launcher& launcher, const PlainForm<T>& form, const CellFormPlan& plan) {
  if (form.outputs() == 0) return;
  withTiledDimension(form.dimension, [&](auto d) {
    constexpr int D = decltype(d)::value;
    switch (plan.layout.fields) {
      case 4: return runCellForms<D, 4>(launcher, form, plan);
      case 6: return runCellForms<D, 6>(launcher, form, plan);
      default: return runCellForms<D, 8>(launcher, form, plan);
    }
  });
}

/// The same on a device.
template <class Space, class T>
void runCellFormsOf(const Space& space, const PlainForm<T>& form, const CellFormPlan& plan,
                    const std::string& label) {
  runCellForms(TeamLauncher<Space>{space, label}, form, plan);
}

}  // namespace Impl
}  // namespace Kontract

#endif
