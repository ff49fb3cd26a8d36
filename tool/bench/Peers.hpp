// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_BENCH_PEERS_HPP
#define KONTRACT_BENCH_PEERS_HPP

#include <functional>
#include <string>
#include <vector>

namespace KontractBench {

/// Other ways to do what a case does.
enum class Peer {
  Intrepid2,          ///< the same call
  OpenBLAS,           ///< gemm, gemv or dot for each cell
  Libxsmm,            ///< a kernel made for the sizes, and the packing that it needs
  Cublas,             ///< strided batches of gemm, or of gemv where there is one left field
  CublasGrouped,      ///< one group of gemm, by pointers to the matrices
  KokkosKernels,      ///< a cell per thread
  KokkosKernelsTeam,  ///< a cell per team
  EmptyKernel,        ///< no peer: what launching a kernel costs
  Traffic             ///< no peer: what moving the arrays of a host costs
};

/// Runs once on the arrays of copy i. Work on a device may still be under way when it returns.
using Runner = std::function<void(int copy)>;

/// A way to run a case, or why there is none.
struct Offer {
  Runner run;
  std::string refusal;
};

/// Names of the peers in the order of the enumeration, and which of them this program has.
const std::vector<std::string>& peerNames();
std::vector<Peer> availablePeers();
inline const std::string& nameOf(Peer peer) { return peerNames()[std::size_t(peer)]; }

/// Whether it does what the case does.
inline bool computes(Peer peer) { return peer != Peer::EmptyKernel && peer != Peer::Traffic; }

/// Whether it multiplies by zero what it overwrites, so that NaN stays there: Intrepid2's
/// contractions do in Trilinos 16.1, and did not in 13.2.
inline bool multipliesOutput(Peer peer) { return peer == Peer::Intrepid2; }

}  // namespace KontractBench

#endif
