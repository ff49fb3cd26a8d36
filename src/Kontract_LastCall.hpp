// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_LASTCALL_HPP
#define KONTRACT_LASTCALL_HPP

// The header that explain() of the last call was in until release 0.2: include
// Kontract_Explanation.hpp.

#include "Kontract_Explanation.hpp"

#endif
