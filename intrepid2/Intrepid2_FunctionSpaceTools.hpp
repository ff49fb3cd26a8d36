// SPDX-License-Identifier: BSD-3-Clause
//
// Intrepid2::FunctionSpaceTools, computed by Kontract; see Intrepid2_ArrayTools.hpp.

// Headers that CellTools needs may include this one first; it waits until CellTools is there.
#if !defined(KONTRACT_INTREPID2_FUNCTIONSPACETOOLS_HPP) && !defined(KONTRACT_BEFORE_CELLTOOLS)
#define KONTRACT_INTREPID2_FUNCTIONSPACETOOLS_HPP
#pragma GCC system_header

#ifdef __INTREPID2_FUNCTIONSPACETOOLS_HPP__
#error \
    "Intrepid2's own Intrepid2_FunctionSpaceTools.hpp was included before Kontract's: put Kontract's directory intrepid2 first on the include path, or include Intrepid2_FunctionSpaceTools.hpp first"
#endif

#include <Intrepid2_ArrayTools.hpp>
#include <Intrepid2_CellTools.hpp>
#include <Intrepid2_RealSpaceTools.hpp>
// What Intrepid2's header includes, so that nothing but its class is renamed.
#include <Kokkos_Core.hpp>
#include <Shards_BasicTopologies.hpp>
#include <Shards_CellTopology.hpp>
#include <Teuchos_TimeMonitor.hpp>
#include <detail/call/Kontract_Intrepid2Geometry.hpp>
#if __has_include(<Intrepid2_Data.hpp>)
#include <Intrepid2_Data.hpp>
#include <Intrepid2_VectorData.hpp>
#endif
#if __has_include(<Intrepid2_FunctorIterator.hpp>)
#include <Intrepid2_FunctorIterator.hpp>
#endif
#if __has_include(<Intrepid2_TensorArgumentIterator.hpp>)
#include <Intrepid2_TensorArgumentIterator.hpp>
#endif

#define FunctionSpaceTools FunctionSpaceToolsOfIntrepid2
#include_next <Intrepid2_FunctionSpaceTools.hpp>
#undef FunctionSpaceTools

#include <Kontract_FunctionSpaceTools.hpp>
#include <Kontract_ReplacedFunctions.hpp>

namespace Intrepid2 {

/// Intrepid2's class of that name, computed by Kontract::FunctionSpaceTools.
template <class DeviceType>
class FunctionSpaceTools : public FunctionSpaceToolsOfIntrepid2<DeviceType> {
  using Ours = Kontract::FunctionSpaceTools<DeviceType>;
  using Theirs = FunctionSpaceToolsOfIntrepid2<DeviceType>;

 public:
  KONTRACT_REPLACED(void, HGRADtransformVALUE)
  KONTRACT_REPLACED(void, HGRADtransformGRAD)
  KONTRACT_REPLACED(void, HCURLtransformVALUE)
  KONTRACT_REPLACED(void, HCURLtransformCURL)
  KONTRACT_REPLACED(void, HGRADtransformCURL)
  KONTRACT_REPLACED(void, HDIVtransformVALUE)
  KONTRACT_REPLACED(void, HDIVtransformDIV)
  KONTRACT_REPLACED(void, HVOLtransformVALUE)
  KONTRACT_REPLACED(bool, computeCellMeasure)
  KONTRACT_REPLACED(void, multiplyMeasure)
  KONTRACT_REPLACED(void, integrate)
  KONTRACT_REPLACED(void, scalarMultiplyDataField)
  KONTRACT_REPLACED(void, scalarMultiplyDataData)
  KONTRACT_REPLACED(void, dotMultiplyDataField)
  KONTRACT_REPLACED(void, dotMultiplyDataData)
  KONTRACT_REPLACED(void, vectorMultiplyDataField)
  KONTRACT_REPLACED(void, vectorMultiplyDataData)
  KONTRACT_REPLACED(void, tensorMultiplyDataField)
  KONTRACT_REPLACED(void, tensorMultiplyDataData)
  KONTRACT_REPLACED(void, applyLeftFieldSigns)
  KONTRACT_REPLACED(void, applyRightFieldSigns)
  KONTRACT_REPLACED(void, applyFieldSigns)
  KONTRACT_REPLACED(void, evaluate)
};

}  // namespace Intrepid2

#endif
