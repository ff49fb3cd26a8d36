// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TILEPLAN_HPP
#define KONTRACT_TILEPLAN_HPP

#include <string>

#include "detail/kernels/portable/Kontract_OutputBlock.hpp"
#include "detail/launch/Kontract_TeamSize.hpp"

namespace Kontract {
namespace Impl {

/// The tiles of a team, and the register tiles of its threads.
struct TilePlan {
  std::int64_t cells = 1, lefts = 1, rights = 1, terms = 1;  ///< extents of the team's tile
  int register_lefts = 1, register_rights = 1;
  bool cell_inmost = false;  ///< in scratch memory, cells are neighbours
  bool is_odd = false;       ///< in scratch memory, terms are an odd number of fields apart
  TeamSize team;

  std::int64_t leftsAlong() const { return (lefts + register_lefts - 1) / register_lefts; }
  std::int64_t rightsAlong() const { return (rights + register_rights - 1) / register_rights; }
  std::int64_t registerTiles() const { return cells * leftsAlong() * rightsAlong(); }

  /// Fields of a term in scratch memory: whole register tiles. Where neighbouring threads of a
  /// device write neighbouring terms, an odd number puts these into different banks.
  std::int64_t paddedLefts() const { return padded(leftsAlong() * register_lefts); }
  std::int64_t paddedRights() const { return padded(rightsAlong() * register_rights); }

  /// Whether threads have several register tiles, whose sums wait in scratch for the next terms.
  bool spills(std::int64_t all_terms) const {
    return terms < all_terms && registerTiles() > team.threads;
  }

  /// Where the parts of scratch memory begin and end.
  struct Scratch {
    std::int64_t right, sums, end;
  };
  Scratch scratch(const int (&panel_bytes)[2], int sum_bytes, std::int64_t all_terms) const {
    Scratch at;
    at.right = scratchBytes(cells * terms * paddedLefts(), panel_bytes[0]);
    at.sums = at.right + scratchBytes(cells * terms * paddedRights(), panel_bytes[1]);
    const std::int64_t waiting =
        spills(all_terms) ? registerTiles() * register_lefts * register_rights : 0;
    at.end = at.sums + scratchBytes(waiting, sum_bytes);
    return at;
  }

  OutputBlocks blocksOf(const Box& box) const { return {box, {{cells, lefts, rights}}}; }

  bool fits(const Work& work, const Machine& machine) const {
    const int panel_bytes[2] = {work.scalar_bytes[1], work.scalar_bytes[2]};
    return fitsScratch(machine, 0, scratch(panel_bytes, accumulatorBytes(work), work.terms).end);
  }

  /// Sizes the team once the tiles are there.
  void setTeam(const Work& work, const Machine& machine, const LaunchSettings& launch) {
    team = teamSizeFor(machine, launch, blocksOf(work.box).count(), registerTiles());
  }

 private:
  std::int64_t padded(std::int64_t fields) const { return is_odd ? fields | 1 : fields; }
};

}  // namespace Impl
}  // namespace Kontract

#endif
