// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_ARRAY_HPP
#define KONTRACT_TEST_ARRAY_HPP

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace KontractTest {

/// The place of an element: cell, field (or left field), right field, point, two space dimensions.
struct Place {
  std::size_t c = 0, f = 0, r = 0, p = 0, d = 0, e = 0;
};

/// The array of the tests: values in a std::vector, addressed by all six indices. An index that the
/// array does not have, or has with extent one, is ignored.
template <class T>
class Array {
 public:
  using value_type = T;

  Array() = default;

  /// \param letters  an index each, in order: C, then F or L, R, P or Q, then D, E, G as dimensions
  /// \param extents  as many
  Array(const std::string& letters, const std::vector<std::size_t>& extents)
      : _letters(letters), _extents(extents) {
    std::size_t size = 1;
    for (const std::size_t extent : extents) size *= extent;
    _values.resize(size);
    int dimensions = 0;
    for (const char letter : letters) {
      switch (letter) {
        case 'C': _slots.push_back(&Place::c); break;
        case 'F':
        case 'L': _slots.push_back(&Place::f); break;
        case 'R':
          _slots.push_back(letters.find('L') == std::string::npos ? &Place::f : &Place::r);
          break;
        case 'P':
        case 'Q': _slots.push_back(&Place::p); break;
        default: _slots.push_back(dimensions++ == 0 ? &Place::d : &Place::e);
      }
    }
  }

  const std::string& letters() const { return _letters; }
  int rank() const { return static_cast<int>(_extents.size()); }
  const std::vector<std::size_t>& extents() const { return _extents; }
  std::size_t size() const { return _values.size(); }

  /// How many dimensions each point has: 0 scalar, 1 vector or diagonal, 2 tensor.
  int dimensions() const {
    int count = 0;
    for (const auto slot : _slots) count += slot == &Place::d || slot == &Place::e;
    return count;
  }

  /// Extent of an index; 1 if the array does not have it.
  std::size_t extent(std::size_t Place::*slot) const {
    for (int i = 0; i < rank(); ++i) {
      if (_slots[i] == slot) return _extents[i];
    }
    return 1;
  }

  T& at(const Place& place) { return _values[offset(place)]; }
  const T& at(const Place& place) const { return _values[offset(place)]; }

  /// Values in the order of the last index fastest.
  std::vector<T>& values() { return _values; }
  const std::vector<T>& values() const { return _values; }

 private:
  std::size_t offset(const Place& place) const {
    std::size_t sum = 0;
    for (int i = 0; i < rank(); ++i) {
      sum = sum * _extents[i] + (_extents[i] == 1 ? 0 : place.*_slots[i]);
    }
    return sum;
  }

  std::string _letters;
  std::vector<std::size_t> _extents;
  std::vector<std::size_t Place::*> _slots;
  std::vector<T> _values;
};

/// Calls f(place) for every element of an array of those extents.
template <class T, class F>
void forEachPlace(const Array<T>& array, F&& f) {
  Place at;
  for (at.c = 0; at.c < array.extent(&Place::c); ++at.c)
    for (at.f = 0; at.f < array.extent(&Place::f); ++at.f)
      for (at.r = 0; at.r < array.extent(&Place::r); ++at.r)
        for (at.p = 0; at.p < array.extent(&Place::p); ++at.p)
          for (at.d = 0; at.d < array.extent(&Place::d); ++at.d)
            for (at.e = 0; at.e < array.extent(&Place::e); ++at.e) f(at);
}

}  // namespace KontractTest

#endif
