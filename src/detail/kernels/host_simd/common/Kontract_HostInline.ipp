// SPDX-License-Identifier: BSD-3-Clause
//
// What sources for one instruction set begin with.

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define KONTRACT_INLINE inline __attribute__((always_inline))
#define KONTRACT_INLINE_LAMBDA __attribute__((always_inline))
