// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_COMPILEDPROBLEMS_HPP
#define KONTRACT_COMPILEDPROBLEMS_HPP

#include "Kontract_Dispatch.hpp"

namespace Kontract {
namespace Impl {

template <class T>
using PlainContraction =
    Problem<ContractionShape, Accessor<T>, Accessor<const T>, Accessor<const T>>;
template <class T>
using PlainPointwise = Problem<PointwiseShape, Accessor<T>, Accessor<const T>, Accessor<const T>>;

}  // namespace Impl
}  // namespace Kontract

// Problems whose arguments share one of these scalars are compiled once, in the library, for every
// execution space that Kokkos has; a caller compiles only what is particular to it.
#define KONTRACT_COMPILED_SCALAR(PREFIX, SPACE, T)                                          \
  PREFIX template void Kontract::Impl::dispatch(                                            \
      const SPACE&, Operation, const Kontract::Impl::PlainContraction<T>&, const Options&); \
  PREFIX template void Kontract::Impl::dispatch(                                            \
      const SPACE&, Operation, const Kontract::Impl::PlainPointwise<T>&, const Options&);

#ifdef KOKKOS_ENABLE_SERIAL
#define KONTRACT_COMPILED_SERIAL(PREFIX, T) KONTRACT_COMPILED_SCALAR(PREFIX, Kokkos::Serial, T)
#else
#define KONTRACT_COMPILED_SERIAL(PREFIX, T)
#endif
#ifdef KOKKOS_ENABLE_OPENMP
#define KONTRACT_COMPILED_OPENMP(PREFIX, T) KONTRACT_COMPILED_SCALAR(PREFIX, Kokkos::OpenMP, T)
#else
#define KONTRACT_COMPILED_OPENMP(PREFIX, T)
#endif
#ifdef KOKKOS_ENABLE_THREADS
#define KONTRACT_COMPILED_THREADS(PREFIX, T) KONTRACT_COMPILED_SCALAR(PREFIX, Kokkos::Threads, T)
#else
#define KONTRACT_COMPILED_THREADS(PREFIX, T)
#endif
#ifdef KOKKOS_ENABLE_CUDA
#define KONTRACT_COMPILED_CUDA(PREFIX, T) KONTRACT_COMPILED_SCALAR(PREFIX, Kokkos::Cuda, T)
#else
#define KONTRACT_COMPILED_CUDA(PREFIX, T)
#endif
#ifdef KOKKOS_ENABLE_HIP
#define KONTRACT_COMPILED_HIP(PREFIX, T) KONTRACT_COMPILED_SCALAR(PREFIX, Kokkos::HIP, T)
#else
#define KONTRACT_COMPILED_HIP(PREFIX, T)
#endif
#define KONTRACT_COMPILED(PREFIX, T)   \
  KONTRACT_COMPILED_SERIAL(PREFIX, T)  \
  KONTRACT_COMPILED_OPENMP(PREFIX, T)  \
  KONTRACT_COMPILED_THREADS(PREFIX, T) \
  KONTRACT_COMPILED_CUDA(PREFIX, T)    \
  KONTRACT_COMPILED_HIP(PREFIX, T)

#ifndef KONTRACT_COMPILING_PROBLEMS
KONTRACT_COMPILED(extern, float)
KONTRACT_COMPILED(extern, double)
KONTRACT_COMPILED(extern, Kokkos::complex<float>)
KONTRACT_COMPILED(extern, Kokkos::complex<double>)
#endif

#endif
