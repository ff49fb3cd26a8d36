// SPDX-License-Identifier: BSD-3-Clause
//
// The register tiles that devices have for fields with fields where cells are neighbours in memory,
// run by threads of the host: whether they cover all fields and cells, once, and nothing else,
// whatever the sizes; and which tile is taken.

#include <Teuchos_UnitTestHarness.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "H200.hpp"
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
template <int tile_lefts, int tile_rights, int cells_side_by_side, class T>
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
  const TileOfCell<PlainContraction<T>, tile_lefts, tile_rights, cells_side_by_side> threads(
      problem);
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

template <int tile_lefts, int tile_rights, int cells_side_by_side, class T>
void checkTiles(bool& success, Teuchos::FancyOStream& out) {
  for (const std::int64_t cells : {1, 31, 32, 63, 64, 65}) {
    for (const std::int64_t lefts : {tile_lefts, tile_lefts + 1, 2 * tile_lefts}) {
      for (const std::int64_t rights : {tile_rights, 2 * tile_rights + 1, 3 * tile_rights - 1}) {
        for (const bool sum_into : {false, true}) {
          const std::string fault = faultOf<tile_lefts, tile_rights, cells_side_by_side, T>(
              {cells, lefts, rights}, sum_into);
          if (fault.empty()) continue;
          out << "tiles of " << tile_lefts << 'x' << tile_rights << ", " << cells << " cells, "
              << lefts << 'x' << rights << (sum_into ? ", added: " : ": ") << fault << '\n';
          success = false;
        }
      }
    }
  }
}

TEUCHOS_UNIT_TEST(CellTiles, coverAllOutputs) {
  checkTiles<2, 2, 32, double>(success, out);
  checkTiles<4, 4, 32, double>(success, out);
  checkTiles<5, 5, 64, float>(success, out);
  checkTiles<6, 3, 32, double>(success, out);
  checkTiles<3, 6, 64, float>(success, out);
  checkTiles<8, 8, 32, float>(success, out);
  checkTiles<2, 6, 32, Kokkos::complex<double>>(success, out);
}

/// The tile for so many fields of many cells.
std::string tileFor(std::int64_t lefts, std::int64_t rights, bool is_complex = false) {
  Work work = workOf(Shape{100000, lefts, rights, 24, true}, is_complex ? 16 : 8, false);
  work.is_complex = is_complex;
  const CellTiles::Tile tile = CellTiles::tiles[CellTiles::choose(work, h200()).place];
  return std::to_string(tile.lefts) + " x " + std::to_string(tile.rights);
}

TEUCHOS_UNIT_TEST(CellTiles, areThoseThatFieldsFill) {
  TEST_EQUALITY(tileFor(2, 2), "2 x 2");
  TEST_EQUALITY(tileFor(3, 3), "3 x 3");
  TEST_EQUALITY(tileFor(4, 4), "4 x 4");
  TEST_EQUALITY(tileFor(10, 10), "5 x 5");
  TEST_EQUALITY(tileFor(2, 24), "2 x 6");
  TEST_EQUALITY(tileFor(24, 3), "6 x 3");
  TEST_EQUALITY(tileFor(64, 64), "8 x 8");
}

TEUCHOS_UNIT_TEST(CellTiles, areNeverLargerThanTheFields) {
  for (std::int64_t lefts = 2; lefts <= 9; ++lefts) {
    for (std::int64_t rights = 2; rights <= 9; ++rights) {
      for (const bool is_complex : {false, true}) {
        Work work = workOf(Shape{1000, lefts, rights, 8, true}, is_complex ? 16 : 8, false);
        work.is_complex = is_complex;
        TEST_ASSERT(CellTiles::applies(work, h200()));
        const auto tile = CellTiles::tiles[CellTiles::choose(work, h200()).place];
        TEST_ASSERT(tile.lefts <= lefts && tile.rights <= rights);
        // Complex sums take two registers each, or four.
        if (is_complex) TEST_COMPARE(tile.lefts * tile.rights, <=, 18);
      }
    }
  }
  TEST_ASSERT(CellTiles::applies(workOf(Shape{1000, 4, 4, 1, true}, 8, false), h200()));
  TEST_ASSERT(!CellTiles::applies(workOf(Shape{1000, 4, 4, 1, false}, 8, false), h200()));
  TEST_ASSERT(!CellTiles::applies(workOf(Shape{1000, 1, 8, 8, true}, 8, false), h200()));
  TEST_ASSERT(!CellTiles::applies(workOf(Shape{1000, 8, 8, 8, false}, 8, false), h200()));
}

}  // namespace
}  // namespace KontractTest
