// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_BLOCKFUNCTION_HPP
#define KONTRACT_BLOCKFUNCTION_HPP

// Functions of a block of threads of a device; hosts stand in for it in tests.
#ifdef __CUDACC__
#define KONTRACT_BLOCK_FUNCTION __device__ __forceinline__
#else
#define KONTRACT_BLOCK_FUNCTION inline
#endif

#endif
