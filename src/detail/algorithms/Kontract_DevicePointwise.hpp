// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_DEVICEPOINTWISE_HPP
#define KONTRACT_DEVICEPOINTWISE_HPP

#include <algorithm>
#include <limits>
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
/// in memory a thread takes as many of them as the widest load holds, if pointers and strides are
/// multiples of it.
struct DevicePointwise {
  /// \return whether it did; if not, some extent is too large for its 32-bit counts
  template <class Space, class Problem>
  static bool run(const Space& space, const Problem& problem, const std::string& label) {
    using Out = typename Problem::out_type::value_type;
    const PointwiseShape& s = problem.shape;
    constexpr int pack_width = is_uniform<Problem> ? pack_size<Out> : 1;
    const bool in_packs = pack_width > 1 && fitsPacks(problem, pack_width);
    PointwiseThreadMap places = placesOf(s, in_packs ? pack_width : 1, space.concurrency());
    if (places.threads == 0) return false;
    Run<Space, Problem> runner{space, problem, places, problem.left.data, problem.right.data,
                               label};
    if constexpr (is_uniform<Problem>) {
      // The side that stays along the inner index is kept in registers: products do not mind which.
      const Offsets& step = places.inner.step;
      if (s.kind == PointwiseKind::Product && step.right == 0 && step.left != 0) {
        swapSides(places);
        std::swap(runner.left, runner.right);
      }
    }
    if (in_packs) {
      runner.template inPacks<pack_width>();
    } else {
      runner.template inPacks<1>();
    }
    return true;
  }

 private:
  template <class Problem>
  static constexpr bool is_uniform = std::is_same_v<typename Problem::out_type::value_type,
                                                    typename Problem::left_type::value_type>&&
      std::is_same_v<typename Problem::out_type::value_type,
                     typename Problem::right_type::value_type>;

  /// Starts the kernel that was compiled for a problem.
  template <class Space, class Problem>
  struct Run {
    const Space& space;
    const Problem& problem;
    const PointwiseThreadMap& places;
    const typename Problem::left_type::value_type* left;
    const typename Problem::right_type::value_type* right;
    const std::string& label;

    template <int pack_width>
    void inPacks() const {
      const PointwiseShape& s = problem.shape;
      switch (s.kind) {
        case PointwiseKind::Copy: return go<ElementKind::Copy, 1, true, pack_width>();
        case PointwiseKind::Quotient: return keeping<ElementKind::Quotient, 1, pack_width>();
        case PointwiseKind::Cross2:
        case PointwiseKind::Cross3: return keeping<ElementKind::Cross, 2, pack_width>();
        case PointwiseKind::Product: break;
      }
      const bool is_square = s.sum[0].extent == 3 && s.sum[1].extent == 3 && pack_width == 1;
      const bool is_short = s.sum[1].extent == 1 && s.sum[0].extent <= 3;
      const std::int64_t terms = is_square ? 9 : is_short ? s.sum[0].extent : 0;
      switch (terms) {
        case 1: return keeping<ElementKind::Product, 1, pack_width>();
        case 2: return keeping<ElementKind::Product, 2, pack_width>();
        case 3: return keeping<ElementKind::Product, 3, pack_width>();
        case 9:
          if constexpr (pack_width == 1) return keeping<ElementKind::Product, 9, 1>();
          break;
      }
      go<ElementKind::Product, 0, true, pack_width>();
    }
    template <ElementKind kind, int terms, int pack_width>
    void keeping() const {
      if (places.inner.step.left == 0) {
        go<kind, terms, true, pack_width>();
      } else {
        go<kind, terms, false, pack_width>();
      }
    }
    template <ElementKind kind, int terms, bool keeps_left, int pack_width>
    void go() const {
      launch(space, label, places.threads,
             PointwiseThread<kind, terms, keeps_left, pack_width, Problem>{problem.out.data, left,
                                                                           right, places});
    }
  };

  /// Whether neighbouring cells can be moved a pack at a time.
  template <class Problem>
  static bool fitsPacks(const Problem& problem, int pack_width) {
    const PointwiseShape& s = problem.shape;
    if (!s.isCellFastest() || s.cells % pack_width != 0) return false;
    const auto fits = [&](const PointwiseShape::Strides& of, std::int64_t SumLevel::*sum,
                          const auto* data) {
      if (of.cell == 0) return true;
      const auto is_whole = [&](std::int64_t extent, std::int64_t stride) {
        return extent == 1 || stride % pack_width == 0;
      };
      return of.cell == 1 && is_whole(s.fields, of.field) && is_whole(s.points, of.point) &&
             is_whole(s.rows, of.row) && is_whole(s.columns, of.column) &&
             isAlignedForPacks(data, pack_width) &&
             (sum == nullptr || (is_whole(s.sum[0].extent, s.sum[0].*sum) &&
                                 is_whole(s.sum[1].extent, s.sum[1].*sum)));
    };
    return s.out.cell == 1 && fits(s.out, nullptr, problem.out.data) &&
           (s.kind == PointwiseKind::Copy || fits(s.left, &SumLevel::left, problem.left.data)) &&
           fits(s.right, &SumLevel::right, problem.right.data);
  }

  static void swapSides(PointwiseThreadMap& p) {
    for (Offsets& step : p.step) std::swap(step.left, step.right);
    std::swap(p.outer.step.left, p.outer.step.right);
    std::swap(p.inner.step.left, p.inner.step.right);
    for (SumLevel& level : p.sum) std::swap(level.left, level.right);
    std::swap(p.left_in_common, p.right_in_common);
  }

  static Offsets times(std::int64_t n, const Offsets& step) {
    return {n * step.out, n * step.left, n * step.right};
  }

  static PointwiseThreadMap placesOf(const PointwiseShape& s, int pack_width,
                                     std::int64_t concurrency) {
    constexpr std::int64_t cells_side_by_side = 64;  // of one row, then the next one
    const auto step = [&](std::int64_t PointwiseShape::Strides::*index) {
      return Offsets{s.out.*index, s.left.*index, s.right.*index};
    };
    using Strides = PointwiseShape::Strides;
    const Offsets cell = step(&Strides::cell), point = step(&Strides::point);
    const bool cell_fastest = s.isCellFastest();
    // Many more threads than run at once: they come and go, and memory is never idle.
    const std::int64_t wanted = (cell_fastest ? 4 : 32) * concurrency;

    PointwiseThreadMap p;
    std::int64_t extents[PointwiseThreadMap::counted] = {s.columns, s.rows, s.points, 1};
    const Offsets steps[] = {step(&Strides::column), step(&Strides::row), point, {}};
    std::copy(std::begin(steps), std::end(steps), p.step);
    p.first_end = std::numeric_limits<std::uint32_t>::max();
    if (cell_fastest) {
      const std::int64_t packs = s.cells / pack_width, piece = std::min(packs, cells_side_by_side);
      extents[0] = piece;
      extents[2] = s.columns;
      extents[3] = (packs + piece - 1) / piece;
      p.step[0] = times(pack_width, cell);
      p.step[2] = steps[0];
      p.step[3] = times(piece * pack_width, cell);
      p.piece = static_cast<std::uint32_t>(piece);
      p.first_end = static_cast<std::uint32_t>(packs);
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
