// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_ARGUMENTCHECKER_HPP
#define KONTRACT_ARGUMENTCHECKER_HPP

#include <initializer_list>
#include <string>

#include "Kontract_IndexTable.hpp"
#include "detail/view/Kontract_ArrayDescription.hpp"

namespace Kontract {
namespace Impl {

/// An argument of a call, with the letters that a pattern of its function gives its indices.
struct Argument {
  const char* name;
  const ArrayDescription* array;
  std::string pattern{};
  int term = 0;           ///< of a form that it belongs to, from 1 on; 0 if to none
  bool is_shape = false;  ///< it is made of several arrays, and only has extents

  /// Whether the function has no such argument.
  bool isAbsent() const { return name[0] == '\0'; }
  /// Whether the function has it, but the call does not give it.
  bool isMissing() const { return !isAbsent() && !is_shape && array->isOfNothing(); }
  /// Whether it has the rank of a pattern; an empty one is for what is not there.
  bool hasRankOf(const std::string& of) const {
    return of.empty() ? array->isOfNothing() : int(of.size()) == array->rank;
  }

  /// "left values of term 2"
  std::string nameText() const;
  /// "leftFields is (C=100, L=8, P=27, D=3)"
  std::string text() const;
};

/// "(C,F,P or 1,D)"
std::string patternText(const std::string& pattern);

/// Checks the arguments of a call one after another, whatever its function; of two that disagree
/// the later one is complained about. Letters: C cells, F, L and R fields, N nodes, P points, D, E
/// and G space dimensions, S those of space where cells have fewer, D; a small p is a P that may
/// have the extent 1, a small d another index of the extent of D, a small s of S; H, M and 1 how
/// many factors there are.
///
/// All members throw std::invalid_argument with a text that names the function, the argument, what
/// it is and what it needs. Arguments are referred to, and have to stay.
class ArgumentChecker {
 public:
  explicit ArgumentChecker(const char* function) : _function(function) {}

  [[noreturn]] void refuseCall(const std::string& why) const;

  /// \param patterns  of all ranks that the argument may have
  [[noreturn]] void refuseRank(const Argument& argument,
                               const std::initializer_list<std::string>& patterns) const;
  [[noreturn]] void refuseRank(const Argument& argument, const std::string* first,
                               const std::string* last) const;

  /// Compares the extents of an argument with those of arguments before it.
  void compareExtents(const Argument& argument);

  /// Refuses an argument that has no memory, or none that the execution space reaches.
  void requireElements(const Argument& argument) const;

  /// Refuses an input whose number of derivatives is neither the output's nor 0.
  void compareDerivatives(const Argument& input, const Argument& out) const;

  /// Refuses an output whose elements are not distinct.
  void requireDistinct(const Argument& out) const;

  /// Refuses an output that is proven to overlap an input.
  /// \param rule  what the output may be, for the message
  void refuseOverlap(const Argument& out, const Argument& input, const char* rule) const;

  /// The argument that fixed the extent of a letter; null if none has.
  const Argument* firstWith(char letter) const { return _first[slotOf(letter)]; }

  const IndexTable& indices() const { return _indices; }
  IndexTable& indices() { return _indices; }

 private:
  void compareExtent(const Argument& argument, int i);
  [[noreturn]] void refuseExtent(const Argument& one, const Argument& other, char letter) const;

  const char* _function;
  IndexTable _indices;
  const Argument* _first[slot_count] = {};
};

}  // namespace Impl
}  // namespace Kontract

#endif
