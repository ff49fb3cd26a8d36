// SPDX-License-Identifier: BSD-3-Clause
#define KONTRACT_INSTRUCTION_SET avx512
#include "Kontract_HostFormSet.ipp"
