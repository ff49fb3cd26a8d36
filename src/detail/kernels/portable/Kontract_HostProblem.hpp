// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_HOSTPROBLEM_HPP
#define KONTRACT_HOSTPROBLEM_HPP

#include <algorithm>
#include <type_traits>

#include "Kontract_SumOfProducts.hpp"
#include "detail/kernels/host_simd/common/Kontract_HostKernels.hpp"
#include "detail/kernels/host_simd/common/Kontract_ThreadMemory.hpp"

namespace Kontract {
namespace Impl {

/// The kernels for a scalar: float, double and their complex types.
template <class T>
inline constexpr bool has_host_kernels_of = std::is_same_v<typename RealOf<T>::type, float> ||
                                            std::is_same_v<typename RealOf<T>::type, double>;
template <class T>
const HostKernels::Of<typename RealOf<T>::type>& hostKernelsOf(const HostKernels& kernels) {
  constexpr bool is_float = std::is_same_v<typename RealOf<T>::type, float>;
  if constexpr (IsComplex<T>::value) {
    if constexpr (is_float)
      return kernels.complex_float;
    else
      return kernels.complex_double;
  } else {
    if constexpr (is_float)
      return kernels.real_float;
    else
      return kernels.real_double;
  }
}

/// Whether all arrays of a problem have that type.
template <class Problem, class Scalar = typename Problem::out_type::value_type>
inline constexpr bool is_uniform = std::is_same_v<typename Problem::out_type::value_type, Scalar>&&
    std::is_same_v<typename Problem::left_type::value_type, Scalar>&&
        std::is_same_v<typename Problem::right_type::value_type, Scalar>;

/// Whether the kernels serve a problem: its sums are of a scalar that they know, and so are its
/// arrays where there is nothing to sum up.
template <class Problem,
          bool is_contraction = std::is_same_v<typename Problem::shape_type, ContractionShape>,
          bool plain = is_plain<typename Problem::out_type::value_type>>
inline constexpr bool has_host_kernels = false;
template <class Problem>
inline constexpr bool has_host_kernels<Problem, true, true> =
    has_host_kernels_of<AccumulatorOf<Problem>>;
template <class Problem>
inline constexpr bool has_host_kernels<Problem, false, true> =
    is_uniform<Problem>&& has_host_kernels_of<typename Problem::out_type::value_type>;

/// A contraction of arrays of the host, which goes through the caches.
template <class Real, class Scalar>
HostContraction<Real> hostContraction(const ContractionShape& s, Scalar* out, const Scalar* left,
                                      const Scalar* right) {
  return {reinterpret_cast<Real*>(out),
          reinterpret_cast<const Real*>(left),
          reinterpret_cast<const Real*>(right),
          s.lefts,
          s.rights,
          {{s.sum[0].extent, s.sum[0].left, s.sum[0].right},
           {s.sum[1].extent, s.sum[1].left, s.sum[1].right},
           {s.sum[2].extent, s.sum[2].left, s.sum[2].right}},
          s.out_cell,
          s.out_left,
          s.out_right,
          s.left_cell,
          s.left_field,
          s.right_cell,
          s.right_field,
          s.sum_into,
          false};
}

/// A contraction as the kernels of the host take it. Arrays of another type than that of the sums
/// are converted cell by cell.
template <class Problem>
struct HostProblem {
  using Scalar = AccumulatorOf<Problem>;
  using Real = typename RealOf<Scalar>::type;
  static constexpr bool is_as_summed = is_uniform<Problem, Scalar>;

  Problem problem;
  HostContraction<Real> contraction;
  HostKernels::Of<Real> kernels;
  std::int64_t kernel_bytes;  ///< of workspace that the kernel wants
  std::int64_t bytes;         ///< the same with what is converted

  explicit HostProblem(const Problem& p, const HostKernels& set = hostKernels())
      : problem(p), kernels(hostKernelsOf<Scalar>(set)) {
    const ContractionShape& s = p.shape;
    HostContraction<Real>& c = contraction;
    if constexpr (is_as_summed) {
      c = hostContraction<Real>(s, p.out.data, p.left.data, p.right.data);
      c.stream = !c.add && streams(s);
      // A single cell has no neighbours, so that its left fields may be shared.
      if (s.whole().cells == 1) c.out_cell = s.lefts * s.rights;
    } else {
      c = {};
      c.lefts = s.lefts;
      c.rights = s.rights;
      const std::int64_t k = termsAtOnce();
      c.sum[0] = c.sum[1] = {1, 0, 0};
      c.sum[2] = {k, 1, 1};
      c.out_cell = s.lefts * s.rights;
      c.out_left = s.rights;
      c.out_right = 1;
      c.left_cell = s.lefts * k;
      c.right_cell = s.rights * k;
      c.left_field = c.right_field = k;
      c.add = c.stream = false;
    }
    kernel_bytes = kernels.workspace(c);
    const std::int64_t converted =
        is_as_summed ? 0 : c.left_cell + c.right_cell + s.lefts * s.rights;
    bytes = kernel_bytes + converted * std::int64_t(sizeof(Scalar));
  }

  /// Contracts a part, in this thread.
  void contract(const HostPart& part, void* memory) const {
    if constexpr (is_as_summed) {
      kernels.contract(contraction, part, memory);
    } else {
      contractConverted(part, memory);
    }
  }

 private:
  /// Whether outputs had better be written past the caches: where a cell has some lines of them.
  /// For others it costs more than it saves, the more so where cells are contiguous.
  static bool streams(const ContractionShape& s) {
    const double least_bytes = s.out_cell == 1 ? 256 : 128;
    const double out = double(s.lefts * s.rights) * sizeof(Scalar);
    const double all = out + double((s.lefts + s.rights) * s.terms()) * sizeof(Scalar);
    return out >= least_bytes && exceedsCache(double(s.cells) * all);
  }

  /// Terms that are converted at a time.
  std::int64_t termsAtOnce() const {
    constexpr std::int64_t most_bytes = 4 << 20;
    const ContractionShape& s = problem.shape;
    const std::int64_t most =
        most_bytes / ((s.lefts + s.rights) * std::int64_t(sizeof(Scalar))) + 64;
    return s.terms() < most ? s.terms() : most;
  }

  void contractConverted(const HostPart& part, void* memory) const {
    const ContractionShape& s = problem.shape;
    const std::int64_t chunk = termsAtOnce(), left = s.lefts * chunk, right = s.rights * chunk;
    Scalar* const converted = reinterpret_cast<Scalar*>(static_cast<char*>(memory) + kernel_bytes);
    HostContraction<Real> c = contraction;
    c.left = reinterpret_cast<const Real*>(converted);
    c.right = reinterpret_cast<const Real*>(converted + left);
    c.out = reinterpret_cast<Real*>(converted + left + right);
    for (std::int64_t cell = part.first_cell; cell < part.last_cell; ++cell) {
      std::int64_t k = 0;
      do {  // once without terms, too
        const Terms terms{k, s.terms() - k < chunk ? s.terms() : k + chunk};
        c.sum[2].extent = terms.last - terms.first;
        c.add = k > 0;
        convert(problem.left, cell * s.left_cell, s.left_field, part.first_left, part.last_left,
                terms, &SumLevel::left, converted + part.first_left * chunk);
        convert(problem.right, cell * s.right_cell, s.right_field, 0, s.rights, terms,
                &SumLevel::right, converted + left);
        kernels.contract(c, {0, 1, part.first_left, part.last_left}, memory);
        k += chunk;
      } while (k < s.terms());
      storeConverted(cell, part, converted + left + right);
    }
  }

  struct Terms {
    std::int64_t first, last;
  };

  /// Copies some terms of fields side by side, fields as far apart as the kernel expects.
  template <class From>
  void convert(const From& from, std::int64_t at, std::int64_t field, std::int64_t first,
               std::int64_t last, const Terms& terms, Side side, Scalar* to) const {
    for (std::int64_t f = first; f < last; ++f, to += contraction.left_field) {
      forEachOffset(problem.shape.sum, side, terms.first, terms.last,
                    [&](std::int64_t n, std::int64_t offset) {
                      to[n] = Scalar(widen<Scalar>(from[at + f * field + offset]));
                    });
    }
  }

  void storeConverted(std::int64_t cell, const HostPart& part, const Scalar* sums) const {
    const ContractionShape& s = problem.shape;
    for (std::int64_t l = part.first_left; l < part.last_left; ++l) {
      for (std::int64_t r = 0; r < s.rights; ++r) {
        auto&& out = problem.out[cell * s.out_cell + l * s.out_left + r * s.out_right];
        const Scalar& sum = sums[l * s.rights + r];
        if (s.sum_into) {
          Impl::store<true>(out, sum);
        } else {
          Impl::store<false>(out, sum);
        }
      }
    }
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
