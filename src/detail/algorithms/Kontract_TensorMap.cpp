// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_TensorMap.hpp"

#ifdef KOKKOS_ENABLE_CUDA
#include "detail/support/Kontract_DeviceApi.hpp"

namespace Kontract {
namespace Impl {
namespace {

using Encode = decltype(&cuTensorMapEncodeTiled);

/// The driver's function, without linking the driver.
Encode findEncode() {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found;
#if CUDART_VERSION >= 12050
  const cudaError_t error = cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function,
                                                             12000, cudaEnableDefault, &found);
#else
  const cudaError_t error =
      cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &function, cudaEnableDefault, &found);
#endif
  if (!hasSucceeded(error) || found != cudaDriverEntryPointSuccess) return nullptr;
  return reinterpret_cast<Encode>(function);
}

}  // namespace

bool describe(const TensorBox& box, CUtensorMap& map) {
  constexpr std::uint64_t most_stride = std::uint64_t(1) << 40;
  constexpr std::int64_t most_extent = std::int64_t(1) << 31;
  static const Encode encode = findEncode();
  if (encode == nullptr) return false;
  const int reals = box.scalar_bytes == 16 ? 2 : 1;  // the engine knows reals of at most 8 bytes
  const int real_bytes = box.scalar_bytes / reals;
  constexpr int most_rank = TensorBox::most_rank;
  cuuint64_t extents[most_rank], strides[most_rank - 1];
  cuuint32_t rows[most_rank], steps[most_rank] = {1, 1, 1, 1};
  if (reinterpret_cast<std::uintptr_t>(box.data) % 16 != 0) return false;
  for (int i = 0; i < box.rank; ++i) {
    if (box.extents[i] < 1 || box.extents[i] * reals >= most_extent || box.box[i] > 256)
      return false;
    extents[i] = static_cast<cuuint64_t>(box.extents[i] * (i == 0 ? reals : 1));
    rows[i] = static_cast<cuuint32_t>(box.box[i] * (i == 0 ? reals : 1));
  }
  // The engine wants each stride to be a multiple of the one before, and no row in another. That of
  // a single element does not matter otherwise.
  std::int64_t unit = 16, least = (box.extents[0] * box.scalar_bytes + 15) / 16 * 16;
  for (int i = 0; i + 1 < box.rank; ++i) {
    const std::int64_t stride = box.extents[i + 1] == 1 ? least : box.strides[i] * box.scalar_bytes;
    if (stride < least || stride % unit != 0) return false;
    strides[i] = static_cast<cuuint64_t>(stride);
    if (strides[i] >= most_stride) return false;
    unit = stride;
    least = stride * box.extents[i + 1];
  }
  const auto type =
      real_bytes == 8 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT64 : CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  return encode(&map, type, static_cast<cuuint32_t>(box.rank), const_cast<void*>(box.data), extents,
                strides, rows, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                box.permuted ? CU_TENSOR_MAP_SWIZZLE_128B : CU_TENSOR_MAP_SWIZZLE_NONE,
                box.fetch_bytes == 256 ? CU_TENSOR_MAP_L2_PROMOTION_L2_256B
                                       : CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
                CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

}  // namespace Impl
}  // namespace Kontract

#endif
