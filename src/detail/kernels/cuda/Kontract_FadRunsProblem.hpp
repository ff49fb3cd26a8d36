// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FADRUNSPROBLEM_HPP
#define KONTRACT_FADRUNSPROBLEM_HPP

#include <Kokkos_Core.hpp>
#include <cstdint>

#include "Kontract_FadRunsPlan.hpp"
#include "detail/kernels/portable/Kontract_FastDivisor.hpp"

#ifdef KOKKOS_ENABLE_CUDA

namespace Kontract {
namespace Impl {

/// A side of a contraction of Fads whose terms, or cells, follow each other. Cells alone may go
/// backwards in memory.
struct FadRunsSide {
  const double* data;              ///< the lowest number in memory
  std::int64_t begin;              ///< from there to the first one of the first cell
  std::int64_t cell, field, term;  ///< strides
  std::int64_t extent;             ///< from the lowest number to behind the highest
  int fields;                      ///< that there are
  int components;                  ///< derivatives, and the value; numbers have that alone
};

/// Outputs of contractions of Fads, whose components are side by side.
struct FadOutputs {
  double* data;
  std::int64_t cell, row, column;  ///< strides
  bool sum_into;
};

/// What a piece of work begins with.
struct FadRunsPlace {
  std::int64_t cell;
  int row, column;
};

/// A contraction of Fads whose terms, or cells, follow each other, and how it is cut.
struct FadRunsProblem {
  FadRunsSide rows, columns;
  FadOutputs out;
  std::int64_t cells;
  int works, terms;
  FadRunsPlan plan;
  FastDivisor by_row_groups, by_column_groups, by_run_rows, by_run_columns;
  int run_rows, run_columns, run_pitch;  ///< as the plan says

  /// Of the cells of the plan's work, or of a chunk of it.
  FadRunsProblem(const FadRunsPlan& of, std::int64_t all_cells, int all_terms)
      : cells(all_cells),
        works(static_cast<int>(of.works(all_cells))),
        terms(all_terms),
        plan(of),
        by_row_groups(of.row_groups),
        by_column_groups(of.column_groups),
        by_run_rows(of.runRows()),
        by_run_columns(of.runColumns()),
        run_rows(of.runRows()),
        run_columns(of.runColumns()),
        run_pitch(of.runPitch()) {}

  __device__ __forceinline__ FadRunsPlace placeOf(int work) const {
    std::uint32_t rest = static_cast<std::uint32_t>(work);
    const int column = static_cast<int>(by_column_groups.takeFrom(rest)) * plan.columns_each;
    const int row = static_cast<int>(by_row_groups.takeFrom(rest)) * plan.rows_each;
    return {std::int64_t(rest) * plan.cells_each, row, column};
  }

  __device__ __forceinline__ int cellsFrom(std::int64_t first) const {
    return static_cast<int>(min(cells - first, std::int64_t(plan.cells_each)));
  }
};

// Whether numbers are odd is all that counts for shifts: 32 bits will do.
__device__ __forceinline__ unsigned lowBits(std::int64_t number) {
  return static_cast<unsigned>(number);
}
/// Elements from the last multiple of 16 bytes to that one of an array.
__device__ __forceinline__ int shiftOf(const double* array, unsigned element) {
  return static_cast<int>(lowBits(reinterpret_cast<std::intptr_t>(array) / 8) + element) & 1;
}

__device__ __forceinline__ int laneNumber() { return static_cast<int>(threadIdx.x) % 32; }
__device__ __forceinline__ int warpNumber() { return static_cast<int>(threadIdx.x) / 32; }

}  // namespace Impl
}  // namespace Kontract

#endif
#endif
