// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_SLICECOLUMNS_HPP
#define KONTRACT_SLICECOLUMNS_HPP

#include <cstdint>

#include "detail/kernels/portable/Kontract_OutputBlock.hpp"
#include "detail/kernels/portable/Kontract_Pack.hpp"
#include "detail/kernels/portable/Kontract_Panel.hpp"
#include "detail/kernels/portable/Kontract_SumOfProducts.hpp"

namespace Kontract {
namespace Impl {

/// A team copies rows of the left side to scratch memory; a worker has a column, which is a right
/// field of a cell, and its sums with a few of the rows in registers. So each scalar of the right
/// side is read once for all of these rows, and the rows are read by all workers at the same time.
/// Rows that do not fit scratch memory are copied part by part; then a worker's sums wait in its
/// registers.
/// \tparam rows that a worker sums at a time
template <class Problem, int rows>
struct SliceColumns {
  Problem problem;
  OutputBlocks blocks;
  std::int64_t terms;  ///< of an output
  int part;            ///< terms of a row in scratch memory
  int cells;           ///< of a slice, at most
  int padded_rows;     ///< of a slice: whole groups of `rows`
  bool cell_fastest;

  using Acc = AccumulatorOf<Problem>;
  using Left = typename Problem::left_type::value_type;
  using Right = typename Problem::right_type::value_type;
  static constexpr int width = rows < pack_size<Left> ? rows : pack_size<Left>;

  /// Scalars from one cell, and from one term, of a slice to the next in scratch memory, which has
  /// them in the order of memory. Cells are apart by some more than the rows, so that workers read
  /// those of different cells from different banks.
  KOKKOS_FORCEINLINE_FUNCTION int cellStep() const {
    return (cell_fastest ? padded_rows : part * padded_rows) + pack_size<Left>;
  }
  KOKKOS_FORCEINLINE_FUNCTION int termStep() const {
    return cell_fastest ? cells * cellStep() : padded_rows;
  }

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(const Workers<Member>& workers, std::int64_t piece) const {
    const OutputBlock block = blocks[piece];
    Left* const slice = static_cast<Left*>(workers.scratch);
    const int groups = (static_cast<int>(block.lefts) + rows - 1) / rows;
    const std::int64_t works = block.cells * block.rights * groups;
    const bool is_whole = part >= terms;
    for (std::int64_t first = 0; first < works; first += workers.count()) {
      Column column;
      Acc sums[rows];
      workers.each([&](const int worker) {
        column = columnAt(block, first + worker < works ? first + worker : works - 1);
        for (Acc& sum : sums) sum = Acc(0);
      });
      std::int64_t k = 0;
      do {
        const std::int64_t end = terms - k < part ? terms : k + part;
        if (first == 0 || !is_whole) {
          if (first > 0 || k > 0) workers.wait();  // for those that still read the last part
          loadRows(workers, block, slice, k, end);
          workers.wait();
        }
        workers.each([&](const int) { addPart(sums, block, column, slice, k, end); });
        k = end;
      } while (k < terms);
      workers.each([&](const int worker) {
        if (first + worker < works) storeColumn(block, column, sums);
      });
    }
  }

 private:
  /// A right field of a cell, and the first one of the rows that it is summed with.
  struct Column {
    int cell, row;  ///< within the slice
    std::int64_t right;
  };

  /// Neighbours in memory next to each other.
  KOKKOS_FORCEINLINE_FUNCTION Column columnAt(const OutputBlock& block, std::int64_t work) const {
    const auto narrow = [](std::int64_t n) { return static_cast<std::uint32_t>(n); };
    const std::uint32_t inner = narrow(cell_fastest ? block.cells : block.rights);
    const std::uint32_t outer = narrow(cell_fastest ? block.rights : block.cells);
    const std::uint32_t rest = narrow(work) / inner, group = rest / outer;
    const std::uint32_t a = narrow(work) - rest * inner, b = rest - group * outer;
    return {static_cast<int>(cell_fastest ? a : b), static_cast<int>(group) * rows,
            cell_fastest ? b : a};
  }

  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void loadRows(const Workers<Member>& workers,
                                            const OutputBlock& block, Left* slice, std::int64_t k,
                                            std::int64_t end) const {
    const ContractionShape& s = problem.shape;
    Panel panel;
    panel.from = block.first.c * s.left_cell + block.first.l * s.left_field;
    panel.from_cell = s.left_cell, panel.from_field = s.left_field;
    panel.from_term = &SumLevel::left;
    panel.first_term = k, panel.terms = static_cast<int>(end - k);
    panel.cells = static_cast<int>(block.cells), panel.fields = static_cast<int>(block.lefts);
    panel.to_cell = cellStep();
    panel.to_field = 1, panel.to_term = termStep();
    panel.zero_fields = padded_rows - panel.fields;
    loadPanel<false>(workers, slice, problem.left, panel, s.sum);
  }

  /// Adds the terms of a part, in their order.
  KOKKOS_FORCEINLINE_FUNCTION void addPart(Acc (&sums)[rows], const OutputBlock& block,
                                           const Column& column, const Left* slice,
                                           std::int64_t first, std::int64_t end) const {
    const ContractionShape& s = problem.shape;
    const Left* const left = slice + column.cell * cellStep() + column.row;
    const Right* const right = problem.right.data + (block.first.c + column.cell) * s.right_cell +
                               column.right * s.right_field;
    forEachRun(s.sum, &SumLevel::right, first, end,
               [&](std::int64_t n, std::int64_t at, std::int64_t count) {
                 addRun(sums, left + n * termStep(), right + at, s.sum[2].right,
                        static_cast<int>(count));
               });
  }

  /// Adds terms that are a step apart; neighbours are read several at once, as wide as loads are.
  KOKKOS_FORCEINLINE_FUNCTION void addRun(Acc (&sums)[rows], const Left* left, const Right* right,
                                          std::int64_t step, int count) const {
    constexpr int at_once = pack_size<Right>;
    const int term = termStep();
    int k = 0;
    if (at_once > 1 && step == 1) {
      for (; k < count && !isAligned(right + k); ++k) addTerm(sums, left + k * term, right[k]);
      for (; k + at_once <= count; k += at_once) {
        const Pack<Right, at_once> pack = loadPack<at_once>(right + k);
        for (int n = 0; n < at_once; ++n) {
          addTerm(sums, left + (k + n) * term, pack.scalars[n]);
        }
      }
    } else {
      constexpr int unroll = 4;
      for (; k + unroll <= count; k += unroll) {
        Right values[unroll];
        for (int n = 0; n < unroll; ++n) values[n] = right[(k + n) * step];
        for (int n = 0; n < unroll; ++n) addTerm(sums, left + (k + n) * term, values[n]);
      }
    }
    for (; k < count; ++k) addTerm(sums, left + k * term, right[k * step]);
  }

  KOKKOS_FORCEINLINE_FUNCTION static bool isAligned(const Right* at) {
    return reinterpret_cast<std::uintptr_t>(at) % (sizeof(Right) * pack_size<Right>) == 0;
  }

  KOKKOS_FORCEINLINE_FUNCTION static void addTerm(Acc (&sums)[rows], const Left* left,
                                                  const Right& right) {
    for (int i = 0; i < rows; i += width) {
      const Pack<Left, width> pack = loadPack<width>(left + i);
      for (int n = 0; n < width; ++n) multiplyAdd(sums[i + n], pack.scalars[n], right);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void storeColumn(const OutputBlock& block, const Column& column,
                                               const Acc (&sums)[rows]) const {
    for (int i = 0; i < rows; ++i) {
      const int row = column.row + i;
      if (row >= block.lefts) return;
      storeSum(problem, block.first.c + column.cell, block.first.l + row, column.right, sums[i]);
    }
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
