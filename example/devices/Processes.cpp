// SPDX-License-Identifier: BSD-3-Clause
#include "Processes.hpp"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>

namespace Devices {

namespace {

constexpr int most_processes = 16;

#ifdef KOKKOS_ENABLE_CUDA
constexpr bool has_cuda = std::is_same_v<Space, Kokkos::Cuda>;
void check(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}
#else
constexpr bool has_cuda = false;
#endif

int numDevices() {
#ifdef KOKKOS_ENABLE_CUDA
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) count = 0;
  return count;
#else
  return 0;
#endif
}

/// Memory that processes have in common after fork(); never returned.
void* sharedPages(std::size_t bytes) {
  void* const pages =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) {
    throw std::runtime_error("no " + std::to_string(bytes) + " bytes of shared memory");
  }
  return pages;
}

}  // namespace

struct Process::Pages {
  std::atomic<bool> has_failed{false};
  std::atomic<int> arrived{0};
  std::atomic<int> posts[most_processes][most_processes] = {};  ///< from and to
  double numbers[most_processes] = {};
#ifdef KOKKOS_ENABLE_CUDA
  cudaIpcMemHandle_t handles[most_processes];
#endif
};

template <class Condition>
void Process::spinUntil(const Condition& holds) const {
  const auto begin = std::chrono::steady_clock::now();
  for (long turns = 1; !holds(); ++turns) {
    // Processes may be more than cores.
    if (turns % 1000 == 0) std::this_thread::yield();
    if (turns % 1000000 == 0 && isSomebodyGone()) _pages->has_failed = true;
    if (_pages->has_failed) throw std::runtime_error("another process has failed");
    if (turns % 1000000 == 0 &&
        std::chrono::steady_clock::now() - begin > std::chrono::seconds(120)) {
      throw std::runtime_error("waited for another process for two minutes");
    }
  }
}

bool Process::isSomebodyGone() const {
  if (_rank != 0) return getppid() != _first;
  // Looks at a process that has ended, and leaves it to runProcesses().
  siginfo_t child = {};
  const bool has_ended =
      waitid(P_ALL, 0, &child, WEXITED | WNOHANG | WNOWAIT) == 0 && child.si_pid != 0;
  return has_ended && (child.si_code != CLD_EXITED || child.si_status != 0);
}

void Process::barrier() const {
  ++_barriers;
  ++_pages->arrived;
  spinUntil([&] { return _pages->arrived >= _barriers * _size; });
}

void Process::post(int to) const { ++_pages->posts[_rank][to]; }

void Process::wait(int from) const {
  const int wanted = ++_waited[std::size_t(from)];
  spinUntil([&] { return _pages->posts[from][_rank] >= wanted; });
}

std::vector<double> Process::gather(double number) const {
  _pages->numbers[_rank] = number;
  barrier();
  std::vector<double> all(_pages->numbers, _pages->numbers + _size);
  barrier();  // before anybody writes again
  return all;
}

std::vector<PeerArray> Process::shareArrays(std::size_t length) const {
  std::vector<PeerArray> arrays;
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (has_cuda) {
    // Not a View of its own: only whole allocations of cudaMalloc() can be told to others.
    void* own = nullptr;
    check(cudaMalloc(&own, length * sizeof(double)));
    check(cudaIpcGetMemHandle(&_pages->handles[_rank], own));
    barrier();
    for (int rank = 0; rank < _size; ++rank) {
      void* data = own;
      if (rank != _rank) {
        check(cudaIpcOpenMemHandle(&data, _pages->handles[rank], cudaIpcMemLazyEnablePeerAccess));
      }
      arrays.emplace_back(static_cast<double*>(data), length);
    }
    barrier();  // before anybody tells of another array
    return arrays;
  }
#endif
  static_assert(has_cuda || Kokkos::SpaceAccessibility<Space, Kokkos::HostSpace>::accessible,
                "devices of this kind need another way to share arrays");
  if (length > _array_length) throw std::logic_error("arrays are longer than what is shared");
  for (int rank = 0; rank < _size; ++rank) {
    arrays.emplace_back(_arrays + std::size_t(rank) * _array_length, length);
  }
  return arrays;
}

Process::Process(int size, std::size_t shared_length) : _size(size) {
  if (size < 1 || size > most_processes) {
    throw std::invalid_argument("there can be 1 to " + std::to_string(most_processes) +
                                " processes, but " + std::to_string(size) + " are asked for");
  }
  _pages = new (sharedPages(sizeof(Pages))) Pages;
  _waited.assign(std::size_t(size), 0);
  if (has_cuda) return;
  _array_length = shared_length;
  _arrays = static_cast<double*>(
      sharedPages(std::size_t(size) * shared_length * sizeof(double) + sizeof(double)));
}

int runProcesses(Process process, const std::function<void(const Process&)>& f) {
  std::vector<pid_t> children;
  process._first = getpid();
  for (int rank = 1; rank < process._size && process._rank == 0; ++rank) {
    const pid_t child = fork();
    if (child < 0) {
      process._pages->has_failed = true;  // for those that are there
      throw std::runtime_error("no process more can be made");
    }
    if (child == 0) {
      process._rank = rank;
      children.clear();
    } else {
      children.push_back(child);
    }
  }
  int status = 0;
  try {
    const int devices = numDevices();
    if (devices > 0) {
      setenv("KOKKOS_DEVICE_ID", std::to_string(process._rank % devices).c_str(), 1);
    }
    int argc = 0;
    char* argv[] = {nullptr};
    const Kokkos::ScopeGuard kokkos(argc, argv);
    f(process);
  } catch (const std::exception& e) {
    process._pages->has_failed = true;
    std::cerr << "process " << process._rank << ": " << e.what() << "\n";
    status = 1;
  }
  if (process._rank != 0) {
    std::cout.flush();
    _exit(status);
  }
  for (std::size_t i = 0; i < children.size(); ++i) {
    int of_child = 0;
    pid_t ended = 0;
    do {
      ended = waitpid(children[i], &of_child, 0);
    } while (ended < 0 && errno == EINTR);
    const bool has_succeeded = ended > 0 && WIFEXITED(of_child) && WEXITSTATUS(of_child) == 0;
    if (has_succeeded) continue;
    status = 1;
    if (ended > 0 && WIFSIGNALED(of_child)) {
      std::cerr << "process " << i + 1 << " was ended by signal " << WTERMSIG(of_child) << "\n";
    }
  }
  return status;
}

}  // namespace Devices
