// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FACTORIZEDFORMS_HPP
#define KONTRACT_FACTORIZEDFORMS_HPP

#include <string>

#include "Kontract_FactorizationPlan.hpp"
#include "Kontract_FlatForms.hpp"
#include "Kontract_TiledForms.hpp"
#include "detail/kernels/portable/Kontract_DiagonalFactorization.hpp"
#include "detail/kernels/portable/Kontract_FormFactorization.hpp"

namespace Kontract {
namespace Impl {

/// Whether all values are of tensor-product bases, and coefficients real numbers.
template <class Acc, class Term>
inline constexpr bool is_factorized =
    is_basis<typename Term::left_type> &&
    (!Term::right_type::is_ever_there || is_basis<typename Term::right_type>)&&std::is_arithmetic_v<
        typename WorkingType<Acc, typename Term::coefficient_type::value_type>::type>;
template <class Acc, class Terms>
inline constexpr bool are_factorized = false;
template <class Acc, class... Terms>
inline constexpr bool are_factorized<Acc, TermList<Terms...>> = (is_factorized<Acc, Terms> && ...);

/// Whether terms are summed where none is rounded before the last: in an output that is as wide as
/// sums are, or each in a sum of its own because there is only one.
template <class Acc, class Out, class Terms>
inline constexpr bool are_summed_in_output = std::is_same_v<Acc, Out>;
template <class Acc, class Out, class Term>
inline constexpr bool are_summed_in_output<Acc, Out, TermList<Term>> = true;

/// Whether teams may compute a form by sum factorization: vectors and products of tensor-product
/// bases, in real numbers of one type, and with few enough terms for a kernel's arguments.
template <class Problem>
struct HasFactorization {
  using Point = FormPoint<Problem, 3>;
  using Acc = typename Point::Acc;
  static constexpr bool value =
      (Problem::kind == FormKind::Vectors || Problem::kind == FormKind::Products) &&
      std::is_floating_point_v<Acc> && std::is_same_v<Acc, typename Point::G> &&
      are_summed_in_output<Acc, typename Problem::out_type::value_type,
                           typename Problem::terms_type> &&
      sizeof(Problem) <= 3072 && are_factorized<Acc, typename Problem::terms_type>;
};
template <class T>
struct HasFactorization<PlainForm<T>> {
  static constexpr bool value = true;
};

/// Sum factorization by teams.
template <int D, class Space, class Problem>
void launchFactorization(const Space& space, const Problem& problem,
                         const FactorizationSizes& sizes, const FactorizationPlan& plan,
                         const std::string& label) {
  launch(space, label, plan.teams,
         FormFactorization<Problem, D>{problem, sizes, plan.cells, plan.by_cells});
}

template <class Space, class Problem>
void runFactorizedForms(const Space& space, const Problem& problem, const FactorizationSizes& sizes,
                        const FactorizationPlan& plan, const std::string& label) {
  withDimension(problem.shape.dimension, [&](auto d) {
    launchFactorization<decltype(d)::value>(space, problem, sizes, plan, label);
  });
}

template <FormKind kind, class Space, class T>
void runPlainFactorizedForms(const Space& space, const PlainForm<T>& form,
                             const FactorizationSizes& sizes, const FactorizationPlan& plan,
                             const std::string& label) {
  constexpr bool is_host = is_host_space<Space>;
  constexpr int most = is_host ? max_form_terms : most_terms_of_bases;
  // Devices have columns in registers for what is asked for most; other forms share kernels.
  withDimension(form.dimension, [&](auto d) {
    constexpr int D = decltype(d)::value;
    forEachSharedKernelForm<kind, FormBasis<Accessor<const T>>, most>(
        form, [&](const auto& problem) {
          forEachLaunch(problem, [&](const auto& part) {
            FactorizationPlan of_part = plan;
            of_part.teams.pieces = (part.shape.cells + plan.cells - 1) / plan.cells;
            launchFactorization<D>(space, part, sizes, of_part, label);
          });
        });
  });
}

/// Diagonals, term by term.
template <class Space, class T>
void runFactorizedDiagonals(const Space& space, const PlainForm<T>& form,
                            const FactorizationSizes& sizes, const FactorizationPlan& plan,
                            const std::string& label) {
  withTiledDimension(form.dimension, [&](auto d) {
    forEachSharedKernelForm<FormKind::Diagonals, FormBasis<Accessor<const T>>, 1>(
        form, [&](const auto& problem) {
          forEachLaunch(problem, [&](const auto& part) {
            using Problem = std::decay_t<decltype(part)>;
            Teams teams = plan.teams;
            teams.pieces = (part.shape.cells + plan.cells - 1) / plan.cells;
            launch(space, label, teams,
                   DiagonalFactorization<Problem, decltype(d)::value>{part, sizes, plan.cells,
                                                                      plan.by_cells});
          });
        });
  });
}

template <class Space, class T>
void runFactorizedForms(const Space& space, const PlainForm<T>& form,
                        const FactorizationSizes& sizes, const FactorizationPlan& plan,
                        const std::string& label) {
  if (form.outputs() == 0) return;
  if (form.kind == FormKind::Diagonals) {
    runFactorizedDiagonals(space, form, sizes, plan, label);
  } else if (form.kind == FormKind::Vectors) {
    runPlainFactorizedForms<FormKind::Vectors>(space, form, sizes, plan, label);
  } else {
    runPlainFactorizedForms<FormKind::Products>(space, form, sizes, plan, label);
  }
}

}  // namespace Impl
}  // namespace Kontract

#endif
