// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_BENCH_PEAKKERNELS_HPP
#define KONTRACT_BENCH_PEAKKERNELS_HPP

namespace KontractBench {

/// Loops that show what one thread of this processor can do, for one instruction set each.
///
/// Their source includes no template of a library, because it is compiled for instruction sets that
/// the rest of the program may not assume.
struct PeakKernels {
  const char* name;
  /// Fused multiply-adds in registers; returns how many additions and multiplications it made.
  double (*multiply_float)(long rounds, float* sink);
  double (*multiply_double)(long rounds, double* sink);
  /// Copies n doubles past the caches, n a multiple of 64 and both addresses of 64 bytes.
  void (*stream_copy)(double* to, const double* from, long n);
  /// Fills n doubles with zero past the caches, n a multiple of 8 and the address of 64 bytes.
  void (*stream_fill)(double* to, long n);
  /// Sums n doubles.
  double (*read)(const double* from, long n);
};

/// The kernels that this processor can run, the most able last.
/// \param count  how many there are
const PeakKernels* peakKernels(int* count);

}  // namespace KontractBench

#endif
