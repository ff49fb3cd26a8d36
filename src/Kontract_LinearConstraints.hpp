// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_LINEARCONSTRAINTS_HPP
#define KONTRACT_LINEARCONSTRAINTS_HPP

#include "detail/support/Kontract_Requirements.hpp"

#include "detail/launch/Kontract_SharedConstraints.hpp"

namespace Kontract {

/// Unknowns that are sums of others, u_i = sum over j of w_ij u_j: hanging nodes, periodic
/// boundaries with factors. Made once for a mesh; copies of an object share it.
///
///     const Kontract::LinearConstraints<Device> constraints(weights);  // a CRS matrix
///     const Kontract::CellNumbers<Device> all(cell_unknowns, number_of_unknowns);
///     const auto unknowns = all.constrained(constraints);
///     const Kontract::ScatterPlan<Device> plan(Kontract::CellGraph<Device>(unknowns), unknowns);
///
/// A cell that has u_i adds to the u_j in its place: assembled are C^T A C and C^T f, where row i
/// of C has the weights of u_i. The unknowns j may themselves be sums, until they are none. Takes 4
/// bytes an unknown and 28 a weight. Made on the host, wherever the matrix is.
/// \tparam DeviceType  a Kokkos::Device or an execution space
template <class DeviceType>
class LinearConstraints {
 public:
  using execution_space = typename DeviceType::execution_space;  ///< of complete()

  /// Of no unknowns.
  LinearConstraints() = default;

  /// \param row_map, unknowns, weights  compressed rows: row i has the j and w_ij of unknown i; an
  ///   empty row, or one that says u_i = u_i, is that of an unknown without constraint; where all
  ///   weights are 0, u_i is 0
  /// \throws std::invalid_argument for an unknown that depends on itself, which is named, for
  ///   unknowns that are not there and for weights that are no finite numbers
  template <class RowMap, class Unknowns, class Weights>
  LinearConstraints(const RowMap& row_map, const Unknowns& unknowns, const Weights& weights)
      : _rows(Impl::constraintRows(row_map, unknowns, weights)) {}
  /// The same.
  /// \param matrix  KokkosSparse::CrsMatrix, Tpetra's local matrix, or whatever has `graph` and
  ///   `values` as they have
  template <class Matrix>
  explicit LinearConstraints(const Matrix& matrix)
      : LinearConstraints(Impl::graphOf(matrix).row_map, Impl::graphOf(matrix).entries,
                          matrix.values) {}

  /// Unknowns that there are.
  std::int64_t numUnknowns() const { return impl() ? impl()->count() : 0; }
  /// Unknowns that are sums of others.
  std::int64_t numConstrained() const { return impl() ? impl()->constrained() : 0; }

  /// Gives constrained unknowns of a solution their values, on the default instance; does not wait.
  /// \param vector  (N), of all unknowns, where the execution space reaches it
  /// \throws std::invalid_argument if it has fewer elements
  template <class Vector>
  void complete(const Vector& vector) const {
    complete(execution_space(), vector);
  }
  /// The same on another instance.
  /// \param space   the instance
  /// \param vector  as above
  template <class Vector>
  void complete(const execution_space& space, const Vector& vector) const {
    _rows.complete(space, vector);
  }

  /// For Kontract itself.
  const std::shared_ptr<const Impl::ConstraintRows>& impl() const { return _rows.rows(); }

 private:
  Impl::SharedConstraints<execution_space> _rows;
};

}  // namespace Kontract

#endif
