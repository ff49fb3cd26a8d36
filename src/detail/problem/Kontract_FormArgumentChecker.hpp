// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FORMARGUMENTCHECKER_HPP
#define KONTRACT_FORMARGUMENTCHECKER_HPP

#include <initializer_list>
#include <string>
#include <vector>

#include "Kontract_ArgumentChecker.hpp"
#include "Kontract_FormDescription.hpp"

namespace Kontract {
namespace Impl {

/// Takes the inputs of a form, of which a call has as many as it has terms, and keeps them until
/// the output is compared with them. Refuses as ArgumentChecker does.
class FormArgumentChecker : public ArgumentChecker {
 public:
  FormArgumentChecker(const char* function, const FormDescription& call);

  /// Keeps an input, whose extents are not compared.
  const Argument& keep(const Argument& input);

  /// Takes an input that has one rank.
  /// \param term  that it belongs to, from 1 on; 0 if to none
  void take(const FormArgument& input, const ArrayDescription& array, int term = 0);

  /// Takes what several arrays are together, of which only the extents are compared.
  void takeShape(const FormArgument& input, const ArrayDescription& array, int term = 0);

  /// Keeps an input that cells share.
  void takeShared(const char* name, const SharedDescription& shared);
  /// Refuses an array that cells share if it has too few elements or another rank.
  void requireShared(const Argument& argument, const SharedDescription& shared) const;

  /// Takes a tensor-product basis as the array of values that all its directions have together.
  /// \param directions  what messages call how many there are
  /// \param values      gets the extents of that array
  void takeBasis(const FormArgument& input, const FormArgument& directions,
                 ValuesDescription& values, int term);

  /// Refuses an array that has other extents, without letters: its fields may be components of
  /// fields.
  void requireExtents(const Argument& argument, std::initializer_list<std::int64_t> needed) const;

  /// All inputs so far.
  const std::vector<Argument>& inputs() const { return _inputs; }

 private:
  /// \param of  values that a basis stands for, as messages name them
  [[noreturn]] void refuseBasis(const Argument& of, const std::string& what) const;
  void requireFamilies(const Argument& of, const BasisDescription& basis) const;
  void requireDirection(const Argument& of, const BasisDescription& basis, int direction) const;

  // Both have all the room that they need from the start, because elements are referred to.
  std::vector<Argument> _inputs;
  std::vector<ArrayDescription> _directions;  ///< of tensor-product bases
};

/// " of term 2"
std::string ofTerm(int term);

}  // namespace Impl
}  // namespace Kontract

#endif
