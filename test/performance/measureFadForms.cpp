// SPDX-License-Identifier: BSD-3-Clause
//
// Times forms on hexahedra whose coefficients and vectors are SFads of double, on the default
// execution space, LayoutRight, p + 2 points a direction: with Jacobians that are numbers, so that
// forms are computed component by component, and with the same as Fads, so that they take the
// arithmetic of Fads. Microseconds of a cell.
// Usage: Kontract_measureFadForms [seconds per entry = 0.1] [largest order = 3]

#include "FadMirrors.hpp"

// Kontract after Sacado.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "Kontract_Explain.hpp"
#include "Kontract_Integration.hpp"
#include "MedianSeconds.hpp"

namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Integration = Kontract::Integration<Space>;
using Kontract::Form;
using KontractTest::readOnHost;
using KontractTest::writeOnHost;
template <class T>
using Array = Kokkos::View<T, Kokkos::LayoutRight, Space>;

double least_seconds = 0.1;

template <class View>
void fill(const View& view) {
  writeOnHost(view, [](const auto& here) {
    for (std::size_t i = 0; i < here.size(); ++i) here.data()[i] = 0.1 + 0.01 * double(i * 7 % 13);
  });
}

/// \param call  called with Jacobians
template <class Jacobians, class Moving, class Call>
void line(const char* what, int order, int derivatives, const Jacobians& jacobians,
          const Moving& moving, const Call& call) {
  const double cells = double(jacobians.extent(0));
  const auto seconds = [&](const auto& of_cells) {
    return KontractTest::medianSeconds<Space>([&] { call(of_cells); }, least_seconds);
  };
  const double by_components = seconds(jacobians);
  const std::string algorithm = Kontract::explain().algorithm;
  const double by_fads = seconds(moving);
  std::printf("%d, %2d  %-26s %10.2f us %10.2f us %7.1f   %s\n", order, derivatives, what,
              1e6 * by_components / cells, 1e6 * by_fads / cells, by_fads / by_components,
              algorithm.c_str());
  std::fflush(stdout);
}

template <int derivatives>
void measure(int order) {
  using Fad = Sacado::Fad::SFad<double, derivatives>;
  // Devices need more cells to be busy.
  constexpr int points_of_cells = Kontract::Impl::is_host_space<Space> ? 20000 : 200000;
  const int functions = order + 1, points_of_line = order + 2,
            fields = functions * functions * functions,
            points = points_of_line * points_of_line * points_of_line,
            cells = points_of_cells / points;
  const Array<double**> values("values", functions, points_of_line),
      slopes("slopes", functions, points_of_line);
  const Array<double****> jacobians("jacobians", cells, points, 3, 3);
  const Array<Fad****> moving("the same as Fads", cells, points, 3, 3, derivatives + 1);
  const Array<double*> weights("weights", points);
  const Array<double***> gradients("gradients", fields, points, 3);
  fill(values), fill(slopes), fill(jacobians), fill(weights), fill(gradients);
  const auto numbers = readOnHost(jacobians);
  writeOnHost(moving, [&](const auto& fads) {
    for (int i = 0; i < cells * points; ++i) {
      for (int j = 0; j < 9; ++j) {
        double& entry = numbers(i / points, i % points, j / 3, j % 3);
        if (j % 4 == 0) entry += 2;
        fads(i / points, i % points, j / 3, j % 3) = Fad(entry);
      }
    }
  });
  Kokkos::deep_copy(jacobians, numbers);
  const Array<Fad***> source("source", cells, points, 3, derivatives + 1);
  const Array<Fad**> k("k", cells, points, derivatives + 1), x("x", cells, fields, derivatives + 1),
      y("y", cells, fields, derivatives + 1);
  const Array<Fad***> matrices("matrices", cells, fields, fields, derivatives + 1);
  Kokkos::deep_copy(source, Fad(derivatives, 0, 1.5));
  Kokkos::deep_copy(k, Fad(derivatives, 0, 1.5));
  Kokkos::deep_copy(x, Fad(derivatives, 0, 0.5));
  const auto basis = Kontract::tensorBasis<3>(values, slopes);
  const auto measured = [&](const char* what, const auto& call) {
    line(what, order, derivatives, jacobians, moving,
         [&](const auto& of_cells) { call(Kontract::geometry(of_cells, weights)); });
  };
  const Form stiffness = Form::gradGrad();
  measured("load, tensor basis", [&](const auto& geometry) {
    Integration::vectors(y, geometry, Kontract::load(stiffness, basis, source));
  });
  measured("load, arrays", [&](const auto& geometry) {
    Integration::vectors(y, geometry, Kontract::load(stiffness, gradients, source));
  });
  measured("product, x moves", [&](const auto& geometry) {
    Integration::apply(y, x, geometry, Kontract::term(stiffness, basis, basis));
  });
  measured("product, k and x move", [&](const auto& geometry) {
    Integration::apply(y, x, geometry, Kontract::term(stiffness, basis, basis, k));
  });
  measured("matrices, arrays", [&](const auto& geometry) {
    Integration::matrices(matrices, geometry, Kontract::term(stiffness, gradients, gradients, k));
  });
}

}  // namespace

int main(int argc, char* argv[]) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  if (argc > 1) least_seconds = std::atof(argv[1]);
  const int largest_order = argc > 2 ? std::atoi(argv[2]) : 3;
  std::printf("order, derivatives: by components, by the arithmetic of Fads, ratio\n");
  for (int order = 1; order <= largest_order; ++order) {
    measure<8>(order);
    measure<24>(order);
  }
}
