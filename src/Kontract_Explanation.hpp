// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_EXPLANATION_HPP
#define KONTRACT_EXPLANATION_HPP

#include "detail/support/Kontract_Requirements.hpp"

#include <iosfwd>
#include <string>

namespace Kontract {

/// What a call runs, or ran, and why.
struct Explanation {
  std::string operation;        ///< name of the function
  std::string algorithm;        ///< name as in the options; empty if there was nothing to do
  std::string settings;         ///< of the algorithm, as "name = value" separated by commas
  std::string why;              ///< who chose, and against what
  double flops = 0;             ///< additions and multiplications of scalars
  double bytes = 0;             ///< that must move between memory and processor at least
  double expected_seconds = 0;  ///< from assumed rates of the machine, not measured
  std::string advice;           ///< what the caller could do for speed; empty if nothing is known
  double measured_seconds = 0;  ///< as a tuning table has it; 0 if the choice is not from one

  /// The same as a line of text.
  std::string text() const;
};

/// Prints text().
std::ostream& operator<<(std::ostream& out, const Explanation& explanation);

/// What the last call of this host thread ran, and why. Of functions of Integration, flops are
/// those of plain sums over points, whatever the kernel saves. \throws std::logic_error if this
/// thread has made no call yet
Explanation explain();

}  // namespace Kontract

#endif
