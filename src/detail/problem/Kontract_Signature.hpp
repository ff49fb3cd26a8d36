// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_SIGNATURE_HPP
#define KONTRACT_SIGNATURE_HPP

#include <string>

namespace Kontract {
namespace Impl {

/// One way in which the ranks of an operation's arguments may fit together, a letter an index:
/// C cells, F, L and R fields, P points, D, E and G space dimensions. A small p is a P that may
/// have the extent 1, meaning "the same at every point"; a small d is an index of its own with the
/// extent of D.
struct RankPattern {
  const char* out = nullptr;
  const char* left = nullptr;  ///< empty: there is no left argument
  const char* right = nullptr;
  int dimension = 0;  ///< extent that D must have; 0 for any
};

/// Everything that tells one operation from another: its name, its arguments and their shapes.
struct Signature {
  static constexpr int max_patterns = 12;
  const char* name;
  const char* out_name;
  const char* left_name;
  const char* right_name;
  bool in_place;  ///< the output may be an input, where each element depends on its own place alone
  bool transposable;  ///< takes 'T', which swaps D and E of a full tensor on the left
  RankPattern patterns[max_patterns];
};

/// The 23 operations of ArrayTools, in the order of Intrepid2's class, and the four functions of
/// Integration.
enum class Operation : int {
  contractFieldFieldScalar,
  contractFieldFieldVector,
  contractFieldFieldTensor,
  contractDataFieldScalar,
  contractDataFieldVector,
  contractDataFieldTensor,
  contractDataDataScalar,
  contractDataDataVector,
  contractDataDataTensor,
  scalarMultiplyDataField,
  scalarMultiplyDataData,
  dotMultiplyDataField,
  dotMultiplyDataData,
  crossProductDataField,
  crossProductDataData,
  outerProductDataField,
  outerProductDataData,
  matvecProductDataField,
  matvecProductDataData,
  matmatProductDataField,
  matmatProductDataData,
  cloneFields,
  cloneData,
  matrices,
  vectors,
  apply,
  factors,
  diagonals
};

inline constexpr int operation_count = static_cast<int>(Operation::diagonals) + 1;

/// Whether an operation sums over points, into one scalar per cell and pair of fields.
constexpr bool isContraction(Operation operation) {
  return operation <= Operation::contractDataDataTensor;
}

/// Whether an operation integrates weak forms, whose signature is Kontract_FormSignature.hpp.
constexpr bool isOfForms(Operation operation) { return operation >= Operation::matrices; }

/// The operation of that name.
/// \throws std::invalid_argument if there is none; the text lists those that there are
Operation operationOf(const std::string& name);

/// The signature of an operation.
const Signature& signatureOf(Operation operation);

}  // namespace Impl
}  // namespace Kontract

#endif
