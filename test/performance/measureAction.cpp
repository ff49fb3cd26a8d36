// SPDX-License-Identifier: BSD-3-Clause
//
// Times matrix-free products and loads of grad-grad and mass on hexahedra of every order, from
// arrays of values and from tensor-product bases, and tells what part of the memory's rate they
// reach: Jacobians (C,P,3,3), the vector and the result are moved once. Usage:
// Kontract_measureAction [last order = 8] [MB of Jacobians = 64] [seconds for each = 0.2]

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "CopyRate.hpp"
#include "Kontract_Integration.hpp"
#include "MedianSeconds.hpp"

namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Device = Kokkos::Device<Space, Space::memory_space>;
using Kontract::Form;

int last_order = 8;
double megabytes = 64;
double least_seconds = 0.2;

template <class Call>
double secondsOf(const Call& call) {
  return KontractTest::medianSeconds<Space>(call, least_seconds);
}

template <class Array>
void fill(const Array& array) {
  const auto host = Kokkos::create_mirror_view(array);
  using Real = typename Array::value_type;
  for (std::size_t i = 0; i < host.size(); ++i) {
    host.data()[i] = Real(0.1 + 0.01 * double(i * 7 % 13));
  }
  Kokkos::deep_copy(array, host);
}

/// Arrays of one order.
template <class Real>
struct Problem {
  using View = Kokkos::DynRankView<Real, Device>;
  static constexpr int dimension = 3;

  std::size_t functions, line_points, fields, points, cells;
  View values, derivatives, all_values, all_gradients, jacobians, weights, vector, result;

  explicit Problem(int order)
      : functions(order + 1),
        line_points(order + 2),
        fields(functions * functions * functions),
        points(line_points * line_points * line_points) {
    cells = std::max<std::size_t>(32, std::size_t(megabytes * 1e6 / (9. * points * sizeof(Real))));
    values = View("values", functions, line_points);
    derivatives = View("derivatives", functions, line_points);
    all_values = View("all values", fields, points);
    all_gradients = View("all gradients", fields, points, dimension);
    jacobians = View("jacobians", cells, points, dimension, dimension);
    weights = View("weights", points);
    vector = View("vector", cells, fields);
    result = View("result", cells, fields);
    for (const View& array :
         {values, derivatives, all_values, all_gradients, jacobians, weights, vector}) {
      fill(array);
    }
    const auto host = Kokkos::create_mirror_view(jacobians);
    Kokkos::deep_copy(host, jacobians);
    for (std::size_t c = 0; c < cells; ++c) {
      for (std::size_t p = 0; p < points; ++p) {
        for (int d = 0; d < dimension; ++d) host(c, p, d, d) += 2;
      }
    }
    Kokkos::deep_copy(jacobians, host);
  }

  double bytes() const {
    return double(sizeof(Real)) * double(cells) * (9. * double(points) + 2. * double(fields));
  }
};

template <class Real>
void row(const char* name, int order, double rate) {
  using Integration = Kontract::Integration<Device>;
  const Problem<Real> a(order);
  const auto geometry = Kontract::geometry(a.jacobians, a.weights);
  const auto basis = Kontract::tensorBasis<3>(a.values, a.derivatives);
  const auto actionOf = [&](const auto& values) {
    return secondsOf([&] {
      Integration::apply(a.result, a.vector, geometry,
                         Kontract::term(Form::gradGrad(), values, values));
    });
  };
  const double by_arrays = actionOf(a.all_gradients), by_tensors = actionOf(basis);
  const Form source = Form::source(Kontract::FunctionSpace::HGRAD);
  typename Problem<Real>::View force("force", a.cells, a.points);
  fill(force);
  const double load = secondsOf(
      [&] { Integration::vectors(a.result, geometry, Kontract::load(source, basis, force)); });
  const double best = std::min(by_arrays, by_tensors);
  const auto microseconds = [&](double seconds) { return seconds / double(a.cells) * 1e6; };
  std::printf("%-6s %5d %6zu %6zu %7zu %12.3f %12.3f %12.3f %10.1f %8.2f\n", name, order, a.fields,
              a.points, a.cells, microseconds(by_arrays), microseconds(by_tensors),
              microseconds(load), a.bytes() / best * 1e-9, a.bytes() / best / rate);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char* argv[]) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  if (argc > 1) last_order = std::atoi(argv[1]);
  if (argc > 2) megabytes = std::atof(argv[2]);
  if (argc > 3) least_seconds = std::atof(argv[3]);
  constexpr std::size_t larger_than_caches = std::size_t(32) << 20;
  const double rate = KontractTest::copyRate<Space>(larger_than_caches, least_seconds);
  std::printf(
      "matrix-free grad-grad and loads on hexahedra, on %s with concurrency %d; copying "
      "moves %.1f GB/s\n",
      Space::name(), int(Space().concurrency()), rate * 1e-9);
  std::printf(
      "scalar order fields points   cells    arrays us   tensors us      load us       "
      "GB/s of rate\n");
  for (int order = 1; order <= last_order; ++order) row<double>("double", order, rate);
  for (int order = 1; order <= last_order; ++order) row<float>("float", order, rate);
}
