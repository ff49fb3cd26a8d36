// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_PROJECTION_HPP
#define KONTRACT_TEST_PROJECTION_HPP

#include <vector>

#include "DenseAlgebra.hpp"
#include "FormCalls.hpp"
#include "FormOracle.hpp"

namespace KontractTest {

/// Projects a function into a space on each cell, by its mass matrix and its source, and says by
/// how much the projection is more than the function: for each cell the components at the first
/// point, the second and so on.
/// \param values  of the basis on the reference cell
/// \param given   values of the function at points of cells, (C,P) or (C,P,D)
inline std::vector<WideVector> projectionErrors(const FormCalls& calls, const CellArrays& cells,
                                                Kontract::FunctionSpace space,
                                                const Numbers& values, const Numbers& given) {
  using Kontract::Form;
  const FormOracle oracle(cells);
  const std::size_t n = values.extents()[0], points = values.extents()[1];
  const auto masses = calls.matrices(cells, {Form::mass(space), &values, &values});
  const auto loads = calls.vectors(cells, {Form::source(space), &values, nullptr, &given});
  std::vector<WideVector> errors;
  for (std::size_t c = 0; c < given.extents()[0]; ++c) {
    const DenseMatrix weights = solved(cellMatrix(masses, c, n, n), cellMatrix(loads, c, n, 1));
    const auto fields = oracle.fields(Form::valueOf(space), values, c, points);
    const std::size_t components = fields[0].size() / points;
    WideVector error;
    for (std::size_t i = 0; i < fields[0].size(); ++i) {
      error.push_back(-given.at({c, 0, 0, i / components, i % components, 0}));
      for (std::size_t f = 0; f < n; ++f) error.back() += weights(int(f), 0) * fields[f][i];
    }
    errors.push_back(error);
  }
  return errors;
}

}  // namespace KontractTest

#endif
