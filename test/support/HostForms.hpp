// SPDX-License-Identifier: BSD-3-Clause
//
// Short names for tests of forms that write straight into matrices, on the host.
#ifndef KONTRACT_TEST_HOSTFORMS_HPP
#define KONTRACT_TEST_HOSTFORMS_HPP

#include <Kokkos_Core.hpp>

#include "Kontract_CellGraph.hpp"
#include "Kontract_Integration.hpp"

namespace KontractTest {

using Kontract::Form;
using Kontract::FunctionSpace;
using Space = Kokkos::DefaultHostExecutionSpace;
using HostDevice = Space::device_type;
using Integration = Kontract::Integration<HostDevice>;
using Unknowns = Kontract::CellNumbers<HostDevice>;
using Plan = Kontract::ScatterPlan<HostDevice>;
using Graph = Kontract::CellGraph<HostDevice>;
using Constraints = Kontract::LinearConstraints<HostDevice>;
using Orientations = Kontract::CellOrientations<HostDevice>;
using Wide = long double;
template <class T>
using Right = Kokkos::View<T, Kokkos::LayoutRight, HostDevice>;

}  // namespace KontractTest

#endif
