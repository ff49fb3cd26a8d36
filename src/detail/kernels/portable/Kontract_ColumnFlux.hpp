// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_COLUMNFLUX_HPP
#define KONTRACT_COLUMNFLUX_HPP

#include "Kontract_FormEntry.hpp"
#include "Kontract_FormPoint.hpp"

namespace Kontract {
namespace Impl {

/// What kernels that go through columns of points have at points: cells are known in one way.
template <class Problem, int D>
struct ColumnGeometry {
  using Point = FormPoint<Problem, D>;
  using Acc = typename Point::Acc;
  static constexpr bool is_load = Problem::kind == FormKind::Vectors;
  static constexpr bool has_jacobians =
      Problem::mapping_type::is_ever_there && !Problem::gradients_type::is_ever_there;

  /// The nodes of a cell in scratch memory, by node and component, so far apart.
  struct Nodes {
    const Acc* data;
    int step, count;

    KOKKOS_FORCEINLINE_FUNCTION void setJacobian(const Problem& problem, std::int64_t p,
                                                 Acc (&jacobian)[D][D]) const {
      Impl::setJacobian(count, data, step, nodeGradients(problem, p), jacobian);
    }
    /// What a point of a column knows: here it does not matter which one it is.
    KOKKOS_FORCEINLINE_FUNCTION const Nodes& ofPoint(int) const { return *this; }
  };

  /// Reads the Jacobian of a point from memory, where there are any.
  KOKKOS_FORCEINLINE_FUNCTION static void read(const Problem& problem, std::int64_t c,
                                               std::int64_t p, PointGeometry<D, Acc>& at) {
    if constexpr (has_jacobians) {
      const auto* row = &problem.mapping.at(c, 0, p);
      for (int i = 0; i < D; ++i, row += problem.mapping.strides.row) {
        const auto* entry = row;
        for (int j = 0; j < D; ++j, entry += problem.mapping.strides.column) {
          at.jacobian[i][j] = Acc(*entry);
        }
      }
    }
  }

  /// Fills in what was not read.
  /// \param nodes  knows the Jacobian of the point, if nodes are given
  template <class PointNodes>
  KOKKOS_FORCEINLINE_FUNCTION static void complete(const Problem& problem, const PointNodes& nodes,
                                                   std::int64_t c, std::int64_t p,
                                                   PointGeometry<D, Acc>& at) {
    if constexpr (has_jacobians) {
      completeJacobian<D>(problem, c, p, at);
    } else if constexpr (Problem::gradients_type::is_ever_there) {
      nodes.setJacobian(problem, p, at.jacobian);
      completeJacobian<D>(problem, c, p, at);
    } else {
      at = Point::geometry(problem, c, p);
    }
  }
};

/// What stands between right and left values at points, one component of fields after another, of
/// terms whose sides both are values of HGRAD or both are their gradients.
/// \tparam of_left     components of left values: 1, or D of gradients
/// \tparam has_tensor  the coefficient may have more entries than one
template <class Problem, int D, int of_left, bool has_tensor>
struct ColumnFlux : ColumnGeometry<Problem, D> {
  using Geometry = ColumnGeometry<Problem, D>;
  using Geometry::is_load;
  using typename Geometry::Acc;
  using typename Geometry::Nodes;
  using typename Geometry::Point;
  static constexpr bool is_gradient = of_left > 1;
  static constexpr int lefts = of_left;
  static constexpr int rights = is_load ? 1 : of_left;
  /// Gradients stay on the reference cell: factors hold its geometry. Gradients of tensor-product
  /// bases without a mapping have no other use.
  static constexpr bool is_factored = is_gradient && !Problem::mapping_type::is_ever_there;
  /// Whether lanes past the last point compute it once more. All lanes of a warp then go the same
  /// way, and reads of several points are under way at a time; diffusion by Jacobians is slower so.
  static constexpr bool all_lanes_compute = is_factored;

  /// What of a point is read from memory ahead of values: factors, or Jacobians.
  struct Ahead {
    Acc coefficient[9] = {Acc(1)};
    PointGeometry<D, Acc> at;
  };

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
    Geometry::read(problem, c, p, ahead.at);
  }

  /// Computes the flux of right values at a point, which is zero before.
  template <class Term, class PointNodes>
  KOKKOS_FORCEINLINE_FUNCTION static void add(const Problem& problem, const Term& term,
                                              const PointNodes& nodes, std::int64_t c,
                                              std::int64_t p, Ahead& ahead, const Acc (&u)[rights],
                                              Acc (&flux)[lefts]) {
    if constexpr (is_factored) {
      for (int a = 0; a < lefts; ++a) {
        flux[a] = ahead.coefficient[a * rights] * u[0];
        for (int b = 1; b < rights; ++b) flux[a] += ahead.coefficient[a * rights + b] * u[b];
      }
    } else {
      constexpr Pullback left = is_gradient ? Pullback::Covariant : Pullback::Scalar;
      constexpr Pullback right = rights > 1 ? Pullback::Covariant : Pullback::Scalar;
      constexpr auto one = CoefficientKind::Scalar;
      Geometry::complete(problem, nodes, c, p, ahead.at);
      fluxAt<D>(left, right, has_tensor ? term.kind : one, ahead.at, ahead.coefficient, u, flux);
    }
  }
};

/// Pullbacks of a term, which are asked for at points.
struct TermPullbacks {
  static constexpr bool are_known = false;
  template <class Term>
  KOKKOS_FORCEINLINE_FUNCTION static Pullback left(const Term& term) {
    return term.left_pullback;
  }
  template <class Term>
  KOKKOS_FORCEINLINE_FUNCTION static Pullback right(const Term& term) {
    return term.right_pullback;
  }
};
/// Those that are known when compiling: what Jacobians are not needed for is not computed.
template <Pullback of_left, Pullback of_right>
struct KnownPullbacks {
  static constexpr bool are_known = true;
  template <class Term>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr Pullback left(const Term&) {
    return of_left;
  }
  template <class Term>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr Pullback right(const Term&) {
    return of_right;
  }
};

/// The same of any terms that do not couple components.
/// \tparam of_left, of_right  components; 0: sides have D, or one
/// \tparam Pullbacks          TermPullbacks, or KnownPullbacks
template <class Problem, int D, int of_left, int of_right, class Pullbacks = TermPullbacks>
struct FamilyFlux : ColumnGeometry<Problem, D> {
  using Geometry = ColumnGeometry<Problem, D>;
  using typename Geometry::Acc;
  using typename Geometry::Nodes;
  using typename Geometry::Point;
  static constexpr int lefts = of_left > 0 ? of_left : D, rights = of_right > 0 ? of_right : D;
  static constexpr bool is_factored = false, all_lanes_compute = Pullbacks::are_known;

  struct Ahead {
    int block;
    PointGeometry<D, Acc> at;
  };
  template <bool, class Term>
  KOKKOS_FORCEINLINE_FUNCTION static void read(const Problem& problem, const Term&, std::int64_t c,
                                               std::int64_t p, int block, Ahead& ahead) {
    ahead.block = block;
    Geometry::read(problem, c, p, ahead.at);
  }

  template <class Term, class PointNodes>
  KOKKOS_FORCEINLINE_FUNCTION static void add(const Problem& problem, const Term& term,
                                              const PointNodes& nodes, std::int64_t c,
                                              std::int64_t p, Ahead& ahead, const Acc (&u)[rights],
                                              Acc (&flux)[lefts]) {
    Geometry::complete(problem, nodes, c, p, ahead.at);
    if constexpr (of_left > 0) {
      addOf<of_left, of_right>(problem, term, c, p, ahead, u, flux);
    } else {
      withComponents<D>(term, [&](auto left, auto right) {
        Acc values[decltype(right)::value], fluxes[decltype(left)::value] = {};
        for (int b = 0; b < decltype(right)::value; ++b) values[b] = u[b];
        addOf<decltype(left)::value, decltype(right)::value>(problem, term, c, p, ahead, values,
                                                             fluxes);
        for (int a = 0; a < decltype(left)::value; ++a) flux[a] = fluxes[a];
      });
    }
  }

 private:
  template <int NL, int NR, class Term>
  KOKKOS_FORCEINLINE_FUNCTION static void addOf(const Problem& problem, const Term& term,
                                                std::int64_t c, std::int64_t p, const Ahead& ahead,
                                                const Acc (&u)[NR], Acc (&flux)[NL]) {
    if constexpr (Geometry::is_load) {
      Point::addFlux(problem, term, ahead.at, c, p, ahead.block, ahead.block, u, flux);
    } else {
      Acc entries[9] = {};
      Point::template coefficient<NL, NR>(term, c, p, ahead.block, entries);
      fluxAt<D>(Pullbacks::left(term), Pullbacks::right(term), term.kind, ahead.at, entries, u,
                flux);
    }
  }
};

/// The same of elasticity: components are those of the gradients of all displacements.
template <class Problem, int D>
struct ElasticFlux : ColumnGeometry<Problem, D> {
  using Geometry = ColumnGeometry<Problem, D>;
  using typename Geometry::Acc;
  using typename Geometry::Nodes;
  static constexpr int lefts = D * D, rights = D * D;
  static constexpr bool is_factored = false, all_lanes_compute = true;

  struct Ahead {
    Acc lambda, mu;
    PointGeometry<D, Acc> at;
  };
  template <bool, class Term>
  KOKKOS_FORCEINLINE_FUNCTION static void read(const Problem& problem, const Term& term,
                                               std::int64_t c, std::int64_t p, int, Ahead& ahead) {
    ahead.lambda = Acc(term.coefficient.at(c, 0, p));
    ahead.mu = Acc(term.second.at(c, 0, p));
    Geometry::read(problem, c, p, ahead.at);
  }

  template <class Term, class PointNodes>
  KOKKOS_FORCEINLINE_FUNCTION static void add(const Problem& problem, const Term& term,
                                              const PointNodes& nodes, std::int64_t c,
                                              std::int64_t p, Ahead& ahead, const Acc (&u)[rights],
                                              Acc (&flux)[lefts]) {
    constexpr Pullback pullback =
        Problem::mapping_type::is_ever_there ? Pullback::Covariant : Pullback::Physical;
    Geometry::complete(problem, nodes, c, p, ahead.at);
    Acc gradients[D][D], fluxes[D][D];
    for (int i = 0; i < D * D; ++i) gradients[i / D][i % D] = u[i];
    elasticFluxAt<D>(pullback, ahead.at, ahead.lambda, ahead.mu, gradients, fluxes);
    for (int i = 0; i < D * D; ++i) flux[i] = fluxes[i / D][i % D];
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
