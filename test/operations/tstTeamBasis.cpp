// SPDX-License-Identifier: BSD-3-Clause
//
// Bases in a caller's own kernel: values at points from coefficients and integrals from values at
// points, of arrays and of tensor-product bases, in all modes and by threads of the host in the
// place of a team in both orders, against sums of products in long double; and contractions in
// scratch memory.

#include <Kokkos_DynRankView.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "EndWhereNoDeviceIs.hpp"
#include "Kontract_Team.hpp"
#include "Scalars.hpp"
#include "TeamOfThreads.hpp"

namespace KontractTest {
namespace {

namespace team = Kontract::team;
using Space = Kokkos::DefaultExecutionSpace;
using Policy = Kokkos::TeamPolicy<Space>;
using Member = Policy::member_type;
using Table = Kokkos::View<double**, Space>;
using Basis = Kontract::TensorBasis<Table, Table>;
using Scratch = Kokkos::View<double*, Space::scratch_memory_space, Kokkos::MemoryUnmanaged>;
constexpr int cells = 3;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr bool on_host = Kontract::Impl::is_host_space<Space>;

template <class View>
void fillRandomly(const View& view) {
  const auto host = Kokkos::create_mirror_view(view);
  for (std::size_t i = 0; i < host.span(); ++i) host.data()[i] = random().real();
  Kokkos::deep_copy(view, host);
}
template <class View>
auto onHost(const View& view) {
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
}

/// A tensor-product basis by chance, and what it is at each point, in long double.
struct Drawn {
  int directions, fields = 1, points = 1;
  Basis basis{};
  std::vector<long double> values;  ///< [f][p]
  std::vector<long double> slopes;  ///< [f][p][direction]

  explicit Drawn(int count) : directions(count) {
    basis.dimension = directions;
    for (int d = 0; d < directions; ++d) {
      const int functions = 1 + int(random().below(5)), of_points = 1 + int(random().below(6));
      basis.values[d] = Table("values", functions, of_points);
      basis.derivatives[d] = Table("derivatives", functions, of_points);
      fillRandomly(basis.values[d]);
      fillRandomly(basis.derivatives[d]);
      fields *= functions;
      points *= of_points;
    }
    for (int f = 0; f < fields; ++f) {
      for (int p = 0; p < points; ++p) {
        values.push_back(product(f, p, -1));
        for (int i = 0; i < directions; ++i) slopes.push_back(product(f, p, i));
      }
    }
  }

  long double value(int f, int p) const { return values[std::size_t(f * points + p)]; }
  long double slope(int f, int p, int i) const {
    return slopes[std::size_t((f * points + p) * directions + i)];
  }

 private:
  long double product(int f, int p, int derivative) const {
    long double x = 1;
    for (int d = 0; d < directions; ++d) {
      const auto table = onHost(d == derivative ? basis.derivatives[d] : basis.values[d]);
      const int functions = int(table.extent(0)), of_points = int(table.extent(1));
      x *= table(f % functions, p % of_points);
      f /= functions;
      p /= of_points;
    }
    return x;
  }
};

/// What kernels of a basis read and write; those at points of values and of gradients.
struct Arrays {
  Kokkos::View<double**, Kokkos::LayoutRight, Space> coefficients, values, sums, sums_of_gradients;
  Kokkos::View<double***, Kokkos::LayoutLeft, Space> gradients;

  explicit Arrays(const Drawn& of)
      : coefficients("coefficients", cells, of.fields),
        values("values", cells, of.points),
        sums("sums", cells, of.fields),
        sums_of_gradients("sums of gradients", cells, of.fields),
        gradients("gradients", cells, of.points, of.directions) {
    fillRandomly(coefficients);
    for (const auto& output : {sums, sums_of_gradients, values}) Kokkos::deep_copy(output, nan);
    Kokkos::deep_copy(gradients, nan);
  }
};

/// From coefficients to points, and from there, where each value is what was evaluated, back to
/// fields; then all once more, added.
struct ByTensorBasis {
  Basis basis;
  Arrays arrays;
  int scratch_extent;

  template <class Evaluate, class Integrate, class Barrier, class Memory>
  KOKKOS_INLINE_FUNCTION void compute(int c, const Evaluate& evaluate, const Integrate& integrate,
                                      const Barrier& barrier, const Memory& scratch) const {
    const auto coefficients = Kokkos::subview(arrays.coefficients, c, Kokkos::ALL);
    const auto values = Kokkos::subview(arrays.values, c, Kokkos::ALL);
    const auto gradients = Kokkos::subview(arrays.gradients, c, Kokkos::ALL, Kokkos::ALL);
    const auto sums = Kokkos::subview(arrays.sums, c, Kokkos::ALL);
    const auto of_gradients = Kokkos::subview(arrays.sums_of_gradients, c, Kokkos::ALL);
    for (const bool adds : {false, true}) {
      evaluate(values, coefficients, basis, scratch, adds);
      evaluate(gradients, coefficients, basis, scratch, adds);
    }
    barrier();
    for (const bool adds : {false, true}) {
      integrate(sums, values, basis, scratch, adds);
      integrate(of_gradients, gradients, basis, scratch, adds);
    }
  }

  template <class Mode>
  KOKKOS_INLINE_FUNCTION void inTeam(const Member& member) const {
    const Scratch scratch(member.team_scratch(0), scratch_extent);
    compute(
        member.league_rank(), [&](const auto&... a) { team::Basis<Mode>::evaluate(member, a...); },
        [&](const auto&... a) { team::Basis<Mode>::integrate(member, a...); },
        [&] { member.team_barrier(); }, scratch);
  }
};

/// The same in the memory of each cell, by one thread.
struct BySerialTensorBasis {
  ByTensorBasis kernel;
  Kokkos::View<double**, Kokkos::LayoutRight, Space> scratch;
  KOKKOS_INLINE_FUNCTION void operator()(int c) const {
    kernel.compute(
        c, [](const auto&... a) { team::Basis<team::Serial>::evaluate(a...); },
        [](const auto&... a) { team::Basis<team::Serial>::integrate(a...); }, [] {},
        Kokkos::subview(scratch, c, Kokkos::ALL));
  }
};

/// The same of arrays.
struct ByArrays {
  Kokkos::View<double**, Kokkos::LayoutRight, Space> values;
  Kokkos::View<double***, Kokkos::LayoutRight, Space> gradients;
  Arrays arrays;

  template <class Mode>
  KOKKOS_INLINE_FUNCTION void inTeam(const Member& member) const {
    using Tools = team::Basis<Mode>;
    const int c = member.league_rank();
    const auto coefficients = Kokkos::subview(arrays.coefficients, c, Kokkos::ALL);
    const auto at_points = Kokkos::subview(arrays.values, c, Kokkos::ALL);
    const auto slopes = Kokkos::subview(arrays.gradients, c, Kokkos::ALL, Kokkos::ALL);
    const auto sums = Kokkos::subview(arrays.sums, c, Kokkos::ALL);
    const auto of_gradients = Kokkos::subview(arrays.sums_of_gradients, c, Kokkos::ALL);
    for (const bool adds : {false, true}) {
      if (adds) member.team_barrier();  // a tile need not be that of the same thread
      Tools::evaluate(member, at_points, coefficients, values, adds);
      Tools::evaluate(member, slopes, coefficients, gradients, adds);
    }
    member.team_barrier();
    for (const bool adds : {false, true}) {
      if (adds) member.team_barrier();
      Tools::integrate(member, sums, at_points, values, adds);
      Tools::integrate(member, of_gradients, slopes, gradients, adds);
    }
  }
};

template <class Kernel, class Mode>
struct OfTeam {
  Kernel kernel;
  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    kernel.template inTeam<Mode>(member);
  }
};

/// Teams of other sizes than others.
template <class Mode, class Kernel>
void runInTeams(const Kernel& kernel, int scratch_extent) {
  const int threads =
      on_host ? std::min(2, int(Space().concurrency())) : 1 + int(random().below(3)) * 32;
  const int lanes = on_host ? 1 : 2;
  Policy policy(cells, threads, lanes);
  policy.set_scratch_size(0, Kokkos::PerTeam(Scratch::shmem_size(std::size_t(scratch_extent))));
  Kokkos::parallel_for("test", policy, OfTeam<Kernel, Mode>{kernel});
  Kokkos::fence();
}

/// Twice what one pass computes.
void compare(const Drawn& drawn, const Arrays& arrays, Teuchos::FancyOStream& out, bool& success) {
  const auto coefficients = onHost(arrays.coefficients), values = onHost(arrays.values),
             sums = onHost(arrays.sums), of_gradients = onHost(arrays.sums_of_gradients);
  const auto gradients = onHost(arrays.gradients);
  int wrong = 0;
  const auto expect = [&](double found, long double expected, long double magnitude) {
    if (!(std::abs(found - expected) <= 1e-14L * (1 + magnitude))) ++wrong;
  };
  const int n = drawn.fields, m = drawn.points, dims = drawn.directions;
  for (int c = 0; c < cells; ++c) {
    for (int p = 0; p < m; ++p) {
      for (int i = -1; i < dims; ++i) {
        long double sum = 0, magnitude = 0;
        for (int f = 0; f < n; ++f) {
          const long double x =
              2 * coefficients(c, f) * (i < 0 ? drawn.value(f, p) : drawn.slope(f, p, i));
          sum += x;
          magnitude += std::abs(x);
        }
        expect(i < 0 ? values(c, p) : gradients(c, p, i), sum, magnitude);
      }
    }
    for (int f = 0; f < n; ++f) {
      long double sum = 0, of_slopes = 0, magnitude = 0, of_these = 0;
      for (int p = 0; p < m; ++p) {
        sum += 2 * drawn.value(f, p) * values(c, p);
        magnitude += std::abs(2 * drawn.value(f, p) * values(c, p));
        for (int i = 0; i < dims; ++i) {
          of_slopes += 2 * drawn.slope(f, p, i) * gradients(c, p, i);
          of_these += std::abs(2 * drawn.slope(f, p, i) * gradients(c, p, i));
        }
      }
      expect(sums(c, f), sum, magnitude);
      expect(of_gradients(c, f), of_slopes, of_these);
    }
  }
  TEST_EQUALITY_CONST(wrong, 0);
}

TEUCHOS_UNIT_TEST(TeamBasis, tensorProducts) {
  for (int repeat = 0; repeat < 60; ++repeat) {
    const Drawn drawn(1 + repeat % 3);
    const int extent = int(team::Basis<team::Team>::scratchExtent(drawn.basis));
    for (int mode = 0; mode < 3; ++mode) {
      const Arrays arrays(drawn);
      const ByTensorBasis kernel{drawn.basis, arrays, extent};
      if (mode == 0) {
        const Kokkos::View<double**, Kokkos::LayoutRight, Space> scratch("scratch", cells, extent);
        Kokkos::deep_copy(scratch, nan);
        Kokkos::parallel_for("test", Kokkos::RangePolicy<Space>(0, cells),
                             BySerialTensorBasis{kernel, scratch});
      } else if (mode == 1) {
        runInTeams<team::Team>(kernel, extent);
      } else {
        runInTeams<team::TeamVector>(kernel, extent);
      }
      compare(drawn, arrays, out, success);
    }
  }
}

TEUCHOS_UNIT_TEST(TeamBasis, arrays) {
  for (int repeat = 0; repeat < 60; ++repeat) {
    const Drawn drawn(1 + repeat % 3);
    const Kokkos::View<double**, Kokkos::LayoutRight, Space> values("values", drawn.fields,
                                                                    drawn.points);
    const Kokkos::View<double***, Kokkos::LayoutRight, Space> gradients(
        "gradients", drawn.fields, drawn.points, drawn.directions);
    const auto host = Kokkos::create_mirror_view(values);
    const auto host_gradients = Kokkos::create_mirror_view(gradients);
    for (int f = 0; f < drawn.fields; ++f) {
      for (int p = 0; p < drawn.points; ++p) {
        host(f, p) = double(drawn.value(f, p));
        for (int i = 0; i < drawn.directions; ++i) {
          host_gradients(f, p, i) = double(drawn.slope(f, p, i));
        }
      }
    }
    Kokkos::deep_copy(values, host);
    Kokkos::deep_copy(gradients, host_gradients);
    for (const bool of_vectors : {false, true}) {
      const Arrays arrays(drawn);
      const ByArrays kernel{values, gradients, arrays};
      of_vectors ? runInTeams<team::TeamVector>(kernel, 0) : runInTeams<team::Team>(kernel, 0);
      compare(drawn, arrays, out, success);
    }
  }
}

/// Cross products of data with fields and of data with data, in space and in the plane.
TEUCHOS_UNIT_TEST(TeamBasis, crossProducts) {
  using Host = Kokkos::DefaultHostExecutionSpace;
  using Tools = team::ArrayTools<team::Serial>;
  const int fields = 5, points = 7;
  const Kokkos::View<double**, Kokkos::HostSpace> in_space("data", points, 3),
      in_plane("data", points, 2), of_fields("plane", fields, points), with_data("out", points, 3);
  const Kokkos::View<double***, Kokkos::LayoutLeft, Kokkos::HostSpace> vectors("fields", fields,
                                                                               points, 3),
      of_plane("fields", fields, points, 2);
  const Kokkos::View<double***, Kokkos::LayoutRight, Kokkos::HostSpace> output("out", fields,
                                                                               points, 3);
  fillRandomly(in_space);
  fillRandomly(in_plane);
  fillRandomly(vectors);
  fillRandomly(of_plane);
  for (const auto& view : {of_fields, with_data}) Kokkos::deep_copy(view, nan);
  Kokkos::deep_copy(output, nan);
  Kokkos::parallel_for("test", Kokkos::RangePolicy<Host>(0, 1), [&](int) {
    Tools::crossProductDataField(output, in_space, vectors);
    Tools::crossProductDataField(of_fields, in_plane, of_plane);
    Tools::crossProductDataData(with_data, in_space,
                                Kokkos::subview(vectors, 2, Kokkos::ALL, Kokkos::ALL));
  });
  for (int f = 0; f < fields; ++f) {
    for (int p = 0; p < points; ++p) {
      for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const double expected =
            in_space(p, j) * vectors(f, p, k) - in_space(p, k) * vectors(f, p, j);
        TEST_COMPARE(std::abs(output(f, p, i) - expected), <=, 1e-15);
        if (f == 2) TEST_COMPARE(std::abs(with_data(p, i) - expected), <=, 1e-15);
      }
      const double expected =
          in_plane(p, 0) * of_plane(f, p, 1) - in_plane(p, 1) * of_plane(f, p, 0);
      TEST_COMPARE(std::abs(of_fields(f, p) - expected), <=, 1e-15);
    }
  }
}

/// Views whose rank is known when running alone are what others are.
TEUCHOS_UNIT_TEST(TeamBasis, dynamicRanks) {
  using Host = Kokkos::DefaultHostExecutionSpace;
  using Array = Kokkos::DynRankView<double, Kokkos::HostSpace>;
  using Tools = team::Basis<team::Serial>;
  const Array table("table", 2, 3), values("values", 4, 9), gradients("gradients", 4, 9, 2);
  fillRandomly(table);
  const Array slopes("slopes", 2, 3);
  fillRandomly(slopes);
  for (int f = 0; f < 4; ++f) {
    for (int p = 0; p < 9; ++p) {
      values(f, p) = table(f % 2, p % 3) * table(f / 2, p / 3);
      gradients(f, p, 0) = slopes(f % 2, p % 3) * table(f / 2, p / 3);
      gradients(f, p, 1) = table(f % 2, p % 3) * slopes(f / 2, p / 3);
    }
  }
  const auto basis = Kontract::tensorBasis<2>(table, slopes);
  const Array coefficients("coefficients", 4), scratch("scratch", int(Tools::scratchExtent(basis)));
  fillRandomly(coefficients);
  const Array u("u", 9), by_lines("u", 9), g("g", 9, 2), g_by_lines("g", 9, 2);
  const Array sums("sums", 4), sums_by_lines("sums", 4);
  Kokkos::parallel_for("test", Kokkos::RangePolicy<Host>(0, 1), [&](int) {
    Tools::evaluate(u, coefficients, values);
    Tools::evaluate(by_lines, coefficients, basis, scratch);
    Tools::evaluate(g, coefficients, gradients);
    Tools::evaluate(g_by_lines, coefficients, basis, scratch);
    Tools::integrate(sums, u, values);
    Tools::integrate(sums, g, gradients, true);
    Tools::integrate(sums_by_lines, by_lines, basis, scratch);
    Tools::integrate(sums_by_lines, g_by_lines, basis, scratch, true);
  });
  for (int f = 0; f < 4; ++f) {
    double sum = 0;
    for (int p = 0; p < 9; ++p) {
      sum += values(f, p) * u(p) + gradients(f, p, 0) * g(p, 0) + gradients(f, p, 1) * g(p, 1);
    }
    TEST_FLOATING_EQUALITY(sums(f), sum, 1e-13);
    TEST_FLOATING_EQUALITY(sums_by_lines(f), sum, 1e-13);
  }
}

#if !defined(KOKKOS_ENABLE_CUDA) && !defined(KOKKOS_ENABLE_HIP)
/// Threads of a team in both orders: what is read without a barrier before is read too early in one
/// of them.
TEUCHOS_UNIT_TEST(TeamBasis, tensorProductsByTeamsOfThreads) {
  using Workers = Kontract::Impl::Workers<TeamOfThreads::Member>;
  for (int repeat = 0; repeat < 30; ++repeat) {
    const Drawn drawn(1 + repeat % 3);
    const int extent = int(team::Basis<team::Team>::scratchExtent(drawn.basis));
    const Arrays arrays(drawn);
    const ByTensorBasis kernel{drawn.basis, arrays, extent};
    TeamOfThreads(1 + int(random().below(7)), repeat % 2 == 0)
        .run(
            [&](const Workers& workers, std::int64_t c) {
              const Kokkos::View<double*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> scratch(
                  static_cast<double*>(workers.scratch), std::size_t(extent));
              kernel.compute(
                  int(c),
                  [&](const auto&... a) { Kontract::Impl::EvaluateInKernel()(workers, a...); },
                  [&](const auto&... a) { Kontract::Impl::IntegrateInKernel()(workers, a...); },
                  [&] { workers.wait(); }, scratch);
            },
            cells, extent * 8);
    compare(drawn, arrays, out, success);
  }
}
#endif

/// Stiffness-like sums where a thread has memory for the kernels of the host, some, or none.
struct Contracts {
  Kokkos::View<double***, Kokkos::LayoutRight, Space> out;
  Kokkos::View<double****, Kokkos::LayoutLeft, Space> left, right;
  int scratch_extent;

  template <class Mode>
  KOKKOS_INLINE_FUNCTION void inTeam(const Member& member) const {
    using Kokkos::ALL;
    using Tools = team::ArrayTools<Mode>;
    const int c = member.league_rank();
    const Scratch scratch(member.thread_scratch(0), scratch_extent);
    const auto a = Kokkos::subview(left, c, ALL, ALL, ALL),
               b = Kokkos::subview(right, c, ALL, ALL, ALL);
    const auto to = Kokkos::subview(out, c, ALL, ALL);
    Tools::contractFieldFieldVector(member, to, a, b, scratch);
    member.team_barrier();
    Tools::contractFieldFieldVector(member, to, a, b, scratch, true);
    member.team_barrier();
    Tools::contractFieldFieldVector(member, to, a, b, true, scratch);
  }
};

TEUCHOS_UNIT_TEST(TeamBasis, contractionsInScratchMemory) {
  bool has_needed_scratch = false;
  for (int repeat = 0; repeat < 40; ++repeat) {
    const int lefts = 1 + int(random().below(30)), rights = 1 + int(random().below(30));
    // Some are too large for the stack of a host.
    const int points = 1 + int(random().below(repeat % 2 == 0 ? 40 : 300));
    const int dims = 1 + int(random().below(3));
    const Kokkos::View<double***, Kokkos::LayoutRight, Space> output("out", cells, lefts, rights);
    const Kokkos::View<double****, Kokkos::LayoutLeft, Space> left("left", cells, lefts, points,
                                                                   dims),
        right("right", cells, rights, points, dims);
    fillRandomly(left);
    fillRandomly(right);
    Kokkos::deep_copy(output, nan);
    const auto needed = int(
        team::ArrayTools<team::Team>::scratchExtent<Space, double>(lefts, rights, points * dims));
    has_needed_scratch = has_needed_scratch || needed > 0;
    const int extent = repeat % 3 == 2 ? needed / 2 : needed;
    Policy policy(cells, on_host ? 1 : 32);
    policy.set_scratch_size(0, Kokkos::PerThread(Scratch::shmem_size(std::size_t(extent))));
    Kokkos::parallel_for("test", policy,
                         OfTeam<Contracts, team::Team>{{output, left, right, extent}});
    const auto sums = onHost(output);
    const auto a = onHost(left), b = onHost(right);
    int wrong = 0;
    for (int c = 0; c < cells; ++c) {
      for (int l = 0; l < lefts; ++l) {
        for (int r = 0; r < rights; ++r) {
          long double sum = 0;
          for (int p = 0; p < points; ++p) {
            for (int d = 0; d < dims; ++d) sum += 3.0L * a(c, l, p, d) * b(c, r, p, d);
          }
          if (!(std::abs(sums(c, l, r) - sum) <= 1e-13L * points * dims)) ++wrong;
        }
      }
    }
    TEST_EQUALITY_CONST(wrong, 0);
  }
  TEST_EQUALITY(has_needed_scratch, on_host);
}

}  // namespace
}  // namespace KontractTest
