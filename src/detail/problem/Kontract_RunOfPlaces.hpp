// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_RUNOFPLACES_HPP
#define KONTRACT_RUNOFPLACES_HPP

#include "Kontract_Problem.hpp"

namespace Kontract {
namespace Impl {

/// Where one run of places of a pointwise problem starts and how it steps.
struct RunOfPlaces {
  std::int64_t length;
  std::int64_t out, left, right;                 ///< first place
  std::int64_t out_step, left_step, right_step;  ///< to the next one
};

}  // namespace Impl
}  // namespace Kontract

#endif
