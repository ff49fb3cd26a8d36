// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_CALLOPTIONS_HPP
#define KONTRACT_CALLOPTIONS_HPP

#include "Kontract_Options.hpp"

namespace Kontract {
namespace Impl {

/// The options that a call uses: those that it was given, or default ones.
struct CallOptions {
  CallOptions(const Options& of, bool defaults = false)  // NOLINT: Options may stand in its place
      : options(of), are_defaults(defaults) {}

  const Request& of(Operation operation) const { return options.of(operation); }

  const Options& options;
  bool are_defaults;
};

}  // namespace Impl
}  // namespace Kontract

#endif
