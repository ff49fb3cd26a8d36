// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_BENCH_CASES_HPP
#define KONTRACT_BENCH_CASES_HPP

#include <cstdint>
#include <detail/problem/Kontract_Signature.hpp>
#include <string>
#include <vector>

#include "Types.hpp"

namespace KontractBench {

using Kontract::Impl::Operation;

/// An extent for each letter of a signature. Fields (F) are as many as right fields (R).
struct Sizes {
  std::int64_t cells = 0;  ///< 0: as many as the memory per case allows
  std::int64_t lefts = 1, rights = 1, points = 1, d = 1, e = 0, g = 0;  ///< e, g: 0 means d
};

/// One call of ArrayTools: which, on what shapes.
struct Case {
  std::string suite;
  std::string label;  ///< what a reader calls it
  std::string chain;  ///< the sequence of calls that it is part of, if any
  Operation operation{};
  int form = 0;  ///< place among the forms of the operation's signature
  Sizes sizes;
  bool one_point = false;        ///< data have one point that holds everywhere
  bool yes = false;              ///< sumInto or reciprocal, where the operation has one
  bool is_transposed = false;    ///< where the operation can be
  bool is_hot = false;           ///< the same arrays each time, so that they stay in cache
  std::int64_t fewer_cells = 0;  ///< than open ones would be, so that they are no round number
  double bytes = 0;  ///< memory of the arrays if the cells are open; 0: what the user says
  std::vector<ScalarKind> scalars;  ///< what it is about, where the user says nothing

  const char* function() const { return Kontract::Impl::signatureOf(operation).name; }
  /// The shape as "CFPD=CpDE*FPE".
  std::string shape() const;
  /// Letters of the arguments; those of the left one are empty for clones.
  std::string outLetters() const;
  std::string leftLetters() const;
  std::string rightLetters() const;
  /// Terms of the sum for each output element of a contraction, or of a product.
  std::int64_t terms() const;
  std::int64_t extentOf(char letter) const;
  std::int64_t sizeOf(const std::string& letters) const;
  /// The kind of flag that comes after the arrays.
  bool takesYes() const;
  bool takesTranspose() const;
};

/// A case by its function.
/// \param shape  one of the function's shapes, as Case::shape() writes it; empty for the first
/// \throws UsageError for names that do not exist
Case makeCase(const std::string& label, const std::string& function, const std::string& shape,
              const Sizes& sizes);

/// The shapes that a function takes, as "CFPD=CpDE*FPE".
std::vector<std::string> shapesOf(Operation operation);

/// Names of all functions.
std::vector<std::string> functionNames();

/// The cases of a case list with cells chosen.
void chooseCells(Case& one, ScalarKind scalar, double bytes);

/// \param text  as "C=100,L=8,R=8,P=27,D=3,E=3"
/// \throws UsageError
Sizes sizesFrom(const std::string& text);

/// What random shapes are drawn by.
struct Draw {
  std::uint64_t seed = 0;
  int shapes = 0;
};

/// Names of the suites, and what is in them.
struct Suite {
  std::string name, doc;
  std::vector<Case> (*cases)(const Draw&);
};
const std::vector<Suite>& suites();

}  // namespace KontractBench

#endif
