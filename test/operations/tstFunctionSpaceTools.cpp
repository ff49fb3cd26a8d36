// SPDX-License-Identifier: BSD-3-Clause
//
// Every function of FunctionSpaceTools against its formula in plain loops, in all layouts; outputs
// begin as NaN where they are overwritten.

#include <Kokkos_Core.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <functional>
#include <limits>
#include <sstream>

#include "Array.hpp"
#include "Kontract_FunctionSpaceTools.hpp"
#include "Placed.hpp"
#include "Runner.hpp"

namespace KontractTest {
namespace {

using Numbers = Array<double>;
using Inputs = std::vector<Numbers>;
using Formula = std::function<double(const Place&, double before, const Inputs&)>;

/// Cells, fields (left, right), points, dimensions.
struct Extents {
  std::size_t c, f, r, p, d, e;

  std::size_t of(char letter) const {
    switch (letter) {
      case 'C': return c;
      case 'R': return r;
      case 'P': return p;
      case 'Q': return 1;
      case 'D': return d;
      case 'E': return e;
      default: return f;
    }
  }
  std::vector<std::size_t> of(const std::string& letters) const {
    std::vector<std::size_t> extents;
    for (const char letter : letters) extents.push_back(of(letter));
    return extents;
  }
};

constexpr Extents several[] = {{4, 3, 5, 7, 3, 3},
                               {5, 2, 3, 6, 2, 2},
                               {1, 1, 1, 1, 1, 1},
                               {3, 8, 8, 27, 3, 3},
                               {9, 13, 4, 1, 2, 2}};

Numbers randomNumbers(const std::string& letters, const Extents& extents) {
  Numbers numbers(letters, extents.of(letters));
  for (double& x : numbers.values()) x = random().real();
  return numbers;
}

/// What a formula leaves at every place of an output.
std::vector<double> expected(const Numbers& before, const Inputs& inputs, const Formula& formula) {
  Numbers out = before;
  forEachPlace(out, [&](const Place& at) { out.at(at) = formula(at, before.at(at), inputs); });
  return out.values();
}

std::string differenceOf(const std::vector<double>& found, const std::vector<double>& expected) {
  std::ostringstream text;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double error = std::abs(found[i] - expected[i]);
    if (error <= 1e-13 * (100 + std::abs(expected[i]))) continue;  // false for NaN
    text << "element " << i << " is " << found[i] << " instead of " << expected[i];
    break;
  }
  return text.str();
}

/// One case of a function: shapes as letters, and its formula.
struct Case {
  std::string name, out;
  std::vector<std::string> inputs;
  bool keeps_output;  ///< adds to it, or multiplies it
  Formula formula;
};

/// Makes a call, call(tools, out, in...), for every layout, execution space and size.
template <std::size_t arrays, class Call>
void runCase(const Case& given, const Call& call, Tally& tally) {
  const auto make = [&](auto space, auto layout, const Extents& extents) {
    using Device = typename decltype(space)::device_type;
    using Layout = decltype(layout);
    Inputs inputs;
    std::vector<Placed<double, Layout, Device>> placed;
    for (const std::string& letters : given.inputs) {
      inputs.push_back(randomNumbers(letters, extents));
      placed.emplace_back(inputs.back().extents(), inputs.back().values());
    }
    Numbers before = randomNumbers(given.out, extents);
    if (!given.keeps_output) {
      for (double& x : before.values()) x = std::numeric_limits<double>::quiet_NaN();
    }
    Placed<double, Layout, Device> out(before.extents(), before.values());
    using Tools = Kontract::FunctionSpaceTools<Device>;
    const auto apply = [&](auto... i) {
      call(Tools(), out.dynRankView(), placed[i].dynRankView()...);
    };
    if constexpr (arrays == 1) apply(0);
    if constexpr (arrays == 2) apply(0, 1);
    if constexpr (arrays == 3) apply(0, 1, 2);
    std::string wrong = differenceOf(out.values(), expected(before, inputs, given.formula));
    if (wrong.empty() && !out.guardsAreUntouched()) wrong = "memory next to the output changed";
    for (auto& input : placed) {
      if (wrong.empty() && !input.isUntouched()) wrong = "an input changed";
    }
    tally.add(given.name + " " + given.out, wrong);
  };
  forEachSpace([&](auto space) {
    for (const Extents& extents : several) {
      make(space, Kokkos::LayoutRight(), extents);
      make(space, Kokkos::LayoutLeft(), extents);
      make(space, Kokkos::LayoutStride(), extents);
    }
  });
}

// Place{c, f, r, p, d, e}: what an array lacks is ignored.
double sumOver(std::size_t n, const std::function<double(std::size_t)>& term) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += term(i);
  return sum;
}

/// Matrix (C,P,D,D) times field, or its transpose.
double matrixTimesField(const Place& at, const Numbers& matrix, const Numbers& field,
                        bool transposed) {
  return sumOver(field.extent(&Place::d), [&](std::size_t e) {
    const Place entry =
        transposed ? Place{at.c, 0, 0, at.p, e, at.d} : Place{at.c, 0, 0, at.p, at.d, e};
    return matrix.at(entry) * field.at({at.c, at.f, 0, at.p, e, at.e});
  });
}

#define CALL(FUNCTION, ...)                                \
  [](auto tools, const auto& out, const auto&... inputs) { \
    using Tools = decltype(tools);                         \
    Tools::FUNCTION(out, inputs...);                       \
  }

TEUCHOS_UNIT_TEST(FunctionSpaceTools, transformationsFollowTheirFormulas) {
  Tally tally(out);
  for (const std::string shape : {"P", "PD", "PDE"}) {
    const Formula copy = [](const Place& at, double, const Inputs& in) { return in[0].at(at); };
    runCase<1>({"HGRADtransformVALUE", "CF" + shape, {"F" + shape}, false, copy},
               CALL(HGRADtransformVALUE), tally);
    runCase<1>({"HGRADtransformVALUE", "CF" + shape, {"CF" + shape}, false, copy},
               CALL(HGRADtransformVALUE), tally);
  }
  for (const std::string field : {"FPD", "CFPD"}) {
    for (const std::string points : {"P", "Q"}) {
      const std::string matrix = "C" + points + "DE", determinant = "C" + points;
      const Formula covariant = [](const Place& at, double, const Inputs& in) {
        return matrixTimesField(at, in[0], in[1], true);
      };
      runCase<2>({"HGRADtransformGRAD", "CFPD", {matrix, field}, false, covariant},
                 CALL(HGRADtransformGRAD), tally);
      runCase<2>({"HCURLtransformVALUE", "CFPD", {matrix, field}, false, covariant},
                 CALL(HCURLtransformVALUE), tally);
      const Formula contravariant = [](const Place& at, double, const Inputs& in) {
        return matrixTimesField(at, in[0], in[2], false) / in[1].at({at.c, 0, 0, at.p, 0, 0});
      };
      runCase<3>({"HDIVtransformVALUE", "CFPD", {matrix, determinant, field}, false, contravariant},
                 CALL(HDIVtransformVALUE), tally);
      const std::string scalars = field.substr(0, field.size() - 1);
      const Formula divided = [](const Place& at, double, const Inputs& in) {
        return in[1].at(at) / in[0].at({at.c, 0, 0, at.p, 0, 0});
      };
      runCase<2>({"HDIVtransformDIV", "CFP", {determinant, scalars}, false, divided},
                 CALL(HDIVtransformDIV), tally);
      runCase<2>({"HVOLtransformVALUE", "CFP", {determinant, scalars}, false, divided},
                 CALL(HVOLtransformVALUE), tally);
      runCase<2>({"HCURLtransformCURL in the plane", "CFP", {determinant, scalars}, false, divided},
                 CALL(HCURLtransformCURL), tally);
    }
  }
  TEST_ASSERT(tally.checks() > 300);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

TEUCHOS_UNIT_TEST(FunctionSpaceTools, curlsFollowTheirFormulas) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  using Tools = Kontract::FunctionSpaceTools<Space::device_type>;
  using View = Kokkos::DynRankView<double, Space::device_type>;
  const std::size_t c = 3, f = 4, p = 5;
  const double jac[2][2] = {{2, 1}, {3, 5}};
  for (const std::size_t d : {2, 3}) {
    View jacobian("jacobian", c, p, d, d), determinant("determinant", c, p),
        input("input", f, p, d);
    View scalars("scalars", f, p), result("result", c, f, p, d), in_plane("in_plane", c, f, p);
    Kokkos::deep_copy(determinant, 4.);
    Kokkos::deep_copy(input, 1.);
    Kokkos::deep_copy(scalars, 2.);
    for (std::size_t i = 0; i < c * p; ++i) {
      for (std::size_t k = 0; k < d * d; ++k) {
        const std::size_t row = k / d, column = k % d;
        const bool inside = row < 2 && column < 2;
        jacobian(i / p, i % p, row, column) = inside ? jac[row][column] : 0.;
      }
    }
    if (d == 3) {
      Tools::HCURLtransformCURL(result, jacobian, determinant, input);
      TEST_EQUALITY(result(2, 3, 4, 0), 3. / 4);
      TEST_EQUALITY(result(2, 3, 4, 1), 8. / 4);
      TEST_EQUALITY(result(2, 3, 4, 2), 0.);
      TEST_THROW(Tools::HGRADtransformCURL(result, jacobian, determinant, input),
                 std::invalid_argument);
    } else {
      Tools::HGRADtransformCURL(result, jacobian, determinant, input);
      TEST_EQUALITY(result(2, 3, 4, 0), 3. / 4);
      TEST_EQUALITY(result(2, 3, 4, 1), 8. / 4);
      // In the plane the Jacobian is not needed and may be missing.
      Tools::HCURLtransformCURL(in_plane, jacobian, determinant, scalars);
      TEST_EQUALITY(in_plane(2, 3, 4), 0.5);
      Kokkos::deep_copy(in_plane, 0.);
      Tools::HCURLtransformCURL(in_plane, View(), determinant, scalars);
      TEST_EQUALITY(in_plane(2, 3, 4), 0.5);
    }
  }
}

/// The rank of the output tells where curls are. In the plane the Jacobian may be missing; where it
/// is, it may have one point. No cells and no points are no reason to take it for missing.
TEUCHOS_UNIT_TEST(FunctionSpaceTools, curlsAreTakenByTheRankOfTheOutput) {
  Tally tally(out);
  const Formula divided = [](const Place& at, double, const Inputs& in) {
    return in[1].at(at) / in[0].at({at.c, 0, 0, at.p, 0, 0});
  };
  const auto missing = [](auto view) {
    return [view](auto tools, const auto& out, const auto&... inputs) {
      tools.HCURLtransformCURL(out, view, inputs...);
    };
  };
  for (const std::string fields : {"FP", "CFP"}) {
    const Case plane{"HCURLtransformCURL", "CFP", {"CQ", fields}, false, divided};
    runCase<2>(plane, missing(Kokkos::DynRankView<double, Kokkos::HostSpace>()), tally);
    runCase<2>(plane, missing(Kokkos::View<double****, Kokkos::HostSpace>()), tally);
    runCase<2>(plane, missing(Kokkos::View<const float**, Kokkos::LayoutStride>()), tally);
    runCase<2>(plane, missing(Kokkos::View<double, Kokkos::HostSpace>()), tally);
    // Of a plane, with as many points as others have, or with one.
    const auto with = [](std::size_t points) {
      return [points](auto tools, const auto& out, const auto& det, const auto& in) {
        using View = Kokkos::View<double****, typename std::decay_t<decltype(out)>::device_type>;
        const View jacobian("jacobian", out.extent(0), points == 1 ? 1 : out.extent(2), 2, 2);
        tools.HCURLtransformCURL(out, jacobian, det, in);
      };
    };
    runCase<2>(plane, with(1), tally);
    runCase<2>(plane, with(2), tally);
  }
  TEST_ASSERT(tally.checks() >= 12 * 15);
  TEST_EQUALITY_CONST(tally.failures(), 0);

  using Space = Kokkos::DefaultHostExecutionSpace;
  using Tools = Kontract::FunctionSpaceTools<Space::device_type>;
  using View = Kokkos::DynRankView<double, Space::device_type>;
  // No cells, no fields, no points; what is not missing is of that shape.
  for (const std::size_t points : {5, 1}) {
    TEST_NOTHROW(Tools::HCURLtransformCURL(View("out", 0, 4, 5, 3), View("jac", 0, points, 3, 3),
                                           View("det", 0, 5), View("in", 4, 5, 3)));
    TEST_NOTHROW(Tools::HCURLtransformCURL(View("out", 0, 4, 5), View("jac", 0, points, 2, 2),
                                           View("det", 0, 5), View("in", 4, 5)));
  }
  TEST_NOTHROW(Tools::HCURLtransformCURL(View("out", 2, 4, 0, 3), View("jac", 2, 0, 3, 3),
                                         View("det", 2, 0), View("in", 4, 0, 3)));
  TEST_NOTHROW(
      Tools::HCURLtransformCURL(View("out", 2, 4, 0), View(), View("det", 2, 0), View("in", 4, 0)));
  TEST_NOTHROW(Tools::HCURLtransformCURL(View("out", 0, 4, 5), View(), View("det", 0, 5),
                                         View("in", 0, 4, 5)));
}

/// Curls transformed where they are: in the plane, and in space by Jacobians that are diagonal.
TEUCHOS_UNIT_TEST(FunctionSpaceTools, curlsMayBeTransformedInPlace) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  using Tools = Kontract::FunctionSpaceTools<Space::device_type>;
  using View = Kokkos::DynRankView<double, Space::device_type>;
  View determinant("determinant", 2, 5), scalars("scalars", 2, 4, 5),
      vectors("vectors", 2, 4, 5, 3), jacobian("jacobian", 2, 5, 2, 2),
      diagonal("diagonal", 2, 5, 3), multiple("multiple", 2, 1);
  Kokkos::deep_copy(determinant, 4.);
  Kokkos::deep_copy(scalars, 32.);
  Kokkos::deep_copy(vectors, 16.);
  Kokkos::deep_copy(diagonal, 3.);
  Kokkos::deep_copy(multiple, 5.);
  Tools::HCURLtransformCURL(scalars, determinant, scalars);
  TEST_EQUALITY(scalars(1, 3, 4), 8.);
  Tools::HCURLtransformCURL(scalars, jacobian, determinant, scalars);
  TEST_EQUALITY(scalars(1, 3, 4), 2.);
  Tools::HCURLtransformCURL(scalars, View(), determinant, scalars);
  TEST_EQUALITY(scalars(1, 3, 4), 0.5);
  Tools::HCURLtransformCURL(vectors, diagonal, determinant, vectors);
  TEST_EQUALITY(vectors(1, 3, 4, 2), 12.);
  Tools::HCURLtransformCURL(vectors, multiple, determinant, vectors);
  TEST_EQUALITY(vectors(1, 3, 4, 2), 15.);
}

TEUCHOS_UNIT_TEST(FunctionSpaceTools, integralsFollowTheirFormulas) {
  Tally tally(out);
  for (const std::string shape : {"P", "PD", "PDE"}) {
    const auto sum = [](const Place& at, bool has_left_fields, const Inputs& in) {
      const Numbers &left = in[0], &right = in[1];
      return sumOver(right.extent(&Place::p), [&](std::size_t p) {
        return sumOver(right.extent(&Place::d), [&](std::size_t d) {
          return sumOver(right.extent(&Place::e), [&](std::size_t e) {
            return left.at({at.c, at.f, 0, p, d, e}) *
                   right.at({at.c, has_left_fields ? at.r : at.f, 0, p, d, e});
          });
        });
      });
    };
    const Formula fields = [=](const Place& at, double, const Inputs& in) {
      return sum(at, true, in);
    };
    const Formula others = [=](const Place& at, double, const Inputs& in) {
      return sum(at, false, in);
    };
    const Formula added = [=](const Place& at, double before, const Inputs& in) {
      return before + sum(at, true, in);
    };
    runCase<2>({"integrate", "CLR", {"CL" + shape, "CR" + shape}, false, fields}, CALL(integrate),
               tally);
    runCase<2>({"integrate", "CF", {"C" + shape, "CF" + shape}, false, others}, CALL(integrate),
               tally);
    runCase<2>({"integrate", "C", {"C" + shape, "C" + shape}, false, others},
               CALL(template integrate<double>), tally);
    runCase<2>(
        {"integrate, added", "CLR", {"CL" + shape, "CR" + shape}, true, added},
        [](auto tools, const auto&... arrays) { tools.integrate(arrays..., true); }, tally);
  }
  TEST_ASSERT(tally.checks() > 150);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

TEUCHOS_UNIT_TEST(FunctionSpaceTools, productsFollowTheirFormulas) {
  Tally tally(out);
  const Formula scaled = [](const Place& at, double, const Inputs& in) {
    return in[0].at({at.c, 0, 0, at.p, 0, 0}) * in[1].at(at);
  };
  const Formula divided = [](const Place& at, double, const Inputs& in) {
    return in[1].at(at) / in[0].at({at.c, 0, 0, at.p, 0, 0});
  };
  for (const std::string shape : {"P", "PD", "PDE"}) {
    runCase<2>({"multiplyMeasure", "CF" + shape, {"CP", "CF" + shape}, false, scaled},
               CALL(multiplyMeasure), tally);
    runCase<2>({"scalarMultiplyDataField", "CF" + shape, {"CQ", "F" + shape}, false, scaled},
               CALL(scalarMultiplyDataField), tally);
    runCase<2>(
        {"scalarMultiplyDataData", "C" + shape, {"CP", shape}, false, divided},
        [](auto tools, const auto&... arrays) { tools.scalarMultiplyDataData(arrays..., true); },
        tally);
    const Formula dot = [](const Place& at, double, const Inputs& in) {
      return sumOver(in[1].extent(&Place::d), [&](std::size_t d) {
        return sumOver(in[1].extent(&Place::e), [&](std::size_t e) {
          return in[0].at({at.c, 0, 0, at.p, d, e}) * in[1].at({at.c, at.f, 0, at.p, d, e});
        });
      });
    };
    runCase<2>({"dotMultiplyDataField", "CFP", {"C" + shape, "CF" + shape}, false, dot},
               CALL(dotMultiplyDataField), tally);
    runCase<2>({"dotMultiplyDataData", "CP", {"C" + shape, "C" + shape}, false, dot},
               CALL(dotMultiplyDataData), tally);
  }
  const Formula outer = [](const Place& at, double, const Inputs& in) {
    return in[0].at({at.c, 0, 0, at.p, at.d, 0}) * in[1].at({at.c, at.f, 0, at.p, at.e, 0});
  };
  runCase<2>({"vectorMultiplyDataField, outer", "CFPDE", {"CPD", "CFPD"}, false, outer},
             CALL(vectorMultiplyDataField), tally);
  runCase<2>({"vectorMultiplyDataData, outer", "CPDE", {"CPD", "CPD"}, false, outer},
             CALL(vectorMultiplyDataData), tally);
  for (const bool transposed : {false, true}) {
    const Formula product = [=](const Place& at, double, const Inputs& in) {
      return matrixTimesField(at, in[0], in[1], transposed);
    };
    const auto field = [=](auto tools, const auto&... arrays) {
      tools.tensorMultiplyDataField(arrays..., transposed ? 'T' : 'N');
    };
    const auto data = [=](auto tools, const auto&... arrays) {
      tools.tensorMultiplyDataData(arrays..., transposed ? 'T' : 'N');
    };
    runCase<2>({"tensorMultiplyDataField", "CFPD", {"CPDE", "CFPD"}, false, product}, field, tally);
    runCase<2>({"tensorMultiplyDataField", "CFPDE", {"CPDE", "FPDE"}, false, product}, field,
               tally);
    runCase<2>({"tensorMultiplyDataData", "CPD", {"CPDE", "CPD"}, false, product}, data, tally);
    runCase<2>({"tensorMultiplyDataData", "CPDE", {"CPDE", "PDE"}, false, product}, data, tally);
  }
  TEST_ASSERT(tally.checks() > 300);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

TEUCHOS_UNIT_TEST(FunctionSpaceTools, crossProductsAreTakenByTheRankOfTheOutput) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  using Tools = Kontract::FunctionSpaceTools<Space::device_type>;
  using View = Kokkos::DynRankView<double, Space::device_type>;
  View data("data", 2, 3, 3), field("field", 2, 4, 3, 3), result("result", 2, 4, 3, 3);
  View plane_data("data", 2, 3, 2), plane_field("field", 2, 4, 3, 2), scalars("result", 2, 4, 3);
  View points("points", 2, 3, 3), plane_points("points", 2, 3, 2), plane_scalars("result", 2, 3);
  data(1, 2, 0) = plane_data(1, 2, 0) = 2;
  field(1, 3, 2, 1) = plane_field(1, 3, 2, 1) = 5;
  points(1, 2, 1) = plane_points(1, 2, 1) = 7;
  Tools::vectorMultiplyDataField(result, data, field);
  TEST_EQUALITY(result(1, 3, 2, 2), 10.);
  TEST_EQUALITY(result(1, 3, 2, 1), 0.);
  Tools::vectorMultiplyDataField(scalars, plane_data, plane_field);
  TEST_EQUALITY(scalars(1, 3, 2), 10.);
  View of_data("result", 2, 3, 3);
  Tools::vectorMultiplyDataData(of_data, data, points);
  TEST_EQUALITY(of_data(1, 2, 2), 14.);
  Tools::vectorMultiplyDataData(plane_scalars, plane_data, plane_points);
  TEST_EQUALITY(plane_scalars(1, 2), 14.);
}

TEUCHOS_UNIT_TEST(FunctionSpaceTools, cellMeasuresFollowTheirFormula) {
  Tally tally(out);
  const Formula measure = [](const Place& at, double, const Inputs& in) {
    return std::abs(in[0].at({at.c, 0, 0, at.p, 0, 0})) * in[1].at({0, 0, 0, at.p, 0, 0});
  };
  runCase<2>({"computeCellMeasure", "CP", {"CP", "P"}, false, measure}, CALL(computeCellMeasure),
             tally);
  runCase<2>({"computeCellMeasure", "CP", {"CQ", "P"}, false, measure}, CALL(computeCellMeasure),
             tally);
  TEST_EQUALITY_CONST(tally.failures(), 0);

  // The determinant of any point may be the negative one.
  using Space = Kokkos::DefaultHostExecutionSpace;
  using Tools = Kontract::FunctionSpaceTools<Space::device_type>;
  using View = Kokkos::View<double**, Space::device_type>;
  View determinants("determinants", 3, 4), measures("measures", 3, 4);
  Kokkos::View<double*, Space::device_type> weights("weights", 4);
  Kokkos::deep_copy(weights, 2.);
  Kokkos::deep_copy(determinants, 3.);
  TEST_EQUALITY_CONST(Tools::computeCellMeasure(measures, determinants, weights), false);
  determinants(2, 3) = -1;
  TEST_EQUALITY_CONST(Tools::computeCellMeasure(Space(), measures, determinants, weights), true);
  TEST_EQUALITY(measures(2, 3), 2.);
  TEST_EQUALITY(measures(2, 2), 6.);
}

TEUCHOS_UNIT_TEST(FunctionSpaceTools, signsAreApplied) {
  Tally tally(out);
  const Formula left = [](const Place& at, double before, const Inputs& in) {
    return before * in[0].at({at.c, at.f, 0, 0, 0, 0});
  };
  const Formula right = [](const Place& at, double before, const Inputs& in) {
    return before * in[0].at({at.c, at.r, 0, 0, 0, 0});
  };
  runCase<1>({"applyLeftFieldSigns", "CLR", {"CL"}, true, left}, CALL(applyLeftFieldSigns), tally);
  runCase<1>({"applyRightFieldSigns", "CLR", {"CR"}, true, right}, CALL(applyRightFieldSigns),
             tally);
  for (const std::string shape : {"", "P", "PD", "PDE"}) {
    runCase<1>({"applyFieldSigns", "CF" + shape, {"CF"}, true, left}, CALL(applyFieldSigns), tally);
  }
  TEST_ASSERT(tally.checks() >= 6 * 15);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

TEUCHOS_UNIT_TEST(FunctionSpaceTools, valuesAtPointsAreAdded) {
  Tally tally(out);
  const Formula value = [](const Place& at, double before, const Inputs& in) {
    return before + sumOver(in[1].extent(&Place::f), [&](std::size_t f) {
             return in[0].at({at.c, f, 0, 0, 0, 0}) * in[1].at({at.c, f, 0, at.p, at.d, at.e});
           });
  };
  for (const std::string shape : {"P", "PD", "PDE"}) {
    runCase<2>({"evaluate", "C" + shape, {"CF", "CF" + shape}, true, value}, CALL(evaluate), tally);
  }
  TEST_ASSERT(tally.checks() >= 3 * 15);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

/// Views of fixed rank, an instance in front, options at the end, other scalars.
TEUCHOS_UNIT_TEST(FunctionSpaceTools, argumentsOfEveryKindAreTaken) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  using Tools = Kontract::FunctionSpaceTools<Space>;
  Kokkos::View<double***, Space> matrices("matrices", 2, 3, 3);
  Kokkos::View<const float***, Kokkos::LayoutLeft, Space> fields;
  {
    Kokkos::View<float***, Kokkos::LayoutLeft, Space> ones("fields", 2, 3, 4);
    Kokkos::deep_copy(ones, 1.f);
    fields = ones;
  }
  Teuchos::ParameterList list("Kontract");
  list.set("Algorithm", "Serial");
  Tools::integrate(Space(), matrices, fields, fields, true, list);
  TEST_EQUALITY(matrices(1, 2, 2), 4.);
  TEST_EQUALITY(Kontract::explain().algorithm, "Serial");
  Kokkos::View<int**, Space> signs("signs", 2, 3);
  Kokkos::deep_copy(signs, -1);
  Tools::applyLeftFieldSigns(Space(), matrices, signs, list);
  TEST_EQUALITY(matrices(1, 2, 2), -4.);
  Kokkos::View<Kokkos::complex<double>***, Space> values("values", 2, 3, 4);
  Kokkos::View<const double**, Space> determinants;
  {
    Kokkos::View<double**, Space> halves("determinants", 2, 1);
    Kokkos::deep_copy(halves, 0.5);
    determinants = halves;
  }
  Tools::HVOLtransformVALUE(values, determinants, fields);
  TEST_EQUALITY(values(1, 2, 3).real(), 2.);
}

}  // namespace
}  // namespace KontractTest
