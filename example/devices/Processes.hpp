// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief Processes of one machine, one for each device, and the memory that they share.
#ifndef DEVICES_PROCESSES_HPP
#define DEVICES_PROCESSES_HPP

#include <sys/types.h>

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <functional>
#include <vector>

namespace Devices {

using Space = Kokkos::DefaultExecutionSpace;
using Device = Space::device_type;
using Memory = Space::memory_space;
template <class Data>
using Array = Kokkos::View<Data, Kokkos::LayoutRight, Device>;
/// An array that another process may own.
using PeerArray = Kokkos::View<double*, Device, Kokkos::MemoryUnmanaged>;

/// A process among those of a machine. They meet in a few pages of memory that all of them have.
class Process {
 public:
  /// The first of some. Others are made of it by fork().
  /// \param shared_length  of the arrays that each of them shares, in all
  Process(int size, std::size_t shared_length);

  int rank() const { return _rank; }
  int size() const { return _size; }

  /// Waits for all.
  void barrier() const;
  /// Tells another process that something it waits for is there.
  void post(int to) const;
  /// Waits until another process has posted once more.
  void wait(int from) const;
  /// Everybody's number.
  std::vector<double> gather(double number) const;

  /// An array of each process, of the same length, in which the others write. Collective.
  /// \return by rank
  std::vector<PeerArray> shareArrays(std::size_t length) const;

 private:
  friend int runProcesses(Process, const std::function<void(const Process&)>&);
  struct Pages;

  /// Whether a process ended that others wait for.
  bool isSomebodyGone() const;
  template <class Condition>
  void spinUntil(const Condition& holds) const;

  int _rank = 0, _size;
  pid_t _first = 0;  ///< the number of the first process
  Pages* _pages = nullptr;
  double* _arrays = nullptr;         ///< of all processes, where these are hosts
  std::size_t _array_length = 0;     ///< of each of them
  mutable std::vector<int> _waited;  ///< how often for each process
  mutable int _barriers = 0;
};

/// Runs f in all processes, each with Kokkos on a device of its own if there are so many. Kokkos
/// must not be there before. \return 0 if all of them succeeded; others say why not on the standard
/// error
int runProcesses(Process first, const std::function<void(const Process&)>& f);

}  // namespace Devices

#endif
