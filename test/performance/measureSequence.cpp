// SPDX-License-Identifier: BSD-3-Clause
//
// Times element matrices, products and diagonals of the exact sequence on hexahedra, grad-grad of
// HGRAD, curl-curl of HCURL and div-div of HDIV with a scalar coefficient and p + 2 points a
// direction: from arrays of values, and of tensor-product bases, in one process on the default
// execution space. Then products alone of these and other forms, elasticity among them, of
// tensor-product bases by Auto and by Team Reduction, beside the time in which what must move is
// copied. Usage: Kontract_measureSequence [million numbers of Jacobians or matrices = 4] [seconds
// per entry = 0.3] [largest order = 5]

#include <Kokkos_Core.hpp>
#include <Teuchos_ParameterList.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "CopyRate.hpp"
#include "Kontract_Explain.hpp"
#include "Kontract_Integration.hpp"
#include "MedianSeconds.hpp"

namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Device = Kokkos::Device<Space, Space::memory_space>;
using Integration = Kontract::Integration<Device>;
using Array = Kokkos::DynRankView<double, Device>;
using Table = Kokkos::View<double**, Device>;
using Kontract::Form;
using Kontract::FunctionSpace;

double million_numbers = 4, least_seconds = 0.3;

/// Numbers that vary and do not vanish; of Jacobians near a multiple of the identity.
void fill(const Array& array) {
  const auto host = Kokkos::create_mirror_view(array);
  for (std::size_t i = 0; i < host.size(); ++i) {
    host.data()[i] = 0.1 + 0.01 * double(i * 7 % 13);
  }
  for (std::size_t c = 0; array.rank() == 4 && c < host.extent(0); ++c) {
    for (std::size_t p = 0; p < host.extent(1); ++p) {
      for (int d = 0; d < 3; ++d) host(c, p, d, d) += 2;
    }
  }
  Kokkos::deep_copy(array, host);
}
Array filled(std::size_t n0, std::size_t n1 = KOKKOS_INVALID_INDEX,
             std::size_t n2 = KOKKOS_INVALID_INDEX, std::size_t n3 = KOKKOS_INVALID_INDEX) {
  const Array array("array", n0, n1, n2, n3);
  fill(array);
  return array;
}

/// Nanoseconds of a cell, and what ran.
struct Timed {
  double nanoseconds;
  std::string algorithm;
};
template <class Call>
Timed timed(int cells, const Call& call) {
  const double seconds = KontractTest::medianSeconds<Space>(call, least_seconds);
  return {1e9 / cells * seconds, Kontract::explain().algorithm};
}

void print(const char* what, const Timed& arrays, const Timed& tensors) {
  std::printf("  %-9s %11.1f ns %11.1f ns %7.2f   %s\n", what, arrays.nanoseconds,
              tensors.nanoseconds, arrays.nanoseconds / tensors.nanoseconds,
              tensors.algorithm.c_str());
  std::fflush(stdout);
}

/// \param basis      a tensor-product basis
/// \param reference  the values of it that the form needs, as an array
template <class Basis>
void measure(const char* name, int order, const Form& form, const Basis& basis,
             const Array& reference) {
  const auto fields = int(reference.extent(0)), points = int(reference.extent(1));
  std::printf("%s, order %d, %d fields\n", name, order, fields);
  const int many = std::max(64, int(million_numbers * 1e6 / (9. * points)));
  const int few = std::clamp(int(million_numbers * 1e6 / (double(fields) * fields)), 16, many);
  const Array jacobians = filled(many, points, 3, 3), weights = filled(points),
              coefficient = filled(many, points), x = filled(many, fields), y("y", many, fields);
  const auto with = [&](const auto& side, int cells) {
    const auto some = Kokkos::subview(coefficient, std::pair(0, cells), Kokkos::ALL);
    return Kontract::term(form, side, side, some);
  };
  {
    const Array matrices("matrices", few, fields, fields);
    const auto cells = Kontract::geometry(
        Kokkos::subview(jacobians, std::pair(0, few), Kokkos::ALL, Kokkos::ALL, Kokkos::ALL),
        weights);
    const auto call = [&](const auto& of) {
      return timed(few, [&] { Integration::matrices(matrices, cells, of); });
    };
    print("matrices", call(with(reference, few)), call(with(basis, few)));
  }
  const auto cells = Kontract::geometry(jacobians, weights);
  const auto product = [&](const auto& of) {
    return timed(many, [&] { Integration::apply(y, x, cells, of); });
  };
  const auto term = with(basis, many);
  const auto of_arrays = with(reference, many);
  print("products", product(of_arrays), product(term));
  const auto diagonal = [&](const auto& of) {
    return timed(many, [&] { Integration::diagonals(y, cells, of); });
  };
  print("diagonals", diagonal(of_arrays), diagonal(term));
}

double copied_bytes_per_second;

void measureCopying() {
  copied_bytes_per_second =
      KontractTest::copyRate<Space>(std::size_t(million_numbers * 1e6), least_seconds);
  std::printf("copying: %.3g GB/s\n", 1e-9 * copied_bytes_per_second);
}

/// Products with the geometry from Jacobians.
/// \param coefficients  numbers of the coefficient at a point
template <class MakeTerm>
void measureProduct(const char* name, int order, int lefts, int rights, int coefficients,
                    const MakeTerm& makeTerm) {
  const int line = order + 2, points = line * line * line;
  const int cells = std::max(64, int(million_numbers * 1e6 / (9. * points)));
  const Array jacobians = filled(cells, points, 3, 3), weights = filled(points),
              x = filled(cells, rights), y("y", cells, lefts);
  const auto term = makeTerm(cells, points);
  const double limit =
      8e9 * (lefts + rights + points * (9. + coefficients)) / copied_bytes_per_second;
  double nanoseconds[2] = {0, 0};
  std::string algorithm;
  for (const bool is_auto : {true, false}) {
    Teuchos::ParameterList list("Kontract");
    list.set("Algorithm", is_auto ? "Auto" : "Team Reduction");
    const Kontract::Options options(list);
    try {
      const Timed time = timed(cells, [&] {
        Integration::apply(y, x, Kontract::geometry(jacobians, weights), term, options);
      });
      nanoseconds[is_auto ? 0 : 1] = time.nanoseconds;
      if (is_auto) algorithm = time.algorithm;
    } catch (const std::invalid_argument&) {  // it does not serve this
    }
  }
  std::printf("  %-14s %11.2f ns %6.2f of copying %11.2f ns   %s\n", name, nanoseconds[0],
              limit / nanoseconds[0], nanoseconds[1], algorithm.c_str());
  std::fflush(stdout);
}

void measureProducts(int order) {
  const int closed = order + 1, line = order + 2;
  const Table values("values", closed, line), derivatives("derivatives", closed, line),
      open("open", order, line);
  for (const Table& table : {values, derivatives, open}) fill(Array(table));
  const auto nodes = Kontract::tensorBasis<3>(values, derivatives);
  const auto cells = Kontract::tensorBasis<3>(open, open);
  const auto edges = Kontract::tensorBasis<3>(FunctionSpace::HCURL, values, derivatives, open);
  const auto faces = Kontract::tensorBasis<3>(FunctionSpace::HDIV, values, derivatives, open);
  const int of_nodes = closed * closed * closed, of_edges = 3 * order * closed * closed,
            of_faces = 3 * order * order * closed, of_cells = order * order * order;
  std::printf("products of order %d: Auto, share, Team Reduction\n", order);
  const auto measured = [&](const char* name, const Form& form, const auto& left, const auto& right,
                            int lefts, int rights) {
    measureProduct(name, order, lefts, rights, 1, [&](int count, int points) {
      return Kontract::term(form, left, right, filled(count, points));
    });
  };
  measured("grad-grad", Form::gradGrad(), nodes, nodes, of_nodes, of_nodes);
  measured("curl-curl", Form::curlCurl(), edges, edges, of_edges, of_edges);
  measured("div-div", Form::divDiv(), faces, faces, of_faces, of_faces);
  const Form mass_of_edges = Form::mass(FunctionSpace::HCURL);
  measured("mass of HCURL", mass_of_edges, edges, edges, of_edges, of_edges);
  const Form mass_of_faces = Form::mass(FunctionSpace::HDIV);
  measured("mass of HDIV", mass_of_faces, faces, faces, of_faces, of_faces);
  measured("gradient", Form::gradient(), edges, nodes, of_edges, of_nodes);
  measured("divergence", Form::divergence(), cells, faces, of_cells, of_faces);
  measureProduct("advection", order, of_nodes, of_nodes, 3, [&](int count, int points) {
    return Kontract::term(Form::advection(), nodes, nodes, filled(count, points, 3));
  });
  measureProduct("elasticity", order, 3 * of_nodes, 3 * of_nodes, 2, [&](int count, int points) {
    return Kontract::term(Form::elasticity(), nodes, nodes, filled(count, points),
                          filled(count, points));
  });
}

void measureOrder(int order) {
  const int closed = order + 1, line = order + 2, points = line * line * line;
  const Table values("values", closed, line), derivatives("derivatives", closed, line),
      open("open", order, line);
  for (const Table& table : {values, derivatives, open}) fill(Array(table));
  measure("grad-grad", order, Form::gradGrad(), Kontract::tensorBasis<3>(values, derivatives),
          filled(closed * closed * closed, points, 3));
  measure("curl-curl", order, Form::curlCurl(),
          Kontract::tensorBasis<3>(FunctionSpace::HCURL, values, derivatives, open),
          filled(3 * order * closed * closed, points, 3));
  measure("div-div", order, Form::divDiv(),
          Kontract::tensorBasis<3>(FunctionSpace::HDIV, values, derivatives, open),
          filled(3 * order * order * closed, points));
}

}  // namespace

int main(int argc, char* argv[]) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  if (argc > 1) million_numbers = std::atof(argv[1]);
  if (argc > 2) least_seconds = std::atof(argv[2]);
  const int largest_order = argc > 3 ? std::atoi(argv[3]) : 5;
  std::printf("double, on %s, time of a cell: arrays, tensor-product bases, ratio\n",
              Space::name());
  for (int order = 1; order <= largest_order; ++order) measureOrder(order);
  measureCopying();
  for (int order = 1; order <= largest_order; ++order) measureProducts(order);
}
