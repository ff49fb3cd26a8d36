// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_POINTWISETHREADMAP_HPP
#define KONTRACT_POINTWISETHREADMAP_HPP

#include <type_traits>

#include "detail/kernels/portable/Kontract_FastDivisor.hpp"
#include "detail/kernels/portable/Kontract_Pack.hpp"
#include "detail/kernels/portable/Kontract_SumOfProducts.hpp"

namespace Kontract {
namespace Impl {

/// What a thread of a device computes for an output element: the kinds of pointwise operations,
/// with both cross products in one.
enum class ElementKind { Copy, Product, Quotient, Cross };

/// Offsets or strides in the three arrays.
struct Offsets {
  std::int64_t out = 0, left = 0, right = 0;
  KOKKOS_FORCEINLINE_FUNCTION void add(std::int64_t n, const Offsets& step) {
    out += n * step.out;
    left += n * step.left;
    right += n * step.right;
  }
};

/// An index that a thread walks along: its extent, a step in each array, and how many threads share
/// it.
struct WalkedIndex {
  std::uint32_t extent = 1, threads = 1;
  Offsets step;
};

/// The output elements of a pointwise operation as threads of a device take them: neighbours in
/// memory in neighbouring threads, each of which keeps its place in the small tensor and walks
/// along two other indices, so that it finds out once where it is. Without its scalars.
struct PointwiseThreadMap {
  static constexpr int counted = 4;
  static constexpr int line_bytes = 128;  ///< of memory, what a warp stores at once
  static constexpr int lane_cells = 32;   ///< between the cells of ThreadCells::Lines

  FastDivisor extent[counted];  ///< of the indices that threads count, fastest first; 1 is the row
  Offsets step[counted];
  WalkedIndex outer, inner;
  FastDivisor inner_threads;
  /// Cells that are neighbours in memory are counted in pieces: index 3 counts pieces of index 0.
  std::uint32_t cell_step = 0, cells_of_piece = 0, cells = 1;
  Offsets cell;  ///< from one cell to the next
  std::int64_t threads = 0;
  bool left_in_common = false, right_in_common = false;  ///< by all of a pack
  SumLevel sum[2];
  /// Cross products in space: a row of the output needs the next component and the one after.
  bool is_cross_in_space = false;
  std::int64_t left_component = 0, right_component = 0;  ///< steps
};

/// How many places along the inner index a thread has in flight, and what it then holds in
/// registers: measured on an H200.
/// \tparam operands    scalars that an element takes from each side
/// \tparam keeps_left  those of the left side stay
template <class T, int operands, bool keeps_left, int pack_width>
struct PlacesInFlight {
  static constexpr int element_bytes = static_cast<int>(sizeof(T)) * operands * pack_width;
  static constexpr int moving_bytes = element_bytes * (keeps_left ? 1 : 2);
  static constexpr int count = pack_width > 1 || operands == 9 ? 2 : 8 * moving_bytes <= 96 ? 8 : 4;
  static constexpr int bytes = moving_bytes * count + (keeps_left ? element_bytes : 0);
  /// Blocks of a multiprocessor that registers leave room for.
  static constexpr unsigned blocks = bytes < 128 ? 4 : bytes <= 224 ? 3 : 2;
};

/// Which cells a thread takes where cells are neighbours in memory.
enum class ThreadCells {
  /// Neighbours, loaded and stored at once: pointers and strides are multiples of them.
  Pack,
  /// One of every `lane_cells`, counted from where the row's first line of memory begins in the
  /// output: a warp stores whole lines, however the rows lie. Stores that straddle lines were
  /// measured to take an H200 twice as long.
  Lines
};

/// Computes and stores one thread's output elements.
///
/// \tparam terms       of a sum, 9 in two levels of 3; 0 if only known at run time
/// \tparam keeps_left  the left operand does not change along the inner index
/// \tparam pack_width  cells of a thread
template <ElementKind kind, int terms, bool keeps_left, ThreadCells thread_cells, int pack_width,
          class Problem>
struct PointwiseThread {
  using Out = typename Problem::out_type::value_type;
  using Left = typename Problem::left_type::value_type;
  using Right = typename Problem::right_type::value_type;
  using Acc = AccumulatorOf<Problem>;
  static constexpr bool has_left = kind != ElementKind::Copy;
  static constexpr int operands = kind == ElementKind::Cross ? 2 : terms == 0 ? 1 : terms;
  /// Sums of any length hold as much as those of four terms, to go by what compilers make of them.
  using InFlight =
      PlacesInFlight<Acc, terms == 0 ? 4 : operands, keeps_left || !has_left, pack_width>;
  static constexpr int in_flight = InFlight::count;
  using launch_bounds = Kokkos::LaunchBounds<256, InFlight::blocks>;

  Out* out;
  const Left* left;
  const Right* right;
  PointwiseThreadMap places;

  using LeftPacks = Pack<Left, pack_width>[operands];
  using RightPacks = Pack<Right, pack_width>[operands];

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t thread) const {
    const PointwiseThreadMap& p = places;
    std::uint32_t count = static_cast<std::uint32_t>(thread), index[PointwiseThreadMap::counted];
    Offsets start;
    for (int i = 0; i < PointwiseThreadMap::counted; ++i) {
      index[i] = p.extent[i].takeFrom(count);
      start.add(index[i], p.step[i]);
    }
    const std::uint32_t first_cell = index[0] * p.cell_step + index[3] * p.cells_of_piece;
    if (thread_cells == ThreadCells::Pack && first_cell >= p.cells) return;
    const std::uint32_t inner_first = p.inner_threads.takeFrom(count) * in_flight;
    // Distances of the operands from the place.
    std::int64_t left_step = p.sum[0].left, right_step = p.sum[0].right;
    if constexpr (kind == ElementKind::Cross) {
      if (p.is_cross_in_space) {
        const std::int64_t next = (index[1] + 1) % 3, after = (index[1] + 2) % 3;
        start.left += next * p.left_component;
        start.right += next * p.right_component;
        left_step = (after - next) * p.left_component;
        right_step = (after - next) * p.right_component;
      }
    }
    const Arrays first{out + start.out, left + start.left, right + start.right,
                       static_cast<std::int32_t>(first_cell)};
    for (std::uint32_t o = count; o < p.outer.extent; o += p.outer.threads) {
      Arrays at = first;
      at.move(o, p.outer.step);
      at.move(inner_first, p.inner.step);
      LeftPacks kept;
      if constexpr (has_left && keeps_left && terms != 0)
        loadLeft(kept, alignedToLine(at), left_step);
      const std::uint32_t stride = p.inner.threads * in_flight;
      for (std::uint32_t i = inner_first; i < p.inner.extent; i += stride) {
        const std::uint32_t open = p.inner.extent - i;
        if (open >= in_flight) {
          compute<true>(at, left_step, right_step, kept, in_flight);
        } else {
          compute<false>(at, left_step, right_step, kept, static_cast<int>(open));
        }
        at.move(stride, p.inner.step);
      }
    }
  }

 private:
  /// A place in the three arrays.
  struct Arrays {
    Out* out;
    const Left* left;
    const Right* right;
    std::int32_t cell;
    KOKKOS_FORCEINLINE_FUNCTION void move(std::int64_t n, const Offsets& step) {
      out += n * step.out;
      left += n * step.left;
      right += n * step.right;
    }
  };

  /// From the place to operand m.
  KOKKOS_FORCEINLINE_FUNCTION static std::int64_t distance(int m, std::int64_t outer,
                                                           std::int64_t inner) {
    return terms == 9 ? m / 3 * outer + m % 3 * inner : m * outer;
  }

  /// The place at the same distance from the line where the row of the output begins.
  KOKKOS_FORCEINLINE_FUNCTION Arrays alignedToLine(Arrays at) const {
    if constexpr (thread_cells == ThreadCells::Lines) {
      constexpr std::uint32_t line = PointwiseThreadMap::line_bytes / sizeof(Out);
      static_assert(line <= PointwiseThreadMap::lane_cells);
      const auto scalar = reinterpret_cast<std::uintptr_t>(at.out) / sizeof(Out);
      const auto row = static_cast<std::uint32_t>(scalar) - static_cast<std::uint32_t>(at.cell);
      const auto early = static_cast<std::int32_t>(row % line);
      at.move(-early, places.cell);
      at.cell -= early;
    }
    return at;
  }

  /// A thread's cells: `cell` and those after it.
  /// \param step  from one cell to the next in memory
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION Pack<T, pack_width> loadCells(const T* at, std::int32_t cell,
                                                            std::int64_t step,
                                                            bool in_common) const {
    if constexpr (thread_cells == ThreadCells::Lines) {
      if (in_common) return loadPack<pack_width>(at, true);
      Pack<T, pack_width> cells;
      for (int v = 0; v < pack_width; ++v) {
        cells.scalars[v] = isCell(cell, v) ? at[laneCells(v) * step] : T(0);
      }
      return cells;
    } else {
      return loadPack<pack_width>(at, in_common);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void storeCells(const Arrays& at,
                                              const Pack<Out, pack_width>& cells) const {
    if constexpr (thread_cells == ThreadCells::Lines) {
      for (int v = 0; v < pack_width; ++v) {
        if (isCell(at.cell, v)) at.out[laneCells(v)] = cells.scalars[v];
      }
    } else {
      storePack<pack_width>(at.out, cells);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION static std::int32_t laneCells(int v) {
    return v * PointwiseThreadMap::lane_cells;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool isCell(std::int32_t first, int v) const {
    return static_cast<std::uint32_t>(first + laneCells(v)) < places.cells;
  }

  KOKKOS_FORCEINLINE_FUNCTION void loadLeft(LeftPacks& packs, const Arrays& at,
                                            std::int64_t step) const {
    for (int m = 0; m < operands; ++m) {
      packs[m] = loadCells(at.left + distance(m, step, places.sum[1].left), at.cell,
                           places.cell.left, places.left_in_common);
    }
  }

  /// All inputs are on their way before the first of them is used.
  template <bool all>
  KOKKOS_FORCEINLINE_FUNCTION void compute(Arrays at, std::int64_t left_step,
                                           std::int64_t right_step, const LeftPacks& kept,
                                           int count) const {
    const Offsets& step = places.inner.step;
    if constexpr (terms == 0) {
      computeAnySums<all>(at, count);
    } else {
      RightPacks rights[in_flight];
      LeftPacks lefts[keeps_left || !has_left ? 1 : in_flight];
      // Places are found anew for storing: all of them at once would fill the registers.
      Arrays next = at;
      for (int u = 0; u < in_flight; ++u) {
        if (!all && u >= count) continue;
        const Arrays from = alignedToLine(next);
        for (int m = 0; m < operands; ++m) {
          rights[u][m] = loadCells(from.right + distance(m, right_step, places.sum[1].right),
                                   from.cell, places.cell.right, places.right_in_common);
        }
        if constexpr (has_left && !keeps_left) loadLeft(lefts[u], from, left_step);
        next.move(1, step);
      }
      for (int u = 0; u < in_flight; ++u) {
        if (!all && u >= count) continue;
        Pack<Out, pack_width> result;
        for (int v = 0; v < pack_width; ++v) {
          if constexpr (keeps_left || !has_left) {
            store<false>(result.scalars[v], element(kept, rights[u], v));
          } else {
            store<false>(result.scalars[v], element(lefts[u], rights[u], v));
          }
        }
        storeCells(alignedToLine(at), result);
        at.move(1, step);
      }
    }
  }

  /// The same for sums of any length, term by term.
  template <bool all>
  KOKKOS_FORCEINLINE_FUNCTION void computeAnySums(Arrays at, int count) const {
    const SumLevel(&sum)[2] = places.sum;
    const Offsets& step = places.inner.step;
    Acc acc[in_flight][pack_width];
    for (int u = 0; u < in_flight; ++u) {
      for (int v = 0; v < pack_width; ++v) acc[u][v] = Acc(0);
    }
    const auto placeOf = [&](int u) {
      Arrays there = at;
      there.move(u, step);
      return alignedToLine(there);
    };
    for (std::int64_t m = 0; m < sum[0].extent; ++m) {
      for (std::int64_t n = 0; n < sum[1].extent; ++n) {
        const std::int64_t left_term = m * sum[0].left + n * sum[1].left;
        const std::int64_t right_term = m * sum[0].right + n * sum[1].right;
        Pack<Left, pack_width> l[in_flight];
        Pack<Right, pack_width> r[in_flight];
        for (int u = 0; u < in_flight; ++u) {
          if (!all && u >= count) continue;
          const Arrays from = placeOf(u);
          l[u] =
              loadCells(from.left + left_term, from.cell, places.cell.left, places.left_in_common);
          r[u] = loadCells(from.right + right_term, from.cell, places.cell.right,
                           places.right_in_common);
        }
        for (int u = 0; u < in_flight; ++u) {
          if (!all && u >= count) continue;
          for (int v = 0; v < pack_width; ++v)
            multiplyAdd(acc[u][v], l[u].scalars[v], r[u].scalars[v]);
        }
      }
    }
    for (int u = 0; u < in_flight; ++u) {
      if (!all && u >= count) continue;
      Pack<Out, pack_width> result;
      for (int v = 0; v < pack_width; ++v) store<false>(result.scalars[v], acc[u][v]);
      storeCells(placeOf(u), result);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION static Acc element(const LeftPacks& l, const RightPacks& r, int v) {
    if constexpr (kind == ElementKind::Copy) {
      return Acc(widen<Acc>(r[0].scalars[v]));
    } else if constexpr (kind == ElementKind::Quotient) {
      return quotient<Acc>(r[0].scalars[v], l[0].scalars[v]);
    } else if constexpr (kind == ElementKind::Cross) {
      Acc plus(0), minus(0);
      multiplyAdd(plus, l[0].scalars[v], r[1].scalars[v]);
      multiplyAdd(minus, l[1].scalars[v], r[0].scalars[v]);
      return Acc(plus - minus);
    } else {
      Acc acc(0);
      for (int m = 0; m < operands; ++m) multiplyAdd(acc, l[m].scalars[v], r[m].scalars[v]);
      return acc;
    }
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
