// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_DEVICEGEMV_HPP
#define KONTRACT_DEVICEGEMV_HPP

#include <algorithm>
#include <string>

#include "detail/kernels/device/Kontract_BatchedGemv.hpp"
#include "detail/kernels/portable/Kontract_Shuffle.hpp"
#include "detail/launch/Kontract_Launch.hpp"
#include "detail/support/Kontract_Machine.hpp"

namespace Kontract {
namespace Impl {

/// Contractions of plain scalars on devices where one side has a single field, at the speed of
/// memory: see BatchedGemv. The sum over k may be cut into parts.
struct DeviceGemv {
  static bool applies(const Box& box) { return box.extents[1] == 1 || box.extents[2] == 1; }

  /// Threads that a part of all sums keeps busy.
  static double threadsOf(const Work& work) {
    const std::int64_t useful = std::max<std::int64_t>(1, work.terms / rows_each);
    return static_cast<double>(sumsOf(work.box, work.cell_fastest)) *
           static_cast<double>(std::min(useful, groupOf(work.cell_fastest)));
  }

  /// Expected seconds of reading and writing with so many threads: a few of those that a device
  /// runs at once use up its bandwidth.
  static double seconds(const Work& work, const Machine& machine, double threads) {
    const double busy = std::min(1.0, 12 * threads / machine.concurrency);
    return work.bytes / (busy * machine.bytes_per_second);
  }

  /// Parts of the sum over k that leave no multiprocessor idle: measured on an H200.
  static std::int64_t partsFor(const Box& box, bool cell_fastest, const Machine& machine) {
    return machine.concurrency / 2 / (groupOf(cell_fastest) * sumsOf(box, cell_fastest));
  }

  /// Rows that a thread adds up at a time, so that what they share is read once for all of them.
  static constexpr int rows_each = 4;
  static constexpr int team = 256;

  /// \param parts    of the sum over k
  /// \param partial  where there are several: their sums, (output, part), in the accumulator's type
  /// \return whether it did; if not, some extent is too large for 32-bit counts
  template <class Space, class Problem>
  static bool run(const Space& space, const Problem& problem, std::int64_t parts, void* partial,
                  const std::string& label) {
    const ContractionShape& s = problem.shape;
    const double threads = 32.0 * static_cast<double>(s.box().size()) * static_cast<double>(parts);
    if (std::max(threads, static_cast<double>(s.terms())) > FastDivisor::end / 2) return false;
    if (s.lefts == 1) {
      start(space, problem, problem.left.data, problem.right.data, partial, label,
            sumsOf(s, parts, s.rights, s.out_right, s.left_cell, s.right_cell, s.right_field));
      return true;
    }
    ContractionShape turned = s;
    for (SumLevel& level : turned.sum) std::swap(level.left, level.right);
    start(space, problem, problem.right.data, problem.left.data, partial, label,
          sumsOf(turned, parts, s.lefts, s.out_left, s.right_cell, s.left_cell, s.left_field));
    return true;
  }

 private:
  /// Threads that share a sum where sums are few.
  static constexpr std::int64_t groupOf(bool cell_fastest) { return cell_fastest ? 8 : 32; }

  /// Blocks of sums that a group of threads adds up at a time.
  static std::int64_t sumsOf(const Box& box, bool cell_fastest) {
    const auto blocks = [](std::int64_t rows) { return (rows + rows_each - 1) / rows_each; };
    const std::int64_t rows = std::max(box.extents[1], box.extents[2]);
    return rows == 1 && !cell_fastest ? blocks(box.extents[0]) : box.extents[0] * blocks(rows);
  }

  static BatchedGemv sumsOf(const ContractionShape& s, std::int64_t parts, std::int64_t rows,
                            std::int64_t out_row, std::int64_t shared_cell, std::int64_t rows_cell,
                            std::int64_t rows_row) {
    BatchedGemv sums;
    sums.parts = static_cast<std::uint32_t>(parts);
    sums.cells = static_cast<std::uint32_t>(s.cells);
    sums.cells_in_all = s.whole().cells;
    sums.rows = static_cast<std::uint32_t>(rows);
    sums.terms = static_cast<std::uint32_t>(s.terms());
    sums.out_cell = s.out_cell;
    sums.out_row = out_row;
    sums.shared_cell = shared_cell;
    sums.rows_cell = rows_cell;
    sums.rows_row = rows_row;
    std::copy(std::begin(s.sum), std::end(s.sum), sums.sum);
    sums.has_one_level = s.sum[0].extent == 1 && s.sum[1].extent == 1;
    sums.inner = FastDivisor(std::max<std::int64_t>(1, s.sum[2].extent));
    sums.middle = FastDivisor(std::max<std::int64_t>(1, s.sum[1].extent));
    sums.sum_into = s.sum_into;
    sums.shared_in_common = sums.has_one_level && s.sum[2].left == 0;
    sums.cell_fastest = s.isCellFastest();
    sums.terms_side_by_side = !sums.cell_fastest;
    return sums;
  }

  template <class Space, class Problem, class Shared, class Row>
  static void start(const Space& space, const Problem& problem, const Shared* shared,
                    const Row* row, void* partial, const std::string& label, BatchedGemv sums) {
    using Acc = AccumulatorOf<Problem>;
    using Out = typename Problem::out_type::value_type;
    constexpr int wide = std::is_same_v<Shared, Row> ? pack_size<Row> : 1;
    const auto launchOf = [&](auto rows, auto terms, auto width, auto each, auto one_level) {
      using Tile = GemvTile<decltype(rows)::value, decltype(terms)::value, decltype(width)::value,
                            decltype(each)::value, decltype(one_level)::value>;
      using Thread = GemvThread<Tile, GemvScalars<Acc, Out, Shared, Row>>;
      deal(space, label, Thread{problem.out.data, shared, row, static_cast<Acc*>(partial), sums});
    };
    using One = std::integral_constant<int, 1>;
    using Two = std::integral_constant<int, 2>;
    using Four = std::integral_constant<int, 4>;
    using Rows = std::integral_constant<int, rows_each>;
    using Wide = std::integral_constant<int, wide>;
    constexpr std::true_type yes;
    constexpr std::false_type no;
    const bool in_packs = wide > 1 && fitsPacks(sums, shared, row, wide);
    if (sums.rows >= rows_each) {
      if (!sums.has_one_level) return launchOf(Rows(), Two(), One(), no, no);
      if (in_packs) return launchOf(Rows(), One(), Wide(), no, yes);
      return launchOf(Rows(), Two(), One(), no, yes);
    }
    if (!sums.has_one_level) return launchOf(One(), Four(), One(), no, no);
    const bool is_short = sums.terms / sums.parts < short_terms;
    const bool cells_as_rows = sums.terms_side_by_side && sums.rows == 1 &&
                               sums.cells_in_all >= rows_each && (in_packs || is_short);
    if (!cells_as_rows) return launchOf(One(), Four(), One(), no, yes);
    // Cells take the place of rows, each of which has its own shared side. In a chunk of fewer
    // cells than that a thread reads its only row several times.
    sums.shared_row = sums.rows_row = 0;
    if (sums.cells >= rows_each) {
      sums.rows = sums.cells;
      sums.cells = 1;
      sums.out_row = sums.out_cell;
      sums.shared_row = sums.shared_cell;
      sums.rows_row = sums.rows_cell;
    }
    if (in_packs) return launchOf(Rows(), One(), Wide(), yes, yes);
    return launchOf(Rows(), One(), One(), yes, yes);
  }

  template <class Shared, class Row>
  static bool fitsPacks(const BatchedGemv& s, const Shared* shared, const Row* row,
                        int pack_width) {
    const SumLevel& inner = s.sum[BatchedGemv::levels - 1];
    const auto is_whole = [&](std::int64_t extent, std::int64_t stride) {
      return extent == 1 || stride % pack_width == 0;
    };
    const bool fits_shared =
        inner.left == 0 || (inner.left == 1 && isAlignedForPacks(shared, pack_width) &&
                            is_whole(s.cells_in_all, s.shared_cell));
    return s.has_one_level && fits_shared && inner.right == 1 && s.terms % pack_width == 0 &&
           is_whole(s.cells_in_all, s.rows_cell) && is_whole(s.rows, s.rows_row) &&
           isAlignedForPacks(row, pack_width);
  }

  /// Deals rows and terms to threads, and starts them.
  template <class Space, class Thread>
  static void deal(const Space& space, const std::string& label, Thread thread) {
    BatchedGemv& s = thread.sums;
    constexpr bool exchanges = lanes_of_exchange < Space >> 1;
    static_assert(!exchanges || groupOf(false) <= lanes_of_exchange<Space>);
    const std::int64_t step = Thread::terms_of_step;
    const std::int64_t even = (std::int64_t(s.terms) + s.parts - 1) / s.parts;
    const std::int64_t part = (even + step - 1) / step * step;
    const std::int64_t steps = std::max<std::int64_t>(1, even / step);
    const std::int64_t row_blocks = (s.rows + Thread::rows_each - 1) / Thread::rows_each;
    // Groups are those of the problem that this may be a chunk of, to add up in the same order.
    const std::int64_t blocks_in_all =
        Thread::are_cells_rows ? (s.cells_in_all + Thread::rows_each - 1) / Thread::rows_each
                               : s.cells_in_all * row_blocks;
    std::int64_t group = 1, across = team, cell_blocks = s.cells, teams = 1;
    if (s.terms_side_by_side) {
      // Lanes that exchange registers at most, each with enough to read; more of them where few
      // sums would leave most of the device idle.
      const std::int64_t sums = blocks_in_all * s.parts;
      const std::int64_t row_bytes = even * std::int64_t(sizeof(typename Thread::Acc));
      const std::int64_t useful = std::min(steps, row_bytes / Thread::least_bytes);
      while (
          group < groupOf(false) &&
          (group * 2 <= useful || (group * 2 <= steps && sums * group < 2 * space.concurrency()))) {
        group *= 2;
      }
      across = team / group;
      teams = (s.cells * row_blocks * s.parts + across - 1) / across;
      s.groups = FastDivisor(group);
    } else {
      const std::int64_t busy = blocks_in_all * s.parts;
      const std::int64_t useful = space.concurrency() / busy;
      const std::int64_t room = team / std::min<std::int64_t>(s.cells_in_all, team);
      group =
          std::clamp<std::int64_t>(std::max(room, std::min<std::int64_t>(useful, groupOf(true))), 1,
                                   std::min<std::int64_t>(steps, team));
      across = team / group;
      cell_blocks = (s.cells + across - 1) / across;
      teams = cell_blocks * row_blocks * s.parts;
      s.groups = FastDivisor(across);
    }
    s.terms_of_part = static_cast<std::uint32_t>(part);
    s.group = static_cast<std::uint32_t>(group);
    s.across = static_cast<std::uint32_t>(across);
    s.row_blocks = FastDivisor(row_blocks);
    s.cell_blocks = FastDivisor(cell_blocks);
    if (group == 1 || (s.terms_side_by_side && exchanges)) {
      static_assert(GemvByShuffle<Thread>::team_size == team);
      launch(space, label, teams * team, GemvByShuffle<Thread>{thread});
      return;
    }
    Teams in_scratch{teams, team, 1};
    in_scratch.scratch_bytes =
        scratchBytes(std::int64_t(team) * Thread::rows_each, sizeof(typename Thread::Acc));
    launch(space, label, in_scratch, GemvByTeam<Thread>{thread});
  }

  static constexpr std::int64_t short_terms = 64;
};

}  // namespace Impl
}  // namespace Kontract

#endif
