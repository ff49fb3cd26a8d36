// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

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

#if defined(KONTRACT_BENCH_HAVE_CUBLAS) && CUBLAS_VERSION >= 120500
namespace {

/// Where the matrices of all cells begin: output, left and right side.
using Addresses = Kokkos::View<std::uintptr_t* [3], Kokkos::LayoutLeft, Device>;

struct Begin {
  Addresses addresses;
  std::uintptr_t first[3];
  std::int64_t cell_bytes[3];

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t c) const {
    for (int i = 0; i < 3; ++i) {
      addresses(c, i) = first[i] + static_cast<std::uintptr_t>(c * cell_bytes[i]);
    }
  }
};

template <class Scalar>
Addresses addressesOf(const Matrices& problem, const Pointers<Scalar>& at) {
  const Addresses addresses("addresses", std::size_t(problem.cells));
  constexpr std::int64_t bytes = sizeof(Scalar);
  const Begin begin{
      addresses,
      {reinterpret_cast<std::uintptr_t>(at.out), reinterpret_cast<std::uintptr_t>(at.left),
       reinterpret_cast<std::uintptr_t>(at.right)},
      {problem.out.cell * bytes, problem.left.cell * bytes, problem.right.cell * bytes}};
  Kokkos::parallel_for("addresses", Kokkos::RangePolicy<Space>(0, problem.cells), begin);
  return addresses;
}

}  // namespace

template <class Scalar>
Offer cublasGrouped(const Matrices& problem, const Copies<Scalar>& copies) {
  if constexpr (std::is_floating_point_v<Scalar>) {
    const auto& [cells, rows, columns, terms, out, left, right, refusal, operation] = problem;
    if (left.column != 1 || right.column != 1 || (columns > 1 && out.column != 1)) {
      return {nullptr, "it needs points side by side"};
    }
    std::vector<Addresses> all;
    for (const Pointers<Scalar>& at : copies) all.push_back(addressesOf(problem, at));
    const int batch = int(cells), m = int(columns), n = int(rows), k = int(terms);
    const auto step = [m](std::int64_t row, std::int64_t least) {
      return int(std::max<std::int64_t>({row, least, 1}));
    };
    const int c = step(out.row, m), a = step(right.row, terms), b = step(left.row, terms);
    return {[=](int copy) {
              const auto pointers = [&](int i) {
                return reinterpret_cast<Scalar* const*>(all[copy].data() + i * all[copy].extent(0));
              };
              cublasGroupedProduct(batch, m, n, k, CublasPointers<Scalar>{pointers(2), a},
                                   CublasPointers<Scalar>{pointers(1), b},
                                   CublasPointers<Scalar>{pointers(0), c});
            },
            ""};
  } else {
    return {nullptr, "it takes real matrices"};
  }
}
#else
template <class Scalar>
Offer cublasGrouped(const Matrices&, const Copies<Scalar>&) {
  return {nullptr, "it is not in this program"};
}
#endif

#define KONTRACT_BENCH_INSTANTIATE(SCALAR)                       \
  template Offer cublas(const Matrices&, const Copies<SCALAR>&); \
  template Offer cublasGrouped(const Matrices&, const Copies<SCALAR>&);
KONTRACT_BENCH_FOR_SCALARS(KONTRACT_BENCH_INSTANTIATE)

}  // namespace KontractBench
