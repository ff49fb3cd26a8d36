// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FADRUNS_HPP
#define KONTRACT_FADRUNS_HPP

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <string>

#include "detail/kernels/cuda/Kontract_FadRunsPlan.hpp"
#include "detail/problem/Kontract_FadProblem.hpp"
#include "detail/support/Kontract_Machine.hpp"

namespace Kontract {
namespace Impl {

/// A contraction of Fads, with Fads or numbers, whose components are side by side, by runs of what
/// follows each other in memory.
struct FadRunsWork {
  struct Side {
    std::int64_t fields;
    std::int64_t components;  ///< one: numbers
    bool has_same_cells;      ///< all cells share it
  };
  Side left{}, right{};
  std::int64_t cells = 0, terms = 0;
  std::int64_t components = 0;  ///< of an output
  bool are_runs = true;         ///< terms of both sides follow each other, or cells
  bool are_of_cells = false;    ///< the latter
  enum Following { Rights, Lefts, Cells, Nothing };
  Following outputs = Nothing;
};
FadRunsWork fadRunsWork(const Work& work);

/// How a device with a copy engine computes it: pieces of work have no more cells than leave one
/// for each multiprocessor.
FadRunsPlan fadRunsPlan(const FadRunsWork& work, const Machine& machine);

/// Expected seconds; infinite where there is no such kernel.
double secondsOfFadRuns(const Work& work, const Machine& machine);

#ifdef KOKKOS_ENABLE_CUDA
/// Runs a contraction of Fads by the copy engine and matrix instructions, for which there are
/// seconds. In the library alone: compilers for devices would make its kernels for each source that
/// includes them.
void runFadRuns(const Kokkos::Cuda& space, const FadProblem<ContractionShape, double>& problem,
                const std::string& label);
#endif

}  // namespace Impl
}  // namespace Kontract

#endif
