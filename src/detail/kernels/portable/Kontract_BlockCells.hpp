// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_BLOCKCELLS_HPP
#define KONTRACT_BLOCKCELLS_HPP

#include <cstdint>

#include "Kontract_BlockFunction.hpp"
#include "Kontract_TeamCells.hpp"
#include "Kontract_TrilinearCells.hpp"

namespace Kontract {
namespace Impl {

/// Cells in space that a block of threads of a device computes at a time. Where they are trilinear,
/// their vectors are kept in the place of their nodes.
template <class Problem, class Block>
struct BlockCells : TeamCells<Problem, 3> {
  static constexpr int D = 3;
  static constexpr bool have_nodes = Problem::gradients_type::is_ever_there;
  using typename TeamCells<Problem, 3>::Acc;
  using Table = TrilinearTable<Acc>;
  /// The number of a cell, and where it begins in the vector and the output, or in their numbers.
  struct Start {
    std::int64_t cell, vector, output;
  };

  Table table;
  bool are_trilinear = false;
  int last;       ///< the last one that is there
  Start* starts;  ///< of this batch and the next one
  int turn = 0;   ///< the half of starts that this batch has

  /// Goes on to cells from `next` on, which findNext() was called for.
  KONTRACT_BLOCK_FUNCTION void goTo(const Problem& problem, std::int64_t next) {
    this->first = next;
    turn ^= 1;
    const std::int64_t rest = problem.shape.cells - 1 - next, most = this->count - 1;
    last = static_cast<int>(rest < most ? rest : most);
  }
  /// Finds where the cells of the next batch begin, by all threads, while this one is computed.
  KONTRACT_BLOCK_FUNCTION void findNext(const Problem& problem, std::int64_t next) const {
    if (Block::thread() >= this->count) return;
    const std::int64_t c = CellBatch{next}.at(problem, Block::thread());
    Start& start = starts[(turn ^ 1) * this->count + Block::thread()];
    start.cell = c;
    if constexpr (Problem::kind == FormKind::Products) {
      const bool has_numbers = problem.vector.numbers != nullptr;
      start.vector = c * (has_numbers ? problem.vector.fields : problem.vector.strides.cell);
    }
    const bool is_scattered = problem.isScattered();
    start.output = c * (is_scattered ? problem.scatter.to.rows.fields : problem.out_strides.cell);
  }
  /// Where a cell begins, or the last one for those past it.
  KONTRACT_BLOCK_FUNCTION const Start& start(int cell) const {
    return starts[turn * this->count + cell];
  }
  KONTRACT_BLOCK_FUNCTION std::int64_t at(int cell) const { return start(cell).cell; }
  KONTRACT_BLOCK_FUNCTION bool isThere(int cell) const { return cell <= last; }

  /// Finds out whether they are trilinear, by all threads.
  /// \param points  in each direction, of a tensor product
  KONTRACT_BLOCK_FUNCTION void findTrilinear(const Problem& problem, int threads,
                                             const int (&points)[D]) {
    if constexpr (have_nodes) {
      if (this->node_count != TrilinearCells::nodes) return;
      if (points[0] * points[1] * points[2] == 0) return;  // there is nothing to look at
      table = Table(this->nodes + TrilinearCells::nodes * D * this->count, points);
      const auto gradient = [&](int node, int p, int d) {
        return Acc(problem.gradients.at(0, node, p, d));
      };
      table.findSigns(Block::thread(), threads, gradient);
      Block::wait();
      table.findPoints(Block::thread(), threads, gradient);
      Block::wait();
      table.compare(Block::thread(), threads, gradient);
      Block::wait();
      are_trilinear = table.isTrilinear();
    }
  }

  /// Reads the nodes, by all threads.
  /// \param takeCell  takes a cell off a number of several
  template <class TakeCell>
  KONTRACT_BLOCK_FUNCTION void load(const Problem& problem, int threads,
                                    const TakeCell& takeCell) const {
    if constexpr (have_nodes) {
      const int of_cell = are_trilinear ? D : this->node_count;
      for (int n = Block::thread(); n < of_cell * this->count; n += threads) {
        auto rest = static_cast<std::uint32_t>(n);
        const int cell = takeCell(rest), number = static_cast<int>(rest);
        if (are_trilinear) {
          loadVectors(problem, cell, number);
        } else {
          this->loadNode(problem, number, cell);
        }
      }
    }
  }

  /// A column of points of a trilinear cell.
  KONTRACT_BLOCK_FUNCTION TrilinearColumn<Acc> column(int cell, int first, int second) const {
    return {this->nodes + cell, this->count, table.coordinates(0) + first,
            table.coordinates(1) + second, table.coordinates(2)};
  }

 private:
  /// Component i of the vectors of a cell.
  KONTRACT_BLOCK_FUNCTION void loadVectors(const Problem& problem, int cell, int i) const {
    const std::int64_t c = at(cell);
    setTrilinear(
        table, [&](int node) { return Acc(problem.mapping.at(c, node, 0, i)); },
        this->nodes + i * this->count + cell, D * this->count);
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
