// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_EXTENTS_HPP
#define KONTRACT_EXTENTS_HPP

#include <cstdint>
#include <string>
#include <vector>

#include "detail/view/Kontract_ArrayDescription.hpp"

namespace Kontract {
namespace Impl {

/// An argument of a call of Integration, for messages.
struct NamedArray {
  const char* name;
  int term;  ///< which term it belongs to, from 1 on; 0 if to none
  ArrayDescription array;

  double bytes() const { return double(array.size()) * double(array.unit_bytes); }
  /// "left values of term 2 is (8, 27, 3)"
  std::string text() const;
};

/// The extents of the arrays of a call, by letter, as they are checked one after another: C cells,
/// L and R fields, P points, N nodes, D dimensions. A small p is a P that may have the extent 1.
class Extents {
 public:
  explicit Extents(const char* function) : _function(function) { _taken.reserve(16); }

  /// Takes an array whose indices have those letters.
  /// \throws std::invalid_argument if its rank is another, an extent is not the one that an array
  ///   before it had, or the execution space cannot reach it
  void take(const NamedArray& given, const char* letters);

  /// Takes an array whose extents are known to be right.
  void takeChecked(const NamedArray& given) { _taken.push_back(given); }

  /// \throws std::invalid_argument if it has no memory, or none that the execution space reaches
  void requireMemory(const NamedArray& given) const;

  /// \throws std::invalid_argument that says why
  [[noreturn]] void refuseCall(const std::string& why) const;

  /// Bytes of all arrays that were taken.
  double bytes() const;

  /// The extent of a letter; 1 if no array has had it.
  std::int64_t operator[](char letter) const { return _known[slotOf(letter)].extent; }

  /// \throws std::invalid_argument if an array that was taken has derivatives, but not as many as
  ///   the output; if elements of the output are not distinct, or it overlaps one of those arrays
  void checkOutput(const NamedArray& out) const;

 private:
  void compareDerivatives(const NamedArray& out) const;

  struct Known {
    std::int64_t extent = 1;
    int by = -1;  ///< place of the array that had it first
  };
  static int slotOf(char letter);

  const char* _function;
  Known _known[6];
  std::vector<NamedArray> _taken;
};

}  // namespace Impl
}  // namespace Kontract

#endif
