// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief The residual of -div((1 + u^2) grad u), by a launch for each step and by one kernel.

#include <Teuchos_CommandLineProcessor.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <stdexcept>

#include "FusedMesh.hpp"
#include "Kontract_FunctionSpaceTools.hpp"

namespace Fused {
namespace {

using Vector = Kokkos::View<double*, Device>;

/// The user's law: the flux from a value and a gradient.
KOKKOS_INLINE_FUNCTION void computeFlux(double u, const double (&gradient)[dim],
                                        double (&flux)[dim]) {
  for (int d = 0; d < dim; ++d) flux[d] = (1 + u * u) * gradient[d];
}

/// A launch for each step: what a code on Intrepid2 does, with Kontract's tools.
class Launches {
 public:
  explicit Launches(const Mesh& mesh)
      : _mesh(mesh),
        _coefficients("coefficients", std::size_t(mesh.cells), num_fields),
        _residuals("residuals", std::size_t(mesh.cells), num_fields),
        _values("values", std::size_t(mesh.cells), num_fields, num_points),
        _gradients("gradients", std::size_t(mesh.cells), num_fields, num_points, dim),
        _weighted("weighted", std::size_t(mesh.cells), num_fields, num_points, dim),
        _u("u", std::size_t(mesh.cells), num_points),
        _grad_u("grad u", std::size_t(mesh.cells), num_points, dim),
        _fluxes("fluxes", std::size_t(mesh.cells), num_points, dim) {
    Tools::HGRADtransformVALUE(_values, mesh.reference_values);
    Tools::HGRADtransformGRAD(_gradients, mesh.inverses, mesh.reference_gradients);
    Tools::multiplyMeasure(_weighted, mesh.measures, _gradients);
  }

  void compute(const Vector& residual, const Vector& unknowns) const {
    gather(unknowns);
    Kokkos::deep_copy(_u, 0.);  // evaluate() adds
    Kokkos::deep_copy(_grad_u, 0.);
    Tools::evaluate(_u, _coefficients, _values);
    Tools::evaluate(_grad_u, _coefficients, _gradients);
    applyLaw();
    Tools::integrate(_residuals, _fluxes, _weighted);
    scatter(residual);
  }

  void gather(const Vector& unknowns) const {
    const auto coefficients = _coefficients;
    const auto numbers = _mesh.numbers;
    Kokkos::parallel_for(
        "Fused::gather", Kokkos::RangePolicy<Space>(0, _mesh.cells * num_fields),
        KOKKOS_LAMBDA(int i) {
          const int c = i / num_fields, f = i % num_fields;
          coefficients(c, f) = unknowns(numbers(c, f));
        });
  }
  void applyLaw() const {
    const auto u = _u, grad_u = _grad_u, fluxes = _fluxes;
    Kokkos::parallel_for(
        "Fused::law", Kokkos::RangePolicy<Space>(0, _mesh.cells * num_points),
        KOKKOS_LAMBDA(int i) {
          const int c = i / num_points, p = i % num_points;
          double gradient[dim], flux[dim];
          for (int d = 0; d < dim; ++d) gradient[d] = grad_u(c, p, d);
          computeFlux(u(c, p), gradient, flux);
          for (int d = 0; d < dim; ++d) fluxes(c, p, d) = flux[d];
        });
  }
  void scatter(const Vector& residual) const {
    const auto residuals = _residuals;
    const auto numbers = _mesh.numbers;
    Kokkos::parallel_for(
        "Fused::scatter", Kokkos::RangePolicy<Space>(0, _mesh.cells * num_fields),
        KOKKOS_LAMBDA(int i) {
          const int c = i / num_fields, f = i % num_fields;
          Kokkos::atomic_add(&residual(numbers(c, f)), residuals(c, f));
        });
  }

 private:
  using Tools = Kontract::FunctionSpaceTools<Device>;
  Mesh _mesh;
  Array _coefficients, _residuals, _values, _gradients, _weighted, _u, _grad_u, _fluxes;
};

/// All of it in one kernel: a team for each cell, nothing between the steps but scratch memory.
struct Kernel {
  using Policy = Kokkos::TeamPolicy<Space>;
  using Member = Policy::member_type;
  using Basis = Kontract::team::Basis<Kontract::team::TeamVector>;
  using Memory = Space::scratch_memory_space;
  using Row = Kokkos::View<double*, Memory, Kokkos::MemoryUnmanaged>;
  using Rows = Kokkos::View<double* [dim], Kokkos::LayoutLeft, Memory, Kokkos::MemoryUnmanaged>;

  Mesh mesh;
  Vector residual, unknowns;
  int scratch_extent;

  Kernel(const Mesh& of, const Vector& to, const Vector& from)
      : mesh(of),
        residual(to),
        unknowns(from),
        scratch_extent(int(Basis::scratchExtent(of.basis))) {}

  void launch() const {
    const int threads =
        Kokkos::SpaceAccessibility<Kokkos::HostSpace, Device::memory_space>::accessible ? 1 : 32;
    const std::size_t bytes = Row::shmem_size(num_fields) * 2 + Row::shmem_size(num_points) +
                              Rows::shmem_size(num_points) +
                              Row::shmem_size(std::size_t(scratch_extent));
    Kokkos::parallel_for("Fused::residual",
                         Policy(mesh.cells, threads).set_scratch_size(0, Kokkos::PerTeam(bytes)),
                         *this);
  }

  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    const int c = member.league_rank();
    const auto& memory = member.team_scratch(0);
    const Row coefficients(memory, num_fields), sums(memory, num_fields), u(memory, num_points);
    const Rows gradients(memory, num_points);
    const Row scratch(memory, std::size_t(scratch_extent));
    const auto share = [&](int n, const auto& f) {
      Kokkos::parallel_for(Kokkos::TeamVectorRange(member, n), f);
      member.team_barrier();
    };
    share(num_fields, [&](int f) { coefficients(f) = unknowns(mesh.numbers(c, f)); });
    Basis::evaluate(member, u, coefficients, mesh.basis, scratch);
    Basis::evaluate(member, gradients, coefficients, mesh.basis, scratch);
    member.team_barrier();
    share(num_points, [&](int p) { applyLaw(c, p, u(p), gradients); });
    Basis::integrate(member, sums, gradients, mesh.basis, scratch);
    member.team_barrier();
    share(num_fields, [&](int f) { Kokkos::atomic_add(&residual(mesh.numbers(c, f)), sums(f)); });
  }

  /// From the gradient on the reference cell to the flux that its functions are integrated with:
  /// J^-T before the law, J^-1 and the measure after it.
  KOKKOS_INLINE_FUNCTION void applyLaw(int c, int p, double value, const Rows& gradients) const {
    double gradient[dim] = {}, flux[dim];
    for (int d = 0; d < dim; ++d) {
      for (int e = 0; e < dim; ++e) gradient[d] += mesh.inverses(c, p, e, d) * gradients(p, e);
    }
    computeFlux(value, gradient, flux);
    for (int e = 0; e < dim; ++e) {
      double sum = 0;
      for (int d = 0; d < dim; ++d) sum += mesh.inverses(c, p, e, d) * flux[d];
      gradients(p, e) = mesh.measures(c, p) * sum;
    }
  }
};

double milliseconds(int repetitions, const std::function<void()>& f) {
  double least = 1e9;
  for (int i = 0; i <= repetitions; ++i) {
    Kokkos::fence();
    const Kokkos::Timer timer;
    f();
    Kokkos::fence();
    if (i > 0) least = std::min(least, 1e3 * timer.seconds());
  }
  return least;
}

/// The largest difference, by the largest element; NaN where one of them is.
double difference(const Vector& a, const Vector& b) {
  const auto x = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), a);
  const auto y = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), b);
  double largest = 0, most = 0;
  for (std::size_t i = 0; i < x.extent(0); ++i) {
    const double of_element = std::abs(x(i) - y(i));
    if (std::isnan(of_element)) return of_element;
    largest = std::max(largest, std::abs(x(i)));
    most = std::max(most, of_element);
  }
  return most / largest;
}

int run(int along, int repetitions) {
  const Mesh mesh(along);
  const Vector unknowns("unknowns", std::size_t(mesh.unknowns)),
      residual("residual", std::size_t(mesh.unknowns)), fused("fused", std::size_t(mesh.unknowns));
  Kokkos::parallel_for(
      "Fused::start", Kokkos::RangePolicy<Space>(0, mesh.unknowns),
      KOKKOS_LAMBDA(int i) { unknowns(i) = double(7919L * i % 1009) / 1009; });
  const Launches launches(mesh);
  const Kernel kernel(mesh, fused, unknowns);
  const double by_launches = milliseconds(repetitions, [&] {
    Kokkos::deep_copy(residual, 0.);
    launches.compute(residual, unknowns);
  });
  const double by_kernel = milliseconds(repetitions, [&] {
    Kokkos::deep_copy(fused, 0.);
    kernel.launch();
  });
  const double of_launches = num_fields * num_points * (1 + 2 * dim) + num_points * (1 + 2 * dim);
  std::printf("%d hexahedra of order %d, %d unknowns, %s\n", mesh.cells, order, mesh.unknowns,
              Space::name());
  std::printf("a launch for each step: %9.3f ms, %6.2f kB of arrays a cell\n", by_launches,
              of_launches * 8 / 1e3);
  std::printf("one kernel:             %9.3f ms, %6.2f kB of arrays a cell\n", by_kernel,
              num_points * (1 + dim * dim) * 8 / 1e3);
  const double most = difference(residual, fused);
  std::printf("largest difference:     %9.2e\n", most);
  return most < 1e-12 ? 0 : 1;
}

}  // namespace
}  // namespace Fused

int main(int argc, char* argv[]) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  int cells = 16, repetitions = 10;
  Teuchos::CommandLineProcessor arguments(false);
  arguments.setOption("cells", &cells, "cells in each direction of the cube");
  arguments.setOption("repetitions", &repetitions, "runs that the shortest time is taken from");
  try {
    const auto parsed = arguments.parse(argc, argv);
    if (parsed == Teuchos::CommandLineProcessor::PARSE_HELP_PRINTED) return 0;
    if (parsed != Teuchos::CommandLineProcessor::PARSE_SUCCESSFUL) return 1;
    if (cells < 1 || cells > 200 || repetitions < 1) {
      throw std::invalid_argument("needs 1 to 200 cells a direction and a repetition");
    }
    return Fused::run(cells, repetitions);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "Kontract_fused: %s\n", error.what());
    return 1;
  }
}
