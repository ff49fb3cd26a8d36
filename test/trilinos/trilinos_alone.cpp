// SPDX-License-Identifier: BSD-3-Clause
#include <Intrepid2_FunctionSpaceTools.hpp>
#include <Kokkos_Core.hpp>
#include <Sacado.hpp>
#include <Tpetra_Core.hpp>
#include <Tpetra_Map.hpp>
#include <iostream>

int main(int argc, char* argv[]) {
  const Tpetra::ScopeGuard guard(&argc, &argv);
  using Device = Kokkos::Device<Kokkos::DefaultHostExecutionSpace, Kokkos::HostSpace>;
  using Array = Kokkos::DynRankView<double, Device>;
  const Array out("out", 2, 3, 4), left("left", 2, 3, 5), right("right", 2, 4, 5);
  Kokkos::deep_copy(left, 2.0);
  Kokkos::deep_copy(right, 3.0);
  Intrepid2::FunctionSpaceTools<Device>::integrate(out, left, right);
  const Tpetra::Map<> map(7, 0, Tpetra::getDefaultComm());
  const Sacado::Fad::DFad<double> x(1, 0, 3.0), y = x * x;
  std::cout << out(1, 2, 3) << " " << map.getGlobalNumElements() << " " << y.dx(0) << "\n";
  return out(1, 2, 3) == 30 && map.getGlobalNumElements() == 7 && y.dx(0) == 6 ? 0 : 1;
}
