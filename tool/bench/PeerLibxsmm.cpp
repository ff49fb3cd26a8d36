// SPDX-License-Identifier: BSD-3-Clause
#include "PeersOnMatrices.hpp"

#ifdef KONTRACT_BENCH_HAVE_LIBXSMM
#include <libxsmm.h>
#endif

namespace KontractBench {
#ifdef KONTRACT_BENCH_HAVE_LIBXSMM
namespace {

libxsmm_dmmfunction dispatch(int m, int n, int k, int lda, int ldb, int ldc, double beta) {
  const double alpha = 1;
  return libxsmm_dmmdispatch(m, n, k, &lda, &ldb, &ldc, &alpha, &beta, nullptr, nullptr);
}
libxsmm_smmfunction dispatch(int m, int n, int k, int lda, int ldb, int ldc, float beta) {
  const float alpha = 1;
  return libxsmm_smmdispatch(m, n, k, &lda, &ldb, &ldc, &alpha, &beta, nullptr, nullptr);
}

}  // namespace

/// libxsmm multiplies column-major matrices as they are. Row-major out (rows x columns) is
/// column-major columns x rows, and needs the right matrix as columns x terms: it is transposed
/// into a buffer for each cell, within the time that is measured.
template <class Scalar>
Offer libxsmm(const Matrices& problem, const Copies<Scalar>& copies) {
  if constexpr (!std::is_floating_point_v<Scalar>) {
    return {nullptr, "it has no complex scalars"};
  } else {
    if (!on_host) return {nullptr, "it runs on the host"};
    if (problem.rows == 1) return {nullptr, "it multiplies matrices, not vectors"};
    if (problem.left.column != 1 || problem.right.column != 1 || problem.out.column != 1) {
      return {nullptr, "it needs points side by side"};
    }
    const int m = int(problem.columns), n = int(problem.rows), k = int(problem.terms);
    const auto kernel =
        dispatch(m, n, k, m, int(problem.left.row), int(problem.out.row), Scalar(0));
    if (kernel == nullptr) return {nullptr, "it makes no kernel for these sizes"};
    return {[=](int copy) {
              const Pointers<Scalar> at = copies[copy];
              forEachCell(problem.cells, [=](std::int64_t begin, std::int64_t end) {
                thread_local std::vector<Scalar> packed;
                packed.resize(std::size_t(m) * k);
                for (std::int64_t c = begin; c < end; ++c) {
                  libxsmm_otrans(packed.data(), at.right + c * problem.right.cell, sizeof(Scalar),
                                 k, m, int(problem.right.row), m);
                  kernel(packed.data(), at.left + c * problem.left.cell,
                         at.out + c * problem.out.cell);
                }
              });
            },
            ""};
  }
}
#else
template <class Scalar>
Offer libxsmm(const Matrices&, const Copies<Scalar>&) {
  return {nullptr, "it is not in this program"};
}
#endif

#define KONTRACT_BENCH_INSTANTIATE(SCALAR) \
  template Offer libxsmm(const Matrices&, const Copies<SCALAR>&);
KONTRACT_BENCH_FOR_SCALARS(KONTRACT_BENCH_INSTANTIATE)

}  // namespace KontractBench
