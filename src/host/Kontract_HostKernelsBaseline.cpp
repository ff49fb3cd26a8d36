// SPDX-License-Identifier: BSD-3-Clause
#define KONTRACT_INSTRUCTION_SET baseline
#ifndef KONTRACT_INSTRUCTION_SET_NAME  // another one in builds for this machine alone
#define KONTRACT_INSTRUCTION_SET_NAME "baseline"
#endif
#include "Kontract_HostKernelSet.ipp"
