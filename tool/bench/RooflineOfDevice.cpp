// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdint>

#include "RooflineParts.hpp"

#ifdef KONTRACT_BENCH_HAVE_CUBLAS
#include "Cublas.hpp"
#endif

namespace KontractBench {
namespace {

using Threads = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;

/// 16 bytes, the most that a thread reads or writes at once.
struct alignas(16) Pair {
  double first, second;
};

/// Copies a few pairs in each thread, neighbouring ones in neighbouring threads; all are read
/// before the first is written, so that many reads are under way.
struct Copy {
  static constexpr int pairs = 4;
  Pair* to;
  const Pair* from;
  std::int64_t threads;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    Pair values[pairs];
    for (int n = 0; n < pairs; ++n) values[n] = from[i + n * threads];
    for (int n = 0; n < pairs; ++n) to[i + n * threads] = values[n];
  }
};

struct Sum {
  const Pair* from;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i, double& sum) const {
    const Pair pair = from[i];
    sum += pair.first + pair.second;
  }
};

/// Different ones in each place: a device runs faster on constants than on data.
template <class Real>
struct FillWithData {
  Kokkos::View<Real*, Device> values;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    const auto mixed = (static_cast<std::uint64_t>(i) + 1) * 0x9E3779B97F4A7C15u;
    values(i) = Real(0.5 + double(mixed >> 12) / double(std::uint64_t(1) << 52));
  }
};
template <class Real>
void fillWithData(const Kokkos::View<Real*, Device>& values) {
  Kokkos::parallel_for("fill", Threads(0, std::int64_t(values.size())), FillWithData<Real>{values});
}

#ifdef KONTRACT_BENCH_HAVE_CUBLAS
/// The product of two large matrices.
template <class Real>
double peakOf(double seconds, const Buffer&) {
  constexpr int n = 8192;
  const auto matrix = [](const char* label) {
    const Kokkos::View<Real*, Device> values(Kokkos::ViewAllocateWithoutInitializing(label),
                                             std::size_t(n) * n);
    fillWithData(values);
    return values;
  };
  const auto a = matrix("a"), b = matrix("b"), c = matrix("c");
  const auto in = [](const Kokkos::View<Real*, Device>& values) {
    return CublasMatrices<Real>{values.data(), n, 0};
  };
  return bestRate(seconds, [&](long rounds) {
    for (long i = 0; i < rounds; ++i) cublasProduct(1, n, n, n, in(a), in(b), in(c));
    return 2.0 * n * n * double(n) * double(rounds);
  });
}
constexpr const char* instructions = "cuBLAS gemm of 8192^3";
#else
/// Twelve chains of multiply-adds in each of many threads of a device.
template <class Real>
struct Multiply {
  long rounds;
  Buffer sink;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    const Real x = Real(0.999999), y = Real(1e-6) * Real(i);
    Real sums[12];
    for (Real& sum : sums) sum = y;
    for (long round = 0; round < rounds; ++round) {
      for (Real& sum : sums) sum = sum * x + y;
    }
    Real all = 0;
    for (const Real& sum : sums) all += sum;
    if (all == Real(-1)) sink(0) = double(all);  // never, but the compiler cannot know
  }
};

/// Multiply-adds in registers, without what a device has for matrices.
template <class Real>
double peakOf(double seconds, const Buffer& sink) {
  constexpr std::int64_t threads = 1 << 20;
  return bestRate(seconds, [&](long rounds) {
    Kokkos::parallel_for("peak", Threads(0, threads), Multiply<Real>{64 * rounds, sink});
    return 24.0 * 64.0 * double(rounds) * double(threads);
  });
}

constexpr const char* instructions = "multiply-adds in registers";
#endif

}  // namespace

void measureRates(double seconds, const Buffer& to, const Buffer& from, Roofline& roofline) {
  fillWithData(from);
  roofline.instructions = instructions;
  roofline.float_flops = peakOf<float>(seconds, to);
  roofline.double_flops = peakOf<double>(seconds, to);
  const std::int64_t threads = std::int64_t(from.size()) / 2 / Copy::pairs;
  const double bytes = double(threads * Copy::pairs) * sizeof(Pair);
  const auto* const source = reinterpret_cast<const Pair*>(from.data());
  auto* const target = reinterpret_cast<Pair*>(to.data());
  const double by_kernel = bestRate(seconds, [&](long rounds) {
    for (long i = 0; i < rounds; ++i) {
      Kokkos::parallel_for("copy", Threads(0, threads), Copy{target, source, threads});
    }
    return 2 * bytes * double(rounds);
  });
  const double by_library = bestRate(seconds, [&](long rounds) {
    for (long i = 0; i < rounds; ++i) Kokkos::deep_copy(Space(), to, from);
    return 2.0 * sizeof(double) * double(from.size()) * double(rounds);
  });
  roofline.copy_bytes = std::max(by_kernel, by_library);
  roofline.read_bytes = bestRate(seconds, [&](long rounds) {
    double sum = 0;
    for (long i = 0; i < rounds; ++i) {
      Kokkos::parallel_reduce("read", Threads(0, threads * Copy::pairs), Sum{source}, sum);
    }
    return bytes * double(rounds);
  });
}

}  // namespace KontractBench
