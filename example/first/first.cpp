// SPDX-License-Identifier: BSD-3-Clause
// Stiffness matrices of hexahedra: by Intrepid2, by its calls in Kontract's namespace, by a form.
#include <Kokkos_DynRankView.hpp>
#ifdef KONTRACT_EXAMPLE_HAVE_INTREPID2
#include <Intrepid2_ArrayTools.hpp>
#endif
#include <cmath>
#include <exception>
#include <iostream>
#include "Kontract_ArrayTools.hpp"
#include "Kontract_Integration.hpp"

using Device = Kokkos::DefaultExecutionSpace::device_type;

int main(int argc, char* argv[]) try {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const int C = 20000, F = 8, P = 8, D = 3;  // cells, fields, points, dimensions
  const Kokkos::DynRankView<double, Device> reference("N'", F, P, D), gradients("g", C, F, P, D),
      J("J", C, P, D, D), inverse("1/J", C, P, D, D), weights("w", P), measure("w", C, P),
      weighted("w g", C, F, P, D), by_chain("chain", C, F, F), by_form("form", C, F, F);
  Kokkos::deep_copy(weights, 1), Kokkos::deep_copy(measure, 1);  // det J = 1
  const auto fill = KOKKOS_LAMBDA(int i) {  // bent cells, x = (X + b Y^2 / 2, Y, Z), b = c / C
    const int c = i / P, p = i % P;
    for (int d = 0; d < D; ++d) J(c, p, d, d) = inverse(c, p, d, d) = 1;
    inverse(c, p, 0, 1) = -(J(c, p, 0, 1) = (p & 2 ? .577 : -.577) * c / C);
    const auto N = [=](int f, int d) { return (f ^ p) >> d % D & 1 ? .2115 : .7885; };
    for (int f = 0; f < F && c == 0; ++f)  // trilinear functions at the points of Gauss
      for (int d = 0; d < D; ++d)
        reference(f, p, d) = (f >> d & 1 ? .5 : -.5) * N(f, d + 1) * N(f, d + 2);
  };
  Kokkos::parallel_for(C * P, fill);
  const auto chain = [&](auto tools) {
    tools.matvecProductDataField(gradients, inverse, reference, 'T');
    tools.scalarMultiplyDataField(weighted, measure, gradients);
    tools.contractFieldFieldVector(by_chain, gradients, weighted);
  };
  const auto run = [&](const char* name, const auto& assemble) {
    assemble(), Kokkos::fence();  // warms up
    const Kokkos::Timer timer;
    for (int i = 0; i < 5; ++i) assemble();
    Kokkos::fence();
    std::cout << name << timer.seconds() / 5 * 1e3 << " ms\n";
  };
#ifdef KONTRACT_EXAMPLE_HAVE_INTREPID2
  run("Intrepid2::ArrayTools:  ", [&] { chain(Intrepid2::ArrayTools<Device>()); });
#endif
  run("Kontract::ArrayTools:   ", [&] { chain(Kontract::ArrayTools<Device>()); });
  std::cout << "  " << Kontract::explain() << "\n";
  run("Kontract::Integration:  ", [&] {
    const auto stiffness = Kontract::term(Kontract::Form::gradGrad(), reference, reference);
    Kontract::Integration<Device>::matrices(by_form, Kontract::geometry(J, weights), stiffness);
  });
  std::cout << "  " << Kontract::explain() << "\n";
  const auto a = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), by_chain);
  const auto b = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), by_form);
  double most = 0;
  for (int i = 0; i < C * F * F && !std::isnan(most); ++i)
    if (const double d = std::fabs(a.data()[i] - b.data()[i]); !(d <= most)) most = d;
  std::cout << "largest difference:     " << most << "\n";
  return most < 1e-12 ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
