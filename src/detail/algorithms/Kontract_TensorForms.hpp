// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TENSORFORMS_HPP
#define KONTRACT_TENSORFORMS_HPP

#include <algorithm>
#include <cstdint>
#include <string>

#include "Kontract_FlatForms.hpp"
#include "Kontract_FormTilePlan.hpp"
#include "Kontract_TensorFormPlan.hpp"
#include "Kontract_TiledForms.hpp"
#include "detail/launch/Kontract_CudaLaunch.hpp"
#include "detail/support/Kontract_Workspace.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include "detail/kernels/cuda/Kontract_TensorBlock.hpp"
#endif

namespace Kontract {
namespace Impl {

// Element matrices of forms by matrix instructions: see FormProducts.

/// The plan of some terms.
template <class T>
TensorFormPlan tensorFormPlan(const PlainForm<T>& form, const FormTerms& terms,
                              const Machine& machine) {
  const auto& shape = static_cast<const FormShape&>(form);
  FormArrays arrays = arraysOfForm(shape, sizeof(T));
  const std::int64_t rights = form.rights * form.right_blocks;
  arrays.have_whole_outputs = !form.scatter.is_there && !hasSigns(form.terms[terms.first]) &&
                              form.out_column == 1 && form.out_row == rights &&
                              form.out_cell == form.lefts * form.left_blocks * rights;

  int left_components = 0, point_components = 0;
  for (int t = 0; t < terms.count; ++t) {
    const PlainTerm<T>& term = form.terms[terms.first + t];
    const int lefts = term.left_is_vector ? form.dimension : 1;
    left_components += lefts;
    point_components += lefts * (term.right_is_vector ? form.dimension : 1);
  }
  addTerms(form, terms, arrays);
  return tensorFormPlan(shape, left_components, point_components, arrays, machine);
}

/// Computes some terms of a form: as many points, and slices of entries, at a time as memory has
/// room for.
/// \tparam Launcher  runs items(n, functor) and blocks(count, bytes of shared memory, functor) of
///                   its type Block
/// \tparam is_small  outputs are those of cells, where sums come into them together
template <int D, bool is_small, class Problem, class Launcher>
struct TensorForm {
  const Launcher& launcher;
  const Problem& problem;
  const TensorFormPlan& plan;

  /// \param memory  plan.bytes(), aligned to 16
  void run(void* memory) const {
    const Tables tables(memory, plan);
    // Without points, too, outputs are set.
    std::int64_t first = 0;
    do {
      const TensorFormPlan part = partOf(plan, first);
      const std::int64_t slices = part.products.slices();
      for (std::int64_t slice = 0; slice < slices; slice += part.slices_at_once) {
        fill(part, tables, slice);
        Problem of_part = problem;
        if (first > 0) of_part.shape.sum_into = true;
        forEachLaunch(of_part,
                      [&](const Problem& launched) { multiply(launched, part, tables, slice); });
      }
      first += plan.products.points;
    } while (first < plan.points);
  }

 private:
  /// Where they are in memory.
  struct Tables {
    TablePair* table;
    std::uint32_t* outputs;
    Tables(void* memory, const TensorFormPlan& plan) {
      table = static_cast<TablePair*>(memory);
      outputs = reinterpret_cast<std::uint32_t*>(table + plan.slices_at_once * plan.tableStep() +
                                                 plan.stepPairs());
    }
  };

  static std::int64_t slicesFrom(const TensorFormPlan& part, std::int64_t first) {
    return std::min(part.slices_at_once, part.products.slices() - first);
  }

  void fill(const TensorFormPlan& part, const Tables& tables, std::int64_t first) const {
    const std::int64_t slices = slicesFrom(part, first);
    using Terms = typename Problem::terms_type;
    using Weights = typename Problem::weights_type;
    const std::int64_t elements = slices * part.tableStep(), ahead = part.stepPairs();
    launcher.items(
        elements + ahead + slices * part.products.slice_entries,
        FillTables<D, Terms, Weights>{
            {part.products, problem.terms, problem.weights, first, part.tableStep(), tables.table},
            {part.products, part.outputs == TableOutputs::Whole, first, part.outputsStep(),
             tables.outputs},
            elements,
            ahead});
  }

  void multiply(const Problem& launched, const TensorFormPlan& part, const Tables& tables,
                std::int64_t slice) const {
    FormTableSizes sizes = formTableSizes(part);
    sizes.first_slice = slice;
    sizes.slices = static_cast<int>(slicesFrom(part, slice));
    sizes.slices_together = std::min(sizes.slices_together, sizes.slices);
    const std::int64_t blocks = partsOf(launched.shape.cells, part.cells);
    const auto run = [&](auto way) {
      launcher.blocks(blocks * sizes.groups() * sizes.pairs, part.sharedBytes(),
                      FormTableProduct<Problem, D, decltype(way)::value, typename Launcher::Block>{
                          launched, part.products, sizes, tables.table, tables.outputs});
    };
    using Way = TableOutputs;
    if constexpr (!is_small) {
      switch (part.outputs) {
        case Way::Entries: return run(std::integral_constant<Way, Way::Entries>());
        case Way::Shared: return run(std::integral_constant<Way, Way::Shared>());
        default: break;
      }
    }
    if (part.outputs == Way::Cells) return run(std::integral_constant<Way, Way::Cells>());
    run(std::integral_constant<Way, Way::Whole>());
  }
};

/// Bytes of memory that any of the terms of a form needs.
template <class T>
std::int64_t bytesOfTensorForms(const PlainForm<T>& form, const Machine& machine) {
  std::int64_t bytes = 0;
  forEachTerms(form, most_terms_of_bases, [&](const FormTerms& terms) {
    bytes = std::max(bytes, tensorFormPlan(form, terms, machine).bytes());
  });
  return bytes;
}

/// Terms of a form, by kernels that are compiled for any terms, or for one, as most assemblies
/// have.
template <int D, FormMapping mapping, class Launcher, class T>
void runTensorTerms(const Launcher& launcher, void* memory, const PlainForm<T>& form,
                    const FormTerms& terms, const Machine& machine) {
  const TensorFormPlan plan = launcher.planned(tensorFormPlan(form, terms, machine));
  const auto run = [&](auto most, auto is_small) {
    using Variant =
        FormVariant<FormValues<T>, decltype(most)::value, mapping, FormCoefficients::Any>;
    const auto problem = kernelForm<FormKind::Matrices, Variant>(form, terms);
    using Problem = std::decay_t<decltype(problem)>;
    TensorForm<D, decltype(is_small)::value, Problem, Launcher>{launcher, problem, plan}.run(
        memory);
  };
  const bool are_together =
      plan.outputs == TableOutputs::Cells || plan.outputs == TableOutputs::Whole;
  if constexpr (mapping != FormMapping::None) {
    if (terms.count == 1 && are_together) {
      return run(std::integral_constant<int, 1>(), std::true_type());
    }
  }
  run(std::integral_constant<int, most_terms_of_bases>(), std::false_type());
}

/// \param memory  bytesOfTensorForms(form, machine), aligned to 16
/// \param form    ready to be added to, if its output is scattered
template <class Launcher, class T>
void runTensorForms(const Launcher& launcher, void* memory, const PlainForm<T>& form,
                    const Machine& machine) {
  withTiledDimension(form.dimension, [&](auto d) {
    withMapping(form, [&](auto mapping) {
      forEachTerms(form, most_terms_of_bases, [&](const FormTerms& terms) {
        runTensorTerms<decltype(d)::value, decltype(mapping)::value>(launcher, memory, form, terms,
                                                                     machine);
      });
    });
  });
}

#ifdef KOKKOS_ENABLE_CUDA
/// Runs what a form is made of on a device of NVIDIA's.
struct TensorLauncher {
  using Block = TensorBlock;
  const Kokkos::Cuda& space;
  const std::string& label;

  template <class Plan>
  static const Plan& planned(const Plan& plan) {
    return plan;
  }
  template <class Functor>
  void items(std::int64_t n, const Functor& functor) const {
    launch(space, label, n, functor);
  }
  template <class Functor>
  void blocks(std::int64_t count, std::int64_t shared_bytes, const Functor& functor) const {
    constexpr int threads = Functor::threads;
    launchBlocks<threads, Functor::blocks>(
        space, label, {count, threads, static_cast<int>(shared_bytes), true}, functor);
  }
};
#endif

template <class Space, class T>
void runTensorForms([[maybe_unused]] const Space& space, [[maybe_unused]] const PlainForm<T>& given,
                    [[maybe_unused]] const Machine& machine,
                    [[maybe_unused]] const LaunchSettings& settings,
                    [[maybe_unused]] const std::string& label) {
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<Space, Kokkos::Cuda>) {
    if (given.outputs() == 0) return clearScattered(space, given, label);
    // Whatever fails does so before the output is touched.
    const Workspace<Kokkos::Cuda> workspace(space, bytesOfTensorForms(given, machine));
    runTensorForms(TensorLauncher{space, label}, workspace.data(),
                   scatteringForm(space, given, settings, label), machine);
  }
#endif
}

}  // namespace Impl
}  // namespace Kontract

#endif
