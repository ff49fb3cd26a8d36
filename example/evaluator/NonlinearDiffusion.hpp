// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief The residual of -div((1 + u^2) grad u) = f on a workset, as an evaluator of Panzer.
#ifndef EVALUATOR_NONLINEARDIFFUSION_HPP
#define EVALUATOR_NONLINEARDIFFUSION_HPP

#include <string>
#include <type_traits>

#include "Workset.hpp"

#include "Kontract_FunctionSpaceTools.hpp"
#include "Kontract_Integration.hpp"

namespace Evaluator {

/// Evaluation types, as Panzer has them: what a field's values are.
struct Residual {
  using Scalar = double;
};
struct Jacobian {
  using Scalar = Sacado::Fad::DFad<double>;  ///< with derivatives by the F unknowns of the cell
};

/// An array of fields; Fads have their number of derivatives, and the value, in a last extent.
template <class Scalar, class... Extents>
auto makeField(const std::string& name, int num_derivatives, Extents... extents) {
  using Field = Kokkos::DynRankView<Scalar, Device>;
  if constexpr (std::is_same_v<Scalar, double>)
    return Field(name, extents...);
  else
    return Field(name, extents..., num_derivatives + 1);
}

/// (1 + u^2) grad u at points. A function of its own, because compilers for devices take no kernels
/// in private ones.
template <class Scalar, class Field>
void computeFluxes(const Field& fluxes, const Field& values, const Field& gradients) {
  const int num_points = values.extent_int(1);
  Kokkos::parallel_for(
      "Evaluator::fluxes", Kokkos::RangePolicy<Device::execution_space>(0, values.extent(0)),
      KOKKOS_LAMBDA(int cell) {
        for (int point = 0; point < num_points; ++point) {
          const Scalar u = values(cell, point);
          const Scalar conductivity = 1 + u * u;
          for (int d = 0; d < space_dim; ++d)
            fluxes(cell, point, d) = conductivity * gradients(cell, point, d);
        }
      });
}

/// Residuals (C,F) of the cells of a workset from their unknowns (C,F), in two ways:
///
///     sum over p of measure (1 + u^2) grad u . grad v_f - measure f v_f
///
/// One code serves all evaluation types: only what depends on unknowns is a Scalar, the basis and
/// the geometry are double.
template <class EvaluationType>
class NonlinearDiffusion {
 public:
  using Scalar = typename EvaluationType::Scalar;
  using Field = Kokkos::DynRankView<Scalar, Device>;

  /// \param sizes  a workset of the size of all that are evaluated
  NonlinearDiffusion(const Workset& sizes, double source)
      : NonlinearDiffusion(sizes.numCells(), sizes.numFields(), sizes.numPoints(), source) {}

  void evaluateFields(const Workset& workset) {
    evaluateFluxes(workset);
    integrateByTools(workset);
    integrateByForms(workset);
  }

  Field unknowns;            ///< (C,F), set by the caller
  Field residuals;           ///< (C,F), by FunctionSpaceTools
  Field residuals_by_forms;  ///< (C,F), by Integration

 private:
  using Tools = Kontract::FunctionSpaceTools<Device>;
  using Integration = Kontract::Integration<Device>;

  /// u and grad u at points, and (1 + u^2) grad u.
  void evaluateFluxes(const Workset& workset) {
    Kokkos::deep_copy(_values, 0.0);  // evaluate() adds
    Kokkos::deep_copy(_gradients, 0.0);
    Tools::evaluate(_values, unknowns, workset.values);
    Tools::evaluate(_gradients, unknowns, workset.gradients);
    computeFluxes<Scalar>(_fluxes, _values, _gradients);
  }

  /// (C,F) Scalar <- (C,P,D) Scalar x (C,F,P,D) double, and (C,P) x (C,F,P), all transformed and
  /// weighted before: what Panzer stores in a workset.
  void integrateByTools(const Workset& workset) {
    Tools::integrate(residuals, _fluxes, workset.weighted_gradients);
    Tools::integrate(residuals, _minus_source, workset.weighted_values, true);
  }

  /// The same from the basis on the reference cell: nothing is stored with cells, fields and
  /// points.
  void integrateByForms(const Workset& workset) {
    using Kontract::Form;
    Integration::vectors(residuals_by_forms, Kontract::geometry(workset.jacobians, workset.weights),
                         Kontract::load(Form::gradGrad(), workset.reference_gradients, _fluxes),
                         Kontract::load(Form::source(Kontract::FunctionSpace::HGRAD),
                                        workset.reference_values, _minus_source));
  }

  NonlinearDiffusion(int c, int f, int p, double source)
      : unknowns(makeField<Scalar>("unknowns", f, c, f)),
        residuals(makeField<Scalar>("residuals", f, c, f)),
        residuals_by_forms(makeField<Scalar>("residuals_by_forms", f, c, f)),
        _values(makeField<Scalar>("values", f, c, p)),
        _gradients(makeField<Scalar>("gradients", f, c, p, space_dim)),
        _fluxes(makeField<Scalar>("fluxes", f, c, p, space_dim)),
        _minus_source("minus_source", c, 1) {
    Kokkos::deep_copy(_minus_source, -source);
  }

  Field _values;        ///< (C,P)
  Field _gradients;     ///< (C,P,D)
  Field _fluxes;        ///< (C,P,D)
  Array _minus_source;  ///< (C,1): one point for all
};

}  // namespace Evaluator

#endif
