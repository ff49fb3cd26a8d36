// SPDX-License-Identifier: BSD-3-Clause
#include <Kokkos_Core.hpp>
#include <iostream>

#include "Kontract.hpp"

int main(int argc, char* argv[]) {
  const Kokkos::ScopeGuard guard(argc, argv);
  using Space = Kokkos::DefaultHostExecutionSpace;
  using Array = Kokkos::View<double***, Kokkos::HostSpace>;
  const Array out("out", 2, 3, 4), left("left", 2, 3, 5), right("right", 2, 4, 5);
  Kokkos::deep_copy(left, 2.0);
  Kokkos::deep_copy(right, 3.0);
  Kontract::ArrayTools<Space>::contractFieldFieldScalar(out, left, right);
  std::cout << out(1, 2, 3) << " by " << Kontract::explain().algorithm << " of Kontract "
            << KONTRACT_VERSION << "\n";
  return out(1, 2, 3) == 30 ? 0 : 1;
}
