// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_BENCH_ROOFLINE_HPP
#define KONTRACT_BENCH_ROOFLINE_HPP

#include <string>

#include "Types.hpp"

namespace KontractBench {

/// What this machine can do at best, measured: with all threads of the default execution space.
struct Roofline {
  double float_flops = 0, double_flops = 0;  ///< real additions and multiplications per second
  double copy_bytes = 0;                     ///< bytes read and written per second by a copy
  double read_bytes = 0;                     ///< bytes per second by reading alone
  std::string instructions;                  ///< the instruction set that was fastest

  /// Peak for scalars of a kind, in real additions and multiplications per second.
  double peak(ScalarKind kind) const { return isSingle(kind) ? float_flops : double_flops; }

  /// Least seconds for so many real flops and bytes.
  double leastSeconds(ScalarKind kind, double flops, double bytes) const;
};

/// \param seconds  to measure each rate for
/// \param bytes  of the arrays that are copied and read; larger than the caches
Roofline measureRoofline(double seconds, double bytes);

}  // namespace KontractBench

#endif
