// SPDX-License-Identifier: BSD-3-Clause
#define KONTRACT_COMPILING_PROBLEMS
#include "Kontract_CompiledProblems.hpp"

KONTRACT_COMPILED_FADS(, float)
KONTRACT_COMPILED_FADS(, double)
