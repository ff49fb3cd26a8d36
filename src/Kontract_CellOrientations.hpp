// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_CELLORIENTATIONS_HPP
#define KONTRACT_CELLORIENTATIONS_HPP

#include "detail/support/Kontract_Requirements.hpp"

#include "detail/call/Kontract_OrientedBasis.hpp"
#include "detail/launch/Kontract_SharedOperators.hpp"

namespace Kontract {

/// How the fields of cells become those that neighbouring cells have in common: what Intrepid2's
/// OrientationTools::modifyBasisByOrientation() does to values of a basis, to be done to matrices
/// and vectors of cells. In HGRAD, HCURL and HDIV of higher order the fields of an edge or a face
/// are transformed by a small matrix, which depends on how the cell sees that edge or face. Made
/// once for a mesh; copies of an object share it.
///
///     const Kontract::CellOrientations<Device> orientations(basis, element_orientations);
///     const auto unknowns =
///         Kontract::CellNumbers<Device>(cell_unknowns, number_of_unknowns).oriented(orientations);
///     const Kontract::ScatterPlan<Device> plan(matrix, unknowns);
///     Integration::matrices(Kontract::scattered(matrix.values, plan), cells, term);
///     Integration::matrices(Kontract::oriented(matrices, orientations), cells, term);  // (C,F,F)
///
/// Takes 8 bytes a cell and 4 for each edge or face of a cell whose fields change; on devices, once
/// a form is computed there, 4 bytes a cell besides, and for each way in which cells see their edges
/// and faces 8 bytes a field and 12 an entry of its matrix. Where signs suffice, terms with signs()
/// are faster.
///
/// Source: F. Fuentes, B. Keith, L. Demkowicz, S. Nagaraj, "Orientation embedded high order shape
/// functions for the exact sequence elements of all shapes" (2015), for the idea; the matrices are
/// Intrepid2's.
/// \tparam DeviceType  a Kokkos::Device or an execution space
template <class DeviceType>
class CellOrientations {
 public:
  using execution_space = typename DeviceType::execution_space;  ///< of forms
  using memory_space = typename DeviceType::memory_space;        ///< of signs()

  /// Of a side whose fields need none.
  CellOrientations() = default;

  /// Needs <Intrepid2_OrientationTools.hpp> before.
  /// \param basis         an Intrepid2::Basis of DeviceType, whatever its order, cells and space
  /// \param orientations  (C) of Intrepid2::Orientation, as OrientationTools::getOrientation()
  ///   makes them
  /// \throws std::invalid_argument if orientations are not (C)
  template <class Basis, class Orientations>
  CellOrientations(const Basis& basis, const Orientations& orientations)
      : _operators(Impl::operatorsOf<DeviceType>(basis, orientations)) {}

  /// For Kontract itself, of matrices of any kind.
  explicit CellOrientations(const Impl::CellOperators& operators) : _operators(operators) {}

  /// Cells that have orientations.
  std::int64_t numCells() const { return _operators.cells(); }
  /// Fields of the basis.
  std::int64_t numFields() const { return _operators.fields(); }
  /// Whether each field is multiplied by 1 or -1 and nothing else, as in first order; then signs()
  /// does the same.
  bool areSigns() const { return !_operators.isThere() || _operators.store().areSigns(); }
  /// Bytes of memory that it takes.
  std::int64_t bytes() const { return _operators.isThere() ? _operators.store().bytes() : 0; }

  /// Signs of fields (C,F), for Term::withSigns().
  /// \throws std::invalid_argument if they do not suffice
  template <class Real>
  Kokkos::View<Real**, Kokkos::LayoutRight, memory_space> signs() const {
    if (!areSigns()) {
      Impl::refuse(
          "CellOrientations",
          "signs do not suffice: fields of some edges or faces are transformed by matrices");
    }
    Kokkos::View<Real**, Kokkos::LayoutRight, memory_space> signs(
        "Kontract::CellOrientations", static_cast<std::size_t>(numCells()),
        static_cast<std::size_t>(numFields()));
    const auto host = Kokkos::create_mirror_view(signs);
    std::vector<double> ones(static_cast<std::size_t>(numFields()));
    for (std::int64_t c = 0; c < numCells(); ++c) {
      Impl::signsOf(_operators.plain(), c, ones);
      for (std::int64_t f = 0; f < numFields(); ++f) {
        host(c, f) = static_cast<Real>(ones[static_cast<std::size_t>(f)]);
      }
    }
    Kokkos::deep_copy(signs, host);
    return signs;
  }

  /// Those of cells first to last - 1 alone, for a workset; they share what this object has.
  /// \throws std::invalid_argument if there are no such cells
  CellOrientations cells(std::int64_t first, std::int64_t last) const {
    if (first < 0 || last < first || last > numCells()) {
      Impl::refuse("CellOrientations",
                   "cells " + std::to_string(first) + " to " + std::to_string(last) +
                       " were asked for, but there are " + std::to_string(numCells()));
    }
    CellOrientations part;
    part._operators = _operators.part(first, last);
    return part;
  }

  /// For Kontract itself.
  const Impl::SharedOperators<execution_space>& impl() const { return _operators; }

 private:
  Impl::SharedOperators<execution_space> _operators;
};

/// An array of cells whose fields are transformed: see oriented().
template <class Array, class DeviceType>
struct Oriented {
  Array array;                         ///< (C,L,R), (C,L) or, of products, (C,R), (C,R,V)
  CellOrientations<DeviceType> left;   ///< of its fields
  CellOrientations<DeviceType> right;  ///< of the right fields of matrices
};

/// In the place of an output (C,F,F) or (C,F), or of (C,F) or (C,F,V) of apply(): matrices are
/// those of oriented fields on both sides, and so are vectors. In the same pass: each cell is
/// transformed while it is in a near cache.
/// \param array         of cells
/// \param orientations  of the basis on all sides
template <class Array, class DeviceType>
Oriented<Array, DeviceType> oriented(const Array& array,
                                     const CellOrientations<DeviceType>& orientations) {
  return {array, orientations, orientations};
}
/// The same where left and right fields are of different bases.
/// \param array  (C,L,R)
/// \param left   of left fields; CellOrientations<DeviceType>() if they need none
/// \param right  of right fields, likewise
template <class Array, class DeviceType>
Oriented<Array, DeviceType> oriented(const Array& array, const CellOrientations<DeviceType>& left,
                                     const CellOrientations<DeviceType>& right) {
  return {array, left, right};
}

}  // namespace Kontract

#endif
