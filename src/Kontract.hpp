// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_HPP
#define KONTRACT_HPP

/// \file
/// Everything that Kontract offers.

#include "Kontract_ArrayTools.hpp"
#include "Kontract_CellGraph.hpp"
#include "Kontract_CellTools.hpp"
#include "Kontract_ElementScatter.hpp"
#include "Kontract_FunctionSpaceTools.hpp"
#include "Kontract_Integration.hpp"
#include "Kontract_NonlinearForm.hpp"
#include "Kontract_Options.hpp"
#include "Kontract_RealSpaceTools.hpp"
#include "Kontract_StreamingArrayTools.hpp"
#include "Kontract_Team.hpp"
#include "Kontract_Tuning.hpp"
#include "Kontract_Version.hpp"

#endif
