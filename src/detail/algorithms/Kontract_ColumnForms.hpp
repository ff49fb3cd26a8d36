// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_COLUMNFORMS_HPP
#define KONTRACT_COLUMNFORMS_HPP

#include <stdexcept>
#include <string>
#include <utility>

#include "Kontract_ColumnPlan.hpp"
#include "Kontract_FlatForms.hpp"
#include "detail/kernels/portable/Kontract_FamilyColumns.hpp"

namespace Kontract {
namespace Impl {

/// Numbers of functions in a direction for which columns are compiled.
using ColumnFunctions = std::integer_sequence<int, 2, 3, 4, 5, 6, 7, 8, 9>;
static_assert(max_column_functions == 9, "Kontract: some functions have no kernel");

/// Calls f(constant<N>) for the number among those that are compiled.
/// \throws std::logic_error if it is not
template <int... numbers, class F>
void withFunctions(std::integer_sequence<int, numbers...>, int functions, const F& f) {
  const bool is_compiled =
      ((functions == numbers && (f(std::integral_constant<int, numbers>()), true)) || ...);
  if (!is_compiled) {
    throw std::logic_error("Kontract: no kernel for " + std::to_string(functions) +
                           " functions in a direction");
  }
}

/// Starts kernels of teams on an instance.
template <class Space>
struct TeamLauncher {
  const Space& space;
  const std::string& label;

  template <class Kernel>
  void operator()(const Teams& teams, const Kernel& kernel) const {
    launch<typename Kernel::Bounds>(space, label, teams, kernel);
  }
};

/// One term of a form.
/// \tparam has_tensor  its coefficient may have more entries than one
/// \param launcher  called with teams and a kernel
template <int D, int N, int components, bool has_tensor, class Launcher, class Problem>
void launchColumns(const Launcher& launcher, const Problem& problem, const ColumnPlan& plan) {
  const Teams teams = plan.teamsOf(problem.shape.cells);
  launcher(teams, FormColumns<Problem, D, N, components, has_tensor>{
                      problem, plan.layout, plan.cells, FastDivisor(plan.cells),
                      FastDivisor(std::max(1, plan.layout.sizes.points[0])), teams.pieces});
}

/// Calls f(problem, constant<components>, constant<has_tensor>) with one term of a form, for
/// kernels that are compiled for those.
template <int D, FormKind kind, FormMapping mapping, class T, class F>
void forEachColumnLaunch(const PlainForm<T>& form, const FormTerms& term, const F& f) {
  using Variant =
      FormVariant<FormBasis<Accessor<const T>>, 1, mapping, FormCoefficients::Any, true>;
  using Gradients = std::integral_constant<int, D>;
  forEachLaunch(kernelForm<kind, Variant>(form, term), [&](const auto& part) {
    [[maybe_unused]] const PlainTerm<T>& of = form.terms[term.first];
    // Loads of gradients have vectors, and without a mapping gradients have factors.
    constexpr bool is_load = kind == FormKind::Vectors, has_mapping = mapping != FormMapping::None;
    if constexpr (has_mapping || !is_load) {
      constexpr bool has_tensors = is_load || !has_mapping;
      if (of.left_is_vector && (has_tensors || !hasOneCoefficient(of))) {
        return f(part, Gradients(), std::true_type());
      }
      if constexpr (!has_tensors) {
        if (of.left_is_vector) return f(part, Gradients(), std::false_type());
      }
    }
    f(part, std::integral_constant<int, 1>(), std::false_type());
  });
}

template <int D, class Functions, FormKind kind, FormMapping mapping, class Launcher, class T>
void runColumnTerm(const Launcher& launcher, const PlainForm<T>& form, const FormTerms& term,
                   const ColumnPlan& plan) {
  forEachColumnLaunch<D, kind, mapping>(
      form, term, [&](const auto& part, auto components, auto has_tensor) {
        withFunctions(Functions(), plan.layout.sizes.functions, [&](auto n) {
          launchColumns<D, decltype(n)::value, decltype(components)::value,
                        decltype(has_tensor)::value>(launcher, part, plan);
        });
      });
}

/// One term of products of any tensor-product bases. \tparam paths  the most of a side
template <int D, int N, int paths, class Launcher, class Problem>
void launchFamilyColumns(const Launcher& launcher, const Problem& problem, const ColumnPlan& plan) {
  using Kernel = FamilyColumns<Problem, D, N, paths>;
  using Side = typename Kernel::Side;
  const Teams teams = plan.teamsOf(problem.shape.cells);
  const auto& term = problem.terms.terms[0];
  launcher(teams,
           Kernel{problem, plan.layout, Side(term.left, term.left_is_vector),
                  Side(term.right, term.right_is_vector), plan.cells, FastDivisor(plan.cells),
                  FastDivisor(std::max(1, plan.layout.sizes.points[0])), teams.pieces});
}

/// Products of any tensor-product bases, with columns in registers, term by term.
/// \tparam Functions  those that are compiled
/// \param launcher    called with teams and a kernel
template <class Functions = ColumnFunctions, class Launcher, class T>
void runFamilyColumns(const Launcher& launcher, const PlainForm<T>& form, const ColumnPlan& plan) {
  using Variant =
      FormVariant<FormBasis<Accessor<const T>>, 1, FormMapping::Any, FormCoefficients::Any, true>;
  if (form.outputs() == 0) return;
  forEachTerms(form, 1, [&](const FormTerms& term) {
    forEachLaunch(kernelForm<FormKind::Products, Variant>(form, term), [&](const auto& part) {
      withFunctions(Functions(), plan.layout.sizes.functions, [&](auto n) {
        constexpr int N = decltype(n)::value;
        if (form.dimension == 2) {
          launchFamilyColumns<2, N, 2>(launcher, part, plan);
        } else if (plan.layout.sizes.second_arrays <= 3) {
          launchFamilyColumns<3, N, 3>(launcher, part, plan);
        } else {
          launchFamilyColumns<3, N, max_column_paths>(launcher, part, plan);
        }
      });
    });
  });
}

/// The same on a device.
template <class Space, class T>
void runFamilyColumnsOf(const Space& space, const PlainForm<T>& form, const ColumnPlan& plan,
                        const std::string& label) {
  runFamilyColumns(TeamLauncher<Space>{space, label}, form, plan);
}

/// Sum factorization with columns in registers, of vectors or products, term by term.
/// \tparam Functions  those that are compiled
/// \param launcher    called with teams and a kernel
template <FormKind kind, class Functions = ColumnFunctions, class Launcher, class T>
void runColumnForms(const Launcher& launcher, const PlainForm<T>& form, const ColumnPlan& plan) {
  const auto runDimension = [&](auto d) {
    withMapping(form, [&](auto mapping) {
      forEachTerms(form, 1, [&](const FormTerms& term) {
        runColumnTerm<decltype(d)::value, Functions, kind, decltype(mapping)::value>(launcher, form,
                                                                                     term, plan);
      });
    });
  };
  if (form.outputs() == 0) return;
  if (form.dimension == 2) {
    runDimension(std::integral_constant<int, 2>());
  } else {
    runDimension(std::integral_constant<int, 3>());
  }
}

/// The same on a device.
template <FormKind kind, class Space, class T>
void runColumnFormsOf(const Space& space, const PlainForm<T>& form, const ColumnPlan& plan,
                      const std::string& label) {
  runColumnForms<kind>(TeamLauncher<Space>{space, label}, form, plan);
}

}  // namespace Impl
}  // namespace Kontract

#endif
