// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_CELLPIECESPLAN_HPP
#define KONTRACT_CELLPIECESPLAN_HPP

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "detail/kernels/cuda/Kontract_CellPieces.hpp"
#include "detail/problem/Kontract_Work.hpp"
#include "detail/support/Kontract_Machine.hpp"

namespace Kontract {
namespace Impl {

/// The tile of a warp, in blocks of eight fields.
struct WarpTile {
  int lefts, rights;
  constexpr bool operator==(const WarpTile& other) const {
    return lefts == other.lefts && rights == other.rights;
  }
};

/// How cells are dealt to blocks of a device, if shared memory holds enough of one.
class CellPiecesPlan {
 public:
  CellPiecesPlan(const Work& work, const Machine& machine, const WarpTile& tile)
      : _real_bytes(work.scalar_bytes[0] / (work.is_complex ? 2 : 1)), _tile(tile) {
    constexpr std::int64_t barriers = 1024;
    _room = machine.block_shared_bytes - barriers;
    const auto& [cells, lefts, rights] = work.box.extents;
    const int reals = work.is_complex ? 2 : 1;
    const std::int64_t most = _room / _real_bytes;
    if (std::max({lefts * work.terms, rights * work.terms, rights}) > most / reals) return;
    _pieces.cells = cells;
    _pieces.lefts = _pieces.lefts_each = static_cast<int>(lefts);
    _pieces.rights = static_cast<int>(rights);
    _pieces.terms = reals * static_cast<int>(work.terms);
    _pieces.columns = reals * _pieces.rights;
    const bool are_small =
        std::max<std::int64_t>(lefts, _pieces.columns) <= 4 && tile.lefts * tile.rights == 1;
    _pieces.cells_of_tile = are_small ? 2 : 1;
    if (!cutIntoParts()) return;
    if (_pieces.parts == 1) _pieces.cells_each = cellsOfPiece(machine);
    layOut();
  }

  CellPieces pieces() const {
    CellPieces pieces = _pieces;
    pieces.order = TermsOfLanes::quickest(pieces.terms, static_cast<int>(_real_bytes));
    return pieces;
  }
  const WarpTile& tile() const { return _tile; }
  bool exists() const { return _exists; }

  /// Expected seconds of a device that has nothing else to do.
  double seconds(const Work& work, const Machine& machine) const {
    const CellPieces& p = _pieces;
    constexpr double flops_per_cycle = 256;  // of a multiprocessor's matrix instructions
    const double at_once = std::min<double>(machine.multiprocessors, double(p.pieces));
    const double cycle =
        flops_per_cycle * machine.multiprocessors / machine.matrix_flops_per_second;
    const double compute =
        double(p.pieces) * p.cells_each / p.parts / at_once * cyclesOfCell() * cycle;
    // Parts of a cell read its right side again, from the cache of the device.
    const double again =
        double(p.parts - 1) * double(p.cells) * p.rights * p.terms * double(_real_bytes) / 2.5;
    const double memory = (work.bytes + again) / machine.bytes_per_second;
    return exposed() * std::sqrt(std::hypot(compute * compute, memory * memory));
  }

 private:
  bool isComplex() const { return _pieces.columns > _pieces.rights; }

  /// Neither arithmetic nor memory hides behind the other all of the time, less so where stages are
  /// few.
  double exposed() const {
    const bool has_few_stages = _pieces.stages == 2;
    if (_real_bytes == 8) return isComplex() && has_few_stages ? 1.35 : 1;
    return has_few_stages ? 1.2 : _pieces.parts > 1 ? 1.07 : 1;
  }

  static std::int64_t aligned(std::int64_t bytes) {
    // Runs may begin behind the first bytes of their place.
    return (bytes + 16 + 127) / 128 * 128;
  }
  std::int64_t leftBytes(std::int64_t cells) const {
    return aligned(cells * _pieces.lefts_each * _pieces.terms * _real_bytes);
  }
  std::int64_t rightBytes(std::int64_t cells) const {
    return aligned(cells * _pieces.rights * _pieces.terms * _real_bytes);
  }
  std::int64_t sumsBytes(std::int64_t cells) const {
    return aligned(cells * _pieces.lefts_each * _pieces.columns * _real_bytes);
  }
  std::int64_t stageBytes(std::int64_t cells) const { return leftBytes(cells) + rightBytes(cells); }

  bool fitsStages(std::int64_t cells, int stages, int sum_stages) const {
    return stages * stageBytes(cells) + sum_stages * sumsBytes(cells) <= _room;
  }
  /// Many pieces for each multiprocessor, so that it reads, computes and writes at the same time;
  /// three stages of them, not larger than is of use.
  int cellsOfPiece(const Machine& machine) const {
    constexpr std::int64_t enough = 48 * 1024;  // bytes of a stage
    const std::int64_t alignment = aligned(0),
                       outputs = std::int64_t(_pieces.lefts) * _pieces.columns;
    const std::int64_t inputs = std::int64_t(_pieces.lefts + _pieces.rights) * _pieces.terms;
    const std::int64_t all = 3 * inputs + _pieces.sum_stages * outputs;
    const std::int64_t fit = (_room - (6 + _pieces.sum_stages) * alignment) / (all * _real_bytes);
    const std::int64_t of_use = (enough - 2 * alignment) / (inputs * _real_bytes);
    const std::int64_t spread = _pieces.cells / (8 * machine.multiprocessors);
    return static_cast<int>(std::max<std::int64_t>(1, std::min({spread, fit, of_use})));
  }

  /// Cuts the left fields of a cell that is too large.
  /// \return whether that made it fit
  bool cutIntoParts() {
    const int rows = 8 * _tile.lefts;
    for (int stages : {3, 2}) {
      for (int parts = 1; parts <= (_pieces.lefts + rows - 1) / rows; ++parts) {
        const int each = (_pieces.lefts + parts - 1) / parts;
        _pieces.lefts_each = parts == 1 ? each : (each + rows - 1) / rows * rows;
        _pieces.parts = (_pieces.lefts + _pieces.lefts_each - 1) / _pieces.lefts_each;
        if (fitsStages(1, stages, _pieces.sum_stages)) return true;
      }
    }
    return false;
  }

  /// Cycles of a multiprocessor. Fitted to times of an H200 over random shapes, which are off by
  /// 3.5 (float) and 6 % (double) on average.
  double cyclesOfCell() const {
    struct Costs {
      double tile, row, block, instruction;   ///< of tiles, which warps take at a time
      double start, step, instruction_alone;  ///< of a warp that has the tile
      double piece;
    };
    const Costs costs = _real_bytes == 4 ? Costs{2.8, 0, 2.3, 8, 580, 51, 15, 460}
                                         : Costs{28, 4.6, 1.5, 4.7, 0, 8.6, 23, 1030};
    const CellPieces& p = _pieces;
    const int blocks = _tile.lefts * _tile.rights;
    const double tiles = double(p.left_tiles) * p.right_tiles * p.parts / p.cells_of_tile;
    const double steps = (p.terms + 7) / 8;
    const double instructions = (_tile.lefts + 1) / 2 * _tile.rights;
    // Lanes make columns of complex numbers of what they read.
    const double picks = isComplex() ? 2.5 * _tile.rights : 0;
    const double together = costs.tile + costs.row * (_tile.lefts + _tile.rights) +
                            costs.block * blocks +
                            (costs.instruction * instructions + picks) * steps;
    const double alone =
        costs.start + steps * (costs.step + costs.instruction_alone * instructions);
    // Warps run ahead into the next piece, which is there about every second time.
    const double at_hand = std::min<double>(CellPieces::consumers(blocks, int(_real_bytes)),
                                            1.5 * tiles / p.parts * p.cells_each);
    return tiles * (together + alone / at_hand) + costs.piece * p.parts / p.cells_each;
  }

  void layOut() {
    _exists = true;
    CellPieces& p = _pieces;
    const auto tiles = [](int rows, int blocks) { return (rows + 8 * blocks - 1) / (8 * blocks); };
    p.left_tiles = p.cells_of_tile == 2 ? 1 : tiles(p.lefts_each, _tile.lefts);
    p.right_tiles = p.cells_of_tile == 2 ? 1 : tiles(p.columns, _tile.rights);
    p.pieces = (p.cells + p.cells_each - 1) / p.cells_each * p.parts;
    p.right_at = static_cast<int>(leftBytes(p.cells_each));
    p.stage_bytes = static_cast<int>(stageBytes(p.cells_each));
    p.sums_bytes = static_cast<int>(sumsBytes(p.cells_each));
    p.stages = 2;
    while (p.stages < p.most_stages && fitsStages(p.cells_each, p.stages + 1, p.sum_stages)) {
      ++p.stages;
    }
    while (p.sum_stages < p.stages && fitsStages(p.cells_each, p.stages, p.sum_stages + 1)) {
      ++p.sum_stages;
    }
    p.sums_at = p.stages * p.stage_bytes;
    p.bytes = p.sums_at + p.sum_stages * p.sums_bytes;
  }

  std::int64_t _real_bytes, _room = 0;
  WarpTile _tile;
  bool _exists = false;
  CellPieces _pieces;
};

}  // namespace Impl
}  // namespace Kontract

#endif
