// SPDX-License-Identifier: BSD-3-Clause
//
// What all sources for one instruction set begin with.
//
// A set's source includes this file, opens the namespace of its set, KONTRACT_INSTRUCTION_SET, and
// includes parts (*.ipp) inside of it. Each part includes the parts that it needs; guards leave out
// what is there already. An editor that opens a part by itself finds no set: then it is the
// baseline, and the names of Kontract::Impl are here.
#ifndef KONTRACT_HOSTINLINE_IPP
#define KONTRACT_HOSTINLINE_IPP

#ifndef KONTRACT_INSTRUCTION_SET
#define KONTRACT_INSTRUCTION_SET baseline
#define KONTRACT_INSTRUCTION_SET_NAME "baseline"
#define KONTRACT_PART_IS_ALONE
#endif

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "Kontract_HostKernels.hpp"

#define KONTRACT_INLINE inline __attribute__((always_inline))
#define KONTRACT_INLINE_LAMBDA __attribute__((always_inline))

#ifdef KONTRACT_PART_IS_ALONE
using namespace Kontract;
using namespace Kontract::Impl;
#endif

#endif
