// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FADTILES_HPP
#define KONTRACT_FADTILES_HPP

#include "Kontract_FadPieces.hpp"

namespace Kontract {
namespace Impl {

/// The functions of Kontract_FadPieces.hpp on hosts, compiled once, in the library, for one of the
/// instruction sets that processors have.
struct FadKernels {
  const char* name;
  void (*contract)(const ContractionShape&, const FadArrays<double>&, const FadOutputs&);
  void (*multiply)(const PointwiseShape&, const FadArrays<double>&, const RunOfPlaces&);
};

/// Those of the set that hostKernels() took at the first call, so that what the environment
/// variable KONTRACT_INSTRUCTION_SET asks for holds for both.
const FadKernels& fadKernels();

/// Those of a set by its name, for tests.
/// \return nullptr if this machine cannot run them or they were not compiled
const FadKernels* fadKernels(const char* name);

/// The scalar behind elements that are proxies; void for others.
template <class Accessor>
struct ScalarBehind {
  using type = void;
};
template <class Value, class Reference, class Scalar>
struct ScalarBehind<ProxyAccessor<Value, Reference, Scalar>> {
  using type = std::remove_const_t<Scalar>;
};

/// Whether elements can be read as Fads of scalars S.
template <class S, class Accessor>
inline constexpr bool are_fads_of = std::is_same_v<typename ScalarBehind<Accessor>::type, S> ||
                                    std::is_same_v<typename Accessor::value_type, S>;

template <class Problem, class S = typename ScalarBehind<typename Problem::out_type>::type>
struct FadScalarOf {
  static constexpr bool is_one =
      (std::is_same_v<S, float> ||
       std::is_same_v<S, double>)&&are_fads_of<S, typename Problem::left_type> &&
      are_fads_of<S, typename Problem::right_type>;
  using type = std::conditional_t<is_one, S, void>;
};

/// The scalar, float or double, of a problem that is made of Fads of it and of it alone: not of
/// Fads of Fads, nor of mixtures of precisions, whose arithmetic is that of their own types; else
/// void.
template <class Problem>
using FadScalar = typename FadScalarOf<Problem>::type;

/// Whether a problem is of such Fads, whose components devices compute.
template <class Problem>
inline constexpr bool has_fad_components = !std::is_void_v<FadScalar<Problem>>;

/// Whether that scalar is double, which hosts have kernels for.
template <class Problem>
inline constexpr bool is_fad_problem = std::is_same_v<FadScalar<Problem>, double>;

template <class T, class S>
KOKKOS_FORCEINLINE_FUNCTION FadArray<T> fadArrayOf(const Accessor<S>& elements) {
  return {elements.data, 0, 0, 0};
}
template <class T, class Value, class Reference, class Scalar>
KOKKOS_FORCEINLINE_FUNCTION FadArray<T> fadArrayOf(
    const ProxyAccessor<Value, Reference, Scalar>& elements) {
  return {elements.derivatives, elements.value_at, elements.count, elements.stride};
}

template <class Problem>
KOKKOS_FORCEINLINE_FUNCTION auto fadArraysOf(const Problem& problem) {
  using S = typename ScalarBehind<typename Problem::out_type>::type;
  return FadArrays<S>{fadArrayOf<S>(problem.out), fadArrayOf<const S>(problem.left),
                      fadArrayOf<const S>(problem.right)};
}

/// Computes and stores some outputs of a contraction of Fads.
template <class Problem>
KOKKOS_INLINE_FUNCTION void contractOutputsOfFads(const Problem& problem,
                                                  const FadOutputs& outputs) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__) || defined(__SYCL_DEVICE_ONLY__)
  contractFads<PlainRegisters>(problem.shape, fadArraysOf(problem), outputs);
#else
  fadKernels().contract(problem.shape, fadArraysOf(problem), outputs);
#endif
}

/// Computes and stores products of small tensors of Fads along a run of places.
template <class Problem>
KOKKOS_INLINE_FUNCTION void multiplyRunOfFads(const Problem& problem, const RunOfPlaces& run) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__) || defined(__SYCL_DEVICE_ONLY__)
  multiplyFads<PlainRegisters>(problem.shape, fadArraysOf(problem), run);
#else
  fadKernels().multiply(problem.shape, fadArraysOf(problem), run);
#endif
}

}  // namespace Impl
}  // namespace Kontract

#endif
