// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_REGISTERTILE_HPP
#define KONTRACT_REGISTERTILE_HPP

#include "detail/support/Kontract_Scalar.hpp"

namespace Kontract {
namespace Impl {

/// The part of a panel of one side, (term, field), that a tile reads.
template <class T>
struct PanelTile {
  const T* panel;
  int step;            ///< to the next term
  int tile, tiles;     ///< which one along the fields, of how many
  int field_step = 1;  ///< to the next field; on hosts they are neighbours
};

/// Sums of a thread, left fields by right fields: each operand that it reads serves a whole row or
/// column of them. Extents are known when compiling, so that they can stay in registers.
///
/// On a host a tile has neighbouring fields, which a core reads as a vector; on a device it has
/// every n-th one of n tiles, so that neighbouring threads read neighbouring fields.
template <class Acc, int lefts, int rights, bool on_host>
struct RegisterTile {
  Acc sums[lefts][rights];

  /// Field i of a tile, of that many tiles.
  template <int extent>
  KOKKOS_FORCEINLINE_FUNCTION static int fieldOf(int tile, int i, int tiles) {
    return on_host ? tile * extent + i : tile + i * tiles;
  }

  /// Calls f(sum, i, j) for each of them.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void each(const F& f) {
    for (int i = 0; i < lefts; ++i) {
      for (int j = 0; j < rights; ++j) f(sums[i][j], i, j);
    }
  }

  /// Adds the products of so many terms of two panels, `unroll` of them without a branch.
  template <int unroll, class L, class R>
  KOKKOS_FORCEINLINE_FUNCTION void add(PanelTile<L> left, PanelTile<R> right, int terms) {
    int k = 0;
    for (; k + unroll <= terms; k += unroll) {
      for (int n = 0; n < unroll; ++n) addTerm(left, right);
    }
    for (; k < terms; ++k) addTerm(left, right);
  }

 private:
  /// Adds the products of a term, and goes on to the next one.
  template <class L, class R>
  KOKKOS_FORCEINLINE_FUNCTION void addTerm(PanelTile<L>& left, PanelTile<R>& right) {
    L a[lefts];
    R b[rights];
    read(a, left);
    read(b, right);
    each([&](Acc& sum, int i, int j) { multiplyAdd(sum, a[i], b[j]); });
  }

  template <int extent, class T>
  KOKKOS_FORCEINLINE_FUNCTION static void read(T (&values)[extent], PanelTile<T>& of) {
    const int field_step = on_host ? 1 : of.field_step;
    for (int i = 0; i < extent; ++i) {
      values[i] = of.panel[fieldOf<extent>(of.tile, i, of.tiles) * field_step];
    }
    of.panel += of.step;
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
