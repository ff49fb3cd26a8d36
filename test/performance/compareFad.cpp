// SPDX-License-Identifier: BSD-3-Clause
//
// Times contractions and products of Sacado's Fad types, with Kontract and with Intrepid2, on the
// same arrays in one process, in Kokkos' default execution space, and prints a table; then compares
// the results. Then calls by chance, in both layouts. Shares are those of copying, and those of the
// roof, copying and the multiply-adds of one thread of a host, each measured beside the call; where
// there are more threads or a device the roof is copying alone. Numbers of derivatives known when
// running are those of DFad on hosts, and of SLFad on devices, where DFad would allocate in
// Intrepid2's kernels.
// Usage: Kontract_compareFad [millions of scalars per case = 1] [seconds per entry = 0.3]
//                            [calls by chance = 20]

#include "FadViews.hpp"

// All else after Sacado.
#include <Intrepid2_ArrayTools.hpp>
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "../../tool/bench/PeakKernels.hpp"
#include "CopyRate.hpp"
#include "Distribution.hpp"
#include "KeepLargest.hpp"
#include "Kontract.hpp"
#include "MedianSeconds.hpp"

namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Device = Space::device_type;
using Ours = Kontract::ArrayTools<Device>;
using Theirs = Intrepid2::ArrayTools<Device>;
using Extents = std::vector<std::size_t>;
constexpr bool is_host = Kokkos::SpaceAccessibility<Space, Kokkos::HostSpace>::accessible;
constexpr int most_derivatives = 40;  ///< by chance
using DynamicFad = std::conditional_t<is_host, Sacado::Fad::DFad<double>,
                                      Sacado::Fad::SLFad<double, most_derivatives>>;

double million_scalars = 1.0;  ///< of the largest array
double least_seconds = 0.3;    ///< that each entry is measured for
double largest_difference = 0;

/// Multiplications and additions a second, of doubles, of one thread of a host; else infinite.
double peakRate() {
  if (!is_host || Space().concurrency() > 1) return std::numeric_limits<double>::infinity();
  int count = 0;
  const KontractBench::PeakKernels* const kernels = KontractBench::peakKernels(&count);
  double best = 0;
  for (int i = 0; i < count; ++i) {
    constexpr long rounds = 20000;
    double sink = 0, flops = 0;
    const double seconds = KontractTest::medianSeconds<Space>(
        [&] { flops = kernels[i].multiply_double(rounds, &sink); }, 1e-3);
    best = std::max(best, flops / seconds);
  }
  return best;
}

/// Bytes a second that copying moves.
double copyRate() {
  return KontractTest::copyRate<Space>(std::size_t(million_scalars * 1e6), least_seconds / 4);
}

/// Median seconds of a call.
template <class Call>
double secondsOf(const Call& call) {
  return KontractTest::medianSeconds<Space>(call, least_seconds);
}

using Scalars = Kokkos::View<double*, Device, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
std::vector<double> shares, shares_of_roof, speed_ups;  ///< of the calls so far

/// The cells that keep the largest array of Fads at the size that was asked for.
std::size_t cellsFor(std::size_t elements_per_cell, int derivatives) {
  const double scalars = double(elements_per_cell) * (derivatives + 1);
  return std::max<std::size_t>(1, std::size_t(million_scalars * 1e6 / scalars));
}

#define KONTRACT_TEST_CALL(FUNCTION) \
  [](auto tools, const auto& o, const auto& l, const auto& r) { tools.FUNCTION(o, l, r); }

/// Calls on arrays of a layout.
template <class Layout>
struct Calls {
  template <class T>
  using ArrayOf = Kokkos::DynRankView<T, Layout, Device>;
  static constexpr const char* name = std::is_same_v<Layout, Kokkos::LayoutLeft> ? "Left" : "Right";

  /// All scalars of an array, one after the other.
  template <class T>
  static Scalars scalarsOf(const ArrayOf<T>& array) {
    std::size_t each = 1;
    if constexpr (Sacado::IsFad<T>::value) each = Kokkos::dimension_scalar(array);
    return Scalars(reinterpret_cast<double*>(array.data()), array.size() * each);
  }

  /// An array with those derivatives where T is a Fad, filled with values that vary.
  template <class T>
  static ArrayOf<T> make(const Extents& extents, int derivatives) {
    constexpr bool is_fad = Sacado::IsFad<T>::value;
    Layout layout;
    for (int i = 0; i < 8; ++i) layout.dimension[i] = KOKKOS_INVALID_INDEX;
    for (std::size_t i = 0; i < extents.size(); ++i) layout.dimension[i] = extents[i];
    if (is_fad) layout.dimension[extents.size()] = std::size_t(derivatives) + 1;
    const ArrayOf<T> array("array", layout);
    const auto scalars = scalarsOf<T>(array);
    Kokkos::parallel_for(
        "fill", Kokkos::RangePolicy<Space>(0, scalars.extent(0)),
        KOKKOS_LAMBDA(int i) { scalars(i) = 1.0 + i % 7; });
    return array;
  }

  /// The largest difference of two arrays' scalars, as a part of the largest of them.
  template <class T>
  static double differenceOf(const ArrayOf<T>& x, const ArrayOf<T>& y) {
    const auto a = scalarsOf<T>(x), b = scalarsOf<T>(y);
    double most = 0, scale = 0;
    Kokkos::parallel_reduce(
        "compare", Kokkos::RangePolicy<Space>(0, a.extent(0)),
        KOKKOS_LAMBDA(int i, double& difference, double& size) {
          const double d = a(i) > b(i) ? a(i) - b(i) : b(i) - a(i);
          KontractTest::keepLargest(difference, d == d ? d : 1e300);  // NaN is lost otherwise
          const double b_size = b(i) > 0 ? b(i) : -b(i);
          if (b_size > size) size = b_size;
        },
        Kokkos::Max<double>(most), Kokkos::Max<double>(scale));
    return most / scale;
  }

  /// One row of the table: a call of out, left and right.
  /// \param terms  of each output
  template <class Out, class Left, class Right, class Call>
  static void row(const std::string& name, int derivatives, const Extents& out_extents,
                  const Extents& left_extents, const Extents& right_extents, std::size_t terms,
                  const Call& call) {
    const auto left = make<Left>(left_extents, derivatives);
    const auto right = make<Right>(right_extents, derivatives);
    const auto out = make<Out>(out_extents, derivatives);
    const auto their_out = make<Out>(out_extents, derivatives);
    const double theirs = secondsOf([&] { call(Theirs(), their_out, left, right); });
    const double ours = secondsOf([&] { call(Ours(), out, left, right); });
    const double bytes = 8.0 * double(scalarsOf<Out>(out).size() + scalarsOf<Left>(left).size() +
                                      scalarsOf<Right>(right).size());
    const double difference = differenceOf<Out>(out, their_out);
    KontractTest::keepLargest(largest_difference, difference);
    constexpr bool are_fads = Sacado::IsFad<Left>::value && Sacado::IsFad<Right>::value;
    const double flops =
        2.0 * double(out.size() * terms * std::size_t(derivatives)) * (are_fads ? 2 : 1) +
        2.0 * double(out.size() * terms);
    const double copying = bytes / copyRate(), share = copying / ours;
    const double share_of_roof = std::max(copying, flops / peakRate()) / ours;
    std::printf("%-58s %8zu %10.2f us %10.2f us %8.1f %8.2f %8.2f  %s\n", name.c_str(),
                out_extents[0], theirs * 1e6, ours * 1e6, theirs / ours, share, share_of_roof,
                Kontract::explain().algorithm.c_str());
    std::fflush(stdout);
    shares.push_back(share);
    shares_of_roof.push_back(share_of_roof);
    speed_ups.push_back(theirs / ours);
  }

  /// The contractions and products of an assembly with this Fad type.
  template <class Fad>
  static void rows(const std::string& type, int n, std::size_t f, std::size_t p) {
    const std::string of = " " + std::to_string(f) + "x" + std::to_string(p) + " " + type;
    std::size_t c = cellsFor(f * p, n);
    row<Fad, Fad, double>("DataField scalar, Fad x double," + of, n, {c, f}, {c, p}, {c, f, p}, p,
                          KONTRACT_TEST_CALL(contractDataFieldScalar));
    row<Fad, Fad, Fad>("DataField scalar, Fad x Fad," + of, n, {c, f}, {c, p}, {c, f, p}, p,
                       KONTRACT_TEST_CALL(contractDataFieldScalar));
    row<Fad, Fad, double>("DataField vector, Fad x double," + of, n, {c, f}, {c, p, 3},
                          {c, f, p, 3}, 3 * p, KONTRACT_TEST_CALL(contractDataFieldVector));
    row<Fad, Fad, double>("scalarMultiply field, Fad x double," + of, n, {c, f, p}, {c, p},
                          {c, f, p}, 1, KONTRACT_TEST_CALL(scalarMultiplyDataField));
    row<Fad, Fad, double>("dotMultiply field, Fad x double," + of, n, {c, f, p}, {c, p, 3},
                          {c, f, p, 3}, 3, KONTRACT_TEST_CALL(dotMultiplyDataField));
    row<Fad, Fad, Fad>("matvec field, Fad x Fad," + of, n, {c, f, p, 3}, {c, p, 3, 3}, {c, f, p, 3},
                       3, KONTRACT_TEST_CALL(matvecProductDataField));
    row<Fad, Fad, Fad>("cross product of field, Fad x Fad," + of, n, {c, f, p, 3}, {c, p, 3},
                       {c, f, p, 3}, 2, KONTRACT_TEST_CALL(crossProductDataField));
    c = cellsFor(f * std::max(f, p), n);
    row<Fad, Fad, double>("FieldField scalar, Fad x double," + of, n, {c, f, f}, {c, f, p},
                          {c, f, p}, p, KONTRACT_TEST_CALL(contractFieldFieldScalar));
    row<Fad, double, Fad>("FieldField scalar, double x Fad," + of, n, {c, f, f}, {c, f, p},
                          {c, f, p}, p, KONTRACT_TEST_CALL(contractFieldFieldScalar));
    row<Fad, Fad, Fad>("FieldField scalar, Fad x Fad," + of, n, {c, f, f}, {c, f, p}, {c, f, p}, p,
                       KONTRACT_TEST_CALL(contractFieldFieldScalar));
  }

  /// A call of a number of fields, points and derivatives by chance.
  static void rowByChance(std::mt19937& random) {
    using Fad = DynamicFad;
    const auto draw = [&](int least, int most) {
      return std::size_t(std::uniform_int_distribution<int>(least, most)(random));
    };
    const std::size_t f = draw(1, 40), p = draw(1, 64), d = draw(2, 3), function = draw(0, 7);
    const int n = int(draw(1, most_derivatives));
    const std::string of =
        ", " + std::to_string(f) + "x" + std::to_string(p) + " " + name + ", " + std::to_string(n);
    const std::size_t c = cellsFor(f * std::max(f, p) * (function > 5 ? d : 1), n);
    switch (function) {
      case 0:
        return row<Fad, Fad, double>("data x field, Fad x double" + of, n, {c, f}, {c, p},
                                     {c, f, p}, p, KONTRACT_TEST_CALL(contractDataFieldScalar));
      case 1:
        return row<Fad, Fad, Fad>("data x field, Fad x Fad" + of, n, {c, f}, {c, p}, {c, f, p}, p,
                                  KONTRACT_TEST_CALL(contractDataFieldScalar));
      case 2:
        return row<Fad, double, Fad>("field x field, double x Fad" + of, n, {c, f, f}, {c, f, p},
                                     {c, f, p}, p, KONTRACT_TEST_CALL(contractFieldFieldScalar));
      case 3:
        return row<Fad, Fad, Fad>("field x field, Fad x Fad" + of, n, {c, f, f}, {c, f, p},
                                  {c, f, p}, p, KONTRACT_TEST_CALL(contractFieldFieldScalar));
      case 4:
        return row<Fad, Fad, double>("multiple of field, Fad x double" + of, n, {c, f, p}, {c, p},
                                     {c, f, p}, 1, KONTRACT_TEST_CALL(scalarMultiplyDataField));
      case 5:
        return row<Fad, Fad, Fad>("multiple of field, Fad x Fad" + of, n, {c, f, p}, {c, p},
                                  {c, f, p}, 1, KONTRACT_TEST_CALL(scalarMultiplyDataField));
      case 6:
        return row<Fad, double, Fad>("dot product, double x Fad" + of, n, {c, f, p}, {c, p, d},
                                     {c, f, p, d}, d, KONTRACT_TEST_CALL(dotMultiplyDataField));
      default:
        return row<Fad, Fad, Fad>("matrix x vector, Fad x Fad" + of, n, {c, f, p, d}, {c, p, d, d},
                                  {c, f, p, d}, d, KONTRACT_TEST_CALL(matvecProductDataField));
    }
  }
};

/// The least, a tenth, and the median of numbers.
void rowsByChance(int calls) {
  shares.clear();
  shares_of_roof.clear();
  speed_ups.clear();
  std::mt19937 random(1);
  for (int i = 0; i < calls; ++i) {
    if (i % 2 == 0) {
      Calls<Kokkos::LayoutRight>::rowByChance(random);
    } else {
      Calls<Kokkos::LayoutLeft>::rowByChance(random);
    }
  }
  KontractTest::sayDistribution("shares of copying", shares);
  KontractTest::sayDistribution("shares of the roof", shares_of_roof);
  KontractTest::sayDistribution("times faster than Intrepid2", speed_ups);
}

template <class Fad>
void table(const std::string& type, int derivatives) {
  Calls<Kokkos::LayoutRight>::rows<Fad>(type, derivatives, 8, 8);
  Calls<Kokkos::LayoutRight>::rows<Fad>(type, derivatives, 27, 64);
}

}  // namespace

int main(int argc, char* argv[]) {
  const Kokkos::ScopeGuard guard(argc, argv);
  if (argc > 1) million_scalars = std::atof(argv[1]);
  if (argc > 2) least_seconds = std::atof(argv[2]);
  std::printf("%s, %d threads, copying %.3g bytes/s\n", Space::name(), int(Space().concurrency()),
              copyRate());
  std::printf("%-58s %8s %13s %13s %8s %8s %8s  %s\n", "case, LayoutRight", "cells", "Intrepid2",
              "Kontract", "speed-up", "copying", "roof", "picked");
  table<Sacado::Fad::SFad<double, 8>>("SFad<8>", 8);
  table<Sacado::Fad::SFad<double, 24>>("SFad<24>", 24);
  table<DynamicFad>(is_host ? "DFad, 8" : "SLFad, 8", 8);
  rowsByChance(argc > 3 ? std::atoi(argv[3]) : 20);
  std::printf("largest difference: %.1e\n", largest_difference);
  return largest_difference < 1e-12 ? 0 : 1;
}
