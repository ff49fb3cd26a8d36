// SPDX-License-Identifier: BSD-3-Clause
//
// Element matrices and vectors that a program has are added as those of forms are: cells by chance,
// in all layouts, with unknowns that are left out, repeated, oriented and constrained, against the
// form that computes the same arrays and adds them itself, which other tests compare with plain
// loops.

#include <Kokkos_Core.hpp>
#include <Kokkos_DynRankView.hpp>
#include <Teuchos_ParameterList.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "Kontract_CellGraph.hpp"
#include "Kontract_ElementScatter.hpp"
#include "Kontract_Integration.hpp"
#include "Refusal.hpp"
#include "Runner.hpp"

namespace KontractTest {
namespace {

#ifndef KONTRACT_TEST_FORM_SCALAR
#define KONTRACT_TEST_FORM_SCALAR double
#endif
using Real = KONTRACT_TEST_FORM_SCALAR;

/// Which unknowns are seen in other ways.
enum class Seen { AsTheyAre, Oriented, Constrained, Both };

template <class Space>
class Drawn {
 public:
  using Memory = typename Space::memory_space;
  template <class T, class Layout = Kokkos::LayoutRight>
  using Array = Kokkos::View<T, Layout, Memory>;
  using Numbers = Kontract::CellNumbers<Space>;

  Drawn(unsigned seed, Seen seen) : random(seed) {
    cells = std::vector<int>{0, 1, 2, 40, 700}[std::size_t(draw(0, 4))];
    lefts = draw(1, 9), rights = draw(1, 9);
    count = draw(4, 5 + cells);
    rows = numbers(lefts, seen), columns = numbers(rights, seen);
    const Kontract::CellGraph<Space> graph(rows, columns);
    plan = Kontract::ScatterPlan<Space>(graph, rows, columns);
    entries = std::int64_t(graph.entries.extent(0));
    left_values = filled<Real**>(lefts, points), right_values = filled<Real**>(rights, points);
    measures = filled<Real**>(cells, points);
    matrices = Array<Real***>("matrices", cells, lefts, rights);
    vectors = Array<Real**>("vectors", cells, lefts);
    using Integration = Kontract::Integration<Space>;
    Integration::matrices(matrices, Kontract::geometry(measures), term());
    Integration::vectors(vectors, Kontract::geometry(measures), load());
  }

  auto term() const {
    return Kontract::term(Kontract::Form::mass(Kontract::FunctionSpace::HGRAD), left_values,
                          right_values);
  }
  auto load() const {
    return Kontract::load(Kontract::Form::source(Kontract::FunctionSpace::HGRAD), left_values,
                          measures);
  }
  int draw(int first, int last) { return std::uniform_int_distribution<int>(first, last)(random); }

  template <class T, class... Extents>
  Array<T> filled(Extents... extents) {
    const Array<T> view("array", extents...);
    const auto host = Kokkos::create_mirror_view(view);
    std::uniform_real_distribution<double> any(-1, 1);
    for (std::size_t i = 0; i < host.size(); ++i) host.data()[i] = Real(any(random));
    Kokkos::deep_copy(view, host);
    return view;
  }

  Numbers numbers(int fields, Seen seen) {
    const Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::HostSpace> host("host", cells, fields);
    for (int c = 0; c < cells; ++c) {
      for (int f = 0; f < fields; ++f) host(c, f) = draw(0, 9) == 0 ? -1 : draw(0, count - 1);
    }
    const Array<int**> there("numbers", cells, fields);
    Kokkos::deep_copy(there, host);
    Numbers made(there, count);
    if (seen == Seen::Oriented || seen == Seen::Both) made = made.oriented(orientations(fields));
    if (seen == Seen::Constrained || seen == Seen::Both) made = made.constrained(constraints());
    return made;
  }

  /// Pairs of neighbouring fields change places or are mixed in some cells.
  Kontract::CellOrientations<Space> orientations(int fields) {
    auto store = std::make_shared<Kontract::Impl::OperatorStore>(fields);
    std::vector<std::int32_t> blocks;
    for (int f = 0; f + 1 < fields; f += 2) {
      blocks.push_back(store->addBlock({f, f + 1}, {0.5, 1, -1, 0.25}));
    }
    for (int c = 0; c < cells; ++c) {
      for (const std::int32_t block : blocks) {
        if (draw(0, 1) == 0) store->give(block);
      }
      store->endCell();
    }
    return Kontract::CellOrientations<Space>(Kontract::Impl::CellOperators(store));
  }

  /// Every third unknown is a sum of its neighbours.
  Kontract::LinearConstraints<Space> constraints() const {
    std::vector<int> starts{0}, unknowns;
    std::vector<double> weights;
    for (int i = 0; i < count; ++i) {
      if (i % 3 == 1 && i + 1 < count) {
        unknowns.insert(unknowns.end(), {i - 1, i + 1});
        weights.insert(weights.end(), {0.75, 0.5});
      }
      starts.push_back(int(unknowns.size()));
    }
    const auto viewOf = [](const auto& from) {
      using T = std::decay_t<decltype(from[0])>;
      const Kokkos::View<T*, Kokkos::HostSpace> view("view", from.size());
      for (std::size_t i = 0; i < from.size(); ++i) view(i) = from[i];
      return view;
    };
    return {viewOf(starts), viewOf(unknowns), viewOf(weights)};
  }

  static constexpr int points = 3;
  std::mt19937 random;
  int cells, lefts, rights, count;
  std::int64_t entries;
  Numbers rows, columns;
  Kontract::ScatterPlan<Space> plan;
  Array<Real**> left_values, right_values, measures, vectors;
  Array<Real***> matrices;
};

Kontract::Options withScatter(const char* way) {
  Teuchos::ParameterList list("Kontract");
  list.sublist("Launch").set("Scatter", way);
  return Kontract::Options(list);
}

/// Takes one component of fields of several.
template <class From, class To>
void everyNth(const From& from, const To& to, int first, int step) {
  const auto all = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), from);
  const auto some = Kokkos::create_mirror_view(to);
  for (std::size_t c = 0; c < to.extent(0); ++c) {
    for (std::size_t f = 0; f < to.extent(1); ++f) some(c, f) = all(c, first + f * step);
  }
  Kokkos::deep_copy(to, some);
}
template <class From, class To>
void everyNth(const From& from, const To& to, int first_left, int first_right, int step) {
  const auto all = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), from);
  const auto some = Kokkos::create_mirror_view(to);
  for (std::size_t c = 0; c < to.extent(0); ++c) {
    for (std::size_t l = 0; l < to.extent(1); ++l) {
      for (std::size_t r = 0; r < to.extent(2); ++r) {
        some(c, l, r) = all(c, first_left + l * step, first_right + r * step);
      }
    }
  }
  Kokkos::deep_copy(to, some);
}

template <class Output>
std::int64_t differing(const Output& a, const Output& b) {
  const auto x = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), a);
  const auto y = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), b);
  double most = 0;
  for (std::size_t i = 0; i < x.extent(0); ++i) most = std::max(most, std::abs(double(x(i))));
  const double tolerance = 1000 * double(std::numeric_limits<Real>::epsilon()) * (1 + most);
  std::int64_t wrong = 0;
  for (std::size_t i = 0; i < x.extent(0); ++i) {
    wrong += !(std::abs(double(x(i)) - double(y(i))) <= tolerance);
  }
  return wrong;
}

/// Calls add(output, options) where output is to be overwritten or added to, and compares with what
/// the form does with another one.
template <class Space, class Form, class Add>
std::int64_t wrongOutputs(std::int64_t count, const char* way, bool sum_into, const Form& form,
                          const Add& add) {
  using Output = Kokkos::View<Real*, typename Space::memory_space>;
  const Output expected("expected", std::size_t(count)), output("output", std::size_t(count));
  const Real before = sum_into ? Real(2) : std::numeric_limits<Real>::quiet_NaN();
  Kokkos::deep_copy(expected, Real(2));
  Kokkos::deep_copy(output, before);
  form(expected);
  add(output, withScatter(way));
  return differing(expected, output);
}

template <class Space, class Layout>
void checkLayout(const Drawn<Space>& drawn, const char* way, bool sum_into, std::int64_t& wrong) {
  using Integration = Kontract::Integration<Space>;
  using Scatter = Kontract::ElementScatter<Space>;
  using Memory = typename Space::memory_space;
  // Every second field, so that there are gaps.
  const Kokkos::View<Real***, Layout, Memory> room("room", drawn.cells, drawn.lefts,
                                                   2 * drawn.rights);
  const Kokkos::View<Real***, Layout, Memory> matrices("matrices", drawn.cells, drawn.lefts,
                                                       drawn.rights);
  const Kokkos::DynRankView<Real, Layout, Memory> vectors("vectors", drawn.cells, drawn.lefts);
  const auto from = drawn.matrices;
  const auto from_vectors = drawn.vectors;
  Kokkos::parallel_for(
      "copy", Kokkos::RangePolicy<Space>(0, drawn.cells), KOKKOS_LAMBDA(int c) {
        for (std::size_t l = 0; l < from.extent(1); ++l) {
          vectors(c, l) = from_vectors(c, l);
          for (std::size_t r = 0; r < from.extent(2); ++r) {
            matrices(c, l, r) = room(c, l, r) = from(c, l, r);
          }
        }
      });
  const auto part =
      Kokkos::subview(room, Kokkos::ALL(), Kokkos::ALL(), std::make_pair(0, drawn.rights));
  const auto form = [&](const auto& output) {
    Integration::matrices(Kontract::scattered(output, drawn.plan),
                          Kontract::geometry(drawn.measures), drawn.term(), sum_into);
  };
  wrong += wrongOutputs<Space>(drawn.entries, way, sum_into, form,
                               [&](const auto& output, const Kontract::Options& options) {
                                 Scatter::matrices(Kontract::scattered(output, drawn.plan),
                                                   matrices, sum_into, options);
                               });
  wrong += wrongOutputs<Space>(drawn.entries, way, sum_into, form,
                               [&](const auto& output, const Kontract::Options& options) {
                                 Scatter::matrices(Space(), Kontract::scattered(output, drawn.plan),
                                                   part, sum_into, options);
                               });
  wrong += wrongOutputs<Space>(
      drawn.count, way, sum_into,
      [&](const auto& output) {
        Integration::vectors(Kontract::scattered(output, drawn.rows),
                             Kontract::geometry(drawn.measures), drawn.load(), sum_into);
      },
      [&](const auto& output, const Kontract::Options& options) {
        Scatter::vectors(Kontract::scattered(output, drawn.rows), vectors, sum_into, options);
      });
}

TEUCHOS_UNIT_TEST(ElementScatter, asFormsDo) {
  forEachSpace([&](auto space) {
    using Space = decltype(space);
    for (const Seen seen : {Seen::AsTheyAre, Seen::Oriented, Seen::Constrained, Seen::Both}) {
      for (unsigned seed = 0; seed < 10; ++seed) {
        const Drawn<Space> drawn(seed, seen);
        for (const char* const way : {"Auto", "Atomic", "Colored"}) {
          const bool is_host = Kontract::Impl::is_host_space<Space>;
          if (std::string(way) == "Colored" && (!is_host || seen != Seen::AsTheyAre)) continue;
          for (const bool sum_into : {false, true}) {
            std::int64_t wrong = 0;
            checkLayout<Space, Kokkos::LayoutRight>(drawn, way, sum_into, wrong);
            checkLayout<Space, Kokkos::LayoutLeft>(drawn, way, sum_into, wrong);
            TEST_EQUALITY_CONST(wrong, 0);
            if (wrong > 0) out << "seed " << seed << ", " << way << ", " << int(seen) << "\n";
          }
        }
      }
    }
  });
}

/// Fields of several components, which are transformed alike, are the sum of what each of these
/// adds.
TEUCHOS_UNIT_TEST(ElementScatter, componentsOfOrientedFields) {
  forEachSpace([&](auto space) {
    using Space = decltype(space);
    using Scatter = Kontract::ElementScatter<Space>;
    using Numbers = Kontract::CellNumbers<Space>;
    using Memory = typename Space::memory_space;
    for (unsigned seed = 0; seed < 12; ++seed) {
      Drawn<Space> drawn(seed, Seen::AsTheyAre);
      const int components = 2 + int(seed % 2), fields = drawn.lefts, cells = drawn.cells;
      const auto orientations = drawn.orientations(fields);
      const Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::HostSpace> host("host", cells,
                                                                             fields * components);
      for (std::size_t i = 0; i < host.size(); ++i)
        host.data()[i] = drawn.draw(-1, drawn.count - 1);
      const auto numbersOf = [&](int first, int step) {
        const Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::HostSpace> of(
            "of", cells, std::size_t(step == 1 ? fields * components : fields));
        for (int c = 0; c < cells; ++c) {
          for (std::size_t f = 0; f < of.extent(1); ++f) of(c, f) = host(c, first + f * step);
        }
        const auto there = Kokkos::create_mirror_view_and_copy(Memory(), of);
        return Numbers(there, drawn.count).oriented(orientations);
      };
      const Numbers all = numbersOf(0, 1);
      const Kontract::CellGraph<Space> graph(all);
      const auto vectors = drawn.template filled<Real**>(cells, fields * components);
      const auto matrices =
          drawn.template filled<Real***>(cells, fields * components, fields * components);
      using Output = Kokkos::View<Real*, Memory>;
      const Output vector("vector", drawn.count), of_vectors("expected", drawn.count),
          matrix("matrix", graph.entries.extent(0)), of_matrices("expected", matrix.extent(0));
      Scatter::vectors(Kontract::scattered(vector, all), vectors);
      Scatter::matrices(Kontract::scattered(matrix, Kontract::ScatterPlan<Space>(graph, all)),
                        matrices);
      for (int d = 0; d < components; ++d) {
        const Numbers rows = numbersOf(d, components);
        const auto part = drawn.template filled<Real**>(cells, fields);
        everyNth(vectors, part, d, components);
        Scatter::vectors(Kontract::scattered(of_vectors, rows), part, true);
        for (int e = 0; e < components; ++e) {
          const Numbers columns = numbersOf(e, components);
          const auto block = drawn.template filled<Real***>(cells, fields, fields);
          everyNth(matrices, block, d, e, components);
          Scatter::matrices(
              Kontract::scattered(of_matrices, Kontract::ScatterPlan<Space>(graph, rows, columns)),
              block, true);
        }
      }
      TEST_EQUALITY_CONST(differing(vector, of_vectors), 0);
      TEST_EQUALITY_CONST(differing(matrix, of_matrices), 0);
    }
  });
}

TEUCHOS_UNIT_TEST(ElementScatter, partsOfCells) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  using Scatter = Kontract::ElementScatter<Space>;
  for (unsigned seed = 0; seed < 12; ++seed) {
    const Drawn<Space> drawn(seed, Seen::AsTheyAre);
    const Kokkos::View<Real*, Space> whole("whole", std::size_t(drawn.entries)),
        parts("parts", std::size_t(drawn.entries));
    Scatter::matrices(Kontract::scattered(whole, drawn.plan), drawn.matrices);
    const int half = drawn.cells / 2;
    for (const auto& [first, last] : {std::pair(0, half), std::pair(half, drawn.cells)}) {
      Scatter::matrices(
          Kontract::scattered(parts, drawn.plan.cells(first, last)),
          Kokkos::subview(drawn.matrices, std::pair(first, last), Kokkos::ALL(), Kokkos::ALL()),
          true);
    }
    TEST_EQUALITY_CONST(differing(whole, parts), 0);
  }
}

TEUCHOS_UNIT_TEST(ElementScatter, refusals) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  using Scatter = Kontract::ElementScatter<Space>;
  using Vector = Kokkos::View<Real*, Space>;
  using Matrices = Kokkos::View<Real***, Kokkos::LayoutRight, Space>;
  unsigned seed = 0;
  while (Drawn<Space>(seed, Seen::AsTheyAre).cells < 2) ++seed;
  const Drawn<Space> drawn(seed, Seen::AsTheyAre);
  const Vector values("values", std::size_t(drawn.entries)), vector("vector", drawn.count);
  Kokkos::deep_copy(values, Real(7));
  const auto says = [&](const auto& output, const auto& arrays, const std::string& text) {
    const Refusal refusal = refusalOf([&] { Scatter::matrices(output, arrays); });
    out << refusal.text << "\n";
    TEST_ASSERT(refusal.says(text.c_str()));
  };
  says(Kontract::scattered(values, drawn.plan),
       Matrices("m", drawn.cells, drawn.lefts, drawn.rights + 1),
       "ElementScatter::matrices: matrices is (");
  says(Kontract::scattered(values, drawn.plan),
       Kokkos::View<Real**, Space>("m", drawn.cells, drawn.lefts),
       "ElementScatter::matrices: matrices is (");
  says(Kontract::scattered(Vector("few", std::size_t(drawn.entries) + 1), drawn.plan),
       drawn.matrices, "ElementScatter::matrices: output is (");
  says(Kontract::scattered(Vector(drawn.matrices.data(), std::size_t(drawn.entries)), drawn.plan),
       drawn.matrices, "the output must not overlap inputs");
  const Refusal refusal = refusalOf([&] {
    Scatter::vectors(Kontract::scattered(vector, drawn.rows),
                     Kokkos::View<Real**, Space>("v", drawn.cells + 1, drawn.lefts));
  });
  out << refusal.text << "\n";
  TEST_ASSERT(refusal.says("ElementScatter::vectors: vectors is ("));
  std::size_t untouched = 0;
  for (std::size_t i = 0; i < values.extent(0); ++i) untouched += values(i) == 7;
  TEST_EQUALITY(untouched, values.extent(0));
  const Drawn<Space> oriented(seed, Seen::Oriented);
  if (oriented.lefts > 1 || oriented.rights > 1) {
    const Vector other("other", std::size_t(oriented.entries));
    const Refusal colored = refusalOf([&] {
      Scatter::matrices(Kontract::scattered(other, oriented.plan), oriented.matrices,
                        withScatter("Colored"));
    });
    out << colored.text << "\n";
    TEST_ASSERT(colored.says("cannot be Colored"));
  }
}

}  // namespace
}  // namespace KontractTest
