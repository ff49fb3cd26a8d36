// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TENSORCOLUMNFORMS_HPP
#define KONTRACT_TENSORCOLUMNFORMS_HPP

#include <stdexcept>
#include <string>
#include <type_traits>

#include "Kontract_TensorFamilyForms.hpp"
#include "detail/launch/Kontract_CudaLaunch.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include "detail/kernels/cuda/Kontract_TensorBlock.hpp"
#endif

namespace Kontract {
namespace Impl {

// Vectors and products of tensor-product bases by matrix instructions: see TensorColumns.

/// A term whose sides are values of HGRAD, or gradients. Products whose coefficient is a number, or
/// factors, are asked for over and over: they have kernels of their own for usual functions and
/// points.
/// \tparam Known  numbers of functions of those
/// \tparam has_tensor  the coefficient may have more entries than one
/// \param launcher  has a type Block, and is called with a plan and a kernel
template <class Known, int components, bool has_tensor, class Launcher, class Problem>
void launchLikeColumns(const Launcher& launcher, const Problem& problem,
                       const TensorColumnPlan& plan) {
  constexpr int one = components > 1 ? 2 : 1, two = components;
  const auto run = [&](const auto& extents) {
    using Side = LikeColumns<std::decay_t<decltype(extents)>, components, 1>;
    using Flux = ColumnFlux<Problem, 3, components, has_tensor>;
    launchTensorColumns<Side, Side, Flux>(launcher, problem, plan, extents);
  };
  constexpr bool is_usual =
      Problem::kind == FormKind::Products && (!has_tensor || !Problem::mapping_type::is_ever_there);
  if constexpr (is_usual) {
    if (withKnownColumns<one, two>(Known(), plan.sizes, run)) return;
  }
  withAnyColumns(plan, run);
}

/// The columns of a term alone.
template <class T>
ColumnSizes columnsOfTerm(const PlainForm<T>& form, int term) {
  PlainForm<T> one = form;
  one.terms = &form.terms[term];
  one.term_count = 1;
  return workOf(one).form.columns;
}

/// A term of HGRAD that does not couple components.
template <FormKind kind, class Known, class Launcher, class T>
void runLikeTerm(const Launcher& launcher, const PlainForm<T>& form, const FormTerms& term,
                 const TensorColumnPlan& plan) {
  withMapping(form, [&](auto mapping) {
    forEachColumnLaunch<3, kind, decltype(mapping)::value>(
        form, term, [&](const auto& part, auto components, auto has_tensor) {
          launchLikeColumns<Known, decltype(components)::value, decltype(has_tensor)::value>(
              launcher, part, plan);
        });
  });
}

/// \tparam Known          numbers of functions in a direction that have kernels of their own
/// \tparam KnownFamilies  the same of families and of coupled components
template <FormKind kind, class Known = ColumnFunctions, class KnownFamilies = KnownFamilyFunctions,
          class Launcher, class T>
void runTensorColumns(const Launcher& launcher, const PlainForm<T>& form, const Machine& machine) {
  forEachTerms(form, 1, [&](const FormTerms& term) {
    const ColumnSizes columns = columnsOfTerm(form, term.first);
    if (columns.is_coupled && columns.has_families) {
      throw std::logic_error("Kontract: no kernel for coupled components of such fields");
    }
    const TensorColumnPlan plan =
        tensorColumnPlan(columns, kind == FormKind::Vectors, form.cells, int(sizeof(T)),
                         hasCellsFirst(form, form.terms[term.first]), machine);
    if (columns.has_families) {
      if constexpr (kind == FormKind::Products) {
        if (tryKnownFamilies<KnownFamilies>(launcher, form, term, plan)) return;
      }
      if (tryUsualFamilies<kind>(launcher, form, term, plan)) return;
      return runAnyFamilies<kind>(launcher, form, term, plan);
    }
    if constexpr (kind == FormKind::Products) {
      if (columns.is_coupled) {
        return runElasticTerm<KnownFamilies>(launcher, form, term, plan);
      }
    }
    runLikeTerm<kind, Known>(launcher, form, term, plan);
  });
}

#ifdef KOKKOS_ENABLE_CUDA
/// Runs kernels of columns on a device of NVIDIA's.
struct TensorColumnLauncher {
  using Block = TensorBlock;
  const Kokkos::Cuda& space;
  const std::string& label;

  template <class Kernel>
  void operator()(const TensorColumnPlan& plan, const Kernel& kernel) const {
    constexpr int threads = TensorColumnSteps::mostThreads(
        Kernel::function_steps, Kernel::has_families, Kernel::most_paths);
    const int cells = plan.sizes.cells;
    const std::int64_t batches = (kernel.problem.shape.cells + cells - 1) / cells;
    launchBlocks<threads, 1>(
        space, label, {batches, plan.sizes.threads, static_cast<int>(plan.shared_bytes)}, kernel);
  }
};
#endif

/// The same on a device.
template <FormKind kind, class Space, class T>
void runTensorColumnsOf([[maybe_unused]] const Space& space,
                        [[maybe_unused]] const PlainForm<T>& form,
                        [[maybe_unused]] const Machine& machine,
                        [[maybe_unused]] const std::string& label) {
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<Space, Kokkos::Cuda>) {
    runTensorColumns<kind>(TensorColumnLauncher{space, label}, form, machine);
  }
#endif
}

}  // namespace Impl
}  // namespace Kontract

#endif
