// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_MACHINE_HPP
#define KONTRACT_MACHINE_HPP

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>

#include "Kontract_DeviceApi.hpp"

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
  std::int64_t scratch_bytes[2] = {0, 0};  ///< of a team, at levels 0 and 1; the latter of hosts
  int multiprocessors = 1;                 ///< of a device; compute units of AMD's
  // Of NVIDIA devices alone.
  int compute_capability = 0;           ///< that kernels may use, 90 is 9.0; 0 for all others
  double matrix_flops_per_second = 0;   ///< of double-precision matrix instructions
  std::int64_t block_shared_bytes = 0;  ///< that a block can have, by asking

  /// Whether copies to shared memory need no threads.
  bool hasCopyEngine() const { return compute_capability >= 90; }
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
template <class>
__global__ void runNothing() {}

/// The compute capability that kernels were compiled for, 90 for 9.0: newer devices run them too,
/// but what such kernels leave out for older devices is not in them.
inline int compiledCapability() {
  static const int capability = [] {
    cudaFuncAttributes attributes{};
    if (cudaFuncGetAttributes(&attributes, runNothing<void>) == cudaSuccess) {
      return attributes.ptxVersion;
    }
    static_cast<void>(cudaGetLastError());
    return 0;
  }();
  return capability;
}
#endif

#ifdef KONTRACT_DEVICE_API
/// What devices tell of themselves. Memory moves at about 0.88 of the rate of its clock (measured
/// on NVIDIA's; AMD's are taken for alike).
inline void describeDevice(const DeviceSpace& space, Machine& machine) {
  const DeviceProperties& device = propertiesOf(space);
  const ClockRates rates = clockRatesOf(deviceOf(space));
  machine.multiprocessors = device.multiProcessorCount;
  const double transfers = 2e3 * rates.memory;
  if (transfers > 0) machine.bytes_per_second = 0.88 * transfers * device.memoryBusWidth / 8;
#ifdef KOKKOS_ENABLE_CUDA
  constexpr double flops_per_clock = 256;  // of a multiprocessor's matrix instructions
  machine.compute_capability = std::min(10 * device.major + device.minor, compiledCapability());
  machine.block_shared_bytes = static_cast<std::int64_t>(device.sharedMemPerBlockOptin);
  machine.matrix_flops_per_second =
      machine.multiprocessors * flops_per_clock * 1e3 * rates.multiprocessors;
#endif
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
  // Kernels of teams have level 0 on devices: see TeamPieces.
  for (const int level : {0, 1}) {
    if (level == 0 || machine.is_host) {
      machine.scratch_bytes[level] = Policy::scratch_size_max(level);
    }
  }
  if (!machine.is_host) {
    machine.flops_per_second = 5e8;
    machine.bytes_per_second = 2e12;
    machine.launch_seconds = 4e-6;
    machine.team_size_max = 1024;
#ifdef KONTRACT_DEVICE_API
    if constexpr (has_device_api<Space>) describeDevice(space, machine);
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
