// SPDX-License-Identifier: BSD-3-Clause
#define KONTRACT_COMPILING_FORM_KERNELS
#include "Kontract_CompiledForms.hpp"

KONTRACT_COMPILED_TABLE_VECTORS(, Products, float)
