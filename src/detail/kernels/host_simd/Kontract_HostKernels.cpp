// SPDX-License-Identifier: BSD-3-Clause
#include "detail/kernels/host_simd/common/Kontract_HostKernels.hpp"

#include <cstdlib>
#include <cstring>
#include <iostream>

namespace Kontract {
namespace Impl {

namespace baseline {
extern const HostKernels kernels;
}
#ifdef KONTRACT_HAS_AVX2_KERNELS
namespace avx2 {
extern const HostKernels kernels;
}
#endif
#ifdef KONTRACT_HAS_AVX512_KERNELS
namespace avx512 {
extern const HostKernels kernels;
}
#endif

namespace {

/// Calls f(kernels) for all that this machine can run, the fastest first, until f returns true.
template <class F>
void findKernels(const F& f) {
#ifdef KONTRACT_HAS_AVX512_KERNELS
  // Each feature that the sources may use is asked for: some machines have AVX-512 in part.
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("fma") && f(avx512::kernels)) {
    return;
  }
#endif
#ifdef KONTRACT_HAS_AVX2_KERNELS
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && f(avx2::kernels)) return;
#endif
  f(baseline::kernels);
}

const HostKernels& bestKernels() {
  const char* const wanted = std::getenv("KONTRACT_INSTRUCTION_SET");
  if (wanted != nullptr && *wanted != '\0') {
    if (const HostKernels* const named = hostKernels(wanted)) return *named;
    std::cerr << "Kontract: KONTRACT_INSTRUCTION_SET=" << wanted
              << " is ignored, because this machine or this build has";
    findKernels([](const HostKernels& kernels) {
      std::cerr << " " << kernels.name;
      return false;
    });
    std::cerr << "\n";
  }
  const HostKernels* best = nullptr;
  findKernels([&](const HostKernels& kernels) {
    best = &kernels;
    return true;
  });
  return *best;
}

}  // namespace

const HostKernels* hostKernels(const char* name) {
  const HostKernels* found = nullptr;
  findKernels([&](const HostKernels& kernels) {
    if (std::strcmp(kernels.name, name) == 0) found = &kernels;
    return found != nullptr;
  });
  return found;
}

const HostKernels& hostKernels() {
  static const HostKernels& best = bestKernels();
  return best;
}

}  // namespace Impl
}  // namespace Kontract
