// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_ELEMENTMATRICES_HPP
#define KONTRACT_ELEMENTMATRICES_HPP

#include "Kontract_FormEntry.hpp"
#include "Kontract_FormPoint.hpp"
#include "Kontract_Unroll.hpp"

namespace Kontract {
namespace Impl {

/// Blocks of the matrix of a cell, of a component of left fields and one of right ones.
struct MatrixBlocks {
  FormPair at;   ///< the first of them
  int copies;    ///< how many on the diagonal have the same entries
  bool is_half;  ///< of the symmetric matrices of points half is kept
};

/// What kernels of sum factorization have in common that compute matrices cell by cell, a term at a
/// time.
template <class Problem, int D>
struct ElementMatrices {
  using Point = FormPoint<Problem, D>;
  using Acc = typename Point::Acc;

  /// Elasticity couples components; all else is the same for each of them.
  template <class Term>
  KOKKOS_FORCEINLINE_FUNCTION static bool couplesComponents(const Term& term) {
    return term.kind == CoefficientKind::Elastic;
  }
  template <class Term>
  KOKKOS_FORCEINLINE_FUNCTION static int countBlocks(const FormShape& s, const Term& term) {
    if (!couplesComponents(term)) return 1;
    return s.is_symmetric ? s.left_blocks * (s.left_blocks + 1) / 2
                          : s.left_blocks * s.right_blocks;
  }
  template <class Term>
  KOKKOS_FORCEINLINE_FUNCTION static MatrixBlocks blocksOf(const FormShape& s, const Term& term,
                                                           int number) {
    MatrixBlocks blocks;
    const bool are_alike = !couplesComponents(term);
    blocks.at = are_alike ? FormPair() : formPair(s, number);
    blocks.copies = are_alike ? s.left_blocks : 1;
    blocks.is_half = s.is_symmetric && blocks.at.i == blocks.at.j;
    return blocks;
  }

  /// Whether a term leaves blocks of components zero, which are to be stored.
  template <class Term>
  KOKKOS_FORCEINLINE_FUNCTION static bool leavesBlocks(const Problem& problem, const Term& term) {
    return !couplesComponents(term) && problem.shape.left_blocks > 1 && !problem.isScattered() &&
           !problem.shape.sum_into;
  }
  KOKKOS_FORCEINLINE_FUNCTION static int entriesOfCell(const FormShape& s) {
    return static_cast<int>(s.lefts) * s.left_blocks * static_cast<int>(s.rights) * s.right_blocks;
  }
  /// Stores an entry of a cell if it is one that a term leaves zero.
  KOKKOS_FORCEINLINE_FUNCTION static void clearEntry(const Problem& problem, std::int64_t c,
                                                     int entry) {
    const FormShape& s = problem.shape;
    const int columns = static_cast<int>(s.rights) * s.right_blocks;
    const int row = entry / columns, column = entry - row * columns;
    if (row % s.left_blocks == column % s.right_blocks) return;
    storeEntry(problem, c, row, column, Acc(0));
  }

  /// Where an entry of the matrix of a point is, of so many components of values: of a symmetric
  /// one the half is kept.
  KOKKOS_FORCEINLINE_FUNCTION static int placeOf(bool is_half, int lefts, int rights, int a,
                                                 int b) {
    if (!is_half || lefts != rights) return a * rights + b;
    return lefts == 1 ? 0 : placeInHalf<D>(a, b);
  }

  /// Calls put(place, number) for the entries that are kept of the matrix of a point, of NL x NR
  /// components of values.
  template <int NL, int NR, class Term, class Put>
  KOKKOS_FORCEINLINE_FUNCTION static void findMatrix(const Problem& problem, const Term& term,
                                                     const PointGeometry<D, Acc>& at,
                                                     std::int64_t c, std::int64_t p,
                                                     const MatrixBlocks& blocks, const Put& put) {
    typename Point::template Of<Term>::K k[NL][NR] = {};
    Point::template pointMatrix<NL, NR>(problem, term, at, c, p, blocks.at.i, blocks.at.j, k);
    KONTRACT_UNROLL
    for (int a = 0; a < NL; ++a) {
      KONTRACT_UNROLL
      for (int b = 0; b < NR; ++b) {
        if (blocks.is_half && b > a) continue;
        put(placeOf(blocks.is_half, NL, NR, a, b), Acc(k[a][b]));
      }
    }
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
