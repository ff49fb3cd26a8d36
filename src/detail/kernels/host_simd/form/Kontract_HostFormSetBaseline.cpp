// SPDX-License-Identifier: BSD-3-Clause
#define KONTRACT_INSTRUCTION_SET baseline
#include "Kontract_HostFormSet.ipp"
