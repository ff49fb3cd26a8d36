// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FADPAIRS_HPP
#define KONTRACT_FADPAIRS_HPP

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <string>

#include "detail/kernels/cuda/Kontract_FadPairsPlan.hpp"
#include "detail/problem/Kontract_FadProblem.hpp"
#include "detail/support/Kontract_Machine.hpp"

namespace Kontract {
namespace Impl {

/// How a device computes contractions of Fads with so many fields and components.
/// \param most_cells  of a piece of work: 1 or 2
FadPairsPlan fadPairsPlan(std::int64_t lefts, std::int64_t rights, std::int64_t components,
                          int most_cells);

/// \return why there is no such kernel for a contraction of Fads with Fads; empty if there is
std::string whyNoFadPairs(const Work& work, const Machine& machine);

/// Expected seconds, as 325 random shapes with 1 to 27 derivatives take them on an H200: within an
/// eighth (neighbours in memory are fields of a cell) or 0.3 (cells) for eight of ten.
double secondsOfFadPairs(const Work& work, const Machine& machine);

#ifdef KOKKOS_ENABLE_CUDA
/// Runs a contraction of Fads by matrix instructions. In the library alone: compilers for devices
/// would make its kernels for each source that includes them.
void runFadPairs(const Kokkos::Cuda& space, const FadProblem<ContractionShape, double>& problem,
                 const std::string& label);
#endif

}  // namespace Impl
}  // namespace Kontract

#endif
