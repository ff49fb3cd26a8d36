// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACTTEST_MI250X_HPP
#define KONTRACTTEST_MI250X_HPP

#include "detail/support/Kontract_Machine.hpp"

// A device of another kind to choose for, where there is none.
namespace KontractTest {

/// The machine that one of the two dies of an AMD MI250X is, as machineOf() would describe it from
/// the figures that AMD publishes: 110 compute units with 2048 threads each, wavefronts of 64, 64
/// KB of scratch memory, of which Kokkos keeps 8216 bytes, and memory of 4096 bits at 1.6 GHz.
inline Kontract::Impl::Machine mi250x() {
  Kontract::Impl::Machine machine;
  machine.is_host = false;
  machine.concurrency = 110 * 2048;
  machine.flops_per_second = 5e8;
  machine.bytes_per_second = 0.88 * 2 * 1.6e9 * 4096 / 8;
  machine.launch_seconds = 4e-6;
  machine.team_size_max = 1024;
  machine.vector_length_max = 64;
  machine.scratch_bytes[0] = 65536 - 8216;
  machine.multiprocessors = 110;
  return machine;
}

}  // namespace KontractTest

#endif
