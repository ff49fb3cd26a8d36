// SPDX-License-Identifier: BSD-3-Clause
//
// The functions for a caller's own kernel, in all modes, layouts and kinds of memory, against sums
// in long double that know index letters alone; threads of a team are run in both orders.

#include <Teuchos_UnitTestHarness.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "Einstein.hpp"
#include "EndWhereNoDeviceIs.hpp"
#include "Kontract_Team.hpp"
#include "OnHost.hpp"
#include "TeamOfThreads.hpp"

namespace KontractTest {
namespace {

namespace team = Kontract::team;
using Space = Kokkos::DefaultExecutionSpace;
using Member = Kokkos::TeamPolicy<Space>::member_type;

/// Of the cells of an array, by rank of what a cell has.
template <class View>
KOKKOS_INLINE_FUNCTION auto ofCell(const View& all, int c) {
  using Kokkos::ALL;
  if constexpr (View::rank == 1)
    return Kokkos::subview(all, c);
  else if constexpr (View::rank == 2)
    return Kokkos::subview(all, c, ALL);
  else if constexpr (View::rank == 3)
    return Kokkos::subview(all, c, ALL, ALL);
  else if constexpr (View::rank == 4)
    return Kokkos::subview(all, c, ALL, ALL, ALL);
  else
    return Kokkos::subview(all, c, ALL, ALL, ALL, ALL);
}

/// A function of ArrayTools, by its letters.
#define KONTRACT_TEST_TOOL(Struct, function, outs, lefts, rights)            \
  struct Struct {                                                            \
    static constexpr const char* name = #function;                           \
    static constexpr const char *out = outs, *left = lefts, *right = rights; \
    template <class Mode, class... Arguments>                                \
    KOKKOS_INLINE_FUNCTION static void call(const Arguments&... a) {         \
      team::ArrayTools<Mode>::function(a...);                                \
    }                                                                        \
  };
KONTRACT_TEST_TOOL(FieldFieldScalar, contractFieldFieldScalar, "LR", "LP", "RP")
KONTRACT_TEST_TOOL(FieldFieldVector, contractFieldFieldVector, "LR", "LPD", "RPD")
KONTRACT_TEST_TOOL(FieldFieldTensor, contractFieldFieldTensor, "LR", "LPDE", "RPDE")
KONTRACT_TEST_TOOL(DataFieldScalar, contractDataFieldScalar, "R", "P", "RP")
KONTRACT_TEST_TOOL(DataFieldVector, contractDataFieldVector, "R", "PD", "RPD")
KONTRACT_TEST_TOOL(DataFieldTensor, contractDataFieldTensor, "R", "PDE", "RPDE")
KONTRACT_TEST_TOOL(OnePointVector, contractDataFieldVector, "R", "pD", "RPD")
KONTRACT_TEST_TOOL(DataDataScalar, contractDataDataScalar, "", "P", "P")
KONTRACT_TEST_TOOL(DataDataVector, contractDataDataVector, "", "PD", "PD")
KONTRACT_TEST_TOOL(DataDataTensor, contractDataDataTensor, "", "PDE", "PDE")
KONTRACT_TEST_TOOL(ScaleFields, scalarMultiplyDataField, "FP", "P", "FP")
KONTRACT_TEST_TOOL(ScaleVectors, scalarMultiplyDataField, "FPD", "P", "FPD")
KONTRACT_TEST_TOOL(ScaleTensors, scalarMultiplyDataField, "FPDE", "p", "FPDE")
KONTRACT_TEST_TOOL(DotScalars, dotMultiplyDataField, "FP", "P", "FP")
KONTRACT_TEST_TOOL(DotVectors, dotMultiplyDataField, "FP", "PD", "FPD")
KONTRACT_TEST_TOOL(DotTensors, dotMultiplyDataField, "FP", "pDE", "FPDE")
KONTRACT_TEST_TOOL(Outer, outerProductDataField, "FPDE", "PD", "FPE")
KONTRACT_TEST_TOOL(MatvecScalar, matvecProductDataField, "FPD", "P", "FPD")
KONTRACT_TEST_TOOL(MatvecDiagonal, matvecProductDataField, "FPD", "PD", "FPD")
KONTRACT_TEST_TOOL(MatvecFull, matvecProductDataField, "FPD", "PDE", "FPE")
KONTRACT_TEST_TOOL(MatvecTransposed, matvecProductDataField, "FPD", "PED", "FPE")
KONTRACT_TEST_TOOL(MatvecOnePoint, matvecProductDataField, "FPD", "pDE", "FPE")
KONTRACT_TEST_TOOL(MatmatDiagonal, matmatProductDataField, "FPDE", "PD", "FPDE")
KONTRACT_TEST_TOOL(MatmatFull, matmatProductDataField, "FPDE", "PDG", "FPGE")
KONTRACT_TEST_TOOL(MatmatTransposed, matmatProductDataField, "FPDE", "PGD", "FPGE")
KONTRACT_TEST_TOOL(ScalePoints, scalarMultiplyDataData, "PDE", "P", "PDE")
KONTRACT_TEST_TOOL(DotPoints, dotMultiplyDataData, "P", "PD", "PD")
KONTRACT_TEST_TOOL(OuterPoints, outerProductDataData, "PDE", "PD", "PE")
KONTRACT_TEST_TOOL(MatvecPoints, matvecProductDataData, "PD", "pDE", "PE")
KONTRACT_TEST_TOOL(MatmatPoints, matmatProductDataData, "PDE", "PDG", "PGE")
#undef KONTRACT_TEST_TOOL

/// Whether a product takes the matrix transposed, by its letters: the output has the second one.
template <class Tool>
constexpr bool is_transposed =
    Tool::name[0] == 'm' && Tool::left[0] != '\0' && Tool::left[1] != '\0' && Tool::left[2] == 'D';

/// A kernel of a user, in each mode.
template <class Tool, class Out, class Left, class Right>
struct Calls {
  Out out;
  Left left;
  Right right;
  bool sum_into;  ///< of contractions

  KOKKOS_INLINE_FUNCTION void operator()(int c) const { call<team::Serial>(c); }
  template <class Mode>
  KOKKOS_INLINE_FUNCTION void inTeam(const Member& member) const {
    call<Mode>(member.league_rank(), member);
  }

 private:
  template <class Mode, class... MemberIfAny>
  KOKKOS_INLINE_FUNCTION void call(int c, const MemberIfAny&... member) const {
    if constexpr (is_transposed<Tool>) {
      Tool::template call<Mode>(member..., ofCell(out, c), ofCell(left, c), ofCell(right, c), 'T');
    } else if constexpr (Tool::name[0] == 'c' && Tool::name[1] == 'o') {
      Tool::template call<Mode>(member..., ofCell(out, c), ofCell(left, c), ofCell(right, c),
                                sum_into);
    } else {
      Tool::template call<Mode>(member..., ofCell(out, c), ofCell(left, c), ofCell(right, c));
    }
  }
};
template <class Kernel, class Mode>
struct OfTeam {
  Kernel kernel;
  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    kernel.template inTeam<Mode>(member);
  }
};

constexpr int modes = 3;

/// Runs a kernel for all cells in a mode.
template <class Kernel>
void run(const Kernel& kernel, int mode, int cells) {
  constexpr bool on_host = Kontract::Impl::is_host_space<Space>;
  // Teams of several threads where a host has them.
  const int threads = on_host ? std::min(2, int(Space().concurrency())) : 48;
  const int lanes = on_host ? 1 : 2;
  if (mode == 0) {
    Kokkos::parallel_for("serial", Kokkos::RangePolicy<Space>(0, cells), kernel);
  } else if (mode == 1) {
    Kokkos::parallel_for("team", Kokkos::TeamPolicy<Space>(cells, threads, lanes),
                         OfTeam<Kernel, team::Team>{kernel});
  } else {
    Kokkos::parallel_for("team vector", Kokkos::TeamPolicy<Space>(cells, threads, lanes),
                         OfTeam<Kernel, team::TeamVector>{kernel});
  }
  Kokkos::fence();
}

/// An array with an index of cells and others: its memory, and the array in it, which leaves some
/// of it out where it is padded.
template <class T, class Layout, int rank, bool is_padded>
struct CellsOf {
  using Data = std::conditional_t<
      rank == 0, T*,
      std::conditional_t<
          rank == 1, T**,
          std::conditional_t<rank == 2, T***, std::conditional_t<rank == 3, T****, T*****>>>>;
  using Memory = Kokkos::View<Data, Layout, Space>;

  std::string letters;
  Extents extents;
  int cells;
  Memory memory;

  CellsOf(int count, const std::string& of, const Extents& sizes)
      : letters(of),
        extents(sizes),
        cells(count),
        memory(allocated(std::make_index_sequence<rank>())) {}

  template <class Of>
  auto array(const Of& of) const {
    if constexpr (is_padded) {
      return inside(of, std::make_index_sequence<rank>());
    } else {
      return of;
    }
  }
  auto array() const { return array(memory); }

  /// Numbers of all cells, or NaNs; between them there are NaNs.
  template <class Wide>
  void fill(const std::vector<Lettered<Wide>>* numbers) const {
    const auto host = Kokkos::create_mirror_view(memory);
    Kokkos::deep_copy(host, poison<T>());
    const auto elements = array(host);
    for (int c = 0; numbers != nullptr && c < cells; ++c) {
      const Lettered<Wide>& of = (*numbers)[std::size_t(c)];
      forEachElement([&](const Extents& index) {
        elementOf(elements, c, index) = made<T>(of.numbers[of.at(index)]);
      });
    }
    Kokkos::deep_copy(memory, host);
  }

  /// Calls f(index) for all elements of a cell.
  template <class F>
  void forEachElement(const F& f) const {
    std::string upper;
    for (const char letter : letters) {
      if (letter < 'a') upper += letter;
    }
    forEachIndex(upper, extents, f);
  }

  template <class View>
  auto& elementOf(const View& view, int c, const Extents& index) const {
    return elementOf(view, c, index, std::make_index_sequence<rank>());
  }

 private:
  template <std::size_t... I>
  Memory allocated(std::index_sequence<I...>) const {
    constexpr int pad = is_padded ? 2 : 0;
    return Memory("array", std::size_t(cells + pad), std::size_t(extents(letters[I]) + pad)...);
  }
  template <class Of, std::size_t... I>
  auto inside(const Of& of, std::index_sequence<I...>) const {
    return Kokkos::subview(of, std::make_pair(1, 1 + cells),
                           std::make_pair(1, 1 + extents(letters[I]))...);
  }
  template <class View, std::size_t... I>
  auto& elementOf(const View& view, int c, const Extents& index, std::index_sequence<I...>) const {
    return view(c, (letters[I] >= 'a' ? 0 : index(letters[I]))...);
  }
  template <class Scalar, class Wide>
  static Scalar made(const Wide& x) {
    if constexpr (std::is_same_v<Wide, long double>) {
      return ScalarOf<Scalar>::make(double(x), 0);
    } else {
      return ScalarOf<Scalar>::make(double(x.real()), double(x.imag()));
    }
  }
};

constexpr int cells = 3;

template <class T>
std::vector<Lettered<WideOf<T>>> draw(const std::string& letters, const Extents& extents) {
  std::vector<Lettered<WideOf<T>>> drawn;
  for (int c = 0; c < cells; ++c) {
    drawn.emplace_back(letters, extents);
    for (auto& x : drawn.back().numbers) x = ScalarOf<T>::widen(random().value<T>());
  }
  return drawn;
}

constexpr int rankOf(const char* letters) {
  int rank = 0;
  while (letters[rank] != '\0') ++rank;
  return rank;
}

/// Extents by chance, with odd ones and one; dimensions that a product needs to be equal are.
Extents drawExtents() {
  Extents e;
  const int fields[] = {1, 2, 3, 4, 5, 7, 8, 9, 13, 27}, points[] = {1, 2, 3, 4, 6, 8, 11, 27, 64};
  e['L'] = fields[random().below(10)];
  e['R'] = fields[random().below(10)];
  e['F'] = fields[random().below(10)];
  e['P'] = points[random().below(9)];
  e['D'] = e['E'] = e['G'] = 1 + int(random().below(3));
  return e;
}

/// A function in all modes against sums that know letters alone.
template <class Tool, class Out, class Left, class Right, class OutLayout, class LeftLayout,
          class RightLayout, bool is_padded>
void testTool(Teuchos::FancyOStream& log, bool& success) {
  using Wide = WideOf<Out>;
  const Extents e = drawExtents();
  const CellsOf<Out, OutLayout, rankOf(Tool::out), is_padded> out(cells, Tool::out, e);
  const CellsOf<Left, LeftLayout, rankOf(Tool::left), is_padded> left(cells, Tool::left, e);
  const CellsOf<Right, RightLayout, rankOf(Tool::right), is_padded> right(cells, Tool::right, e);
  const auto lefts = draw<Left>(Tool::left, e), before = draw<Left>(Tool::out, e);
  const auto rights = draw<Right>(Tool::right, e);
  left.fill(&lefts);
  right.fill(&rights);
  const bool can_add = Tool::name[0] == 'c' && Tool::name[1] == 'o';
  for (int mode = 0; mode < modes; ++mode) {
    for (const bool sum_into : {false, true}) {
      if (sum_into && !can_add) continue;
      out.fill(sum_into ? &before : nullptr);
      using Kernel =
          Calls<Tool, decltype(out.array()), decltype(left.array()), decltype(right.array())>;
      run(Kernel{out.array(), left.array(), right.array(), sum_into}, mode, cells);
      const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out.memory);
      const auto elements = out.array(host);
      int wrong = 0;
      for (int c = 0; c < cells; ++c) {
        Lettered<Wide> expected(Tool::out, e), magnitude(Tool::out, e);
        if (sum_into) expected = before[std::size_t(c)];
        addProducts(expected, lefts[std::size_t(c)], rights[std::size_t(c)]);
        const int terms = e('P') * e('D') * e('D');
        out.forEachElement([&](const Extents& index) {
          const Wide found = ScalarOf<Out>::widen(out.elementOf(elements, c, index));
          const long double difference = std::abs(found - expected.numbers[expected.at(index)]);
          if (!(difference <= (terms + 2) * (terms + 2) * 4 * roundingOf<Out>())) ++wrong;
        });
      }
      if (wrong > 0) {
        log << Tool::name << " " << Tool::out << " = " << Tool::left << " x " << Tool::right
            << ", mode " << mode << ", L " << e('L') << " R " << e('R') << " F " << e('F') << " P "
            << e('P') << " D " << e('D') << (is_padded ? ", padded" : "") << ": " << wrong
            << " wrong\n";
        success = false;
      }
    }
  }
}

using Right = Kokkos::LayoutRight;
using Left = Kokkos::LayoutLeft;

template <class Tool>
void testLayouts(Teuchos::FancyOStream& log, bool& success) {
  for (int repeat = 0; repeat < 6; ++repeat) {
    testTool<Tool, double, double, double, Right, Right, Right, false>(log, success);
    testTool<Tool, double, double, double, Left, Left, Left, false>(log, success);
    testTool<Tool, double, double, double, Left, Right, Left, true>(log, success);
  }
}
template <class Tool>
void testScalars(Teuchos::FancyOStream& log, bool& success) {
  using Complex = Kokkos::complex<double>;
  for (int repeat = 0; repeat < 6; ++repeat) {
    testTool<Tool, float, float, float, Right, Right, Right, false>(log, success);
    testTool<Tool, Complex, Complex, Complex, Right, Right, Left, false>(log, success);
    testTool<Tool, float, double, float, Right, Right, Right, false>(log, success);
    testTool<Tool, int, int, int, Right, Left, Right, true>(log, success);
  }
}

TEUCHOS_UNIT_TEST(TeamTools, contractions) {
  testLayouts<FieldFieldScalar>(out, success);
  testLayouts<FieldFieldVector>(out, success);
  testLayouts<FieldFieldTensor>(out, success);
  testLayouts<DataFieldScalar>(out, success);
  testLayouts<DataFieldVector>(out, success);
  testLayouts<DataFieldTensor>(out, success);
  testLayouts<OnePointVector>(out, success);
  testLayouts<DataDataScalar>(out, success);
  testLayouts<DataDataVector>(out, success);
  testLayouts<DataDataTensor>(out, success);
  testScalars<FieldFieldVector>(out, success);
  testScalars<DataFieldTensor>(out, success);
}

/// Cells may have no fields, on one side or both, and no terms.
TEUCHOS_UNIT_TEST(TeamTools, scratchOfNothing) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  for (const std::int64_t lefts : {0, 1, 27}) {
    for (const std::int64_t rights : {0, 1, 27}) {
      for (const std::int64_t terms : {0, 8, 100000}) {
        using Tools = Kontract::team::ArrayTools<Kontract::team::Serial>;
        TEST_COMPARE((Tools::scratchExtent<Space, double>(lefts, rights, terms)), >=, 0);
        TEST_COMPARE((Tools::scratchExtent<Space, float>(lefts, rights, terms)), >=, 0);
      }
    }
  }
}

TEUCHOS_UNIT_TEST(TeamTools, products) {
  testLayouts<ScaleFields>(out, success);
  testLayouts<ScaleVectors>(out, success);
  testLayouts<ScaleTensors>(out, success);
  testLayouts<DotScalars>(out, success);
  testLayouts<DotVectors>(out, success);
  testLayouts<DotTensors>(out, success);
  testLayouts<Outer>(out, success);
  testLayouts<MatvecScalar>(out, success);
  testLayouts<MatvecDiagonal>(out, success);
  testLayouts<MatvecFull>(out, success);
  testLayouts<MatvecTransposed>(out, success);
  testLayouts<MatvecOnePoint>(out, success);
  testLayouts<MatmatDiagonal>(out, success);
  testLayouts<MatmatFull>(out, success);
  testLayouts<MatmatTransposed>(out, success);
  testLayouts<ScalePoints>(out, success);
  testLayouts<DotPoints>(out, success);
  testLayouts<OuterPoints>(out, success);
  testLayouts<MatvecPoints>(out, success);
  testLayouts<MatmatPoints>(out, success);
  testScalars<MatvecTransposed>(out, success);
  testScalars<MatmatFull>(out, success);
}

}  // namespace
}  // namespace KontractTest
