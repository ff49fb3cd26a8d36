// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_STREAMBUFFERS_HPP
#define KONTRACT_STREAMBUFFERS_HPP

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "Kontract_ChunkPlan.hpp"
#include "detail/support/Kontract_LargePages.hpp"
#include "detail/support/Kontract_Machine.hpp"

namespace Kontract {
namespace Impl {

/// Memory of an execution space for the chunks that are under way, kept from call to call.
template <class Space>
class StreamBuffers {
 public:
  /// Takes what a plan needs. Where memory is refused, all is given back and the chunk is halved
  /// until it fits; the report then says so.
  /// \throws std::runtime_error if there is no memory for one cell
  void take(const StreamedArray (&arrays)[3], std::int64_t limit, ChunkPlan& plan,
            StreamReport& report) {
    while (true) {
      try {
        take(ChunkPlan::sharedBytes(arrays), ChunkPlan::instanceBytes(arrays, plan.cells),
             plan.instances(), limit);
        return;
      } catch (const std::exception& refusal) {
        release();
        report.why_shrunk = firstLine(refusal.what());
      }
      if (!plan.halve()) {
        throw std::runtime_error(
            "Kontract::" + report.function + ": there is no memory for " +
            std::to_string(plan.bytes(arrays)) + " bytes of buffers, which chunks of " +
            std::to_string(plan.cells) + (plan.cells == 1 ? " cell on " : " cells on ") +
            std::to_string(plan.instances()) + " instances need: " + report.why_shrunk);
      }
      ++report.times_shrunk;
    }
  }

  char* shared() const { return _shared.data(); }
  char* of(int instance) const { return _own[static_cast<std::size_t>(instance)].data(); }

  void release() {
    _shared = Memory();
    _own.clear();
  }

 private:
  using Memory = Kokkos::View<char*, typename Space::memory_space>;

  static std::string firstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

  static std::int64_t bytesOf(const Memory& memory) {
    return static_cast<std::int64_t>(memory.extent(0));
  }

  static void grow(Memory& memory, std::int64_t bytes) {
    const auto needed = static_cast<std::size_t>(bytes);
    if (memory.extent(0) >= needed) return;
    memory = Memory();  // first, so that both are never there at once
    memory = Memory(Kokkos::view_alloc("Kontract::stream", Kokkos::WithoutInitializing), needed);
    if constexpr (is_host_space<Space>) askForLargePages(memory.data(), bytes);
  }

  void take(std::int64_t shared, std::int64_t own, int instances, std::int64_t limit) {
    // What an earlier call left may be of another kind than what this one needs.
    std::int64_t together = std::max(shared, bytesOf(_shared));
    for (int i = 0; i < std::max(instances, static_cast<int>(_own.size())); ++i) {
      const bool is_there = i < static_cast<int>(_own.size());
      const std::int64_t kept = is_there ? bytesOf(_own[static_cast<std::size_t>(i)]) : 0;
      together += i < instances ? std::max(own, kept) : kept;
    }
    if (limit > 0 && together > limit) release();
    grow(_shared, shared);
    if (_own.size() < static_cast<std::size_t>(instances)) {
      _own.resize(static_cast<std::size_t>(instances));
    }
    for (int i = 0; i < instances; ++i) grow(_own[static_cast<std::size_t>(i)], own);
  }

  Memory _shared;            ///< what is moved once
  std::vector<Memory> _own;  ///< of each instance
};

}  // namespace Impl
}  // namespace Kontract

#endif
