// SPDX-License-Identifier: BSD-3-Clause
#define KONTRACT_COMPILING_FORMS
#include "Kontract_CompiledForms.hpp"

KONTRACT_COMPILED_FORMS(, double)
