// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief The evaluators of -div((1 + u^2) grad u) = f.
#ifndef PHALANXEXAMPLE_EVALUATORS_HPP
#define PHALANXEXAMPLE_EVALUATORS_HPP

#include "Traits.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <type_traits>

#include "Kontract_NonlinearForm.hpp"
#include "Phalanx_DataLayout_MDALayout.hpp"
#include "Phalanx_Evaluator_Derived.hpp"
#include "Phalanx_Evaluator_WithBaseImpl.hpp"
#include "Phalanx_FieldManager.hpp"
#include "Phalanx_MDField.hpp"
#include "Teuchos_TimeMonitor.hpp"

namespace PhalanxExample {

/// Layouts of the fields of a workset.
struct Layouts {
  explicit Layouts(const Workset& w)
      : fields(Teuchos::rcp(new PHX::MDALayout<Cell, Basis>(w.numCells(), w.numFields()))),
        points(Teuchos::rcp(new PHX::MDALayout<Cell, Point>(w.numCells(), w.numPoints()))),
        vectors(Teuchos::rcp(
            new PHX::MDALayout<Cell, Point, Dim>(w.numCells(), w.numPoints(), space_dim))),
        matrices(Teuchos::rcp(
            new PHX::MDALayout<Cell, Basis, Basis>(w.numCells(), w.numFields(), w.numFields()))),
        nothing(Teuchos::rcp(new PHX::MDALayout<Cell>(0))) {}
  Teuchos::RCP<PHX::DataLayout> fields, points, vectors, matrices, nothing;
};

/// What evaluators share: their name and timer.
template <class EvalT>
class Evaluator : public PHX::EvaluatorWithBaseImpl<Traits>,
                  public PHX::EvaluatorDerived<EvalT, Traits> {
 public:
  /// \param way  of evaluation, of which there are three
  Evaluator(const std::string& way, const std::string& name)
      : _timer(Teuchos::TimeMonitor::getNewTimer(timerName(way, name))) {
    this->setName(name);
  }
  static std::string timerName(const std::string& way, const std::string& name) {
    constexpr bool is_residual = std::is_same_v<EvalT, Traits::Residual>;
    return way + (is_residual ? ", Residual: " : ", Jacobian: ") + name;
  }

  void evaluateFields(const Workset& workset) final {
    const Teuchos::TimeMonitor monitor(*_timer);
    evaluate(workset);
    Kokkos::fence();
  }

 private:
  virtual void evaluate(const Workset&) = 0;
  Teuchos::RCP<Teuchos::Time> _timer;
};

/// The unknowns of cells, those of Fads with derivative 1 by themselves.
template <class EvalT, class ScalarT = typename EvalT::ScalarT>
class Gather : public Evaluator<EvalT> {
 public:
  Gather(const std::string& way, const Layouts& layouts,
         const Kokkos::View<const double*, Device>& solution)
      : Evaluator<EvalT>(way, "gather"),
        _unknowns("unknowns", layouts.fields),
        _solution(solution) {
    this->addEvaluatedField(_unknowns);
  }

 private:
  void evaluate(const Workset& w) override {
    for (int c = 0; c < w.numCells(); ++c)
      for (int f = 0; f < w.numFields(); ++f) {
        const int i = w.unknowns(c, f);
        const double value = i < 0 ? 0 : _solution(i);
        if constexpr (std::is_same_v<ScalarT, double>)
          _unknowns(c, f) = value;
        else
          _unknowns(c, f) = ScalarT(w.numFields(), f, value);
      }
  }

  PHX::MDField<ScalarT, Cell, Basis> _unknowns;
  Kokkos::View<const double*, Device> _solution;
};

/// u and grad u at points.
/// \tparam Tools  Intrepid2::FunctionSpaceTools or Kontract::FunctionSpaceTools
template <class EvalT, class Tools>
class Values : public Evaluator<EvalT> {
 public:
  Values(const std::string& way, const Layouts& layouts)
      : Evaluator<EvalT>(way, "values at points"),
        _unknowns("unknowns", layouts.fields),
        _values("values", layouts.points),
        _gradients("gradients", layouts.vectors) {
    this->addDependentField(_unknowns);
    this->addEvaluatedField(_values);
    this->addEvaluatedField(_gradients);
  }

 private:
  void evaluate(const Workset& w) override {
    _values.deep_copy(0.0);  // evaluate() adds
    _gradients.deep_copy(0.0);
    Tools::evaluate(_values.get_view(), _unknowns.get_view(), w.values);
    Tools::evaluate(_gradients.get_view(), _unknowns.get_view(), w.gradients);
  }

  using ScalarT = typename EvalT::ScalarT;
  PHX::MDField<const ScalarT, Cell, Basis> _unknowns;
  PHX::MDField<ScalarT, Cell, Point> _values;
  PHX::MDField<ScalarT, Cell, Point, Dim> _gradients;
};

/// (1 + u^2) grad u at points.
template <class EvalT>
class Flux : public Evaluator<EvalT> {
 public:
  Flux(const std::string& way, const Layouts& layouts)
      : Evaluator<EvalT>(way, "flux at points"),
        _values("values", layouts.points),
        _gradients("gradients", layouts.vectors),
        _flux("flux", layouts.vectors) {
    this->addDependentField(_values);
    this->addDependentField(_gradients);
    this->addEvaluatedField(_flux);
  }

 private:
  void evaluate(const Workset& w) override {
    for (int c = 0; c < w.numCells(); ++c)
      for (int p = 0; p < w.numPoints(); ++p) {
        const ScalarT u = _values(c, p), conductivity = 1 + u * u;
        for (int d = 0; d < space_dim; ++d) _flux(c, p, d) = conductivity * _gradients(c, p, d);
      }
  }

  using ScalarT = typename EvalT::ScalarT;
  PHX::MDField<const ScalarT, Cell, Point> _values;
  PHX::MDField<const ScalarT, Cell, Point, Dim> _gradients;
  PHX::MDField<ScalarT, Cell, Point, Dim> _flux;
};

/// The residuals of cells, integral of flux . grad v - f v.
/// \tparam Tools  as of Values
template <class EvalT, class Tools>
class Integrate : public Evaluator<EvalT> {
 public:
  Integrate(const std::string& way, const Layouts& layouts, double source)
      : Evaluator<EvalT>(way, "integrate"),
        _flux("flux", layouts.vectors),
        _residuals("residuals", layouts.fields),
        _minus_source("minus_source", layouts.points->extent(0), layouts.points->extent(1)) {
    Kokkos::deep_copy(_minus_source, -source);
    this->addDependentField(_flux);
    this->addEvaluatedField(_residuals);
  }

 private:
  void evaluate(const Workset& w) override {
    Tools::integrate(_residuals.get_view(), _flux.get_view(), w.weighted_gradients, false);
    Tools::integrate(_residuals.get_view(), _minus_source, w.weighted_values, true);
  }

  using ScalarT = typename EvalT::ScalarT;
  PHX::MDField<const ScalarT, Cell, Point, Dim> _flux;
  PHX::MDField<ScalarT, Cell, Basis> _residuals;
  Array _minus_source;
};

/// Adds residuals of cells to the whole residual, and their derivatives to the matrix.
template <class EvalT>
class Scatter : public Evaluator<EvalT> {
 public:
  Scatter(const std::string& way, const Layouts& layouts, const System& system)
      : Evaluator<EvalT>(way, "scatter"),
        _residuals("residuals", layouts.fields),
        _done("done", layouts.nothing),
        _system(system) {
    this->addDependentField(_residuals);
    this->addEvaluatedField(_done);
  }

 private:
  void evaluate(const Workset& w) override {
    for (int c = 0; c < w.numCells(); ++c)
      for (int f = 0; f < w.numFields(); ++f) {
        const int row = w.unknowns(c, f);
        if (row < 0) continue;
        const auto& residual = _residuals(c, f);
        if constexpr (std::is_same_v<EvalT, Traits::Residual>) {
          _system.residual(row) += residual;
        } else {
          _system.residual(row) += residual.val();
          for (int g = 0; g < w.numFields(); ++g) {
            const int column = w.unknowns(c, g);
            if (column >= 0) addToMatrix(row, column, residual.dx(g));
          }
        }
      }
  }
  void addToMatrix(int row, int column, double value) const {
    const int* const columns = _system.graph.entries.data();
    const int* const at = std::lower_bound(columns + _system.graph.row_map(row),
                                           columns + _system.graph.row_map(row + 1), column);
    _system.matrix(at - columns) += value;
  }

  PHX::MDField<const typename EvalT::ScalarT, Cell, Basis> _residuals;
  PHX::MDField<double, Cell> _done;
  System _system;
};

/// The same equation as a law of u and its gradient at a point.
struct Law {
  static constexpr unsigned couplings =
      Kontract::couplings(Kontract::Coupling::FluxOfValue, Kontract::Coupling::FluxOfGradient);
  double source;

  template <class Scalar>
  KOKKOS_FUNCTION void operator()(const Kontract::PointState<Scalar, 1, space_dim>& u,
                                  Kontract::PointResult<Scalar, 1, space_dim>& r) const {
    const Scalar conductivity = 1 + u.value[0] * u.value[0];
    for (int d = 0; d < space_dim; ++d) r.flux[0][d] = conductivity * u.gradient[0][d];
    r.source[0] = -source;
  }
};

/// From unknowns to the whole residual and matrix, by forms of doubles: in the place of Values,
/// Flux, Integrate and Scatter. No field has a derivative for each unknown of a cell.
template <class EvalT>
class FormOfLaw : public Evaluator<EvalT> {
 public:
  FormOfLaw(const std::string& way, const Layouts& layouts, const Workset& first, double source,
            const System& system)
      : Evaluator<EvalT>(way, "form of the law"),
        _unknowns("unknowns", layouts.fields),
        _done("done", layouts.nothing),
        _form(first.numCells(), Kontract::geometry(first.jacobians, first.weights), {source},
              first.reference_values, first.reference_gradients),
        _system(system) {
    this->addDependentField(_unknowns);
    this->addEvaluatedField(_done);
  }

 private:
  void evaluate(const Workset& w) override {
    const auto unknowns = _unknowns.get_view();
    const Kontract::CellNumbers<Device> rows(w.unknowns, _system.numRows());
    _form.setGeometry(Kontract::geometry(w.jacobians, w.weights));
    _form.residual(Kontract::scattered(_system.residual, rows), unknowns, true);
    if constexpr (std::is_same_v<EvalT, Traits::Jacobian>) {
      _form.linearize(unknowns);
      _form.matrices(Kontract::scattered(_system.matrix, w.plan), true);
    }
  }

  using Geometry = decltype(Kontract::geometry(Array(), Array()));
  PHX::MDField<const double, Cell, Basis> _unknowns;
  PHX::MDField<double, Cell> _done;
  Kontract::NonlinearForm<Device, 1, space_dim, Law, Geometry, Array, Array> _form;
  System _system;
};

}  // namespace PhalanxExample

#endif
