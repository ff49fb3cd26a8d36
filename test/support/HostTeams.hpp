// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_HOSTTEAMS_HPP
#define KONTRACT_TEST_HOSTTEAMS_HPP

#include "TeamOfThreads.hpp"
#include "detail/launch/Kontract_Launch.hpp"

namespace KontractTest {

/// A device, as plans see it.
inline Kontract::Impl::Machine plannedDevice() {
  Kontract::Impl::Machine machine;
  machine.is_host = false;
  machine.concurrency = 270336;
  machine.team_size_max = 1024;
  machine.scratch_bytes[0] = 40936;
  return machine;
}

/// Runs a kernel of a device by threads of the host.
struct HostTeamLauncher {
  bool is_backwards;
  template <class Kernel>
  void operator()(const Kontract::Impl::Teams& teams, const Kernel& kernel) const {
    TeamOfThreads(teams.threads, is_backwards).run(kernel, teams.pieces, teams.scratch_bytes);
  }
};

}  // namespace KontractTest

#endif
