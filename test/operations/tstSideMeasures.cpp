// SPDX-License-Identifier: BSD-3-Clause
//
// Measures of faces and edges against plain loops: normals and tangents from the Jacobians and the
// vertices of reference cells. All layouts, kinds of views and scalars, Fad types among them; wrong
// calls, above all wrong scratch memory, are refused before anything is written.

#include "FadArrays.hpp"

// Kontract after Sacado.
#include <Shards_BasicTopologies.hpp>
#include <Shards_CellTopology.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <limits>
#include <sstream>

#include "Kontract_FunctionSpaceTools.hpp"
#include "Marked.hpp"
#include "Placed.hpp"
#include "Runner.hpp"
#include "SideTables.hpp"

namespace KontractTest {
namespace {

using L = Kokkos::LayoutLeft;
using R = Kokkos::LayoutRight;
using S = Kokkos::LayoutStride;

template <class Topology>
shards::CellTopology topologyOf() {
  return shards::CellTopology(shards::getCellTopologyData<Topology>());
}

struct Cell {
  shards::CellTopology topology;
  ReferenceSides sides;
};

std::vector<Cell> cellsOfEveryKind() {
  return {{topologyOf<shards::Triangle<3>>(), triangleSides()},
          {topologyOf<shards::Quadrilateral<4>>(), quadrilateralSides()},
          {topologyOf<shards::Tetrahedron<4>>(), tetrahedronSides()},
          {topologyOf<shards::Hexahedron<8>>(), hexahedronSides()},
          {topologyOf<shards::Hexahedron<27>>(), hexahedronSides()},
          {topologyOf<shards::Wedge<6>>(), wedgeSides()}};
}

using std::sqrt;
/// The root of a value with derivatives, by the chain rule.
Dual sqrt(const Dual& x) {
  Dual root(std::sqrt(x.value));
  for (int i = 0; i < Dual::derivatives; ++i) root.dx[i] = x.dx[i] / (2 * root.value);
  return root;
}

/// |normal| or |tangent| times weight; T has +, -, * and a square root.
template <class T>
std::vector<T> expectedMeasures(const ReferenceSides& cell, const std::vector<int>& side,
                                std::size_t cells, std::size_t points,
                                const std::vector<T>& jacobians, const std::vector<T>& weights) {
  const std::vector<Point3> tangents = cell.tangents(side);
  const std::size_t dims = cell.dimension;
  std::vector<T> measures;
  for (std::size_t c = 0; c < cells; ++c) {
    for (std::size_t p = 0; p < points; ++p) {
      std::vector<std::array<T, 3>> physical;
      for (const Point3& tangent : tangents) {
        physical.push_back({T(0), T(0), T(0)});
        for (std::size_t i = 0; i < dims; ++i) {
          for (std::size_t j = 0; j < dims; ++j) {
            physical.back()[i] +=
                jacobians[((c * points + p) * dims + i) * dims + j] * T(tangent[j]);
          }
        }
      }
      std::array<T, 3> vector = physical[0];
      if (physical.size() == 2) {
        const auto &u = physical[0], &v = physical[1];
        for (int i = 0; i < 3; ++i) {
          const int j = (i + 1) % 3, k = (i + 2) % 3;
          vector[i] = u[j] * v[k] - u[k] * v[j];
        }
      }
      T square(0);
      for (const T& x : vector) square += x * x;
      measures.push_back(sqrt(square) * weights[p]);
    }
  }
  return measures;
}

template <class T>
std::vector<T> randomValues(std::size_t count) {
  std::vector<T> values(count);
  for (T& x : values) x = random().real();
  return values;
}

/// Faces or edges.
template <class Tools, class... Arguments>
void measureSide(bool is_face, const Arguments&... arguments) {
  if (is_face) {
    Tools::computeFaceMeasure(arguments...);
  } else {
    Tools::computeEdgeMeasure(arguments...);
  }
}

/// Calls f(cell, side, its vertices, whether it is a face) for all sides of all cells.
template <class F>
void forEachSide(F&& f) {
  for (const Cell& cell : cellsOfEveryKind()) {
    for (const bool is_face : {true, false}) {
      const auto& sides = is_face ? cell.sides.faces : cell.sides.edges;
      for (std::size_t i = 0; i < sides.size(); ++i) {
        f(cell, static_cast<int>(i), sides[i], is_face);
      }
    }
  }
}

/// All sides of all cells, with these layouts and scalars.
template <class T, class OutLayout, class JacobianLayout, class WeightsLayout, bool dyn_rank>
void runSides(Tally& tally) {
  constexpr std::size_t sizes[][2] = {{3, 4}, {1, 5}, {2, 1}, {1, 1}, {0, 4}, {3, 0}, {0, 0}};
  constexpr std::size_t unused = 3;
  const T nan = std::numeric_limits<T>::quiet_NaN();
  forEachSpace([&](auto space) {
    using Device = typename decltype(space)::device_type;
    using Tools = Kontract::FunctionSpaceTools<Device>;
    forEachSide([&](const Cell& cell, int side, const auto& vertices, bool is_face) {
      const std::size_t d = cell.sides.dimension;
      for (const auto& [c, p] : sizes) {
        const auto jacobians = randomValues<T>(c * p * d * d), weights = randomValues<T>(p);
        Placed<T, JacobianLayout, Device> jacobian({c, p, d, d}, jacobians);
        Placed<T, WeightsLayout, Device> weight({p}, weights);
        Placed<T, OutLayout, Device> out({c, p}, std::vector<T>(c * p, nan));
        const std::size_t needed = c * p * d;
        Placed<T, R, Device> scratch({needed + unused}, std::vector<T>(needed + unused, nan));
        std::string wrong;
        try {
          if constexpr (dyn_rank) {
            measureSide<Tools>(is_face, out.dynRankView(), jacobian.dynRankView(),
                               weight.dynRankView(), side, cell.topology, scratch.dynRankView());
          } else {
            measureSide<Tools>(is_face, out.template view<2>(), jacobian.template constView<4>(),
                               weight.template constView<1>(), side, cell.topology,
                               scratch.template view<1>());
          }
          Kokkos::fence();
        } catch (const std::exception& refusal) {
          wrong = refusal.what();
        }
        const auto found = out.values();
        const auto expected = expectedMeasures<T>(cell.sides, vertices, c, p, jacobians, weights);
        for (std::size_t i = 0; i < found.size() && wrong.empty(); ++i) {
          const T tolerance = 100 * std::numeric_limits<T>::epsilon();
          if (std::abs(found[i] - expected[i]) <= tolerance) continue;  // false for NaN
          wrong = "element " + std::to_string(i) + " is " + std::to_string(found[i]) +
                  " instead of " + std::to_string(expected[i]);
        }
        if (wrong.empty() && !out.guardsAreUntouched()) wrong = "memory next to the output changed";
        const auto now = scratch.values();
        if (wrong.empty() && !scratch.guardsAreUntouched()) {
          wrong = "memory next to the scratch changed";
        }
        for (std::size_t i = needed; i < now.size() && wrong.empty(); ++i) {
          if (now[i] == now[i]) wrong = "scratch that is not needed changed";
        }
        if (wrong.empty() && !jacobian.isUntouched()) wrong = "the Jacobians changed";
        if (wrong.empty() && !weight.isUntouched()) wrong = "the weights changed";
        tally.add(std::string(cell.topology.getName()) + (is_face ? ", face " : ", edge ") +
                      std::to_string(side) + ", C=" + std::to_string(c) +
                      ", P=" + std::to_string(p),
                  wrong);
      }
    });
  });
}

#define KONTRACT_TEST_SIDES(NAME, T, OUT, JACOBIAN, WEIGHTS, DYN_RANK) \
  TEUCHOS_UNIT_TEST(SideMeasures, NAME) {                              \
    Tally tally(out);                                                  \
    runSides<T, OUT, JACOBIAN, WEIGHTS, DYN_RANK>(tally);              \
    TEST_ASSERT(tally.checks() > 300);                                 \
    TEST_EQUALITY_CONST(tally.failures(), 0);                          \
  }
KONTRACT_TEST_SIDES(rightDynRankViews, double, R, R, R, true)
KONTRACT_TEST_SIDES(rightViews, double, R, R, R, false)
KONTRACT_TEST_SIDES(leftDynRankViews, double, L, L, L, true)
KONTRACT_TEST_SIDES(stridedViews, double, S, S, S, false)
KONTRACT_TEST_SIDES(stridedDynRankViews, double, S, S, S, true)
KONTRACT_TEST_SIDES(leftRightStrideOfFloat, float, L, R, S, false)
KONTRACT_TEST_SIDES(strideLeftRightOfFloat, float, S, L, R, true)
KONTRACT_TEST_SIDES(rightStrideLeft, double, R, S, L, false)

using Space = Kokkos::DefaultHostExecutionSpace;
using Device = Space::device_type;
using Tools = Kontract::FunctionSpaceTools<Device>;

/// Arrays of a call on a hexahedron that is to be refused, full of marks, and what it needs.
struct Spoilt {
  std::size_t c, p, d = 3;
  MarkedArray out = marked(c, p), jacobian = marked(c, p, d, d), weights = marked(p),
              scratch = marked(c * p * d);

  Spoilt(std::size_t cells, std::size_t points) : c(cells), p(points) {}

  /// Makes both calls with these arrays.
  /// \return empty if each was refused with that text, in its own name, and no array was written
  template <class Out, class Jacobian, class Weights, class Scratch>
  std::string refusesBoth(const std::string& text, const Out& output, const Jacobian& jac,
                          const Weights& weight, const Scratch& memory) const {
    for (const bool is_face : {true, false}) {
      const Refusal refusal = refusalOf([&] {
        measureSide<Tools>(is_face, output, jac, weight, 0, topologyOf<shards::Hexahedron<8>>(),
                           memory);
      });
      const std::string name = is_face ? "computeFaceMeasure" : "computeEdgeMeasure";
      if (!refusal.says("Kontract::" + name + ": ")) return name + ": " + refusal.text;
      if (!refusal.says(text)) return "it says: " + refusal.text;
      for (const MarkedArray& array : {out, jacobian, weights, scratch}) {
        if (!isMarked(array)) return name + " wrote";
      }
    }
    return "";
  }
};

TEUCHOS_UNIT_TEST(SideMeasures, outputsOverInputsAreRefused) {
  // Over the weights with one cell, where all positions agree.
  for (const std::size_t p : {4, 1}) {
    const Spoilt one(1, p);
    const MarkedArray over_weights(one.weights.data(), 1, p);
    TEST_EQUALITY(one.refusesBoth("overlaps inputWeights: the output of this operation must not",
                                  over_weights, one.jacobian, one.weights, one.scratch),
                  "");
  }
  const Spoilt many(3, 4);
  const MarkedArray part(many.out.data(), 4);
  TEST_EQUALITY(
      many.refusesBoth("overlaps inputWeights", many.out, many.jacobian, part, many.scratch), "");
  const MarkedArray over_jacobian(many.jacobian.data() + 5, 3, 4);
  TEST_EQUALITY(many.refusesBoth("overlaps inputJac", over_jacobian, many.jacobian, many.weights,
                                 many.scratch),
                "");
}

TEUCHOS_UNIT_TEST(SideMeasures, scratchOfWrongShapeIsRefused) {
  const Spoilt call(2, 4);
  const auto refuses = [&](const std::string& text, const auto& scratch) {
    return call.refusesBoth(text, call.out, call.jacobian, call.weights, scratch);
  };
  // As many elements as are needed, but not side by side: neighbours would be overwritten.
  const MarkedArray memory = marked(200);
  using Strided = Kokkos::View<double*, S, Device>;
  TEST_EQUALITY(refuses("scratch is (24) with stride 2", Strided(memory.data(), S(24, 2))), "");
  TEST_EQUALITY(refuses("scratch is (24) with stride 0", Strided(memory.data(), S(24, 0))), "");
  TEST_EQUALITY(refuses("scratch is (24) but its data() is null: it needs memory",
                        Kokkos::View<double*, R, Device>(nullptr, 24)),
                "");
  // A span that is long enough, by strides.
  TEST_EQUALITY(refuses("24 elements (C P D) at least", Strided(memory.data(), S(6, 8))), "");
  const auto column =
      Kokkos::subview(Kokkos::View<double**, R, Device>(memory.data(), 40, 5), Kokkos::ALL(), 1);
  TEST_EQUALITY(refuses("scratch is (40) with stride 5", column), "");
  const auto dynamic = Kokkos::subdynrankview(MarkedArray(memory.data(), 40, 5), Kokkos::ALL(), 1);
  TEST_EQUALITY(refuses("scratch is (40) with stride 5", dynamic), "");
  // Too few, none at all, another rank.
  TEST_EQUALITY(refuses("scratch is (23), but it must have rank 1 and 24 elements", marked(23)),
                "");
  TEST_EQUALITY(refuses("scratch is (0), but", marked(0)), "");
  TEST_EQUALITY(refuses("rank 1 and 24 elements", MarkedArray()), "");
  TEST_EQUALITY(refuses("scratch is (8, 3), but it must have rank 1", marked(8, 3)), "");
  TEST_ASSERT(isMarked(memory));
  // A strided view of elements side by side is none.
  const Kokkos::View<double*, S, Device> dense(memory.data(), S(24, 1));
  Tools::computeFaceMeasure(call.out, call.jacobian, call.weights, 0,
                            topologyOf<shards::Hexahedron<8>>(), dense);
  TEST_ASSERT(!isMarked(call.out));
}

TEUCHOS_UNIT_TEST(SideMeasures, scratchOutOfReachIsRefused) {
  using namespace Kontract::Impl;
  const auto of = [](const MarkedArray& array) { return Kontract::Impl::describe<Space>(array); };
  ArrayDescription scratch = of(marked(24));
  const auto refusal = [&] {
    return refusalOf([&] {
      checkScratch(signatureOf(Function::computeFaceMeasure), 24, scratch, of(marked(2, 4)),
                   of(marked(2, 4, 3, 3)), of(marked(4)));
    });
  };
  TEST_EQUALITY(refusal().text, "no exception");
  scratch.is_reachable = false;
  TEST_ASSERT(refusal().says("Kontract::computeFaceMeasure: scratch is (24), in a memory space"));
}

TEUCHOS_UNIT_TEST(SideMeasures, scratchOverOtherArraysIsRefused) {
  const Spoilt call(2, 4);
  const auto refuses = [&](const std::string& text, const MarkedArray& scratch) {
    return call.refusesBoth(text, call.out, call.jacobian, call.weights, scratch);
  };
  const MarkedArray jacobian(call.jacobian.data() + 3, 24);
  TEST_EQUALITY(refuses("scratch is (24) and overlaps inputJac", jacobian), "");
  const MarkedArray memory = marked(60);
  const MarkedArray scratch(memory.data() + 8, 24);
  // Its first and its last element under an output and under weights.
  const MarkedArray out_before(memory.data() + 1, 2, 4), out_behind(memory.data() + 31, 2, 4);
  const MarkedArray weights_before(memory.data() + 5, 4), weights_behind(memory.data() + 31, 4);
  for (const MarkedArray& out_there : {out_before, out_behind}) {
    TEST_EQUALITY(call.refusesBoth("scratch is (24) and overlaps outputVals", out_there,
                                   call.jacobian, call.weights, scratch),
                  "");
  }
  for (const MarkedArray& weights : {weights_before, weights_behind}) {
    TEST_EQUALITY(call.refusesBoth("scratch is (24) and overlaps inputWeights", call.out,
                                   call.jacobian, weights, scratch),
                  "");
  }
  TEST_ASSERT(isMarked(memory));
  // What is behind the elements that are needed is free.
  const MarkedArray all(memory.data(), 60), out_at_end(memory.data() + 24, 2, 4);
  Tools::computeEdgeMeasure(out_at_end, call.jacobian, call.weights, 0,
                            topologyOf<shards::Hexahedron<8>>(), all);
  TEST_ASSERT(memory.data()[31] != mark);
  TEST_EQUALITY(memory.data()[32], mark);
}

TEUCHOS_UNIT_TEST(SideMeasures, otherArgumentsAreChecked) {
  const Spoilt call(2, 4);
  const auto hexahedron = topologyOf<shards::Hexahedron<8>>();
  const auto refusal = [&](const shards::CellTopology& cell, int side, bool is_face,
                           std::size_t d) {
    return refusalOf([&] {
      measureSide<Tools>(is_face, call.out, marked(2, 4, d, d), call.weights, side, cell,
                         marked(2 * 4 * d));
    });
  };
  TEST_ASSERT(refusal(hexahedron, 6, true, 3).says("there is no side 6"));
  TEST_ASSERT(refusal(hexahedron, -1, false, 3).says("there is no side -1"));
  TEST_ASSERT(refusal(hexahedron, 0, false, 2).says("inputJac has dimension 2"));
  TEST_ASSERT(refusal(topologyOf<shards::Triangle<3>>(), 0, true, 2).says("no faces"));
  // Cells whose sides Intrepid2 has no maps for.
  TEST_ASSERT(refusal(topologyOf<shards::Line<2>>(), 0, false, 1)
                  .says("Kontract::computeEdgeMeasure: parentCell is Line_2"));
  TEST_ASSERT(refusal(topologyOf<shards::ShellQuadrilateral<4>>(), 0, true, 3)
                  .says("Kontract::computeFaceMeasure: parentCell is ShellQuadrilateral_4"));
  TEST_ASSERT(isMarked(call.out));
}

/// Options that the last of its operations refuses leave the output alone, too.
TEUCHOS_UNIT_TEST(SideMeasures, defaultOptionsAreCheckedFirst) {
  const Spoilt call(2, 4);
  const Kontract::Options before = Kontract::defaultOptions();
  Teuchos::ParameterList list("Kontract");
  list.set("Algorithm", "Team Reduction");
  Kontract::setDefaultOptions(Kontract::Options(list));
  const Refusal refusal = refusalOf([&] {
    Tools::computeFaceMeasure(call.out, call.jacobian, call.weights, 0,
                              topologyOf<shards::Hexahedron<8>>(), call.scratch);
  });
  Kontract::setDefaultOptions(before);
  TEST_ASSERT(refusal.says("Team Reduction"));
  TEST_ASSERT(isMarked(call.out));
  TEST_ASSERT(isMarked(call.scratch));
}

/// Arrays of a call with Fads on one face, and what it is to give.
template <class Fad, class Jacobian, class Weight, class Layout>
struct FadCall {
  static constexpr std::size_t c = 2, p = 3, d = 3;
  Array<Dual> jacobian_duals{"CPDE", {c, p, d, d}}, weight_duals{"P", {p}}, expected{"CP", {c, p}},
      nans{"CP", {c, p}};
  Kokkos::DynRankView<Fad, Layout, Device> out;
  Kokkos::DynRankView<Jacobian, Layout, Device> jacobian;
  Kokkos::DynRankView<Weight, Layout, Device> weights;

  /// \param derivatives  of the Jacobians, if they are Fads
  explicit FadCall(bool is_face, int derivatives = Dual::derivatives)
      : out(makeDynRankView<Fad, Layout, Device>({c, p}, Dual::derivatives)),
        jacobian(makeDynRankView<Jacobian, Layout, Device>({c, p, d, d}, derivatives)),
        weights(makeDynRankView<Weight, Layout, Device>({p}, Dual::derivatives)) {
    std::size_t n = 0;
    for (Dual& dual : jacobian_duals.values()) {
      const bool on_diagonal = n++ % (d * d) % (d + 1) == 0;
      dual = randomDual(is_fad<Jacobian> ? derivatives : 0, on_diagonal ? 3 : 0);
    }
    for (Dual& dual : weight_duals.values()) {
      dual = randomDual(is_fad<Weight> ? Dual::derivatives : 0, 0);
    }
    for (Dual& dual : nans.values()) {
      dual.value = std::numeric_limits<double>::quiet_NaN();
      dual.dx.fill(dual.value);
    }
    const ReferenceSides hexahedron = hexahedronSides();
    expected.values() =
        expectedMeasures<Dual>(hexahedron, is_face ? hexahedron.faces[1] : hexahedron.edges[1], c,
                               p, jacobian_duals.values(), weight_duals.values());
    fill(out, nans);
    fill(jacobian, jacobian_duals);
    fill(weights, weight_duals);
  }

  static Dual randomDual(int derivatives, double shift) {
    Dual dual(shift + random().real());
    for (int i = 0; i < derivatives; ++i) dual.dx[i] = random().real();
    return dual;
  }

  template <class Scratch>
  Refusal make(bool is_face, const Scratch& scratch) const {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    writeElements(scratch, {scratch.extent(0)}, [&](std::size_t, auto& element) {
      if constexpr (is_fad<typename Scratch::non_const_value_type>) {
        element.val() = nan;
        for (int i = 0; i < element.size(); ++i) element.fastAccessDx(i) = nan;
      } else {
        element = nan;
      }
    });
    return refusalOf([&] {
      measureSide<Tools>(is_face, out, jacobian, weights, 1, topologyOf<shards::Hexahedron<8>>(),
                         scratch);
    });
  }
};

template <class Fad, class Jacobian, class Weight, class Layout>
void runFads(Tally& tally) {
  using Call = FadCall<Fad, Jacobian, Weight, Layout>;
  for (const bool is_face : {true, false}) {
    for (const std::size_t unused : {0, 2}) {
      const Call call(is_face);
      const std::size_t size = Call::c * Call::p * Call::d + unused;
      // Its neighbours in one piece of memory stay as they are.
      const std::size_t scalars = size * (Dual::derivatives + 1), margin = 7;
      Placed<double, R, Device> memory({scalars + 2 * margin},
                                       std::vector<double>(scalars + 2 * margin, 5));
      Layout layout = fadLayout<Layout>({size}, Dual::derivatives + 1);
      const Kokkos::DynRankView<Fad, Layout, Device> scratch(memory.dynRankView().data() + margin,
                                                             layout);
      const Refusal refusal = call.make(is_face, scratch);
      std::string wrong = refusal.text == "no exception"
                              ? compareFads(call.out, call.expected, 1e-12)
                              : refusal.text;
      const auto now = memory.values();
      for (std::size_t i = 0; i < margin && wrong.empty(); ++i) {
        if (now[i] != 5 || now[now.size() - 1 - i] != 5)
          wrong = "memory next to the scratch changed";
      }
      tally.add(is_face ? "face" : "edge", wrong);
    }
  }
}

template <class Fad>
void runFadsOf(Tally& tally) {
  runFads<Fad, Fad, double, R>(tally);
  runFads<Fad, Fad, Fad, R>(tally);
  runFads<Fad, Fad, double, L>(tally);
  runFads<Fad, double, Fad, R>(tally);
}

TEUCHOS_UNIT_TEST(SideMeasures, measuresOfFadsAreRight) {
  Tally tally(out);
  runFadsOf<Sacado::Fad::DFad<double>>(tally);
  runFadsOf<Sacado::Fad::SLFad<double, 5>>(tally);
  runFadsOf<Sacado::Fad::SFad<double, 3>>(tally);
  TEST_ASSERT(tally.checks() >= 48);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

/// Scratch with other derivatives than the output would cut them or be written beyond its end.
TEUCHOS_UNIT_TEST(SideMeasures, scratchWithOtherDerivativesIsRefused) {
  using Fad = Sacado::Fad::DFad<double>;
  using Call = FadCall<Fad, Fad, double, R>;
  const std::size_t size = Call::c * Call::p * Call::d;
  for (const bool is_face : {true, false}) {
    for (const int derivatives : {0, 1, 2, 4}) {
      const Call call(is_face);
      const auto scratch = makeDynRankView<Fad, R, Device>({size}, derivatives);
      const Refusal refusal = call.make(is_face, scratch);
      out << "\n" << refusal.text;
      TEST_ASSERT(refusal.says("scratch is (18) with " + std::to_string(derivatives) +
                               " derivatives but outputVals is (2, 3) with 3: the numbers of "
                               "derivatives must agree"));
      TEST_ASSERT(compareFads(call.out, call.expected, 1e-12) != "");
      TEST_ASSERT(std::isnan(call.out(0, 0).val()));
      TEST_ASSERT(std::isnan(scratch(0).val()));
    }
    // Jacobians without derivatives are constants, with any scratch that fits the output.
    for (const int derivatives : {0, Dual::derivatives}) {
      const Call constant(is_face, 0);
      TEST_EQUALITY(
          constant.make(is_face, makeDynRankView<Fad, R, Device>({size}, derivatives)).text,
          "no exception");
      TEST_EQUALITY(compareFads(constant.out, constant.expected, 1e-12), "");
    }
    const Call constant(is_face, 0);
    TEST_ASSERT(constant.make(is_face, makeDynRankView<Fad, R, Device>({size}, 2))
                    .says("the numbers of derivatives must agree"));
    const FadCall<Fad, double, double, R> plain(is_face);
    TEST_EQUALITY(plain.make(is_face, makeDynRankView<double, R, Device>({size}, 0)).text,
                  "no exception");
    TEST_EQUALITY(compareFads(plain.out, plain.expected, 1e-12), "");
    // Side by side is meant of derivatives, too.
    const Call call(is_face);
    const Kokkos::View<Fad**, R, Device> pairs("pairs", size, 2, Dual::derivatives + 1);
    const auto column = Kokkos::subview(pairs, Kokkos::ALL(), 1);
    TEST_ASSERT(call.make(is_face, column).says("scratch is (18) with stride"));
    const Kokkos::View<Fad*, L, Device> twice("twice", 2 * size, Dual::derivatives + 1);
    const auto half = Kokkos::subview(twice, std::make_pair(std::size_t(0), size));
    TEST_ASSERT(call.make(is_face, half).says("scratch is (18) with"));
    TEST_ASSERT(std::isnan(call.out(0, 0).val()));
  }
}

}  // namespace
}  // namespace KontractTest
