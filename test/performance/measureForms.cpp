// SPDX-License-Identifier: BSD-3-Clause
//
// Times element matrices of grad-grad in space: by Integration, for affine cells (one Jacobian
// each) and for any, by the chain of functions of Kontract's FunctionSpaceTools, and by the same
// chain of Intrepid2's where it is there; on the same arrays in one process, on the default
// execution space; on hosts also of tensor-product bases. Usage: Kontract_measureForms [million
// gradients of all cells = 4] [seconds per entry = 0.3]

#include <Kokkos_Core.hpp>
#include <Teuchos_ParameterList.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "Kontract.hpp"
#include "MedianSeconds.hpp"

#ifdef KONTRACT_HAS_INTREPID2_GEOMETRY
#include <Intrepid2_FunctionSpaceTools.hpp>
#endif

namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Device = Kokkos::Device<Space, Space::memory_space>;
template <class Scalar>
using ArrayOf = Kokkos::DynRankView<Scalar, Device>;
using Array = ArrayOf<double>;

double million_gradients = 4;
double least_seconds = 0.3;

/// Median seconds of a call.
template <class Call>
double secondsOf(const Call& call) {
  return KontractTest::medianSeconds<Space>(call, least_seconds);
}

/// Numbers that vary and do not vanish.
template <class Scalar>
void fill(const ArrayOf<Scalar>& array) {
  const auto host = Kokkos::create_mirror_view(array);
  for (std::size_t i = 0; i < host.size(); ++i) {
    host.data()[i] = static_cast<Scalar>(0.1 + 0.01 * double(i * 7 % 13));
  }
  Kokkos::deep_copy(array, host);
}

/// Jacobians near a multiple of the identity.
template <class Scalar>
void fillJacobians(const ArrayOf<Scalar>& array) {
  fill(array);
  const auto host = Kokkos::create_mirror_view(array);
  Kokkos::deep_copy(host, array);
  for (std::size_t c = 0; c < host.extent(0); ++c) {
    for (std::size_t p = 0; p < host.extent(1); ++p) {
      for (int d = 0; d < 3; ++d) host(c, p, d, d) += 2;
    }
  }
  Kokkos::deep_copy(array, host);
}

template <class Tools>
void chain(const Array& matrices, const Array& gradients, const Array& weighted,
           const Array& inverse, const Array& measure, const Array& reference) {
  Tools::HGRADtransformGRAD(gradients, inverse, reference);
  Tools::multiplyMeasure(weighted, measure, gradients);
  Tools::integrate(matrices, weighted, gradients);
}

void row(int fields, int points) {
  const double of_cell = 3.0 * fields * points;
  const int cells = std::max(1, static_cast<int>(million_gradients * 1e6 / of_cell));
  const Array jacobians("jacobians", cells, points, 3, 3), inverse("inverse", cells, points, 3, 3),
      weights("weights", points), measure("measure", cells, points),
      reference("reference", fields, points, 3), gradients("gradients", cells, fields, points, 3),
      weighted("weighted", cells, fields, points, 3), matrices("matrices", cells, fields, fields);
  fillJacobians(jacobians);
  fillJacobians(inverse);
  for (const Array& array : {weights, measure, reference}) fill(array);

  using Integration = Kontract::Integration<Device>;
  const auto geometry = Kontract::geometry(jacobians, weights);
  const auto term = Kontract::term(Kontract::Form::gradGrad(), reference, reference);
  const double forms = secondsOf([&] { Integration::matrices(matrices, geometry, term); });
  const Array affine("affine", cells, 1, 3, 3);
  fillJacobians(affine);
  const auto affine_geometry = Kontract::geometry(affine, weights);
  const double affine_forms =
      secondsOf([&] { Integration::matrices(matrices, affine_geometry, term); });
  const double ours = secondsOf([&] {
    chain<Kontract::FunctionSpaceTools<Device>>(matrices, gradients, weighted, inverse, measure,
                                                reference);
  });
  std::printf("%4d x %3d %8d cells %11.1f ns %11.1f ns %11.1f ns %6.2f", fields, points, cells,
              affine_forms / cells * 1e9, forms / cells * 1e9, ours / cells * 1e9, ours / forms);
#ifdef KONTRACT_HAS_INTREPID2_GEOMETRY
  const double theirs = secondsOf([&] {
    chain<Intrepid2::FunctionSpaceTools<Device>>(matrices, gradients, weighted, inverse, measure,
                                                 reference);
  });
  std::printf(" %11.1f ns %6.1f", theirs / cells * 1e9, theirs / forms);
#endif
  std::printf("\n");
  std::fflush(stdout);
}

/// Matrices of a tensor-product basis in space: from arrays of its gradients, by what Kontract
/// takes for the basis, and by sum factorization, whether or not that is what it takes.
template <class Scalar>
void rowOfTensorBasis(int order, int points_of_line) {
  const int functions = order + 1;
  const int fields = functions * functions * functions;
  const int points = points_of_line * points_of_line * points_of_line;
  const int cells =
      std::max(16, static_cast<int>(million_gradients * 1e6 / (3.0 * fields * points)));
  const ArrayOf<Scalar> jacobians("jacobians", cells, points, 3, 3), weights("weights", points),
      reference("reference", fields, points, 3), matrices("matrices", cells, fields, fields);
  const Kokkos::View<Scalar**, Device> values("values", functions, points_of_line),
      derivatives("derivatives", functions, points_of_line);
  fillJacobians(jacobians);
  for (const auto& array : {weights, reference}) fill(array);
  for (const auto& array : {values, derivatives}) fill(ArrayOf<Scalar>(array));

  const auto geometry = Kontract::geometry(jacobians, weights);
  const auto basis = Kontract::tensorBasis<3>(values, derivatives);
  Teuchos::ParameterList list;
  list.set("Algorithm", "Register Blocking");
  list.sublist("Register Blocking").set("Kernel", "Sum Factorization");
  const auto secondsOfTerm = [&](const auto& side, const Kontract::Options& options) {
    const auto term = Kontract::term(Kontract::Form::gradGrad(), side, side);
    return 1e9 / cells * secondsOf([&] {
             Kontract::Integration<Device>::matrices(matrices, geometry, term, options);
           });
  };
  const double arrays = secondsOfTerm(reference, Kontract::Options());
  const double taken = secondsOfTerm(basis, Kontract::Options());
  const double factorized = secondsOfTerm(basis, Kontract::Options(list));
  std::printf("%5d, %d points %6s %11.1f ns %11.1f ns %11.1f ns %6.2f\n", order, points_of_line,
              sizeof(Scalar) == 4 ? "float" : "double", arrays, taken, factorized,
              std::min(arrays, factorized) / taken);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char* argv[]) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  if (argc > 1) million_gradients = std::atof(argv[1]);
  if (argc > 2) least_seconds = std::atof(argv[2]);
  std::printf("matrices of grad-grad, double, on %s, time of a cell\n", Space::name());
  std::printf(
      "  F x P                          affine         forms          chain faster      Intrepid2 "
      "faster\n");
  for (const auto& [fields, points] :
       {std::pair{4, 4}, {8, 8}, {10, 14}, {27, 27}, {27, 64}, {64, 125}, {125, 216}}) {
    row(fields, points);
  }
  if constexpr (Kokkos::SpaceAccessibility<Kokkos::HostSpace, Device::memory_space>::accessible) {
    std::printf("\nthe same of tensor-product bases\n");
    std::printf(
        "  order                      arrays           basis  sum factorization  best over "
        "basis\n");
    for (int order = 1; order <= 5; ++order) {
      for (const int points : {order + 1, order + 2}) {
        rowOfTensorBasis<double>(order, points);
        rowOfTensorBasis<float>(order, points);
      }
    }
  }
}
