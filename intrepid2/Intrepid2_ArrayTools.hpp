// SPDX-License-Identifier: BSD-3-Clause
//
// Intrepid2::ArrayTools, computed by Kontract. This directory stands before Intrepid2's on the
// include path; Intrepid2's own class is there under another name, for what Kontract does not take.
#ifndef KONTRACT_INTREPID2_ARRAYTOOLS_HPP
#define KONTRACT_INTREPID2_ARRAYTOOLS_HPP
#pragma GCC system_header

#ifdef __INTREPID2_ARRAYTOOLS_HPP__
#error "Intrepid2's own Intrepid2_ArrayTools.hpp was included before Kontract's: put Kontract's directory intrepid2 first on the include path, or include Intrepid2_ArrayTools.hpp first"
#endif

// All that Intrepid2's header includes, so that nothing but its class is renamed.
#include <Intrepid2_ConfigDefs.hpp>
#include <Intrepid2_Kernels.hpp>
#include <Intrepid2_Types.hpp>
#include <Intrepid2_Utils.hpp>
#include <Kokkos_Core.hpp>

#define ArrayTools ArrayToolsOfIntrepid2
#include_next <Intrepid2_ArrayTools.hpp>
#undef ArrayTools

#include <Kontract_ArrayTools.hpp>
#include <Kontract_ReplacedFunctions.hpp>

namespace Intrepid2 {

/// Intrepid2's class of that name, computed by Kontract::ArrayTools.
template <class DeviceType>
class ArrayTools : public ArrayToolsOfIntrepid2<DeviceType> {
  using Ours = Kontract::ArrayTools<DeviceType>;
  using Theirs = ArrayToolsOfIntrepid2<DeviceType>;

 public:
  KONTRACT_REPLACED(void, contractFieldFieldScalar)
  KONTRACT_REPLACED(void, contractFieldFieldVector)
  KONTRACT_REPLACED(void, contractFieldFieldTensor)
  KONTRACT_REPLACED(void, contractDataFieldScalar)
  KONTRACT_REPLACED(void, contractDataFieldVector)
  KONTRACT_REPLACED(void, contractDataFieldTensor)
  KONTRACT_REPLACED(void, contractDataDataScalar)
  KONTRACT_REPLACED(void, contractDataDataVector)
  KONTRACT_REPLACED(void, contractDataDataTensor)
  KONTRACT_REPLACED(void, scalarMultiplyDataField)
  KONTRACT_REPLACED(void, scalarMultiplyDataData)
  KONTRACT_REPLACED(void, dotMultiplyDataField)
  KONTRACT_REPLACED(void, dotMultiplyDataData)
  KONTRACT_REPLACED(void, crossProductDataField)
  KONTRACT_REPLACED(void, crossProductDataData)
  KONTRACT_REPLACED(void, outerProductDataField)
  KONTRACT_REPLACED(void, outerProductDataData)
  KONTRACT_REPLACED(void, matvecProductDataField)
  KONTRACT_REPLACED(void, matvecProductDataData)
  KONTRACT_REPLACED(void, matmatProductDataField)
  KONTRACT_REPLACED(void, matmatProductDataData)
  KONTRACT_REPLACED(void, cloneFields)
  KONTRACT_REPLACED(void, cloneData)
};

}  // namespace Intrepid2

#endif
