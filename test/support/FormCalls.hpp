// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_FORMCALLS_HPP
#define KONTRACT_TEST_FORMCALLS_HPP

#include <memory>
#include <string>
#include <vector>

#include "FormOracle.hpp"

namespace KontractTest {

/// Calls of Integration, on an execution space and with an algorithm, for what the oracle takes:
/// arrays are placed in the space's memory, outputs begin as NaN, and results come back in the
/// order of the last index fastest.
class FormCalls {
 public:
  virtual ~FormCalls() = default;

  virtual std::string name() const = 0;
  virtual std::vector<double> matrices(const CellArrays& cells,
                                       const FormOracle::Term& term) const = 0;
  /// Matrix-free products with vectors (C,F).
  virtual std::vector<double> products(const CellArrays& cells, const FormOracle::Term& term,
                                       const Numbers& vectors) const = 0;
  virtual std::vector<double> vectors(const CellArrays& cells,
                                      const FormOracle::Term& load) const = 0;
};

/// For every execution space that Kokkos was built with and every algorithm of forms.
std::vector<std::shared_ptr<const FormCalls>> allFormCalls();

}  // namespace KontractTest

#endif
