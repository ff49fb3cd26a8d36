// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_CELLCONTRACTION_HPP
#define KONTRACT_CELLCONTRACTION_HPP

#include "Kontract_CellArray.hpp"
#include "Kontract_HostFads.hpp"
#include "Kontract_Piece.hpp"
#include "Kontract_TeamWorkers.hpp"
#include "Kontract_Unroll.hpp"

/// Where code is compiled for hosts, in kernels too.
#if !defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__) && !defined(__SYCL_DEVICE_ONLY__)
#define KONTRACT_CELLS_OF_HOSTS
#endif

namespace Kontract {
namespace Impl {

/// Makes one level of two where both sides step through them as through one.
KOKKOS_FORCEINLINE_FUNCTION void mergeLevels(SumLevel& outer, SumLevel& inner) {
  if (outer.extent == 1) return;
  const bool is_one =
      outer.left == inner.left * inner.extent && outer.right == inner.right * inner.extent;
  if (inner.extent == 1) {
    inner = outer;
  } else if (is_one) {
    inner.extent *= outer.extent;
  } else {
    return;
  }
  outer = SumLevel();
}

/// The levels of a sum over the indices that follow the fields of both sides, as few as strides
/// allow. The left side may have one point for all.
template <class Left, class Right>
KOKKOS_INLINE_FUNCTION void takeSum(const CellArray<Left>& left, int left_fields,
                                    const CellArray<Right>& right, int right_fields,
                                    SumLevels& sum) {
  const auto level = [&](int i) {
    if (right_fields + i >= right.rank) return SumLevel();
    const std::int64_t extent = right.extents[right_fields + i];
    return SumLevel{extent, left.strideOf(left_fields + i, extent),
                    right.strides[right_fields + i]};
  };
  const SumLevel points = level(0), rows = level(1),
                 columns = right_fields + 2 < 4 ? level(2) : SumLevel();
  const bool points_last = points.right < rows.right || points.right < columns.right;
  sum[0] = points_last ? columns : points;
  sum[1] = rows;
  sum[2] = points_last ? points : columns;
  mergeLevels(sum[1], sum[2]);
  mergeLevels(sum[0], sum[1].extent == 1 ? sum[2] : sum[1]);
}

/// The contraction of one cell, from what its code has: out (L,R), (F) or (), as two, one or none
/// of both sides have fields.
template <class Out, class Left, class Right>
KOKKOS_INLINE_FUNCTION auto cellContraction(const CellArray<Out>& out, const CellArray<Left>& left,
                                            const CellArray<Right>& right, bool sum_into) {
  const int left_fields = out.rank == 2 ? 1 : 0, right_fields = out.rank > 0 ? 1 : 0;
  Problem<ContractionShape, Out, Left, Right> problem{
      {}, out.elements, left.elements, right.elements};
  ContractionShape& s = problem.shape;
  s.sum_into = sum_into;
  if (left_fields == 1) {
    s.lefts = left.extents[0];
    s.left_field = left.strides[0];
    s.out_left = out.strides[0];
  }
  if (right_fields == 1) {
    s.rights = right.extents[0];
    s.right_field = right.strides[0];
    s.out_right = out.strides[out.rank - 1];
  }
  takeSum(left, left_fields, right, right_fields, s.sum);
  return problem;
}

/// Contracts the tile of one worker, left fields by right fields, in registers. On devices a tile
/// has every n-th field, so that neighbouring threads read neighbouring fields, on hosts
/// neighbours. The last tile has the last fields several times.
/// \tparam are_neighbours  right fields are neighbours in memory, and the tile has all of its own:
///   a host reads them as vectors
template <int lefts, int rights, bool are_neighbours, class Problem>
KOKKOS_INLINE_FUNCTION void contractTile(const Problem& problem, int left_tile, int left_tiles,
                                         int right_tile, int right_tiles) {
#ifdef KONTRACT_CELLS_OF_HOSTS
  constexpr bool on_host = true;
#else
  constexpr bool on_host = false;
#endif
  const ContractionShape& s = problem.shape;
  const auto fieldOf = [](int tile, int i, int extent, int tiles) {
    return on_host ? tile * extent + i : tile + i * tiles;
  };
  const auto offsetOf = [](std::int64_t field, std::int64_t fields, std::int64_t stride) {
    return (field < fields ? field : fields - 1) * stride;
  };
  std::int64_t left_at[lefts], right_at[rights];
  KONTRACT_UNROLL
  for (int a = 0; a < lefts; ++a) {
    left_at[a] = offsetOf(fieldOf(left_tile, a, lefts, left_tiles), s.lefts, s.left_field);
  }
  KONTRACT_UNROLL
  for (int b = 0; b < rights; ++b) {
    right_at[b] = offsetOf(fieldOf(right_tile, b, rights, right_tiles), s.rights, s.right_field);
  }
  AccumulatorOf<Problem> sums[lefts][rights] = {};
  forEachInnerSum(s.sum, 0, 0, [&](std::int64_t left_first, std::int64_t right_first) {
    const auto* left = problem.left.data + left_first;
    const auto* right = problem.right.data + right_first;
    const SumLevel level = s.sum[2];
    for (std::int64_t k = 0; k < level.extent; ++k, left += level.left, right += level.right) {
      typename Problem::left_type::value_type x[lefts];
      typename Problem::right_type::value_type y[rights];
      KONTRACT_UNROLL
      for (int a = 0; a < lefts; ++a) x[a] = left[left_at[a]];
      KONTRACT_UNROLL
      for (int b = 0; b < rights; ++b) {
        y[b] = are_neighbours ? right[right_tile * rights + b] : right[right_at[b]];
      }
      KONTRACT_UNROLL
      for (int a = 0; a < lefts; ++a) {
        KONTRACT_UNROLL
        for (int b = 0; b < rights; ++b) multiplyAdd(sums[a][b], x[a], y[b]);
      }
    }
  });
  KONTRACT_UNROLL
  for (int a = 0; a < lefts; ++a) {
    KONTRACT_UNROLL
    for (int b = 0; b < rights; ++b) {
      const int l = fieldOf(left_tile, a, lefts, left_tiles);
      const int r = fieldOf(right_tile, b, rights, right_tiles);
      if (l < s.lefts && r < s.rights) storeSum(problem, 0, l, r, sums[a][b]);
    }
  }
}

/// Tiles of that many fields, shared out to workers.
template <int lefts, int rights, class Team, class Problem>
KOKKOS_INLINE_FUNCTION void contractTiles(const Team& team, const Problem& problem) {
  const int left_tiles = (static_cast<int>(problem.shape.lefts) + lefts - 1) / lefts;
  const int right_tiles = (static_cast<int>(problem.shape.rights) + rights - 1) / rights;
#ifdef KONTRACT_CELLS_OF_HOSTS
  const bool are_neighbours = problem.shape.right_field == 1;
#else
  const bool are_neighbours = false;
#endif
  team.share(left_tiles * right_tiles, [&](int tile) {
    const int left_tile = tile / right_tiles, right_tile = tile - left_tile * right_tiles;
    if (are_neighbours && (right_tile + 1) * rights <= problem.shape.rights) {
      contractTile<lefts, rights, true>(problem, left_tile, left_tiles, right_tile, right_tiles);
    } else {
      contractTile<lefts, rights, false>(problem, left_tile, left_tiles, right_tile, right_tiles);
    }
  });
}

/// Tiles of the size that keeps so many workers busy for the shortest time: a term of a tile takes
/// a product for each pair of its fields, and a read for each field.
template <class Team, class Problem>
KOKKOS_INLINE_FUNCTION void contractInTiles(const Team& team, const Problem& problem) {
  const int lefts = static_cast<int>(problem.shape.lefts);
  const int rights = static_cast<int>(problem.shape.rights), workers = team.count();
  if (lefts == 1 || rights == 1) {
    if (lefts * rights < 3 * workers) return contractTiles<1, 1>(team, problem);
#ifdef KONTRACT_CELLS_OF_HOSTS
    if (rights >= 12 && problem.shape.right_field == 1) return contractTiles<1, 12>(team, problem);
#endif
    return lefts == 1 ? contractTiles<1, 4>(team, problem) : contractTiles<4, 1>(team, problem);
  }
  if (workers == 1) return contractTiles<4, 4>(team, problem);
  const float each = 1 / static_cast<float>(workers);
  const auto cost = [&](int tiles, int tile) {
    const int rounds = 1 + static_cast<int>((static_cast<float>(tiles) - 0.5f) * each);
    return rounds * (tile * tile + 2 * tile);
  };
  const int one = cost(lefts * rights, 1);
  const int two = cost((lefts + 1) / 2 * ((rights + 1) / 2), 2);
  const int three = cost((lefts + 2) / 3 * ((rights + 2) / 3), 3);
  const int four = cost((lefts + 3) / 4 * ((rights + 3) / 4), 4);
  if (four <= three && four <= two && four <= one) return contractTiles<4, 4>(team, problem);
  if (three <= two && three <= one) return contractTiles<3, 3>(team, problem);
  if (two <= one) return contractTiles<2, 2>(team, problem);
  contractTiles<1, 1>(team, problem);
}

/// One output after another, each by one worker: of Fads.
template <class Team, class Problem>
KOKKOS_INLINE_FUNCTION void contractOneByOne(const Team& team, const Problem& problem) {
  const std::int64_t rights = problem.shape.rights;
  team.share(problem.shape.lefts * rights,
             [&](std::int64_t n) { contractOne(problem, 0, n / rights, n % rights); });
}

/// What kernels of hosts work in of the stack of a thread, for one cell: more than they need for
/// contiguous terms.
constexpr std::int64_t bytes_on_stack = 64 * 1024;

/// The contraction of one cell as the kernels of hosts take it: HostProblem without what many cells
/// pay for.
template <class Problem>
HostContraction<typename RealOf<OutputScalar<Problem>>::type> hostCell(const Problem& problem) {
  using Real = typename RealOf<OutputScalar<Problem>>::type;
  const ContractionShape& s = problem.shape;
  HostContraction<Real> c =
      hostContraction<Real>(s, problem.out.data, problem.left.data, problem.right.data);
  c.out_cell = s.lefts * s.rights;
  c.left_cell = c.right_cell = 0;
  return c;
}

/// By the kernels of the host's instruction set, in memory that the caller has for it, or on the
/// stack.
/// \return whether they serve it, and there was enough of that
template <class Team, class Problem>
KOKKOS_INLINE_FUNCTION bool contractByHostKernels([[maybe_unused]] const Team& team,
                                                  [[maybe_unused]] const Problem& problem,
                                                  [[maybe_unused]] void* memory,
                                                  [[maybe_unused]] std::int64_t bytes) {
#ifdef KONTRACT_CELLS_OF_HOSTS
  if constexpr (is_uniform<Problem> && has_host_kernels_of<OutputScalar<Problem>>) {
    // Less than this takes less time than the call.
    constexpr std::int64_t few_products = 128, alignment = 64;
    const ContractionShape& s = problem.shape;
    if (s.lefts * s.rights * s.terms() < few_products) return false;
    alignas(alignment) char stack[bytes_on_stack];
    const auto& kernels = hostKernelsOf<OutputScalar<Problem>>(hostKernels());
    const auto contraction = hostCell(problem);
    const std::int64_t needed = kernels.workspace(contraction);
    void* workspace = stack;
    const std::int64_t threads = team.count();
    if (needed > bytes_on_stack) {
      if (threads > 1) return false;  // the memory is of all of them, and each one needs its own
      const auto address = reinterpret_cast<std::uintptr_t>(memory);
      const std::uintptr_t aligned = (address + alignment - 1) / alignment * alignment;
      if (needed + static_cast<std::int64_t>(aligned - address) > bytes) return false;
      workspace = reinterpret_cast<void*>(aligned);
    }
    team.each([&](std::int64_t worker) {
      kernels.contract(contraction,
                       {0, 1, worker * s.lefts / threads, (worker + 1) * s.lefts / threads},
                       workspace);
    });
    return true;
  }
#endif
  return false;
}

/// The same for Fads whose components lie side by side.
template <class Team, class Problem>
KOKKOS_INLINE_FUNCTION bool contractFadsByHostKernels([[maybe_unused]] const Team& team,
                                                      [[maybe_unused]] const Problem& problem) {
#ifdef KONTRACT_CELLS_OF_HOSTS
  if constexpr (has_fad_components<Problem>) {
    const auto fads = fadProblemOf(problem);
    if (!areSideBySide(fads)) return false;
    const auto& kernels = hostKernelsOf<FadScalar<Problem>>(hostKernels());
    const auto contraction = hostFadContraction(fads);
    const HostFads of = hostFadsOf(fads);
    const std::int64_t threads = team.count(), lefts = problem.shape.lefts;
    alignas(64) char stack[bytes_on_stack];
    // Threads would share this memory.
    const std::int64_t needed = threads > 1 ? 0 : kernels.contract_fads_workspace(contraction, of);
    const bool uses_stack = needed > 0 && needed <= bytes_on_stack;
    team.each([&](std::int64_t worker) {
      kernels.contract_fads(contraction, of,
                            {0, 1, worker * lefts / threads, (worker + 1) * lefts / threads},
                            uses_stack ? stack : nullptr);
    });
    return true;
  }
#endif
  return false;
}

/// Contracts a cell by the workers of a team.
template <class Team, class Problem>
KOKKOS_INLINE_FUNCTION void contractCell(const Team& team, const Problem& problem,
                                         void* memory = nullptr, std::int64_t bytes = 0) {
  if (problem.shape.lefts * problem.shape.rights == 0) return;
  if constexpr (is_plain_contraction<Problem>) {
    if (contractByHostKernels(team, problem, memory, bytes)) return;
    contractInTiles(team, problem);
  } else {
    if (contractFadsByHostKernels(team, problem)) return;
    contractOneByOne(team, problem);
  }
}

}  // namespace Impl
}  // namespace Kontract

#endif
