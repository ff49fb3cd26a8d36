// SPDX-License-Identifier: BSD-3-Clause
//
// The host's kernels of geometry in every instruction set that this machine has, against sums in
// long double: sums over nodes, determinants and inverses, all layouts, outputs that stream past
// the caches or have gaps, odd numbers of cells, in parts with the same bits.

#include <Teuchos_UnitTestHarness.hpp>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "HostSets.hpp"
#include "KeepLargest.hpp"
#include "detail/kernels/host_simd/common/Kontract_ThreadMemory.hpp"

namespace KontractTest {
namespace {

using Kontract::Impl::HostOperation;
using Kontract::Impl::HostPointwise;
using std::int64_t;

enum class Layout { Right, Left, Gaps };

/// An array of four indices: cells, then two that are inside of them, then components.
template <class T>
struct Array {
  int64_t extents[4], strides[4];
  std::vector<T> memory;

  Array(std::initializer_list<int64_t> sizes, Layout layout, int64_t offset) {
    std::copy(sizes.begin(), sizes.end(), extents);
    int64_t step = 1;
    for (int k = 0; k < 4; ++k) {
      const int i = layout == Layout::Left ? k : 3 - k;
      strides[i] = step;
      step *= extents[i];
      if (layout == Layout::Gaps) step += 1 + k % 2;
    }
    _offset = offset;
    memory.assign(std::size_t(step + 2 * offset + 16), std::numeric_limits<T>::quiet_NaN());
  }
  T* data() { return memory.data() + _offset; }
  T& at(int64_t c, int64_t p, int64_t i, int64_t j) {
    return data()[c * strides[0] + p * strides[1] + i * strides[2] + j * strides[3]];
  }
  std::size_t countNumbers() const {
    return std::size_t(
        std::count_if(memory.begin(), memory.end(), [](T x) { return !std::isnan(x); }));
  }

 private:
  int64_t _offset;
};

struct Case {
  Layout layout;
  bool stream, is_affine;
  int64_t cells, nodes, points, rows, columns, offset;
};

/// Computes all cells, and then in parts.
/// \return false if there is no kernel, or bits differ
template <class T>
bool compute(const HostKernels& set, HostPointwise<T>& p, Array<T>& out, int64_t part) {
  const HostKernels::Of<T>& kernels = kernelsFor(set, T());
  const int64_t bytes = kernels.multiply_workspace(p);
  if (bytes < 0) return false;
  p.out = out.data();
  void* const memory = Kontract::Impl::threadMemory(bytes);
  for (int64_t c = 0; c < p.cells; c += part) {
    kernels.multiply(p, c, std::min(p.cells, c + part), memory);
  }
  const std::vector<T> in_parts = out.memory;
  kernels.multiply(p, 0, p.cells, memory);
  return std::memcmp(in_parts.data(), out.memory.data(), in_parts.size() * sizeof(T)) == 0;
}

/// \return the largest error in units of rounding; infinity if something else is wrong
template <class T>
double errorOfSums(const HostKernels& set, const Case& k, std::mt19937& random) {
  std::uniform_real_distribution<T> uniform(-1, 1);
  Array<T> nodes({k.cells, 1, k.nodes, k.rows}, k.layout, k.offset);
  Array<T> values({1, k.nodes, k.is_affine ? 1 : k.points, k.columns}, k.layout, 0);
  Array<T> out({k.cells, k.points, k.rows, k.columns}, k.layout, k.offset);
  for (T& x : nodes.memory) x = uniform(random);
  for (T& x : values.memory) x = uniform(random);
  HostPointwise<T> p{};
  p.operation = HostOperation::Product;
  p.left = nodes.data();
  p.right = values.data();
  p.cells = k.cells;
  p.fields = 1;
  p.points = k.points;
  p.rows = k.rows;
  p.columns = k.columns;
  p.sum[0] = {k.nodes, nodes.strides[2], values.strides[1]};
  p.sum[1] = {1, 0, 0};
  p.out_of = {out.strides[0], 0, out.strides[1], out.strides[2], out.strides[3]};
  p.left_of = {nodes.strides[0], 0, 0, nodes.strides[3], 0};
  p.right_of = {0, 0, k.is_affine ? 0 : values.strides[2], 0, values.strides[3]};
  p.stream = k.stream;
  if (!compute(set, p, out, 1 + int64_t(random() % 20))) return HUGE_VAL;
  double worst = 0;
  for (int64_t c = 0; c < k.cells; ++c) {
    for (int64_t q = 0; q < k.points; ++q) {
      for (int64_t i = 0; i < k.rows; ++i) {
        for (int64_t j = 0; j < k.columns; ++j) {
          long double sum = 0;
          for (int64_t n = 0; n < k.nodes; ++n) {
            sum += static_cast<long double>(nodes.at(c, 0, n, i)) *
                   values.at(0, n, k.is_affine ? 0 : q, j);
          }
          const double error = double(std::abs(out.at(c, q, i, j) - sum)) /
                               (std::numeric_limits<T>::epsilon() * double(k.nodes));
          keepLargest(worst, error);
        }
      }
    }
  }
  const std::size_t expected = std::size_t(k.cells * k.points * k.rows * k.columns);
  return out.countNumbers() == expected ? worst : HUGE_VAL;
}

template <class T>
double errorOfMatrices(const HostKernels& set, const Case& k, bool is_inverse,
                       std::mt19937& random) {
  std::uniform_real_distribution<T> uniform(-1, 1);
  const int64_t d = k.rows;
  Array<T> in({k.cells, k.points, d, d}, k.layout, k.offset);
  Array<T> out({k.cells, k.points, is_inverse ? d : 1, is_inverse ? d : 1}, k.layout, k.offset);
  for (T& x : in.memory) x = uniform(random);
  for (int64_t c = 0; c < k.cells; ++c) {
    for (int64_t q = 0; q < k.points; ++q) {
      for (int64_t i = 0; i < d; ++i) in.at(c, q, i, i) += 4;
    }
  }
  HostPointwise<T> p{};
  p.operation = is_inverse ? HostOperation::Inverse : HostOperation::Determinant;
  p.right = in.data();
  p.cells = k.cells;
  p.fields = 1;
  p.points = k.points;
  p.rows = p.columns = is_inverse ? d : 1;
  p.sum[0] = {is_inverse ? 1 : d, 0, is_inverse ? 0 : in.strides[2]};
  p.sum[1] = {is_inverse ? 1 : d, 0, is_inverse ? 0 : in.strides[3]};
  p.out_of = {out.strides[0], 0, out.strides[1], is_inverse ? out.strides[2] : 0,
              is_inverse ? out.strides[3] : 0};
  p.right_of = {in.strides[0], 0, in.strides[1], is_inverse ? in.strides[2] : 0,
                is_inverse ? in.strides[3] : 0};
  p.stream = k.stream;
  if (kernelsFor(set, T()).multiply_workspace(p) < 0) return -1;
  if (!compute(set, p, out, 1 + int64_t(random() % 20))) return HUGE_VAL;
  double worst = 0;
  const auto add = [&](long double error) {
    const double units = double(std::abs(error)) / std::numeric_limits<T>::epsilon();
    keepLargest(worst, units);
  };
  for (int64_t c = 0; c < k.cells; ++c) {
    for (int64_t q = 0; q < k.points; ++q) {
      const auto a = [&](int64_t i, int64_t j) {
        return static_cast<long double>(in.at(c, q, i, j));
      };
      if (!is_inverse) {
        long double det = a(0, 0);
        if (d == 2) det = a(0, 0) * a(1, 1) - a(0, 1) * a(1, 0);
        if (d == 3) {
          det = 0;
          for (int64_t j = 0; j < 3; ++j) {
            const int64_t m = (j + 1) % 3, n = (j + 2) % 3;
            det += a(0, j) * (a(1, m) * a(2, n) - a(1, n) * a(2, m));
          }
        }
        add((out.at(c, q, 0, 0) - det) / 100);
        continue;
      }
      for (int64_t i = 0; i < d; ++i) {
        for (int64_t j = 0; j < d; ++j) {
          long double sum = i == j ? -1 : 0;
          for (int64_t m = 0; m < d; ++m) sum += a(i, m) * out.at(c, q, m, j);
          add(sum);
        }
      }
    }
  }
  return worst;
}

template <class T>
void testAll(Teuchos::FancyOStream& out, bool& success) {
  std::mt19937 random(3);
  int checks = 0, without = 0;
  for (const char* name : set_names) {
    const HostKernels* const set = Kontract::Impl::hostKernels(name);
    if (set == nullptr) continue;
    for (int n = 0; n < 300; ++n) {
      const auto upTo = [&](int64_t most) { return 1 + int64_t(random() % unsigned(most)); };
      const Case k{Layout(n % 3),
                   n % 2 == 0,
                   random() % 4 == 0,
                   n % 10 == 0 ? 1 + upTo(700) : 1 + upTo(40),
                   3 + upTo(27),
                   n % 5 == 0 ? upTo(130) : upTo(9),
                   upTo(3),
                   upTo(3),
                   int64_t(random() % 9)};
      const auto expect = [&](const char* what, double error) {
        ++checks;
        if (error <= 30) return;
        out << name << " " << what << " layout " << int(k.layout) << (k.stream ? " stream" : "")
            << (k.is_affine ? " affine" : "") << " C=" << k.cells << " N=" << k.nodes
            << " P=" << k.points << " D=" << k.rows << " D2=" << k.columns << " offset " << k.offset
            << ": " << error << "\n";
        success = false;
      };
      // One row and one column may have kernels of their own.
      expect("sum", errorOfSums<T>(*set, k, random));
      const double det = errorOfMatrices<T>(*set, k, false, random),
                   inverse = errorOfMatrices<T>(*set, k, true, random);
      without += (det == -1) + (inverse == -1);
      if (k.layout != Layout::Gaps) TEST_ASSERT(det >= 0 && inverse >= 0);
      expect("det", det);
      expect("inverse", inverse);
    }
  }
  out << checks << " checks, " << without << " without a kernel\n";
  TEST_COMPARE(checks, >=, 900);
}

TEUCHOS_UNIT_TEST(HostNodes, sumsAndMatricesOfDouble) { testAll<double>(out, success); }
TEUCHOS_UNIT_TEST(HostNodes, sumsAndMatricesOfFloat) { testAll<float>(out, success); }

}  // namespace
}  // namespace KontractTest
