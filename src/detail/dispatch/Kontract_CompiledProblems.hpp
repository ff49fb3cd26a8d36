// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_COMPILEDPROBLEMS_HPP
#define KONTRACT_COMPILEDPROBLEMS_HPP

#include "Kontract_AllSpaces.hpp"
#include "Kontract_Dispatch.hpp"

namespace Kontract {
namespace Impl {

template <class T>
using PlainContraction = ScalarProblem<ContractionShape, T>;
template <class T>
using PlainPointwise = ScalarProblem<PointwiseShape, T>;
template <class S>
using FadContraction = FadProblem<ContractionShape, S>;
template <class S>
using FadPointwise = FadProblem<PointwiseShape, S>;

}  // namespace Impl
}  // namespace Kontract

// Problems whose arguments share one of these scalars are compiled once, in the library, for every
// execution space that Kokkos has; a caller compiles only what is particular to it.
#define KONTRACT_COMPILED_PROBLEMS(SPACE, PREFIX, T)                                            \
  PREFIX template void Kontract::Impl::dispatch(                                                \
      const SPACE&, Operation, const Kontract::Impl::PlainContraction<T>&, const CallOptions&); \
  PREFIX template void Kontract::Impl::dispatch(                                                \
      const SPACE&, Operation, const Kontract::Impl::PlainPointwise<T>&, const CallOptions&);
#define KONTRACT_COMPILED(PREFIX, T) KONTRACT_FOR_ALL_SPACES(KONTRACT_COMPILED_PROBLEMS, PREFIX, T)

// Those of Fads of one scalar, whatever their types, too.
#define KONTRACT_COMPILED_FAD_PROBLEMS(SPACE, PREFIX, S)                                      \
  PREFIX template void Kontract::Impl::dispatch(                                              \
      const SPACE&, Operation, const Kontract::Impl::FadContraction<S>&, const CallOptions&); \
  PREFIX template void Kontract::Impl::dispatch(                                              \
      const SPACE&, Operation, const Kontract::Impl::FadPointwise<S>&, const CallOptions&);
#define KONTRACT_COMPILED_FADS(PREFIX, S) \
  KONTRACT_FOR_ALL_SPACES(KONTRACT_COMPILED_FAD_PROBLEMS, PREFIX, S)

#ifndef KONTRACT_COMPILING_PROBLEMS
KONTRACT_COMPILED(extern, float)
KONTRACT_COMPILED(extern, double)
KONTRACT_COMPILED(extern, Kokkos::complex<float>)
KONTRACT_COMPILED(extern, Kokkos::complex<double>)
KONTRACT_COMPILED_FADS(extern, float)
KONTRACT_COMPILED_FADS(extern, double)
#endif

#endif
