// SPDX-License-Identifier: BSD-3-Clause
#include "Peers.hpp"

#include "Types.hpp"

namespace KontractBench {

const std::vector<std::string>& peerNames() {
  static const std::vector<std::string> names{"Intrepid2",
                                              "OpenBLAS",
                                              "libxsmm",
                                              "cuBLAS",
                                              "cuBLAS grouped",
                                              "Kokkos Kernels",
                                              "Kokkos Kernels Team",
                                              "empty kernel",
                                              "traffic"};
  return names;
}

std::vector<Peer> availablePeers() {
  std::vector<Peer> peers{
#ifdef KONTRACT_BENCH_HAVE_INTREPID2
      Peer::Intrepid2,
#endif
#ifdef KONTRACT_BENCH_HAVE_OPENBLAS
      Peer::OpenBLAS,
#endif
#ifdef KONTRACT_BENCH_HAVE_LIBXSMM
      Peer::Libxsmm,
#endif
#ifdef KONTRACT_BENCH_HAVE_CUBLAS
      Peer::Cublas,        Peer::CublasGrouped,
#endif
#ifdef KONTRACT_BENCH_HAVE_KOKKOSKERNELS
      Peer::KokkosKernels, Peer::KokkosKernelsTeam,
#endif
      Peer::EmptyKernel};
  if (on_host) peers.push_back(Peer::Traffic);
  return peers;
}

}  // namespace KontractBench
