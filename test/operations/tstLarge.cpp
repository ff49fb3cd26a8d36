// SPDX-License-Identifier: BSD-3-Clause
//
// More than 2^31 elements: indices and strides of 64 bits. Inputs repeat themselves by strides of
// zero, outputs are of one byte or lie in address space that is reserved but never touched.

#include <Kokkos_Core.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <string>

#include "Refusal.hpp"
#include "Runner.hpp"
#include "WhatAlgorithmsServe.hpp"

#ifdef __unix__
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace KontractTest {
namespace {

using Space = Kokkos::DefaultHostExecutionSpace;
using Tools = Kontract::ArrayTools<Space>;
using Byte = signed char;

constexpr std::int64_t limit = std::int64_t(1) << 31;

template <class T, int rank>
using Strided = Kokkos::View<typename RankedData<T, rank>::type, Kokkos::LayoutStride, Space>;

bool hasMemory(double gigabytes) {
#ifdef __unix__
  const double pages = double(sysconf(_SC_AVPHYS_PAGES));
  const bool enough = pages * double(sysconf(_SC_PAGESIZE)) > gigabytes * 1e9;
#else
  const bool enough = false;
#endif
  if (!enough) std::cout << "\nskipped: " << gigabytes << " GB of free memory are not there\n";
  return enough;
}

/// A contraction over more than 2^31 points, all of them the same two numbers.
TEUCHOS_UNIT_TEST(Large, sumsOfMoreTermsThan32BitsAreRight) {
  const std::int64_t points = limit + 5;
  const Kokkos::View<double*, Space> one("one", 1), sums("sums", 1);
  one(0) = 1;
  const Strided<const double, 2> ones(one.data(), Kokkos::LayoutStride(1, 1, points, 0));
  for (const NamedOptions& algorithm : algorithmsForAll()) {
    if (algorithm.name == "Auto") continue;  // which is one of them
    if (!contractsOn<Space>(algorithm.name)) continue;
    sums(0) = -1;
    Tools::contractDataDataScalar(sums, ones, ones, algorithm.options);
    TEST_EQUALITY(sums(0), double(points));
  }
}

/// More than 2^31 outputs of a contraction: 1291 x 1291 x 1291 bytes.
TEUCHOS_UNIT_TEST(Large, moreOutputsThan32BitsAreRight) {
  if (!hasMemory(3.0)) return;
  const std::int64_t n = 1291;
  TEST_ASSERT(n * n * n > limit);
  const Kokkos::View<Byte***, Kokkos::LayoutRight, Space> sums(
      Kokkos::view_alloc("sums", Kokkos::WithoutInitializing), n, n, n);
  const Kokkos::View<Byte**, Kokkos::LayoutRight, Space> left_values("left", n, 1),
      right_values("right", n, 1);
  for (std::int64_t i = 0; i < n; ++i) {
    left_values(i, 0) = Byte(1 + i % 11);
    right_values(i, 0) = Byte(1 + i % 7);
  }
  const Kokkos::LayoutStride in_every_cell(n, 0, n, 1, 1, 1);
  const Strided<const Byte, 3> left(left_values.data(), in_every_cell),
      right(right_values.data(), in_every_cell);
  for (const NamedOptions& algorithm : algorithmsForAll()) {
    if (algorithm.name == "Auto") continue;
    // One plane of cells at each end and in between is poisoned: it must be written.
    for (const std::int64_t c : {std::int64_t(0), n / 2, n - 1}) {
      Kokkos::deep_copy(Kokkos::subview(sums, c, Kokkos::ALL(), Kokkos::ALL()), Byte(-1));
    }
    try {
      Tools::contractFieldFieldScalar(sums, left, right, algorithm.options);
    } catch (const std::invalid_argument& refusal) {
      TEST_ASSERT(isUnserved(refusal.what()));  // some know no bytes
      continue;
    }
    std::int64_t wrong = 0;
    for (std::int64_t c = 0; c < n; ++c) {
      for (std::int64_t l = 0; l < n; ++l) {
        for (std::int64_t r = 0; r < n; ++r) {
          wrong += sums(c, l, r) != Byte((1 + l % 11) * (1 + r % 7));
        }
      }
    }
    TEST_EQUALITY_CONST(wrong, 0);
  }
}

#ifdef __unix__
/// Address space without memory behind it until it is written.
class Reserved {
 public:
  explicit Reserved(std::size_t bytes)
      : _bytes(bytes),
        _data(mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  ~Reserved() {
    if (isThere()) munmap(_data, _bytes);
  }
  Reserved(const Reserved&) = delete;
  Reserved& operator=(const Reserved&) = delete;
  bool isThere() const { return _data != MAP_FAILED; }
  double* data() const { return static_cast<double*>(_data); }

 private:
  std::size_t _bytes;
  void* _data;
};

/// Few elements that lie more than 2^31 elements apart, in outputs and inputs, of a contraction and
/// of a product.
TEUCHOS_UNIT_TEST(Large, stridesBeyond32BitsAreRight) {
  const std::size_t far = std::size_t(limit) + 3;
  const Reserved memory(3 * 3 * far * sizeof(double));
  if (!memory.isThere()) {
    std::cout << "\nskipped: address space cannot be reserved\n";
    return;
  }
  const std::size_t third = 3 * far;
  const auto array = [&](int place, std::size_t columns) {
    return Strided<double, 3>(memory.data() + place * third,
                              Kokkos::LayoutStride(2, far, columns, 5, 2, 1));
  };
  const auto sums = array(0, 2), left = array(1, 2), right = array(2, 2);
  for (const NamedOptions& algorithm : algorithmsForAll()) {
    if (algorithm.name != "Auto" && !contractsOn<Space>(algorithm.name)) continue;
    for (int c = 0; c < 2; ++c) {
      for (int i = 0; i < 2; ++i) {
        for (int p = 0; p < 2; ++p) {
          left(c, i, p) = 1 + c + 2 * i + 4 * p;
          right(c, i, p) = 10 + c - 3 * i + p;
          sums(c, i, p) = -1;
        }
      }
    }
    Tools::contractFieldFieldScalar(sums, left, right, algorithm.options);
    for (int c = 0; c < 2; ++c) {
      for (int l = 0; l < 2; ++l) {
        for (int r = 0; r < 2; ++r) {
          TEST_EQUALITY(sums(c, l, r),
                        left(c, l, 0) * right(c, r, 0) + left(c, l, 1) * right(c, r, 1));
        }
      }
    }
    const Strided<double, 2> data(left.data(), Kokkos::LayoutStride(2, far, 2, 1));
    if (isUnserved(refusalOf([&] {
                     Tools::scalarMultiplyDataField(sums, data, right, algorithm.options);
                   }).text)) {
      continue;
    }
    for (int c = 0; c < 2; ++c) {
      for (int f = 0; f < 2; ++f) {
        for (int p = 0; p < 2; ++p) TEST_EQUALITY(sums(c, f, p), data(c, p) * right(c, f, p));
      }
    }
  }
}
#endif

/// More than 2^31 places of a pointwise operation.
TEUCHOS_UNIT_TEST(Large, productsAtMorePointsThan32BitsAreRight) {
  if (!hasMemory(3.0)) return;
  const std::int64_t cells = 1291, points = 1291 * 1291;
  const Kokkos::View<Byte**, Kokkos::LayoutRight, Space> copies(
      Kokkos::view_alloc("copies", Kokkos::WithoutInitializing), cells, points);
  const Kokkos::View<Byte*, Space> data("data", points);
  for (std::int64_t p = 0; p < points; ++p) data(p) = Byte(p % 101);
  for (const NamedOptions& algorithm : algorithmsForAll()) {
    if (algorithm.name == "Auto") continue;
    for (const std::int64_t c : {std::int64_t(0), cells / 2, cells - 1}) {
      Kokkos::deep_copy(Kokkos::subview(copies, c, Kokkos::ALL()), Byte(-1));
    }
    if (isUnserved(refusalOf([&] { Tools::cloneData(copies, data, algorithm.options); }).text)) {
      continue;
    }
    std::int64_t wrong = 0;
    for (std::int64_t c = 0; c < cells; ++c) {
      for (std::int64_t p = 0; p < points; ++p) wrong += copies(c, p) != data(p);
    }
    TEST_EQUALITY_CONST(wrong, 0);
  }
}

}  // namespace
}  // namespace KontractTest
