// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_BENCH_PLACEMENT_HPP
#define KONTRACT_BENCH_PLACEMENT_HPP

#include <cstdint>
#include <string>
#include <vector>

#include "Cases.hpp"

namespace KontractBench {

/// Where the elements of an array lie in its buffer.
struct Placement {
  std::string letters;
  std::vector<std::int64_t> extents, strides;
  std::int64_t span = 0;  ///< elements of the buffer

  int rank() const { return int(letters.size()); }
  /// The stride of an index; 0 if the array does not have it.
  std::int64_t strideOf(char letter) const;

  /// Extents and strides as Kokkos takes them for a rank-dynamic view: what is past the rank is
  /// marked as not there.
  template <class Layout>
  Layout layout() const {
    Layout layout;
    for (int i = 0; i < 8; ++i) {
      layout.dimension[i] = i < rank() ? std::size_t(extents[i]) : KOKKOS_INVALID_INDEX;
      if constexpr (std::is_same_v<Layout, Kokkos::LayoutStride>) {
        layout.stride[i] = i < rank() ? std::size_t(strides[i]) : 0;
      }
    }
    return layout;
  }
};

/// Places an array of a case. Strided ones are what a subview is that leaves out the last of every
/// index but the cells, in the layout of the execution space.
Placement place(const Case& one, const std::string& letters, LayoutKind layout);

/// A contraction as matrices per cell: out (rows x columns) = left (rows x terms) times the
/// transpose of right (columns x terms), each with its strides.
struct Matrices {
  struct Strides {
    std::int64_t cell = 0, row = 0, column = 0;
  };
  std::int64_t cells = 0, rows = 0, columns = 0, terms = 0;
  Strides out, left, right;
  std::string refusal;  ///< why the case is not of this kind; empty if it is
  Operation operation{};
};

Matrices matricesOf(const Case& one, const Placement& out, const Placement& left,
                    const Placement& right);

}  // namespace KontractBench

#endif
