// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief What Phalanx is told of the evaluation: types, scalars, extents, and what is handed to
/// evaluators.
#ifndef PHALANXEXAMPLE_TRAITS_HPP
#define PHALANXEXAMPLE_TRAITS_HPP

#include "Workset.hpp"

#include "Phalanx_ExtentTraits.hpp"
#include "Phalanx_KokkosDeviceTypes.hpp"
#include "Phalanx_Traits.hpp"
#include "Sacado_mpl_vector.hpp"

// Of the extents of fields.
PHX_EXTENT(Cell)
PHX_EXTENT(Basis)
PHX_EXTENT(Point)
PHX_EXTENT(Dim)

namespace PhalanxExample {

struct Traits {
  /// One code is evaluated for each of these.
  struct Residual {
    using ScalarT = double;
  };
  struct Jacobian {
    using ScalarT = Sacado::Fad::DFad<double>;  ///< with derivatives by the F unknowns of the cell
  };
  using EvalTypes = Sacado::mpl::vector<Residual, Jacobian>;

  using SetupData = void*;
  using EvalData = const Workset&;
  using PreEvalData = void*;
  using PostEvalData = void*;
};

}  // namespace PhalanxExample

namespace PHX {

// The scalars of the fields of each evaluation type.
template <>
struct eval_scalar_types<PhalanxExample::Traits::Residual> {
  using type = Sacado::mpl::vector<double>;
};
template <>
struct eval_scalar_types<PhalanxExample::Traits::Jacobian> {
  using type = Sacado::mpl::vector<Sacado::Fad::DFad<double>, double>;
};

}  // namespace PHX

#endif
