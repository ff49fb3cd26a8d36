// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_DEVICEPOINTWISE_HPP
#define KONTRACT_DEVICEPOINTWISE_HPP

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>

#include "detail/kernels/device/Kontract_PointwiseThreadMap.hpp"
#include "detail/launch/Kontract_Launch.hpp"
#include "detail/problem/Kontract_Problem.hpp"
#include "detail/support/Kontract_Machine.hpp"

namespace Kontract {
namespace Impl {

/// Pointwise operations of plain scalars on devices, at the speed of memory: see
/// PointwiseThreadMap. Along the inner index of its walk, the fields where there are any, a thread
/// keeps the data in registers, and several loads are in flight at once. Where cells are neighbours
/// in memory a thread takes several of them: see ThreadCells.
struct DevicePointwise {
  /// \return whether it did; if not, it has no kernel of that kind, or some extent is too large for
  /// its 32-bit counts
  template <class Space, class Problem>
  static bool run(const Space& space, const Problem& problem, const std::string& label) {
    using Out = typename Problem::out_type::value_type;
    constexpr int pack_width = is_uniform<Problem> ? pack_size<Out> : 1;
    constexpr int lines_width = std::max(2, pack_width);
    const PointwiseShape& s = problem.shape;
    if (s.kind > PointwiseKind::Cross3) return false;
    const bool fits_packs = fitsPacks(problem, pack_width);
    const ThreadCells cells = threadCells(problem, fits_packs);
    const int width = cells == ThreadCells::Lines ? lines_width : fits_packs ? pack_width : 1;
    const PointwiseThreadMap places = placesOf(s, cells, width, space.concurrency());
    if (places.threads == 0) return false;
    Run<Space, Problem> runner{space, problem, places, problem.left.data, problem.right.data,
                               label};
    if constexpr (is_uniform<Problem>) {
      // The side that stays along the inner index is kept in registers: products do not mind which.
      const Offsets& step = places.inner.step;
      if (s.kind == PointwiseKind::Product && step.right == 0 && step.left != 0) runner.swapSides();
    }
    if constexpr (has_lines<Problem>) {
      if (cells == ThreadCells::Lines) {
        runner.template start<ThreadCells::Lines, lines_width>();
        return true;
      }
    }
    if (fits_packs) {
      runner.template start<ThreadCells::Pack, pack_width>();
    } else {
      runner.template start<ThreadCells::Pack, 1>();
    }
    return true;
  }

 private:
  template <class Problem>
  static constexpr bool is_uniform = std::is_same_v<typename Problem::out_type::value_type,
                                                    typename Problem::left_type::value_type>&&
      std::is_same_v<typename Problem::out_type::value_type,
                     typename Problem::right_type::value_type>;

  template <class Problem>
  static constexpr int scalars_of_line =
      PointwiseThreadMap::line_bytes /
      static_cast<int>(sizeof(typename Problem::out_type::value_type));
  /// Whether there are kernels for whole lines.
  template <class Problem>
  static constexpr bool has_lines =
      is_uniform<Problem>&& scalars_of_line<Problem> <= PointwiseThreadMap::lane_cells;

  /// Starts the kernel that was compiled for a problem.
  template <class Space, class Problem>
  struct Run {
    const Space& space;
    const Problem& problem;
    PointwiseThreadMap places;
    const typename Problem::left_type::value_type* left;
    const typename Problem::right_type::value_type* right;
    const std::string& label;

    template <ThreadCells cells, int width>
    void start() const {
      const PointwiseShape& s = problem.shape;
      switch (s.kind) {
        case PointwiseKind::Copy: return go<ElementKind::Copy, 1, true, cells, width>();
        case PointwiseKind::Quotient: return keeping<ElementKind::Quotient, 1, cells, width>();
        case PointwiseKind::Cross2:
        case PointwiseKind::Cross3: return keeping<ElementKind::Cross, 2, cells, width>();
        default: break;
      }
      const bool is_square = s.sum[0].extent == 3 && s.sum[1].extent == 3 && width == 1;
      const bool is_short = s.sum[1].extent == 1 && s.sum[0].extent <= 3;
      const std::int64_t terms = is_square ? 9 : is_short ? s.sum[0].extent : 0;
      switch (terms) {
        case 1: return keeping<ElementKind::Product, 1, cells, width>();
        case 2: return keeping<ElementKind::Product, 2, cells, width>();
        case 3: return keeping<ElementKind::Product, 3, cells, width>();
        case 9:
          if constexpr (width == 1) return keeping<ElementKind::Product, 9, cells, 1>();
          break;
      }
      go<ElementKind::Product, 0, true, cells, width>();
    }
    template <ElementKind kind, int terms, ThreadCells cells, int width>
    void keeping() const {
      // Rows of output that begin differently in their lines need other cells of the left side.
      const bool is_left_alike = cells == ThreadCells::Pack || places.cell.left == 0 ||
                                 places.inner.step.out % scalars_of_line<Problem> == 0;
      if (places.inner.step.left == 0 && is_left_alike) {
        go<kind, terms, true, cells, width>();
      } else {
        go<kind, terms, false, cells, width>();
      }
    }
    template <ElementKind kind, int terms, bool keeps_left, ThreadCells cells, int width>
    void go() const {
      launch(space, label, places.threads,
             PointwiseThread<kind, terms, keeps_left, cells, width, Problem>{problem.out.data, left,
                                                                             right, places});
    }

    void swapSides() {
      std::swap(left, right);
      for (Offsets& step : places.step) std::swap(step.left, step.right);
      std::swap(places.cell.left, places.cell.right);
      std::swap(places.outer.step.left, places.outer.step.right);
      std::swap(places.inner.step.left, places.inner.step.right);
      for (SumLevel& level : places.sum) std::swap(level.left, level.right);
      std::swap(places.left_in_common, places.right_in_common);
    }
  };

  /// Lines cost a part of one too many at each end of a row of cells. What they gain was measured
  /// on an H200: sums gain more from neighbouring cells, and so do two arrays with cells where rows
  /// of the output are whole lines anyway.
  template <class Problem>
  static ThreadCells threadCells(const Problem& problem, bool fits_packs) {
    const PointwiseShape& s = problem.shape;
    constexpr std::int64_t fewest_cells = 16 * PointwiseThreadMap::lane_cells;
    const bool is_possible =
        has_lines<Problem> && s.isCellFastest() && s.out.cell == 1 && s.cells >= fewest_cells;
    const bool reads_one = s.kind == PointwiseKind::Copy || s.left.cell == 0 || s.right.cell == 0;
    const bool gains = !fits_packs || (!isSum(s) && (reads_one || !hasWholeLines(problem)));
    return is_possible && gains ? ThreadCells::Lines : ThreadCells::Pack;
  }
  static bool isSum(const PointwiseShape& s) { return s.sum[0].extent * s.sum[1].extent > 1; }

  /// Whether every row of cells of the output begins at a line of memory.
  template <class Problem>
  static bool hasWholeLines(const Problem& problem) {
    constexpr int line = scalars_of_line<Problem>;
    const PointwiseShape& s = problem.shape;
    return isAlignedForPacks(problem.out.data, line) && areMultiples(s, s.out, line);
  }

  /// Whether rows of cells, one of each field, point and component, are multiples apart.
  static bool areMultiples(const PointwiseShape& s, const PointwiseShape::Strides& of,
                           std::int64_t width) {
    const auto is_multiple = [width](std::int64_t extent, std::int64_t stride) {
      return extent == 1 || stride % width == 0;
    };
    return is_multiple(s.fields, of.field) && is_multiple(s.points, of.point) &&
           is_multiple(s.rows, of.row) && is_multiple(s.columns, of.column);
  }

  /// Whether neighbouring cells can be moved a pack at a time.
  template <class Problem>
  static bool fitsPacks(const Problem& problem, int pack_width) {
    const PointwiseShape& s = problem.shape;
    if (pack_width == 1) return true;
    if (!s.isCellFastest() || s.cells % pack_width != 0) return false;
    const auto fits = [&](const PointwiseShape::Strides& of, std::int64_t SumLevel::*sum,
                          const auto* data) {
      if (of.cell == 0) return true;
      const auto is_whole = [&](const SumLevel& level) {
        return level.extent == 1 || level.*sum % pack_width == 0;
      };
      return of.cell == 1 && areMultiples(s, of, pack_width) &&
             isAlignedForPacks(data, pack_width) &&
             (sum == nullptr || (is_whole(s.sum[0]) && is_whole(s.sum[1])));
    };
    return s.out.cell == 1 && fits(s.out, nullptr, problem.out.data) &&
           (s.kind == PointwiseKind::Copy || fits(s.left, &SumLevel::left, problem.left.data)) &&
           fits(s.right, &SumLevel::right, problem.right.data);
  }

  static Offsets times(std::int64_t n, const Offsets& step) {
    return {n * step.out, n * step.left, n * step.right};
  }

  static PointwiseThreadMap placesOf(const PointwiseShape& s, ThreadCells cells, int width,
                                     std::int64_t concurrency) {
    const auto step = [&](std::int64_t PointwiseShape::Strides::*index) {
      return Offsets{s.out.*index, s.left.*index, s.right.*index};
    };
    using Strides = PointwiseShape::Strides;
    const Offsets cell = step(&Strides::cell), point = step(&Strides::point);
    const bool cell_fastest = s.isCellFastest();
    // Many more threads than run at once: they come and go, and memory is never idle.
    const bool takes_lines = cells == ThreadCells::Lines;
    const bool has_short_threads = !cell_fastest || (takes_lines && !isSum(s));
    const std::int64_t wanted = (has_short_threads ? 32 : 4) * concurrency;

    PointwiseThreadMap p;
    std::int64_t extents[PointwiseThreadMap::counted] = {s.columns, s.rows, s.points, 1};
    const Offsets steps[] = {step(&Strides::column), step(&Strides::row), point, {}};
    std::copy(std::begin(steps), std::end(steps), p.step);
    p.cell = cell;
    p.cells = static_cast<std::uint32_t>(s.cells);
    if (cell_fastest) {
      // Some cells of one row side by side, then those of the next one.
      constexpr std::int64_t lane_cells = PointwiseThreadMap::lane_cells;
      const std::int64_t packs = s.cells / width;
      const std::int64_t side_by_side =
          takes_lines ? lane_cells : std::min<std::int64_t>(packs, 64);
      const std::int64_t cells_of_piece = side_by_side * width;
      p.cell_step = takes_lines ? 1 : static_cast<std::uint32_t>(width);
      p.cells_of_piece = static_cast<std::uint32_t>(cells_of_piece);
      // The first line of a row may begin before it.
      const std::int64_t cells_of_row = takes_lines ? s.cells + lane_cells - 1 : s.cells;
      extents[0] = side_by_side;
      extents[2] = s.columns;
      extents[3] = (cells_of_row + cells_of_piece - 1) / cells_of_piece;
      p.step[0] = times(p.cell_step, cell);
      p.step[2] = steps[0];
      p.step[3] = times(cells_of_piece, cell);
    }
    const std::int64_t slow = cell_fastest ? s.points : s.cells;
    const std::int64_t outer = s.fields > 1 ? slow : 1, inner = s.fields > 1 ? s.fields : slow;
    p.outer.step = p.inner.step = cell_fastest ? point : cell;
    if (s.fields > 1) p.inner.step = step(&Strides::field);

    double places = 1;
    for (const std::int64_t extent : extents) places *= static_cast<double>(extent);
    const double most = static_cast<double>(FastDivisor::end) / 2;
    const double largest = static_cast<double>(std::max({outer, inner, s.cells}));
    if (places + static_cast<double>(wanted) > most || largest > most) return p;
    const auto share = [&](std::int64_t done, std::int64_t extent) {
      return std::clamp<std::int64_t>(wanted / std::max<std::int64_t>(1, done), 1, extent);
    };
    const std::int64_t counted = static_cast<std::int64_t>(places);
    const std::int64_t outer_threads = share(counted, outer);
    constexpr std::int64_t in_flight = 4;  // at the least, to be worth a thread
    const std::int64_t inner_blocks = (inner + in_flight - 1) / in_flight;
    const std::int64_t inner_threads = share(counted * outer_threads, inner_blocks);
    for (int i = 0; i < PointwiseThreadMap::counted; ++i) p.extent[i] = FastDivisor(extents[i]);
    p.inner_threads = FastDivisor(inner_threads);
    p.outer.extent = static_cast<std::uint32_t>(outer);
    p.outer.threads = static_cast<std::uint32_t>(outer_threads);
    p.inner.extent = static_cast<std::uint32_t>(inner);
    p.inner.threads = static_cast<std::uint32_t>(inner_threads);
    p.left_in_common = s.left.cell == 0;
    p.right_in_common = s.right.cell == 0;
    std::copy(std::begin(s.sum), std::end(s.sum), p.sum);
    if (s.kind == PointwiseKind::Cross3) {
      p.is_cross_in_space = true;
      p.left_component = s.left.row;
      p.right_component = s.right.row;
      p.step[1].left = p.step[1].right = 0;
    }
    p.threads = counted * outer_threads * inner_threads;
    return p;
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
