// SPDX-License-Identifier: BSD-3-Clause
#define KONTRACT_INSTRUCTION_SET baseline
#ifdef KONTRACT_BASELINE_IS_NATIVE  // in builds for this machine alone
#define KONTRACT_INSTRUCTION_SET_NAME "native"
#else
#define KONTRACT_INSTRUCTION_SET_NAME "baseline"
#endif
#include "Kontract_HostKernelSet.ipp"
