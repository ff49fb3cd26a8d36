// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FADELEMENTS_HPP
#define KONTRACT_FADELEMENTS_HPP

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "detail/kernels/fad/Kontract_FadComponents.hpp"
#include "detail/kernels/portable/Kontract_FastDivisor.hpp"

namespace Kontract {
namespace Impl {

/// Copies, products and quotients of Fads at points on devices, at the speed of memory: a thread
/// has one component, a derivative or the value, of a few elements of the output, which differ in
/// one index. Neighbouring threads have neighbours in memory.
///
/// The output must not be an input: a thread would read the value that another one has replaced.
/// \tparam terms  of a sum of products, which is then over its first level; 0 for any
template <class S, int terms>
class FadElements {
 public:
  explicit FadElements(const FadProblem<PointwiseShape, S>& problem) : _problem(problem) {
    const PointwiseShape& shape = problem.shape;
    const auto &out = shape.out, &left = shape.left, &right = shape.right;
    add({problem.out.count + 1, problem.out.stride, 0, 0, true, Order::Shared});
    add({shape.rows, out.row, left.row, right.row, false, Order::Shared});
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

  static bool has(const PointwiseShape& shape) {
    return isOfElements(shape.kind) &&
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
    S* to = _problem.out.derivatives + out + its.out;
    std::int64_t x = left, y = right;
    std::int64_t open = _walk.extent - first;
    if (open > most_elements) open = most_elements;
    for (; open >= at_once; open -= at_once) computeElements<at_once>(to, x, y, its);
    for (; open > 0; --open) computeElements<1>(to, x, y, its);
  }

 private:
  static constexpr int most_elements = 8;  ///< of a thread
  static constexpr int at_once = 4;        ///< so many of them, whose loads are in flight together

  static constexpr int most_lanes = 64;  ///< neighbours, before other elements of theirs follow

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

  /// Threads walk along the longest index whose places are not neighbours, so that they find their
  /// place once for several elements.
  void chooseWalk() {
    for (int n = 0; n < _indices; ++n) {
      if (_index[n].order == Order::Others &&
          (_walked < 0 || _index[n].extent > _index[_walked].extent)) {
        _walked = n;
      }
    }
    if (_walked < 0) return;
    Index& index = _index[_walked];
    _walk = index;
    index.extent = (index.extent + most_elements - 1) / most_elements;
    index.out *= most_elements, index.left *= most_elements, index.right *= most_elements;
  }

  /// Computes some elements, which are stored after all of them, and goes on to the next one.
  template <int elements>
  KOKKOS_FORCEINLINE_FUNCTION void computeElements(S*& to, std::int64_t& left,
                                                   std::int64_t& right,
                                                   const FadComponent<S>& its) const {
    S results[elements];
    for (S& result : results) result = S(0);
    if (_problem.shape.kind == PointwiseKind::Product) {
      its.forEachProduct([&](std::int64_t left_at, std::int64_t right_at) {
        addProducts(results, _problem.left.derivatives + left + left_at,
                    _problem.right.derivatives + right + right_at);
      });
    } else {
      for (int n = 0; n < elements; ++n) {
        results[n] =
            quotientComponent(_problem, left + n * _walk.left, right + n * _walk.right, its);
      }
    }
    for (int n = 0; n < elements; ++n) to[n * _walk.out] = results[n];
    to += elements * _walk.out;
    left += elements * _walk.left;
    right += elements * _walk.right;
  }

  template <int elements>
  KOKKOS_FORCEINLINE_FUNCTION void addProducts(S (&results)[elements], const S* left,
                                               const S* right) const {
    const SumLevel(&sum)[2] = _problem.shape.sum;
    if constexpr (terms > 0) {
      S x[elements][terms], y[elements][terms];
      for (int n = 0; n < elements; ++n) {
        for (int m = 0; m < terms; ++m) {
          x[n][m] = left[n * _walk.left + m * sum[0].left];
          y[n][m] = right[n * _walk.right + m * sum[0].right];
        }
      }
      for (int n = 0; n < elements; ++n) {
        for (int m = 0; m < terms; ++m) multiplyAdd(results[n], x[n][m], y[n][m]);
      }
    } else {
      for (std::int64_t i = 0; i < sum[0].extent; ++i) {
        for (std::int64_t j = 0; j < sum[1].extent; ++j) {
          const S* const l = left + i * sum[0].left + j * sum[1].left;
          const S* const r = right + i * sum[0].right + j * sum[1].right;
          for (int n = 0; n < elements; ++n) {
            multiplyAdd(results[n], l[n * _walk.left], r[n * _walk.right]);
          }
        }
      }
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
