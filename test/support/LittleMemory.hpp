// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_LITTLEMEMORY_HPP
#define KONTRACT_TEST_LITTLEMEMORY_HPP

#include <cstdlib>
#include <fstream>
#include <new>
#include <string>

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

namespace KontractTest {

/// To the end of the scope the process gets hardly more memory than it has.
class LittleMemory {
 public:
  LittleMemory() {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    std::ifstream statm("/proc/self/statm");
    rlim_t pages = 0;
    if (!(statm >> pages)) return;
    getrlimit(RLIMIT_AS, &_before);
    malloc_trim(0);
    constexpr rlim_t spare = 1 << 20;
    rlimit little = _before;
    little.rlim_cur = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + spare;
    _is_in_force = setrlimit(RLIMIT_AS, &little) == 0;
    if (_is_in_force) takeWhatIsThere();
#endif
  }
  ~LittleMemory() {
    if (_is_in_force) setrlimit(RLIMIT_AS, &_before);
    while (_taken != nullptr) {
      Block* const next = _taken->next;
      std::free(_taken);
      _taken = next;
    }
  }
  LittleMemory(const LittleMemory&) = delete;
  LittleMemory& operator=(const LittleMemory&) = delete;

  /// Where sanitizers need address space of their own, nothing is limited.
  bool isInForce() const { return _is_in_force; }

 private:
  /// A block of memory that nobody else gets meanwhile.
  struct Block {
    Block* next;
  };

  /// Memory that was freed before may still be the process's: only small pieces of it are left.
  void takeWhatIsThere() {
    constexpr std::size_t bytes = 128 * 1024;
    while (void* const memory = std::malloc(bytes)) {
      _taken = new (memory) Block{_taken};
    }
  }

  Block* _taken = nullptr;
  rlimit _before{};
  bool _is_in_force = false;
};

}  // namespace KontractTest

#endif
