// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_BENCH_PEERSONMATRICES_HPP
#define KONTRACT_BENCH_PEERSONMATRICES_HPP

#include "Peers.hpp"
#include "Placement.hpp"

namespace KontractBench {

/// Where the matrices of one copy begin.
template <class Scalar>
struct Pointers {
  Scalar *out, *left, *right;
};
template <class Scalar>
using Copies = std::vector<Pointers<Scalar>>;

// Each peer that works on matrices; compiled for the four scalar types.
template <class Scalar>
Offer openBlas(const Matrices& problem, const Copies<Scalar>& copies);
template <class Scalar>
Offer libxsmm(const Matrices& problem, const Copies<Scalar>& copies);
template <class Scalar>
Offer cublas(const Matrices& problem, const Copies<Scalar>& copies);
template <class Scalar>
Offer cublasGrouped(const Matrices& problem, const Copies<Scalar>& copies);
template <class Scalar>
Offer kokkosKernels(bool by_teams, const Matrices& problem, const Copies<Scalar>& copies);

/// A kernel that does nothing.
Offer emptyKernel();

template <class Scalar>
Offer offerOnMatrices(Peer peer, const Matrices& problem, const Copies<Scalar>& copies) {
  if (peer == Peer::EmptyKernel) return emptyKernel();
  if (!problem.refusal.empty()) return {nullptr, problem.refusal};
  switch (peer) {
    case Peer::OpenBLAS: return openBlas(problem, copies);
    case Peer::Libxsmm: return libxsmm(problem, copies);
    case Peer::Cublas: return cublas(problem, copies);
    case Peer::CublasGrouped: return cublasGrouped(problem, copies);
    case Peer::KokkosKernels: return kokkosKernels(false, problem, copies);
    default: return kokkosKernels(true, problem, copies);
  }
}

/// Work on the cells of a problem by the threads of the host, each a run of neighbouring cells.
template <class Work>
void forEachCell(std::int64_t cells, const Work& work) {
  using Host = Kokkos::DefaultHostExecutionSpace;
  const std::int64_t threads = std::max<std::int64_t>(1, Host().concurrency());
  Kokkos::parallel_for("cells", Kokkos::RangePolicy<Host>(0, threads), [=](std::int64_t thread) {
    const std::int64_t begin = cells * thread / threads, end = cells * (thread + 1) / threads;
    if (begin < end) work(begin, end);
  });
}

}  // namespace KontractBench

#define KONTRACT_BENCH_FOR_SCALARS(MACRO) \
  MACRO(float)                            \
  MACRO(double)                           \
  MACRO(Kokkos::complex<float>)           \
  MACRO(Kokkos::complex<double>)

#endif
