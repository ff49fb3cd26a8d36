// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_ELEMENTSCATTER_HPP
#define KONTRACT_ELEMENTSCATTER_HPP

#include "detail/support/Kontract_Requirements.hpp"

#include <string>

#include "Kontract_CellNumbers.hpp"
#include "Kontract_ScatterPlan.hpp"
#include "detail/call/Kontract_ScatterCall.hpp"

namespace Kontract {

/// Adds element matrices and vectors that a program has, of contractions or of its own kernels, to
/// a matrix and a vector of all unknowns. Nothing is searched: a ScatterPlan says where entries
/// are.
///
///     using ElementScatter = Kontract::ElementScatter<Device>;
///     ElementScatter::matrices(Kontract::scattered(matrix.values, plan), element_matrices);
///     ElementScatter::vectors(Kontract::scattered(load, unknowns), element_vectors);
///
/// Forms need no such arrays: Integration adds what it computes. Entries of unknowns that are left
/// out, oriented() or constrained() are treated as forms treat them.
///
/// **Arguments.** Every function takes `([space,] output, arrays [, bool sumInto = false] [,
/// options])`: an execution space instance, a scattered() output, a Kokkos::View or
/// Kokkos::DynRankView of any layout, whether to add to what the output holds instead of
/// overwriting it, and a Kontract::Options or a Teuchos::ParameterList, of which the launch
/// settings Scatter and Cells Per Team of `matrices` or `vectors` hold. Scalars are all float or
/// all double.
///
/// **Errors.** Wrong input is refused before anything runs; the output is left untouched.
/// \throws std::invalid_argument whose text names the function, the array, what it is and what it
///   needs
///
/// **Cost.** A flop an entry; moves the arrays, the plan and the output once. Nothing is allocated,
/// but where unknowns are oriented or constrained: a buffer of some cells, and on hosts 4 bytes a
/// cell.
/// \tparam DeviceType  a Kokkos::Device or an execution space
template <class DeviceType>
class ElementScatter {
 public:
  /// Adds matrices(c,l,r) to the entry of the left unknown l and the right unknown r of each cell.
  ///
  /// \param arguments  [space,] scattered(values, plan), matrices (C,L,R) [, bool sumInto = false]
  ///   [, options]
  template <class... Arguments>
  static void matrices(const Arguments&... arguments) {
    Impl::scatterArrays<DeviceType, Impl::FormKind::Matrices>("ElementScatter::matrices",
                                                              arguments...);
  }

  /// Adds vectors(c,f) to the unknown f of each cell.
  ///
  /// \param arguments  [space,] scattered(vector, numbers), vectors (C,F) [, bool sumInto = false]
  ///   [, options]
  template <class... Arguments>
  static void vectors(const Arguments&... arguments) {
    Impl::scatterArrays<DeviceType, Impl::FormKind::Vectors>("ElementScatter::vectors",
                                                             arguments...);
  }
};

}  // namespace Kontract

#endif
