// SPDX-License-Identifier: BSD-3-Clause
//
// Element Jacobians of -div((1 + u^2) grad u), in one process, in Kokkos' default execution space:
// by Fads with a derivative for each field of the cell carried through evaluation, law and
// integration, DFad (hosts alone: it allocates) and SFad with Intrepid2's tools (I2) and SFad with
// Kontract's, whose physical and weighted gradients are made before; and differentiated at points
// only. Prints nanoseconds and the memory of arrays at points a cell, and differences, with exit
// code 1 if one is more than rounding. Usage: Kontract_compareJacobian [thousands of cells of 27x27
// = 2] [seconds per entry = 0.3]

#include "FadViews.hpp"

// All else after Sacado.
#include <Intrepid2_FunctionSpaceTools.hpp>
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "KeepLargest.hpp"
#include "Kontract_FunctionSpaceTools.hpp"
#include "Kontract_NonlinearForm.hpp"
#include "MedianSeconds.hpp"

namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Device = Space::device_type;
constexpr bool is_host =
    Kokkos::SpaceAccessibility<Space, Kokkos::HostSpace>::accessible;  // memory of devices is not
template <class T>
using ArrayOf = Kokkos::DynRankView<T, Kokkos::LayoutRight, Device>;
using Array = ArrayOf<double>;
constexpr int D = 3;

double thousand_cells = 2, least_seconds = 0.3;
bool is_right = true;

struct Diffusion {
  static constexpr unsigned couplings =
      Kontract::couplings(Kontract::Coupling::FluxOfValue, Kontract::Coupling::FluxOfGradient);
  template <class Scalar>
  KOKKOS_FUNCTION void operator()(const Kontract::PointState<Scalar, 1, D>& u,
                                  Kontract::PointResult<Scalar, 1, D>& r) const {
    const Scalar conductivity = 1 + u.value[0] * u.value[0];
    for (int d = 0; d < D; ++d) r.flux[0][d] = conductivity * u.gradient[0][d];
  }
};

template <class Call>
double nanoseconds(const Call& call, int cells) {
  return 1e9 * KontractTest::medianSeconds<Space>(call, least_seconds) / cells;
}

/// Cells and what all ways share.
struct Cells {
  int cells, fields, points;
  Array jacobians, inverses, weights, measures, values, gradients, unknowns;
  Array physical_values, physical_gradients, weighted_gradients;
  Kokkos::View<double***, Kokkos::LayoutRight, Device> matrices;

  Cells(int f, int p)
      : cells(std::max(1, int(thousand_cells * 1e3 * 27 * 27 / (f * p)))),
        fields(f),
        points(p),
        jacobians("J", cells, p, D, D),
        inverses("inverses", cells, p, D, D),
        weights("weights", p),
        measures("measures", cells, p),
        values("values", f, p),
        gradients("gradients", f, p, D),
        unknowns("unknowns", cells, f),
        physical_values("values", cells, f, p),
        physical_gradients("gradients", cells, f, p, D),
        weighted_gradients("weighted", cells, f, p, D),
        matrices("matrices", cells, f, f) {
    fill();
    using Tools = Kontract::FunctionSpaceTools<Device>;
    Tools::HGRADtransformVALUE(physical_values, values);
    Tools::HGRADtransformGRAD(physical_gradients, inverses, gradients);
    Tools::multiplyMeasure(weighted_gradients, measures, physical_gradients);
  }

  void fill() const {
    const Array J = jacobians, inverse = inverses, measure = measures, unknown = unknowns;
    const Array value = values, gradient = gradients;
    const int f = fields, p = points;
    Kokkos::parallel_for(
        "cells", Kokkos::RangePolicy<Space>(0, cells), KOKKOS_LAMBDA(int c) {
          for (int q = 0; q < p; ++q) {
            measure(c, q) = 0.1;
            for (int d = 0; d < D; ++d) {
              J(c, q, d, d) = 1;
              inverse(c, q, d, d) = 1;
            }
          }
          for (int i = 0; i < f; ++i) unknown(c, i) = 0.01 * ((c * 3 + i * 7) % 11);
        });
    Kokkos::parallel_for(
        "basis", Kokkos::RangePolicy<Space>(0, fields), KOKKOS_LAMBDA(int i) {
          for (int q = 0; q < p; ++q) {
            value(i, q) = 0.1 * ((i * 5 + q * 3) % 9) - 0.4;
            for (int d = 0; d < D; ++d) {
              gradient(i, q, d) = 0.1 * ((i * 2 + q * 7 + d) % 13) - 0.6;
            }
          }
        });
    Kokkos::deep_copy(weights, 0.1);
  }
};

/// Fads through everything.
template <class Fad>
struct ByFads {
  using Fads = ArrayOf<Fad>;
  const Cells& of;
  Fads unknowns, values, gradients, fluxes, residuals;

  explicit ByFads(const Cells& cells)
      : of(cells),
        unknowns("unknowns", cells.cells, cells.fields, cells.fields + 1),
        values("u", cells.cells, cells.points, cells.fields + 1),
        gradients("grad u", cells.cells, cells.points, D, cells.fields + 1),
        fluxes("fluxes", cells.cells, cells.points, D, cells.fields + 1),
        residuals("residuals", cells.cells, cells.fields, cells.fields + 1) {
    fill();
  }

  void fill() const {
    const auto to = unknowns;
    const auto from = of.unknowns;
    const int fields = of.fields;
    Kokkos::parallel_for(
        "unknowns", Kokkos::RangePolicy<Space>(0, of.cells), KOKKOS_LAMBDA(int c) {
          for (int f = 0; f < fields; ++f) to(c, f) = Fad(fields, f, from(c, f));
        });
  }

  template <class Tools>
  void compute() const {
    Kokkos::deep_copy(values, 0.);
    Kokkos::deep_copy(gradients, 0.);
    Tools::evaluate(values, unknowns, of.physical_values);
    Tools::evaluate(gradients, unknowns, of.physical_gradients);
    const auto u = values, grad = gradients, flux = fluxes;
    const int points = of.points;
    // A point each, as threads of devices want it.
    Kokkos::parallel_for(
        "law", Kokkos::RangePolicy<Space>(0, of.cells * points), KOKKOS_LAMBDA(int i) {
          const int c = i / points, p = i % points;
          const Fad conductivity = 1 + u(c, p) * u(c, p);
          for (int d = 0; d < D; ++d) flux(c, p, d) = conductivity * grad(c, p, d);
        });
    Tools::integrate(residuals, fluxes, of.weighted_gradients);
  }
};

/// The largest difference of matrices from the derivatives of residuals, as a part of the largest
/// of them.
template <class Residuals>
double differenceOf(const Cells& cells, const Residuals& residuals) {
  const auto matrices = cells.matrices;
  const int fields = cells.fields;
  double most = 0, largest = 0;
  Kokkos::parallel_reduce(
      "compare", Kokkos::RangePolicy<Space>(0, cells.cells),
      KOKKOS_LAMBDA(int c, double& difference, double& size) {
        for (int f = 0; f < fields; ++f) {
          for (int g = 0; g < fields; ++g) {
            const double entry = matrices(c, f, g), other = residuals(c, f).fastAccessDx(g);
            const double apart = entry > other ? entry - other : other - entry;
            // A reduction would keep another number than NaN.
            KontractTest::keepLargest(difference, apart == apart ? apart : 1e300);
            KontractTest::keepLargest(size, entry > 0 ? entry : -entry);
          }
        }
      },
      Kokkos::Max<double>(most), Kokkos::Max<double>(largest));
  return most / largest;
}

template <int fields>
void row(int points, const char* name) {
  const Cells cells(fields, points);
  const ByFads<Sacado::Fad::SFad<double, fields>> fads(cells);
  double by_dynamic = std::nan("");
  if constexpr (is_host) {
    const ByFads<Sacado::Fad::DFad<double>> dynamic(cells);
    by_dynamic = nanoseconds(
        [&] { dynamic.template compute<Intrepid2::FunctionSpaceTools<Device>>(); }, cells.cells);
  }
  const double theirs = nanoseconds(
      [&] { fads.template compute<Intrepid2::FunctionSpaceTools<Device>>(); }, cells.cells);
  const double ours = nanoseconds(
      [&] { fads.template compute<Kontract::FunctionSpaceTools<Device>>(); }, cells.cells);
  auto form = Kontract::nonlinearForm<Device, 1, D>(
      cells.cells, Kontract::geometry(cells.jacobians, cells.weights), Diffusion(), cells.values,
      cells.gradients);
  const double law = nanoseconds([&] { form.linearize(cells.unknowns); }, cells.cells);
  const double matrices = nanoseconds([&] { form.matrices(cells.matrices); }, cells.cells);
  const double difference = differenceOf(cells, fads.residuals);
  const double at_points = (fields + 1) * (1 + 2 * D) * 8. * points / 1e3;
  is_right = is_right && difference <= 1e-12;
  const double at_points_only = law + matrices;
  std::printf("%-20s %10.1f %10.1f %10.1f %9.2f + %8.2f %6.1f %6.1f %6.1f %8.1f %6.1f %9.1e\n",
              name, by_dynamic, theirs, ours, law, matrices, by_dynamic / at_points_only,
              theirs / at_points_only, ours / at_points_only, at_points,
              (D + D * D) * 8. * points / 1e3, difference);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char* argv[]) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  if (argc > 1) thousand_cells = std::atof(argv[1]);
  if (argc > 2) least_seconds = std::atof(argv[2]);
  std::printf("%-20s %10s %10s %10s %20s %20s %8s %6s %9s\n", "fields x points", "DFad, I2",
              "SFad, I2", "SFad", "law + matrices", "times faster", "kB SFad", "kB", "differ");
  row<4>(4, "tetrahedra 1: 4x4");
  row<10>(15, "tetrahedra 2: 10x15");
  row<20>(24, "tetrahedra 3: 20x24");
  row<8>(8, "hexahedra 1: 8x8");
  row<8>(27, "hexahedra 1: 8x27");
  row<27>(27, "hexahedra 2: 27x27");
  row<27>(64, "hexahedra 2: 27x64");
  row<64>(125, "hexahedra 3: 64x125");
  return is_right ? 0 : 1;
}
