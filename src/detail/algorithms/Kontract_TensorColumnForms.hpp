// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TENSORCOLUMNFORMS_HPP
#define KONTRACT_TENSORCOLUMNFORMS_HPP

#include <algorithm>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "Kontract_ColumnForms.hpp"
#include "Kontract_TensorColumnPlan.hpp"
#include "detail/kernels/portable/Kontract_TensorColumns.hpp"
#include "detail/launch/Kontract_CudaLaunch.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include "detail/kernels/cuda/Kontract_TensorBlock.hpp"
#endif

namespace Kontract {
namespace Impl {

// Vectors and products of tensor-product bases by matrix instructions: see TensorColumns.

/// Calls f(extents) with functions and points that are known when compiling, if those are.
/// \return whether they are
template <int one, int two, int... functions, class F>
bool withKnownColumns(std::integer_sequence<int, functions...>, const TensorColumnSizes& sizes,
                      const F& f) {
  const int N = sizes.functions, Q = sizes.points[0];
  if (sizes.points[1] != Q || sizes.points[2] != Q) return false;
  const auto isKnown = [&](auto of) {
    constexpr int M = decltype(of)::value;
    if (N != M || Q < M || Q > M + 1) return false;
    if (Q == M) {
      f(KnownColumns<M, M, one, two>(sizes));
    } else {
      f(KnownColumns<M, M + 1, one, two>(sizes));
    }
    return true;
  };
  return (isKnown(std::integral_constant<int, functions>()) || ...);
}

/// Calls f(extents) with what is known of them at run time.
template <int one, int two, class F>
void withAnyColumns(const TensorColumnPlan& plan, const F& f) {
  const TensorColumnSteps& steps = plan.steps;
  const auto withPoints = [&](auto functions) {
    constexpr int few = decltype(functions)::value;
    if (steps.points == few) return f(AnyColumns<few, few, one, two>(plan.sizes));
    if (steps.points == few + 1) return f(AnyColumns<few, few + 1, one, two>(plan.sizes));
    throw std::logic_error("Kontract: no kernel for " + std::to_string(steps.points) +
                           " steps of points in a direction");
  };
  switch (steps.functions) {
    case 1: return withPoints(std::integral_constant<int, 1>());
    case 2: return withPoints(std::integral_constant<int, 2>());
    default: return withPoints(std::integral_constant<int, 3>());
  }
}

/// Whether neighbours in memory are neighbouring cells in what a term reads most of.
template <class T>
bool hasCellsFirst(const PlainForm<T>& form, const PlainTerm<T>& term) {
  if (form.gradients.is_there) return true;  // tables of nodes are then read for many cells at once
  if (form.has_mapping) return form.mapping.cell == 1;
  if (term.coefficient.is_there) return term.coefficient.cell == 1;
  return form.cell_fastest;
}

/// One term of a form. Products whose coefficient is a number, or factors, are asked for over and
/// over: they have kernels of their own for usual functions and points.
/// \tparam Known  numbers of functions of those
/// \tparam has_tensor  the coefficient may have more entries than one
/// \param launcher  has a type Block, and is called with a plan and a kernel
template <class Known, int components, bool has_tensor, class Launcher, class Problem>
void launchTensorColumns(const Launcher& launcher, const Problem& problem,
                         const TensorColumnPlan& plan) {
  constexpr int one = components > 1 ? 2 : 1, two = components;
  const auto run = [&](const auto& extents) {
    using Extents = std::decay_t<decltype(extents)>;
    const TensorColumns<Problem, Extents, components, has_tensor, typename Launcher::Block> kernel{
        problem, plan.sizes, extents, FastDivisor(plan.sizes.cells)};
    if (kernel.sharedBytes() != plan.shared_bytes) {
      throw std::logic_error("Kontract: a kernel takes other shared memory than its plan");
    }
    launcher(plan, kernel);
  };
  constexpr bool is_usual =
      Problem::kind == FormKind::Products && (!has_tensor || !Problem::mapping_type::is_ever_there);
  if constexpr (is_usual) {
    if (withKnownColumns<one, two>(Known(), plan.sizes, run)) return;
  }
  withAnyColumns<one, two>(plan, run);
}

/// The columns of a term.
inline ColumnSizes columnsOfTerm(ColumnSizes columns, const FormTermShape& term) {
  columns.first_arrays = term.left_is_vector ? 2 : 1;
  columns.second_arrays = term.left_is_vector ? 3 : 1;
  return columns;
}

/// \tparam Known   numbers of functions in a direction that have kernels of their own
/// \param columns  of all terms
template <FormKind kind, class Known = ColumnFunctions, class Launcher, class T>
void runTensorColumns(const Launcher& launcher, const PlainForm<T>& form,
                      const ColumnSizes& columns, const Machine& machine) {
  withMapping(form, [&](auto mapping) {
    forEachTerms(form, 1, [&](const FormTerms& term) {
      const PlainTerm<T>& of = form.terms[term.first];
      const TensorColumnPlan plan =
          tensorColumnPlan(columnsOfTerm(columns, of), kind == FormKind::Vectors, form.cells,
                           int(sizeof(T)), hasCellsFirst(form, of), machine);
      forEachColumnLaunch<3, kind, decltype(mapping)::value>(
          form, term, [&](const auto& part, auto components, auto has_tensor) {
            launchTensorColumns<Known, decltype(components)::value, decltype(has_tensor)::value>(
                launcher, part, plan);
          });
    });
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
    constexpr int function_steps = Kernel::function_steps;
    const int cells = plan.sizes.cells;
    const std::int64_t batches = (kernel.problem.shape.cells + cells - 1) / cells;
    launchBlocks<TensorColumnSteps::mostThreads(function_steps), 1>(
        space, label, {batches, plan.sizes.threads, static_cast<int>(plan.shared_bytes)}, kernel);
  }
};
#endif

/// The same on a device.
template <FormKind kind, class Space, class T>
void runTensorColumnsOf([[maybe_unused]] const Space& space,
                        [[maybe_unused]] const PlainForm<T>& form,
                        [[maybe_unused]] const ColumnSizes& columns,
                        [[maybe_unused]] const Machine& machine,
                        [[maybe_unused]] const std::string& label) {
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<Space, Kokkos::Cuda>) {
    runTensorColumns<kind>(TensorColumnLauncher{space, label}, form, columns, machine);
  }
#endif
}

}  // namespace Impl
}  // namespace Kontract

#endif
