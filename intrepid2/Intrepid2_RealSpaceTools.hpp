// SPDX-License-Identifier: BSD-3-Clause
//
// Intrepid2::RealSpaceTools, computed by Kontract; see Intrepid2_ArrayTools.hpp.
#ifndef KONTRACT_INTREPID2_REALSPACETOOLS_HPP
#define KONTRACT_INTREPID2_REALSPACETOOLS_HPP
#pragma GCC system_header

#ifdef __INTREPID2_REALSPACETOOLS_HPP__
#error \
    "Intrepid2's own Intrepid2_RealSpaceTools.hpp was included before Kontract's: put Kontract's directory intrepid2 first on the include path, or include Intrepid2_FunctionSpaceTools.hpp first"
#endif

// All that Intrepid2's header includes, so that nothing but its class is renamed.
#include <Intrepid2_ConfigDefs.hpp>
#include <Intrepid2_Types.hpp>
#include <Intrepid2_Utils.hpp>
#include <Kokkos_Core.hpp>

#define RealSpaceTools RealSpaceToolsOfIntrepid2
#include_next <Intrepid2_RealSpaceTools.hpp>
#undef RealSpaceTools

namespace Kontract {
template <class DeviceType>
class RealSpaceTools;
}

#include <Kontract_ReplacedFunctions.hpp>

namespace Intrepid2 {

/// Intrepid2's class of that name, computed by Kontract::RealSpaceTools, but for vecprod, whose
/// products in the plane Kontract lacks.
template <class DeviceType = void>
class RealSpaceTools : public RealSpaceToolsOfIntrepid2<DeviceType> {
  using Ours = Kontract::RealSpaceTools<DeviceType>;
  using Theirs = RealSpaceToolsOfIntrepid2<DeviceType>;

 public:
  KONTRACT_REPLACED(void, inverse)
  KONTRACT_REPLACED(void, det)
  KONTRACT_REPLACED(void, transpose)
  KONTRACT_REPLACED(void, vectorNorm)
  KONTRACT_REPLACED(void, dot)
  KONTRACT_REPLACED(void, matvec)
};

}  // namespace Intrepid2

// That needs CellTools, whose header includes it, too.
#ifndef KONTRACT_BEFORE_CELLTOOLS
#include <Kontract_RealSpaceTools.hpp>
#endif

#endif
