// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_STAGERING_HPP
#define KONTRACT_STAGERING_HPP

#include "Kontract_StageBarrier.hpp"

#ifdef KOKKOS_ENABLE_CUDA

namespace Kontract {
namespace Impl {

/// What lies side by side in memory, and in a row of 128 bytes of shared memory.
enum class Rows {
  OfTerms,      ///< terms of a cell and field (LayoutRight)
  OfCells,      ///< cells of a field and term (LayoutLeft)
  OfOddCells,   ///< the same of an odd number of 8 bytes: every second row begins at an odd place
  OfComponents  ///< cells of a field, a term and a component of Fads, which are far apart
};

/// Whether a row is of cells of one field and term.
KOKKOS_INLINE_FUNCTION constexpr bool isOfCells(Rows rows) {
  return rows == Rows::OfCells || rows == Rows::OfComponents;
}

inline constexpr int row_bytes = 128;

/// An input of a contraction on its way through shared memory.
///
/// The copy engine takes addresses in multiples of 16 bytes only. Of Rows::OfOddCells it therefore
/// gets one cell more before the first one where that is needed; and as strides have to be such
/// multiples, too, it sees even and odd fields, of even and odd terms, as four arrays. They are
/// four regions of a stage, of each of which two rows more keep those that are read together in
/// different banks.
template <class T>
struct StagedInput {
  static constexpr int regions = 4;
  CUtensorMap maps[regions];       ///< for the copy engine; the first one unless there are regions
  const T* data;                   ///< for threads that copy themselves
  std::int64_t cell, field, term;  ///< strides
  std::int64_t fields;             ///< that there are
  std::int64_t component;          ///< stride, of Rows::OfComponents
  int derivatives;  ///< the same: a number has none, and its value is its component 0
  int tile_fields;  ///< of a tile
  int box_fields;   ///< rows that a stage has for each cell, or term (of a region)

  /// Rows of a region.
  KOKKOS_INLINE_FUNCTION static int regionRows(int box_fields, int terms_each) {
    return terms_each / 2 * box_fields + 2;
  }

  /// Whether a region's rows begin at odd places.
  KOKKOS_INLINE_FUNCTION int isOdd(int region) const {
    return static_cast<int>((region % 2 * field + region / 2 * term) & 1);
  }
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
  int components = 0;           ///< of the output, of Rows::OfComponents
};

/// A piece of work.
struct StageWork {
  std::int64_t cell;
  int left, right;
  int component;  ///< of the output, the value being the last one
};

/// The components of both sides whose products, one after the other, make one of the output.
struct FactorsOfComponent {
  int left, right;              ///< it, or the value where there is no such component
  int left_value, right_value;  ///< components that are values
  int first, end;               ///< products: of left and right_value, and of left_value and right
};

/// Stages of both inputs in shared memory, filled in turn: by the copy engine, told so by the warp
/// that is the last one to be done with a stage, or by warps that do nothing else where strides do
/// not suit the engine. In a row of 128 bytes, the 16-byte chunks are permuted by the row's number
/// (as the copy engine does) where `permuted`, so that warps may read columns without bank
/// conflicts.
template <class T, Rows rows, bool permuted, bool by_engine>
class StageRing {
  /// What is filled next: a part of the terms of a piece of work.
  struct Next {
    std::int64_t work;
    StageWork place;  ///< of that work
    int part;
  };

 public:
  static constexpr int row_elements = row_bytes / static_cast<int>(sizeof(T));

  /// What threads share.
  static constexpr int most_stages = 8;
  struct Barriers {
    StageBarrier full[most_stages], empty[most_stages];
    CountOfDone done[most_stages];
    Next next;
  };

  __device__ StageRing(const StagePlan& plan, const StagedInput<T>& left,
                       const StagedInput<T>& right, char* memory, Barriers& barriers)
      : _plan(plan), _left(left), _right(right), _memory(memory), _barriers(barriers) {
    _parts = static_cast<int>((plan.terms + plan.terms_each - 1) / plan.terms_each);
    if (threadIdx.x == 0) {
      for (int s = 0; s < plan.stages; ++s) {
        barriers.full[s].init(by_engine ? 1 : 32 * plan.producers);
        barriers.empty[s].init(plan.consumers);
        barriers.done[s].count = 0;
      }
      showBarriersToCopyEngine();
    }
    __syncthreads();
    if (by_engine && threadIdx.x == 0) {
      barriers.next = first();
      for (int s = 0; s < plan.stages; ++s) fill(barriers.next, s);
    }
  }

  /// Stages that the terms of a piece of work take.
  __device__ __forceinline__ int partsOf(const StageWork& work) const {
    if constexpr (rows == Rows::OfComponents) {
      const FactorsOfComponent factors = factorsOf(work.component);
      return (factors.end - factors.first) * _parts;
    }
    return _parts;
  }

  __device__ bool isProducer() const {
    return !by_engine && static_cast<int>(threadIdx.x) >= 32 * _plan.consumers;
  }

  /// What producers do.
  __device__ void produce() {
    Next next = first();
    unsigned parity = 1;  // of the phase that emptied the stage before
    while (isThere(next)) {
      _barriers.empty[_stage].wait(parity);
      fill(next, _stage);
      if (++_stage == _plan.stages) {
        _stage = 0;
        parity ^= 1;
      }
    }
    waitForCopies();
  }

  /// The next stage, once it is there. All threads of consumers call it in the same order.
  __device__ const char* take() {
    _barriers.full[_stage].wait(_phase);
    return _memory + _stage * _plan.stage_bytes;
  }

  /// The stage taken may be filled again, as far as this warp is concerned. Whoever is the last one
  /// fills it: that takes part in the next stage, too, so that stages are filled in order.
  __device__ void giveBack() {
    __syncwarp();
    if (threadIdx.x % 32 == 0) {
      if constexpr (by_engine) {
        if (_barriers.done[_stage].isLastOf(_plan.consumers)) fill(_barriers.next, _stage);
      } else {
        _barriers.empty[_stage].arrive();
      }
    }
    if (++_stage == _plan.stages) {
      _stage = 0;
      _phase ^= 1;
    }
  }

  __device__ StageWork workOf(std::int64_t i) const {
    const int tiles = _plan.left_tiles * _plan.right_tiles;
    if constexpr (rows == Rows::OfComponents) {
      // Those of the same cells follow each other, and find what they share in the cache.
      const std::int64_t block = i / _plan.components / tiles;
      const int at = static_cast<int>(i - block * _plan.components * tiles), k = at / tiles;
      const int tile = at - k * tiles, row = tile / _plan.right_tiles;
      return {block * _plan.cells_each, row * _left.tile_fields,
              (tile - row * _plan.right_tiles) * _right.tile_fields, k};
    }
    const std::int64_t block = i / tiles;
    const int tile = static_cast<int>(i - block * tiles), row = tile / _plan.right_tiles;
    return {block * _plan.cells_each, row * _left.tile_fields,
            (tile - row * _plan.right_tiles) * _right.tile_fields};
  }

 private:
  /// By the product rule; derivatives of constants have no products.
  __device__ __forceinline__ FactorsOfComponent factorsOf(int component) const {
    const bool is_value = component == _plan.components - 1;
    const int l = _left.derivatives, r = _right.derivatives;
    return {is_value || l == 0 ? l : component, is_value || r == 0 ? r : component, l, r,
            is_value || l > 0 ? 0 : 1,          is_value || r == 0 ? 1 : 2};
  }

  __device__ Next first() const { return {blockIdx.x, workOf(blockIdx.x), 0}; }
  __device__ bool isThere(const Next& next) const { return _parts > 0 && next.work < _plan.works; }

  /// Fills a stage with what comes next, if there is anything left.
  __device__ void fill(Next& next, int stage) {
    if (!isThere(next)) return;
    const StageWork work = next.place;
    char* to = _memory + stage * _plan.stage_bytes;
    StageBarrier& full = _barriers.full[stage];
    int part = next.part, left_component = 0, right_component = 0;
    if constexpr (rows == Rows::OfComponents) {
      const FactorsOfComponent factors = factorsOf(work.component);
      const bool is_second = factors.first == 1 || part >= _parts;
      if (part >= _parts) part -= _parts;
      left_component = is_second ? factors.left_value : factors.left;
      right_component = is_second ? factors.right : factors.right_value;
    }
    const int term = part * _plan.terms_each;
    if constexpr (by_engine) {
      // Half the terms, but four regions.
      constexpr int times = rows == Rows::OfOddCells ? 2 : 1;
      full.arriveExpecting(times * row_bytes * _plan.planes *
                           (_left.box_fields + _right.box_fields));
      copyByEngine(to, _left, full, work.cell, work.left, term, left_component);
      copyByEngine(to + _plan.right_at, _right, full, work.cell, work.right, term, right_component);
    } else {
      copyByThreads(to, _left, work.cell, work.left, term, left_component);
      copyByThreads(to + _plan.right_at, _right, work.cell, work.right, term, right_component);
      full.arriveAfterCopies();
    }
    if (++next.part == partsOf(work)) {
      // Divisions are slow, and once for all parts of a piece of work is enough.
      const std::int64_t i = next.work + gridDim.x;
      next = {i, workOf(i), 0};
    }
  }

  __device__ void copyByEngine(char* to, const StagedInput<T>& from, StageBarrier& full,
                               std::int64_t cell, int field, int term,
                               [[maybe_unused]] int component) const {
    // The engine knows reals of at most 8 bytes.
    constexpr int reals = sizeof(T) == 16 ? 2 : 1;
    const int c = static_cast<int>(cell);
    if constexpr (rows == Rows::OfTerms) {
      copyBox(to, from.maps[0], full, term * reals, field, c);
    } else if constexpr (rows == Rows::OfCells) {
      copyBox(to, from.maps[0], full, c * reals, field, term);
    } else if constexpr (rows == Rows::OfComponents) {
      copyBox(to, from.maps[0], full, c, field, term, component);
    } else {
      const int bytes = from.regionRows(from.box_fields, _plan.terms_each) * row_bytes;
#pragma unroll
      for (int region = 0; region < from.regions; ++region) {
        copyBox(to + region * bytes, from.maps[region], full, (c + from.isOdd(region)) & ~1,
                field / 2, term / 2);
      }
    }
  }

  /// Copies element by element, what is beyond the ends of cells or terms as zeros.
  __device__ void copyByThreads(char* to, const StagedInput<T>& from, std::int64_t first_cell,
                                int first_field, int first_term,
                                [[maybe_unused]] int component) const {
    constexpr int bytes = sizeof(T), in_row = row_elements;
    constexpr int rows_each = in_row < 32 ? 32 / in_row : 1;
    const int warp = static_cast<int>(threadIdx.x) / 32 - _plan.consumers;
    const int lane = static_cast<int>(threadIdx.x) % 32, at = lane % in_row;
    const int first = warp * rows_each + lane / in_row, step = rows_each * _plan.producers;
    const std::int64_t cells_left = _plan.cells - first_cell;
    const std::int64_t terms_left = _plan.terms - first_term;
    const std::int64_t fields_left = from.fields - first_field;
    const auto least = [](std::int64_t left, int most) {
      return left < most ? static_cast<int>(left) : most;
    };
    int fields = least(fields_left, from.tile_fields);
    const bool is_there = at < (isOfCells(rows) ? cells_left : terms_left);
    int planes = _plan.planes, planes_there = least(terms_left, planes);
    if constexpr (rows == Rows::OfTerms) {
      // Rows of cells that are not there are read, and forgotten.
      planes = planes_there = least(cells_left, planes);
      const bool are_on_end = from.cell == from.fields * from.field && from.box_fields == fields;
      if (are_on_end && fields == from.fields) {
        fields *= planes;
        planes = planes_there = 1;
      }
    }
    const std::int64_t next = step * from.field;
    const std::int64_t by_plane = isOfCells(rows) ? from.term : from.cell;
    const T* of_plane = from.data;
    if (is_there) {
      of_plane += (first_cell + (isOfCells(rows) ? at : 0)) * from.cell +
                  (first_term + (isOfCells(rows) ? 0 : at)) * from.term +
                  (first_field + first) * from.field;
      if constexpr (rows == Rows::OfComponents) of_plane += component * from.component;
    }
    // The compiler thinks that these copies may change the plan, and would read it again each time.
    const int box_fields = from.box_fields;
    for (int plane = 0; plane < planes; ++plane, of_plane += by_plane) {
      const int there = is_there && plane < planes_there ? bytes : 0;
      const T* element = there != 0 ? of_plane : from.data;
      const std::int64_t next_there = there != 0 ? next : 0;
      int row = plane * box_fields + first;
#pragma unroll 4
      for (int field = first; field < fields; field += step, row += step, element += next_there) {
        const int place = at * bytes ^ (permuted ? (row & 7) << 4 : 0);
        copyAsync<bytes>(to + row * row_bytes + place, element, there);
      }
    }
  }

  const StagePlan& _plan;
  const StagedInput<T>& _left;
  const StagedInput<T>& _right;
  char* _memory;
  Barriers& _barriers;
  int _parts = 0;
  int _stage = 0;
  unsigned _phase = 0;
};

}  // namespace Impl
}  // namespace Kontract

#endif
#endif
