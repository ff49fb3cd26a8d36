// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_COMPILEDPROBLEMS_HPP
#define KONTRACT_COMPILEDPROBLEMS_HPP

#include "Kontract_AllSpaces.hpp"
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
#define KONTRACT_COMPILED_PROBLEMS(SPACE, PREFIX, T)                                            \
  PREFIX template void Kontract::Impl::dispatch(                                                \
      const SPACE&, Operation, const Kontract::Impl::PlainContraction<T>&, const CallOptions&); \
  PREFIX template void Kontract::Impl::dispatch(                                                \
      const SPACE&, Operation, const Kontract::Impl::PlainPointwise<T>&, const CallOptions&);
#define KONTRACT_COMPILED(PREFIX, T) KONTRACT_FOR_ALL_SPACES(KONTRACT_COMPILED_PROBLEMS, PREFIX, T)

// What devices have for Fads of one scalar, whatever their type, too.
#define KONTRACT_COMPILED_FADS_OF(SPACE, PREFIX, S)                                               \
  PREFIX template void Kontract::Impl::runFadContraction(                                         \
      const SPACE&, const Kontract::Impl::ContractionShape&, const Kontract::Impl::FadArrays<S>&, \
      int, const std::string&);                                                                   \
  PREFIX template bool Kontract::Impl::runFadElements(                                            \
      const SPACE&, const Kontract::Impl::PointwiseShape&, const Kontract::Impl::FadArrays<S>&,   \
      const std::string&);
#define KONTRACT_COMPILED_FADS(PREFIX, S)                 \
  KONTRACT_FOR_CUDA(KONTRACT_COMPILED_FADS_OF, PREFIX, S) \
  KONTRACT_FOR_HIP(KONTRACT_COMPILED_FADS_OF, PREFIX, S)

#ifndef KONTRACT_COMPILING_PROBLEMS
KONTRACT_COMPILED(extern, float)
KONTRACT_COMPILED(extern, double)
KONTRACT_COMPILED(extern, Kokkos::complex<float>)
KONTRACT_COMPILED(extern, Kokkos::complex<double>)
KONTRACT_COMPILED_FADS(extern, float)
KONTRACT_COMPILED_FADS(extern, double)
#endif

#endif
