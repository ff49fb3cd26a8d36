// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TERMCHECKER_HPP
#define KONTRACT_TERMCHECKER_HPP

#include "Kontract_FormArgumentChecker.hpp"
#include "Kontract_FormDescription.hpp"

namespace Kontract {
namespace Impl {

/// Checks a term of a form: which patterns its values have, what its coefficient is, its signs.
class TermChecker {
 public:
  /// \param checker  which has the geometry already, and takes the arrays of the term
  /// \param number   of the term, from 1 on
  TermChecker(FormArgumentChecker& checker, const FormDescription& call, int number)
      : _checker(checker), _call(call), _given(call.terms[number - 1]), _number(number) {}

  /// \throws std::invalid_argument as FormArgumentChecker does; if a form cannot be of such values,
  ///   coefficients or cells
  CheckedTerm run();

 private:
  Pullback resolvedPullback(Pullback pullback) const;
  const char* patternOf(const FormArgument& argument, ValuesDescription& values, Pullback given,
                        Pullback pullback, int side) const;
  BasisOperator operatorOf(const FormArgument& argument, const BasisDescription& basis,
                           Pullback given) const;
  void requireGradients() const;
  void requireFlatCells() const;
  CoefficientRole role() const;
  void chooseCoefficient();
  void requireFactors() const;
  void chooseFactors();
  std::int64_t dimensionOfValues() const;
  std::int64_t dimensionOfCurls() const;
  void takeValues(const FormArgument& argument, const FormArgument& directions,
                  ValuesDescription& values);
  void takeIfThere(const FormArgument& argument, const ArrayDescription& array);

  bool isLoad() const { return _call.kind == FormKind::Vectors; }

  FormArgumentChecker& _checker;
  const FormDescription& _call;
  TermDescription& _given;
  int _number;
  CheckedTerm _term;
};

}  // namespace Impl
}  // namespace Kontract

#endif
