// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_SCATTERING_HPP
#define KONTRACT_SCATTERING_HPP

#include <algorithm>
#include <string>

#include "detail/launch/Kontract_Launch.hpp"
#include "detail/problem/Kontract_FormShape.hpp"
#include "detail/problem/Kontract_Scatter.hpp"
#include "detail/problem/Kontract_Work.hpp"
#include "detail/support/Kontract_Machine.hpp"

namespace Kontract {
namespace Impl {

// What algorithms whose cells add to one output have in common.

/// How cells add: as asked for; else one after another on one thread of a host, which is Auto.
/// \param concurrency  of the execution space
inline ScatterWay scatterWayOf(bool is_host, std::int64_t concurrency, bool has_colors,
                               const LaunchSettings& settings) {
  const auto asked = static_cast<ScatterWay>(settings.scatter.place);
  if (asked != ScatterWay::Auto) return asked;
  if (!is_host) return ScatterWay::Atomic;
  if (concurrency <= 1) return ScatterWay::Auto;
  return has_colors && settings.cells_per_team == 0 ? ScatterWay::Colored : ScatterWay::Atomic;
}

/// Why cells cannot add so; empty if they can.
/// \param has_blocks  whether it computes blocks of cells one cell after another
inline std::string whyNotScatter(const FormShape& form, bool is_host, bool has_blocks,
                                 const LaunchSettings& settings) {
  const bool are_colored = static_cast<ScatterWay>(settings.scatter.place) == ScatterWay::Colored;
  if (form.is_scattered && is_host && !has_blocks && are_colored) {
    return "on hosts Register Blocking alone adds by colors";
  }
  if (form.is_scattered && is_host && are_colored && settings.cells_per_team > 0) {
    return "Cells Per Team does not fit: colors are of blocks of cells";
  }
  // Options that ask for colors get some; a tuning table may come from elsewhere.
  if (form.is_scattered && are_colored && !form.can_be_colored && form.outputs() > 0) {
    return "cells have no colors";
  }
  // Threads of a device share a cell.
  if (!is_host && are_colored && form.cell_with_repeat >= 0) {
    return "cell " + std::to_string(form.cell_with_repeat) +
           " has an unknown twice, and on devices such cells cannot be Colored";
  }
  if (!is_host && are_colored && form.has_constraints) {
    return "on devices cells of constrained unknowns cannot be Colored";
  }
  return {};
}

/// What the launch settings of cells that add become.
inline LaunchSettings scatterResolved(const Work& work, const Machine& machine, bool has_blocks,
                                      const LaunchSettings& settings) {
  LaunchSettings resolved = settings;
  if (!work.form.shape.is_scattered) return resolved;
  const bool has_colors = has_blocks && work.form.shape.can_be_colored;
  resolved.scatter.place =
      static_cast<int>(scatterWayOf(machine.is_host, machine.concurrency, has_colors, settings));
  return resolved;
}

/// Clears a run of elements.
template <class Real>
struct Clear {
  Real* values;
  std::int64_t stride, count, run;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    const std::int64_t first = i * run, last = first + run < count ? first + run : count;
    if (stride == 1) {
      for (std::int64_t n = first; n < last; ++n) values[n] = Real(0);
    } else {
      for (std::int64_t n = first; n < last; ++n) values[n * stride] = Real(0);
    }
  }
};

/// Clears an output that cells add to, unless it is added to.
template <class Space, class Form>
void clearScattered(const Space& space, const Form& form, const std::string& label) {
  if (!form.scatter.is_there || form.sum_into) return;
  using Real = std::decay_t<decltype(*form.out)>;
  const std::int64_t count = form.shared_outputs, run = is_host_space<Space> ? 4096 : 1;
  launch(space, label, (count + run - 1) / run,
         Clear<Real>{form.out, form.scatter.stride, count, run});
}

/// Calls f(first, last) with the blocks of each color that have cells of a form, in an order that
/// does not depend on how many run at a time.
template <class F>
void forEachColor(const Scatter& scatter, std::int64_t cells, const F& f) {
  const BlockColors& colors = scatter.colors;
  const std::int64_t first_block = scatter.first_cell / colors.block_cells;
  const std::int64_t last_block =
      (scatter.first_cell + cells + colors.block_cells - 1) / colors.block_cells;
  for (int color = 0; color < colors.colors; ++color) {
    const std::int32_t *const begin = colors.blocks + colors.starts[color],
                              *const end = colors.blocks + colors.starts[color + 1];
    const std::int64_t first = std::lower_bound(begin, end, first_block) - colors.blocks;
    const std::int64_t last = std::lower_bound(begin, end, last_block) - colors.blocks;
    if (first < last) f(first, last);
  }
}

/// A form as kernels that serve any execution space compute it, whose output is ready for cells to
/// add to it.
template <class Space, class Form>
Form scatteringForm(const Space& space, const Form& given, const LaunchSettings& settings,
                    const std::string& label) {
  clearScattered(space, given, label);
  Form form = given;
  const int concurrency = is_host_space<Space> ? space.concurrency() : 0;
  // Blocks of hosts have cells that share something.
  form.scatter.way = scatterWayOf(is_host_space<Space>, concurrency, false, settings);
  return form;
}

/// Calls f(problem) with all cells of a problem, or with those of a color at a time.
template <class Problem, class F>
void forEachLaunch(const Problem& problem, const F& f) {
  const Scatter& to = problem.scatter.to;
  if (!to.is_there || to.way != ScatterWay::Colored) return f(problem);
  forEachColor(to, problem.shape.cells, [&](std::int64_t first, std::int64_t last) {
    Problem part = problem;
    part.shape.cells = last - first;
    part.scatter.cells = to.colors.device_blocks + first;
    f(part);
  });
}

}  // namespace Impl
}  // namespace Kontract

#endif
