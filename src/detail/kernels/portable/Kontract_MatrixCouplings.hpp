// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_MATRIXCOUPLINGS_HPP
#define KONTRACT_MATRIXCOUPLINGS_HPP

#include "Kontract_FastDivisor.hpp"
#include "Kontract_KnownDivisor.hpp"
#include "Kontract_MatrixSides.hpp"

namespace Kontract {
namespace Impl {

// What the entries of a pair of families of fields in space are sums of, as kernels of matrix
// instructions take it: see TensorMatrices.

/// A component of left values times one of right values.
struct MatrixCoupling {
  signed char left = 0, right = 0;                        ///< components at points
  signed char left_derivative = 0, right_derivative = 0;  ///< directions, or none
  bool is_negative = false;

  KOKKOS_FORCEINLINE_FUNCTION static constexpr MatrixCoupling of(int left, int right,
                                                                 int left_derivative,
                                                                 int right_derivative,
                                                                 bool is_negative) {
    using Small = signed char;
    return {static_cast<Small>(left), static_cast<Small>(right),
            static_cast<Small>(left_derivative), static_cast<Small>(right_derivative), is_negative};
  }

  /// Whether functions of the first direction are derivatives: of neither side, of the right one,
  /// of the left one, of both.
  KOKKOS_FORCEINLINE_FUNCTION constexpr int group() const {
    return 2 * (left_derivative == 0 ? 1 : 0) + (right_derivative == 0 ? 1 : 0);
  }
};

/// A pair of families: their functions, and their couplings group by group. Couplings of a group
/// have the same functions of the first direction, so they are added before that direction is
/// summed.
class FamilyCouplings {
 public:
  static constexpr int D = 3, most = D * D, most_groups = 4;

  FamilyCouplings() = default;
  FamilyCouplings(const FieldFamilies<D>& left, int l, const FieldFamilies<D>& right, int r)
      : _first_left(left.first[l]), _first_right(right.first[r]) {
    const auto divisor = [](int by) { return FastDivisor(by > 0 ? by : 1); };
    for (int d = 0; d < D; ++d) {
      _lefts[d] = left.functions_of[l][d];
      _rights[d] = right.functions_of[r][d];
      _left_is_open[d] = left.is_open[l][d];
      _right_is_open[d] = right.is_open[r][d];
    }
    _by_rights[0] = divisor(rights(0));
    _by_rights[1] = divisor(rights(1));
    _by_second_pairs = divisor(pairs(1));
    _by_rows = divisor(rows());
    _by_columns = divisor(columns());
    int count = 0;
    for (int group = 0; group < most_groups; ++group) {
      const int before = count;
      for (int a = 0; a < left.component_count[l]; ++a) {
        for (int b = 0; b < right.component_count[r]; ++b) {
          const MatrixCoupling next = between(left.component_of[l][a], right.component_of[r][b]);
          if (next.group() == group) _coupling[count++] = next;
        }
      }
      if (count > before) _first[++_groups] = count;
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION int lefts(int d) const { return _lefts[d]; }
  KOKKOS_FORCEINLINE_FUNCTION int rights(int d) const { return _rights[d]; }
  KOKKOS_FORCEINLINE_FUNCTION bool isLeftOpen(int d) const { return _left_is_open[d]; }
  KOKKOS_FORCEINLINE_FUNCTION bool isRightOpen(int d) const { return _right_is_open[d]; }
  KOKKOS_FORCEINLINE_FUNCTION int pairs(int d) const { return _lefts[d] * _rights[d]; }
  KOKKOS_FORCEINLINE_FUNCTION int firstLeft() const { return _first_left; }
  KOKKOS_FORCEINLINE_FUNCTION int firstRight() const { return _first_right; }
  /// Fields of the left family with the same function of the last direction, and of the right one.
  KOKKOS_FORCEINLINE_FUNCTION int rows() const { return _lefts[0] * _lefts[1]; }
  KOKKOS_FORCEINLINE_FUNCTION int columns() const { return _rights[0] * _rights[1]; }

  KOKKOS_FORCEINLINE_FUNCTION int groups() const { return _groups; }
  KOKKOS_FORCEINLINE_FUNCTION int firstOf(int group) const { return _first[group]; }
  KOKKOS_FORCEINLINE_FUNCTION int count() const { return _first[_groups]; }
  KOKKOS_FORCEINLINE_FUNCTION MatrixCoupling coupling(int place) const { return _coupling[place]; }

  /// Take an index off a number of several.
  KOKKOS_FORCEINLINE_FUNCTION int takeRight(int d, std::uint32_t& n) const {
    return take(_by_rights[d], n);
  }
  KOKKOS_FORCEINLINE_FUNCTION int takeSecondPair(std::uint32_t& n) const {
    return take(_by_second_pairs, n);
  }
  KOKKOS_FORCEINLINE_FUNCTION int takeRow(std::uint32_t& n) const { return take(_by_rows, n); }
  KOKKOS_FORCEINLINE_FUNCTION int takeColumn(std::uint32_t& n) const {
    return take(_by_columns, n);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static int take(const FastDivisor& by, std::uint32_t& n) {
    return static_cast<int>(by.takeFrom(n));
  }
  template <class Component>
  static MatrixCoupling between(const Component& left, const Component& right) {
    return MatrixCoupling::of(left.place, right.place, left.derivative, right.derivative,
                              left.sign != right.sign);
  }

  int _lefts[D] = {}, _rights[D] = {}, _first_left = 0, _first_right = 0;
  bool _left_is_open[D] = {}, _right_is_open[D] = {};
  MatrixCoupling _coupling[most];
  int _groups = 0, _first[most_groups + 1] = {};
  FastDivisor _by_rights[2], _by_second_pairs, _by_rows, _by_columns;
};

/// The same of gradients of N functions in each direction, known when compiling.
template <int N>
struct GradientCouplings {
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int lefts(int) { return N; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int rights(int) { return N; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool isLeftOpen(int) { return false; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool isRightOpen(int) { return false; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int pairs(int) { return N * N; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int firstLeft() { return 0; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int firstRight() { return 0; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int rows() { return N * N; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int columns() { return N * N; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int groups() { return 4; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int firstOf(int group) {
    return group == 0 ? 0 : group == 1 ? 4 : group == 2 ? 6 : group == 3 ? 8 : 9;
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int count() { return 9; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr MatrixCoupling coupling(int place) {
    const int left = place < 4 ? 1 + place / 2 : place < 6 ? place - 3 : 0;
    const int right = place < 4 ? 1 + place % 2 : place < 6 || place == 8 ? 0 : place - 5;
    return MatrixCoupling::of(left, right, left, right, false);
  }
  KOKKOS_FORCEINLINE_FUNCTION static int takeRight(int, std::uint32_t& n) {
    return takeKnown<N>(n);
  }
  KOKKOS_FORCEINLINE_FUNCTION static int takeSecondPair(std::uint32_t& n) {
    return takeKnown<N * N>(n);
  }
  KOKKOS_FORCEINLINE_FUNCTION static int takeRow(std::uint32_t& n) { return takeKnown<N * N>(n); }
  KOKKOS_FORCEINLINE_FUNCTION static int takeColumn(std::uint32_t& n) {
    return takeKnown<N * N>(n);
  }
};

/// All pairs of families of a term. \tparam most  that there may be
template <int most>
class TermCouplings {
 public:
  static constexpr int most_pairs = most;

  template <class Basis>
  TermCouplings(const Basis& left_basis, bool left_is_vector, const Basis& right_basis,
                bool right_is_vector) {
    const FieldFamilies<3> left(left_basis, left_is_vector), right(right_basis, right_is_vector);
    _lefts = left.count;
    _rights = right.count;
    for (int l = 0; l < _lefts; ++l) {
      for (int r = 0; r < _rights; ++r) {
        _pairs[l * _rights + r] = FamilyCouplings(left, l, right, r);
      }
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION int lefts() const { return _lefts; }
  KOKKOS_FORCEINLINE_FUNCTION int rights() const { return _rights; }
  KOKKOS_FORCEINLINE_FUNCTION const FamilyCouplings& of(int left, int right) const {
    return _pairs[left * _rights + right];
  }

 private:
  int _lefts = 0, _rights = 0;
  FamilyCouplings _pairs[most];
};

/// The same of gradients of N functions in each direction.
template <int N>
struct KnownCouplings {
  static constexpr int most_pairs = 1;
  template <class Basis>
  KnownCouplings(const Basis&, bool, const Basis&, bool) {}
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int lefts() { return 1; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int rights() { return 1; }
  KOKKOS_FORCEINLINE_FUNCTION static GradientCouplings<N> of(int, int) { return {}; }
};

}  // namespace Impl
}  // namespace Kontract

#endif
