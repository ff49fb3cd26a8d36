// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_FadTiles.hpp"

#include <cstring>

#include "detail/kernels/host_simd/common/Kontract_HostKernels.hpp"

// One function is compiled for several instruction sets by an attribute of its own, not by flags of
// this file: what headers define would otherwise be compiled for the best of them too, and the
// linker might take that for all.
// Vectors are spelt out, because compilers find few of them in sums over blocks. This file is
// compiled with leave to fuse multiplications and additions (cmake/KontractSources.cmake).
#if defined(__GNUC__) && !defined(__CUDACC__) && !defined(__INTEL_COMPILER)
#define KONTRACT_HAS_VECTORS
#ifdef __x86_64__
#define KONTRACT_HAS_X86_VARIANTS
#endif
#endif

namespace Kontract {
namespace Impl {
namespace {

#ifdef KONTRACT_HAS_VECTORS
/// Derivatives next to each other, in vectors of that many bytes or fewer.
template <class S, int width, int bytes>
class VectorBlock {
 public:
  KOKKOS_FORCEINLINE_FUNCTION void clear() {
    for (int i = 0; i < count; ++i) _vectors[i] = Vector{};
  }
  KOKKOS_FORCEINLINE_FUNCTION void add(const VectorBlock& other) {
    for (int i = 0; i < count; ++i) _vectors[i] += other._vectors[i];
  }
  template <bool>
  KOKKOS_FORCEINLINE_FUNCTION void addMultiple(S factor, const FadArray<const S>& of,
                                               std::int64_t first) {
    for (int i = 0; i < count; ++i) {
      Vector vector;
      std::memcpy(&vector, of.derivatives + first + i * simd_width, sizeof vector);
      _vectors[i] += factor * vector;
    }
  }
  template <bool>
  KOKKOS_FORCEINLINE_FUNCTION void store(const FadArray<S>& to, std::int64_t first,
                                         bool add) const {
    for (int i = 0; i < count; ++i) {
      S* const to_vector = to.derivatives + first + i * simd_width;
      Vector vector = _vectors[i];
      if (add) {
        Vector before;
        std::memcpy(&before, to_vector, sizeof before);
        vector += before;
      }
      std::memcpy(to_vector, &vector, sizeof vector);
    }
  }

 private:
  /// The longest vectors that a block is made of.
  static constexpr int simdWidthOf(int most) {
    return width % most == 0 ? most : simdWidthOf(most / 2);
  }
  static constexpr int simd_width = simdWidthOf(bytes / int(sizeof(S)));
  static constexpr int count = width / simd_width;
  typedef S Vector __attribute__((vector_size(simd_width * sizeof(S))));
  Vector _vectors[count];
};

/// Vectors of that many bytes, of which so many are summed at once.
template <int bytes, int vectors>
struct VectorRegisters {
  template <class S, int width, bool unit>
  using Block =
      std::conditional_t<unit && (width > 1), VectorBlock<S, (width > 1 ? width : 2), bytes>,
                         PlainBlock<S, width>>;
  template <class S>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int blocks(int width) {
    const int each = (width * int(sizeof(S)) + bytes - 1) / bytes;
    return each > 1 ? vectors / each : vectors;
  }
};
#endif

#define KONTRACT_FAD_KERNELS(STRUCT, NAME, TARGET, REGISTERS)                                   \
  struct STRUCT {                                                                               \
    TARGET static void contract(const ContractionShape& shape, const FadArrays<double>& arrays, \
                                const FadOutputs& outputs) {                                    \
      contractFads<REGISTERS>(shape, arrays, outputs);                                          \
    }                                                                                           \
    TARGET static void multiply(const PointwiseShape& shape, const FadArrays<double>& arrays,   \
                                const RunOfPlaces& run) {                                       \
      multiplyFads<REGISTERS>(shape, arrays, run);                                              \
    }                                                                                           \
    static constexpr FadKernels kernels{NAME, contract, multiply};                              \
  };

#ifdef KONTRACT_HAS_VECTORS
using BaselineRegisters = VectorRegisters<16, 8>;
#else
using BaselineRegisters = PlainRegisters;
#endif
KONTRACT_FAD_KERNELS(Baseline, "baseline", , BaselineRegisters)
#ifdef KONTRACT_HAS_X86_VARIANTS
using Avx2Registers = VectorRegisters<32, 12>;
using Avx512Registers = VectorRegisters<64, 16>;
KONTRACT_FAD_KERNELS(Avx2, "avx2", __attribute__((target("avx2,fma"))), Avx2Registers)
KONTRACT_FAD_KERNELS(Avx512, "avx512", __attribute__((target("avx512f,avx512vl,avx512dq,fma"))),
                     Avx512Registers)
#endif
#undef KONTRACT_FAD_KERNELS

/// Host kernels compiled for this very machine ("native"), or for a set that is not compiled here,
/// leave the choice open.
const FadKernels& kernelsBesideHostKernels() {
  for (const char* const name : {hostKernels().name, "avx512", "avx2"}) {
    if (const FadKernels* const named = fadKernels(name)) return *named;
  }
  return Baseline::kernels;
}

}  // namespace

const FadKernels* fadKernels(const char* name) {
  const auto is_named = [&](const FadKernels& kernels) {
    return std::strcmp(kernels.name, name) == 0;
  };
#ifdef KONTRACT_HAS_X86_VARIANTS
  __builtin_cpu_init();
  if (is_named(Avx512::kernels) && __builtin_cpu_supports("avx512f") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")) {
    return &Avx512::kernels;
  }
  if (is_named(Avx2::kernels) && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    return &Avx2::kernels;
  }
#endif
  return is_named(Baseline::kernels) ? &Baseline::kernels : nullptr;
}

const FadKernels& fadKernels() {
  static const FadKernels& here = kernelsBesideHostKernels();
  return here;
}

}  // namespace Impl
}  // namespace Kontract
