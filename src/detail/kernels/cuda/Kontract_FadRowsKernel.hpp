// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FADROWSKERNEL_HPP
#define KONTRACT_FADROWSKERNEL_HPP

#include "Kontract_FadRowsPlan.hpp"
#include "Kontract_StageBarrier.hpp"
#include "Kontract_TensorTile.hpp"

#ifdef KOKKOS_ENABLE_CUDA

namespace Kontract {
namespace Impl {

/// An index of a side of a contraction.
struct StagedIndex {
  std::int64_t step;    ///< in memory
  std::int64_t extent;  ///< in all
  int each;             ///< of a piece of work, or of a stage
};

/// A side of a contraction on its way to shared memory: what a stage has of it is a list of
/// numbers, in the order in which they lie in memory.
struct StagedSide {
  enum Name { cells, terms, fields, components, indices };
  const double* data;
  StagedIndex index[indices];
  int order[indices];  ///< of these, those first that are closest in memory
  int field_row;       ///< rows from one field to the next; from one component to the next it is 1
  int cell_numbers;    ///< numbers of a cell in shared memory
  int numbers;         ///< that a thread copies

  KOKKOS_INLINE_FUNCTION int count() const {
    return index[cells].each * index[terms].each * index[fields].each * index[components].each;
  }
};

/// Copies eight bytes to shared memory on their way; or zero, if they are not there.
__device__ __forceinline__ void copyNumberAsync(unsigned shared, const double* from) {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(shared), "l"(from) : "memory");
#endif
}
__device__ __forceinline__ void copyNumberAsync(unsigned shared, const double* from, bool is_there,
                                                bool is_wanted) {
#if __CUDA_ARCH__ >= 800
  asm volatile(
      "{ .reg .pred p; setp.ne.b32 p, %3, 0; @p cp.async.ca.shared.global [%0], [%1], 8, %2; }" ::
          "r"(shared),
      "l"(from), "r"(is_there ? 8 : 0), "r"(int(is_wanted))
      : "memory");
#endif
}

/// Contractions of Fads with real numbers by matrix instructions: see FadRowsPlan.
/// \tparam blocks, columns  blocks of eight rows, and of eight real fields, that a warp has
template <int blocks, int columns>
struct FadRowsKernel {
  static constexpr int threads = FadRowsPlan::threads;

  StagedSide fads, reals;
  double* out;
  std::int64_t out_cell, out_field, out_real;  ///< strides; components are side by side
  bool sum_into;
  std::int64_t works;
  FadRowsPlan plan;

  __device__ void operator()() const {
    extern __shared__ __align__(16) double stages_and_lists[];
    double* const memory = stages_and_lists;
    Copies of_fads = copiesOf(fads, memory + plan.listsAt());
    Copies of_reals = copiesOf(reals, memory + plan.listsAt() + threads * fads.numbers);
    Next next{blockIdx.x, 0, 0};
    beginWork(next, of_fads, of_reals);
    fill(next, of_fads, of_reals, memory);
    const int parts = this->parts();
    const Operands operands = operandsOfLane();
    Tile tile;
    int stage = 0;
    for (std::int64_t i = blockIdx.x; i < works; i += gridDim.x) {
      tile.clear();
      for (int part = 0; part < parts; ++part) {
        waitForCopies();
        __syncthreads();
        fill(next, of_fads, of_reals, memory);
        add(tile, operands, memory + stage * plan.stageNumbers());
        stage ^= 1;
      }
      store(tile, placeOf(i));
    }
  }

 private:
  using Tile = TensorTile<blocks, columns>;
  using Name = StagedSide::Name;

  /// What a piece of work begins with.
  struct Place {
    std::int64_t cell;
    int field, component, real;
  };
  /// What is copied next.
  struct Next {
    std::int64_t work;
    int term, stage;
  };

  /// What a thread copies of a side.
  struct Copies {
    const double* from;          ///< the first number of the next stage
    const StagedNumber* number;  ///< the first of this thread
    unsigned all;                ///< a bit for each number of this thread
    unsigned there;              ///< the same of those that the piece of work has
    bool is_whole;               ///< whether the piece of work has all
  };

  /// Lists what a stage has of a side.
  __device__ Copies copiesOf(const StagedSide& side, double* list) const {
    auto* const numbers = reinterpret_cast<StagedNumber*>(list);
    const int thread = static_cast<int>(threadIdx.x);
    Copies copies{side.data, numbers + thread, 0, 0, false};
    for (int n = 0; n < side.numbers; ++n) {
      int rest = thread + n * threads;
      if (rest >= side.count()) break;
      int at[StagedSide::indices];
      std::int64_t from = 0;
#pragma unroll
      for (int i = 0; i < StagedSide::indices; ++i) {
        const StagedIndex& index = side.index[side.order[i]];
        const int next = rest / index.each, its = rest - next * index.each;
        rest = next;
        from += its * index.step;
#pragma unroll
        for (int name = 0; name < StagedSide::indices; ++name) {
          if (name == side.order[i]) at[name] = its;
        }
      }
      const int row = at[Name::fields] * side.field_row + at[Name::components];
      const int to =
          at[Name::cells] * side.cell_numbers + FadRowsPlan::placeOfRow(row) + at[Name::terms];
      numbers[thread + n * threads] = {
          static_cast<unsigned>(from),
          StagedNumber::bitsOf(to, at[Name::terms], at[Name::cells], row)};
      copies.all |= 1u << n;
    }
    return copies;
  }

  __device__ Place placeOf(std::int64_t work) const {
    const std::int64_t of_reals = work / plan.real_groups;
    const int real = static_cast<int>(work - of_reals * plan.real_groups);
    const std::int64_t of_components = of_reals / plan.component_groups;
    const int component = static_cast<int>(of_reals - of_components * plan.component_groups);
    const std::int64_t cell = of_components / plan.field_groups;
    const int field = static_cast<int>(of_components - cell * plan.field_groups);
    return {cell * plan.cells_each, field * plan.fields_each, component * plan.components_each,
            real * plan.reals_each};
  }

  /// Stages of a piece of work.
  __device__ __forceinline__ int parts() const {
    return (static_cast<int>(fads.index[Name::terms].extent) + FadRowsPlan::terms_each - 1) /
           FadRowsPlan::terms_each;
  }

  /// Begins to copy a piece of work, of which a side has these.
  __device__ __forceinline__ void beginSide(const StagedSide& side, std::int64_t cell, int field,
                                            int component, Copies& copies) const {
    const std::int64_t firsts[] = {cell, 0, field, component};
    int open[StagedSide::indices];
    bool is_whole = true;
    copies.from = side.data;
#pragma unroll
    for (int i = 0; i < StagedSide::indices; ++i) {
      const StagedIndex& index = side.index[i];
      copies.from += firsts[i] * index.step;
      const std::int64_t left_over = index.extent - firsts[i];
      open[i] = static_cast<int>(left_over < index.each ? left_over : index.each);
      if (i != Name::terms) is_whole = is_whole && open[i] == index.each;
    }
    copies.there = copies.all;
    copies.is_whole = is_whole;
    if (is_whole) return;
    for (int n = 0; n < side.numbers; ++n) {
      if (!(copies.all >> n & 1)) break;
      const StagedNumber its = copies.number[n * threads];
      const int field = its.row() / side.field_row;
      const bool is_there = its.cell() < open[Name::cells] && field < open[Name::fields] &&
                            its.row() - field * side.field_row < open[Name::components];
      if (!is_there) copies.there &= ~(1u << n);
    }
  }
  __device__ __forceinline__ void beginWork(const Next& next, Copies& of_fads,
                                            Copies& of_reals) const {
    if (next.work >= works) return;
    const Place place = placeOf(next.work);
    beginSide(fads, place.cell, place.field, place.component, of_fads);
    beginSide(reals, place.cell, place.real, 0, of_reals);
  }

  /// Asks for the next stage, if there is one, and goes on to the one after it.
  __device__ __forceinline__ void fill(Next& next, Copies& of_fads, Copies& of_reals,
                                       double* memory) const {
    if (next.work >= works) return;
    double* const to = memory + next.stage * plan.stageNumbers();
    const int terms = static_cast<int>(fads.index[Name::terms].extent);
    copy(fads, of_fads, to, terms - next.term);
    copy(reals, of_reals, to + plan.cells_each * plan.fads_cell, terms - next.term);
    next.stage ^= 1;
    next.term += FadRowsPlan::terms_each;
    if (next.term >= terms) {
      next.term = 0;
      next.work += gridDim.x;
      beginWork(next, of_fads, of_reals);
    }
  }

  /// Terms after the last one become zero: what is in shared memory may be no number.
  __device__ __forceinline__ void copy(const StagedSide& side, Copies& copies, double* to,
                                       int terms) const {
    const unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
    if (copies.is_whole && terms >= FadRowsPlan::terms_each) {
      copyInTurn<true>(side, copies, shared, terms);
    } else {
      copyInTurn<false>(side, copies, shared, terms);
    }
    copies.from += FadRowsPlan::terms_each * side.index[Name::terms].step;
  }

  /// Several at once, so that the list is read while others are on their way.
  template <bool is_whole>
  __device__ __forceinline__ void copyInTurn(const StagedSide& side, const Copies& copies,
                                             unsigned shared, int terms) const {
    constexpr int at_once = 4;
    int n = 0;
#pragma unroll 1
    for (; n + at_once <= side.numbers; n += at_once) {
      copySome<at_once, is_whole>(side, copies, shared, terms, n);
    }
    switch (side.numbers - n) {
      case 3: return copySome<3, is_whole>(side, copies, shared, terms, n);
      case 2: return copySome<2, is_whole>(side, copies, shared, terms, n);
      case 1: return copySome<1, is_whole>(side, copies, shared, terms, n);
    }
  }

  /// Numbers first to first + count of this thread; the last of all threads is not there for each.
  template <int count, bool is_whole>
  __device__ __forceinline__ void copySome(const StagedSide& side, const Copies& copies,
                                           unsigned shared, int terms, int first) const {
    StagedNumber its[count];
#pragma unroll
    for (int n = 0; n < count; ++n) its[n] = copies.number[(first + n) * threads];
    const unsigned there = copies.there >> first;
#pragma unroll
    for (int n = 0; n < count; ++n) {
      const double* const from = copies.from + its[n].from;
      const unsigned to = its[n].placeIn(shared);
      if constexpr (is_whole) {
        if (n + 1 < count) {
          copyNumberAsync(to, from);
        } else {
          copyNumberAsync(to, from, true, there >> n & 1);
        }
      } else {
        const bool is_term = its[n].term() < terms;
        copyNumberAsync(to, is_term ? from : side.data, is_term, there >> n & 1);
      }
    }
  }

  struct Lane {
    int g, q;
  };
  __device__ __forceinline__ static Lane lane() {
    const int number = static_cast<int>(threadIdx.x) % 32;
    return {number / 4, number % 4};
  }
  __device__ __forceinline__ int cellOfWarp() const {
    return static_cast<int>(threadIdx.x) / 32 / plan.warpsOfCell();
  }
  /// Its number among those of the cell.
  __device__ __forceinline__ int blockOf(int i) const {
    return static_cast<int>(threadIdx.x) / 32 % plan.warpsOfCell() + i * plan.warpsOfCell();
  }

  /// Where a lane finds its operands in a stage.
  struct Operands {
    int left[blocks], right;
  };
  __device__ __forceinline__ Operands operandsOfLane() const {
    const Lane at = lane();
    const int last = plan.blocksOfCell() - 1;
    const int of_lane = FadRowsPlan::placeOfRow(at.g) + at.q;
    Operands operands;
    // Blocks beyond the last one are the last one again, and forgotten.
#pragma unroll
    for (int i = 0; i < blocks; ++i) {
      operands.left[i] =
          cellOfWarp() * plan.fads_cell + of_lane + min(blockOf(i), last) * FadRowsPlan::block_step;
    }
    operands.right = plan.cells_each * plan.fads_cell + cellOfWarp() * plan.reals_cell + of_lane;
    return operands;
  }

  /// Adds a stage.
  __device__ __forceinline__ static void add(Tile& tile, const Operands& operands,
                                             const double* stage) {
    TensorPair a[blocks], b[columns];
#pragma unroll
    for (int j = 0; j < columns; ++j) {
      const double* const from = stage + operands.right + j * FadRowsPlan::block_step;
      b[j] = {from[0], from[4]};
    }
#pragma unroll
    for (int i = 0; i < blocks; ++i) {
      const double* const from = stage + operands.left[i];
      a[i] = {from[0], from[4]};
    }
    tile.template add<0, blocks, 0, columns>([&](int i) { return a[i]; },
                                             [&](int j) { return b[j]; });
  }

  /// Where sums of a row go, if there is one.
  struct OutRow {
    std::int64_t at;
    bool is_there;
  };
  __device__ __forceinline__ OutRow outRow(const Place& place, int cell, int row) const {
    const int field = row / plan.components_each, component = row - field * plan.components_each;
    const bool is_there = place.cell + cell < fads.index[Name::cells].extent &&
                          field < plan.fields_each &&
                          place.field + field < fads.index[Name::fields].extent &&
                          place.component + component < fads.index[Name::components].extent;
    return {(place.cell + cell) * out_cell + (place.field + field) * out_field + place.component +
                component + place.real * out_real,
            is_there};
  }
  __device__ __forceinline__ void put(std::int64_t at, double sum) const {
    out[at] = sum_into ? out[at] + sum : sum;
  }
  __device__ __forceinline__ int realsOf(const Place& place) const {
    const std::int64_t open = reals.index[Name::fields].extent - place.real;
    return static_cast<int>(open < plan.reals_each ? open : plan.reals_each);
  }

  /// Neighbouring lanes have neighbouring components.
  __device__ __forceinline__ void store(const Tile& tile, const Place& place) const {
    const Lane at = lane();
    const int open = realsOf(place);
#pragma unroll
    for (int i = 0; i < blocks; ++i) {
      const OutRow row = outRow(place, cellOfWarp(), 8 * blockOf(i) + at.g);
      if (!row.is_there) continue;
#pragma unroll
      for (int j = 0; j < columns; ++j) {
#pragma unroll
        for (int h = 0; h < 2; ++h) {
          const int real = 8 * j + 2 * at.q + h;
          if (real < open) put(row.at + real * out_real, tile.sums[i][j][h]);
        }
      }
    }
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
#endif
