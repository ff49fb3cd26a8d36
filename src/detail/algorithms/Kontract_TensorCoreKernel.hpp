// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TENSORCOREKERNEL_HPP
#define KONTRACT_TENSORCOREKERNEL_HPP

#include <utility>

#include "detail/kernels/cuda/Kontract_StageRing.hpp"
#include "detail/kernels/cuda/Kontract_StagedOutput.hpp"
#include "detail/kernels/cuda/Kontract_TensorTile.hpp"
#include "detail/support/Kontract_Scalar.hpp"

#ifdef KOKKOS_ENABLE_CUDA

namespace Kontract {
namespace Impl {

/// Warps of a block: along left and right fields, and over cells (pairs of cells where cells are
/// side by side and real).
struct TensorWarps {
  int lefts, rights;
};

/// Contractions by matrix instructions. A lane reads each operand of an instruction by itself, into
/// the register that the instruction wants it in: wider reads of terms side by side would have to
/// be sorted by moves, several for each instruction.
template <class T, Rows rows, int lefts, int rights, bool by_engine>
struct TensorCoreKernel {
  static constexpr bool is_complex = IsComplex<T>::value;
  static constexpr bool by_cells = rows != Rows::OfTerms;
  static constexpr bool pairs_cells = by_cells && !is_complex;
  static constexpr int tile_lefts = 8 * lefts, tile_rights = 8 * rights;  ///< fields of a warp
  static constexpr int sums = pairs_cells || is_complex ? 2 : 1;
  /// A row of sums in shared memory, on their way out, and what keeps rows in different banks.
  static constexpr int staged_row = tile_rights + (sizeof(T) == 8 ? 1 : rights % 2 == 0 ? 8 : 0);
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
      if (ring.parts() > 0) {
        if constexpr (by_cells) {
          addCells(tiles, ring, place, ring.workOf(i).cell);
        } else {
          addTerms(tiles, ring, place);
        }
      }
      const StageWork work = ring.workOf(i);
      if constexpr (by_cells) {
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

  /// What is read at a time: a real, be it of one of two cells side by side, or both of a complex
  /// of single precision.
  static constexpr bool reads_complex = is_complex && sizeof(Real) == 4;
  static constexpr int reads = sums == 2 && !reads_complex ? 2 : 1;
  struct alignas(reads_complex ? 8 : sizeof(Real)) Element {
    Real reals[reads_complex ? 2 : 1];
  };
  /// Of blocks of eight fields: terms q and q + 4 of eight.
  template <int count>
  struct Operands {
    Element at[count][2][reads];

    __device__ __forceinline__ double real(int i, int half, int part) const {
      return double(reads_complex ? at[i][half][0].reals[part % (reads_complex ? 2 : 1)]
                                  : at[i][half][part % reads].reals[0]);
    }
  };

  /// Which of eight neighbouring rows of shared memory a lane reads: rows of terms in an order that
  /// keeps those that are read together in different banks.
  __device__ __forceinline__ static int rowOf(int g) {
    return by_cells ? g : g < 4 ? 2 * g : 2 * g - 7;
  }

  template <int count, class F, int... n>
  __device__ __forceinline__ static void forEachOf(const F& f, std::integer_sequence<int, n...>) {
    (f(std::integral_constant<int, n>()), ...);
  }
  template <int count, class F>
  __device__ __forceinline__ static void forEachConstant(const F& f) {
    forEachOf<count>(f, std::make_integer_sequence<int, count>());
  }

  /// Where a lane's operands are, in bytes from a block of eight fields: term q of eight. Those of
  /// term q + 4 are `four` bytes from there.
  struct Lane {
    int at[reads], four;
  };
  /// Rows of a block, in bytes. Of odd cells a region has every second field, and the chunks of
  /// every second block are permuted in another way.
  static constexpr int block_bytes = (rows == Rows::OfOddCells ? 4 : 8) * row_bytes;

  template <int count>
  __device__ __forceinline__ static void loadBlock(Operands<count>& operands, int i, int block,
                                                   const char* from, const Lane& lane) {
    const int flip = rows == Rows::OfOddCells && block % 2 == 1 ? 64 : 0;
#pragma unroll
    for (int part = 0; part < reads; ++part) {
      const char* at = from + block * block_bytes + (lane.at[part] ^ flip);
      operands.at[i][0][part] = *reinterpret_cast<const Element*>(at);
      operands.at[i][1][part] = *reinterpret_cast<const Element*>(at + lane.four);
    }
  }

  /// Where lanes find their operands in rows of cells: row and place of a field and term.
  __device__ __forceinline__ Lane laneOfCells(const StagedInput<T>& input, const Place& place,
                                              std::int64_t first_cell) const {
    int row = place.q * input.box_fields + place.g, cell = place.cell * (pairs_cells ? 2 : 1);
    Lane lane{{}, 4 * input.box_fields * row_bytes};
    if constexpr (rows == Rows::OfOddCells) {
      const int region = place.q % 2 * 2 + place.g % 2;
      row = region * input.regionRows(input.box_fields, plan.terms_each) +
            place.q / 2 * input.box_fields + place.g / 2;
      cell += static_cast<int>((input.isOdd(region) + first_cell) & 1);
      lane.four /= 2;
    }
#pragma unroll
    for (int part = 0; part < reads; ++part) {
      const int byte = pairs_cells ? (cell + part) * 8 : cell * 16 + part * 8;
      // What is beyond the row belongs to a cell that is not computed.
      lane.at[part] = row * row_bytes + (byte % row_bytes ^ (row & 7) << 4);
    }
    return lane;
  }

  /// Blocks of left fields that are read at a time, while instructions work on others.
  static constexpr int left_parts = lefts % 4 == 0 ? 2 : 1, part_lefts = lefts / left_parts;

  /// Adds all terms of a piece of work, rows of cells: each block of operands is read again, for
  /// the next eight terms, as soon as instructions have used it, so there is no second set of
  /// registers. A stage is given back when all of it is in registers.
  __device__ __forceinline__ void addCells(Tile (&tiles)[sums], Ring& ring, const Place& place,
                                           std::int64_t first_cell) const {
    const Lane left_lane = laneOfCells(left, place, first_cell);
    const Lane right_lane = laneOfCells(right, place, first_cell);
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
        loadBlock(a[part], i, part * part_lefts + i, lefts_at, left_lane);
      }
    };
    begin(ring.take());
#pragma unroll
    for (int j = 0; j < rights; ++j) loadBlock(b, j, j, rights_at, right_lane);
#pragma unroll
    for (int part = 0; part < left_parts; ++part) load_left(part);
    const int steps = plan.terms_each / 8;
    int step = 0;
#pragma unroll 1
    for (int left_over = ring.parts() * steps; left_over > 0; --left_over) {
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
        loadBlock(b, j, j, rights_at, right_lane);
      });
      load_left(left_parts - 1);
    }
    ring.giveBack();
  }

  /// Adds all terms of a piece of work, rows of terms. What is needed next is read while the
  /// instructions work on what is there, be it in the next stage; a stage is given back when all of
  /// it is in registers.
  __device__ __forceinline__ void addTerms(Tile (&tiles)[sums], Ring& ring,
                                           const Place& place) const {
    constexpr int eights = Ring::row_elements / 8, steps = eights * left_parts;
    constexpr int bytes = sizeof(T);
    const int left_row = place.cell * left.box_fields + place.left * tile_lefts + rowOf(place.g);
    const int right_row =
        place.cell * right.box_fields + place.right * tile_rights + rowOf(place.g);
    // Chunks of 16 bytes are permuted by the number of their row, so terms on are XORs away.
    const int left_at = left_row * row_bytes + (place.q * bytes ^ (left_row & 7) << 4);
    const int right_at =
        plan.right_at + right_row * row_bytes + (place.q * bytes ^ (right_row & 7) << 4);
    Operands<part_lefts> a[2];
    Operands<rights> b[eights == 1 ? 1 : 2];
    const char* stage;
    const auto lane_of = [](int at) {
      Lane lane{{}, (at ^ 4 * bytes) - at};
#pragma unroll
      for (int part = 0; part < reads; ++part) lane.at[part] = at + part * int(sizeof(Element));
      return lane;
    };
    const auto load_left = [&](int n) {
      const Lane lane = lane_of(left_at ^ n / left_parts * 8 * bytes);
#pragma unroll
      for (int i = 0; i < part_lefts; ++i) {
        loadBlock(a[n % 2], i, n % left_parts * part_lefts + i, stage, lane);
      }
    };
    const auto load_right = [&](int eight) {
      const Lane lane = lane_of(right_at ^ eight * 8 * bytes);
#pragma unroll
      for (int j = 0; j < rights; ++j) loadBlock(b[eight % 2], j, j, stage, lane);
    };
    const auto load_first = [&] {
      load_right(0);
      load_left(0);
    };
    stage = ring.take();
    load_first();
#pragma unroll 1
    for (int part = 0; part < ring.parts(); ++part) {
      forEachConstant<steps>([&](auto step) {
        constexpr int n = decltype(step)::value;
        constexpr bool is_last = n + 1 == steps, is_free = eights > 1;
        bool goes_on = false;
        if constexpr (is_last) {
          ring.giveBack();
          goes_on = part + 1 < ring.parts();
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
    const std::int64_t first_left = work.left + place.left * tile_lefts;
    const std::int64_t first_right = work.right + place.right * tile_rights;
    const std::int64_t left_over = out.rights - first_right;
    const int columns = left_over < tile_rights ? static_cast<int>(left_over) : tile_rights;
    if (cell >= out.cells || columns <= 0) return;
    const bool is_one_run = out.right == 1 && out.left == columns;
    const bool is_by_rows = tile_rights == 32 && columns > 16 && !is_one_run;
    T* to = out.data + cell * out.cell + first_left * out.left + first_right * out.right;
#pragma unroll
    for (int i = 0; i < lefts; ++i, to += 8 * out.left) {
      const std::int64_t rows_over = out.lefts - first_left - 8 * i;
      if (rows_over <= 0) break;
      const int rows_there = rows_over < 8 ? static_cast<int>(rows_over) : 8;
      __syncwarp();
#pragma unroll
      for (int j = 0; j < rights; ++j) {
#pragma unroll
        for (int h = 0; h < 2; ++h) {
          staged[rowOf(place.g) * staged_row + 8 * j + rowOf(2 * place.q + h)] =
              sumOf(tiles, i, j, h);
        }
      }
      __syncwarp();
      if (is_by_rows) {
        putRows(staged + lane, to + lane * out.right, lane < columns ? rows_there : 0);
      } else {
        putPlaces(staged, to, rows_there * columns, columns, is_one_run);
      }
    }
  }

  /// Writes a row of sums at a time, one by each lane.
  __device__ __forceinline__ void putRows(const T* staged, T* to, int count) const {
    T sum[8];
#pragma unroll
    for (int row = 0; row < 8; ++row) sum[row] = staged[row * staged_row];
#pragma unroll
    for (int row = 0; row < 8; ++row, to += out.left) {
      if (row < count) out.put(*to, sum[row]);
    }
  }

  /// Writes short rows of sums on end.
  __device__ __forceinline__ void putPlaces(const T* staged, T* to, int count, int columns,
                                            bool is_one_run) const {
    const unsigned reciprocal = 65536u / columns + 1;  // exact for places in eight rows
    for (int at = threadIdx.x % 32; at < count; at += 32) {
      const int row = static_cast<int>(at * reciprocal >> 16), column = at - row * columns;
      T& element = is_one_run ? to[at] : to[row * out.left + column * out.right];
      out.put(element, staged[row * staged_row + column]);
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
    const bool is_there = cell < out.cells && cell_at < plan.cells_each;
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
        if (is_there && r_at + 8 * first < out.rights) {
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
