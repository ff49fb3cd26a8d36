// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TENSORCOREKERNEL_HPP
#define KONTRACT_TENSORCOREKERNEL_HPP

#include <utility>

#include "Kontract_Scalar.hpp"
#include "Kontract_StageRing.hpp"
#include "Kontract_StagedOutput.hpp"
#include "Kontract_TensorTile.hpp"

#ifdef KOKKOS_ENABLE_CUDA

namespace Kontract {
namespace Impl {

/// Warps of a block: along left and right fields, and over cells (pairs of cells where cells are
/// side by side and real).
struct TensorWarps {
  int lefts, rights;
};

/// Contractions by matrix instructions. In shared memory a chunk of 16 bytes is two terms of a
/// cell, a term of two cells, or a complex term: each is an operand of two instructions. A lane
/// reads whole chunks; which terms it calls q and q + 4 does not matter, as long as both sides
/// agree.
template <class T, Rows rows, int lefts, int rights, bool by_engine>
struct TensorCoreKernel {
  static constexpr bool is_complex = IsComplex<T>::value;
  static constexpr bool pairs_cells = rows == Rows::OfCells && !is_complex;
  static constexpr int tile_lefts = 8 * lefts, tile_rights = 8 * rights;  ///< fields of a warp
  static constexpr int sums = pairs_cells || is_complex ? 2 : 1;
  /// A row of sums in shared memory, on their way out, and what keeps rows in different banks.
  static constexpr int staged_row = tile_rights + (rights % 2 == 0 ? 8 : 0);
  /// Blocks of eight right fields whose sums of cells side by side are in shared memory at a time.
  static constexpr int staged_rights = (rights + 1) / 2;

  using Real = typename RealOf<T>::type;
  using Tile = TensorTile<lefts, rights>;
  using Pair = typename Tile::Pair;
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
    const int warp = static_cast<int>(threadIdx.x) / 32, of_cell = warps.lefts * warps.rights;
    const Place place{warp / of_cell, warp / warps.rights % warps.lefts, warp % warps.rights,
                      static_cast<int>(threadIdx.x) % 32 / 4, static_cast<int>(threadIdx.x) % 4};
    Tile tiles[sums];
    for (std::int64_t i = blockIdx.x; i < plan.works; i += gridDim.x) {
#pragma unroll
      for (int s = 0; s < sums; ++s) tiles[s].clear();
      for (int part = 0; part < ring.parts(); ++part) {
        addStage(tiles, ring.take(), place);
        ring.giveBack();
      }
      const StageWork work = ring.workOf(i);
      if constexpr (rows == Rows::OfCells) {
        storeCells(tiles, work, place, memory + sums_at);
      } else {
        storeCell(tiles, work, place, memory + sums_at);
      }
    }
  }

 private:
  struct Place {
    int cell;         ///< which of a block's cells, or pairs of them, this warp has
    int left, right;  ///< which tile
    int g, q;         ///< lane
  };

  struct alignas(16) Chunk {
    Real reals[16 / sizeof(Real)];
  };
  template <int count>
  struct Chunks {
    Chunk at[count][2];
  };

  template <int count, class F, int... n>
  __device__ __forceinline__ static void forEachOf(const F& f, std::integer_sequence<int, n...>) {
    (f(std::integral_constant<int, n>()), ...);
  }
  template <int count, class F>
  __device__ __forceinline__ static void forEachConstant(const F& f) {
    forEachOf<count>(f, std::make_integer_sequence<int, count>());
  }

  /// Reads two chunks for each block of eight fields: `first` and `second` bytes from the row's
  /// begin.
  template <int count>
  __device__ __forceinline__ static void load(Chunks<count>& chunks, const char* from, int first,
                                              int second) {
#pragma unroll
    for (int i = 0; i < count; ++i) {
      chunks.at[i][0] = *reinterpret_cast<const Chunk*>(from + i * 8 * row_bytes + first);
      if constexpr (pairs_cells || sizeof(T) == 16) {
        chunks.at[i][1] = *reinterpret_cast<const Chunk*>(from + i * 8 * row_bytes + second);
      }
    }
  }

  __device__ __forceinline__ void addStage(Tile (&tiles)[sums], const char* stage,
                                           const Place& place) const {
    const int plane = rows == Rows::OfCells ? place.q : place.cell;
    const int left_row = plane * left.box_fields + place.left * tile_lefts + place.g;
    const int right_row = plane * right.box_fields + place.right * tile_rights + place.g;
    const char* lefts_at = stage + left_row * row_bytes;
    const char* rights_at = stage + plan.right_at + right_row * row_bytes;
    const int left_mask = (left_row & 7) << 4, right_mask = (right_row & 7) << 4;
    if constexpr (rows == Rows::OfCells) {
      // Rows of terms q and q + 4 of eight; the box of fields is as long as keeps them in banks
      // apart.
      const int left_four = 4 * left.box_fields * row_bytes;
      const int right_four = 4 * right.box_fields * row_bytes;
      const int left_at = place.cell * 16 ^ left_mask, right_at = place.cell * 16 ^ right_mask;
      Chunks<lefts> a;
      Chunks<rights> b;
#pragma unroll 1
      for (int k = 0; k < plan.terms_each; k += 8) {
        load(b, rights_at, right_at, right_four + right_at);
        load(a, lefts_at, left_at, left_four + left_at);
        multiply<0, lefts>(tiles, a, b);
        lefts_at += 2 * left_four;
        rights_at += 2 * right_four;
      }
    } else {
      // Even chunks, then odd ones: neighbouring rows then lie in different banks. What is needed
      // next is read while the instructions work on what is there.
      constexpr int chunks = sizeof(T) == 16 ? 1 : 2, parts = lefts % 4 == 0 ? 2 : 1;
      constexpr int part_lefts = lefts / parts;
      Chunks<part_lefts> a[2];
      Chunks<rights> b[2];
      const auto load_left = [&](int n) {
        const int first = (2 * place.q + n / parts) * 16;
        load(a[n % 2], lefts_at + n % parts * part_lefts * 8 * row_bytes, first ^ left_mask,
             (first + 16) ^ left_mask);
      };
      const auto load_right = [&](int chunk) {
        const int first = (2 * place.q + chunk) * 16;
        load(b[chunk], rights_at, first ^ right_mask, (first + 16) ^ right_mask);
      };
      load_right(0);
      load_left(0);
      forEachConstant<chunks * parts>([&](auto step) {
        constexpr int n = decltype(step)::value;
        if constexpr (n + 1 < chunks * parts) {
          if constexpr ((n + 1) % parts == 0) load_right((n + 1) / parts);
          load_left(n + 1);
        }
        multiply<n % parts * part_lefts, part_lefts>(tiles, a[n % 2], b[n / parts]);
      });
    }
  }

  /// Adds the products of what is in the chunks, eight terms at a time.
  template <int first, int count>
  __device__ __forceinline__ static void multiply(Tile (&tiles)[sums], const Chunks<count>& a,
                                                  const Chunks<rights>& b) {
    if constexpr (is_complex) {
      // Of terms q and q + 4: two chunks of a complex each, or one of two.
      constexpr int other = sizeof(T) == 16 ? 1 : 0, re = sizeof(T) == 16 ? 0 : 2;
      const auto part = [](const auto& x, int i, int imag, double sign) {
        return Pair{sign * double(x.at[i][0].reals[imag]),
                    sign * double(x.at[i][other].reals[re + imag])};
      };
      const auto real_a = [&](int i) { return part(a, i, 0, 1); };
      const auto imag_a = [&](int i) { return part(a, i, 1, 1); };
      const auto minus_imag_a = [&](int i) { return part(a, i, 1, -1); };
      const auto real_b = [&](int j) { return part(b, j, 0, 1); };
      const auto imag_b = [&](int j) { return part(b, j, 1, 1); };
      tiles[0].template add<first, count>(real_a, real_b);
      tiles[sums - 1].template add<first, count>(real_a, imag_b);
      tiles[0].template add<first, count>(minus_imag_a, imag_b);
      tiles[sums - 1].template add<first, count>(imag_a, real_b);
    } else if constexpr (pairs_cells) {
#pragma unroll
      for (int s = 0; s < sums; ++s) {
        tiles[s].template add<first, count>(
            [&](int i) {
              return Pair{double(a.at[i][0].reals[s]), double(a.at[i][1].reals[s])};
            },
            [&](int j) {
              return Pair{double(b.at[j][0].reals[s]), double(b.at[j][1].reals[s])};
            });
      }
    } else {
      constexpr int reals = 16 / sizeof(Real);
#pragma unroll
      for (int s = 0; s < reals; s += 2) {
        tiles[0].template add<first, count>(
            [&](int i) {
              return Pair{double(a.at[i][0].reals[s]), double(a.at[i][0].reals[s + 1])};
            },
            [&](int j) {
              return Pair{double(b.at[j][0].reals[s]), double(b.at[j][0].reals[s + 1])};
            });
      }
    }
  }

  /// The sum of a lane, in the output's precision.
  __device__ __forceinline__ static T sumOf(const Tile (&tiles)[sums], int i, int j, int h) {
    if constexpr (is_complex) {
      return T(Real(tiles[0].sums[i][j][h]), Real(tiles[sums - 1].sums[i][j][h]));
    } else {
      return T(tiles[0].sums[i][j][h]);
    }
  }

  /// Eight rows of sums at a time go through shared memory, so that a warp writes whole lines.
  __device__ __forceinline__ void storeCell(const Tile (&tiles)[sums], const StageWork& work,
                                            const Place& place, char* memory) const {
    T* staged = reinterpret_cast<T*>(memory) + (threadIdx.x / 32) * 8 * staged_row;
    const int lane = threadIdx.x % 32;
    const std::int64_t cell = work.cell + place.cell;
    const std::int64_t first_right = work.right + place.right * tile_rights;
    const std::int64_t left_over = out.rights - first_right;
    const int columns = left_over < tile_rights ? static_cast<int>(left_over) : tile_rights;
    if (cell >= out.cells || columns <= 0) return;
    const bool is_one_run = out.right == 1 && out.left == columns;
    const unsigned reciprocal = 65536u / columns + 1;  // exact for places in eight rows
#pragma unroll
    for (int i = 0; i < lefts; ++i) {
      const std::int64_t first_left = work.left + place.left * tile_lefts + 8 * i;
      const std::int64_t rows_over = out.lefts - first_left;
      if (rows_over <= 0) break;
      const int count = (rows_over < 8 ? static_cast<int>(rows_over) : 8) * columns;
      __syncwarp();
#pragma unroll
      for (int j = 0; j < rights; ++j) {
#pragma unroll
        for (int h = 0; h < 2; ++h) {
          staged[place.g * staged_row + 8 * j + 2 * place.q + h] = sumOf(tiles, i, j, h);
        }
      }
      __syncwarp();
      T* to = out.data + cell * out.cell + first_left * out.left + first_right * out.right;
      for (int at = lane; at < count; at += 32) {
        const int row = static_cast<int>(at * reciprocal >> 16), column = at - row * columns;
        T& element = is_one_run ? to[at] : to[row * out.left + column * out.right];
        out.put(element, staged[row * staged_row + column]);
      }
    }
  }

  /// All warps of a block bring their cells together in shared memory, so that whole lines of cells
  /// are written.
  __device__ __forceinline__ void storeCells(const Tile (&tiles)[sums], const StageWork& work,
                                             const Place& place, char* memory) const {
    constexpr int cells = Ring::row_elements, in_tile = 8 * staged_rights;
    const int threads = 32 * plan.consumers, columns = warps.rights * in_tile;
    // A thread writes one cell and column of lines of columns, for which no division is needed.
    const int cell_at = threadIdx.x % cells, row_at = threadIdx.x / cells;
    const int line_at = row_at / columns, lines = threads / cells / columns;
    const int column_at = row_at % columns;
    const std::int64_t cell = work.cell + cell_at;
    const std::int64_t r_at = work.right + column_at / in_tile * tile_rights + column_at % in_tile;
    T* const to = out.data + cell * out.cell + r_at * out.right;
    const auto placeOf = [&](int line, int column, int bytes) {
      return memory + (line * columns + column) * row_bytes + (bytes ^ ((column ^ line) & 7) << 4);
    };
#pragma unroll
    for (int i = 0; i < lefts; ++i) {
#pragma unroll
      for (int first = 0; first < rights; first += staged_rights) {
#pragma unroll
        for (int j = first; j < first + staged_rights; ++j) {
#pragma unroll
          for (int h = 0; h < 2; ++h) {
            Chunk chunk;
            if constexpr (is_complex) {
              chunk =
                  *reinterpret_cast<const Chunk*>(&static_cast<const T&>(sumOf(tiles, i, j, h)));
            } else {
              chunk.reals[0] = Real(tiles[0].sums[i][j][h]);
              chunk.reals[1] = Real(tiles[sums - 1].sums[i][j][h]);
            }
            const int column = place.right * in_tile + 8 * (j - first) + 2 * place.q + h;
            *reinterpret_cast<Chunk*>(placeOf(place.left * 8 + place.g, column, place.cell * 16)) =
                chunk;
          }
        }
        asm volatile("bar.sync 1, %0;" ::"r"(threads) : "memory");
        if (cell < out.cells && r_at + 8 * first < out.rights) {
#pragma unroll 4
          for (int line = line_at; line < 8 * warps.lefts; line += lines) {
            const std::int64_t l = work.left + line / 8 * tile_lefts + 8 * i + line % 8;
            if (l >= out.lefts) continue;
            out.put(to[l * out.left + 8 * first * out.right],
                    *reinterpret_cast<const T*>(
                        placeOf(line, column_at, cell_at * static_cast<int>(sizeof(T)))));
          }
        }
        asm volatile("bar.sync 1, %0;" ::"r"(threads) : "memory");
      }
    }
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
#endif
