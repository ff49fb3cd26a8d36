// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_CudaLaunch.hpp"

#ifdef KOKKOS_ENABLE_CUDA
#include <map>
#include <stdexcept>
#include <utility>

namespace Kontract {
namespace Impl {

void checkCuda(cudaError_t error, const char* what) {
  if (error != cudaSuccess) {
    throw std::runtime_error(std::string("Kontract: ") + what + ": " + cudaGetErrorString(error));
  }
}

AllowedSharedMemory allowedSharedMemory(const void* kernel, int device) {
  static std::mutex mutex;
  static std::map<std::pair<const void*, int>, int> allowed;
  std::unique_lock<std::mutex> lock(mutex);
  int& bytes = allowed[{kernel, device}];
  return {std::move(lock), bytes};
}

}  // namespace Impl
}  // namespace Kontract

#endif
