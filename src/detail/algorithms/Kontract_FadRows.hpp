// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FADROWS_HPP
#define KONTRACT_FADROWS_HPP

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <string>
#include <type_traits>

#include "detail/kernels/cuda/Kontract_FadRowsPlan.hpp"
#include "detail/problem/Kontract_FadProblem.hpp"
#include "detail/support/Kontract_Machine.hpp"

namespace Kontract {
namespace Impl {

/// The problems that kernels of FadRowsPlan are for.
template <class Given>
inline constexpr bool has_fad_rows = std::is_same_v<Given, FadProblem<ContractionShape, double>>;

/// How a device computes contractions with so many fields and components.
/// \param fields, reals  of the sides of Fads and of real numbers
/// \param most_cells  of a piece of work: 1, 2 or 4
FadRowsPlan fadRowsPlan(std::int64_t fields, std::int64_t reals, std::int64_t components,
                        const Machine& machine, int most_cells);

/// Whether each input has as many derivatives as the output, or none, and so many have some.
bool haveDerivatives(const Work& work, int least, int most);

/// \return why there is no such kernel for a contraction of Fads; empty if there is
std::string whyNoFadRows(const Work& work, const Machine& machine);

/// Expected seconds, as 240 random shapes with 8 or 24 derivatives take them on an H200: within a
/// fifth for eight of ten. Neighbours in memory are fields of a cell, or cells.
double secondsOfFadRows(const Work& work, const Machine& machine);

#ifdef KOKKOS_ENABLE_CUDA
/// Runs a contraction of Fads with real numbers by matrix instructions. In the library alone:
/// compilers for devices would make its kernels for each source that includes them.
void runFadRows(const Kokkos::Cuda& space, const FadProblem<ContractionShape, double>& problem,
                const std::string& label);
#endif

}  // namespace Impl
}  // namespace Kontract

#endif
