// SPDX-License-Identifier: BSD-3-Clause
#include "Roofline.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "PeakKernels.hpp"

namespace KontractBench {
namespace {

/// The best rate of several goes; a go is long enough for the clock.
/// \param amount  what a go of so many rounds does
template <class Go>
double bestRate(double seconds, Go&& go) {
  double best = 0;
  long rounds = 1;
  Kokkos::Timer total;
  for (int times = 0; times < 3 || total.seconds() < seconds; ++times) {
    Space().fence();
    Kokkos::Timer timer;
    const double amount = go(rounds);
    Space().fence();
    const double taken = timer.seconds();
    if (taken < seconds / 20) {
      rounds *= 2;
      times = 0;
      if (total.seconds() < 4 * seconds) continue;
    }
    best = std::max(best, amount / taken);
  }
  return best;
}

using Buffer = Kokkos::View<double*, Device>;

/// Twelve chains of multiply-adds in each of many threads of a device.
template <class Real>
struct DeviceMultiply {
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

struct DeviceSum {
  Buffer from;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i, double& sum) const { sum += from(i); }
};

void measureDevice(double seconds, const Buffer& to, const Buffer& from, Roofline& roofline) {
  const std::int64_t n = std::int64_t(from.size()), threads = 1 << 20;
  const double bytes = double(n) * sizeof(double);
  const Kokkos::RangePolicy<Space> all(0, threads);
  roofline.instructions = Space::name();
  roofline.float_flops = bestRate(seconds, [&](long rounds) {
    Kokkos::parallel_for("peak", all, DeviceMultiply<float>{64 * rounds, to});
    return 24.0 * 64.0 * double(rounds) * double(threads);
  });
  roofline.double_flops = bestRate(seconds, [&](long rounds) {
    Kokkos::parallel_for("peak", all, DeviceMultiply<double>{64 * rounds, to});
    return 24.0 * 64.0 * double(rounds) * double(threads);
  });
  roofline.copy_bytes = bestRate(seconds, [&](long rounds) {
    for (long i = 0; i < rounds; ++i) Kokkos::deep_copy(Space(), to, from);
    return 2 * bytes * double(rounds);
  });
  roofline.read_bytes = bestRate(seconds, [&](long rounds) {
    double sum = 0;
    for (long i = 0; i < rounds; ++i) {
      Kokkos::parallel_reduce("read", Kokkos::RangePolicy<Space>(0, n), DeviceSum{from}, sum);
    }
    return bytes * double(rounds);
  });
}

/// Calls f(thread, threads) on every thread of the host's execution space.
template <class F>
void onEveryThread(const F& f) {
  using Host = Kokkos::DefaultHostExecutionSpace;
  const int threads = int(Host().concurrency());
  Kokkos::parallel_for("peak", Kokkos::RangePolicy<Host>(0, threads),
                       [=](int thread) { f(thread, threads); });
}

/// Calls f(first, count) on every thread with its part of n doubles, in lines of cache.
template <class F>
void onEveryPart(long n, const F& f) {
  onEveryThread([=](int thread, int threads) {
    constexpr long line = 64;
    const long lines = n / line, begin = lines * thread / threads * line;
    const long end = lines * (thread + 1) / threads * line;
    f(begin, end - begin);
  });
}

void measureHost(double seconds, double* to, double* from, long n, Roofline& roofline) {
  const double threads = double(Kokkos::DefaultHostExecutionSpace().concurrency());
  const double bytes = double(n) * sizeof(double);
  int count = 0;
  const PeakKernels* const sets = peakKernels(&count);
  for (int i = 0; i < count; ++i) {
    const PeakKernels set = sets[i];
    const auto peakOf = [&](auto kernel, auto zero) {
      return bestRate(seconds / count, [&](long rounds) {
        const long turns = 1000 * rounds;
        onEveryThread([=](int, int) {
          volatile double keep = 0;
          auto sink = zero;
          keep = kernel(turns, &sink);
          keep = keep + double(sink);
        });
        auto sink = zero;
        return threads * double(turns) * kernel(1, &sink);
      });
    };
    const double found = peakOf(set.multiply_double, 0.0);
    if (found > roofline.double_flops) roofline.instructions = set.name;
    roofline.double_flops = std::max(roofline.double_flops, found);
    roofline.float_flops = std::max(roofline.float_flops, peakOf(set.multiply_float, 0.0f));
  }
  const PeakKernels best = sets[count - 1];
  const auto plainCopy = [](double* target, const double* source, long size) {
    std::memcpy(target, source, std::size_t(size) * sizeof(double));
  };
  const auto copyWith = [&](auto copy) {
    return bestRate(seconds, [&](long rounds) {
      for (long i = 0; i < rounds; ++i) {
        onEveryPart(n, [=](long begin, long size) { copy(to + begin, from + begin, size); });
      }
      return 2 * bytes * double(rounds);
    });
  };
  roofline.copy_bytes = std::max(copyWith(plainCopy), copyWith(best.stream_copy));
  roofline.read_bytes = bestRate(seconds, [&](long rounds) {
    for (long i = 0; i < rounds; ++i) {
      onEveryPart(n, [=](long begin, long size) {
        volatile double keep = best.read(from + begin, size);
        (void)keep;
      });
    }
    return bytes * double(rounds);
  });
}

}  // namespace

double Roofline::leastSeconds(ScalarKind kind, double flops, double bytes) const {
  return std::max(flops / peak(kind), bytes / copy_bytes);
}

Roofline measureRoofline(double seconds, double bytes) {
  Roofline roofline;
  const long n = std::max<long>(64, long(bytes / sizeof(double)) / 64 * 64);
  const Buffer to("to", n + 8), from("from", n + 8);
  Kokkos::deep_copy(from, 1.0);
  Space().fence();
  if constexpr (on_host) {
    const auto aligned = [](double* data) {
      return reinterpret_cast<double*>((reinterpret_cast<std::uintptr_t>(data) + 63) / 64 * 64);
    };
    measureHost(seconds, aligned(to.data()), aligned(from.data()), n, roofline);
  } else {
    measureDevice(seconds, to, from, roofline);
  }
  return roofline;
}

}  // namespace KontractBench
