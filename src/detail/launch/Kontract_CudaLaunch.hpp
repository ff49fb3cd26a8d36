// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_CUDALAUNCH_HPP
#define KONTRACT_CUDALAUNCH_HPP

#include <Kokkos_Core.hpp>

#ifdef KOKKOS_ENABLE_CUDA
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>

namespace Kontract {
namespace Impl {

/// The kernel's arguments stay where they are, so that the copy engine finds its maps in them.
template <class Functor, int threads, int blocks>
__global__ void __launch_bounds__(threads, blocks)
    runFunctor(const __grid_constant__ Functor functor) {
  functor();
}

/// Blocks that take pieces of work in turn, or one each.
struct CudaBlocks {
  std::int64_t works = 0;
  int threads = 0;
  int shared_bytes = 0;
  bool have_one_each = false;
};

/// \throws std::runtime_error that says what failed
[[noreturn]] void refuseCuda(cudaError_t error, const char* what);

/// How much shared memory blocks of a kernel may have so far. Other host threads wait as long as it
/// lives.
struct AllowedSharedMemory {
  std::unique_lock<std::mutex> lock;
  int& bytes;
};
/// \param module  an address of the library or program that has the kernel
AllowedSharedMemory allowedSharedMemory(const void* module, const void* kernel, int device);

// One copy a source, not one a kernel, of which a source may have hundreds. Hidden, so that a
// shared library and what links it have their own: each may have a CUDA runtime that knows its own
// kernels alone.
#define KONTRACT_HIDDEN_INLINE __attribute__((visibility("hidden"))) inline

/// \throws std::runtime_error that says what failed, if it did; it is not the runtime's last error
///   then, which others would take for theirs
KONTRACT_HIDDEN_INLINE void checkCuda(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());
  refuseCuda(error, what);
}

/// Lets blocks of a kernel have so much shared memory. Never less than before: other host threads
/// may be about to launch it.
KONTRACT_HIDDEN_INLINE void allowSharedMemory(const void* kernel, int device, int bytes,
                                              const std::string& label) {
  const auto* const module = reinterpret_cast<const void*>(&allowSharedMemory);
  const AllowedSharedMemory allowed = allowedSharedMemory(module, kernel, device);
  if (bytes <= allowed.bytes) return;
  const cudaError_t error =
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  if (error != cudaSuccess) {
    checkCuda(error, (label + ": " + std::to_string(bytes) + " bytes of shared memory").c_str());
  }
  allowed.bytes = bytes;
}

/// How many blocks to start: where they take turns, no more than the device holds at a time.
KONTRACT_HIDDEN_INLINE std::int64_t blocksOf(const Kokkos::Cuda& space, const CudaBlocks& grid,
                                             const void* kernel) {
  const int multiprocessors = space.cuda_device_prop().multiProcessorCount;
  if (grid.works <= multiprocessors || grid.have_one_each) return grid.works;
  int at_a_time = 1;
  checkCuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&at_a_time, kernel, grid.threads,
                                                          grid.shared_bytes),
            "asking for occupancy");
  return std::min(grid.works, std::int64_t(std::max(1, at_a_time)) * multiprocessors);
}

/// Starts a kernel of one argument, labelled and ordered as launches of Kokkos are.
KONTRACT_HIDDEN_INLINE void startKernel(const Kokkos::Cuda& space, const std::string& label,
                                        const CudaBlocks& grid, const void* kernel,
                                        const void* argument) {
  checkCuda(cudaSetDevice(space.cuda_device()), "choosing the device");
  constexpr int without_asking = 40 * 1024;  // with what kernels have besides, 48 KB
  if (grid.shared_bytes > without_asking) {
    allowSharedMemory(kernel, space.cuda_device(), grid.shared_bytes, label);
  }
  const dim3 blocks(static_cast<unsigned>(blocksOf(space, grid, kernel))), threads(grid.threads);
  void* arguments[] = {const_cast<void*>(argument)};
  std::uint64_t id = 0;
  const bool is_watched = Kokkos::Tools::profileLibraryLoaded();
  if (is_watched) {
    Kokkos::Tools::beginParallelFor(label, Kokkos::Tools::Experimental::device_id(space), &id);
  }
  const cudaError_t error =
      cudaLaunchKernel(kernel, blocks, threads, arguments, grid.shared_bytes, space.cuda_stream());
  if (is_watched) Kokkos::Tools::endParallelFor(id);
  checkCuda(error, label.c_str());
}
#undef KONTRACT_HIDDEN_INLINE

/// Runs a functor. Kokkos' teams have 48 KB of scratch memory; here it may be all that a block can
/// have.
/// \tparam threads  of a block, at most
/// \tparam blocks   of a multiprocessor that registers shall be left for
template <int threads, int blocks, class Functor>
void launchBlocks(const Kokkos::Cuda& space, const std::string& label, const CudaBlocks& grid,
                  const Functor& functor) {
  constexpr std::size_t most_arguments = 4096;  // before CUDA 12.1
  static_assert(sizeof(Functor) <= most_arguments, "Kontract: a kernel has too many arguments");
  const auto kernel = runFunctor<Functor, threads, blocks>;
  startKernel(space, label, grid, reinterpret_cast<const void*>(kernel), &functor);
}

}  // namespace Impl
}  // namespace Kontract

#endif
#endif
