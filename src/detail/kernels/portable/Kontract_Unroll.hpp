// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_UNROLL_HPP
#define KONTRACT_UNROLL_HPP

/// Before a loop whose arrays are to be in registers: compilers for devices leave long ones as they
/// are, and keep arrays in memory whose places they compute.
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define KONTRACT_UNROLL _Pragma("unroll")
/// Before a loop that waits for what two rounds can wait for together.
#define KONTRACT_UNROLL_TWICE _Pragma("unroll 2")
/// Before a loop whose body is long.
#define KONTRACT_DO_NOT_UNROLL _Pragma("unroll 1")
#else
#define KONTRACT_UNROLL
#define KONTRACT_UNROLL_TWICE
#define KONTRACT_DO_NOT_UNROLL
#endif

#endif
