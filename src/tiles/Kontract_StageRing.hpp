// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_STAGERING_HPP
#define KONTRACT_STAGERING_HPP

#include "Kontract_StageBarrier.hpp"

#ifdef KOKKOS_ENABLE_CUDA

namespace Kontract {
namespace Impl {

/// What lies side by side in memory, and in a row of 128 bytes of shared memory.
enum class Rows {
  OfTerms,  ///< terms of a cell and field (LayoutRight)
  OfCells   ///< cells of a field and term (LayoutLeft)
};

inline constexpr int row_bytes = 128;

/// An input of a contraction on its way through shared memory.
template <class T>
struct StagedInput {
  CUtensorMap map;                 ///< for the copy engine
  const T* data;                   ///< for threads that copy themselves
  std::int64_t cell, field, term;  ///< strides
  std::int64_t fields;             ///< that there are
  int tile_fields;                 ///< of a tile
  int box_fields;                  ///< rows that a stage has for each cell, or term
};

/// How the work of a kernel is cut: a block takes some cells and a tile of left and right fields
/// at a time, and walks along their terms stage by stage.
struct StagePlan {
  std::int64_t cells, terms;    ///< of the problem
  std::int64_t works;           ///< pieces of work of all blocks
  int left_tiles, right_tiles;  ///< of a cell
  int cells_each, terms_each;   ///< of a stage
  int planes;                   ///< boxes of fields in a stage: cells, or terms
  int stages;                   ///< in shared memory at a time
  int right_at, stage_bytes;    ///< where the right side of a stage begins, and its end
  int consumers, producers;     ///< warps that compute, and those that copy
};

/// A piece of work.
struct StageWork {
  std::int64_t cell;
  int left, right;
};

/// Stages of both inputs in shared memory, filled in turn: by the copy engine, which one thread
/// keeps busy, or by warps that do nothing else where strides do not suit it. In a row of 128
/// bytes, the 16-byte chunks are permuted by the row's number (as the copy engine does) where
/// `permuted`, so that warps may read columns without bank conflicts.
template <class T, Rows rows, bool permuted, bool by_engine>
class StageRing {
 public:
  static constexpr int row_elements = row_bytes / static_cast<int>(sizeof(T));

  /// The least number of bytes of shared memory that barriers need.
  static constexpr int most_stages = 8;
  struct Barriers {
    StageBarrier full[most_stages], empty[most_stages];
  };

  __device__ StageRing(const StagePlan& plan, const StagedInput<T>& left,
                       const StagedInput<T>& right, char* memory, Barriers& barriers)
      : _plan(plan), _left(left), _right(right), _memory(memory), _barriers(barriers) {
    _parts = static_cast<int>((plan.terms + plan.terms_each - 1) / plan.terms_each);
    if (threadIdx.x == 0) {
      for (int s = 0; s < plan.stages; ++s) {
        barriers.full[s].init(by_engine ? 1 : 32 * plan.producers);
        barriers.empty[s].init(plan.consumers);
      }
#if __CUDA_ARCH__ >= 900
      asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#endif
    }
    __syncthreads();
    _next = {static_cast<std::int64_t>(blockIdx.x), {}, 0, 0, 1};
    if constexpr (remembers_place) _next.place = workOf(_next.work);
    if (by_engine && threadIdx.x == 0) {
      for (int s = 0; s + 1 < plan.stages; ++s) fillNext();
    }
  }

  /// Stages that the terms of a piece of work take.
  __device__ int parts() const { return _parts; }

  __device__ bool isProducer() const {
    return !by_engine && static_cast<int>(threadIdx.x) >= 32 * _plan.consumers;
  }

  /// What producers do.
  __device__ void produce() {
    while (_parts > 0 && _next.work < _plan.works) fillNext();
    waitForCopies();
  }

  /// The next stage, once it is there. All threads of consumers call it in the same order.
  __device__ const char* take() {
    if (by_engine && threadIdx.x == 0) fillNext();
    _barriers.full[_stage].wait(_phase);
    return _memory + _stage * _plan.stage_bytes;
  }

  /// The stage taken may be filled again, as far as this warp is concerned.
  __device__ void giveBack() {
    __syncwarp();
    if (threadIdx.x % 32 == 0) _barriers.empty[_stage].arrive();
    if (++_stage == _plan.stages) {
      _stage = 0;
      _phase ^= 1;
    }
  }

  __device__ StageWork workOf(std::int64_t i) const {
    const int tiles = _plan.left_tiles * _plan.right_tiles;
    const std::int64_t block = i / tiles;
    const int tile = static_cast<int>(i - block * tiles), row = tile / _plan.right_tiles;
    return {block * _plan.cells_each, row * _left.tile_fields,
            (tile - row * _plan.right_tiles) * _right.tile_fields};
  }

 private:
  /// Divisions are slow, and once for all parts of a piece of work is enough. Kernels for rows of
  /// terms have no registers for it: those of complex<float> would spill.
  static constexpr bool remembers_place = rows == Rows::OfCells;

  struct Next {
    std::int64_t work;
    StageWork place;  ///< of that work, where it is remembered
    int part, stage;
    unsigned parity;  ///< of the phase that emptied the stage before
  };

  /// Fills the stage that is emptied next, if there is work left.
  __device__ void fillNext() {
    if (_parts == 0 || _next.work >= _plan.works) return;
    _barriers.empty[_next.stage].wait(_next.parity);
    const StageWork work = remembers_place ? _next.place : workOf(_next.work);
    char* to = _memory + _next.stage * _plan.stage_bytes;
    StageBarrier& full = _barriers.full[_next.stage];
    const int term = _next.part * _plan.terms_each;
    if constexpr (by_engine) {
      full.arriveExpecting(row_bytes * _plan.planes * (_left.box_fields + _right.box_fields));
      copyByEngine(to, _left, full, work.cell, work.left, term);
      copyByEngine(to + _plan.right_at, _right, full, work.cell, work.right, term);
    } else {
      copyByThreads(to, _left, work.cell, work.left, term);
      copyByThreads(to + _plan.right_at, _right, work.cell, work.right, term);
      full.arriveAfterCopies();
    }
    if (++_next.part == _parts) {
      _next.part = 0;
      _next.work += gridDim.x;
      if constexpr (remembers_place) _next.place = workOf(_next.work);
    }
    if (++_next.stage == _plan.stages) {
      _next.stage = 0;
      _next.parity ^= 1;
    }
  }

  __device__ static void copyByEngine(char* to, const StagedInput<T>& from, StageBarrier& full,
                                      std::int64_t cell, int field, int term) {
    // The engine knows reals of at most 8 bytes.
    constexpr int reals = sizeof(T) == 16 ? 2 : 1;
    const int c = static_cast<int>(cell);
    if constexpr (rows == Rows::OfCells) {
      copyBox(to, from.map, full, c * reals, field, term);
    } else {
      copyBox(to, from.map, full, term * reals, field, c);
    }
  }

  /// Copies element by element, what is beyond the ends of cells or terms as zeros.
  __device__ void copyByThreads(char* to, const StagedInput<T>& from, std::int64_t first_cell,
                                int first_field, int first_term) const {
    constexpr int bytes = sizeof(T), in_row = row_elements;
    const int warp = static_cast<int>(threadIdx.x) / 32 - _plan.consumers;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    constexpr int rows_each = in_row < 32 ? 32 / in_row : 1;
    const int at = lane % in_row;
    const std::int64_t left_over = from.fields - first_field;
    const int fields =
        left_over < from.tile_fields ? static_cast<int>(left_over) : from.tile_fields;
    const int step = rows_each * _plan.producers;
    for (int plane = 0; plane < _plan.planes; ++plane) {
      const std::int64_t cell = first_cell + (rows == Rows::OfCells ? at : plane);
      const std::int64_t term = first_term + (rows == Rows::OfCells ? plane : at);
      const bool is_there = cell < _plan.cells && term < _plan.terms;
      int field = warp * rows_each + lane / in_row;
      const T* element = from.data;
      if (is_there) {
        element += cell * from.cell + term * from.term + (first_field + field) * from.field;
      }
      const std::int64_t next = is_there ? step * from.field : 0;
      for (; field < fields; field += step, element += next) {
        const int row = plane * from.box_fields + field;
        const int place = at * bytes ^ (permuted ? (row & 7) << 4 : 0);
        copyAsync<bytes>(to + row * row_bytes + place, element, is_there ? bytes : 0);
      }
    }
  }

  __device__ static void waitForCopies() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
  }

  const StagePlan& _plan;
  const StagedInput<T>& _left;
  const StagedInput<T>& _right;
  char* _memory;
  Barriers& _barriers;
  int _parts = 0;
  Next _next{};
  int _stage = 0;
  unsigned _phase = 0;
};

}  // namespace Impl
}  // namespace Kontract

#endif
#endif
