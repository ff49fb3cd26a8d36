// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief Products without a matrix over several devices of one machine, while values travel.

#include <Teuchos_CommandLineProcessor.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <iostream>
#include <limits>
#include <stdexcept>
#include <string>

#include "SlabProduct.hpp"

namespace Devices {
namespace {

struct Input {
  int devices = 2, cells = 16, order = 3, repetitions = 20;
};

/// Of the arrays that each process shares, at the most.
std::size_t sharedLength(const Input& input) {
  const std::size_t side = std::size_t(input.cells) * input.order + 1;
  return side * side * (side + 1);
}

struct Probe {
  PeerArray values;
  int first;  ///< in the whole cube
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    values(i) = 1 + double(7919L * (first + i) % 1009) / 1009;
  }
};

struct Norms {
  PeerArray x;
  Array<double*> y;
  KOKKOS_INLINE_FUNCTION void operator()(int i, double& product, double& square) const {
    product += x(i) * y(i);
    square += y(i) * y(i);
  }
};

double milliseconds(const Process& process, int repetitions, const std::function<void()>& f) {
  double least = 1e9;
  for (int i = 0; i <= repetitions; ++i) {
    process.barrier();
    const Kokkos::Timer timer;
    f();
    const auto all = process.gather(timer.seconds());
    if (i > 0) least = std::min(least, *std::max_element(all.begin(), all.end()));
  }
  return 1e3 * least;
}

/// x . A x and the square of the norm of A x, of all processes' own unknowns.
std::pair<double, double> sums(const Process& process, const SlabProduct& product, int owned) {
  double of_x = 0, of_y = 0;
  Kokkos::parallel_reduce("Devices::sums", Kokkos::RangePolicy<Space>(0, owned),
                          Norms{product.x(), product.y()}, of_x, of_y);
  std::pair<double, double> all{0, 0};
  for (const double sum : process.gather(of_x)) all.first += sum;
  for (const double sum : process.gather(of_y)) all.second += sum;
  return all;
}

void run(const Process& process, const Input& input) {
  const int rank = process.rank(), size = process.size();
  const int first = input.cells * rank / size, last = input.cells * (rank + 1) / size;
  const SlabElement element(input.order);
  const SlabMesh mesh(input.cells, input.order, first, last);
  const SlabProduct product(process, mesh, element);
  Kokkos::parallel_for("Devices::probe", Kokkos::RangePolicy<Space>(0, mesh.unknowns),
                       Probe{product.x(), mesh.plane_unknowns * mesh.order * first});
  Kokkos::fence();
  const double with = milliseconds(process, input.repetitions, [&] { product.compute(); });
  product.compute();
  const bool is_last = rank + 1 == size;
  const auto found = sums(process, product, is_last ? mesh.unknowns : mesh.beginOfHighestPlane());
  const double cells = milliseconds(process, input.repetitions, [&] { product.computeAlone(); });
  const double exchanged = 8e-6 * mesh.plane_unknowns * 2 * (size - 1);
  if (rank == 0) {
    std::printf(
        "%d hexahedra of order %d on %d %s: product %.3f ms (%.2f ns a cell), cells alone "
        "%.3f ms; %.2f MB travel\n",
        input.cells * input.cells * input.cells, input.order, size,
        size == 1 ? "device" : "devices", with, 1e6 * with / std::pow(double(input.cells), 3),
        cells, exchanged);
  }
  process.barrier();
  if (rank != 0) return;
  // The whole cube on the first device, for comparison.
  const Process one(1, sharedLength(input));
  const SlabMesh whole(input.cells, input.order, 0, input.cells);
  const SlabProduct alone(one, whole, element);
  Kokkos::parallel_for("Devices::probe", Kokkos::RangePolicy<Space>(0, whole.unknowns),
                       Probe{alone.x(), 0});
  Kokkos::fence();
  const double of_one = milliseconds(one, input.repetitions, [&] { alone.compute(); });
  alone.compute();
  const auto wanted = sums(one, alone, whole.unknowns);
  const double difference =  // a sum, which is NaN if one of both is
      std::abs(found.first / wanted.first - 1) + std::abs(found.second / wanted.second - 1);
  std::printf("on one device %.3f ms: %.2f times; x.Ax %.12g, difference %.1e\n", of_one,
              of_one / with, found.first, difference);
  if (!(difference < 1e-11)) throw std::runtime_error("the products differ");
}

Input readInput(int argc, char* argv[]) {
  Input input;
  Teuchos::CommandLineProcessor reader(true, true);
  reader.setDocString("Products of the stiffness of a bent cube over several devices.");
  reader.setOption("devices", &input.devices, "processes, each with a device of its own");
  reader.setOption("cells", &input.cells, "hexahedra along an edge of the cube");
  reader.setOption("order", &input.order, "of the functions");
  reader.setOption("repetitions", &input.repetitions, "of which the fastest counts");
  reader.parse(argc, argv);
  if (input.cells < input.devices) {
    throw std::invalid_argument(std::to_string(input.cells) + " layers of cells are too few for " +
                                std::to_string(input.devices) + " devices");
  }
  const double side = double(input.cells) * input.order + 1;
  if (side * side * side > std::numeric_limits<int>::max()) {
    throw std::invalid_argument("there are more unknowns than an int counts");
  }
  if (input.order < 1 || input.order > 8 || input.cells < 1 || input.repetitions < 1) {
    throw std::invalid_argument("the order is 1 to 8, and there are cells and repetitions");
  }
  return input;
}

}  // namespace
}  // namespace Devices

int main(int argc, char* argv[]) {
  try {
    const auto input = Devices::readInput(argc, argv);
    return Devices::runProcesses(
        {input.devices, Devices::sharedLength(input)},
        [&](const Devices::Process& process) { Devices::run(process, input); });
  } catch (const Teuchos::CommandLineProcessor::HelpPrinted&) {
    return 0;
  } catch (const std::exception& e) {
    std::cerr << e.what() << "\n";
    return 1;
  }
}
