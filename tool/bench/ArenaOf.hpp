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

template <class Scalar>
double sizeOf(const Scalar& x) {
  return double(std::abs(x));
}
template <class Real>
double sizeOf(const Kokkos::complex<Real>& x) {
  return std::hypot(double(x.real()), double(x.imag()));
}

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
    for (int i = 0; i < count; ++i) {
      Arguments<Scalar, Layout> arguments;
      arguments.out = make(_out, 0, i == 0);
      arguments.left = make(_left, 100, false);
      arguments.right = make(_right, 200000, false);
      _copies.push_back(arguments);
    }
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
    return offerOnMatrices<Scalar>(peer, matricesOf(_case, _out, _left, _right), pointers);
  }

  void spoilOutput() override {
    const bool adds = Kontract::Impl::isContraction(_case.operation) && _case.yes;
    Kokkos::deep_copy(_buffer, adds ? Scalar(1) : Scalar(std::numeric_limits<Real>::quiet_NaN()));
  }

  void keepOutput() override { _kept = output(); }

  std::string difference() const override {
    const std::vector<Scalar> found = output();
    const double allowed =
        16 * double(std::numeric_limits<Real>::epsilon()) * double(_case.terms() + 8);
    for (std::size_t i = 0; i < found.size(); ++i) {
      const auto is_spoilt = [](const Scalar& x) { return x != x; };  // NaN: between elements
      if (is_spoilt(found[i]) && is_spoilt(_kept[i])) continue;
      const double error = sizeOf(found[i] - _kept[i]);
      if (error <= allowed) continue;
      return "place " + std::to_string(i) + " of the output is off by " + digits(error, 3) +
             ", but " + digits(allowed, 3) + " would be rounding";
    }
    return "";
  }

 private:
  View make(const Placement& array, std::uint32_t seed, bool is_first_output) {
    if (array.span == 0) return View();
    const Buffer buffer(Kokkos::ViewAllocateWithoutInitializing("array"), array.span);
    Kokkos::parallel_for("fill", Kokkos::RangePolicy<Space>(0, array.span),
                         Fill<Scalar>{buffer, seed});
    _buffers.push_back(buffer);
    if (is_first_output) _buffer = buffer;
    Layout layout = array.template layout<Layout>();  // the constructor wants a name for it
    return View(buffer.data(), layout);
  }

  std::vector<Scalar> output() const {
    Space().fence();
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), _buffer);
    return std::vector<Scalar>(host.data(), host.data() + host.size());
  }

  Case _case;
  Placement _out, _left, _right;
  std::vector<Arguments<Scalar, Layout>> _copies;
  std::vector<Buffer> _buffers;  ///< that the arguments are in
  Buffer _buffer;                ///< of the first output
  std::vector<Scalar> _kept;
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
