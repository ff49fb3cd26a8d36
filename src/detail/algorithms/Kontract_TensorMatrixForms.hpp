// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TENSORMATRIXFORMS_HPP
#define KONTRACT_TENSORMATRIXFORMS_HPP

#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "Kontract_TensorColumnForms.hpp"
#include "Kontract_TensorMatrixPlan.hpp"
#include "detail/kernels/portable/Kontract_TensorMatrices.hpp"

namespace Kontract {
namespace Impl {

// Element matrices of tensor-product bases by matrix instructions: see TensorMatrices.

/// Starts the kernel of a term. \tparam Couplings  of its sides
template <class Couplings, class Launcher, class Problem, class Layout>
void launchTensorMatrices(const Launcher& launcher, const Problem& problem,
                          const TensorMatrixPlan& plan, const Layout& layout) {
  const auto& term = problem.terms.terms[0];
  if (layout.bytes(int(sizeof(typename Problem::out_type::value_type))) > plan.shared_bytes) {
    throw std::logic_error("Kontract: a kernel takes more shared memory than its plan");
  }
  launcher(
      plan,
      TensorMatrices<Problem, Layout, Couplings, typename Launcher::Block>{
          problem, layout, {term.left, term.left_is_vector, term.right, term.right_is_vector}});
}

/// Symmetric matrices of gradients, with a number as coefficient or from factors, that have kernels
/// of their own, as most are asked for. \tparam functions  of those \return whether these are such
/// ones
template <class Launcher, class Problem, int... functions>
bool tryKnownMatrices(std::integer_sequence<int, functions...>, const Launcher& launcher,
                      const Problem& problem, const TensorMatrixPlan& plan) {
  const auto isKnown = [&](auto n, auto q, auto cells_first) {
    constexpr int N = decltype(n)::value, Q = decltype(q)::value;
    using Sizes = KnownMatrixSizes<N, Q, decltype(cells_first)::value>;
    if (!plan.layout.areOfGradients(N, Q, decltype(cells_first)::value)) return false;
    launchTensorMatrices<KnownCouplings<N>>(launcher, problem, plan,
                                            TensorMatrixLayout<Sizes>(plan.layout));
    return true;
  };
  const auto withPoints = [&](auto n, auto cells_first) {
    return isKnown(n, n, cells_first) ||
           isKnown(n, std::integral_constant<int, decltype(n)::value + 1>(), cells_first);
  };
  const auto withFunctions = [&](auto n) {
    // Blocks of many functions have one cell in either case.
    constexpr int few_functions = 7;
    if (withPoints(n, std::false_type())) return true;
    if constexpr (decltype(n)::value <= few_functions) return withPoints(n, std::true_type());
    return false;
  };
  const auto& term = problem.terms.terms[0];
  constexpr bool has_geometry = Problem::mapping_type::is_ever_there;
  constexpr Pullback pullback = has_geometry ? Pullback::Covariant : Pullback::Physical;
  const bool is_usual =
      has_geometry ? term.kind == CoefficientKind::None || term.kind == CoefficientKind::Scalar
                   : term.kind == CoefficientKind::Symmetric;
  return is_usual && problem.shape.is_symmetric && problem.shape.left_blocks == 1 &&
         term.left_pullback == pullback && term.right_pullback == pullback &&
         !term.coefficient_is_vector_of_blocks && isLike(term.left, plan.layout.functions()) &&
         (withFunctions(std::integral_constant<int, functions>()) || ...);
}

/// Element matrices, term by term.
/// \tparam Known     numbers of functions in a direction that have kernels of their own
/// \param  launcher  has a type Block, and is called with a plan and a kernel
template <class Known = ColumnFunctions, class Launcher, class T>
void runTensorMatrices(const Launcher& launcher, const PlainForm<T>& form,
                       const TensorMatrixPlan& plan) {
  forEachTerms(form, 1, [&](const FormTerms& term) {
    forEachFamilyLaunch<FormKind::Matrices>(form, term, [&](const auto& part) {
      const PlainTerm<T>& of = form.terms[term.first];
      const bool is_one_family = of.left.families.count == 1 && of.right.families.count == 1;
      if (is_one_family && of.left_is_vector && of.right_is_vector &&
          tryKnownMatrices(Known(), launcher, part, plan)) {
        return;
      }
      if (is_one_family) {
        launchTensorMatrices<TermCouplings<1>>(launcher, part, plan, plan.layout);
      } else {
        constexpr int most = 9;
        launchTensorMatrices<TermCouplings<most>>(launcher, part, plan, plan.layout);
      }
    });
  });
}

#ifdef KOKKOS_ENABLE_CUDA
/// Runs kernels of matrices on a device of NVIDIA's.
struct TensorMatrixLauncher {
  using Block = TensorBlock;
  const Kokkos::Cuda& space;
  const std::string& label;

  template <class Kernel>
  void operator()(const TensorMatrixPlan& plan, const Kernel& kernel) const {
    constexpr int blocks = 2;  // of a multiprocessor
    const int cells = plan.layout.cells();
    const std::int64_t batches = (kernel.problem.shape.cells + cells - 1) / cells;
    launchBlocks<TensorMatrixPlan::most_threads, blocks>(
        space, label, {batches, plan.layout.threads(), static_cast<int>(plan.shared_bytes)},
        kernel);
  }
};
#endif

/// The same on a device.
template <class Space, class T>
void runTensorMatricesOf([[maybe_unused]] const Space& space,
                         [[maybe_unused]] const PlainForm<T>& form,
                         [[maybe_unused]] const TensorMatrixPlan& plan,
                         [[maybe_unused]] const std::string& label) {
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<Space, Kokkos::Cuda>) {
    runTensorMatrices(TensorMatrixLauncher{space, label}, form, plan);
  }
#endif
}

}  // namespace Impl
}  // namespace Kontract

#endif
