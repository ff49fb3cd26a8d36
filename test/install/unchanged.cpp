// SPDX-License-Identifier: BSD-3-Clause
//
// A program that knows Intrepid2 alone. Its first header is one that Kontract wraps.
#include <Intrepid2_CubatureControlVolumeBoundary.hpp>
#include <Intrepid2_FunctionSpaceTools.hpp>
#include <Kokkos_Core.hpp>
#include <Kokkos_DynRankView.hpp>
#include <exception>
#include <iostream>

template <class Call>
void report(const char* name, const Call& call) {
  std::cout << name << ": ";
  try {
    std::cout << call() << "\n";
  } catch (const std::exception& error) {
    std::cout << error.what() << "\n";
  }
}

int main(int argc, char* argv[]) {
  const Kokkos::ScopeGuard guard(argc, argv);
  using Device = Kokkos::Device<Kokkos::DefaultHostExecutionSpace, Kokkos::HostSpace>;
  using Array = Kokkos::DynRankView<double, Device>;
  const Array out("out", 2, 3, 4), left("left", 2, 3, 5), right("right", 2, 4, 5);
  Kokkos::deep_copy(left, 2.0);
  Kokkos::deep_copy(right, 3.0);
  report("ArrayTools", [&] {
    Intrepid2::ArrayTools<Device>::contractFieldFieldScalar(out, left, right);
    return out(1, 2, 3);
  });
  report("FunctionSpaceTools", [&] {
    Intrepid2::FunctionSpaceTools<Device>::integrate(out, left, right, true);
    return out(1, 2, 3);
  });
}
