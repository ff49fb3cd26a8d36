// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_CudaLaunch.hpp"

#ifdef KOKKOS_ENABLE_CUDA
#include <map>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace Kontract {
namespace Impl {

void refuseCuda(cudaError_t error, const char* what) {
  throw std::runtime_error(std::string("Kontract: ") + what + ": " + cudaGetErrorString(error));
}

AllowedSharedMemory allowedSharedMemory(const void* module, const void* kernel, int device) {
  static std::mutex mutex;
  static std::map<std::tuple<const void*, const void*, int>, int> allowed;
  std::unique_lock<std::mutex> lock(mutex);
  int& bytes = allowed[{module, kernel, device}];
  return {std::move(lock), bytes};
}

}  // namespace Impl
}  // namespace Kontract

#endif
