// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_CELLNUMBERS_HPP
#define KONTRACT_CELLNUMBERS_HPP

#include "detail/support/Kontract_Requirements.hpp"

#include "Kontract_CellOrientations.hpp"
#include "Kontract_LinearConstraints.hpp"
#include "detail/launch/Kontract_SharedNumbers.hpp"

namespace Kontract {

/// The numbers of the unknowns or of the nodes of cells, (C,F): what cells have in common. Checked
/// once and kept, 4 bytes each; copies of an object share them.
///
///     const Kontract::CellNumbers<Device> unknowns(cell_unknowns, number_of_unknowns);
///     Integration::vectors(Kontract::scattered(load, unknowns), cells, Kontract::load(...));
///     Integration::apply(Kontract::scattered(y, unknowns), Kontract::gathered(x, unknowns), ...);
///
/// \tparam DeviceType  a Kokkos::Device or an execution space
template <class DeviceType>
class CellNumbers {
 public:
  using execution_space = typename DeviceType::execution_space;  ///< on which they are made

  /// Of no cells.
  CellNumbers() = default;

  /// \param numbers  (C,F), Kokkos::View or Kokkos::DynRankView of any integer type and layout;
  ///   negative ones stand for nothing: they are left out where cells add, and are 0 where they
  ///   read. They are copied
  /// \param count    unknowns or nodes that there are
  /// \throws std::invalid_argument for a number that is not below count, with its cell and field
  template <class View>
  CellNumbers(const View& numbers, std::int64_t count)
      : CellNumbers(execution_space(), numbers, count) {}
  /// \param space    on which they are copied and checked; waits for it
  /// \param numbers  as above
  /// \param count    as above
  template <class View>
  CellNumbers(const execution_space& space, const View& numbers, std::int64_t count)
      : _numbers(space, numbers, count) {}

  /// Cells that have numbers.
  std::int64_t numCells() const { return _numbers.cells(); }
  /// Numbers of a cell.
  std::int64_t numFields() const { return _numbers.fields(); }
  /// Unknowns or nodes that there are.
  std::int64_t count() const { return _numbers.count(); }

  /// The same numbers, of unknowns that neighbouring cells see in one way: what cells add is
  /// transformed by their orientations before, and what they read after. Shares what this object
  /// has; of several components of a field, D D ... numbers each, all are transformed alike.
  /// \param orientations  of the basis of which these are the unknowns
  /// \throws std::invalid_argument if they are of other cells or fields
  CellNumbers oriented(const CellOrientations<DeviceType>& orientations) const {
    CellNumbers oriented;
    oriented._numbers = _numbers.oriented(orientations.impl());
    return oriented;
  }

  /// The same, of unknowns that may be sums of others: cells add to what these depend on, and read
  /// it. Cells that have none are as before. Takes 4 bytes a number again, and for cells that have
  /// some their numbers and weights. Orientations may be given before or after.
  /// \param constraints  of as many unknowns
  /// \throws std::invalid_argument if they are of more or fewer, if unknowns are constrained
  ///   already, and for a part of all cells
  CellNumbers constrained(const LinearConstraints<DeviceType>& constraints) const {
    CellNumbers constrained(*this);
    if (constraints.impl()) constrained._numbers = _numbers.constrained(*constraints.impl());
    return constrained;
  }

  /// Those of cells first to last - 1 alone, for a workset; they share what this object has.
  /// \throws std::invalid_argument if there are no such cells
  CellNumbers cells(std::int64_t first, std::int64_t last) const {
    CellNumbers part;
    part._numbers = _numbers.part(first, last);
    return part;
  }

  /// Those of the cells of a list, in its order, for example of the cells that have a certain side
  /// on a boundary. They are copied; lists may name a cell several times.
  /// \param list  Kokkos::View or Kokkos::DynRankView of rank 1, of any integer type
  /// \throws std::invalid_argument if one of them is no cell, and for numbers that are oriented() or
  ///   constrained(): those are made of the subset
  template <class List>
  CellNumbers subset(const List& list) const {
    return subset(execution_space(), list);
  }
  /// \param space  on which they are copied; waits for it
  /// \param list   as above
  template <class List>
  CellNumbers subset(const execution_space& space, const List& list) const {
    CellNumbers chosen;
    chosen._numbers = _numbers.subset(space, list);
    return chosen;
  }

  /// For Kontract itself.
  const Impl::SharedNumbers<execution_space>& impl() const { return _numbers; }

 private:
  Impl::SharedNumbers<execution_space> _numbers;
};

/// An array that cells read by number: see gathered().
template <class Array, class Numbers>
struct Gathered {
  Array array;      ///< (N) or (N,D)
  Numbers numbers;  ///< of each cell
};

/// In the place of the nodes (C,N,D) of geometry(), of the coordinates of all nodes and the numbers
/// of those of each cell; in the place of the vector (C,R) of apply(), of a vector of all unknowns.
/// No array of each cell is made.
/// \param array    (N,D) or, of a vector, (N), or (N,V) of several
/// \param numbers  of the nodes or unknowns of each cell
template <class Array, class DeviceType>
Gathered<Array, CellNumbers<DeviceType>> gathered(const Array& array,
                                                  const CellNumbers<DeviceType>& numbers) {
  return {array, numbers};
}

/// An output to which cells add: see scattered().
template <class Array, class Plan>
struct Scattered {
  Array array;  ///< a vector, or the values of a matrix
  Plan plan;    ///< where cells add
};

/// In the place of the output (C,F) of vectors() and apply(): element vectors are added to those
/// elements of a vector, (N) or (N,1), that the numbers of each cell name; of apply(), to those of
/// several vectors, (N,V). Other elements become 0, or stay as they are with sumInto.
/// \param vector   of all unknowns
/// \param numbers  of the unknowns of each cell
template <class Array, class DeviceType>
Scattered<Array, CellNumbers<DeviceType>> scattered(const Array& vector,
                                                    const CellNumbers<DeviceType>& numbers) {
  return {vector, numbers};
}

}  // namespace Kontract

#endif
