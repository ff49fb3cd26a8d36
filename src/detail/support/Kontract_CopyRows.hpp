// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_COPYROWS_HPP
#define KONTRACT_COPYROWS_HPP

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "Kontract_Machine.hpp"

namespace Kontract {
namespace Impl {

/// Whether a kind of memory is the host's, page-locked for a device that can read it there.
template <class Memory>
inline constexpr bool is_page_locked =
#if defined(KOKKOS_HAS_SHARED_HOST_PINNED_SPACE)
    std::is_same_v<Memory, Kokkos::SharedHostPinnedSpace> &&
    !std::is_same_v<Memory, Kokkos::HostSpace>;
#elif defined(KOKKOS_ENABLE_CUDA)
    std::is_same_v<Memory, Kokkos::CudaHostPinnedSpace>;
#else
    false;
#endif

/// Rows of bytes that are the same distance apart, at both ends of a copy.
struct PitchedRows {
  std::int64_t width = 0;  ///< bytes of a row
  std::int64_t count = 1;
  std::int64_t to_pitch = 0, from_pitch = 0;  ///< bytes from one row to the next
};

enum class Direction { ToSpace, FromSpace };

/// Copies rows between the memory of the host and that of an execution space, in order with the
/// other work of an instance. On devices it does not wait if the host's memory is page-locked.
template <class Space>
struct RowCopier {
  static void copy(const Space& space, Direction direction, void* to, const void* from,
                   const PitchedRows& rows) {
    if (rows.to_pitch == rows.width && rows.from_pitch == rows.width) {
      copyRow(space, direction, to, from, rows.width * rows.count);
      return;
    }
    for (std::int64_t i = 0; i < rows.count; ++i) {
      copyRow(space, direction, static_cast<char*>(to) + i * rows.to_pitch,
              static_cast<const char*>(from) + i * rows.from_pitch, rows.width);
    }
  }

  /// Whether the host's memory at an address is known to be page-locked, and the device reaches it
  /// there.
  static bool isPageLocked(const void*) { return false; }

 private:
  template <class Memory, class T>
  static auto bytes(T* data, std::int64_t count) {
    using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
    return Kokkos::View<T*, Memory, Unmanaged>(data, static_cast<std::size_t>(count));
  }

  static void copyRow(const Space& space, Direction direction, void* to, const void* from,
                      std::int64_t count) {
    using Memory = typename Space::memory_space;
    char* const target = static_cast<char*>(to);
    const char* const source = static_cast<const char*>(from);
    if constexpr (is_host_space<Space>) {
      std::memcpy(target, source, static_cast<std::size_t>(count));
    } else if (direction == Direction::ToSpace) {
      Kokkos::deep_copy(space, bytes<Memory>(target, count),
                        bytes<Kokkos::HostSpace>(source, count));
    } else {
      Kokkos::deep_copy(space, bytes<Kokkos::HostSpace>(target, count),
                        bytes<Memory>(source, count));
    }
  }
};

#ifdef KONTRACT_DEVICE_API
/// The copy engines of devices take rows as they are.
template <>
struct RowCopier<DeviceSpace> {
  static void copy(const DeviceSpace& space, Direction direction, void* to, const void* from,
                   const PitchedRows& rows) {
    constexpr std::int64_t most_pitch = 0x7fffffff;
    const auto kind = direction == Direction::ToSpace ? KONTRACT_DEVICE_API(MemcpyHostToDevice)
                                                      : KONTRACT_DEVICE_API(MemcpyDeviceToHost);
    const auto size = [](std::int64_t n) { return static_cast<std::size_t>(n); };
    const auto stream = streamOf(space);
    if (rows.count == 1 || (rows.to_pitch == rows.width && rows.from_pitch == rows.width)) {
      check(
          KONTRACT_DEVICE_API(MemcpyAsync)(to, from, size(rows.width * rows.count), kind, stream));
    } else if (rows.to_pitch <= most_pitch && rows.from_pitch <= most_pitch) {
      check(KONTRACT_DEVICE_API(Memcpy2DAsync)(to, size(rows.to_pitch), from, size(rows.from_pitch),
                                               size(rows.width), size(rows.count), kind, stream));
    } else {
      for (std::int64_t i = 0; i < rows.count; ++i) {
        check(KONTRACT_DEVICE_API(MemcpyAsync)(static_cast<char*>(to) + i * rows.to_pitch,
                                               static_cast<const char*>(from) + i * rows.from_pitch,
                                               size(rows.width), kind, stream));
      }
    }
  }

  static bool isPageLocked(const void* address) { return isPageLockedForDevice(address); }

 private:
  static void check(KONTRACT_DEVICE_API(Error_t) status) {
    checkDevice(status, "a copy between host and device failed");
  }
};
#endif

}  // namespace Impl
}  // namespace Kontract

#endif
