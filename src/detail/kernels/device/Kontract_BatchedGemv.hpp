// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_BATCHEDGEMV_HPP
#define KONTRACT_BATCHEDGEMV_HPP

#include "Kontract_Shuffle.hpp"
#include "detail/kernels/portable/Kontract_FastDivisor.hpp"
#include "detail/kernels/portable/Kontract_Pack.hpp"
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

/// One thread's share of some sums.
/// \tparam rows_each    rows that a group has at a time
/// \tparam terms_each   loads of a row in flight
/// \tparam lanes        terms of a load
/// \tparam shared_each  whether each row has a shared side of its own
template <int rows_each_, int terms_each, int lanes, bool shared_each, bool one_level, class Acc_,
          class Out, class Shared, class Row>
struct ShareOfSums {
  using Acc = Acc_;
  static constexpr int rows_each = rows_each_, terms_of_step = lanes * terms_each;
  static constexpr bool are_cells_rows = shared_each;
  static constexpr int sides = shared_each ? rows_each : 1;
  /// A lane's share of a row that makes up for adding up lanes: measured on an H200.
  static constexpr int least_bytes = lanes > 1 ? 16 : shared_each ? 4 : rows_each > 1 ? 32 : 48;
  static constexpr int held_bytes =  ///< in registers
      static_cast<int>(sizeof(Acc)) * (rows_each + terms_of_step * (rows_each + sides));

  Out* out;
  const Shared* shared;
  const Row* row;
  Acc* partial;  ///< (output, part) where there are several parts
  BatchedGemv sums;

  /// Where a thread is.
  struct Place {
    std::uint32_t cell, first_row, part, worker;  ///< worker: which of its group
    int computed_before;                          ///< rows that another group stores
    bool exists;
  };

  KOKKOS_FORCEINLINE_FUNCTION Place placeOf(std::uint32_t team, std::uint32_t thread) const {
    const BatchedGemv& s = sums;
    Place place;
    std::uint32_t block;
    if (s.terms_side_by_side) {
      place.worker = s.groups.takeFrom(thread);
      std::uint32_t count = team * s.across + thread;
      // Groups with the same cell are side by side.
      block = s.row_blocks.takeFrom(count);
      place.cell = s.cell_blocks.takeFrom(count);
      place.part = count;
      place.exists = place.part < s.parts;
    } else {
      const std::uint32_t first = s.groups.takeFrom(thread);
      place.worker = thread;
      block = s.row_blocks.takeFrom(team);
      place.cell = s.cell_blocks.takeFrom(team) * s.across + first;
      place.part = team;
      place.exists = place.cell < s.cells && place.worker < s.group;
    }
    // The last rows are as many as the others, so that loads need no conditions.
    place.first_row = block * rows_each;
    place.computed_before = 0;
    if (place.first_row + rows_each > s.rows && s.rows >= rows_each) {
      place.computed_before = static_cast<int>(place.first_row + rows_each - s.rows);
      place.first_row = s.rows - rows_each;
    }
    return place;
  }

  KOKKOS_FORCEINLINE_FUNCTION void add(Acc (&acc)[rows_each], const Place& place) const {
    for (int u = 0; u < rows_each; ++u) acc[u] = Acc(0);
    if (!place.exists) return;
    const BatchedGemv& s = sums;
    const Shared* of_shared = shared + place.cell * s.shared_cell;
    if constexpr (shared_each) of_shared += place.first_row * s.shared_row;
    const Row* of_rows = row + place.cell * s.rows_cell + place.first_row * s.rows_row;
    const std::uint32_t begin = place.part * s.terms_of_part;
    const std::uint32_t most = begin + s.terms_of_part, end = most < s.terms ? most : s.terms;
    const std::uint32_t step = s.group * lanes;
    std::uint32_t k = begin + place.worker * lanes;
    for (; k + (terms_each - 1) * step < end; k += terms_each * step) {
      addTerms<true>(acc, of_shared, of_rows, k, end, step);
    }
    if (k < end) addTerms<false>(acc, of_shared, of_rows, k, end, step);
  }

  /// Stores row u of a place.
  KOKKOS_FORCEINLINE_FUNCTION void finish(const Place& place, int u, const Acc& acc) const {
    const BatchedGemv& s = sums;
    if (!place.exists || u < place.computed_before || place.first_row + u >= s.rows) return;
    const std::int64_t cell = place.cell, i = place.first_row + u;
    if (s.parts > 1) {
      const std::int64_t output = s.cell_fastest ? cell + s.cells * i : cell * s.rows + i;
      partial[output * s.parts + place.part] = acc;
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
    Pack<Shared, lanes> x[terms_each][sides];
    Pack<Row, lanes> y[terms_each][rows_each];
    for (int t = 0; t < terms_each; ++t) {
      if (!all && k + t * step >= end) continue;
      const BatchedGemv::TermAt at = sums.template term<one_level>(k + t * step);
      for (int u = 0; u < sides; ++u) {
        x[t][u] =
            loadPack<lanes>(of_shared + at.shared + u * sums.shared_row, sums.shared_in_common);
      }
      for (int u = 0; u < rows_each; ++u) {
        y[t][u] = loadPack<lanes>(of_rows + at.row + u * sums.rows_row);
      }
    }
    for (int t = 0; t < terms_each; ++t) {
      if (!all && k + t * step >= end) continue;
      for (int u = 0; u < rows_each; ++u) {
        for (int v = 0; v < lanes; ++v) {
          multiplyAdd(acc[u], x[t][shared_each ? u : 0].lanes[v], y[t][u].lanes[v]);
        }
      }
    }
  }
};

/// Groups of one thread, or of neighbouring lanes that exchange registers: no thread needs scratch
/// memory. The number of threads is a multiple of team_size, and so of the lanes of any warp or
/// wavefront, which are neighbouring threads: all of one are there when they exchange.
template <class Share>
struct ThreadOfSums {
  using Acc = typename Share::Acc;
  static constexpr int team_size = 256, rows_each = Share::rows_each;
  using launch_bounds = Kokkos::LaunchBounds<team_size, Share::held_bytes <= 128 ? 4 : 3>;
  Share share;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    const std::uint32_t thread = static_cast<std::uint32_t>(i);
    const auto place = share.placeOf(thread / team_size, thread % team_size);
    Acc acc[rows_each];
    share.add(acc, place);
    int distance = static_cast<int>(share.sums.group) / 2, held = rows_each, first = 0;
    // Each row's sum ends in a lane of its own, where there are as many: it takes few exchanges.
    if constexpr (rows_each == 4) {
      if (distance > 0) {
        const bool is_upper = (place.worker & distance) != 0;
        exchange(acc[0], acc[2], distance, is_upper);
        exchange(acc[1], acc[3], distance, is_upper);
        first = is_upper ? 2 : 0;
        held = 2;
        distance /= 2;
      }
      if (held == 2 && distance > 0) {
        const bool is_upper = (place.worker & distance) != 0;
        exchange(acc[0], acc[1], distance, is_upper);
        first += is_upper ? 1 : 0;
        held = 1;
        distance /= 2;
      }
    }
    const bool is_first = distance == 0 || (place.worker & (2 * distance - 1)) == 0;
    for (; distance > 0; distance /= 2) acc[0] += shuffleXor(acc[0], distance);
    if (!is_first) return;
    for (int u = 0; u < rows_each; ++u) {
      if (u < held) share.finish(place, first + u, acc[u]);
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
template <class Share>
struct TeamOfSums {
  using Acc = typename Share::Acc;
  static constexpr int rows_each = Share::rows_each;
  Share share;

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(const Workers<Member>& workers, std::int64_t piece) const {
    Acc* const values = static_cast<Acc*>(workers.scratch);
    const int count = workers.count();
    const std::uint32_t team = static_cast<std::uint32_t>(piece);
    workers.each([&](const int worker) {
      Acc acc[rows_each];
      share.add(acc, share.placeOf(team, static_cast<std::uint32_t>(worker)));
      for (int u = 0; u < rows_each; ++u) values[u * count + worker] = acc[u];
    });
    workers.wait();
    const BatchedGemv& s = share.sums;
    const int across = static_cast<int>(s.across), group = static_cast<int>(s.group);
    workers.share(across * rows_each, [&](const std::int64_t i) {
      const int u = static_cast<int>(i) / across, which = static_cast<int>(i) % across;
      const int step = s.terms_side_by_side ? 1 : across;
      const int first = s.terms_side_by_side ? which * group : which;
      const Acc* const of_group = values + u * count + first;
      Acc acc(0);
      for (int j = 0; j < group; ++j) acc += of_group[j * step];
      share.finish(share.placeOf(team, static_cast<std::uint32_t>(first)), u, acc);
    });
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
