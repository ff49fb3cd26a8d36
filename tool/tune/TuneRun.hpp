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

/// Tunes for one shape on the default execution space.
/// \param file    of the table
/// \param memory  that arrays may take, in bytes
Outcome tune(const Shape& shape, const std::string& file, double memory);

}  // namespace KontractTune

#endif
