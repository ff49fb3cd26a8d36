// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FADSUM_HPP
#define KONTRACT_FADSUM_HPP

#include "detail/problem/Kontract_SumLevels.hpp"
#include "detail/view/Kontract_Accessor.hpp"

namespace Kontract {
namespace Impl {

/// An array of Fads as the scalars that it is made of, whatever its Fad type; an array of plain
/// scalars is one of Fads without derivatives.
template <class T>
struct FadArray {
  T* derivatives;         ///< of the element at offset 0
  std::int64_t value_at;  ///< distance from there to its value
  std::int64_t count;     ///< number of derivatives
  std::int64_t stride;    ///< from one derivative to the next

  KOKKOS_FORCEINLINE_FUNCTION FadArray from(std::int64_t offset) const {
    return {derivatives + offset, value_at, count, stride};
  }
  KOKKOS_FORCEINLINE_FUNCTION T& value() const { return derivatives[value_at]; }
  /// Its derivatives from one on, where neighbours are next to each other if that is known.
  template <bool unit>
  KOKKOS_FORCEINLINE_FUNCTION T& derivative(std::int64_t i) const {
    return derivatives[unit ? i : i * stride];
  }
};

/// Some neighbouring derivatives, as the compiler sees fit to keep them.
template <class S, int width>
struct PlainBlock {
  S derivatives[width > 0 ? width : 1];

  KOKKOS_FORCEINLINE_FUNCTION void clear() {
    for (int d = 0; d < width; ++d) derivatives[d] = S(0);
  }
  KOKKOS_FORCEINLINE_FUNCTION void add(const PlainBlock& other) {
    for (int d = 0; d < width; ++d) derivatives[d] += other.derivatives[d];
  }
  /// Adds factor * those of an array, from one on.
  template <bool unit>
  KOKKOS_FORCEINLINE_FUNCTION void addMultiple(S factor, const FadArray<const S>& of,
                                               std::int64_t first) {
    for (int d = 0; d < width; ++d) {
      derivatives[d] += factor * of.template derivative<unit>(first + d);
    }
  }
  template <bool unit>
  KOKKOS_FORCEINLINE_FUNCTION void store(const FadArray<S>& to, std::int64_t first,
                                         bool add) const {
    for (int d = 0; d < width; ++d) {
      S& dx = to.template derivative<unit>(first + d);
      dx = add ? dx + derivatives[d] : derivatives[d];
    }
  }
};

/// How a processor is used: what it keeps blocks of derivatives in, and how many of a width it can
/// sum side by side.
struct PlainRegisters {
  template <class S, int width, bool unit>
  using Block = PlainBlock<S, width>;
  template <class S>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int blocks(int width) {
    return width > 2 ? 1 : 4;
  }
};

/// The same for short sums, which are over before independent partial sums gain anything.
template <class Registers>
struct OneAtATime : Registers {
  template <class S>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int blocks(int width) {
    return Registers::template blocks<S>(width) > 0 ? 1 : 0;
  }
};

/// Whether the right factor has derivatives as the left one has, and all have unit stride.
template <bool Right, bool Unit>
struct FadFactors {
  static constexpr bool right = Right, unit = Unit;
};

/// Sums of products, out(l,r) (+)= sum of left(l) * right(r), from the elements at offset 0 on.
template <class S>
struct FadSums {
  SumLevels sum;
  FadArray<S> out;
  FadArray<const S> left, right;
  std::int64_t out_left, out_right, left_field, right_field;  ///< steps from one to the next
  bool add;
};

/// Exchanges the factors: a product of a Fad and a constant has the Fad on the left.
template <class S>
KOKKOS_FORCEINLINE_FUNCTION void exchangeFactors(FadSums<S>& s) {
  for (SumLevel& level : s.sum) level = {level.extent, level.right, level.left};
  const FadSums<S> given = s;
  s.left = given.right;
  s.right = given.left;
  s.out_left = given.out_right;
  s.out_right = given.out_left;
  s.left_field = given.right_field;
  s.right_field = given.left_field;
}

/// Values of neighbours in the right index, and a block of derivatives of each, in registers.
template <int width, int rights, class Registers, class Factors, class S>
struct FadSumsInRegisters {
  typename Registers::template Block<S, width, Factors::unit> derivatives[rights];
  S values[rights];

  KOKKOS_FORCEINLINE_FUNCTION void clear() {
    for (int r = 0; r < rights; ++r) {
      values[r] = S(0);
      derivatives[r].clear();
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void add(const FadSumsInRegisters& other) {
    for (int r = 0; r < rights; ++r) {
      values[r] += other.values[r];
      derivatives[r].add(other.derivatives[r]);
    }
  }
  /// Adds one product to each, by the product rule.
  KOKKOS_FORCEINLINE_FUNCTION void addProducts(const FadSums<S>& s, std::int64_t left_at,
                                               std::int64_t right_at, std::int64_t first) {
    const FadArray<const S> a = s.left.from(left_at);
    for (int r = 0; r < rights; ++r) {
      const FadArray<const S> b = s.right.from(right_at + r * s.right_field);
      values[r] += a.value() * b.value();
      derivatives[r].template addMultiple<Factors::unit>(b.value(), a, first);
      if constexpr (Factors::right) {
        derivatives[r].template addMultiple<Factors::unit>(a.value(), b, first);
      }
    }
  }
};

/// Computes width of the derivatives from one on, which are stored or added to what is there, and
/// the values, which are left to the caller.
template <int width, int rights, class Registers, class Factors, class S>
KOKKOS_FORCEINLINE_FUNCTION void sumFadBlock(const FadSums<S>& s, std::int64_t first, S* values) {
  // Independent sums, so that one addition need not wait for the other.
  constexpr int partials = Registers::template blocks<S>(width) / rights >= 2 ? 2 : 1;
  FadSumsInRegisters<width, rights, Registers, Factors, S> partial[partials];
  for (int u = 0; u < partials; ++u) partial[u].clear();
  const SumLevel inner = s.sum[2];
  const auto addInner = [&](std::int64_t left, std::int64_t right) KONTRACT_FORCEINLINE_LAMBDA {
    std::int64_t k = 0;
    for (; k + partials <= inner.extent; k += partials) {
      for (int u = 0; u < partials; ++u) {
        partial[u].addProducts(s, left, right, first);
        left += inner.left;
        right += inner.right;
      }
    }
    if (k < inner.extent) partial[0].addProducts(s, left, right, first);
  };
  forEachInnerSum(s.sum, 0, 0, addInner);
  for (int u = 1; u < partials; ++u) partial[0].add(partial[u]);
  for (int r = 0; r < rights; ++r) {
    const FadArray<S> out = s.out.from(r * s.out_right);
    values[r] = partial[0].values[r];
    partial[0].derivatives[r].template store<Factors::unit>(out, first, s.add);
  }
}

/// All derivatives from one on, in blocks of these widths where registers hold them.
template <int rights, class Registers, class Factors, int width, int... narrower, class S>
KOKKOS_FORCEINLINE_FUNCTION void sumFadBlocks(const FadSums<S>& s, std::int64_t first, S* values) {
  if constexpr (width == 1 || Registers::template blocks<S>(width) >= rights) {
    for (; first + width <= s.out.count; first += width) {
      sumFadBlock<width, rights, Registers, Factors>(s, first, values);
    }
  }
  if constexpr (sizeof...(narrower) > 0) {
    if (first < s.out.count) {
      sumFadBlocks<rights, Registers, Factors, narrower...>(s, first, values);
    }
  }
}

/// Computes and stores sums that are neighbours in the right index.
///
/// Values are read for each block of derivatives and stored last, so that a product of two elements
/// may be written over one of them.
template <int rights, class Registers, class Factors, class S>
KOKKOS_FORCEINLINE_FUNCTION void sumFads(const FadSums<S>& s) {
  S values[rights] = {};
  if constexpr (Factors::unit) {
    sumFadBlocks<rights, Registers, Factors, 24, 8, 2, 1>(s, 0, values);
  } else {
    sumFadBlocks<rights, Registers, Factors, 1>(s, 0, values);
  }
  for (int r = 0; r < rights; ++r) {
    const FadArray<S> out = s.out.from(r * s.out_right);
    out.value() = s.add ? out.value() + values[r] : values[r];
  }
}

/// Computes and stores a sum of products of constants: its derivatives are 0.
template <class S>
KOKKOS_FORCEINLINE_FUNCTION void sumConstants(const FadSums<S>& s) {
  S value(0);
  sumFadBlock<0, 1, PlainRegisters, FadFactors<false, false>>(s, 0, &value);
  for (std::int64_t d = 0; d < s.out.count && !s.add; ++d) {
    s.out.template derivative<false>(d) = S(0);
  }
  s.out.value() = s.add ? s.out.value() + value : value;
}

}  // namespace Impl
}  // namespace Kontract

#endif
