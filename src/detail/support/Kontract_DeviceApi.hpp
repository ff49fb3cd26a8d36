// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_DEVICEAPI_HPP
#define KONTRACT_DEVICEAPI_HPP

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

// CUDA and HIP have the same functions under two prefixes. This is the one place that knows which
// of them there is and where they differ; Kokkos has at most one of them. What only NVIDIA's blocks
// have (Kontract_CudaLaunch.hpp) is not here.
#if defined(KOKKOS_ENABLE_CUDA)
#define KONTRACT_DEVICE_API(name) cuda##name
#elif defined(KOKKOS_ENABLE_HIP)
#define KONTRACT_DEVICE_API(name) hip##name
#endif

namespace Kontract {
namespace Impl {

#ifdef KONTRACT_DEVICE_API

#ifdef KOKKOS_ENABLE_CUDA
using DeviceSpace = Kokkos::Cuda;
using DeviceProperties = cudaDeviceProp;
using PointerAttributes = cudaPointerAttributes;
inline constexpr auto clock_rate_attribute = cudaDevAttrClockRate;
inline constexpr auto memory_clock_rate_attribute = cudaDevAttrMemoryClockRate;
inline auto streamOf(const DeviceSpace& space) { return space.cuda_stream(); }
inline int deviceOf(const DeviceSpace& space) { return space.cuda_device(); }
inline const DeviceProperties& propertiesOf(const DeviceSpace& space) {
  return space.cuda_device_prop();
}
inline bool isMemoryOfHost(const PointerAttributes& attributes) {
  return attributes.type == cudaMemoryTypeHost;
}
/// What tells generations of devices apart, in words.
inline std::string generationText(const DeviceProperties& properties) {
  return "capability " + std::to_string(properties.major) + "." + std::to_string(properties.minor);
}
#else
using DeviceSpace = Kokkos::HIP;
using DeviceProperties = hipDeviceProp_t;
using PointerAttributes = hipPointerAttribute_t;
inline constexpr auto clock_rate_attribute = hipDeviceAttributeClockRate;
inline constexpr auto memory_clock_rate_attribute = hipDeviceAttributeMemoryClockRate;
inline auto streamOf(const DeviceSpace& space) { return space.hip_stream(); }
inline int deviceOf(const DeviceSpace& space) { return space.hip_device(); }
inline const DeviceProperties& propertiesOf(const DeviceSpace& space) {
  return space.hip_device_prop();
}
inline bool isMemoryOfHost(const PointerAttributes& attributes) {
#if HIP_VERSION_MAJOR < 6
  return attributes.memoryType == hipMemoryTypeHost;
#else
  return attributes.type == hipMemoryTypeHost;
#endif
}
/// What tells generations of devices apart, in words. HIP's major and minor number are not enough.
inline std::string generationText(const DeviceProperties& properties) {
  return properties.gcnArchName;
}
#endif

template <class Space>
inline constexpr bool has_device_api = std::is_same_v<Space, DeviceSpace>;

/// Whether a call of the runtime did not fail; if it did, that is not the runtime's last error,
/// which others would take for theirs.
inline bool hasSucceeded(KONTRACT_DEVICE_API(Error_t) status) {
  if (status == KONTRACT_DEVICE_API(Success)) return true;
  static_cast<void>(KONTRACT_DEVICE_API(GetLastError)());
  return false;
}

/// \throws std::runtime_error with what the device says of a failure
inline void checkDevice(KONTRACT_DEVICE_API(Error_t) status, const std::string& what) {
  if (hasSucceeded(status)) return;
  throw std::runtime_error("Kontract: " + what + ": " +
                           KONTRACT_DEVICE_API(GetErrorString)(status));
}

struct ClockRates {
  int multiprocessors = 0, memory = 0;  ///< kHz; 0 where the device does not tell
};

/// Asked for once, because devices take a millisecond to tell.
inline ClockRates clockRatesOf(int device) {
  static const std::vector<ClockRates> of_all = [] {
    int devices = 0;
    if (!hasSucceeded(KONTRACT_DEVICE_API(GetDeviceCount)(&devices))) devices = 0;
    std::vector<ClockRates> all(static_cast<std::size_t>(devices));
    for (int i = 0; i < devices; ++i) {
      ClockRates& rates = all[static_cast<std::size_t>(i)];
      const auto ask = [i](int& rate, auto attribute) {
        if (!hasSucceeded(KONTRACT_DEVICE_API(DeviceGetAttribute)(&rate, attribute, i))) rate = 0;
      };
      ask(rates.multiprocessors, clock_rate_attribute);
      ask(rates.memory, memory_clock_rate_attribute);
    }
    return all;
  }();
  const auto place = static_cast<std::size_t>(device);
  return place < of_all.size() ? of_all[place] : ClockRates();
}

/// Whether what is launched on an instance is being recorded into a graph rather than run.
inline bool isCapturing(const DeviceSpace& space) {
  auto status = KONTRACT_DEVICE_API(StreamCaptureStatusNone);
  const bool is_known =
      hasSucceeded(KONTRACT_DEVICE_API(StreamIsCapturing)(streamOf(space), &status));
  return !is_known || status != KONTRACT_DEVICE_API(StreamCaptureStatusNone);
}

/// Whether an address is known to be in page-locked memory of the host, and the device reaches it
/// there.
inline bool isPageLockedForDevice(const void* address) {
  PointerAttributes attributes;
  // HIP does not know ordinary memory of the host.
  if (!hasSucceeded(KONTRACT_DEVICE_API(PointerGetAttributes)(&attributes, address))) return false;
  return isMemoryOfHost(attributes) && attributes.devicePointer == address;
}

#else

template <class Space>
inline constexpr bool has_device_api = false;

#endif

/// Whether a space runs what is written for NVIDIA's devices alone.
#ifdef KOKKOS_ENABLE_CUDA
template <class Space>
inline constexpr bool is_cuda = std::is_same_v<Space, Kokkos::Cuda>;
#else
template <class Space>
inline constexpr bool is_cuda = false;
#endif

/// Threads that one launch on a device may have: AMD's packets count them in 32 bits, all
/// workgroups together, and the HIP runtime refuses or forgets what is beyond. 0 is no limit.
#ifdef KOKKOS_ENABLE_HIP
template <class Space>
inline constexpr std::int64_t most_threads_of_launch = std::is_same_v<Space, Kokkos::HIP>
                                                           ? std::int64_t(1) << 31
                                                           : 0;
#else
template <class Space>
inline constexpr std::int64_t most_threads_of_launch = 0;
#endif

}  // namespace Impl
}  // namespace Kontract

#endif
