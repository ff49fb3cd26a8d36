// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_BENCH_ARENAOF_HPP
#define KONTRACT_BENCH_ARENAOF_HPP

#include <Kontract.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "Arena.hpp"
#include "CallByName.hpp"
#include "PeerIntrepid2.hpp"
#include "PeerTraffic.hpp"
#include "PeersOnMatrices.hpp"
#include "Placement.hpp"

namespace KontractBench {

template <class Scalar>
struct RealOf {
  using type = Scalar;
};
template <class Real>
struct RealOf<Kokkos::complex<Real>> {
  using type = Real;
};

/// The larger part of a number, as a size.
template <class Real>
KOKKOS_INLINE_FUNCTION double sizeOf(const Real& x) {
  return double(x < 0 ? -x : x);
}
template <class Real>
KOKKOS_INLINE_FUNCTION double sizeOf(const Kokkos::complex<Real>& x) {
  const double real = sizeOf(x.real()), imaginary = sizeOf(x.imag());
  return imaginary > real || imaginary != imaginary ? imaginary : real;
}

/// Whether two elements differ by more than rounding; NaN, which is between elements, must stay.
template <class Scalar>
struct Difference {
  Kokkos::View<const Scalar*, Device> found, wanted;
  double allowed;

  KOKKOS_INLINE_FUNCTION bool isAt(std::int64_t i) const {
    const Scalar a = found(i), b = wanted(i);
    return !(sizeOf(a - b) <= allowed) && (a == a || b == b);
  }
  /// For the first of them.
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i, std::int64_t& first) const {
    if (i < first && isAt(i)) first = i;
  }
};

/// Other numbers than those that are wanted; NaN, which is between elements, stays.
template <class Scalar>
struct Spoil {
  Kokkos::View<Scalar*, Device> buffer;
  Kokkos::View<const Scalar*, Device> wanted;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    buffer(i) = wanted(i) + Scalar(7);
  }
};

using Places = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;

/// Numbers between 0.5 and 1.5 of either sign: sums stay small, and nothing divides by zero.
template <class Scalar>
struct Fill {
  Kokkos::View<Scalar*, Device> buffer;
  std::uint32_t seed;

  KOKKOS_INLINE_FUNCTION static double number(std::uint32_t x) {
    x = (x ^ (x >> 16)) * 0x45d9f3bu;
    x = (x ^ (x >> 16)) * 0x45d9f3bu;
    x ^= x >> 16;
    const double size = 0.5 + (x >> 1) / 2147483648.0;
    return (x & 1) ? size : -size;
  }
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    const auto x = std::uint32_t(2 * i) + seed;
    if constexpr (std::is_floating_point_v<Scalar>) {
      buffer(i) = Scalar(number(x));
    } else {
      using Real = typename RealOf<Scalar>::type;
      buffer(i) = Scalar(Real(number(x)), Real(number(x + 1)));
    }
  }
};

template <class Scalar, class Layout>
class ArenaOf : public Arena {
  using View = Array<Scalar, Layout>;
  using Buffer = Kokkos::View<Scalar*, Device>;
  using Tools = Kontract::ArrayTools<Device>;
  using Real = typename RealOf<Scalar>::type;

 public:
  ArenaOf(const Case& one, LayoutKind layout, double bytes)
      : _case(one),
        _out(place(one, one.outLetters(), layout)),
        _left(place(one, one.leftLetters(), layout)),
        _right(place(one, one.rightLetters(), layout)) {
    const double one_copy = double(_out.span + _left.span + _right.span) * sizeof(Scalar);
    const int count = std::max(1, int(std::ceil(bytes / one_copy)));
    const std::vector<View> outs = make(_out, 0, count), lefts = make(_left, 100, count),
                            rights = make(_right, 200000, count);
    _buffer = Kokkos::subview(_buffers[0], std::make_pair(std::int64_t(0), _out.span));
    for (int i = 0; i < count; ++i) _copies.push_back({outs[i], lefts[i], rights[i]});
    Space().fence();
  }

  int copies() const override { return int(_copies.size()); }

  Kontract::Explanation explain(const Kontract::Options& options) const override {
    const auto& [out, left, right] = _copies[0];
    const std::string function = _case.function();
    if (_left.letters.empty()) return Kontract::explain<Device>(function, out, right, options);
    if (_case.takesYes() || _case.takesTranspose()) {
      const int flag = _case.takesYes() ? int(_case.yes) : (_case.is_transposed ? 'T' : 'N');
      return Kontract::explain<Device>(function, out, left, right, flag, options);
    }
    return Kontract::explain<Device>(function, out, left, right, options);
  }

  Runner kontract(const Kontract::Options& options) const override {
    const auto call = callOf<Tools, View, Kontract::Options>(_case.operation);
    return [this, call, options](int copy) {
      const auto& [out, left, right] = _copies[copy];
      call(_case, out, left, right, options);
    };
  }

  Offer peer(Peer peer) const override {
    if (peer == Peer::Intrepid2) return intrepid2(_case, _copies);
    std::vector<Pointers<Scalar>> pointers;
    for (const auto& [out, left, right] : _copies) {
      pointers.push_back({out.data(), left.data(), right.data()});
    }
    if constexpr (on_host) {
      if (peer == Peer::Traffic) {
        std::vector<MovedCopy> moved;
        for (const auto& at : pointers) moved.push_back({at.out, at.left, at.right});
        return traffic(_case, _out, _left, _right, sizeof(Scalar), moved);
      }
    }
    return offerOnMatrices<Scalar>(peer, matricesOf(_case, _out, _left, _right), pointers);
  }

  void spoilOutput() override {
    Kokkos::deep_copy(_buffer, adds() ? Scalar(1) : Scalar(std::numeric_limits<Real>::quiet_NaN()));
  }
  void spoilOutputByNumbers() override {
    if (adds()) return spoilOutput();
    Kokkos::parallel_for("spoil", Places(0, std::int64_t(_buffer.size())),
                         Spoil<Scalar>{_buffer, _kept});
  }

  void keepOutput() override {
    _kept = Buffer(Kokkos::ViewAllocateWithoutInitializing("kept"), _buffer.size());
    Kokkos::deep_copy(_kept, _buffer);
  }

  std::string difference() const override {
    const double allowed =
        16 * double(std::numeric_limits<Real>::epsilon()) * double(_case.terms() + 8);
    const std::int64_t size = std::int64_t(_buffer.size());
    std::int64_t first = size;
    Kokkos::parallel_reduce("compare", Places(0, size), Difference<Scalar>{_buffer, _kept, allowed},
                            Kokkos::Min<std::int64_t>(first));
    if (first >= size) return "";
    return "place " + std::to_string(first) + " of the output is off by " +
           digits(sizeOf(at(_buffer, first) - at(_kept, first)), 3) + ", but " +
           digits(allowed, 3) + " would be rounding";
  }

 private:
  bool adds() const { return Kontract::Impl::isContraction(_case.operation) && _case.yes; }

  /// As many arrays in one piece of memory, each from a place on where a line of cache begins.
  std::vector<View> make(const Placement& array, std::uint32_t seed, int count) {
    if (array.span == 0) return std::vector<View>(count);
    constexpr std::int64_t line = 64;
    const std::int64_t span = (array.span + line - 1) / line * line;
    const Buffer buffer(Kokkos::ViewAllocateWithoutInitializing("arrays"), span * count);
    Kokkos::parallel_for("fill", Places(0, span * count), Fill<Scalar>{buffer, seed});
    _buffers.push_back(buffer);
    Layout layout = array.template layout<Layout>();  // the constructor wants a name for it
    std::vector<View> views;
    for (int i = 0; i < count; ++i) views.emplace_back(buffer.data() + i * span, layout);
    return views;
  }

  static Scalar at(const Buffer& buffer, std::int64_t place) {
    Scalar value;
    Kokkos::deep_copy(value, Kokkos::subview(buffer, place));
    return value;
  }

  Case _case;
  Placement _out, _left, _right;
  std::vector<Arguments<Scalar, Layout>> _copies;
  std::vector<Buffer> _buffers;  ///< that the arguments are in
  Buffer _buffer;                ///< of the first output
  Buffer _kept;                  ///< what should be in it
};

template <class Scalar>
std::unique_ptr<Arena> makeArenaOf(const Case& one, LayoutKind layout, double bytes) {
  switch (layout) {
    case LayoutKind::Right:
      return std::make_unique<ArenaOf<Scalar, Kokkos::LayoutRight>>(one, layout, bytes);
    case LayoutKind::Left:
      return std::make_unique<ArenaOf<Scalar, Kokkos::LayoutLeft>>(one, layout, bytes);
    default: return std::make_unique<ArenaOf<Scalar, Kokkos::LayoutStride>>(one, layout, bytes);
  }
}

}  // namespace KontractBench

#endif
