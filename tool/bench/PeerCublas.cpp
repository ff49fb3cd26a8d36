// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "PeersOnMatrices.hpp"

#ifdef KONTRACT_BENCH_HAVE_CUBLAS
#include "Cublas.hpp"
#endif

namespace KontractBench {
#ifdef KONTRACT_BENCH_HAVE_CUBLAS
/// Row-major out (rows x columns) is column-major columns x rows: right transposed times left.
/// Sums of a single cell's data are matrices of one column; cuBLAS has no dot product of batches.
template <class Scalar>
Offer cublas(const Matrices& problem, const Copies<Scalar>& copies) {
  const auto& [cells, rows, columns, terms, out, left, right, refusal, operation] = problem;
  if (left.column != 1 || right.column != 1 || (columns > 1 && rows > 1 && out.column != 1)) {
    return {nullptr, "it needs points side by side"};
  }
  const int batch = int(cells), m = int(columns), n = int(rows), k = int(terms);
  const Matrices::Strides a = right, b = left, c = out;
  return {[=](int copy) {
            const Pointers<Scalar>& at = copies[copy];
            const CublasMatrices<Scalar> rights{at.right, a.row, a.cell};
            const CublasMatrices<Scalar> lefts{at.left, b.row, b.cell};
            if (n == 1) {
              const long long step = std::max<std::int64_t>(1, c.column);
              cublasProduct(batch, m, k, rights, lefts, {at.out, step, c.cell});
            } else {
              cublasProduct(batch, m, n, k, rights, lefts, {at.out, c.row, c.cell});
            }
          },
          ""};
}
#else
template <class Scalar>
Offer cublas(const Matrices&, const Copies<Scalar>&) {
  return {nullptr, "it is not in this program"};
}
#endif

#define KONTRACT_BENCH_INSTANTIATE(SCALAR) \
  template Offer cublas(const Matrices&, const Copies<SCALAR>&);
KONTRACT_BENCH_FOR_SCALARS(KONTRACT_BENCH_INSTANTIATE)

}  // namespace KontractBench
