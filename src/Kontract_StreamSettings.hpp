// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_STREAMSETTINGS_HPP
#define KONTRACT_STREAMSETTINGS_HPP

#include "detail/support/Kontract_Requirements.hpp"

#include <cstdint>
#include <iosfwd>
#include <iostream>
#include <string>

namespace Kontract {

/// How StreamingArrayTools cuts and moves arrays.
struct StreamSettings {
  /// Bytes of the execution space's memory that buffers may take together; where nothing is moved,
  /// bytes of the arrays that a chunk may touch. 0: as much as full speed needs, but no more
  /// than 1.5 GB with three instances unless one cell takes more.
  std::int64_t memory_limit = 0;

  /// Cells of a chunk, at most. 0: as many as full speed needs. Where a chunk of so few cells would
  /// have other bits than the whole (on hosts up to 16, where cells are neighbours in memory), it
  /// has as many as it takes.
  std::int64_t cells_per_chunk = 0;

  /// Instances of the execution space that take turns: one computes while others copy in and out.
  int instances = 3;

  /// Whether chunks are copied even where the execution space could read and write the arrays
  /// where they are.
  bool always_copies = false;

  /// Where to tell of chunks that had to shrink; null: nowhere, but for the report.
  std::ostream* warnings = &std::cerr;
};

/// What a call of StreamingArrayTools did.
struct StreamReport {
  std::string function;              ///< name of the function that was called
  std::int64_t cells = 0;            ///< of the arrays
  std::int64_t cells_per_chunk = 0;  ///< of all chunks but the last
  std::int64_t chunks = 0;           ///< into which cells were cut
  int instances = 0;               ///< that took turns
  std::int64_t bytes_in = 0;       ///< copied to the execution space
  std::int64_t bytes_out = 0;      ///< copied back
  std::int64_t bytes_touched = 0;  ///< of all arrays, copied or not
  std::int64_t buffer_bytes = 0;   ///< of the execution space's memory
  bool is_page_locked = true;      ///< all that was copied is in page-locked memory of the host
  int times_shrunk = 0;            ///< how often the chunk was halved because memory was refused
  std::string why_shrunk;          ///< what the last refusal said; empty if there was none

  /// The report in a line.
  std::string text() const;
};

/// Prints the report's text.
std::ostream& operator<<(std::ostream& out, const StreamReport& report);

}  // namespace Kontract

#endif
