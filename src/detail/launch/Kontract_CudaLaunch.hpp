// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_CUDALAUNCH_HPP
#define KONTRACT_CUDALAUNCH_HPP

#include <Kokkos_Core.hpp>

#ifdef KOKKOS_ENABLE_CUDA
#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

namespace Kontract {
namespace Impl {

inline void checkCuda(cudaError_t error, const char* what) {
  if (error != cudaSuccess) {
    throw std::runtime_error(std::string("Kontract: ") + what + ": " + cudaGetErrorString(error));
  }
}

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

/// Lets blocks of a kernel have so much shared memory. Never less than before: other host threads
/// may be about to launch it.
template <class Kernel>
void allowSharedMemory(Kernel* kernel, int device, int bytes) {
  static std::mutex mutex;
  static std::map<std::pair<Kernel*, int>, int> allowed;
  const std::lock_guard<std::mutex> lock(mutex);
  int& most = allowed[{kernel, device}];
  if (bytes <= most) return;
  checkCuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
            "asking for shared memory");
  most = bytes;
}

/// Runs a functor, where blocks take turns with no more of them than the device holds at a time.
/// Kokkos' teams have 48 KB of scratch memory; here it may be all that a block can have. Labelled
/// and ordered as launches of Kokkos are. \tparam threads of a block, at most \tparam blocks of a
/// multiprocessor that registers shall be left for
template <int threads, int blocks, class Functor>
void launchBlocks(const Kokkos::Cuda& space, const std::string& label, const CudaBlocks& grid,
                  const Functor& functor) {
  constexpr std::size_t most_arguments = 4096;  // before CUDA 12.1
  static_assert(sizeof(Functor) <= most_arguments, "Kontract: a kernel has too many arguments");
  const auto kernel = runFunctor<Functor, threads, blocks>;
  checkCuda(cudaSetDevice(space.cuda_device()), "choosing the device");
  constexpr int without_asking = 40 * 1024;  // with what kernels have besides, 48 KB
  if (grid.shared_bytes > without_asking) {
    allowSharedMemory(kernel, space.cuda_device(), grid.shared_bytes);
  }
  const int multiprocessors = space.cuda_device_prop().multiProcessorCount;
  std::int64_t count = grid.works;
  if (count > multiprocessors && !grid.have_one_each) {
    int at_a_time = 1;
    checkCuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&at_a_time, kernel, grid.threads,
                                                            grid.shared_bytes),
              "asking for occupancy");
    count = std::min<std::int64_t>(count, std::int64_t(std::max(1, at_a_time)) * multiprocessors);
  }
  std::uint64_t id = 0;
  const bool is_watched = Kokkos::Tools::profileLibraryLoaded();
  if (is_watched) {
    Kokkos::Tools::beginParallelFor(label, Kokkos::Tools::Experimental::device_id(space), &id);
  }
  kernel<<<static_cast<unsigned>(count), grid.threads, grid.shared_bytes, space.cuda_stream()>>>(
      functor);
  const cudaError_t error = cudaGetLastError();
  if (is_watched) Kokkos::Tools::endParallelFor(id);
  checkCuda(error, label.c_str());
}

}  // namespace Impl
}  // namespace Kontract

#endif
#endif
