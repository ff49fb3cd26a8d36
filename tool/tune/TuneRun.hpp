// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TUNERUN_HPP
#define KONTRACT_TUNERUN_HPP

#include <string>
#include <vector>

#include "TuneRequest.hpp"

namespace KontractTune {

/// The functions of Kontract::ArrayTools.
const std::vector<std::string>& operationNames();

/// A choice and the time of one call with it, in seconds.
struct Timed {
  std::string algorithm, settings;
  double seconds = 0;
};

/// What tuning for one shape has brought.
struct Outcome {
  Shape shape;
  Timed heuristic, tuned;
  bool was_known = false;  ///< the table had an entry before
  std::string left_out;    ///< why nothing was done, if so

  double gain() const { return heuristic.seconds / tuned.seconds; }
};

/// Bytes of the arrays of a shape.
struct Memory {
  double most;  ///< that they may take
  double fill;  ///< that they take where cells are left open
};

/// Whether the default execution space is the host.
extern const bool on_host;

/// Tunes for one shape on the default execution space.
/// \param file  of the table
Outcome tune(const Shape& shape, const std::string& file, const Memory& memory);

}  // namespace KontractTune

#endif
