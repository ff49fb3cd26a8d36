// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_DENSEALGEBRA_HPP
#define KONTRACT_TEST_DENSEALGEBRA_HPP

#include <Teuchos_LAPACK.hpp>
#include <Teuchos_SerialDenseMatrix.hpp>
#include <Teuchos_SerialSpdDenseSolver.hpp>
#include <Teuchos_SerialSymDenseMatrix.hpp>
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace KontractTest {

using DenseMatrix = Teuchos::SerialDenseMatrix<int, double>;

/// A cell's matrix out of those of all cells, row by row; columns = 1 for vectors.
inline DenseMatrix cellMatrix(const std::vector<double>& of_all, std::size_t cell, std::size_t rows,
                              std::size_t columns) {
  DenseMatrix matrix(static_cast<int>(rows), static_cast<int>(columns));
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      matrix(int(i), int(j)) = of_all[(cell * rows + i) * columns + j];
    }
  }
  return matrix;
}

/// a b, or with a transposed
inline DenseMatrix product(const DenseMatrix& a, const DenseMatrix& b, bool transposed = false) {
  DenseMatrix result(transposed ? a.numCols() : a.numRows(), b.numCols());
  result.multiply(transposed ? Teuchos::TRANS : Teuchos::NO_TRANS, Teuchos::NO_TRANS, 1, a, b, 0);
  return result;
}

/// x of matrix x = right, by Cholesky's factors.
/// \throws std::logic_error if the matrix is not positive definite
inline DenseMatrix solved(const DenseMatrix& matrix, const DenseMatrix& right) {
  const int n = matrix.numRows();
  const auto symmetric = Teuchos::rcp(new Teuchos::SerialSymDenseMatrix<int, double>(n));
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) (*symmetric)(i, j) = matrix(i, j);
  }
  const auto given = Teuchos::rcp(new DenseMatrix(right)),
             solution = Teuchos::rcp(new DenseMatrix(n, right.numCols()));
  Teuchos::SerialSpdDenseSolver<int, double> solver;
  solver.setMatrix(symmetric);
  solver.setVectors(solution, given);
  solver.factorWithEquilibration(true);
  if (solver.factor() != 0) throw std::logic_error("a matrix is not positive definite");
  solver.solve();
  return *solution;
}

/// In ascending order.
inline std::vector<double> eigenvaluesOf(const DenseMatrix& symmetric) {
  const int n = symmetric.numRows();
  DenseMatrix copy(symmetric);
  std::vector<double> values(n), work(std::max(1, 34 * n));
  int info = 0;
  Teuchos::LAPACK<int, double>().SYEV('N', 'L', n, copy.values(), copy.stride(), values.data(),
                                      work.data(), static_cast<int>(work.size()), &info);
  if (info != 0) throw std::logic_error("LAPACK found no eigenvalues");
  return values;
}

inline double largestOf(const DenseMatrix& matrix) {
  double largest = 0;
  for (int j = 0; j < matrix.numCols(); ++j) {
    for (int i = 0; i < matrix.numRows(); ++i) {
      const double x = std::abs(matrix(i, j));
      if (x > largest || std::isnan(x)) largest = x;
    }
  }
  return largest;
}

/// The largest entry of a - b, relative to that of b.
inline double distance(const DenseMatrix& a, const DenseMatrix& b) {
  DenseMatrix difference(a);
  difference -= b;
  return largestOf(difference) / largestOf(b);
}

}  // namespace KontractTest

#endif
