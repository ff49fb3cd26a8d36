// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TENSORFAMILYFORMS_HPP
#define KONTRACT_TENSORFAMILYFORMS_HPP

#include <algorithm>
#include <type_traits>
#include <utility>

#include "Kontract_TensorColumnLaunch.hpp"

namespace Kontract {
namespace Impl {

// Vectors and products of vector-valued bases, of sides that differ, and of coupled components, by
// matrix instructions: see TensorColumns.

/// Numbers of functions in a direction that have kernels of their own, with as many points or one
/// more, for products by Jacobians.
using KnownFamilyFunctions = std::integer_sequence<int, 2, 3, 4, 5, 6, 7>;

/// Calls f(problem) with one term of a form, for kernels that ask what coefficients there are.
template <FormKind kind, class T, class F>
void forEachFamilyLaunch(const PlainForm<T>& form, const FormTerms& term, const F& f) {
  withMapping(form, [&](auto mapping) {
    using Variant = FormVariant<FormBasis<Accessor<const T>>, 1, decltype(mapping)::value,
                                FormCoefficients::Any, true>;
    forEachLaunch(kernelForm<kind, Variant>(form, term), f);
  });
}

/// Whether families are those of usual values of vectors, in any order and with any signs.
template <VectorValues values, class Basis>
bool areFamiliesOf(const Basis& basis) {
  using Family = VectorFamily<values>;
  const BasisFamilies& families = basis.families;
  bool is_there[3] = {false, false, false};
  for (int m = 0; m < families.count; ++m) {
    const auto isComponent = [&](int component) {
      for (int d = 0; d < 3; ++d) {
        if (families.is_open[m][d] != Family::isOpen(component, d)) return false;
      }
      const int sign =
          families.sign[m][Family::path(component, 0).component] * Family::path(component, 0).sign;
      int paths_there = 0;
      for (int i = 0; i < 3; ++i) paths_there += families.sign[m][i] != 0 ? 1 : 0;
      bool is_it = paths_there == Family::paths;
      for (int l = 0; l < Family::paths; ++l) {
        const ColumnPath path = Family::path(component, l);
        is_it = is_it && families.sign[m][path.component] == sign * path.sign &&
                families.derivative[m][path.component] == path.derivative;
      }
      return is_it;
    };
    for (int component = 0; component < 3; ++component) {
      if (isComponent(component)) is_there[component] = true;
    }
  }
  return families.count == 3 && is_there[0] && is_there[1] && is_there[2];
}

/// Whether a side has one family, with as many functions in each direction.
template <class Basis>
bool isLike(const Basis& basis, int functions) {
  bool is_it = basis.families.count == 1;
  for (int d = 0; d < 3; ++d) is_it = is_it && basis.functionsOf(0, d) == functions;
  return is_it && !basis.families.is_open[0][0];
}

// Sides of terms that have kernels of their own: how many components their values have, how many
// arrays there are after the second direction, how values are transformed, and their columns.

/// Values of HGRAD, gradients, or values of HVOL.
/// \tparam fewer  functions in a direction than the other side has: 1 of HVOL
template <int of_values, int fewer = 0>
struct LikeSide {
  static constexpr int components = of_values, arrays = of_values;
  static constexpr Pullback pullback = fewer > 0       ? Pullback::Density
                                       : of_values > 1 ? Pullback::Covariant
                                                       : Pullback::Scalar;
  template <class Extents>
  using Columns = LikeColumns<Extents, of_values, 1, fewer>;

  /// \param functions  that extents have in a direction
  template <class Basis>
  static bool isOf(const Basis& basis, int functions, bool) {
    const bool is_gradient = basis.families.derivative[0][0] != BasisFamilies::no_derivative;
    return isLike(basis, functions - fewer) && is_gradient == (of_values > 1);
  }
};

/// Values of edges or faces, their curls or divergences.
template <VectorValues values>
struct VectorSide {
  using Family = VectorFamily<values>;
  static constexpr int components = Family::is_scalar ? 1 : 3, arrays = 3 * Family::paths;
  static constexpr Pullback pullback = values == VectorValues::Edges ? Pullback::Covariant
                                       : values == VectorValues::Divergences
                                           ? Pullback::Density
                                           : Pullback::Contravariant;
  template <class Extents>
  using Columns = VectorColumns<values, Extents>;

  /// \param are_known  extents know functions when compiling: open ones are one less
  template <class Basis>
  static bool isOf(const Basis& basis, int functions, bool are_known) {
    return areFamiliesOf<values>(basis) && (!are_known || hasOneLess(basis, functions));
  }

 private:
  template <class Basis>
  static bool hasOneLess(const Basis& basis, int functions) {
    bool is_it = true;
    for (int m = 0; m < 3; ++m) {
      for (int d = 0; d < 3; ++d) {
        const int open = basis.families.is_open[m][d] ? 1 : 0;
        is_it = is_it && basis.functionsOf(m, d) == functions - open;
      }
    }
    return is_it;
  }
};

/// Names a type where a value is given.
template <class T>
struct TypeOf {
  using type = T;
};

/// Whether a side of a term is of a kind, and is transformed as that is. Factors hold the geometry.
template <class Side, bool are_known, class Basis>
bool isSide(const Basis& basis, Pullback pullback, const TensorColumnPlan& plan, bool has_mapping) {
  const Pullback without = Side::components > 1 ? Pullback::Physical : Pullback::Scalar;
  return pullback == (has_mapping ? Side::pullback : without) &&
         Side::isOf(basis, plan.sizes.functions, are_known);
}

/// A term of two such sides, if it is one. \return whether it was started
/// \tparam are_known   extents know functions when compiling
/// \param withExtents  withExtents(arrays, f) calls f(extents), if there are kernels for them, and
///                     tells
template <class Left, class Right, bool are_known, class Launcher, class Problem, class WithExtents>
bool trySides(const Launcher& launcher, const Problem& problem, const TensorColumnPlan& plan,
              const WithExtents& withExtents) {
  constexpr bool is_load = Problem::kind == FormKind::Vectors;
  constexpr bool has_mapping = Problem::mapping_type::is_ever_there;
  constexpr bool are_vectors = Left::components > 1 && Right::components > 1;
  const auto& term = problem.terms.terms[0];
  if (!isSide<Left, are_known>(term.left, term.left_pullback, plan, has_mapping)) return false;
  if constexpr (!is_load) {
    if (!isSide<Right, are_known>(term.right, term.right_pullback, plan, has_mapping)) {
      return false;
    }
  }
  const auto start = [&](auto flux_type) {
    using Flux = typename decltype(flux_type)::type;
    constexpr int arrays = std::max(Left::arrays, Right::arrays);
    return withExtents(std::integral_constant<int, arrays>(), [&](const auto& extents) {
      using Extents = std::decay_t<decltype(extents)>;
      launchTensorColumns<typename Left::template Columns<Extents>,
                          typename Right::template Columns<Extents>, Flux>(launcher, problem, plan,
                                                                           extents);
    });
  };
  if constexpr (is_load) {
    return start(TypeOf<FamilyFlux<Problem, 3, Left::components, 1>>());
  } else if constexpr (has_mapping) {
    using Pullbacks = KnownPullbacks<Left::pullback, Right::pullback>;
    return start(TypeOf<FamilyFlux<Problem, 3, Left::components, Right::components, Pullbacks>>());
  } else if constexpr (are_vectors) {
    // Without a mapping matrices are factors, which hold the measure, too.
    const bool is_matrix =
        term.kind == CoefficientKind::Symmetric || term.kind == CoefficientKind::Full;
    if (!is_matrix || problem.weights.isThere()) return false;
    return start(TypeOf<ColumnFlux<Problem, 3, 3, true>>());
  } else {
    return start(TypeOf<FamilyFlux<Problem, 3, Left::components, Right::components>>());
  }
}

/// A term of usual sides, if it is one. Couplings of spaces have kernels that know functions alone.
/// \return and parameters as above
template <bool are_known, class Launcher, class Problem, class WithExtents>
bool tryUsualSides(const Launcher& launcher, const Problem& problem, const TensorColumnPlan& plan,
                   const WithExtents& withExtents) {
  using Edges = VectorSide<VectorValues::Edges>;
  using Curls = VectorSide<VectorValues::Curls>;
  using Faces = VectorSide<VectorValues::Faces>;
  using Divergences = VectorSide<VectorValues::Divergences>;
  using Values = LikeSide<1>;
  using Gradients = LikeSide<3>;
  using ValuesOfCells = LikeSide<1, 1>;
  const auto tryPair = [&](auto left, auto right) {
    return trySides<decltype(left), decltype(right), are_known>(launcher, problem, plan,
                                                                withExtents);
  };
  bool is_started = tryPair(Edges(), Edges()) || tryPair(Faces(), Faces());
  if constexpr (Problem::kind == FormKind::Products) {
    is_started = is_started || tryPair(Curls(), Curls()) || tryPair(Divergences(), Divergences()) ||
                 tryPair(Values(), Gradients()) || tryPair(Gradients(), Values());
    if constexpr (are_known) {
      is_started = is_started || tryPair(Edges(), Gradients()) || tryPair(Gradients(), Edges()) ||
                   tryPair(ValuesOfCells(), Divergences()) ||
                   tryPair(Divergences(), ValuesOfCells());
    }
  }
  return is_started;
}

// A term of any bases that does not couple components: in two functions, because compilers for
// devices take so long for products of either that each has a source of its own.

/// A term of usual sides. \return whether it was started
template <FormKind kind, class Launcher, class T>
bool tryUsualFamilies(const Launcher& launcher, const PlainForm<T>& form, const FormTerms& term,
                      const TensorColumnPlan& plan) {
  bool is_started = false;
  forEachFamilyLaunch<kind>(form, term, [&](const auto& part) {
    is_started = tryUsualSides<false>(launcher, part, plan, [&](auto, const auto& f) {
      withAnyColumns(plan, f);
      return true;
    });
  });
  return is_started;
}

/// A term of any sides.
template <FormKind kind, class Launcher, class T>
void runAnyFamilies(const Launcher& launcher, const PlainForm<T>& form, const FormTerms& term,
                    const TensorColumnPlan& plan) {
  forEachFamilyLaunch<kind>(form, term, [&](const auto& part) {
    withAnyColumns(plan, [&](const auto& extents) {
      using Flux = FamilyFlux<std::decay_t<decltype(part)>, 3, 0, 0>;
      constexpr int few = 3;
      if (plan.sizes.second_arrays <= few) {
        using Side = FamilyColumnSide<few>;
        launchTensorColumns<Side, Side, Flux>(launcher, part, plan, extents);
      } else {
        using Side = FamilyColumnSide<max_column_paths>;
        launchTensorColumns<Side, Side, Flux>(launcher, part, plan, extents);
      }
    });
  });
}

template <class T>
bool hasJacobians(const PlainForm<T>& form) {
  return form.has_mapping && !form.gradients.is_there;
}

/// Calls f(problem) with one term of products by Jacobians.
template <class T, class F>
void forEachJacobianLaunch(const PlainForm<T>& form, const FormTerms& term, const F& f) {
  using Variant = FormVariant<FormBasis<Accessor<const T>>, 1, FormMapping::Jacobians,
                              FormCoefficients::Any, true>;
  forEachLaunch(kernelForm<FormKind::Products, Variant>(form, term), f);
}

/// Products of usual sides by kernels that know functions and points. \return whether there are
/// \tparam Known  numbers of functions in a direction
template <class Known, class Launcher, class T>
bool tryKnownFamilies(const Launcher& launcher, const PlainForm<T>& form, const FormTerms& term,
                      const TensorColumnPlan& plan) {
  if (!hasJacobians(form)) return false;
  bool is_started = false;
  forEachJacobianLaunch(form, term, [&](const auto& part) {
    is_started = tryUsualSides<true>(launcher, part, plan, [&](auto arrays, const auto& f) {
      constexpr int count = decltype(arrays)::value;
      return withKnownColumns<count, count>(Known(), plan.sizes, f);
    });
  });
  return is_started;
}

/// A term of elasticity. \tparam Known  as above
template <class Known, class Launcher, class T>
void runElasticTerm(const Launcher& launcher, const PlainForm<T>& form, const FormTerms& term,
                    const TensorColumnPlan& plan) {
  constexpr int D = 3;
  const auto start = [&](const auto& part, const auto& extents) {
    using Side = LikeColumns<std::decay_t<decltype(extents)>, D, D>;
    using Flux = ElasticFlux<std::decay_t<decltype(part)>, D>;
    launchTensorColumns<Side, Side, Flux>(launcher, part, plan, extents);
  };
  bool is_started = false;
  if (hasJacobians(form)) {
    forEachJacobianLaunch(form, term, [&](const auto& part) {
      is_started = withKnownColumns<2 * D, D * D>(
          Known(), plan.sizes, [&](const auto& extents) { start(part, extents); });
    });
  }
  if (is_started) return;
  forEachFamilyLaunch<FormKind::Products>(form, term, [&](const auto& part) {
    withAnyColumns(plan, [&](const auto& extents) { start(part, extents); });
  });
}

}  // namespace Impl
}  // namespace Kontract

#endif
