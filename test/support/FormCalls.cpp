// SPDX-License-Identifier: BSD-3-Clause
#include "FormCalls.hpp"

#include <limits>
#include <stdexcept>

#include "Kontract_Integration.hpp"
#include "Placed.hpp"
#include "Runner.hpp"

namespace KontractTest {
namespace {

using Term = FormOracle::Term;

/// Arrays of a call in the memory of an execution space.
template <class Space>
class PlacedCall {
 public:
  PlacedCall(const CellArrays& cells, const Kontract::Options& options)
      : _cells(cells), _options(options) {}

  std::vector<double> matrices(const Term& term) const {
    const std::size_t blocks = blocksOf(term, _cells.dimension);
    const std::vector<std::size_t> extents{cells(), term.left->extent(&Place::f) * blocks,
                                           term.right->extent(&Place::f) * blocks};
    return resultOf(extents, [&](const View& out) {
      withGeometry([&](const auto& geometry) {
        withTerm(term, [&](const auto& placed) {
          Integration::matrices(out, geometry, placed, _options);
        });
      });
    });
  }

  std::vector<double> products(const Term& term, const Numbers& vectors) const {
    const std::size_t rows = term.left->extent(&Place::f) * blocksOf(term, _cells.dimension);
    const Held given = place(vectors);
    return resultOf({cells(), rows}, [&](const View& out) {
      withGeometry([&](const auto& geometry) {
        withTerm(term, [&](const auto& placed) {
          Integration::apply(out, given.dynRankView(), geometry, placed, _options);
        });
      });
    });
  }

  std::vector<double> vectors(const Term& load) const {
    const std::size_t rows = load.left->extent(&Place::f) * blocksOf(load, _cells.dimension);
    const Held values = place(*load.left), source = place(*load.coefficient);
    const auto placed = Kontract::load(load.form, values.dynRankView(), source.dynRankView());
    return resultOf({cells(), rows}, [&](const View& out) {
      withGeometry([&](const auto& geometry) {
        if (load.left_signs == nullptr) {
          Integration::vectors(out, geometry, placed, _options);
        } else {
          const Held signs = place(*load.left_signs);
          Integration::vectors(out, geometry, placed.withSigns(signs.dynRankView()), _options);
        }
      });
    });
  }

 private:
  using Device = typename Space::device_type;
  using Integration = Kontract::Integration<Device>;
  using Held = Placed<double, typename Space::array_layout, Device>;
  using View = decltype(std::declval<Held>().dynRankView());

  static Held place(const Numbers& values) { return Held(values.extents(), values.values()); }

  std::size_t cells() const {
    return (_cells.nodes == nullptr ? _cells.jacobians : _cells.nodes)->extents()[0];
  }

  /// What call(out) leaves in an output of those extents.
  template <class Call>
  static std::vector<double> resultOf(const std::vector<std::size_t>& extents, const Call& call) {
    std::size_t size = 1;
    for (const std::size_t extent : extents) size *= extent;
    Held out(extents, std::vector<double>(size, std::numeric_limits<double>::quiet_NaN()));
    call(out.dynRankView());
    std::vector<double> result = out.values();
    if (!out.guardsAreUntouched()) throw std::logic_error("memory next to the output changed");
    return result;
  }

  template <class F>
  void withGeometry(const F& f) const {
    const Held weights = place(*_cells.weights);
    if (_cells.nodes == nullptr) {
      const Held jacobians = place(*_cells.jacobians);
      f(Kontract::geometry(jacobians.dynRankView(), weights.dynRankView()));
    } else {
      const Held nodes = place(*_cells.nodes), gradients = place(*_cells.gradients);
      f(Kontract::geometry(nodes.dynRankView(), gradients.dynRankView(), weights.dynRankView()));
    }
  }

  /// Left and right values that are one array remain one.
  template <class F>
  static void withTerm(const Term& term, const F& f) {
    const Held left = place(*term.left),
               right = term.right == term.left ? left : place(*term.right);
    const auto l = left.dynRankView(), r = right.dynRankView();
    if (term.coefficient == nullptr) {
      withSigns(term, Kontract::term(term.form, l, r), f);
      return;
    }
    const Held first = place(*term.coefficient);
    if (term.second == nullptr) {
      withSigns(term, Kontract::term(term.form, l, r, first.dynRankView()), f);
    } else {
      const Held second = place(*term.second);
      f(Kontract::term(term.form, l, r, first.dynRankView(), second.dynRankView()));
    }
  }

  /// Signs that are one array remain one, too.
  template <class Placed, class F>
  static void withSigns(const Term& term, const Placed& placed, const F& f) {
    if (term.left_signs == nullptr) {
      f(placed);
      return;
    }
    const Held left = place(*term.left_signs),
               right = term.right_signs == term.left_signs ? left : place(*term.right_signs);
    f(placed.withSigns(left.dynRankView(), right.dynRankView()));
  }

  CellArrays _cells;
  Kontract::Options _options;
};

template <class Space>
class CallsOnSpace : public FormCalls {
 public:
  explicit CallsOnSpace(const NamedOptions& algorithm) : _algorithm(algorithm) {}

  std::string name() const override { return std::string(Space::name()) + ", " + _algorithm.name; }
  std::vector<double> matrices(const CellArrays& cells, const Term& term) const override {
    return PlacedCall<Space>(cells, _algorithm.options).matrices(term);
  }
  std::vector<double> products(const CellArrays& cells, const Term& term,
                               const Numbers& vectors) const override {
    return PlacedCall<Space>(cells, _algorithm.options).products(term, vectors);
  }
  std::vector<double> vectors(const CellArrays& cells, const Term& load) const override {
    return PlacedCall<Space>(cells, _algorithm.options).vectors(load);
  }

 private:
  NamedOptions _algorithm;
};

}  // namespace

std::vector<std::shared_ptr<const FormCalls>> allFormCalls() {
  std::vector<std::shared_ptr<const FormCalls>> all;
  forEachSpace([&](auto space) {
    for (const NamedOptions& algorithm : algorithmsOfForms()) {
      all.push_back(std::make_shared<CallsOnSpace<decltype(space)>>(algorithm));
    }
  });
  return all;
}

}  // namespace KontractTest
