// SPDX-License-Identifier: BSD-3-Clause
//
// The register tiles that devices other than NVIDIA's have for fields with fields, run by threads
// of the host: whether they cover all fields and cells, and nothing else, whatever the sizes.

#include <Teuchos_UnitTestHarness.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "detail/algorithms/Kontract_CellTiles.hpp"
#include "detail/dispatch/Kontract_CompiledProblems.hpp"

namespace KontractTest {
namespace {

using namespace Kontract::Impl;

/// Three levels of a sum, none of which merge with others, in arrays with cells side by side.
struct Sizes {
  std::int64_t cells, lefts, rights;
  std::int64_t terms() const { return sum[0] * sum[1] * sum[2]; }
  std::int64_t sum[3] = {2, 3, 2};
};

template <class T>
T valueAt(std::int64_t i) {
  return T(static_cast<float>(i % 7 - 3));  // sums are exact
}

/// An array of cells, fields and terms, with gaps after the cells.
template <class T>
struct Side {
  std::vector<T> values;
  std::int64_t field;
  Side(const Sizes& n, std::int64_t fields) : field(n.cells + 3) {
    values.resize(static_cast<std::size_t>(field * fields * n.terms()));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = valueAt<T>(std::int64_t(i * i));
  }
};

/// \return what is wrong; empty if nothing is
template <int tile, class T>
std::string faultOf(const Sizes& n, bool sum_into) {
  const Side<T> left(n, n.lefts), right(n, n.rights);
  const std::int64_t gap = 2, out_left = n.cells + gap, out_right = out_left * n.lefts;
  ContractionShape s;
  s.cells = n.cells, s.lefts = n.lefts, s.rights = n.rights;
  s.out_cell = s.left_cell = s.right_cell = 1;
  s.out_left = out_left, s.out_right = out_right;
  s.left_field = left.field, s.right_field = right.field;
  s.sum_into = sum_into;
  std::int64_t step = 1;
  for (int i = 2; i >= 0; --i) {  // of fields; the two sides have the levels in other orders
    s.sum[i].extent = n.sum[i];
    s.sum[i].left = step * left.field * n.lefts;
    step *= n.sum[i];
  }
  step = 1;
  for (int i = 0; i < 3; ++i) {
    s.sum[i].right = step * right.field * n.rights;
    step *= n.sum[i];
  }
  const T untouched(1000);
  std::vector<T> out(static_cast<std::size_t>(out_right * n.rights), untouched);
  const PlainContraction<T> problem{s, {out.data()}, {left.values.data()}, {right.values.data()}};
  const TileOfCell<PlainContraction<T>, tile> threads(problem);
  for (std::int64_t i = 0; i < threads.threads(); ++i) threads(i);

  for (std::int64_t at = 0; at < std::int64_t(out.size()); ++at) {
    const std::int64_t c = at % out_left, l = at / out_left % n.lefts, r = at / out_right;
    T expected = untouched;
    if (c < n.cells) {
      if (!sum_into) expected = T(0);
      for (std::int64_t j = 0; j < n.sum[0]; ++j) {
        for (std::int64_t k = 0; k < n.sum[1]; ++k) {
          for (std::int64_t m = 0; m < n.sum[2]; ++m) {
            const auto of_left =
                c + l * left.field + j * s.sum[0].left + k * s.sum[1].left + m * s.sum[2].left;
            const auto of_right =
                c + r * right.field + j * s.sum[0].right + k * s.sum[1].right + m * s.sum[2].right;
            expected += left.values[std::size_t(of_left)] * right.values[std::size_t(of_right)];
          }
        }
      }
    }
    if (out[std::size_t(at)] != expected) {
      return "cell " + std::to_string(c) + ", fields " + std::to_string(l) + ", " +
             std::to_string(r);
    }
  }
  return {};
}

template <int tile, class T>
void checkTiles(bool& success, Teuchos::FancyOStream& out) {
  for (const std::int64_t cells : {1, 63, 64, 65}) {
    for (const std::int64_t lefts : {1, 3, tile - 1, tile, tile + 1, 2 * tile}) {
      for (const std::int64_t rights : {2, tile, 2 * tile + 1}) {
        for (const bool sum_into : {false, true}) {
          const std::string fault = faultOf<tile, T>({cells, lefts, rights}, sum_into);
          if (fault.empty()) continue;
          out << "tiles of " << tile << ", " << cells << " cells, " << lefts << 'x' << rights
              << (sum_into ? ", added: " : ": ") << fault << '\n';
          success = false;
        }
      }
    }
  }
}

TEUCHOS_UNIT_TEST(CellTiles, coverAllOutputs) {
  checkTiles<4, double>(success, out);
  checkTiles<5, float>(success, out);
  checkTiles<7, double>(success, out);
  checkTiles<8, float>(success, out);
  checkTiles<4, Kokkos::complex<double>>(success, out);
}

TEUCHOS_UNIT_TEST(CellTiles, areOfTheSizeThatLeavesLeastOver) {
  const auto tile = [](std::int64_t fields) {
    return CellTiles::tileFor({{1, fields, fields}}, false);
  };
  TEST_EQUALITY(tile(4), 4);
  TEST_EQUALITY(tile(8), 8);
  TEST_EQUALITY(tile(10), 5);
  TEST_EQUALITY(tile(27), 7);
  TEST_EQUALITY(tile(64), 8);
  TEST_EQUALITY(CellTiles::tileFor({{1, 64, 64}}, true), 4);
}

}  // namespace
}  // namespace KontractTest
