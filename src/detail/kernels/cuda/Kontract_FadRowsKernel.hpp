// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FADROWSKERNEL_HPP
#define KONTRACT_FADROWSKERNEL_HPP

#include "Kontract_FadRowsPlan.hpp"
#include "Kontract_StagedSide.hpp"
#include "Kontract_TensorTile.hpp"

#ifdef KOKKOS_ENABLE_CUDA

namespace Kontract {
namespace Impl {

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
    Copies of_fads(fads, memory + plan.listsAt(),
                   [&](int cell, int field, int component, int term) {
                     return cell * plan.fads_cell + term +
                            FadRowsPlan::placeOfRow(field * plan.components_each + component);
                   });
    const int fad_lists = threads * fads.numbers;
    Copies of_reals(reals, memory + plan.listsAt() + fad_lists,
                    [&](int cell, int field, int, int term) {
                      return cell * plan.reals_cell + term + FadRowsPlan::placeOfRow(field);
                    });
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
  using Copies = StagedCopies<FadRowsPlan::terms_each, threads, false>;

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

  __device__ __forceinline__ int terms() const {
    return static_cast<int>(fads.index[Name::terms].extent);
  }
  /// Stages of a piece of work.
  __device__ __forceinline__ int parts() const {
    return (terms() + FadRowsPlan::terms_each - 1) / FadRowsPlan::terms_each;
  }

  __device__ __forceinline__ void beginWork(const Next& next, Copies& of_fads,
                                            Copies& of_reals) const {
    if (next.work >= works) return;
    const Place place = placeOf(next.work);
    of_fads.begin(fads, place.cell, place.field, place.component);
    of_reals.begin(reals, place.cell, place.real, 0);
  }

  /// Asks for the next stage, if there is one, and goes on to the one after it.
  __device__ __forceinline__ void fill(Next& next, Copies& of_fads, Copies& of_reals,
                                       double* memory) const {
    if (next.work >= works) return;
    double* const to = memory + next.stage * plan.stageNumbers();
    of_fads.copy(fads, to, terms() - next.term);
    of_reals.copy(reals, to + plan.cells_each * plan.fads_cell, terms() - next.term);
    next.stage ^= 1;
    next.term += FadRowsPlan::terms_each;
    if (next.term >= terms()) {
      next.term = 0;
      next.work += gridDim.x;
      beginWork(next, of_fads, of_reals);
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
