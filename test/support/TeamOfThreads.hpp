// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_TEAMOFTHREADS_HPP
#define KONTRACT_TEST_TEAMOFTHREADS_HPP

#include <ucontext.h>

#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <stdexcept>
#include <vector>

#include "detail/kernels/portable/Kontract_Workers.hpp"

namespace KontractTest {

/// A team of a device, run by the host. Its threads are contexts of POSIX, each with a stack of its
/// own, of which one runs at a time, from one barrier to the next, in one order or the other: what
/// a kernel reads without a barrier before, it reads too early in one of them. Contexts take turns
/// in a tenth of the time that threads of the system need.
class TeamOfThreads {
 public:
  /// What a kernel sees of its team.
  struct Member {
    TeamOfThreads* team;
    int rank;
    int team_size() const { return team->size(); }
    int team_rank() const { return rank; }
    static int league_rank() { return 0; }
    void team_barrier() const { team->passTo(team->next()); }
    /// Waits for the threads of a warp alone, which are all there.
    void warp_barrier() const { team->passInWarp(); }

    template <class F>
    friend void forEachLane(const Member&, int, const F& f) {
      f(0);
    }
  };

  TeamOfThreads(int threads, bool is_backwards) : _is_backwards(is_backwards), _threads(threads) {}

  /// Runs kernel(workers, piece) for each piece, in scratch memory of NaNs.
  ///
  /// \throws what a thread throws, or std::logic_error if some end while others are at a barrier
  template <class Kernel>
  void run(const Kernel& kernel, std::int64_t pieces, std::int64_t scratch_bytes) {
    std::vector<double> scratch(static_cast<std::size_t>(scratch_bytes / 8 + 2));
    std::memset(static_cast<void*>(scratch.data()), 0xff, scratch.size() * sizeof(double));
    runThreads([&](int rank) {
      const Member member{this, rank};
      const Kontract::Impl::Workers<Member> workers{member, 1, scratch.data()};
      for (std::int64_t piece = 0; piece < pieces; ++piece) {
        kernel(workers, piece);
        member.team_barrier();
      }
    });
  }

  /// The rank of the thread that runs, in whichever team it is.
  static int currentRank() { return current()->_rank; }

 private:
  struct Thread {
    ucontext_t context;
    std::unique_ptr<char[]> stack;
    bool has_ended = false;
  };
  static constexpr std::size_t stack_bytes = std::size_t(1) << 18;

  int size() const { return static_cast<int>(_threads.size()); }

  template <class F>
  void runThreads(const F& f) {
    _ended = 0;
    _exception = nullptr;
    _run = [](TeamOfThreads& team, const void* of) { (*static_cast<const F*>(of))(team._rank); };
    _function = &f;
    current() = this;
    for (Thread& thread : _threads) {
      thread.has_ended = false;
      getcontext(&thread.context);
      thread.stack.reset(new char[stack_bytes]);  // pages are there when they are used
      thread.context.uc_stack.ss_sp = thread.stack.get();
      thread.context.uc_stack.ss_size = stack_bytes;
      thread.context.uc_link = nullptr;
      makecontext(&thread.context, &TeamOfThreads::begin, 0);
    }
    _rank = _is_backwards ? size() - 1 : 0;
    swapcontext(&_caller, &_threads[std::size_t(_rank)].context);
    if (_exception) std::rethrow_exception(_exception);
  }
  static void begin() { current()->runOne(); }
  void runOne() {
    try {
      _run(*this, _function);
    } catch (...) {
      _exception = std::current_exception();
    }
    _threads[std::size_t(_rank)].has_ended = true;
    if (_exception || ++_ended == size()) setcontext(&_caller);
    passTo(next());
  }

  int next() const { return (_rank + (_is_backwards ? size() - 1 : 1)) % size(); }
  void passInWarp() {
    constexpr int warp = 32;
    const int first = _rank / warp * warp;
    passTo(first + (_rank - first + (_is_backwards ? warp - 1 : 1)) % warp);
  }
  void passTo(int rank) {
    Thread &from = _threads[std::size_t(_rank)], &to = _threads[std::size_t(rank)];
    if (to.has_ended) {
      _exception = std::make_exception_ptr(std::logic_error("a thread ends before a barrier"));
      setcontext(&_caller);
    }
    _rank = rank;
    swapcontext(&from.context, &to.context);
  }
  static TeamOfThreads*& current() {
    static TeamOfThreads* team = nullptr;
    return team;
  }

  bool _is_backwards;
  int _rank = 0, _ended = 0;  ///< of the thread that runs; how many have nothing more to do
  std::vector<Thread> _threads;
  ucontext_t _caller;
  void (*_run)(TeamOfThreads&, const void* function) = nullptr;
  const void* _function = nullptr;
  std::exception_ptr _exception;
};

}  // namespace KontractTest

#endif
