// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_INTREPID2BASES_HPP
#define KONTRACT_TEST_INTREPID2BASES_HPP

#include <Intrepid2_Basis.hpp>
#include <Teuchos_RCP.hpp>

#include "Intrepid2Arrays.hpp"

namespace KontractTest {

using Basis = Intrepid2::Basis<Intrepid2Device, double, double>;
using BasisPointer = Teuchos::RCP<Basis>;

/// A basis of Intrepid2; throws if it has none.
BasisPointer basisOf(const ReferenceBasis& wanted);

}  // namespace KontractTest

#endif
