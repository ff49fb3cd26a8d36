// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FORMPRODUCTS_HPP
#define KONTRACT_FORMPRODUCTS_HPP

#include <Kokkos_Macros.hpp>
#include <cstdint>

namespace Kontract {
namespace Impl {

/// The entries of the matrix of a cell as a product with a table that all cells share:
///
///     matrix(c,e) = sum over terms, (a,b), p of k(c,(a,b),p) * table((a,b),p,e),
///     table((a,b),p,e) = left(l,p,a) right(r,p,b)   where e stands for l and r
///
/// k are the matrices of points. Where these are the same at all points of a cell but for weights
/// that cells share, as of affine cells, the table has sums over points, and k one point. Of a
/// matrix that is symmetric by itself, entries are those of its lower half, and components (a,b)
/// and (b,a) of k are one. Entries are cut into slices. Source: R. C. Kirby, M. Knepley, A. Logg and
/// L. R. Scott, "Optimizing the evaluation of finite element matrices", SIAM J. Sci. Comput. 27
/// (2005): a tensor of the reference cell times one of geometry, for many cells a product of
/// matrices; here with the points of a quadrature, so that any cell and any coefficient has one.
struct FormProducts {
  std::int64_t entries = 0;
  int rights = 1;
  int components = 0;              ///< of the matrices of a point, of all terms
  std::int64_t points = 0;         ///< of the matrices of a cell
  std::int64_t first_point = 0;    ///< of those that are computed at a time
  std::int64_t summed_points = 1;  ///< of the values that the table has a sum over, each
  bool has_weights = false;        ///< those of points are in the table
  int slice_entries = 8;           ///< at most; a multiple of eight
  bool is_half = false;            ///< entries are the lower half of a symmetric matrix

  /// Components of a term, whose sides have so many.
  KOKKOS_FORCEINLINE_FUNCTION int componentsOf(int lefts, int rights_of_term) const {
    return is_half ? lefts * (lefts + 1) / 2 : lefts * rights_of_term;
  }
  /// Rows of the table: of all components and points.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t rows() const { return components * points; }
  /// Rows of eight that they take, the last ones of zeros.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t steps() const { return (rows() + 7) / 8; }

  KOKKOS_FORCEINLINE_FUNCTION int leftOf(std::int64_t entry) const {
    return is_half ? halfRowOf(entry) : static_cast<int>(entry / rights);
  }
  KOKKOS_FORCEINLINE_FUNCTION int rightOf(std::int64_t entry, int left) const {
    return static_cast<int>(
        entry - (is_half ? std::int64_t(left) * (left + 1) / 2 : std::int64_t(left) * rights));
  }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t entryOf(int left, int right) const {
    if (!is_half) return std::int64_t(left) * rights + right;
    const std::int64_t row = left > right ? left : right;
    return row * (row + 1) / 2 + (left > right ? right : left);
  }

  KOKKOS_FORCEINLINE_FUNCTION std::int64_t slices() const {
    return (entries + slice_entries - 1) / slice_entries;
  }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t firstOf(std::int64_t slice) const {
    return slice * slice_entries;
  }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t endOf(std::int64_t slice) const {
    const std::int64_t end = firstOf(slice + 1);
    return end < entries ? end : entries;
  }
  /// Elements of the whole matrix that the entries of a slice are.
  KOKKOS_FORCEINLINE_FUNCTION int outputsOf(std::int64_t slice) const {
    const std::int64_t first = firstOf(slice), end = endOf(slice);
    // Rows end on the diagonal, whose entries are one element and not two.
    return static_cast<int>(is_half ? 2 * (end - first) - (halfRowOf(end) - halfRowOf(first))
                                    : end - first);
  }

 private:
  /// The row of an entry of the lower half: rows that end before it.
  KOKKOS_FORCEINLINE_FUNCTION static int halfRowOf(std::int64_t entry) {
    std::int64_t row = 0;
    for (std::int64_t step = 1 << 14; step > 0; step /= 2) {
      const std::int64_t next = row + step;
      if (next * (next + 1) / 2 <= entry) row = next;
    }
    return static_cast<int>(row);
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
