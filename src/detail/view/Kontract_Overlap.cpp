// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_Overlap.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace Kontract {
namespace Impl {
namespace {

/// count steps of that many bytes, from zero steps on
struct Term {
  std::int64_t bytes;
  std::int64_t most;
};

/// Is sum(bytes_i * x_i) == target solvable with 0 <= x_i <= most_i?
class BoundedEquation {
 public:
  /// Adds bytes * x with x from 0 to most to the left hand side. A negative step is mirrored.
  void add(std::int64_t bytes, std::int64_t most) {
    if (bytes == 0 || most == 0) return;
    if (bytes < 0) {
      _shift -= bytes * most;
      bytes = -bytes;
    }
    _terms[_count++] = {bytes, most};
  }

  void addConstant(std::int64_t bytes) { _shift -= bytes; }

  bool isSolvable(std::int64_t target) {
    std::sort(_terms, _terms + _count,
              [](const Term& a, const Term& b) { return a.bytes > b.bytes; });
    mergeEqualSteps();
    std::int64_t reach = 0, divisor = 0;
    for (int i = _count - 1; i >= 0; --i) {
      reach += _terms[i].bytes * _terms[i].most;
      divisor = std::gcd(divisor, _terms[i].bytes);
      _reach[i] = reach;
      _divisor[i] = divisor;
    }
    return search(0, target + _shift);
  }

 private:
  // Two arrays of rank 8, a derivative index and a byte index each.
  static constexpr int max_terms = 2 * (ArrayDescription::max_rank + 2);
  static constexpr int max_work = 10000;

  void mergeEqualSteps() {
    int kept = 0;
    for (int i = 0; i < _count; ++i) {
      if (kept > 0 && _terms[kept - 1].bytes == _terms[i].bytes) {
        _terms[kept - 1].most += _terms[i].most;
      } else {
        _terms[kept++] = _terms[i];
      }
    }
    _count = kept;
  }

  bool search(int i, std::int64_t target) {
    if (target == 0) return true;
    if (i == _count || target < 0 || target > _reach[i] || target % _divisor[i] != 0) return false;
    if (++_work > max_work) return false;
    const std::int64_t step = _terms[i].bytes;
    const std::int64_t rest = i + 1 < _count ? _reach[i + 1] : 0;
    const std::int64_t first = std::max<std::int64_t>(0, (target - rest + step - 1) / step);
    const std::int64_t last = std::min(_terms[i].most, target / step);
    for (std::int64_t x = last; x >= first && _work <= max_work; --x) {
      if (search(i + 1, target - x * step)) return true;
    }
    return false;
  }

  Term _terms[max_terms];
  std::int64_t _reach[max_terms];
  std::int64_t _divisor[max_terms];
  int _count = 0;
  int _work = 0;
  std::int64_t _shift = 0;
};

struct ByteRange {
  std::int64_t begin, end;
};

/// Bytes between the first and the last of an array, relative to its address.
ByteRange bytesOf(const ArrayDescription& a) {
  ByteRange range{0, a.unit_bytes};
  const auto extend = [&](std::int64_t units) {
    (units < 0 ? range.begin : range.end) += units * a.unit_bytes;
  };
  for (int i = 0; i < a.rank; ++i) extend(a.strides[i] * (a.extents[i] - 1));
  if (a.is_fad) extend(std::max(a.value_at, a.derivative_stride * (a.derivatives - 1)));
  return range;
}

/// Scalars of an element that are at one stride.
struct Scalars {
  std::int64_t first, stride, count;
};

/// The scalars of an element: one run, or two where a view has some derivatives alone, because its
/// value follows all of them.
struct ScalarsOfElement {
  Scalars parts[2];
  int count;

  explicit ScalarsOfElement(const ArrayDescription& a) : parts{{0, 0, 1}, {}}, count(1) {
    if (!a.is_fad) return;
    parts[0] = {0, a.derivative_stride, a.derivatives + 1};
    if (a.value_at == a.derivatives * a.derivative_stride) return;
    --parts[0].count;
    parts[1] = {a.value_at, 0, 1};
    count = 2;
  }
};

/// Adds the places of some scalars of an array's elements, with that sign.
void addPlaces(BoundedEquation& equation, const ArrayDescription& a, const Scalars& scalars,
               std::int64_t sign) {
  for (int i = 0; i < a.rank; ++i) {
    equation.add(sign * a.strides[i] * a.unit_bytes, a.extents[i] - 1);
  }
  equation.addConstant(sign * scalars.first * a.unit_bytes);
  equation.add(sign * scalars.stride * a.unit_bytes, scalars.count - 1);
  equation.add(sign, a.unit_bytes - 1);
}

/// Whether scalars of elements of two arrays, the second one's that far from the first one's, have
/// a byte in common.
bool canMeet(const ArrayDescription& a, const Scalars& in_a, const ArrayDescription& b,
             const Scalars& in_b, std::int64_t distance) {
  BoundedEquation equation;
  addPlaces(equation, a, in_a, 1);
  addPlaces(equation, b, in_b, -1);
  return equation.isSolvable(distance);
}

/// Whether, from index `from` on by `step` to the other end, each stride is longer than all that is
/// inside of it: as in LayoutLeft and LayoutRight, with or without gaps.
bool isNested(const ArrayDescription& a, int from, int step) {
  std::int64_t inside = 0;
  for (int n = 0, i = from; n < a.rank; ++n, i += step) {
    if (a.extents[i] < 2) continue;
    if (a.strides[i] <= inside) return false;
    inside += a.strides[i] * (a.extents[i] - 1);
  }
  return true;
}

/// Steps of an index between elements, or between scalars of an element.
struct Steps {
  std::int64_t stride;
  std::int64_t most;  ///< how many there are
};

/// Whether an index whose difference is positive, and those after it, whose differences have any
/// sign, can lead from a place to the same place: sum(stride_i * d_i) == 0. With x = d + most, and
/// x = d - 1 for the first, all unknowns begin with 0.
bool canReturn(const Steps* first, const Steps* end) {
  BoundedEquation equation;
  equation.add(first->stride, first->most - 1);
  std::int64_t target = -first->stride;
  for (const Steps* after = first + 1; after < end; ++after) {
    equation.add(after->stride, 2 * after->most);
    target += after->stride * after->most;
  }
  return equation.isSolvable(target);
}

}  // namespace

bool provenToOverlap(const ArrayDescription& a, const ArrayDescription& b) {
  if (a.size() == 0 || b.size() == 0) return false;
  const std::int64_t distance = static_cast<std::int64_t>(b.address - a.address);
  const ByteRange in_a = bytesOf(a), in_b = bytesOf(b);
  if (in_b.begin + distance >= in_a.end || in_a.begin >= in_b.end + distance) return false;
  const ScalarsOfElement of_a(a), of_b(b);
  for (int i = 0; i < of_a.count; ++i) {
    for (int j = 0; j < of_b.count; ++j) {
      if (canMeet(a, of_a.parts[i], b, of_b.parts[j], distance)) return true;
    }
  }
  return false;
}

bool hasCoincidingElements(const ArrayDescription& array) {
  if (!array.is_fad && (isNested(array, array.rank - 1, -1) || isNested(array, 0, 1))) return false;
  if (array.size() < 2) return false;
  // Two tuples of indices differ first in some index, in the order of these from the longest stride
  // on; the sign of a stride only mirrors its index.
  Steps steps[ArrayDescription::max_rank + 1];
  int count = 0;
  const auto insert = [&](std::int64_t stride, std::int64_t most) {
    if (most < 1) return;
    stride = std::abs(stride);
    int at = count++;
    for (; at > 0 && steps[at - 1].stride < stride; --at) steps[at] = steps[at - 1];
    steps[at] = {stride, most};
  };
  for (int i = 0; i < array.rank; ++i) insert(array.strides[i], array.extents[i] - 1);
  const ScalarsOfElement scalars(array);
  insert(scalars.parts[0].stride, scalars.parts[0].count - 1);
  // A value apart from its derivatives may be a derivative of another element.
  const bool may_meet = scalars.count > 1;
  if (may_meet && canMeet(array, scalars.parts[0], array, scalars.parts[1], 0)) return true;
  std::int64_t inside = 0;
  for (int i = count - 1; i >= 0; --i) {
    // What is inside of a longer stride does not lead back over it.
    const bool is_longer = steps[i].stride > inside;
    if (!is_longer && (steps[i].stride == 0 || canReturn(steps + i, steps + count))) return true;
    inside += steps[i].stride * steps[i].most;
  }
  return false;
}

}  // namespace Impl
}  // namespace Kontract
