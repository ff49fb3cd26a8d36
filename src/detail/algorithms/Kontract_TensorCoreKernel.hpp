// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TENSORCOREKERNEL_HPP
#define KONTRACT_TENSORCOREKERNEL_HPP

#include <utility>

#include "detail/kernels/cuda/Kontract_TensorCoreOperands.hpp"
#include "detail/kernels/cuda/Kontract_TensorCoreStores.hpp"

#ifdef KOKKOS_ENABLE_CUDA

namespace Kontract {
namespace Impl {

/// Contractions by matrix instructions. A lane reads each operand of an instruction by itself, into
/// the register that the instruction wants it in: wider reads of terms side by side would have to
/// be sorted by moves, several for each instruction.
template <class T, Rows rows, int lefts, int rights, bool by_engine>
struct TensorCoreKernel {
  using Reads = TensorCoreOperands<T, rows>;
  using Stores = TensorCoreStores<T, rows, lefts, rights>;
  using Tile = typename Stores::Tile;
  using Pair = typename Tile::Pair;
  using Lane = typename Reads::Lane;
  template <int count>
  using Operands = typename Reads::template Operands<count>;
  static constexpr bool is_complex = Reads::is_complex, by_cells = Reads::by_cells;
  static constexpr bool pairs_cells = Reads::pairs_cells;
  static constexpr int tile_lefts = Stores::tile_lefts, tile_rights = Stores::tile_rights;
  static constexpr int sums = Reads::sums, reads = Reads::reads;
  using Ring = StageRing<T, rows, true, by_engine>;

  StagedInput<T> left, right;
  StagedOutput<T> out;
  StagePlan plan;
  TensorWarps warps;
  int sums_at;  ///< in shared memory

  __device__ void operator()() const {
    extern __shared__ __align__(1024) char memory[];
    __shared__ typename Ring::Barriers barriers;
    Ring ring(plan, left, right, memory, barriers);
    if (ring.isProducer()) {
      ring.produce();
      return;
    }
    const ThreadCoordinates thread = ThreadCoordinates::here(warps);
    const Stores stores{out, plan, warps};
    Tile tiles[sums];
    for (std::int64_t i = blockIdx.x; i < plan.works; i += gridDim.x) {
#pragma unroll
      for (int s = 0; s < sums; ++s) tiles[s].clear();
      if (plan.terms > 0) {
        if constexpr (by_cells) {
          addCells(tiles, ring, thread, ring.workOf(i));
        } else {
          addTerms(tiles, ring, thread, ring.partsOf({}));
        }
      }
      const StageWork work = ring.workOf(i);
      if constexpr (by_cells) {
        stores.storeCells(tiles, work, thread, memory + sums_at);
      } else {
        stores.storeCell(tiles, work, thread, memory + sums_at);
      }
    }
  }

 private:
  template <int count, class F, int... n>
  __device__ __forceinline__ static void forEachOf(const F& f, std::integer_sequence<int, n...>) {
    (f(std::integral_constant<int, n>()), ...);
  }
  template <int count, class F>
  __device__ __forceinline__ static void forEachConstant(const F& f) {
    forEachOf<count>(f, std::make_integer_sequence<int, count>());
  }

  /// Blocks of left fields that are read at a time, while instructions work on others.
  static constexpr int left_parts = lefts % 4 == 0 ? 2 : 1, part_lefts = lefts / left_parts;

  /// Adds all terms of a piece of work, rows of cells: each block of operands is read again, for
  /// the next eight terms, as soon as instructions have used it, so there is no second set of
  /// registers. A stage is given back when all of it is in registers.
  __device__ __forceinline__ void addCells(Tile (&tiles)[sums], Ring& ring,
                                           const ThreadCoordinates& thread,
                                           const StageWork& work) const {
    const std::int64_t first_cell = work.cell;
    const int parts = ring.partsOf(work);
    const Lane left_lane = Reads::laneOfCells(left, plan.terms_each, thread, first_cell);
    const Lane right_lane = Reads::laneOfCells(right, plan.terms_each, thread, first_cell);
    Operands<part_lefts> a[left_parts];
    Operands<rights> b;
    const char *lefts_at, *rights_at;
    const auto begin = [&](const char* stage) {
      lefts_at = stage;
      rights_at = stage + plan.right_at;
    };
    const auto load_left = [&](int part) {
#pragma unroll
      for (int i = 0; i < part_lefts; ++i) {
        Reads::loadBlock(a[part], i, part * part_lefts + i, lefts_at, left_lane);
      }
    };
    begin(ring.take());
#pragma unroll
    for (int j = 0; j < rights; ++j) Reads::loadBlock(b, j, j, rights_at, right_lane);
#pragma unroll
    for (int part = 0; part < left_parts; ++part) load_left(part);
    const int steps = plan.terms_each / 8;
    int step = 0;
#pragma unroll 1
    for (int left_over = parts * steps; left_over > 0; --left_over) {
      if constexpr (left_parts == 2) multiply<0, part_lefts, 0, rights>(tiles, a[0], b);
      const bool ends_stage = ++step == steps && left_over > 1;
      if (ends_stage) {
        ring.giveBack();
        begin(ring.take());
        step = 0;
      } else if (left_over > 1) {
        lefts_at += 2 * left_lane.four;
        rights_at += 2 * right_lane.four;
      }
      // The last step reads, and forgets, its own operands again.
      if constexpr (left_parts == 2) load_left(0);
      forEachConstant<rights>([&](auto column) {
        constexpr int j = decltype(column)::value, last = left_parts - 1;
        multiply<last * part_lefts, part_lefts, j, 1>(tiles, a[last], b);
        Reads::loadBlock(b, j, j, rights_at, right_lane);
      });
      load_left(left_parts - 1);
    }
    ring.giveBack();
  }

  /// Adds all terms of a piece of work, rows of terms. What is needed next is read while the
  /// instructions work on what is there, be it in the next stage; a stage is given back when all of
  /// it is in registers.
  __device__ __forceinline__ void addTerms(Tile (&tiles)[sums], Ring& ring,
                                           const ThreadCoordinates& thread, int parts) const {
    constexpr int eights = Ring::row_elements / 8, steps = eights * left_parts;
    constexpr int bytes = sizeof(T);
    const int left_row =
        thread.cell * left.box_fields + thread.left * tile_lefts + Reads::rowOf(thread.g);
    const int right_row =
        thread.cell * right.box_fields + thread.right * tile_rights + Reads::rowOf(thread.g);
    // Chunks of 16 bytes are permuted by the number of their row, so terms on are XORs away.
    const int left_at = left_row * row_bytes + (thread.q * bytes ^ (left_row & 7) << 4);
    const int right_at =
        plan.right_at + right_row * row_bytes + (thread.q * bytes ^ (right_row & 7) << 4);
    Operands<part_lefts> a[2];
    Operands<rights> b[eights == 1 ? 1 : 2];
    const char* stage;
    const auto lane_of = [](int at) {
      Lane lane{{}, (at ^ 4 * bytes) - at};
#pragma unroll
      for (int part = 0; part < reads; ++part)
        lane.at[part] = at + part * int(sizeof(typename Reads::Element));
      return lane;
    };
    const auto load_left = [&](int n) {
      const Lane lane = lane_of(left_at ^ n / left_parts * 8 * bytes);
#pragma unroll
      for (int i = 0; i < part_lefts; ++i) {
        Reads::loadBlock(a[n % 2], i, n % left_parts * part_lefts + i, stage, lane);
      }
    };
    const auto load_right = [&](int eight) {
      const Lane lane = lane_of(right_at ^ eight * 8 * bytes);
#pragma unroll
      for (int j = 0; j < rights; ++j) Reads::loadBlock(b[eight % 2], j, j, stage, lane);
    };
    const auto load_first = [&] {
      load_right(0);
      load_left(0);
    };
    stage = ring.take();
    load_first();
#pragma unroll 1
    for (int part = 0; part < parts; ++part) {
      forEachConstant<steps>([&](auto step) {
        constexpr int n = decltype(step)::value;
        constexpr bool is_last = n + 1 == steps, is_free = eights > 1;
        bool goes_on = false;
        if constexpr (is_last) {
          ring.giveBack();
          goes_on = part + 1 < parts;
          if (goes_on) {
            stage = ring.take();
            if constexpr (is_free) load_first();
          }
        } else {
          if constexpr ((n + 1) % left_parts == 0) load_right((n + 1) / left_parts);
          load_left(n + 1);
        }
        multiply<n % left_parts * part_lefts, part_lefts, 0, rights>(tiles, a[n % 2],
                                                                     b[n / left_parts % 2]);
        if constexpr (is_last && !is_free) {
          if (goes_on) load_first();
        }
      });
    }
  }

  /// Adds the products of eight terms.
  template <int first, int count, int first_right, int rights_count>
  __device__ __forceinline__ static void multiply(Tile (&tiles)[sums], const Operands<count>& a,
                                                  const Operands<rights>& b) {
    const auto of = [](const auto& x, int part, double sign) {
      return [&x, part, sign](int i) {
        return Pair{sign * x.real(i, 0, part), sign * x.real(i, 1, part)};
      };
    };
    const auto add = [&](Tile& tile, const auto& x, const auto& y) {
      tile.template add<first, count, first_right, rights_count>(x, y);
    };
    add(tiles[0], of(a, 0, 1), of(b, 0, 1));
    if constexpr (is_complex) {
      add(tiles[1], of(a, 0, 1), of(b, 1, 1));
      add(tiles[0], of(a, 1, -1), of(b, 1, 1));
      add(tiles[1], of(a, 1, 1), of(b, 0, 1));
    } else if constexpr (pairs_cells) {
      add(tiles[1], of(a, 1, 1), of(b, 1, 1));
    }
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
#endif
