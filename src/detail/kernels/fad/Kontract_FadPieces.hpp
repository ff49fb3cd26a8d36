// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FADPIECES_HPP
#define KONTRACT_FADPIECES_HPP

#include "Kontract_FadSum.hpp"
#include "detail/problem/Kontract_RunOfPlaces.hpp"

namespace Kontract {
namespace Impl {

/// The arrays of a problem of Fads.
template <class S>
struct FadArrays {
  FadArray<S> out;
  FadArray<const S> left, right;
};

/// A component of Fads, of which the derivatives are the first and the value is the last: where an
/// output and its factors have it.
template <class S>
class FadComponent {
 public:
  KOKKOS_FORCEINLINE_FUNCTION FadComponent(const FadArrays<S>& arrays, std::int64_t number)
      : is_value(number == arrays.out.count),
        out(placeIn(arrays.out, number)),
        left(placeIn(arrays.left, number)),
        right(placeIn(arrays.right, number)),
        _left_value(arrays.left.value_at),
        _right_value(arrays.right.value_at),
        _first(is_value || arrays.left.count > 0 ? 0 : 1),
        _end(is_value || arrays.right.count == 0 ? 1 : 2) {}

  bool is_value;
  std::int64_t out, left, right;  ///< its distances; those of values where it is none of an array's

  /// Calls f(left, right) for the distances of the factors' components whose products make it, by
  /// the product rule: of the left factor's with the right value, and of the left value with the
  /// right factor's. A derivative of constants has none.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void forEachProduct(const F& f) const {
    for (int n = _first; n < _end; ++n) {
      f(n == 0 ? left : _left_value, n == 0 ? _right_value : right);
    }
  }

 private:
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t placeIn(const FadArray<T>& array,
                                                   std::int64_t number) const {
    return is_value || array.count == 0 ? array.value_at : number * array.stride;
  }

  std::int64_t _left_value, _right_value;
  int _first, _end;
};

/// Outputs of one cell: so many left fields from l on, so many right fields from r on.
struct FadOutputs {
  std::int64_t c, l, r, lefts, rights;
};

/// What is known of the derivatives of a problem's arrays.
template <class S>
struct FadDerivatives {
  bool left, right, unit;
  KOKKOS_FORCEINLINE_FUNCTION explicit FadDerivatives(const FadArrays<S>& arrays)
      : left(arrays.left.count > 0 && arrays.out.count > 0),
        right(arrays.right.count > 0 && arrays.out.count > 0),
        unit((arrays.out.count == 1 || arrays.out.stride == 1) &&
             (arrays.left.count <= 1 || arrays.left.stride == 1) &&
             (arrays.right.count <= 1 || arrays.right.stride == 1)) {}
};

/// Computes and stores lefts * rights sums, a few of the right index at a time where all factors
/// have unit strides: they read the derivatives of a left factor once.
template <class Registers, class Factors, class S>
KOKKOS_FORCEINLINE_FUNCTION void sumAllFads(const FadSums<S>& all, std::int64_t lefts,
                                            std::int64_t rights) {
  constexpr int tile = 4;
  FadSums<S> s = all;
  for (std::int64_t l = 0; l < lefts; ++l) {
    const auto move_to = [&](std::int64_t r) {
      s.out = all.out.from(l * all.out_left + r * all.out_right);
      s.left = all.left.from(l * all.left_field);
      s.right = all.right.from(r * all.right_field);
    };
    std::int64_t r = 0;
    if constexpr (Factors::unit) {
      for (; r + tile <= rights; r += tile) {
        move_to(r);
        sumFads<tile, Registers, Factors>(s);
      }
    }
    for (; r < rights; ++r) {
      move_to(r);
      sumFads<1, Registers, Factors>(s);
    }
  }
}

/// Computes and stores some outputs of a contraction.
template <class Registers, class S>
KOKKOS_FORCEINLINE_FUNCTION void contractFads(const ContractionShape& shape,
                                              const FadArrays<S>& arrays, const FadOutputs& at) {
  FadSums<S> s{
      {shape.sum[0], shape.sum[1], shape.sum[2]},
      arrays.out.from(at.c * shape.out_cell + at.l * shape.out_left + at.r * shape.out_right),
      arrays.left.from(at.c * shape.left_cell + at.l * shape.left_field),
      arrays.right.from(at.c * shape.right_cell + at.r * shape.right_field),
      shape.out_left,
      shape.out_right,
      shape.left_field,
      shape.right_field,
      shape.sum_into};
  const FadDerivatives<S> has(arrays);
  std::int64_t lefts = at.lefts, rights = at.rights;
  if (has.right && (!has.left || rights == 1)) {
    exchangeFactors(s);
    lefts = at.rights;
    rights = at.lefts;
  }
  if (!has.left && !has.right) {
    FadSums<S> one = s;
    for (std::int64_t l = 0; l < lefts; ++l) {
      for (std::int64_t r = 0; r < rights; ++r) {
        one.out = s.out.from(l * s.out_left + r * s.out_right);
        one.left = s.left.from(l * s.left_field);
        one.right = s.right.from(r * s.right_field);
        sumConstants(one);
      }
    }
  } else if (has.left && has.right && has.unit) {
    sumAllFads<Registers, FadFactors<true, true>>(s, lefts, rights);
  } else if (has.left && has.right) {
    sumAllFads<Registers, FadFactors<true, false>>(s, lefts, rights);
  } else if (has.unit) {
    sumAllFads<Registers, FadFactors<false, true>>(s, lefts, rights);
  } else {
    sumAllFads<Registers, FadFactors<false, false>>(s, lefts, rights);
  }
}

/// Steps through the places of a run, with what is known of the derivatives.
template <class Registers, class Factors, bool are_constants, class S>
KOKKOS_FORCEINLINE_FUNCTION void multiplyFadsOf(const PointwiseShape& shape, const FadSums<S>& run,
                                                std::int64_t length, std::int64_t left_step,
                                                std::int64_t right_step, std::int64_t out_step,
                                                const PointwiseShape::Strides& left,
                                                const PointwiseShape::Strides& right) {
  FadSums<S> s = run;
  for (std::int64_t place = 0; place < length; ++place) {
    for (std::int64_t i = 0; i < shape.rows; ++i) {
      for (std::int64_t j = 0; j < shape.columns; ++j) {
        s.out = run.out.from(place * out_step + i * shape.out.row + j * shape.out.column);
        s.left = run.left.from(place * left_step + i * left.row + j * left.column);
        s.right = run.right.from(place * right_step + i * right.row + j * right.column);
        if constexpr (are_constants) {
          sumConstants(s);
        } else {
          sumFads<1, OneAtATime<Registers>, Factors>(s);
        }
      }
    }
  }
}

/// Computes and stores products of small tensors along a run of places.
template <class Registers, class S>
KOKKOS_FORCEINLINE_FUNCTION void multiplyFads(const PointwiseShape& shape,
                                              const FadArrays<S>& arrays, const RunOfPlaces& run) {
  FadSums<S> s{{SumLevel(), shape.sum[0], shape.sum[1]},
               arrays.out.from(run.out),
               arrays.left.from(run.left),
               arrays.right.from(run.right),
               0,
               0,
               0,
               0,
               false};
  const FadDerivatives<S> has(arrays);
  PointwiseShape::Strides left = shape.left, right = shape.right;
  std::int64_t left_step = run.left_step, right_step = run.right_step;
  if (has.right && !has.left) {
    exchangeFactors(s);
    left = shape.right;
    right = shape.left;
    left_step = run.right_step;
    right_step = run.left_step;
  }
#define KONTRACT_MULTIPLY(RIGHT, UNIT, ARE_CONSTANTS)                \
  multiplyFadsOf<Registers, FadFactors<RIGHT, UNIT>, ARE_CONSTANTS>( \
      shape, s, run.length, left_step, right_step, run.out_step, left, right)
  if (!has.left && !has.right) {
    KONTRACT_MULTIPLY(false, false, true);
  } else if (has.left && has.right && has.unit) {
    KONTRACT_MULTIPLY(true, true, false);
  } else if (has.left && has.right) {
    KONTRACT_MULTIPLY(true, false, false);
  } else if (has.unit) {
    KONTRACT_MULTIPLY(false, true, false);
  } else {
    KONTRACT_MULTIPLY(false, false, false);
  }
#undef KONTRACT_MULTIPLY
}

}  // namespace Impl
}  // namespace Kontract

#endif
