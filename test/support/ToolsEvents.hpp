// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_TOOLSEVENTS_HPP
#define KONTRACT_TEST_TOOLSEVENTS_HPP

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace KontractTest {

/// What Kokkos tells its tools while an object of this class lives. One at a time.
class ToolsEvents {
 public:
  ToolsEvents() {
    namespace Tools = Kokkos::Tools::Experimental;
    log() = Log();
    Tools::set_begin_parallel_for_callback([](const char* name, std::uint32_t, std::uint64_t*) {
      log().kernels.push_back(name);
      ++log().open_kernels;
    });
    Tools::set_end_parallel_for_callback([](std::uint64_t) { --log().open_kernels; });
    Tools::set_begin_parallel_reduce_callback([](const char* name, std::uint32_t, std::uint64_t*) {
      log().kernels.push_back(name);
      ++log().open_kernels;
    });
    Tools::set_end_parallel_reduce_callback([](std::uint64_t) { --log().open_kernels; });
    Tools::set_push_region_callback([](const char* name) {
      log().regions.push_back(name);
      ++log().open_regions;
    });
    Tools::set_pop_region_callback([]() { --log().open_regions; });
    Tools::set_allocate_data_callback(
        [](const Kokkos::Tools::SpaceHandle, const char* name, const void*, std::uint64_t bytes) {
          // For teams without scratch memory of level 1, Kokkos allocates nothing, and says so.
          if (bytes > 0) log().allocations.push_back(name);
        });
    Tools::set_begin_deep_copy_callback(
        [](Kokkos::Tools::SpaceHandle, const char* name, const void*, Kokkos::Tools::SpaceHandle,
           const char*, const void*, std::uint64_t) { log().copies.push_back(name); });
    Tools::set_begin_fence_callback([](const char* name, std::uint32_t, std::uint64_t*) {
      // Kokkos' own: before it tells a tool of a kernel, and in how it runs a kernel on some
      // spaces.
      const std::string fence = name;
      const bool is_for_tool = fence.find("Kokkos Profile Tool Fence") != std::string::npos;
      if (!is_for_tool && log().open_kernels == 0) log().fences.push_back(fence);
    });
  }
  ~ToolsEvents() {
    namespace Tools = Kokkos::Tools::Experimental;
    Tools::set_begin_parallel_for_callback(nullptr);
    Tools::set_end_parallel_for_callback(nullptr);
    Tools::set_begin_parallel_reduce_callback(nullptr);
    Tools::set_end_parallel_reduce_callback(nullptr);
    Tools::set_push_region_callback(nullptr);
    Tools::set_pop_region_callback(nullptr);
    Tools::set_allocate_data_callback(nullptr);
    Tools::set_begin_deep_copy_callback(nullptr);
    Tools::set_begin_fence_callback(nullptr);
  }
  ToolsEvents(const ToolsEvents&) = delete;
  ToolsEvents& operator=(const ToolsEvents&) = delete;

  const std::vector<std::string>& kernels() const { return log().kernels; }
  const std::vector<std::string>& regions() const { return log().regions; }
  const std::vector<std::string>& allocations() const { return log().allocations; }
  const std::vector<std::string>& copies() const { return log().copies; }
  const std::vector<std::string>& fences() const { return log().fences; }
  bool isBalanced() const { return log().open_regions == 0 && log().open_kernels == 0; }

 private:
  struct Log {
    std::vector<std::string> kernels, regions, allocations, copies, fences;
    int open_regions = 0, open_kernels = 0;
  };
  static Log& log() {
    static Log instance;
    return instance;
  }
};

}  // namespace KontractTest

#endif
