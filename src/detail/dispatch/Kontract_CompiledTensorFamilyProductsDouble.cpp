// SPDX-License-Identifier: BSD-3-Clause
#define KONTRACT_COMPILING_FORM_KERNELS
#define KONTRACT_COMPILING_TENSOR_FAMILIES
#include "Kontract_CompiledForms.hpp"

KONTRACT_COMPILED_TENSOR_ANY_FAMILIES(, Products, double)
