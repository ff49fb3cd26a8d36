// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FORMTILEPLAN_HPP
#define KONTRACT_FORMTILEPLAN_HPP

#include <cstdint>
#include <string>

#include "detail/kernels/portable/Kontract_FormTiles.hpp"
#include "detail/launch/Kontract_Launch.hpp"
#include "detail/problem/Kontract_Work.hpp"

namespace Kontract {
namespace Impl {

/// Threads of a team on devices, unless other ones are asked for; no more than these.
inline constexpr int form_tile_threads = 128;

/// How many parts of a size there are of something, the last one smaller perhaps.
inline std::int64_t partsOf(std::int64_t all, std::int64_t part) { return (all + part - 1) / part; }

/// How teams tile the matrices of a form.
struct FormTilePlan {
  int register_fields = 4;  ///< of a register tile on each side that has fields: 4 or 5
  FormTileSizes sizes;
  Teams teams;             ///< of all cells
  std::int64_t pairs = 1;  ///< of components, which are pieces of work of their own
  bool fits = false;       ///< scratch memory holds what a team needs
};

/// \param launch  Team Size and Cells Per Team are honoured
FormTilePlan formTilePlan(const Work& work, const Machine& machine, const LaunchSettings& launch);

/// Why a form is none of those that devices compute from values that cells share: matrices and
/// vectors inside cells of two or three dimensions. Empty if it is one.
std::string whyNotFormOfReference(const FormShape& shape);

/// Why teams cannot compute a form so; empty if they can.
std::string whyNotFormTiles(const Work& work, const Machine& machine, const LaunchSettings& launch);

/// Seconds of forms on a device that take so many nanoseconds a cell on an H200. Others are taken
/// to differ as their multiprocessors do.
double secondsOfDeviceForm(const Work& work, const Machine& machine, double nanoseconds);

/// The same for so many a point of a term.
double secondsOfFormPoints(const Work& work, const Machine& machine, double nanoseconds);

/// What outputs take of the time of each point of a term. \param nanoseconds  of one of a cell
double nanosecondsOfOutputs(const FormShape& shape, double nanoseconds);

/// Expected seconds.
double secondsOfFormTiles(const Work& work, const Machine& machine);

/// Expected seconds of matrices on a device whose threads each compute a block of fields, and the
/// geometry of its points.
double secondsOfFormBlocks(const Work& work, const Machine& machine);

}  // namespace Impl
}  // namespace Kontract

#endif
