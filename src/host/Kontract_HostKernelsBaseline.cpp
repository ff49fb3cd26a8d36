// SPDX-License-Identifier: BSD-3-Clause
#define KONTRACT_INSTRUCTION_SET baseline
#define KONTRACT_INSTRUCTION_SET_NAME "baseline"
#include "Kontract_HostKernelSet.ipp"
