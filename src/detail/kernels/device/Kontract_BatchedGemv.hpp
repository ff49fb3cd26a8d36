// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_BATCHEDGEMV_HPP
#define KONTRACT_BATCHEDGEMV_HPP

#include "detail/kernels/portable/Kontract_FastDivisor.hpp"
#include "detail/kernels/portable/Kontract_Pack.hpp"
#include "detail/kernels/portable/Kontract_Shuffle.hpp"
#include "detail/kernels/portable/Kontract_SumOfProducts.hpp"
#include "detail/kernels/portable/Kontract_Workers.hpp"

namespace Kontract {
namespace Impl {

/// Contractions where one side has a single field, as the threads of a device take them:
///
///     out(c,i) (+)= sum over k of shared(c,k) * rows(c,i,k)
///
/// A group of threads adds up a few rows of a cell at a time. Where terms are neighbours in memory
/// a group is neighbouring threads; where cells are, neighbouring threads have neighbouring cells.
/// Without its scalars.
struct BatchedGemv {
  static constexpr int levels = ContractionShape::sum_levels;

  std::uint32_t cells = 1, rows = 1, terms = 0;
  std::int64_t cells_in_all = 1;  ///< of the problem that this is a chunk of
  std::int64_t out_cell = 0, out_row = 0;
  std::int64_t shared_cell = 0, shared_row = 0;  ///< rows of cells side by side have one each
  std::int64_t rows_cell = 0, rows_row = 0;
  SumLevel sum[levels];  ///< left is the shared side, right the rows
  FastDivisor inner, middle;
  bool has_one_level = true, sum_into = false;
  bool shared_in_common = false;  ///< by all terms

  /// Threads work in teams, whether or not they need to know each other.
  bool terms_side_by_side = true;
  std::uint32_t group = 1, across = 1;  ///< threads of a group; groups of a team
  FastDivisor groups;                   ///< of neighbouring threads
  FastDivisor row_blocks, cell_blocks;
  std::uint32_t parts = 1, terms_of_part = 0;
  bool cell_fastest = false;  ///< in the order of partial sums

  struct TermAt {
    std::int64_t shared, row;
  };
  template <bool one_level>
  KOKKOS_FORCEINLINE_FUNCTION TermAt term(std::uint32_t k) const {
    constexpr int last = levels - 1;
    if constexpr (one_level) return {k * sum[last].left, k * sum[last].right};
    const std::uint32_t i = inner.takeFrom(k), j = middle.takeFrom(k);
    return {i * sum[last].left + j * sum[1].left + k * sum[0].left,
            i * sum[last].right + j * sum[1].right + k * sum[0].right};
  }
};

/// What a thread has in registers at a time.
/// \tparam rows_         rows that a group of threads has
/// \tparam terms_        loads of a row in flight
/// \tparam pack_width_   terms of a load
/// \tparam shared_each_  whether each row has a shared side of its own
/// \tparam one_level_    whether terms are one step apart
template <int rows_, int terms_, int pack_width_, bool shared_each_, bool one_level_>
struct GemvTile {
  static constexpr int rows = rows_, terms = terms_, pack_width = pack_width_;
  static constexpr bool shared_each = shared_each_, one_level = one_level_;
};

template <class Acc_, class Out_, class Shared_, class Row_>
struct GemvScalars {
  using Acc = Acc_;
  using Out = Out_;
  using Shared = Shared_;
  using Row = Row_;
};

/// One thread's share of some sums.
/// \tparam Tile     a GemvTile
/// \tparam Scalars  GemvScalars
template <class Tile, class Scalars>
struct GemvThread {
  using Acc = typename Scalars::Acc;
  using Out = typename Scalars::Out;
  using Shared = typename Scalars::Shared;
  using Row = typename Scalars::Row;
  static constexpr int rows_each = Tile::rows, terms_each = Tile::terms;
  static constexpr int pack_width = Tile::pack_width, terms_of_step = pack_width * terms_each;
  static constexpr bool are_cells_rows = Tile::shared_each;
  static constexpr int sides = are_cells_rows ? rows_each : 1;
  /// A lane's share of a row that makes up for adding up lanes: measured on an H200.
  static constexpr int least_bytes = pack_width > 1   ? 16
                                     : are_cells_rows ? 4
                                     : rows_each > 1  ? 32
                                                      : 48;
  static constexpr int held_bytes =  ///< in registers
      static_cast<int>(sizeof(Acc)) * (rows_each + terms_of_step * (rows_each + sides));

  Out* out;
  const Shared* shared;
  const Row* row;
  Acc* partial;  ///< (output, part) where there are several parts
  BatchedGemv sums;

  /// What a thread of a team has to do.
  struct WorkItem {
    std::uint32_t cell, first_row, part, worker;  ///< worker: which of its group
    int computed_before;                          ///< rows that another group stores
    bool exists;
  };

  KOKKOS_FORCEINLINE_FUNCTION WorkItem workItemOf(std::uint32_t team, std::uint32_t thread) const {
    const BatchedGemv& s = sums;
    WorkItem item;
    std::uint32_t block;
    if (s.terms_side_by_side) {
      item.worker = s.groups.takeFrom(thread);
      std::uint32_t count = team * s.across + thread;
      // Groups with the same cell are side by side.
      block = s.row_blocks.takeFrom(count);
      item.cell = s.cell_blocks.takeFrom(count);
      item.part = count;
      item.exists = item.part < s.parts;
    } else {
      const std::uint32_t first = s.groups.takeFrom(thread);
      item.worker = thread;
      block = s.row_blocks.takeFrom(team);
      item.cell = s.cell_blocks.takeFrom(team) * s.across + first;
      item.part = team;
      item.exists = item.cell < s.cells && item.worker < s.group;
    }
    // The last rows are as many as the others, so that loads need no conditions.
    item.first_row = block * rows_each;
    item.computed_before = 0;
    if (item.first_row + rows_each > s.rows && s.rows >= rows_each) {
      item.computed_before = static_cast<int>(item.first_row + rows_each - s.rows);
      item.first_row = s.rows - rows_each;
    }
    return item;
  }

  KOKKOS_FORCEINLINE_FUNCTION void add(Acc (&acc)[rows_each], const WorkItem& item) const {
    for (int u = 0; u < rows_each; ++u) acc[u] = Acc(0);
    if (!item.exists) return;
    const BatchedGemv& s = sums;
    const Shared* of_shared = shared + item.cell * s.shared_cell;
    if constexpr (are_cells_rows) of_shared += item.first_row * s.shared_row;
    const Row* of_rows = row + item.cell * s.rows_cell + item.first_row * s.rows_row;
    const std::uint32_t begin = item.part * s.terms_of_part;
    const std::uint32_t most = begin + s.terms_of_part, end = most < s.terms ? most : s.terms;
    const std::uint32_t step = s.group * pack_width;
    std::uint32_t k = begin + item.worker * pack_width;
    for (; k + (terms_each - 1) * step < end; k += terms_each * step) {
      addTerms<true>(acc, of_shared, of_rows, k, end, step);
    }
    if (k < end) addTerms<false>(acc, of_shared, of_rows, k, end, step);
  }

  /// Stores row u of a item.
  KOKKOS_FORCEINLINE_FUNCTION void finish(const WorkItem& item, int u, const Acc& acc) const {
    const BatchedGemv& s = sums;
    if (!item.exists || u < item.computed_before || item.first_row + u >= s.rows) return;
    const std::int64_t cell = item.cell, i = item.first_row + u;
    if (s.parts > 1) {
      const std::int64_t output = s.cell_fastest ? cell + s.cells * i : cell * s.rows + i;
      partial[output * s.parts + item.part] = acc;
      return;
    }
    Out& to = out[cell * s.out_cell + i * s.out_row];
    if (s.sum_into) {
      store<true>(to, acc);
    } else {
      store<false>(to, acc);
    }
  }

 private:
  /// All inputs are on their way before the first of them is used.
  template <bool all>
  KOKKOS_FORCEINLINE_FUNCTION void addTerms(Acc (&acc)[rows_each], const Shared* of_shared,
                                            const Row* of_rows, std::uint32_t k, std::uint32_t end,
                                            std::uint32_t step) const {
    Pack<Shared, pack_width> x[terms_each][sides];
    Pack<Row, pack_width> y[terms_each][rows_each];
    for (int t = 0; t < terms_each; ++t) {
      if (!all && k + t * step >= end) continue;
      const BatchedGemv::TermAt at = sums.template term<Tile::one_level>(k + t * step);
      for (int u = 0; u < sides; ++u) {
        x[t][u] = loadPack<pack_width>(of_shared + at.shared + u * sums.shared_row,
                                       sums.shared_in_common);
      }
      for (int u = 0; u < rows_each; ++u) {
        y[t][u] = loadPack<pack_width>(of_rows + at.row + u * sums.rows_row);
      }
    }
    for (int t = 0; t < terms_each; ++t) {
      if (!all && k + t * step >= end) continue;
      for (int u = 0; u < rows_each; ++u) {
        for (int v = 0; v < pack_width; ++v) {
          multiplyAdd(acc[u], x[t][are_cells_rows ? u : 0].scalars[v], y[t][u].scalars[v]);
        }
      }
    }
  }
};

/// Groups of one thread, or of neighbouring lanes that exchange registers: no thread needs scratch
/// memory. The number of threads is a multiple of team_size, and so of the lanes of any warp or
/// wavefront, which are neighbouring threads: all of one are there when they exchange.
template <class Thread>
struct GemvByShuffle {
  using Acc = typename Thread::Acc;
  static constexpr int team_size = 256, rows_each = Thread::rows_each;
  using launch_bounds = Kokkos::LaunchBounds<team_size, Thread::held_bytes <= 128 ? 4 : 3>;
  Thread gemv;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    const std::uint32_t thread = static_cast<std::uint32_t>(i);
    const auto item = gemv.workItemOf(thread / team_size, thread % team_size);
    Acc acc[rows_each];
    gemv.add(acc, item);
    int distance = static_cast<int>(gemv.sums.group) / 2, held = rows_each, first = 0;
    // Each row's sum ends in a lane of its own, where there are as many: it takes few exchanges.
    if constexpr (rows_each == 4) {
      if (distance > 0) {
        const bool is_upper = (item.worker & distance) != 0;
        exchange(acc[0], acc[2], distance, is_upper);
        exchange(acc[1], acc[3], distance, is_upper);
        first = is_upper ? 2 : 0;
        held = 2;
        distance /= 2;
      }
      if (held == 2 && distance > 0) {
        const bool is_upper = (item.worker & distance) != 0;
        exchange(acc[0], acc[1], distance, is_upper);
        first += is_upper ? 1 : 0;
        held = 1;
        distance /= 2;
      }
    }
    const bool is_first = distance == 0 || (item.worker & (2 * distance - 1)) == 0;
    for (; distance > 0; distance /= 2) acc[0] += shuffleXor(acc[0], distance);
    if (!is_first) return;
    for (int u = 0; u < rows_each; ++u) {
      if (u < held) gemv.finish(item, first + u, acc[u]);
    }
  }

 private:
  /// The lower lane of a pair gets the sum of both lanes' first values, the upper one that of the
  /// second ones.
  KOKKOS_FORCEINLINE_FUNCTION static void exchange(Acc& first, const Acc& second, int distance,
                                                   bool is_upper) {
    const Acc sent = is_upper ? first : second;
    const Acc kept = is_upper ? second : first;
    first = kept + shuffleXor(sent, distance);
  }
};

/// Groups that add up in the scratch memory of their team.
template <class Thread>
struct GemvByTeam {
  using Acc = typename Thread::Acc;
  static constexpr int rows_each = Thread::rows_each;
  Thread gemv;

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(const Workers<Member>& workers, std::int64_t piece) const {
    Acc* const values = static_cast<Acc*>(workers.scratch);
    const int count = workers.count();
    const std::uint32_t team = static_cast<std::uint32_t>(piece);
    workers.each([&](const int worker) {
      Acc acc[rows_each];
      gemv.add(acc, gemv.workItemOf(team, static_cast<std::uint32_t>(worker)));
      for (int u = 0; u < rows_each; ++u) values[u * count + worker] = acc[u];
    });
    workers.wait();
    const BatchedGemv& s = gemv.sums;
    const int across = static_cast<int>(s.across), group = static_cast<int>(s.group);
    workers.share(across * rows_each, [&](const std::int64_t i) {
      const int u = static_cast<int>(i) / across, which = static_cast<int>(i) % across;
      const int step = s.terms_side_by_side ? 1 : across;
      const int first = s.terms_side_by_side ? which * group : which;
      const Acc* const of_group = values + u * count + first;
      Acc acc(0);
      for (int j = 0; j < group; ++j) acc += of_group[j * step];
      gemv.finish(gemv.workItemOf(team, static_cast<std::uint32_t>(first)), u, acc);
    });
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
