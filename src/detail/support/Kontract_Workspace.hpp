// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_WORKSPACE_HPP
#define KONTRACT_WORKSPACE_HPP

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "Kontract_Machine.hpp"

namespace Kontract {
namespace Impl {

/// Tells the queues of a device apart, which run at the same time. A host runs a kernel before the
/// launch returns, so that there one memory for all instances is enough.
template <class Space>
struct Queue {
  static constexpr bool is_known = is_host_space<Space>;
  static const void* of(const Space&) { return nullptr; }
};
#ifdef KONTRACT_DEVICE_API
template <>
struct Queue<DeviceSpace> {
  static constexpr bool is_known = true;
  static const void* of(const DeviceSpace& space) { return streamOf(space); }
};
#endif

inline constexpr std::int64_t workspace_bytes = std::int64_t(1) << 22;

/// Memory for what one kernel leaves to the next of the same call. Each queue of a space has one of
/// a size that suits most, or of the largest that was asked for, kept until Kokkos::finalize: one
/// that is outgrown, too, because graphs may have recorded its address.
///
/// While an object lives, no other call launches kernels that use the same memory; a later call's
/// kernels then follow in the queue. So calls from several host threads and on several instances do
/// not disturb each other.
/// \tparam Use  who uses it: those of two uses may live at once
template <class Space, class Use = void>
class Workspace {
 public:
  static constexpr std::int64_t bytes = workspace_bytes;

  /// \param needed  bytes
  /// \throws std::runtime_error  if more than usual has to be allocated while a graph is recorded
  explicit Workspace(const Space& space, std::int64_t needed = bytes)
      : _space(space), _lock(shelf().mutex) {
    Shelf& all = shelf();
    if (all.memory.empty()) {
      Kokkos::push_finalize_hook([] {
        shelf().memory.clear();
        shelf().outgrown.clear();
      });
    }
    Memory& memory = all.memory[Queue<Space>::of(space)];
    if (static_cast<std::int64_t>(memory.extent(0)) < needed) {
      if (needed > bytes) refuseWhileRecording(needed);
      if (memory.data() != nullptr) all.outgrown.push_back(memory);
      memory = Memory(Kokkos::view_alloc(space, "Kontract::workspace", Kokkos::WithoutInitializing),
                      static_cast<std::size_t>(needed < bytes ? bytes : needed));
    }
    _data = memory.data();
  }
  ~Workspace() {
    if (!Queue<Space>::is_known) _space.fence();
  }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  void* data() const { return _data; }

 private:
  using Memory = Kokkos::View<char*, typename Space::memory_space>;
  struct Shelf {
    std::mutex mutex;
    std::map<const void*, Memory> memory;
    std::vector<Memory> outgrown;
  };
  static Shelf& shelf() {
    static Shelf all;
    return all;
  }

  void refuseWhileRecording(std::int64_t needed) const {
#ifdef KONTRACT_DEVICE_API
    if constexpr (std::is_same_v<Space, DeviceSpace>) {
      if (!isCapturing(_space)) return;
      throw std::runtime_error(
          "Kontract: a workspace of " + std::to_string(needed) +
          " bytes cannot be allocated while a graph is recorded; make the call "
          "once before, or choose another algorithm");
    }
#endif
    static_cast<void>(needed);
  }

  Space _space;
  std::lock_guard<std::mutex> _lock;
  void* _data;
};

}  // namespace Impl
}  // namespace Kontract

#endif
