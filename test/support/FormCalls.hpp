// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_FORMCALLS_HPP
#define KONTRACT_TEST_FORMCALLS_HPP

#include <limits>
#include <stdexcept>
#include <vector>

#include "FormOracle.hpp"
#include "Kontract_Integration.hpp"
#include "Placed.hpp"
#include "Runner.hpp"

namespace KontractTest {

/// The algorithm that is chosen, and the portable one.
inline const std::vector<NamedOptions>& algorithmsOfForms() {
  static const std::vector<NamedOptions> algorithms = [] {
    Teuchos::ParameterList flat("Kontract");
    flat.set("Algorithm", "Flat");
    return std::vector<NamedOptions>{{"Auto", Kontract::Options()},
                                     {"Flat", Kontract::Options(flat)}};
  }();
  return algorithms;
}

/// Calls of Integration for what the oracle takes: arrays are placed in the memory of an execution
/// space, outputs begin as NaN, and results come back in the order of the last index fastest.
template <class Space>
class FormCalls {
 public:
  using Term = FormOracle::Term;

  explicit FormCalls(const CellArrays& cells, const Kontract::Options& options = {})
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

  /// Matrix-free products with vectors (C,F).
  std::vector<double> products(const Term& term, const Numbers& vectors) const {
    const std::size_t rows = term.left->extent(&Place::f) * blocksOf(term, _cells.dimension);
    const Held given = place(vectors);
    return resultOf({cells(), rows}, [&](const View& out) {
      withGeometry([&](const auto& geometry) {
        withTerm(term, [&](const auto& placed) {
          Integration::apply(out, given.dynRankView(), geometry, placed);
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

}  // namespace KontractTest

#endif
