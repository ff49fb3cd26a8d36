// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TENSORFORMS_HPP
#define KONTRACT_TENSORFORMS_HPP

#include <algorithm>
#include <cstdint>
#include <string>

#include "Kontract_FlatForms.hpp"
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
TensorFormPlan tensorFormPlan(const PlainForm<T>& form, const FormTerms& terms) {
  int left_components = 0, point_components = 0;
  for (int t = 0; t < terms.count; ++t) {
    const FormTermShape& term = form.terms[terms.first + t];
    const int lefts = term.left_is_vector ? form.dimension : 1;
    left_components += lefts;
    point_components += lefts * (term.right_is_vector ? form.dimension : 1);
  }
  return tensorFormPlan(static_cast<const FormShape&>(form), left_components, point_components);
}

/// Computes some terms of a form: as many cells, and slices of entries, at a time as memory has
/// room for.
/// \tparam Launcher  runs items(n, functor), teams(teams, functor), and blocks(count, bytes of
///                   shared memory, functor) of its type Block
template <int D, class Problem, class Launcher>
struct TensorForm {
  const Launcher& launcher;
  const Problem& problem;
  const TensorFormPlan& plan;

  /// \param memory  plan.bytes(), aligned to 16
  void run(void* memory) const {
    const Tables tables(memory, plan);
    const bool has_all = plan.slices_at_once >= plan.products.slices();
    if (has_all) fill(tables, 0);
    Problem of_points = problem;
    if (hasWeightsInTable()) of_points.weights = {};
    forEachLaunch(of_points, [&](const Problem& part) {
      const std::int64_t step = plan.blocks_at_once * plan.cells;
      for (std::int64_t first = 0; first < part.shape.cells; first += step) {
        const std::int64_t cells = std::min(step, part.shape.cells - first);
        computePoints(part, tables, first, cells);
        for (std::int64_t slice = 0; slice < plan.products.slices(); slice += plan.slices_at_once) {
          if (!has_all) fill(tables, slice);
          multiply(part, tables, first, cells, slice);
        }
      }
    });
  }

 private:
  /// Where they are in memory.
  struct Tables {
    double* matrices;
    TablePair* table;
    std::uint32_t* outputs;
    Tables(void* memory, const TensorFormPlan& plan) {
      char* next = static_cast<char*>(memory);
      matrices = reinterpret_cast<double*>(next);
      next += plan.blocks_at_once * plan.blockBytes();
      table = reinterpret_cast<TablePair*>(next);
      next += 16 * plan.slices_at_once * plan.tableStep();
      outputs = reinterpret_cast<std::uint32_t*>(next);
    }
  };

  /// Whether points are summed up with their weights.
  bool hasWeightsInTable() const {
    return plan.products.summed_points > 1 && !problem.shape.weights_are_measures;
  }
  std::int64_t slicesFrom(std::int64_t first) const {
    return std::min(plan.slices_at_once, plan.products.slices() - first);
  }

  void fill(const Tables& tables, std::int64_t first) const {
    const std::int64_t slices = slicesFrom(first);
    using Terms = typename Problem::terms_type;
    using Weights = typename Problem::weights_type;
    if (plan.tableStep() > 0) {
      launcher.items(
          slices * plan.tableStep(),
          FillFormTable<D, Terms, Weights>{plan.products, problem.terms,
                                           hasWeightsInTable() ? problem.weights : Weights{}, first,
                                           plan.tableStep(), tables.table});
    }
    launcher.items(slices * plan.products.slice_entries,
                   FillOutputs{plan.products, first, plan.outputsStep(), tables.outputs});
  }

  void computePoints(const Problem& part, const Tables& tables, std::int64_t first,
                     std::int64_t cells) const {
    PointMatrixSizes sizes = pointMatrixSizes(problem.shape, plan);
    sizes.first_cell = first;
    sizes.end_cell = first + cells;
    launcher.teams(teamsOfPointMatrices(problem.shape, sizes),
                   FormPointMatrices<Problem, D>{part, plan.products, sizes, tables.matrices});
  }

  void multiply(const Problem& part, const Tables& tables, std::int64_t first, std::int64_t cells,
                std::int64_t slice) const {
    FormTableSizes sizes = formTableSizes(plan);
    sizes.first_slice = slice;
    sizes.first_cell = first;
    sizes.slices = static_cast<int>(slicesFrom(slice));
    sizes.blocks = (cells + plan.cells - 1) / plan.cells;
    launcher.blocks(sizes.blocks * sizes.slices * plan.pairs, plan.sharedBytes(),
                    FormTableProduct<Problem, D, typename Launcher::Block>{
                        part, plan.products, sizes, tables.matrices, tables.table, tables.outputs});
  }
};

/// Bytes of memory that any of the terms of a form needs.
template <class T>
std::int64_t bytesOfTensorForms(const PlainForm<T>& form) {
  std::int64_t bytes = 0;
  forEachTerms(form, most_terms_of_bases, [&](const FormTerms& terms) {
    bytes = std::max(bytes, tensorFormPlan(form, terms).bytes());
  });
  return bytes;
}

/// \param memory  bytesOfTensorForms(form), aligned to 16
/// \param form    ready to be added to, if its output is scattered
template <class Launcher, class T>
void runTensorForms(const Launcher& launcher, void* memory, const PlainForm<T>& form) {
  using C = FormCoefficients;
  using Variant = FormVariant<FormValues<T>, most_terms_of_bases, FormMapping::Any, C::Any>;
  withTiledDimension(form.dimension, [&](auto d) {
    forEachTerms(form, most_terms_of_bases, [&](const FormTerms& terms) {
      const TensorFormPlan plan = launcher.planned(tensorFormPlan(form, terms));
      const auto problem = kernelForm<FormKind::Matrices, Variant>(form, terms);
      using Problem = std::decay_t<decltype(problem)>;
      TensorForm<decltype(d)::value, Problem, Launcher>{launcher, problem, plan}.run(memory);
    });
  });
}

#ifdef KOKKOS_ENABLE_CUDA
/// Runs what a form is made of on a device of NVIDIA's.
struct TensorLauncher {
  using Block = TensorBlock;
  const Kokkos::Cuda& space;
  const std::string& label;

  static const TensorFormPlan& planned(const TensorFormPlan& plan) { return plan; }
  template <class Functor>
  void items(std::int64_t n, const Functor& functor) const {
    launch(space, label, n, functor);
  }
  template <class Functor>
  void teams(const Teams& teams, const Functor& functor) const {
    launch<Kokkos::LaunchBounds<TensorFormPlan::point_threads, 4>>(space, label, teams, functor);
  }
  template <class Functor>
  void blocks(std::int64_t count, std::int64_t shared_bytes, const Functor& functor) const {
    constexpr int of_multiprocessor = 2;  // whose threads have 128 registers
    launchBlocks<FormTableSizes::threads, of_multiprocessor>(
        space, label, {count, FormTableSizes::threads, static_cast<int>(shared_bytes)}, functor);
  }
};
#endif

template <class Space, class T>
void runTensorForms([[maybe_unused]] const Space& space, [[maybe_unused]] const PlainForm<T>& given,
                    [[maybe_unused]] const LaunchSettings& settings,
                    [[maybe_unused]] const std::string& label) {
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<Space, Kokkos::Cuda>) {
    if (given.outputs() == 0) return clearScattered(space, given, label);
    // Whatever fails does so before the output is touched.
    const Workspace<Kokkos::Cuda> workspace(space, bytesOfTensorForms(given));
    runTensorForms(TensorLauncher{space, label}, workspace.data(),
                   scatteringForm(space, given, settings, label));
  }
#endif
}

}  // namespace Impl
}  // namespace Kontract

#endif
