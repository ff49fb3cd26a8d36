// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_THREADS_HPP
#define KONTRACT_TEST_THREADS_HPP

#include <atomic>
#include <exception>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

namespace KontractTest {

/// Calls work(i) in threads i = 0, 1, ... that start together.
/// \param work  returns whether all was right
/// \return how many of them found something wrong, or threw
template <class Work>
int wrongThreads(int count, const Work& work) {
  std::atomic<int> expected{count}, wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&, i] {
      --expected;
      while (expected > 0) std::this_thread::yield();
      try {
        if (!work(i)) ++wrong;
      } catch (const std::exception& error) {
        std::cerr << "thread " + std::to_string(i) + ": " + error.what() + "\n";
        ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return wrong;
}

}  // namespace KontractTest

#endif
