// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_CELLCHECK_HPP
#define KONTRACT_CELLCHECK_HPP

#include <cstdio>

#include "Kontract_CellArray.hpp"
#include "Kontract_TeamWorkers.hpp"

/// Whether functions for kernels check what they are given: in builds without NDEBUG, and where
/// Kokkos checks bounds.
#if !defined(KONTRACT_CHECKS_CELLS) && \
    (!defined(NDEBUG) || defined(KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK))
#define KONTRACT_CHECKS_CELLS
#endif

namespace Kontract {
namespace Impl {

/// The cell of a kernel, for messages: by custom its team's number; -1 where there are no teams.
template <class Member>
KOKKOS_FORCEINLINE_FUNCTION int cellOfTeam(const Workers<Member>& team) {
  return team.member.league_rank();
}
KOKKOS_FORCEINLINE_FUNCTION int cellOfTeam(const OneWorker&) { return -1; }

/// Compares the arrays of a call in a kernel index by index: indices of one letter have one extent,
/// and those of a small letter may also be 1.
struct CellCheck {
  const char* function;
  int cell;
  std::int64_t extent_of[26] = {};  ///< by letter; 0 where there was none before
  bool is_known[26] = {};

  KOKKOS_FUNCTION CellCheck(const char* called, int of_cell) : function(called), cell(of_cell) {}

  template <class Access>
  KOKKOS_INLINE_FUNCTION void takes(const char* name, const CellArray<Access>& array,
                                    const char* letters) {
    int rank = 0;
    while (letters[rank] != '\0') ++rank;
    if (array.rank != rank) {
      printf("Kontract::team::%s, cell %d: %s has rank %d, but needs %d (%s)\n", function, cell,
             name, array.rank, rank, letters);
      Kokkos::abort("Kontract::team: an array has another rank than its function needs");
    }
    for (int i = 0; i < rank; ++i) takeExtent(name, i, letters[i], array.extents[i]);
  }

  KOKKOS_INLINE_FUNCTION void needs(const char* what, std::int64_t there,
                                    std::int64_t needed) const {
    if (there == needed) return;
    printf("Kontract::team::%s, cell %d: there are %d %s, but the basis has %d\n", function, cell,
           static_cast<int>(there), what, static_cast<int>(needed));
    Kokkos::abort("Kontract::team: an array has other extents than its function needs");
  }
  KOKKOS_INLINE_FUNCTION void hasAtLeast(const char* what, std::int64_t there,
                                         std::int64_t needed) const {
    if (there >= needed) return;
    printf("Kontract::team::%s, cell %d: %s has %d elements, but needs %d\n", function, cell, what,
           static_cast<int>(there), static_cast<int>(needed));
    Kokkos::abort("Kontract::team: scratch memory is too small");
  }

 private:
  KOKKOS_INLINE_FUNCTION void takeExtent(const char* name, int index, char letter,
                                         std::int64_t extent) {
    const bool may_be_one = letter >= 'a';
    const int place = letter - (may_be_one ? 'a' : 'A');
    if (may_be_one && extent == 1) return;
    if (!is_known[place]) {
      is_known[place] = true;
      extent_of[place] = extent;
    } else if (extent_of[place] != extent) {
      printf("Kontract::team::%s, cell %d: extent %d of %s is %d, but needs %d%s\n", function, cell,
             index, name, static_cast<int>(extent), static_cast<int>(extent_of[place]),
             may_be_one ? " or 1" : "");
      Kokkos::abort("Kontract::team: an array has other extents than its function needs");
    }
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
