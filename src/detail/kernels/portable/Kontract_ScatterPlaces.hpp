// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_SCATTERPLACES_HPP
#define KONTRACT_SCATTERPLACES_HPP

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <type_traits>

#include "detail/problem/Kontract_Scatter.hpp"

namespace Kontract {
namespace Impl {

// What plans of scattering are made by, for any execution space.

/// Copies numbers (C,F), of any integer type, and finds the first that is not below a limit.
template <class Number, class From, class To>
struct CopyNumbers {
  From from;
  To to;
  std::uint64_t limit;  ///< at most 2^31 - 1

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i, std::int64_t& first) const {
    const std::int64_t fields = to.extent(1), c = i / fields, f = i % fields;
    const Number number = from(c, f);
    if constexpr (std::is_signed_v<Number>) {
      if (number < 0) {
        to(c, f) = -1;
        return;
      }
    }
    // Numbers without a sign may be too great for one with a sign.
    const bool is_below = static_cast<std::uint64_t>(number) < limit;
    to(c, f) = is_below ? static_cast<std::int32_t>(number) : -1;
    if (!is_below && i < first) first = i;
  }
};

/// Finds the first number (C,F) that is not below a limit.
template <class Numbers>
struct FindBeyond {
  Numbers numbers;
  std::int64_t limit;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i, std::int64_t& first) const {
    const std::int64_t fields = numbers.extent(1);
    if (numbers(i / fields, i % fields) >= limit && i < first) first = i;
  }
};

/// Reads a number, wherever it is.
template <class From, class To>
struct ReadNumber {
  From from;
  To to;
  std::int64_t cell, field;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const { to(i) = from(cell, field); }
};

/// Copies the numbers of some cells, and finds the first that is none.
template <class Table, class List>
struct CopyNumbersOfCells {
  Table from;  ///< of all cells
  List list;
  Table to;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i, std::int64_t& first) const {
    const std::int64_t cell = static_cast<std::int64_t>(list(i));
    if (cell < 0 || cell >= std::int64_t(from.extent(0))) {
      if (i < first) first = i;
      return;
    }
    for (std::size_t f = 0; f < to.extent(1); ++f) to(i, f) = from(cell, f);
  }
};

/// Copies where rows begin and finds the longest one.
template <class From, class To>
struct CopyStarts {
  From from;
  To to;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i, std::int64_t& longest) const {
    to(i) = static_cast<std::int64_t>(from(i));
    if (i == 0) return;
    const std::int64_t entries = to(i) - static_cast<std::int64_t>(from(i - 1));
    if (entries > longest) longest = entries;
  }
};

/// Finds the first row that ends before it begins, or begins before the first entry.
template <class Starts>
struct FindFallingRow {
  Starts starts;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t row, std::int64_t& first) const {
    if ((starts(row) < 0 || starts(row + 1) < starts(row)) && row < first) first = row;
  }
};

/// Finds the first row whose columns do not ascend.
template <class Columns, class Starts>
struct FindUnsortedRow {
  Columns columns;
  Starts starts;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t row, std::int64_t& first) const {
    for (std::int64_t n = starts(row) + 1; n < starts(row + 1); ++n) {
      if (columns(n - 1) >= columns(n) && row < first) first = row;
    }
  }
};

/// Unknowns that have given values: none.
struct NothingFixed {
  static constexpr bool is_ever_there = false;
};

/// Unknowns that have given values, by the numbers of rows.
template <class Flags>
struct FixedUnknowns {
  static constexpr bool is_ever_there = true;
  Flags flags;
  KOKKOS_FORCEINLINE_FUNCTION bool operator()(std::int64_t n) const {
    return n >= 0 && static_cast<bool>(flags(n));
  }
};

/// Finds where the entries of element matrices are in their rows of a graph, and the first entry
/// that is not there: on hosts row by row of a cell, on devices neighbouring entries by
/// neighbouring threads.
template <bool is_by_entry, class Numbers, class Starts, class Columns, class Fixed, class Offset>
struct FindOffsets {
  static constexpr Offset nothing = static_cast<Offset>(-1);

  Numbers rows, columns;  ///< of cells
  Starts starts;
  Columns graph_columns;
  Fixed is_fixed;
  Offset* offsets;
  bool are_sorted;

  /// Pieces of work. \param rows_of_cells  of all cells together
  std::int64_t pieces(std::int64_t rows_of_cells) const {
    return rows_of_cells * (is_by_entry ? static_cast<std::int64_t>(columns.extent(1)) : 1);
  }

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i, std::int64_t& first) const {
    const std::int64_t fields = rows.extent(1), count = columns.extent(1);
    const std::int64_t of_row = is_by_entry ? i / count : i, c = of_row / fields;
    const std::int64_t row = rows(c, of_row % fields);
    if constexpr (is_by_entry) {
      findOne(c, row, i % count, i, first);
    } else {
      for (std::int64_t r = 0; r < count; ++r) findOne(c, row, r, i * count + r, first);
    }
  }

  /// \param place  of the entry of row `row` and field r of cell c
  KOKKOS_INLINE_FUNCTION void findOne(std::int64_t c, std::int64_t row, std::int64_t r,
                                      std::int64_t place, std::int64_t& first) const {
    const std::int64_t column = columns(c, r);
    offsets[place] = nothing;
    if (row < 0 || column < 0) return;
    if constexpr (Fixed::is_ever_there) {
      // Left and right unknowns are the same, whatever numbers columns have.
      const std::int64_t other = rows(c, r);
      if (row != other && (is_fixed(row) || is_fixed(other))) return;
    }
    const std::int64_t begin = starts(row), end = starts(row + 1);
    const std::int64_t found = find(begin, end, column);
    if (found < end) {
      offsets[place] = static_cast<Offset>(found - begin);
    } else if (place < first) {
      first = place;
    }
  }

  /// Where a column is among those from begin to end; end if it is not.
  KOKKOS_INLINE_FUNCTION std::int64_t find(std::int64_t begin, std::int64_t end,
                                           std::int64_t column) const {
    std::int64_t low = begin;
    if (are_sorted) {
      for (std::int64_t count = end - begin; count > 0;) {
        const std::int64_t half = count / 2;
        const bool is_after = static_cast<std::int64_t>(graph_columns(low + half)) < column;
        low = is_after ? low + half + 1 : low;
        count = is_after ? count - half - 1 : half;
      }
    } else {
      while (low < end && static_cast<std::int64_t>(graph_columns(low)) != column) ++low;
    }
    return low < end && static_cast<std::int64_t>(graph_columns(low)) == column ? low : end;
  }
};

/// Whether something is left out: the first place that says so.
template <class Offset>
struct FindNothing {
  const Offset* offsets;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i, std::int64_t& first) const {
    if (offsets[i] == static_cast<Offset>(-1) && i < first) first = i;
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
