// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_FORMCHAIN_HPP
#define KONTRACT_TEST_FORMCHAIN_HPP

#include <vector>

#include "FormOracle.hpp"

namespace KontractTest {

/// Whose FunctionSpaceTools.
enum class Library { Intrepid2, Kontract };

/// Forms by the chain of functions of FunctionSpaceTools that they replace: values are transformed,
/// multiplied by measures and coefficients, and integrated, each into an array of all cells, on the
/// host. Results are in the order of the last index fastest.
/// \param jacobians  (C,P,D,D)
/// \param weights    (P)
std::vector<double> matricesByChain(Library library, const Numbers& jacobians,
                                    const Numbers& weights, const FormOracle::Term& term);
std::vector<double> vectorsByChain(Library library, const Numbers& jacobians,
                                   const Numbers& weights, const FormOracle::Term& load);

}  // namespace KontractTest

#endif
