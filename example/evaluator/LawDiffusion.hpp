// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief The same residual from its law at a point, which alone is differentiated.
#ifndef EVALUATOR_LAWDIFFUSION_HPP
#define EVALUATOR_LAWDIFFUSION_HPP

#include "Workset.hpp"

#include "Kontract_NonlinearForm.hpp"

namespace Evaluator {

/// -div((1 + u^2) grad u) - f: a flux of u and its gradient, and a source that no unknown changes.
struct DiffusionLaw {
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

/// Residuals (C,F) and element Jacobians (C,F,F) of a workset: no array has a derivative for each
/// field.
class LawDiffusion {
 public:
  LawDiffusion(const Workset& w, double source)
      : unknowns("unknowns", w.numCells(), w.numFields()),
        residuals("residuals", w.numCells(), w.numFields()),
        jacobians("jacobians", w.numCells(), w.numFields(), w.numFields()),
        _form(w.numCells(), Kontract::geometry(w.jacobians, w.weights), {source},
              w.reference_values, w.reference_gradients) {}

  void evaluateFields(const Workset& w) {
    _form.setGeometry(Kontract::geometry(w.jacobians, w.weights));
    _form.residual(residuals, unknowns);
    _form.linearize(unknowns);
    _form.matrices(jacobians);
  }

  Array unknowns;   ///< (C,F), set by the caller
  Array residuals;  ///< (C,F)
  Array jacobians;  ///< (C,F,F)

 private:
  using Geometry = decltype(Kontract::geometry(Array(), Array()));
  Kontract::NonlinearForm<Device, 1, space_dim, DiffusionLaw, Geometry, Array, Array> _form;
};

}  // namespace Evaluator

#endif
