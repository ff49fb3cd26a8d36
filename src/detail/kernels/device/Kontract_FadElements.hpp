// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FADELEMENTS_HPP
#define KONTRACT_FADELEMENTS_HPP

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <type_traits>

#include "detail/kernels/fad/Kontract_FadComponents.hpp"
#include "detail/kernels/portable/Kontract_FastDivisor.hpp"
#include "detail/kernels/portable/Kontract_Unroll.hpp"

namespace Kontract {
namespace Impl {

/// The factor that alone has derivatives; or any, of which both may have them.
enum class FadFactors { Left, Right, Any };

/// Copies, products and quotients of Fads at points on devices, at the speed of memory: a thread
/// has one component, a derivative or the value, of a few elements of the output, which differ in
/// one index. Neighbouring threads have neighbours in memory. What a left factor has is in
/// registers for all elements of a thread if it is the same for them, as data are for all fields,
/// and what a right one has for all rows of a product, if it is the same for these.
///
/// The output must not be an input: a thread would read the value that another one has replaced.
/// \tparam factors  that have derivatives
/// \tparam rows   that share the right factors, and that a thread has; 1 for any
/// \tparam terms  of a sum of products, which is then over its first level; 0 for any
template <class S, FadFactors factors, int rows, int terms>
class FadElements {
 public:
  explicit FadElements(const FadProblem<PointwiseShape, S>& problem) : _problem(problem) {
    const PointwiseShape& shape = problem.shape;
    const auto &out = shape.out, &left = shape.left, &right = shape.right;
    add({problem.out.count + 1, problem.out.stride, 0, 0, true, Order::Shared});
    if (rows == 1) add({shape.rows, out.row, left.row, right.row, false, Order::Shared});
    add({shape.columns, out.column, left.column, right.column, false, Order::Shared});
    add({shape.cells, out.cell, left.cell, right.cell, false, Order::Others});
    add({shape.fields, out.field, left.field, right.field, false, Order::Others});
    add({shape.points, out.point, left.point, right.point, false, Order::Others});
    putLanesFirst();
    sort();
    chooseWalk();
    for (int n = 0; n < _indices; ++n) {
      if (fits()) _threads *= _index[n].extent;
      if (fits()) _divisor[n] = FastDivisor(_index[n].extent);
    }
  }

  static bool has(const FadProblem<PointwiseShape, S>& problem) {
    const PointwiseShape& shape = problem.shape;
    const bool has_rows =
        shape.rows == rows && shape.right.row == 0 && shape.kind == PointwiseKind::Product;
    const bool has_factors =
        shape.kind == PointwiseKind::Product &&
        (factors == FadFactors::Left ? problem.left.count > 0 : problem.left.count == 0) &&
        (factors == FadFactors::Right ? problem.right.count > 0 : problem.right.count == 0);
    return isOfElements(shape.kind) && (rows == 1 || has_rows) &&
           (factors == FadFactors::Any || has_factors) &&
           (terms == 0 || (shape.sum[0].extent == terms && shape.sum[1].extent == 1));
  }

  std::int64_t threads() const { return _threads; }
  /// Whether threads are so few that they are counted in 32 bits.
  bool fits() const { return _threads < FastDivisor::end; }

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    auto count = static_cast<std::uint32_t>(i);
    std::int64_t component = 0, lane = 0, first = 0, out = 0, left = 0, right = 0;
    for (int n = 0; n < _indices; ++n) {
      const std::int64_t at = _divisor[n].takeFrom(count);
      if (_index[n].is_component) {
        component = at;
        continue;
      }
      if (n == _walked) first = at * most_elements;
      lane += at * _index[n].lanes;
      out += at * _index[n].out;
      left += at * _index[n].left;
      right += at * _index[n].right;
    }
    if (lane >= _lanes) return;
    const FadComponent<S> its(_problem, component);
    const std::int64_t open = _walk.extent - first;
    const Elements of{_problem.out.derivatives + out + its.out, left, right,
                      static_cast<int>(open < most_elements ? open : most_elements)};
    if (_problem.shape.kind != PointwiseKind::Product) {
      divide(of, its);
    } else if constexpr (terms == 0) {
      multiplyAny(of, its);
    } else if (_walk.left == 0) {
      multiply<true>(of, its);
    } else {
      multiply<false>(of, its);
    }
  }

 private:
  static constexpr int products = factors == FadFactors::Any ? 2 : 1;  ///< of a component
  static constexpr int most_elements = rows > 1 ? 8 : 16;              ///< of a thread
  /// So many of them, whose loads are in flight together.
  static constexpr int at_once = products * terms > 3 ? 2 : 4;

  static constexpr int most_lanes = 256;  ///< neighbours, before other elements of theirs follow

  /// What goes fastest from thread to thread: neighbours in memory, then what shares their inputs.
  enum class Order { Lanes, Shared, Others, NextLanes };

  struct Index {
    std::int64_t extent, out, left, right;  ///< and steps in the arrays
    bool is_component;
    Order order;
    std::int64_t lanes = 0;  ///< for each step
  };

  void add(const Index& index) {
    if (index.extent == 0) _threads = 0;
    if (index.extent > 1) _index[_indices++] = index;
  }
  void sort() {
    std::sort(_index, _index + _indices, [](const Index& a, const Index& b) {
      return a.order != b.order ? a.order < b.order : std::abs(a.out) < std::abs(b.out);
    });
  }

  /// Neighbours in memory are first: components, if they are, and the places next to each other. Of
  /// many of these a few, so that what shares their inputs comes soon after them.
  void putLanesFirst() {
    const auto isNearer = [](const Index& a, const Index& b) {
      return std::abs(a.out) < std::abs(b.out);
    };
    Index* const end = _index + _indices;
    Index* nearest = std::min_element(_index, end, isNearer);
    if (nearest != end && nearest->is_component) {
      nearest->order = Order::Lanes;
      nearest = std::min_element(_index, end, [&](const Index& a, const Index& b) {
        return a.is_component != b.is_component ? b.is_component : isNearer(a, b);
      });
    }
    if (nearest == end || nearest->is_component) return;
    nearest->order = Order::Lanes;
    if (nearest->extent <= most_lanes) return;
    nearest->lanes = 1;
    _lanes = nearest->extent;
    Index next = *nearest;
    nearest->extent = most_lanes;
    next.order = Order::NextLanes;
    next.extent = (next.extent + most_lanes - 1) / most_lanes;
    next.lanes = most_lanes;
    next.out *= most_lanes, next.left *= most_lanes, next.right *= most_lanes;
    add(next);
  }

  static bool isBetterToWalk(const Index& a, const Index& b) {
    constexpr std::int64_t enough = 3;
    const bool shares = a.left == 0 && a.extent >= enough;
    const bool other_shares = b.left == 0 && b.extent >= enough;
    return shares != other_shares ? shares : a.extent > b.extent;
  }
  /// Threads walk along an index whose places are not neighbours, so that they find their place
  /// once for several elements: one along which left factors are the same, or the longest.
  void chooseWalk() {
    for (int n = 0; n < _indices; ++n) {
      if (_index[n].order != Order::Others) continue;
      if (_walked < 0 || isBetterToWalk(_index[n], _index[_walked])) _walked = n;
    }
    if (_walked < 0) return;
    Index& index = _index[_walked];
    _walk = index;
    index.extent = (index.extent + most_elements - 1) / most_elements;
    index.out *= most_elements, index.left *= most_elements, index.right *= most_elements;
  }

  /// Those that a thread computes: the output's component, and the distances of factors.
  struct Elements {
    S* to;
    std::int64_t left, right;
    int count;
  };
  template <int n>
  using Count = std::integral_constant<int, n>;
  /// Calls f(elements, count) for `at_once` elements at a time; the last of them may be computed
  /// twice, and are stored as they were. Where there are fewer, one at a time.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void forSome(const Elements& all, const F& f) const {
    const auto from = [&](int n) {
      return Elements{all.to + n * _walk.out, all.left + n * _walk.left,
                      all.right + n * _walk.right, all.count - n};
    };
    if (all.count < at_once) {
      for (int n = 0; n < all.count; ++n) f(from(n), Count<1>());
      return;
    }
    for (int n = 0; n < all.count; n += at_once) {
      f(from(n + at_once <= all.count ? n : all.count - at_once), Count<at_once>());
    }
  }

  /// Copies or quotients.
  KOKKOS_FORCEINLINE_FUNCTION void divide(const Elements& all, const FadComponent<S>& its) const {
    forSome(all, [&](const Elements& some, auto count) {
      constexpr int elements = decltype(count)::value;
      S results[elements];
      KONTRACT_UNROLL
      for (int n = 0; n < elements; ++n) {
        results[n] = quotientComponent(_problem, some.left + n * _walk.left,
                                       some.right + n * _walk.right, its);
      }
      KONTRACT_UNROLL
      for (int n = 0; n < elements; ++n) some.to[n * _walk.out] = results[n];
    });
  }

  /// Sums of any number of products.
  KOKKOS_FORCEINLINE_FUNCTION void multiplyAny(const Elements& all,
                                               const FadComponent<S>& its) const {
    forSome(all, [&](const Elements& some, auto count) {
      constexpr int elements = decltype(count)::value;
      const SumLevel(&sum)[2] = _problem.shape.sum;
      S results[elements] = {};
      its.forEachProduct([&](std::int64_t of_left, std::int64_t of_right) {
        const S* const left = _problem.left.derivatives + some.left + of_left;
        const S* const right = _problem.right.derivatives + some.right + of_right;
        for (std::int64_t i = 0; i < sum[0].extent; ++i) {
          for (std::int64_t j = 0; j < sum[1].extent; ++j) {
            const S* const l = left + i * sum[0].left + j * sum[1].left;
            const S* const r = right + i * sum[0].right + j * sum[1].right;
            KONTRACT_UNROLL
            for (int n = 0; n < elements; ++n) {
              multiplyAdd(results[n], l[n * _walk.left], r[n * _walk.right]);
            }
          }
        }
      });
      KONTRACT_UNROLL
      for (int n = 0; n < elements; ++n) some.to[n * _walk.out] = results[n];
    });
  }

  /// What an element has of a factor for the products of a component.
  template <int each>
  struct Factor {
    S of[products][each][terms];
  };
  /// The factors of a product. Where one factor alone has derivatives, that is its component's, and
  /// the value has it, too.
  struct Product {
    const S *left, *right;
    bool is_there;
  };
  KOKKOS_FORCEINLINE_FUNCTION Product productOf(int number, const FadComponent<S>& its) const {
    const int product = factors == FadFactors::Right ? 1 : number;
    return {_problem.left.derivatives + its.leftOf(product),
            _problem.right.derivatives + its.rightOf(product),
            factors != FadFactors::Any || its.has(product)};
  }
  template <int each>
  KOKKOS_FORCEINLINE_FUNCTION static void load(S (&to)[each][terms], const S* from, bool is_there,
                                               std::int64_t row, std::int64_t term) {
    KONTRACT_UNROLL
    for (int i = 0; i < each; ++i) {
      KONTRACT_UNROLL
      for (int m = 0; m < terms; ++m) to[i][m] = is_there ? from[i * row + m * term] : S(0);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void loadLeft(Factor<rows>& to, std::int64_t at,
                                            const FadComponent<S>& its) const {
    KONTRACT_UNROLL
    for (int number = 0; number < products; ++number) {
      const Product product = productOf(number, its);
      load(to.of[number], product.left + at, product.is_there, _problem.shape.left.row,
           _problem.shape.sum[0].left);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void loadRight(Factor<1>& to, std::int64_t at,
                                             const FadComponent<S>& its) const {
    KONTRACT_UNROLL
    for (int number = 0; number < products; ++number) {
      const Product product = productOf(number, its);
      load(to.of[number], product.right + at, product.is_there, 0, _problem.shape.sum[0].right);
    }
  }

  /// Sums of products. \tparam is_left_fixed  left factors are the same for all elements
  template <bool is_left_fixed>
  KOKKOS_FORCEINLINE_FUNCTION void multiply(const Elements& all, const FadComponent<S>& its) const {
    Factor<rows> fixed;
    if (is_left_fixed) loadLeft(fixed, all.left, its);
    forSome(all, [&](const Elements& some, auto count) {
      constexpr int elements = decltype(count)::value;
      Factor<rows> lefts[elements];
      Factor<1> rights[elements];
      KONTRACT_UNROLL
      for (int n = 0; n < elements; ++n) {
        if (!is_left_fixed) loadLeft(lefts[n], some.left + n * _walk.left, its);
        loadRight(rights[n], some.right + n * _walk.right, its);
      }
      KONTRACT_UNROLL
      for (int n = 0; n < elements; ++n) {
        store(some.to + n * _walk.out, is_left_fixed ? fixed : lefts[n], rights[n]);
      }
    });
  }
  KOKKOS_FORCEINLINE_FUNCTION void store(S* to, const Factor<rows>& left,
                                         const Factor<1>& right) const {
    KONTRACT_UNROLL
    for (int i = 0; i < rows; ++i) {
      S sum(0);
      KONTRACT_UNROLL
      for (int number = 0; number < products; ++number) {
        KONTRACT_UNROLL
        for (int m = 0; m < terms; ++m) {
          multiplyAdd(sum, left.of[number][i][m], right.of[number][0][m]);
        }
      }
      to[i * _problem.shape.out.row] = sum;
    }
  }

  FadProblem<PointwiseShape, S> _problem;
  Index _index[7];
  FastDivisor _divisor[7];
  Index _walk{1, 0, 0, 0, false, Order::Others};
  int _indices = 0, _walked = -1;
  std::int64_t _threads = 1, _lanes = 1;
};

}  // namespace Impl
}  // namespace Kontract

#endif
