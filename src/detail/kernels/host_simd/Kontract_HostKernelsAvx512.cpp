// SPDX-License-Identifier: BSD-3-Clause
#define KONTRACT_INSTRUCTION_SET avx512
#define KONTRACT_INSTRUCTION_SET_NAME "avx512"
#include "Kontract_HostKernelSet.ipp"
