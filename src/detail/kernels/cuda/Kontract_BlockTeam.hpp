// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_BLOCKTEAM_HPP
#define KONTRACT_BLOCKTEAM_HPP

#include "detail/kernels/portable/Kontract_Workers.hpp"

#ifdef KOKKOS_ENABLE_CUDA

namespace Kontract {
namespace Impl {

/// A block of threads of a device of NVIDIA's, with what kernels of teams ask of a member.
struct BlockMember {
  __device__ __forceinline__ static int team_size() { return static_cast<int>(blockDim.x); }
  __device__ __forceinline__ static int team_rank() { return static_cast<int>(threadIdx.x); }
  __device__ __forceinline__ static void team_barrier() { __syncthreads(); }
};

/// A kernel of teams for launchBlocks(), whose blocks have more scratch memory than Kokkos' teams.
/// Calls functor(workers, first piece, pieces from one of a block to its next one).
template <class Functor>
struct BlockTeam {
  Functor functor;

  __device__ void operator()() const {
    extern __shared__ double2 shared_memory_of_team[];
    const BlockMember member;
    functor(Workers<BlockMember>{member, 1, shared_memory_of_team}, std::int64_t(blockIdx.x),
            std::int64_t(gridDim.x));
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
#endif
