// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_COLUMNFLUX_HPP
#define KONTRACT_COLUMNFLUX_HPP

#include "Kontract_FormEntry.hpp"
#include "Kontract_FormPoint.hpp"

namespace Kontract {
namespace Impl {

/// What stands between right and left values at points, for kernels that go through columns of
/// points, one component of fields after another.
/// \tparam of_left     components of left values: 1, or D of gradients
/// \tparam has_tensor  the coefficient may have more entries than one
template <class Problem, int D, int of_left, bool has_tensor>
struct ColumnFlux {
  using Point = FormPoint<Problem, D>;
  using Acc = typename Point::Acc;
  static constexpr bool is_load = Problem::kind == FormKind::Vectors;
  static constexpr bool is_gradient = of_left > 1;
  static constexpr int lefts = of_left;
  static constexpr int rights = is_load ? 1 : of_left;
  /// Gradients stay on the reference cell: factors hold its geometry. Gradients of tensor-product
  /// bases without a mapping have no other use.
  static constexpr bool is_factored = is_gradient && !Problem::mapping_type::is_ever_there;

  /// The nodes of a cell in scratch memory, by node and component, so far apart.
  struct Nodes {
    const Acc* data;
    int step, count;
  };

  /// What of a point is read from memory ahead of values: factors, or Jacobians.
  struct Ahead {
    Acc coefficient[9] = {Acc(1)};
    PointGeometry<D, Acc> at;
  };
  static constexpr bool has_jacobians =
      Problem::mapping_type::is_ever_there && !Problem::gradients_type::is_ever_there;

  /// \tparam is_half  factors are symmetric ones: where devices ask, what is read is waited for
  template <bool is_half = false, class Term>
  KOKKOS_FORCEINLINE_FUNCTION static void read(const Problem& problem, const Term& term,
                                               std::int64_t c, std::int64_t p, int block,
                                               Ahead& ahead) {
    if constexpr (is_half) {
      const auto* factor = &term.coefficient.at(c, 0, p);
      for (int a = 0; a < lefts; ++a) {
        for (int b = a; b < rights; ++b, factor += term.coefficient.strides.row) {
          ahead.coefficient[a * rights + b] = ahead.coefficient[b * rights + a] = Acc(*factor);
        }
      }
    } else if constexpr (is_factored || has_tensor) {
      Point::template coefficient<lefts, rights>(term, c, p, block, ahead.coefficient);
    } else if (term.coefficient.isThere()) {
      const int component = term.coefficient_is_vector_of_blocks ? block : 0;
      ahead.coefficient[0] = Acc(term.coefficient.at(c, 0, p, component));
    }
    if constexpr (has_jacobians) {
      const auto* row = &problem.mapping.at(c, 0, p);
      for (int i = 0; i < D; ++i, row += problem.mapping.strides.row) {
        const auto* entry = row;
        for (int j = 0; j < D; ++j, entry += problem.mapping.strides.column) {
          ahead.at.jacobian[i][j] = Acc(*entry);
        }
      }
    }
  }

  /// Adds the flux of right values at a point.
  template <class Term>
  KOKKOS_FORCEINLINE_FUNCTION static void add(const Problem& problem, const Term& term,
                                              const Nodes& nodes, std::int64_t c, std::int64_t p,
                                              Ahead& ahead, const Acc (&u)[rights],
                                              Acc (&flux)[lefts]) {
    if constexpr (is_factored) {
      for (int a = 0; a < lefts; ++a) {
        for (int b = 0; b < rights; ++b) flux[a] += ahead.coefficient[a * rights + b] * u[b];
      }
    } else {
      constexpr Pullback left = is_gradient ? Pullback::Covariant : Pullback::Scalar;
      constexpr Pullback right = rights > 1 ? Pullback::Covariant : Pullback::Scalar;
      constexpr auto one = CoefficientKind::Scalar;
      addGeometry(problem, nodes, c, p, ahead.at);
      fluxAt<D>(left, right, has_tensor ? term.kind : one, ahead.at, ahead.coefficient, u, flux);
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static void addGeometry(const Problem& problem, const Nodes& nodes,
                                                      std::int64_t c, std::int64_t p,
                                                      PointGeometry<D, Acc>& at) {
    if constexpr (has_jacobians) {
      completeJacobian<D>(problem, c, p, at);
    } else if constexpr (Problem::gradients_type::is_ever_there) {
      at = geometryOfNodes<D>(problem, c, p, nodes.count, nodes.data, nodes.step,
                              nodeGradients(problem, p));
    } else {
      at = Point::geometry(problem, c, p);
    }
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
