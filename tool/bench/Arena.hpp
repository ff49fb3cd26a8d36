// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_BENCH_ARENA_HPP
#define KONTRACT_BENCH_ARENA_HPP

#include <Kontract_Explanation.hpp>
#include <Kontract_Options.hpp>
#include <functional>
#include <memory>
#include <string>

#include "Cases.hpp"
#include "Peers.hpp"

namespace KontractBench {

/// The arrays of a case in one scalar type and layout, in several copies, and what can run on them.
///
/// Copies are used in turn, so that what a call reads has left the caches since it was used last.
class Arena {
 public:
  virtual ~Arena() = default;

  virtual int copies() const = 0;

  /// What Kontract would run, its flops (of scalars) and its bytes.
  /// \throws std::invalid_argument with the reason if it refuses
  virtual Kontract::Explanation explain(const Kontract::Options& options) const = 0;

  virtual Runner kontract(const Kontract::Options& options) const = 0;
  virtual Offer peer(Peer peer) const = 0;

  /// Spoils the output of the first copy, so that what is not written shows: with NaN, or, for who
  /// multiplies by zero what he overwrites, with other numbers than those that were kept.
  virtual void spoilOutput() = 0;
  virtual void spoilOutputByNumbers() = 0;
  /// Takes the output of the first copy as what is right.
  virtual void keepOutput() = 0;
  /// How the output of the first copy differs from what was kept; empty if it does not.
  virtual std::string difference() const = 0;
};

/// \param bytes  that all copies together have at least; 0 for one copy
/// \throws std::bad_alloc and the like if there is not so much memory
std::unique_ptr<Arena> makeArena(const Case& one, ScalarKind scalar, LayoutKind layout,
                                 double bytes);

/// The same for one scalar type, each compiled on its own.
template <class Scalar>
std::unique_ptr<Arena> makeArenaOf(const Case& one, LayoutKind layout, double bytes);

}  // namespace KontractBench

#endif
