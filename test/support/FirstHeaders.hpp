// SPDX-License-Identifier: BSD-3-Clause
//
// What most programs of unit tests include and take longest to read; precompiled.
#ifndef KONTRACT_TEST_FIRSTHEADERS_HPP
#define KONTRACT_TEST_FIRSTHEADERS_HPP

#include <Kokkos_Core.hpp>
#include <Kokkos_DynRankView.hpp>
#include <Teuchos_ParameterList.hpp>
#include <Teuchos_UnitTestHarness.hpp>

#endif
