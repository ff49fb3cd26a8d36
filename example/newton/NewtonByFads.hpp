// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief The same element Jacobians by Fads that carry a derivative for each unknown of a cell
/// through everything: what codes on Trilinos do.
#ifndef NEWTON_BYFADS_HPP
#define NEWTON_BYFADS_HPP

#include "Kontract_FunctionSpaceTools.hpp"
#include "NewtonCube.hpp"

namespace Newton {

/// \tparam Fad  of as many derivatives as a cell has unknowns
template <class Law, class Fad>
class ByFads {
 public:
  static constexpr int K = Law::unknowns;
  using Fads = Kokkos::DynRankView<Fad, Device>;

  explicit ByFads(const Cube& of)
      : _cube(of),
        _values("values", of.cells, of.fields, of.points),
        _gradients("gradients", of.cells, of.fields, of.points, space_dim),
        _weighted_values("weighted values", of.cells, of.fields, of.points),
        _weighted_gradients("weighted gradients", of.cells, of.fields, of.points, space_dim) {
    const std::size_t c = std::size_t(of.cells), f = std::size_t(of.fields),
                      p = std::size_t(of.points), n = f * K + 1;
    for (int k = 0; k < K; ++k) {
      _unknowns[k] = Fads("unknowns", c, f, n);
      _u[k] = Fads("u", c, p, n);
      _grad_u[k] = Fads("grad u", c, p, space_dim, n);
      _sources[k] = Fads("sources", c, p, n);
      _fluxes[k] = Fads("fluxes", c, p, space_dim, n);
      residuals[k] = Fads("residuals", c, f, n);
    }
    Tools::HGRADtransformVALUE(_values, of.values);
    Tools::HGRADtransformGRAD(_gradients, of.inverses, of.gradients);
    Tools::multiplyMeasure(_weighted_values, of.measures, _values);
    Tools::multiplyMeasure(_weighted_gradients, of.measures, _gradients);
  }

  /// \param unknowns  (C,F K)
  void compute(const Array& unknowns, const Law& law) {
    for (int c = 0; c < _cube.cells; ++c) {
      for (int f = 0; f < _cube.fields; ++f) {
        for (int k = 0; k < K; ++k) {
          _unknowns[k](c, f) = Fad(_cube.fields * K, f * K + k, unknowns(c, f * K + k));
        }
      }
    }
    for (int k = 0; k < K; ++k) {
      Kokkos::deep_copy(_u[k], 0.0);  // evaluate() adds
      Kokkos::deep_copy(_grad_u[k], 0.0);
      Tools::evaluate(_u[k], _unknowns[k], _values);
      Tools::evaluate(_grad_u[k], _unknowns[k], _gradients);
    }
    askLaw(law);
    for (int k = 0; k < K; ++k) {
      Tools::integrate(residuals[k], _fluxes[k], _weighted_gradients);
      Tools::integrate(residuals[k], _sources[k], _weighted_values, true);
    }
  }

  /// Of arrays of a cell that would not be there without Fads.
  double bytes() const {
    const double scalars = double(_cube.fields * K + 1) * K *
                           (2.0 * _cube.fields + double(_cube.points) * (2 + 2 * space_dim));
    return 8 * (scalars + 2.0 * _cube.fields * _cube.points * (1 + space_dim));
  }

  Fads residuals[K];  ///< (C,F)

 private:
  using Tools = Kontract::FunctionSpaceTools<Device>;

  void askLaw(const Law& law) {
    for (int c = 0; c < _cube.cells; ++c) {
      for (int p = 0; p < _cube.points; ++p) {
        State<Fad, K> state;
        Result<Fad, K> result;
        state.cell = c, state.point = p;
        for (int k = 0; k < K; ++k) {
          state.value[k] = _u[k](c, p);
          result.source[k] = 0.0;
          for (int d = 0; d < space_dim; ++d) {
            state.gradient[k][d] = _grad_u[k](c, p, d);
            result.flux[k][d] = 0.0;
          }
        }
        law(state, result);
        for (int k = 0; k < K; ++k) {
          _sources[k](c, p) = result.source[k];
          for (int d = 0; d < space_dim; ++d) _fluxes[k](c, p, d) = result.flux[k][d];
        }
      }
    }
  }

  const Cube& _cube;
  Array _values, _gradients, _weighted_values, _weighted_gradients;
  Fads _unknowns[K], _u[K], _grad_u[K], _sources[K], _fluxes[K];
};

}  // namespace Newton

#endif
