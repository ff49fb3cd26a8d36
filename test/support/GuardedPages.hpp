// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_GUARDEDPAGES_HPP
#define KONTRACT_TEST_GUARDEDPAGES_HPP

#include <cstddef>
#include <map>
#include <new>
#include <vector>

#if defined(__unix__)
#define KONTRACT_TEST_HAS_GUARD_PAGES
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace KontractTest {

#ifdef KONTRACT_TEST_HAS_GUARD_PAGES
/// Memory of hosts between pages that nobody can touch. It is used again when it is given back.
class GuardedPages {
 public:
  explicit GuardedPages(std::size_t bytes) {
    const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    for (_bytes = page; _bytes < bytes; _bytes *= 2) {
    }
    std::vector<char*>& free = allFree()[_bytes];
    if (!free.empty()) {
      _begin = free.back();
      free.pop_back();
      return;
    }
    void* const all =
        mmap(nullptr, _bytes + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) throw std::bad_alloc();
    _begin = static_cast<char*>(all) + page;
    if (mprotect(_begin, _bytes, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
  }
  ~GuardedPages() { allFree()[_bytes].push_back(_begin); }
  GuardedPages(const GuardedPages&) = delete;
  GuardedPages& operator=(const GuardedPages&) = delete;

  char* begin() const { return _begin; }
  char* end() const { return _begin + _bytes; }

 private:
  static std::map<std::size_t, std::vector<char*>>& allFree() {
    static std::map<std::size_t, std::vector<char*>> all;
    return all;
  }

  std::size_t _bytes = 0;
  char* _begin = nullptr;
};
#endif

}  // namespace KontractTest

#endif
