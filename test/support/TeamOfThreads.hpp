// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_TEAMOFTHREADS_HPP
#define KONTRACT_TEST_TEAMOFTHREADS_HPP

#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include "detail/kernels/portable/Kontract_Workers.hpp"

namespace KontractTest {

/// Threads of the host in the place of a team of a device. One runs at a time, from one barrier to
/// the next, in one order or the other: what a kernel reads without a barrier before, it reads too
/// early in one of them.
class TeamOfThreads {
 public:
  /// What a kernel sees of its team.
  struct Member {
    TeamOfThreads* team;
    int rank;
    int team_size() const { return team->_threads; }
    int team_rank() const { return rank; }
    static int league_rank() { return 0; }
    void team_barrier() const { team->pass(rank, true); }
    /// Waits for the threads of a warp alone, which are all there.
    void warp_barrier() const { team->passInWarp(rank); }

    template <class F>
    friend void forEachLane(const Member&, int, const F& f) {
      f(0);
    }
  };

  TeamOfThreads(int threads, bool is_backwards)
      : _threads(threads), _is_backwards(is_backwards), _changed(std::size_t(threads)) {
    _turn = is_backwards ? threads - 1 : 0;
  }

  /// Runs kernel(workers, piece) for each piece, in scratch memory of NaNs.
  template <class Kernel>
  void run(const Kernel& kernel, std::int64_t pieces, std::int64_t scratch_bytes) {
    std::vector<double> scratch(static_cast<std::size_t>(scratch_bytes / 8 + 2));
    std::memset(static_cast<void*>(scratch.data()), 0xff, scratch.size() * sizeof(double));
    std::vector<std::thread> threads;
    for (int rank = 0; rank < _threads; ++rank) {
      threads.emplace_back([&, rank] {
        const Member member{this, rank};
        wait(rank);
        const Kontract::Impl::Workers<Member> workers{member, 1, scratch.data()};
        for (std::int64_t piece = 0; piece < pieces; ++piece) {
          kernel(workers, piece);
          member.team_barrier();
        }
        pass(rank, false);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }

 private:
  void wait(int rank) {
    std::unique_lock<std::mutex> lock(_mutex);
    _changed[std::size_t(rank)].wait(lock, [&] { return _turn == rank; });
  }
  void pass(int rank, bool waits) {
    passTo((rank + (_is_backwards ? _threads - 1 : 1)) % _threads, rank, waits);
  }
  void passInWarp(int rank) {
    constexpr int warp = 32;
    const int first = rank / warp * warp;
    passTo(first + (rank - first + (_is_backwards ? warp - 1 : 1)) % warp, rank, true);
  }
  void passTo(int next, int rank, bool waits) {
    std::unique_lock<std::mutex> lock(_mutex);
    _turn = next;
    _changed[std::size_t(_turn)].notify_one();
    if (waits) _changed[std::size_t(rank)].wait(lock, [&] { return _turn == rank; });
  }

  int _threads, _turn;
  bool _is_backwards;
  std::mutex _mutex;
  std::vector<std::condition_variable>
      _changed;  ///< of each: whose turn it is need not wake others
};

}  // namespace KontractTest

#endif
