// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "PeakKernels.hpp"
#include "RooflineParts.hpp"

namespace KontractBench {
namespace {

/// Calls f(thread, threads) on every thread of the host's execution space.
template <class F>
void onEveryThread(const F& f) {
  using Host = Kokkos::DefaultHostExecutionSpace;
  const int threads = int(Host().concurrency());
  Kokkos::parallel_for("peak", Kokkos::RangePolicy<Host>(0, threads),
                       [=](int thread) { f(thread, threads); });
}

constexpr long line = 64;  ///< doubles that belong together, more than one of cache

/// The first place in a buffer that begins a line of cache.
double* onLine(const Buffer& buffer) {
  return reinterpret_cast<double*>((reinterpret_cast<std::uintptr_t>(buffer.data()) + 63) / 64 *
                                   64);
}

/// Calls f(first, count) on every thread with its part of n doubles, in lines of cache.
template <class F>
void onEveryPart(long n, const F& f) {
  onEveryThread([=](int thread, int threads) {
    const long lines = n / line, begin = lines * thread / threads * line;
    const long end = lines * (thread + 1) / threads * line;
    f(begin, end - begin);
  });
}

}  // namespace

void measureRates(double seconds, const Buffer& to_buffer, const Buffer& from_buffer,
                  Roofline& roofline) {
  double* const to = onLine(to_buffer);
  const double* const from = onLine(from_buffer);
  const long n = long(to_buffer.size()) / line * line - line;  // what is whole lines
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

}  // namespace KontractBench
