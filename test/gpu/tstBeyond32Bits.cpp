// SPDX-License-Identifier: BSD-3-Clause
//
// More than 2^31 outputs on a device, in both layouts: 18 GB of sums, all of them looked at there.

#include <Kokkos_Core.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <cstdint>
#include <iostream>

#include "EndWhereNoDeviceIs.hpp"
#include "Runner.hpp"

namespace KontractTest {
namespace {

using Space = Kontract::Impl::DeviceSpace;
using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
constexpr std::int64_t limit = std::int64_t(1) << 31;

template <class Layout>
using Array = Kokkos::View<double***, Layout, Space>;

bool hasMemory(double gigabytes) {
  std::size_t free = 0, total = 0;
  const bool is_known =
      KONTRACT_DEVICE_API(MemGetInfo)(&free, &total) == KONTRACT_DEVICE_API(Success);
  const bool enough = is_known && double(free) > gigabytes * 1e9;
  if (!enough) std::cout << "\n" << not_run << ": " << gigabytes << " GB of device memory\n";
  return enough;
}

/// Whole numbers that tell cells, fields and points apart.
KOKKOS_INLINE_FUNCTION double inputAt(std::int64_t c, std::int64_t f, std::int64_t p) {
  return double((c * 3 + f * 5 + p * 7) % 11);
}

template <class Layout>
void fill(const Array<Layout>& array) {
  const std::int64_t fields = array.extent(1), points = array.extent(2);
  Kokkos::parallel_for(
      "fill", Range(0, array.size()), KOKKOS_LAMBDA(const std::int64_t i) {
        const std::int64_t c = i / (fields * points), f = i / points % fields, p = i % points;
        array(c, f, p) = inputAt(c, f, p);
      });
}

/// Elements that are not what f(c, i, j) says.
template <class Layout, class F>
std::int64_t wrongOnes(const Array<Layout>& array, const F& f) {
  const std::int64_t rows = array.extent(1), columns = array.extent(2);
  std::int64_t count = 0;
  Kokkos::parallel_reduce(
      "compare", Range(0, array.size()),
      KOKKOS_LAMBDA(const std::int64_t n, std::int64_t& wrong) {
        const std::int64_t c = n / (rows * columns), i = n / columns % rows, j = n % columns;
        wrong += array(c, i, j) != f(c, i, j);
      },
      count);
  return count;
}

struct SumAt {
  std::int64_t points;
  KOKKOS_INLINE_FUNCTION double operator()(std::int64_t c, std::int64_t l, std::int64_t r) const {
    double sum = 0;
    for (std::int64_t p = 0; p < points; ++p) sum += inputAt(c, l, p) * inputAt(c, r + 1, p);
    return sum;
  }
};

struct ProductAt {
  KOKKOS_INLINE_FUNCTION double operator()(std::int64_t c, std::int64_t f, std::int64_t p) const {
    return 3 * inputAt(c, f, p);
  }
};

/// Runs every algorithm that serves a call and counts what is wrong with its output.
template <class Layout, class Call, class F>
int runEach(const Array<Layout>& sums, const Call& call, const F& expected, Tally& tally) {
  int count = 0;
  for (const NamedOptions& algorithm : allAlgorithms()) {
    Kokkos::deep_copy(sums, poison<double>());
    try {
      call(algorithm.options);
    } catch (const std::invalid_argument& refusal) {
      const bool may_be = isUnserved(refusal.what()) || isLimitOf(algorithm.name, refusal.what());
      if (!may_be || algorithm.name == "Auto") tally.add(algorithm.name, refusal.what());
      continue;
    }
    Kokkos::fence();
    const std::int64_t wrong = wrongOnes(sums, expected);
    tally.add(algorithm.name, wrong == 0 ? "" : std::to_string(wrong) + " wrong elements");
    ++count;
  }
  return count;
}

template <class Layout>
void run(Tally& tally, Teuchos::FancyOStream& out, bool& success) {
  using Tools = Kontract::ArrayTools<Space>;
  const std::int64_t cells = 2200003, fields = 32, points = 2;
  TEST_ASSERT(cells * fields * (fields - 1) > limit);
  const Array<Layout> sums(Kokkos::view_alloc("sums", Kokkos::WithoutInitializing), cells, fields,
                           fields - 1);
  {
    const Array<Layout> left("left", cells, fields, points), right("right", cells, fields, points);
    fill(left);
    fill(right);
    const auto rights = Kokkos::subview(right, Kokkos::ALL(),
                                        std::make_pair(std::int64_t(1), fields), Kokkos::ALL());
    const int algorithms = runEach(
        sums,
        [&](const Kontract::Options& options) {
          Tools::contractFieldFieldScalar(sums, left, rights, options);
        },
        SumAt{points}, tally);
    TEST_ASSERT(algorithms >= 7);
  }
  // The same outputs as values of fields at points.
  const Array<Layout> values(Kokkos::view_alloc("values", Kokkos::WithoutInitializing), cells,
                             fields, fields - 1);
  fill(values);
  const Kokkos::View<double**, Layout, Space> data("data", cells, 1);
  Kokkos::deep_copy(data, 3);
  const int algorithms = runEach(
      sums,
      [&](const Kontract::Options& options) {
        Tools::scalarMultiplyDataField(sums, data, values, options);
      },
      ProductAt(), tally);
  TEST_ASSERT(algorithms >= 3);
}

TEUCHOS_UNIT_TEST(Beyond32Bits, outputs) {
  if (!hasMemory(40)) return;
  Tally tally(out);
  run<Kokkos::LayoutLeft>(tally, out, success);
  run<Kokkos::LayoutRight>(tally, out, success);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

}  // namespace
}  // namespace KontractTest
