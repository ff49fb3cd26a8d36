// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FORMPRODUCTTABLE_HPP
#define KONTRACT_FORMPRODUCTTABLE_HPP

#include "Kontract_FormPoint.hpp"
#include "detail/problem/Kontract_FormProducts.hpp"

namespace Kontract {
namespace Impl {

/// Calls f(term, constant<NL>, constant<NR>, its first component) for each term of a form.
template <int D, class Terms, class F>
KOKKOS_FORCEINLINE_FUNCTION void forEachTermOfProducts(const FormProducts& products,
                                                       const Terms& terms, const F& f) {
  int first = 0;
  forEachTerm(terms, [&](const auto& term) {
    withComponents<D>(term, [&](auto nl, auto nr) {
      f(term, nl, nr, first);
      first += products.componentsOf(decltype(nl)::value, decltype(nr)::value);
    });
  });
}

/// The product of values at a point: of an entry, and of a component of the matrices of points.
template <int D, class Terms>
KOKKOS_INLINE_FUNCTION double productOfValues(const FormProducts& products, const Terms& terms,
                                              std::int64_t entry, int component,
                                              std::int64_t point) {
  const int l = products.leftOf(entry), r = products.rightOf(entry, l);
  double product = 0;
  forEachTermOfProducts<D>(products, terms, [&](const auto& term, auto nl, auto nr, int first) {
    constexpr int NL = decltype(nl)::value, NR = decltype(nr)::value;
    const int of_term = component - first;
    if (of_term < 0 || of_term >= products.componentsOf(NL, NR)) return;
    const auto left = [&](int field, int a) {
      return double(term.left.referenceAt(field, point, a));
    };
    const auto right = [&](int field, int b) {
      return double(term.right.referenceAt(field, point, b));
    };
    int a = of_term / NR, b = of_term - a * NR;
    if (products.is_half) {
      a = 0, b = of_term;
      while (b > a) b -= ++a;
    }
    product = left(l, a) * right(r, b);
    if (products.is_half && a != b) product += left(l, b) * right(r, a);
  });
  return product;
}

/// An element of the table of products: of an entry, and of a row, which is a component and a
/// point.
/// \param weights  of points, for sums over them, if there are any
template <int D, class Terms, class Weights>
KOKKOS_INLINE_FUNCTION double elementOfTable(const FormProducts& products, const Terms& terms,
                                             const Weights& weights, std::int64_t entry, int row) {
  const int points = static_cast<int>(products.points);
  const int component = row / points, point = row - component * points;
  if (products.summed_points == 1) {
    return productOfValues<D>(products, terms, entry, component, products.first_point + point);
  }
  double sum = 0;
  for (std::int64_t p = 0; p < products.summed_points; ++p) {
    double weight = 1;
    if constexpr (Weights::is_ever_there) {
      if (products.has_weights && weights.isThere()) weight = double(weights.at(0, 0, p));
    }
    sum += weight * productOfValues<D>(products, terms, entry, component, p);
  }
  return sum;
}

/// Fills in the elements that a slice gives, in the order of rows of the matrix: those of its
/// entries, and those on the other side of the diagonal, left field and right field in 16 bits
/// each. Of whole outputs these are the places of an entry in the matrix of a cell, and across the
/// diagonal.
struct FillOutputs {
  FormProducts products;
  bool are_whole;
  std::int64_t first_slice;
  int step;  ///< between slices
  std::uint32_t* outputs;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t n) const {
    const std::int64_t slice = n / products.slice_entries, place = n % products.slice_entries;
    const std::int64_t first = products.firstOf(first_slice + slice);
    const std::int64_t entry = first + place, end = products.endOf(first_slice + slice);
    if (entry >= end) return;
    std::uint32_t* const to = outputs + slice * step;
    const int l = products.leftOf(entry), r = products.rightOf(entry, l);
    if (are_whole) {
      to[place] = pair(l * products.rights + r, r * products.rights + l);
      return;
    }
    to[place] = pair(l, r);
    if (!products.is_half || l == r) return;
    // Row r has the left fields of all entries in column r.
    std::int64_t before = end - first;
    for (int row = 0; row < r; ++row) before += leftsOf(row, first, end);
    const int from = firstLeft(r, first);
    to[before + l - from] = pair(r, l);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t pair(int first, int second) {
    return static_cast<std::uint32_t>(first) << 16 | (static_cast<std::uint32_t>(second) & 0xffff);
  }

  /// The first left field below the diagonal that has an entry in a column, from one on.
  KOKKOS_FORCEINLINE_FUNCTION int firstLeft(int column, std::int64_t first) const {
    const int row = products.leftOf(first),
              l = products.rightOf(first, row) > column ? row + 1 : row;
    return l > column ? l : column + 1;
  }
  /// How many those are before an end.
  KOKKOS_FORCEINLINE_FUNCTION int leftsOf(int column, std::int64_t first, std::int64_t end) const {
    const int from = firstLeft(column, first), to = firstLeft(column, end);
    return to > from ? to - from : 0;
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
