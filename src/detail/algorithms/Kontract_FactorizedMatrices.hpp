// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FACTORIZEDMATRICES_HPP
#define KONTRACT_FACTORIZEDMATRICES_HPP

#include <algorithm>
#include <string>

#include "Kontract_ColumnForms.hpp"
#include "Kontract_MatrixPlan.hpp"
#include "detail/kernels/portable/Kontract_MatrixFactorization.hpp"

namespace Kontract {
namespace Impl {

/// One term of a form. \tparam Left, Right  what its sides are products of
template <class Left, class Right, class Launcher, class Problem>
void launchFactorizedMatrices(const Launcher& launcher, const Problem& problem,
                              const MatrixPlan& plan) {
  Teams teams = plan.teams;
  teams.pieces = piecesOf((problem.shape.cells + plan.cells - 1) / plan.cells, plan.many_teams);
  const auto divisor = [](int of) { return FastDivisor(std::max(1, of)); };
  const auto& term = problem.terms.terms[0];
  launcher(teams,
           MatrixFactorization<Problem, Left, Right>{
               problem, plan.layout, Left(term.left, term.left_is_vector),
               Right(term.right, term.right_is_vector), plan.cells, divisor(plan.cells),
               divisor(plan.layout.sizes.points[0]),
               divisor(plan.layout.pointsOfSlice() / std::max(1, plan.layout.sizes.points[0])),
               divisor(plan.layout.points()), teams.pieces});
}

/// What both sides of a term are products of.
template <class LeftSide, class RightSide>
struct MatrixSides {
  using Left = LeftSide;
  using Right = RightSide;
};

/// Calls f(sides) for sides that have N functions in each direction.
template <int D, int N, class T, class F>
void withLikeFunctions(const PlainTerm<T>& term, const F& f) {
  using Values = LikeFunctions<D, N, 1>;
  using Gradients = LikeFunctions<D, N, D>;
  if (term.left_is_vector && term.right_is_vector) {
    f(MatrixSides<Gradients, Gradients>());
  } else if (term.left_is_vector) {
    f(MatrixSides<Gradients, Values>());
  } else if (term.right_is_vector) {
    f(MatrixSides<Values, Gradients>());
  } else {
    f(MatrixSides<Values, Values>());
  }
}

/// \tparam by_families  of any bases; or both sides have the same number of functions in each
///   direction
template <int D, bool by_families, class Functions, class Launcher, class T>
void runFactorizedTerm(const Launcher& launcher, const PlainForm<T>& form, const FormTerms& term,
                       const MatrixPlan& plan) {
  using Variant =
      FormVariant<FormBasis<Accessor<const T>>, 1, FormMapping::Any, FormCoefficients::Any, true>;
  forEachLaunch(kernelForm<FormKind::Matrices, Variant>(form, term), [&](const auto& part) {
    withFunctions(Functions(), plan.layout.sizes.functions, [&](auto n) {
      constexpr int N = decltype(n)::value;
      if constexpr (by_families) {
        using Side = FamilyFunctions<D, N>;
        launchFactorizedMatrices<Side, Side>(launcher, part, plan);
      } else {
        withLikeFunctions<D, N>(form.terms[term.first], [&](auto sides) {
          using Sides = decltype(sides);
          launchFactorizedMatrices<typename Sides::Left, typename Sides::Right>(launcher, part,
                                                                                plan);
        });
      }
    });
  });
}

/// Element matrices by sum factorization, term by term.
/// \tparam by_families  as the plan's sizes say
/// \tparam Functions    those that are compiled
/// \param launcher      called with teams and a kernel
template <bool by_families, class Functions = ColumnFunctions, class Launcher, class T>
void runFactorizedMatrices(const Launcher& launcher, const PlainForm<T>& form,
                           const MatrixPlan& plan) {
  if (form.outputs() == 0) return;
  forEachTerms(form, 1, [&](const FormTerms& term) {
    if (form.dimension == 2) {
      runFactorizedTerm<2, by_families, Functions>(launcher, form, term, plan);
    } else {
      runFactorizedTerm<3, by_families, Functions>(launcher, form, term, plan);
    }
  });
}

// Compilers for devices take long for each number of functions: few and many of them have sources
// of their own.
using FewFunctions = std::integer_sequence<int, 2, 3, 4, 5, 6>;
using ManyFunctions = std::integer_sequence<int, 7, 8, 9>;
constexpr int most_of_few_functions = 6;

/// The same on a device, of sides with so many functions.
template <bool by_families, class Functions, class Space, class T>
void runFactorizedMatricesOf(const Space& space, const PlainForm<T>& form, const MatrixPlan& plan,
                             const std::string& label) {
  runFactorizedMatrices<by_families, Functions>(TeamLauncher<Space>{space, label}, form, plan);
}

/// The same of any sides.
template <class Space, class T>
void runMatricesOnDevice(const Space& space, const PlainForm<T>& form, const MatrixPlan& plan,
                         const std::string& label) {
  const ColumnSizes& sizes = plan.layout.sizes;
  if (sizes.has_families) {
    runFactorizedMatricesOf<true, ColumnFunctions>(space, form, plan, label);
  } else if (sizes.functions <= most_of_few_functions) {
    runFactorizedMatricesOf<false, FewFunctions>(space, form, plan, label);
  } else {
    runFactorizedMatricesOf<false, ManyFunctions>(space, form, plan, label);
  }
}

}  // namespace Impl
}  // namespace Kontract

#endif
