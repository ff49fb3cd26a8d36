// SPDX-License-Identifier: BSD-3-Clause
//
// Times contractions of one cell in a caller's kernel, a team for each cell, beside the launch of
// Kontract::ArrayTools for all cells and, where Kokkos Kernels is there, beside TeamGemm and
// TeamVectorGemm of KokkosBatched in the same kernel; all on the same arrays in one process; the
// exit code is 1 if they differ.
// Usage: Kontract_compareTeam [MB of arrays = 64] [seconds per entry = 0.2]

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "KeepLargest.hpp"
#include "Kontract_ArrayTools.hpp"
#include "Kontract_Team.hpp"
#include "MedianSeconds.hpp"
#if __has_include(<KokkosBatched_Gemm_TeamVector_Impl.hpp>)
#define KONTRACT_TEST_KOKKOSBATCHED
#include <KokkosBatched_Gemm_Decl.hpp>
#include <KokkosBatched_Gemm_TeamVector_Impl.hpp>
#include <KokkosBatched_Gemm_Team_Impl.hpp>
#endif

namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Policy = Kokkos::TeamPolicy<Space>;
using Member = Policy::member_type;
using Arrays = Kokkos::View<double***, Kokkos::LayoutRight, Space>;
using Scratch = Kokkos::View<double*, Space::scratch_memory_space, Kokkos::MemoryUnmanaged>;
using Tools = Kontract::team::ArrayTools<Kontract::team::TeamVector>;
constexpr bool on_host = Kontract::Impl::is_host_space<Space>;

double megabytes = 64, least_seconds = 0.2;
bool is_right = true;

/// out(c,l,r) = sum over p of left(c,l,p) right(c,r,p), by teams.
struct ByTools {
  Arrays out, left, right;
  int scratch_extent;  ///< 0: none
  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    const int c = member.league_rank();
    const auto to = Kokkos::subview(out, c, Kokkos::ALL, Kokkos::ALL);
    const auto a = Kokkos::subview(left, c, Kokkos::ALL, Kokkos::ALL);
    const auto b = Kokkos::subview(right, c, Kokkos::ALL, Kokkos::ALL);
    if (scratch_extent > 0) {
      const Scratch scratch(member.thread_scratch(0), std::size_t(scratch_extent));
      Tools::contractFieldFieldScalar(member, to, a, b, scratch);
    } else {
      Tools::contractFieldFieldScalar(member, to, a, b);
    }
  }
};

#ifdef KONTRACT_TEST_KOKKOSBATCHED
template <bool of_vectors>
struct ByGemm {
  Arrays out, left, right;
  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    using namespace KokkosBatched;
    const int c = member.league_rank();
    const auto to = Kokkos::subview(out, c, Kokkos::ALL, Kokkos::ALL);
    const auto a = Kokkos::subview(left, c, Kokkos::ALL, Kokkos::ALL);
    const auto b = Kokkos::subview(right, c, Kokkos::ALL, Kokkos::ALL);
    if constexpr (of_vectors) {
      TeamVectorGemm<Member, Trans::NoTranspose, Trans::Transpose, Algo::Gemm::Unblocked>::invoke(
          member, 1.0, a, b, 0.0, to);
    } else {
      TeamGemm<Member, Trans::NoTranspose, Trans::Transpose, Algo::Gemm::Blocked>::invoke(
          member, 1.0, a, b, 0.0, to);
    }
  }
};
#endif

template <class Kernel>
double nanoseconds(const Kernel& kernel, const Arrays& out, int threads, int scratch_extent) {
  const int cells = out.extent_int(0);
  Policy policy(cells, threads);
  policy.set_scratch_size(0, Kokkos::PerThread(Scratch::shmem_size(std::size_t(scratch_extent))));
  const double seconds = KontractTest::medianSeconds<Space>(
      [&] { Kokkos::parallel_for("compareTeam", policy, kernel); }, least_seconds);
  return 1e9 * seconds / cells;
}

/// The least time of some sizes of a team.
template <class Kernel>
double leastNanoseconds(const Kernel& kernel, const Arrays& out, int scratch_extent = 0) {
  if (on_host) return nanoseconds(kernel, out, 1, scratch_extent);
  double least = 1e30;
  for (const int threads : {32, 64, 96, 128, 256}) {
    least = std::min(least, nanoseconds(kernel, out, threads, 0));
  }
  return least;
}

double differenceOf(const Arrays& a, const Arrays& b) {
  double most = 0;
  Kokkos::parallel_reduce(
      "compareTeam::difference", Kokkos::RangePolicy<Space>(0, std::int64_t(a.size())),
      KOKKOS_LAMBDA(std::int64_t i, double& largest) {
        const double difference = a.data()[i] - b.data()[i];
        const double size = difference < 0 ? -difference : difference;
        KontractTest::keepLargest(largest, size == size ? size : 1e300);  // NaN is lost otherwise
      },
      Kokkos::Max<double>(most));
  return most;
}

void row(int lefts, int rights, int points) {
  const double of_cell = 8. * (lefts * points + rights * points + lefts * rights);
  const int cells = std::max(1, int(megabytes * 1e6 / of_cell));
  const Arrays left("left", cells, lefts, points), right("right", cells, rights, points);
  const Arrays expected("expected", cells, lefts, rights), out("out", cells, lefts, rights);
  Kokkos::parallel_for(
      "compareTeam::fill", Kokkos::RangePolicy<Space>(0, cells), KOKKOS_LAMBDA(int c) {
        for (int p = 0; p < points; ++p) {
          for (int l = 0; l < lefts; ++l) left(c, l, p) = 0.1 * ((c + 3 * l + 5 * p) % 11) - 0.5;
          for (int r = 0; r < rights; ++r) right(c, r, p) = 0.1 * ((c + 7 * r + p) % 13) - 0.6;
        }
      });
  const double launch =
      1e9 / cells *
      KontractTest::medianSeconds<Space>(
          [&] { Kontract::ArrayTools<Space>::contractFieldFieldScalar(expected, left, right); },
          least_seconds);
  std::printf("%3dx%dx%d: launch %9.2f", lefts, rights, points, launch);
  const auto report = [&](const char* name, double time) {
    std::printf(", %s %9.2f (%.2f)", name, time, time / launch);
    if (differenceOf(expected, out) < 1e-12) return;
    std::printf(" WRONG");
    is_right = false;
  };
  report("team", leastNanoseconds(ByTools{out, left, right, 0}, out));
  const auto extent = int(Tools::scratchExtent<Space, double>(lefts, rights, points));
  if (extent > 0) {
    report("in scratch memory", leastNanoseconds(ByTools{out, left, right, extent}, out, extent));
  }
#ifdef KONTRACT_TEST_KOKKOSBATCHED
  report("TeamGemm", leastNanoseconds(ByGemm<false>{out, left, right}, out));
  report("TeamVectorGemm", leastNanoseconds(ByGemm<true>{out, left, right}, out));
#endif
  std::printf("\n");
}

}  // namespace

int main(int argc, char* argv[]) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  if (argc > 1) megabytes = std::atof(argv[1]);
  if (argc > 2) least_seconds = std::atof(argv[2]);
  std::printf("LxRxP, ns a cell (times that of the launch), %s\n", Space::name());
  row(4, 4, 4);
  row(8, 8, 8);
  row(10, 10, 15);
  row(27, 27, 27);
  row(27, 27, 64);
  row(64, 64, 64);
  return is_right ? 0 : 1;
}
