// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_StreamSettings.hpp"

#include <cstdio>
#include <ostream>

namespace Kontract {

std::string StreamReport::text() const {
  char numbers[160];
  std::snprintf(numbers, sizeof numbers, ", %.4g GB in, %.4g GB out, buffers of %.4g GB",
                1e-9 * double(bytes_in), 1e-9 * double(bytes_out), 1e-9 * double(buffer_bytes));
  std::string line = function + ": " + std::to_string(cells) + " cells in " +
                     std::to_string(chunks) + (chunks == 1 ? " chunk" : " chunks") + " of " +
                     std::to_string(cells_per_chunk) + " on " + std::to_string(instances) +
                     (instances == 1 ? " instance" : " instances");
  const bool is_copied = bytes_in + bytes_out > 0;
  line += is_copied ? numbers : ", where they are";
  if (is_copied && !is_page_locked) line += "; not all of it from page-locked memory";
  if (times_shrunk > 0) {
    line += "; the chunk was halved " + std::to_string(times_shrunk) +
            (times_shrunk == 1 ? " time" : " times") + " because memory was refused: " + why_shrunk;
  }
  return line;
}

std::ostream& operator<<(std::ostream& out, const StreamReport& report) {
  return out << report.text();
}

}  // namespace Kontract
