// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TABLEVECTORS_HPP
#define KONTRACT_TABLEVECTORS_HPP

#include <algorithm>
#include <cstdint>
#include <string>

#include "Kontract_TableVectorPlan.hpp"
#include "Kontract_TensorForms.hpp"

namespace Kontract {
namespace Impl {

// Vectors of forms, and products with vectors, by matrix instructions: see FormTableVectors.

/// Components of values of some terms.
template <class T>
VectorComponents vectorComponents(const PlainForm<T>& form, const FormTerms& terms) {
  VectorComponents components;
  for (int t = 0; t < terms.count; ++t) {
    const PlainTerm<T>& term = form.terms[terms.first + t];
    components.right_at = std::max(components.right_at, components.left - components.right);
    components.left += term.left_is_vector ? form.dimension : 1;
    components.right += term.right_is_vector ? form.dimension : 1;
  }
  return components;
}

/// Terms that there are kernels for, and any.
using MassAlone = KnownTerms<KnownTerm<false, false, false>>;
using DiffusionAlone = KnownTerms<KnownTerm<true, true, false>>;
using TensorDiffusionAlone = KnownTerms<KnownTerm<true, true, true>>;
using AdvectionAlone = KnownTerms<KnownTerm<false, true, true>>;
using DiffusionAndMass = KnownTerms<KnownTerm<true, true, false>, KnownTerm<false, false, false>>;

/// Calls f(known, constant<most terms>) with what is known of some terms: nothing, if cells have no
/// mapping.
template <FormKind kind, class T, class F>
void withKnownTerms(const PlainForm<T>& form, const FormTerms& terms, const F& f) {
  const auto tried = [&](auto known) {
    using Known = decltype(known);
    const bool are_those =
        form.has_mapping && Known::are(form, terms.count, [&](int t) -> const PlainTerm<T>& {
          return form.terms[terms.first + t];
        });
    if (are_those) f(known, std::integral_constant<int, Known::count>());
    return are_those;
  };
  if (tried(MassAlone())) return;
  if constexpr (kind == FormKind::Products) {
    if (tried(DiffusionAlone()) || tried(TensorDiffusionAlone()) || tried(AdvectionAlone()) ||
        tried(DiffusionAndMass())) {
      return;
    }
  }
  f(AnyTerms(), std::integral_constant<int, most_terms_of_bases>());
}

/// The plan of some terms.
template <class T>
TableVectorPlan tableVectorPlan(const PlainForm<T>& form, const FormTerms& terms,
                                const Machine& machine) {
  bool are_known = false;
  const auto see = [&](auto known, auto) { are_known = decltype(known)::are_known; };
  if (form.kind == FormKind::Vectors) {
    withKnownTerms<FormKind::Vectors>(form, terms, see);
  } else {
    withKnownTerms<FormKind::Products>(form, terms, see);
  }
  FormArrays arrays = arraysOfForm(form, sizeof(T));
  arrays.have_whole_outputs = !form.scatter.is_there &&
                              !form.terms[terms.first].left_signs.is_there && form.out_row == 1 &&
                              form.out_cell == form.lefts * form.left_blocks;
  addTerms(form, terms, arrays);
  return tableVectorPlan(form, vectorComponents(form, terms), arrays, are_known, machine);
}

/// Computes some terms of a form: as many points at a time as blocks have room for.
/// \tparam Launcher  see TensorForm
/// \tparam Known  KnownTerms, or AnyTerms
template <int D, class Known, class Problem, class Launcher>
struct TableVectors {
  const Launcher& launcher;
  const Problem& problem;
  const TableVectorPlan& plan;

  /// \param memory  plan.bytes(), aligned to 16
  void run(void* memory) const {
    auto* const tables = static_cast<TablePair*>(memory);
    // Without points, too, outputs are set.
    std::int64_t first = 0;
    do {
      const FormVectorSizes sizes = formVectorSizes(plan, first);
      using Terms = typename Problem::terms_type;
      launcher.items(plan.bytes() / static_cast<std::int64_t>(sizeof(TablePair)),
                     FillVectorTables<D, Terms>{problem.terms, sizes, tables});
      Problem of_part = problem;
      if (first > 0) of_part.shape.sum_into = true;
      forEachLaunch(of_part, [&](const Problem& launched) {
        launcher.blocks(
            partsOf(launched.shape.cells, plan.cells), plan.sharedBytes(),
            FormTableVectors<Problem, D, Known, typename Launcher::Block>{launched, sizes, tables});
      });
      first += plan.launch_points;
    } while (first < plan.points);
  }
};

/// Bytes of memory that any of the terms of a form needs.
template <class T>
std::int64_t bytesOfTableVectors(const PlainForm<T>& form, const Machine& machine) {
  std::int64_t bytes = 0;
  forEachTerms(form, most_terms_of_bases, [&](const FormTerms& terms) {
    bytes = std::max(bytes, tableVectorPlan(form, terms, machine).bytes());
  });
  return bytes;
}

/// Vectors, or products.
/// \param memory  bytesOfTableVectors(form, machine), aligned to 16
/// \param form    ready to be added to, if its output is scattered
template <FormKind kind, class Launcher, class T>
void runTableVectors(const Launcher& launcher, void* memory, const PlainForm<T>& form,
                     const Machine& machine) {
  withTiledDimension(form.dimension, [&](auto d) {
    withMapping(form, [&](auto mapping) {
      forEachTerms(form, most_terms_of_bases, [&](const FormTerms& terms) {
        const TableVectorPlan plan = launcher.planned(tableVectorPlan(form, terms, machine));
        const auto run = [&](auto known, auto most) {
          using Variant = FormVariant<FormValues<T>, decltype(most)::value,
                                      decltype(mapping)::value, FormCoefficients::Any>;
          const auto problem = kernelForm<kind, Variant>(form, terms);
          using Problem = std::decay_t<decltype(problem)>;
          TableVectors<decltype(d)::value, decltype(known), Problem, Launcher>{launcher, problem,
                                                                               plan}
              .run(memory);
        };
        if constexpr (decltype(mapping)::value == FormMapping::None) {
          run(AnyTerms(), std::integral_constant<int, most_terms_of_bases>());
        } else {
          withKnownTerms<kind>(form, terms, run);
        }
      });
    });
  });
}

/// On a device of NVIDIA's.
template <FormKind kind, class Space, class T>
void runTableVectorsOf([[maybe_unused]] const Space& space,
                       [[maybe_unused]] const PlainForm<T>& given,
                       [[maybe_unused]] const Machine& machine,
                       [[maybe_unused]] const LaunchSettings& settings,
                       [[maybe_unused]] const std::string& label) {
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<Space, Kokkos::Cuda>) {
    if (given.outputs() == 0) return clearScattered(space, given, label);
    // Whatever fails does so before the output is touched.
    const Workspace<Kokkos::Cuda> workspace(space, bytesOfTableVectors(given, machine));
    runTableVectors<kind>(TensorLauncher{space, label}, workspace.data(),
                          scatteringForm(space, given, settings, label), machine);
  }
#endif
}

}  // namespace Impl
}  // namespace Kontract

#endif
