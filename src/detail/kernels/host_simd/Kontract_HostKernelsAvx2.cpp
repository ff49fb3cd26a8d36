// SPDX-License-Identifier: BSD-3-Clause
#define KONTRACT_INSTRUCTION_SET avx2
#define KONTRACT_INSTRUCTION_SET_NAME "avx2"
#include "Kontract_HostKernelSet.ipp"
