// SPDX-License-Identifier: BSD-3-Clause
//
// Times contractions and products of Sacado's Fad types, with Kontract and with Intrepid2, on the
// same arrays in one process, and prints a table.
// Usage: Kontract_compareFad [millions of scalars per case = 1] [seconds per entry = 0.3]

#include "FadViews.hpp"

// All else after Sacado.
#include <Intrepid2_ArrayTools.hpp>
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <tuple>
#include <vector>

#include "Kontract.hpp"
#include "MedianSeconds.hpp"

namespace {

using Space = Kokkos::DefaultHostExecutionSpace;
using Device = Kokkos::Device<Space, Kokkos::HostSpace>;
template <class T>
using ArrayOf = Kokkos::DynRankView<T, Kokkos::LayoutRight, Device>;
using Ours = Kontract::ArrayTools<Device>;
using Theirs = Intrepid2::ArrayTools<Device>;
using Extents = std::vector<std::size_t>;

double million_scalars = 1.0;  ///< of the largest array
double least_seconds = 0.3;    ///< that each entry is measured for

/// Median seconds of a call.
template <class Call>
double secondsOf(const Call& call) {
  return KontractTest::medianSeconds<Space>(call, least_seconds);
}

/// An array with those derivatives where T is a Fad, filled with values that vary.
template <class T>
ArrayOf<T> make(const Extents& extents, int derivatives) {
  constexpr bool is_fad = Sacado::IsFad<T>::value;
  Kokkos::LayoutRight layout;
  for (int i = 0; i < 8; ++i) layout.dimension[i] = KOKKOS_INVALID_INDEX;
  for (std::size_t i = 0; i < extents.size(); ++i) layout.dimension[i] = extents[i];
  if (is_fad) layout.dimension[extents.size()] = std::size_t(derivatives) + 1;
  ArrayOf<T> array("array", layout);
  double* const scalars = reinterpret_cast<double*>(array.data());
  std::size_t size = is_fad ? std::size_t(derivatives) + 1 : 1;
  for (const std::size_t extent : extents) size *= extent;
  for (std::size_t i = 0; i < size; ++i) scalars[i] = 1.0 + double(i % 7);
  return array;
}

/// One row of the table.
template <class Call, class Arrays>
void row(const std::string& name, const Call& call, const Arrays& arrays, std::size_t cells) {
  const auto secondsBy = [&](const auto& tools) {
    return secondsOf(
        [&] { std::apply([&](const auto&... array) { call(tools, array...); }, arrays); });
  };
  const double theirs = secondsBy(Theirs()), ours = secondsBy(Ours());
  std::printf("%-56s %7zu %10.2f us %10.2f us %8.1f  %s\n", name.c_str(), cells, theirs * 1e6,
              ours * 1e6, theirs / ours, Kontract::explain().algorithm.c_str());
  std::fflush(stdout);
}

/// The cells that keep the largest array of Fads at the size that was asked for.
std::size_t cellsFor(std::size_t elements_per_cell, int derivatives) {
  const double scalars = double(elements_per_cell) * (derivatives + 1);
  return std::max<std::size_t>(1, std::size_t(million_scalars * 1e6 / scalars));
}

/// The contractions and products of an assembly with this Fad type.
template <class Fad>
void rows(const std::string& type, int n, std::size_t f, std::size_t p) {
  const std::string of = " " + std::to_string(f) + "x" + std::to_string(p) + " " + type;
  {
    const std::size_t c = cellsFor(f * p, n);
    row(
        "DataField scalar, Fad x double," + of,
        [](auto tools, const auto& o, const auto& l, const auto& r) {
          tools.contractDataFieldScalar(o, l, r);
        },
        std::tuple(make<Fad>({c, f}, n), make<Fad>({c, p}, n), make<double>({c, f, p}, n)), c);
    row(
        "DataField scalar, Fad x Fad," + of,
        [](auto tools, const auto& o, const auto& l, const auto& r) {
          tools.contractDataFieldScalar(o, l, r);
        },
        std::tuple(make<Fad>({c, f}, n), make<Fad>({c, p}, n), make<Fad>({c, f, p}, n)), c);
    row(
        "DataField vector, Fad x double," + of,
        [](auto tools, const auto& o, const auto& l, const auto& r) {
          tools.contractDataFieldVector(o, l, r);
        },
        std::tuple(make<Fad>({c, f}, n), make<Fad>({c, p, 3}, n), make<double>({c, f, p, 3}, n)),
        c);
    row(
        "scalarMultiply field, Fad x double," + of,
        [](auto tools, const auto& o, const auto& l, const auto& r) {
          tools.scalarMultiplyDataField(o, l, r);
        },
        std::tuple(make<Fad>({c, f, p}, n), make<Fad>({c, p}, n), make<double>({c, f, p}, n)), c);
    row(
        "dotMultiply field, Fad x double," + of,
        [](auto tools, const auto& o, const auto& l, const auto& r) {
          tools.dotMultiplyDataField(o, l, r);
        },
        std::tuple(make<Fad>({c, f, p}, n), make<Fad>({c, p, 3}, n), make<double>({c, f, p, 3}, n)),
        c);
    row(
        "matvec field, Fad x Fad," + of,
        [](auto tools, const auto& o, const auto& l, const auto& r) {
          tools.matvecProductDataField(o, l, r);
        },
        std::tuple(make<Fad>({c, f, p, 3}, n), make<Fad>({c, p, 3, 3}, n),
                   make<Fad>({c, f, p, 3}, n)),
        c);
  }
  {
    const std::size_t c = cellsFor(f * std::max(f, p), n);
    row(
        "FieldField scalar, Fad x double," + of,
        [](auto tools, const auto& o, const auto& l, const auto& r) {
          tools.contractFieldFieldScalar(o, l, r);
        },
        std::tuple(make<Fad>({c, f, f}, n), make<Fad>({c, f, p}, n), make<double>({c, f, p}, n)),
        c);
    row(
        "FieldField scalar, Fad x Fad," + of,
        [](auto tools, const auto& o, const auto& l, const auto& r) {
          tools.contractFieldFieldScalar(o, l, r);
        },
        std::tuple(make<Fad>({c, f, f}, n), make<Fad>({c, f, p}, n), make<Fad>({c, f, p}, n)), c);
  }
}

template <class Fad>
void table(const std::string& type, int derivatives) {
  rows<Fad>(type, derivatives, 8, 8);
  rows<Fad>(type, derivatives, 27, 64);
}

}  // namespace

int main(int argc, char* argv[]) {
  const Kokkos::ScopeGuard guard(argc, argv);
  if (argc > 1) million_scalars = std::atof(argv[1]);
  if (argc > 2) least_seconds = std::atof(argv[2]);
  std::printf("%s, %d threads\n", Space::name(), int(Space().concurrency()));
  std::printf("%-56s %7s %13s %13s %8s  %s\n", "case, LayoutRight", "cells", "Intrepid2",
              "Kontract", "speed-up", "picked");
  table<Sacado::Fad::SFad<double, 8>>("SFad<8>", 8);
  table<Sacado::Fad::SFad<double, 24>>("SFad<24>", 24);
  table<Sacado::Fad::DFad<double>>("DFad, 8", 8);
  return 0;
}
