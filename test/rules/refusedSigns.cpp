// SPDX-License-Identifier: BSD-3-Clause
//
// Signs for one side of a term, or for two of a load: neither compiles.

#include <Kokkos_Core.hpp>

#include "Kontract_Integration.hpp"

using Array = Kokkos::View<double**>;

auto term(const Array& array) {
  const auto form = Kontract::Form::mass(Kontract::FunctionSpace::HGRAD);
#ifdef KONTRACT_TEST_SIGNS_OF_TERM
  return Kontract::term(form, array, array).withSigns(array);
#else
  return Kontract::load(form, array, array).withSigns(array, array);
#endif
}
