// SPDX-License-Identifier: BSD-3-Clause
//
// Intrepid2::CellTools, computed by Kontract; see Intrepid2_ArrayTools.hpp.
#ifndef KONTRACT_INTREPID2_CELLTOOLS_HPP
#define KONTRACT_INTREPID2_CELLTOOLS_HPP
#pragma GCC system_header

#ifdef __INTREPID2_CELLTOOLS_HPP__
#error \
    "Intrepid2's own Intrepid2_CellTools.hpp was included before Kontract's: put Kontract's directory intrepid2 first on the include path, or include Intrepid2_FunctionSpaceTools.hpp first"
#endif

// What Intrepid2's header includes, so that nothing but its class is renamed.
#define KONTRACT_BEFORE_CELLTOOLS
#include <Intrepid2_RealSpaceTools.hpp>
#include <Intrepid2_Basis.hpp>
#include <Intrepid2_HGRAD_HEX_C1_FEM.hpp>
#include <Intrepid2_HGRAD_HEX_C2_FEM.hpp>
#include <Intrepid2_HGRAD_LINE_C1_FEM.hpp>
#include <Intrepid2_HGRAD_PYR_C1_FEM.hpp>
#include <Intrepid2_HGRAD_QUAD_C1_FEM.hpp>
#include <Intrepid2_HGRAD_QUAD_C2_FEM.hpp>
#include <Intrepid2_HGRAD_TET_C1_FEM.hpp>
#include <Intrepid2_HGRAD_TET_C2_FEM.hpp>
#include <Intrepid2_HGRAD_TET_COMP12_FEM.hpp>
#include <Intrepid2_HGRAD_TRI_C1_FEM.hpp>
#include <Intrepid2_HGRAD_TRI_C2_FEM.hpp>
#include <Intrepid2_HGRAD_WEDGE_C1_FEM.hpp>
#include <Intrepid2_HGRAD_WEDGE_C2_FEM.hpp>
#if __has_include(<Intrepid2_Data.hpp>)
#include <Intrepid2_CellData.hpp>
#include <Intrepid2_Data.hpp>
#endif

#undef KONTRACT_BEFORE_CELLTOOLS
#define CellTools CellToolsOfIntrepid2
#include_next <Intrepid2_CellTools.hpp>
#undef CellTools

#include <Kontract_ReplacedFunctions.hpp>
#include <detail/problem/Kontract_FunctionSignature.hpp>

namespace Kontract {
template <class DeviceType>
class CellTools;
namespace Impl {
template <class DeviceType, Function function>
struct CellMapping;
}
}  // namespace Kontract

namespace Intrepid2 {

/// Intrepid2's class of that name, computed by Kontract::CellTools.
template <class DeviceType>
class CellTools : public CellToolsOfIntrepid2<DeviceType> {
  using Ours = Kontract::CellTools<DeviceType>;
  using Theirs = CellToolsOfIntrepid2<DeviceType>;

 public:
  KONTRACT_REPLACED_MAPPING(setJacobian)
  KONTRACT_REPLACED_MAPPING(mapToPhysicalFrame)
  KONTRACT_REPLACED(void, setJacobianInv)
  KONTRACT_REPLACED(void, setJacobianDet)
  KONTRACT_REPLACED(void, getPhysicalEdgeTangents)
  KONTRACT_REPLACED(void, getPhysicalFaceTangents)
  KONTRACT_REPLACED(void, getPhysicalFaceNormals)
  KONTRACT_REPLACED(void, getPhysicalSideNormals)
};

}  // namespace Intrepid2

#include <Kontract_CellTools.hpp>
#include <Kontract_RealSpaceTools.hpp>

#endif
