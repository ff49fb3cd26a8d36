// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_MACHINE_HPP
#define KONTRACT_MACHINE_HPP

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace Kontract {
namespace Impl {

/// What an estimate knows of the place where work runs. The rates are assumptions good enough to
/// compare algorithms with each other, not measurements.
struct Machine {
  bool is_host = true;
  int concurrency = 1;             ///< threads that run at once
  double flops_per_second = 4e9;   ///< of one thread, portable code
  double bytes_per_second = 2e10;  ///< of all threads together
  double launch_seconds = 2e-7;    ///< for a kernel that does nothing
  int team_size_max = 1;           ///< threads of a team; on devices times the lanes of each
  int vector_length_max = 1;       ///< lanes of a thread
  std::int64_t scratch_bytes[2] = {0, 0};  ///< of a team, at levels 0 and 1
  // Of NVIDIA devices alone.
  int compute_capability = 0;  ///< 90 is 9.0
  int multiprocessors = 1;
  double matrix_flops_per_second = 0;   ///< of double-precision matrix instructions
  std::int64_t block_shared_bytes = 0;  ///< that a block can have, by asking
};

template <class Space>
inline constexpr bool is_host_space =
    Kokkos::SpaceAccessibility<Space, Kokkos::HostSpace>::accessible;

/// Stands for a kernel where Kokkos asks for one to tell how large its teams may be.
struct AnyTeamKernel {
  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(const Member&) const {}
};

#ifdef KOKKOS_ENABLE_CUDA
struct ClockRates {
  int multiprocessors = 0, memory = 0;  ///< kHz; 0 where the device does not tell
};

/// Asked for once, because devices take a millisecond to tell.
inline ClockRates clockRatesOf(int device) {
  static const std::vector<ClockRates> of_all = [] {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess) devices = 0;
    std::vector<ClockRates> all(static_cast<std::size_t>(devices));
    for (int i = 0; i < devices; ++i) {
      ClockRates& rates = all[static_cast<std::size_t>(i)];
      cudaDeviceGetAttribute(&rates.multiprocessors, cudaDevAttrClockRate, i);
      cudaDeviceGetAttribute(&rates.memory, cudaDevAttrMemoryClockRate, i);
    }
    return all;
  }();
  const auto place = static_cast<std::size_t>(device);
  return place < of_all.size() ? of_all[place] : ClockRates();
}

/// What NVIDIA devices tell of themselves. Memory moves at about 0.88 of the rate of its clock.
inline void describeDevice(const Kokkos::Cuda& space, Machine& machine) {
  const auto& device = space.cuda_device_prop();
  const ClockRates rates = clockRatesOf(space.cuda_device());
  constexpr double flops_per_clock = 256;  // of a multiprocessor's matrix instructions
  machine.compute_capability = 10 * device.major + device.minor;
  machine.multiprocessors = device.multiProcessorCount;
  machine.block_shared_bytes = static_cast<std::int64_t>(device.sharedMemPerBlockOptin);
  machine.matrix_flops_per_second =
      machine.multiprocessors * flops_per_clock * 1e3 * rates.multiprocessors;
  const double transfers = 2e3 * rates.memory;
  if (transfers > 0) machine.bytes_per_second = 0.88 * transfers * device.memoryBusWidth / 8;
}
#endif

/// The machine as an execution space shows it.
template <class Space>
Machine machineOf(const Space& space) {
  Machine machine;
  machine.is_host = is_host_space<Space>;
  machine.concurrency = std::max(1, static_cast<int>(space.concurrency()));
  using Policy = Kokkos::TeamPolicy<Space>;
  machine.vector_length_max = Policy::vector_length_max();
  for (const int level : {0, 1}) machine.scratch_bytes[level] = Policy::scratch_size_max(level);
  if (!machine.is_host) {
    machine.flops_per_second = 5e8;
    machine.bytes_per_second = 2e12;
    machine.launch_seconds = 4e-6;
    machine.team_size_max = 1024;
#ifdef KOKKOS_ENABLE_CUDA
    if constexpr (std::is_same_v<Space, Kokkos::Cuda>) describeDevice(space, machine);
#endif
  } else {
    if (machine.concurrency > 1) machine.launch_seconds = 2e-6;
    machine.team_size_max =
        Policy(space, 1, 1).team_size_max(AnyTeamKernel(), Kokkos::ParallelForTag());
  }
  return machine;
}

}  // namespace Impl
}  // namespace Kontract

#endif
