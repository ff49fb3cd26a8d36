// SPDX-License-Identifier: BSD-3-Clause
//
// Chunks of cells that are divided among threads of the host, by the default options and by blocks
// that are asked for: each element is computed once, and nothing beyond a chunk is written.

#include <Kokkos_Core.hpp>
#include <Teuchos_ParameterList.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <limits>
#include <string>
#include <vector>

#include "Kontract_StreamingArrayTools.hpp"
#include "Placed.hpp"

namespace KontractTest {
namespace {

using Space = Kokkos::DefaultHostExecutionSpace;
using Device = Space::device_type;
using Tools = Kontract::StreamingArrayTools<Device>;
constexpr std::size_t cells = 1003, fields = 3, points = 5, dims = 2;

/// Numbers that single out their place, and whose products are exact.
std::vector<double> counted(std::size_t size, int modulus) {
  std::vector<double> numbers(size);
  for (std::size_t i = 0; i < size; ++i) numbers[i] = 1 + double(i % std::size_t(modulus));
  return numbers;
}
std::vector<double> nothing(std::size_t size) {
  return std::vector<double>(size, std::numeric_limits<double>::quiet_NaN());
}

/// Chunks of 100 cells, in place or copied.
Kontract::StreamSettings chunks(bool copies) {
  Kontract::StreamSettings settings;
  settings.cells_per_chunk = 100;
  settings.always_copies = copies;
  return settings;
}

/// The default options, and blocks of cells that no chunk is a multiple of.
std::vector<Kontract::Options> allOptions() {
  Teuchos::ParameterList list("Kontract");
  list.set("Algorithm", "Register Blocking");
  list.sublist("Launch").set("Cells Per Team", 7);
  return {Kontract::Options(), Kontract::Options(list)};
}

template <class Layout>
struct Arrays {
  static constexpr std::size_t scalars = cells * fields * points;

  std::vector<double> data = counted(cells * points, 97), field = counted(scalars, 89),
                      vectors = counted(scalars * dims, 83),
                      matrices = counted(cells * points * dims * dims, 79);
  Placed<double, Layout, Device> data_held{{cells, points}, data},
      field_held{{cells, fields, points}, field},
      vectors_held{{cells, fields, points, dims}, vectors},
      matrices_held{{cells, points, dims, dims}, matrices};

  double dataAt(std::size_t c, std::size_t p) const { return data[c * points + p]; }
};

template <class Held, class Expected>
std::string verdict(Held& out, const Expected& expected) {
  const std::vector<double> found = out.values();
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double right = expected(i);
    if (found[i] == right) continue;
    return "element " + std::to_string(i) + " is " + std::to_string(found[i]) + " instead of " +
           std::to_string(right);
  }
  return out.guardsAreUntouched() ? "" : "memory next to the output changed";
}

template <class Layout>
void checkAll(Teuchos::FancyOStream& out, bool& success) {
  const Arrays<Layout> a;
  constexpr std::size_t scalars = Arrays<Layout>::scalars;
  const auto c_of = [](std::size_t i) { return i / (fields * points); };
  const auto p_of = [](std::size_t i) { return i % points; };
  const auto scaled = [&](std::size_t i) { return a.field[i] * a.dataAt(c_of(i), p_of(i)); };
  for (const Kontract::Options& options : allOptions()) {
    for (const bool copies : {false, true}) {
      Tools tools(chunks(copies));
      Placed<double, Layout, Device> product({cells, fields, points}, nothing(scalars));
      tools.scalarMultiplyDataField(product.template view<3>(), a.data_held.template view<2>(),
                                    a.field_held.template view<3>(), options);
      TEST_EQUALITY_CONST(verdict(product, scaled), "");

      Placed<double, Layout, Device> in_place({cells, fields, points}, a.field);
      tools.scalarMultiplyDataField(in_place.template view<3>(), a.data_held.template view<2>(),
                                    in_place.template view<3>(), options);
      TEST_EQUALITY_CONST(verdict(in_place, scaled), "");

      Placed<double, Layout, Device> images({cells, fields, points, dims}, nothing(scalars * dims));
      tools.matvecProductDataField(images.template view<4>(), a.matrices_held.template view<4>(),
                                   a.vectors_held.template view<4>(), options);
      TEST_EQUALITY_CONST(verdict(images,
                                  [&](std::size_t n) {
                                    const std::size_t i = n / dims, row = n % dims;
                                    const std::size_t at = c_of(i) * points + p_of(i);
                                    double sum = 0;
                                    for (std::size_t d = 0; d < dims; ++d) {
                                      sum += a.matrices[(at * dims + row) * dims + d] *
                                             a.vectors[i * dims + d];
                                    }
                                    return sum;
                                  }),
                          "");

      Placed<double, Layout, Device> sums({cells, fields, fields},
                                          nothing(cells * fields * fields));
      tools.contractFieldFieldScalar(sums.template view<3>(), a.field_held.template view<3>(),
                                     a.field_held.template view<3>(), options);
      TEST_EQUALITY_CONST(verdict(sums,
                                  [&](std::size_t n) {
                                    const std::size_t r = n % fields, l = n / fields % fields;
                                    const std::size_t c = n / fields / fields;
                                    double sum = 0;
                                    for (std::size_t p = 0; p < points; ++p) {
                                      sum += a.field[(c * fields + l) * points + p] *
                                             a.field[(c * fields + r) * points + p];
                                    }
                                    return sum;
                                  }),
                          "");
    }
  }
}

TEUCHOS_UNIT_TEST(StreamingThreads, threadsMayStreamLayoutRightAtOnce) {
  checkAll<Kokkos::LayoutRight>(out, success);
}
TEUCHOS_UNIT_TEST(StreamingThreads, threadsMayStreamLayoutLeftAtOnce) {
  checkAll<Kokkos::LayoutLeft>(out, success);
}

}  // namespace
}  // namespace KontractTest
