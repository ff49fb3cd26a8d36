// SPDX-License-Identifier: BSD-3-Clause
#include "PeersOnMatrices.hpp"

#ifdef KONTRACT_BENCH_HAVE_KOKKOSKERNELS
#include <KokkosBatched_Gemm_Decl.hpp>
#include <KokkosBatched_Gemm_Serial_Impl.hpp>
#include <KokkosBatched_Gemm_Team_Impl.hpp>
#endif

namespace KontractBench {
namespace {

struct Nothing {
  KOKKOS_INLINE_FUNCTION void operator()(int) const {}
};

}  // namespace

Offer emptyKernel() {
  return {[](int) { Kokkos::parallel_for("empty", Kokkos::RangePolicy<Space>(0, 1), Nothing()); },
          ""};
}

#ifdef KONTRACT_BENCH_HAVE_KOKKOSKERNELS
namespace {

namespace Batched = KokkosBatched;

/// out = left times the transpose of right, in one cell.
template <class Scalar>
struct CellProduct {
  using Matrix =
      Kokkos::View<Scalar**, Kokkos::LayoutStride, Device, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  using Team = typename Kokkos::TeamPolicy<Space>::member_type;
  using Transposed = Batched::Trans::Transpose;
  using Plain = Batched::Trans::NoTranspose;
  using Blocked = Batched::Algo::Gemm::Blocked;

  Pointers<Scalar> at;
  std::int64_t rows, columns, terms;
  Matrices::Strides out, left, right;

  KOKKOS_INLINE_FUNCTION static Matrix matrix(Scalar* data, std::int64_t cell, std::int64_t rows,
                                              std::int64_t columns,
                                              const Matrices::Strides& strides) {
    return Matrix(data + cell * strides.cell,
                  Kokkos::LayoutStride(rows, strides.row, columns, strides.column));
  }
  KOKKOS_INLINE_FUNCTION void operator()(int c) const {
    Batched::SerialGemm<Plain, Transposed, Blocked>::invoke(
        Scalar(1), matrix(at.left, c, rows, terms, left),
        matrix(at.right, c, columns, terms, right), Scalar(0),
        matrix(at.out, c, rows, columns, out));
  }
  KOKKOS_INLINE_FUNCTION void operator()(const Team& team) const {
    const int c = team.league_rank();
    Batched::TeamGemm<Team, Plain, Transposed, Blocked>::invoke(
        team, Scalar(1), matrix(at.left, c, rows, terms, left),
        matrix(at.right, c, columns, terms, right), Scalar(0),
        matrix(at.out, c, rows, columns, out));
  }
};

}  // namespace

template <class Scalar>
Offer kokkosKernels(bool by_teams, const Matrices& problem, const Copies<Scalar>& copies) {
  if (problem.rows == 1) return {nullptr, "it is run on matrices, not vectors"};
  return {[=](int copy) {
            const CellProduct<Scalar> product{copies[copy],  problem.rows, problem.columns,
                                              problem.terms, problem.out,  problem.left,
                                              problem.right};
            const int cells = int(problem.cells);
            if (by_teams) {
              Kokkos::parallel_for("gemm", Kokkos::TeamPolicy<Space>(cells, Kokkos::AUTO()),
                                   product);
            } else {
              Kokkos::parallel_for("gemm", Kokkos::RangePolicy<Space>(0, cells), product);
            }
          },
          ""};
}
#else
template <class Scalar>
Offer kokkosKernels(bool, const Matrices&, const Copies<Scalar>&) {
  return {nullptr, "it is not in this program"};
}
#endif

#define KONTRACT_BENCH_INSTANTIATE(SCALAR) \
  template Offer kokkosKernels(bool, const Matrices&, const Copies<SCALAR>&);
KONTRACT_BENCH_FOR_SCALARS(KONTRACT_BENCH_INSTANTIATE)

}  // namespace KontractBench
