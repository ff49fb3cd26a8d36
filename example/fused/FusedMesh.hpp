// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief A cube of bent hexahedra with functions of order two, and what its cells have at points.
#ifndef FUSED_MESH_HPP
#define FUSED_MESH_HPP

#include <Kokkos_Core.hpp>
#include <Kokkos_DynRankView.hpp>

#include "Kontract_CellTools.hpp"
#include "Kontract_Team.hpp"

namespace Fused {

using Space = Kokkos::DefaultExecutionSpace;
using Device = Space::device_type;
/// What a cell has is contiguous: teams have a cell each.
using Array = Kokkos::DynRankView<double, Kokkos::LayoutRight, Device>;
using Table = Kokkos::View<double**, Device>;

constexpr int dim = 3, order = 2, side = order + 1;  ///< functions and points of a direction
constexpr int num_fields = side * side * side, num_points = num_fields, num_corners = 8;

/// Functions of order two and points of Gauss on [-1,1].
struct Line {
  double point[side] = {-0.774596669241483377, 0, 0.774596669241483377};
  double weight[side] = {5. / 9, 8. / 9, 5. / 9};
  KOKKOS_INLINE_FUNCTION double value(int f, int p) const {
    const double x = point[p];
    return f == 0 ? x * (x - 1) / 2 : f == 1 ? 1 - x * x : x * (x + 1) / 2;
  }
  KOKKOS_INLINE_FUNCTION double slope(int f, int p) const {
    return f == 0 ? point[p] - 0.5 : f == 1 ? -2 * point[p] : point[p] + 0.5;
  }
};

/// Digit d of a number of three digits in base `side`: field and point numbers count the first
/// direction fastest.
KOKKOS_INLINE_FUNCTION int digit(int number, int d) {
  return d == 0 ? number % side : d == 1 ? number / side % side : number / (side * side);
}

/// The mesh, and what does not change from one residual to the next.
struct Mesh {
  int cells, unknowns;
  Kokkos::View<int**, Kokkos::LayoutRight, Device> numbers;  ///< (C,F), of unknowns
  Array inverses;                                            ///< (C,P,D,D), of Jacobians
  Array measures;                                            ///< (C,P), with weights
  Array reference_values;                                    ///< (F,P)
  Array reference_gradients;                                 ///< (F,P,D)
  Kontract::TensorBasis<Table, Table> basis;

  /// \param along  cells in each direction
  explicit Mesh(int along)
      : cells(along * along * along),
        numbers("numbers", std::size_t(cells), num_fields),
        inverses("inverses", std::size_t(cells), num_points, dim, dim),
        measures("measures", std::size_t(cells), num_points),
        reference_values("values", num_fields, num_points),
        reference_gradients("gradients", num_fields, num_points, dim) {
    const int nodes = order * along + 1;
    unknowns = nodes * nodes * nodes;
    numberUnknowns(along);
    tabulate();
    computeGeometry(along);
  }

  void numberUnknowns(int along) {
    const int nodes = order * along + 1;
    const auto of = numbers;
    Kokkos::parallel_for(
        "Fused::numbers", Kokkos::RangePolicy<Space>(0, cells), KOKKOS_LAMBDA(int c) {
          const int x = c % along, y = c / along % along, z = c / (along * along);
          for (int f = 0; f < num_fields; ++f) {
            of(c, f) = order * x + digit(f, 0) +
                       nodes * (order * y + digit(f, 1) + nodes * (order * z + digit(f, 2)));
          }
        });
  }

  void tabulate() {
    const Table values("values", side, side), slopes("slopes", side, side);
    const auto of_fields = reference_values, gradients = reference_gradients;
    const Line line;
    Kokkos::parallel_for(
        "Fused::tables", Kokkos::RangePolicy<Space>(0, num_fields), KOKKOS_LAMBDA(int f) {
          for (int p = 0; p < num_points; ++p) {
            double value = 1;
            for (int d = 0; d < dim; ++d) {
              value *= line.value(digit(f, d), digit(p, d));
              double slope = 1;
              for (int e = 0; e < dim; ++e) {
                slope *= d == e ? line.slope(digit(f, e), digit(p, e))
                                : line.value(digit(f, e), digit(p, e));
              }
              gradients(f, p, d) = slope;
            }
            of_fields(f, p) = value;
          }
          for (int p = 0; p < side && f < side; ++p) {
            values(f, p) = line.value(f, p);
            slopes(f, p) = line.slope(f, p);
          }
        });
    basis = Kontract::tensorBasis<dim>(values, slopes);
  }

  /// Corners of a cube that is bent, trilinear functions between them.
  void computeGeometry(int along) {
    const Array corners("corners", std::size_t(cells), num_corners, dim);
    const Array gradients("gradients", num_corners, num_points, dim);
    const Array jacobians("jacobians", std::size_t(cells), num_points, dim, dim);
    const Array determinants("determinants", std::size_t(cells), num_points);
    const Line line;
    Kokkos::parallel_for(
        "Fused::corners", Kokkos::RangePolicy<Space>(0, cells), KOKKOS_LAMBDA(int c) {
          const int first[dim] = {c % along, c / along % along, c / (along * along)};
          for (int n = 0; n < num_corners; ++n) {
            double x[dim];
            for (int d = 0; d < dim; ++d) x[d] = double(first[d] + (n >> d & 1)) / along;
            corners(c, n, 0) = x[0] + 0.1 * x[1] * x[2];
            corners(c, n, 1) = x[1] + 0.1 * x[0] * x[0];
            corners(c, n, 2) = x[2];
          }
        });
    Kokkos::parallel_for(
        "Fused::gradients", Kokkos::RangePolicy<Space>(0, num_corners), KOKKOS_LAMBDA(int n) {
          for (int p = 0; p < num_points; ++p) {
            for (int d = 0; d < dim; ++d) {
              double product = 1;
              for (int e = 0; e < dim; ++e) {
                const double sign = n >> e & 1 ? 1 : -1;
                product *= d == e ? sign / 2 : (1 + sign * line.point[digit(p, e)]) / 2;
              }
              gradients(n, p, d) = product;
            }
          }
        });
    using Tools = Kontract::CellTools<Device>;
    Tools::setJacobian(jacobians, corners, gradients);
    Tools::setJacobianInv(inverses, jacobians);
    Tools::setJacobianDet(determinants, jacobians);
    const auto of_points = measures;
    Kokkos::parallel_for(
        "Fused::measures", Kokkos::RangePolicy<Space>(0, cells), KOKKOS_LAMBDA(int c) {
          for (int p = 0; p < num_points; ++p) {
            double weight = 1;
            for (int d = 0; d < dim; ++d) weight *= line.weight[digit(p, d)];
            of_points(c, p) = weight * determinants(c, p);
          }
        });
  }
};

}  // namespace Fused

#endif
