// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_FormTilePlan.hpp"

#include <algorithm>

namespace Kontract {
namespace Impl {
namespace {

bool hasHalves(const FormShape& s) { return s.is_symmetric && s.left_blocks == 1; }

std::int64_t tilesOf(const FormShape& s, int fields) {
  const std::int64_t rows = partsOf(s.lefts, fields);
  return hasHalves(s) ? rows * (rows + 1) / 2 : rows * partsOf(s.rights, fields);
}

/// The tile that leaves the fewest sums unused, and threads idle where a cell has more tiles than a
/// team.
int registerFields(const FormShape& s) {
  const auto sums = [&](int fields) {
    const std::int64_t tiles = tilesOf(s, fields), rounds = partsOf(tiles, form_tile_threads);
    return (rounds > 1 ? rounds * form_tile_threads : tiles) * fields * fields;
  };
  return sums(5) < sums(4) ? 5 : 4;
}

/// Scalars of scratch memory that teams of some cells need.
struct Needs {
  std::int64_t nodes, point, row;  ///< all nodes; what belongs to a point; a row of a matrix
};

Needs needsOf(const FormShape& s, const FormTileSizes& sizes, int scalar_bytes) {
  const std::int64_t d = s.dimension;
  const std::int64_t values =
      sizes.padded_lefts + (sizes.has_same_values ? 0 : sizes.padded_rights);
  return {s.nodes * d * sizes.cells, (values + s.nodes) * d + sizes.cells * ((d * d) | 1),
          s.rights + formTileStartSize(scalar_bytes)};
}

/// Sets how many points and rows are in scratch memory at a time. Where not all points fit, chunks
/// of them are of the same size.
/// \return whether one of each does
bool setExtents(const FormShape& s, std::int64_t scalars, int scalar_bytes, FormTileSizes& sizes) {
  const Needs needs = needsOf(s, sizes, scalar_bytes);
  sizes.work_at = (needs.nodes + 1) / 2 * 2;
  const std::int64_t left = scalars - sizes.work_at;
  // Without points, too, cells of a team are no more than one point has room for.
  if (left < needs.point) return false;
  const std::int64_t points = std::min<std::int64_t>(s.points, left / needs.point);
  const std::int64_t rows =
      std::min<std::int64_t>(sizes.cells * s.lefts, left / std::max<std::int64_t>(1, needs.row));
  if (rows < 1) return false;
  const std::int64_t chunks = points > 0 ? partsOf(s.points, static_cast<int>(points)) : 1;
  sizes.points = static_cast<int>(std::max<std::int64_t>(1, (s.points + chunks - 1) / chunks));
  sizes.staged_rows = static_cast<int>(rows);
  return true;
}

}  // namespace

FormTilePlan formTilePlan(const Work& work, const Machine& machine, const LaunchSettings& launch) {
  const FormShape& s = work.form.shape;
  FormTilePlan plan;
  FormTileSizes& sizes = plan.sizes;
  plan.register_fields = registerFields(s);
  const int fields = plan.register_fields;
  sizes.rows = static_cast<int>(partsOf(s.lefts, fields));
  sizes.columns = static_cast<int>(partsOf(s.rights, fields));
  sizes.tiles = static_cast<int>(tilesOf(s, fields));
  // Odd numbers of scalars between neighbouring points are in different banks of memory.
  sizes.padded_lefts = sizes.rows * fields | 1;
  sizes.padded_rights = sizes.columns * fields | 1;
  sizes.has_same_values = s.is_symmetric;
  sizes.by_lefts = FastDivisor(std::max<std::int64_t>(1, s.lefts));
  sizes.by_rights = FastDivisor(std::max<std::int64_t>(1, s.rights));
  plan.teams.threads = launch.team_size > 0 ? launch.team_size
                       : machine.is_host    ? 1
                                            : form_tile_threads;
  const std::int64_t open_cells =
      std::clamp<std::int64_t>(plan.teams.threads / std::max(1, sizes.tiles), 1, 128);
  sizes.cells = static_cast<int>(launch.cells_per_team > 0 ? launch.cells_per_team : open_cells);
  // What two teams of a multiprocessor have beside each other, or what there is.
  constexpr std::int64_t most_bytes = 46 << 10, reserve = 256, few_points = 2;
  const std::int64_t bytes = std::min(most_bytes, machine.scratch_bytes[0] - reserve);
  const std::int64_t scalars = bytes / work.scalar_bytes[0];
  const auto fits = [&] { return setExtents(s, scalars, work.scalar_bytes[0], sizes); };
  plan.fits = fits();
  const auto has_few = [&] {
    return !plan.fits || sizes.points < std::min<std::int64_t>(few_points, s.points);
  };
  while (launch.cells_per_team == 0 && has_few() && sizes.cells > 1) {
    sizes.cells = (sizes.cells + 1) / 2;
    plan.fits = fits();
  }
  if (!plan.fits) return plan;
  sizes.by_cells = FastDivisor(sizes.cells);
  plan.pairs = s.is_symmetric ? s.left_blocks * (s.left_blocks + 1) / 2
                              : std::int64_t(s.left_blocks) * s.right_blocks;
  plan.teams.pieces = (s.cells + sizes.cells - 1) / sizes.cells * plan.pairs;
  const Needs needs = needsOf(s, sizes, work.scalar_bytes[0]);
  const std::int64_t used = std::max(sizes.points * needs.point, sizes.staged_rows * needs.row);
  plan.teams.scratch_bytes = scratchBytes(sizes.work_at + used, work.scalar_bytes[0]);
  return plan;
}

std::string whyNotFormOfReference(const FormShape& s) {
  if (!s.has_values_of_reference) {
    return "of forms it is for values that are the same in all cells";
  }
  if (s.dimension == 1) return "of forms it is for cells in two or three dimensions";
  if (s.is_side || s.space_dimension > s.dimension) {
    return "of forms it is for the inside of cells that have as many dimensions as space";
  }
  constexpr std::int64_t most_fields = 1 << 14;
  if (std::max(s.lefts, s.rights) <= most_fields) return {};
  return "of forms it is for at most " + std::to_string(most_fields) + " fields";
}

std::string whyNotFormTiles(const Work& work, const Machine& machine,
                            const LaunchSettings& launch) {
  std::string why = whyNotFormOfReference(work.form.shape);
  if (!why.empty()) return why;
  const FormTilePlan plan = formTilePlan(work, machine, launch);
  if (!plan.fits) {
    return "teams of " + std::to_string(plan.sizes.cells) +
           (plan.sizes.cells == 1 ? " cell" : " cells") + " do not fit scratch memory of " +
           std::to_string(machine.scratch_bytes[0]) + " bytes";
  }
  const int most = machine.is_host ? machine.team_size_max : form_tile_threads;
  if (plan.teams.threads <= most) return {};
  return "Team Size is " + std::to_string(plan.teams.threads) + " but can be at most " +
         std::to_string(most);
}

double secondsOfDeviceForm(const Work& work, const Machine& machine, double nanoseconds) {
  constexpr double multiprocessors_of_h200 = 132, of_float = 0.6, start = 4e-6;
  const double of_scalar = work.scalar_bytes[0] == 4 ? of_float : 1;
  const double computed = 1e-9 * of_scalar * double(work.form.shape.cells) * nanoseconds *
                          multiprocessors_of_h200 / machine.multiprocessors;
  return machine.launch_seconds + start + std::max(work.bytes / machine.bytes_per_second, computed);
}

double secondsOfFormPoints(const Work& work, const Machine& machine, double nanoseconds) {
  const FormShape& s = work.form.shape;
  const double pairs = double(s.left_blocks) * s.right_blocks * (s.is_symmetric ? 0.75 : 1);
  const double points = double(s.points) * s.term_count * std::max(1.0, pairs);
  return secondsOfDeviceForm(work, machine, points * nanoseconds);
}

double nanosecondsOfOutputs(const FormShape& s, double nanoseconds) {
  const double outputs = double(s.lefts) * double(s.rights);
  return nanoseconds * outputs / double(std::max<std::int64_t>(1, s.points * s.term_count));
}

double secondsOfFormTiles(const Work& work, const Machine& machine) {
  const FormShape& s = work.form.shape;
  if (machine.is_host) {
    return machine.launch_seconds + work.flops / (machine.concurrency * machine.flops_per_second);
  }
  const FormTilePlan plan = formTilePlan(work, machine, {});
  // Nanoseconds of an H200 for the geometry of a point, and for a tile there. Where a cell has more
  // tiles than a team, values come to scratch memory several times.
  constexpr double point = 0.12;
  const double tile = 0.00095 * plan.register_fields * plan.register_fields;
  const std::int64_t rounds = partsOf(plan.sizes.tiles, form_tile_threads);
  const double tiles = rounds > 1 ? 1.5 * double(rounds) * form_tile_threads : plan.sizes.tiles;
  return secondsOfFormPoints(work, machine, point + tiles * tile + nanosecondsOfOutputs(s, 0.004));
}

double secondsOfFormBlocks(const Work& work, const Machine& machine) {
  const FormShape& s = work.form.shape;
  const std::int64_t rows = partsOf(s.lefts, s.lefts >= 16 ? 8 : 4);
  const std::int64_t columns = partsOf(s.rights, 8);
  const double computed = s.is_symmetric ? (double(columns) + 1) / 2 : double(columns);
  // Nanoseconds of an H200 for a block at a point, for a node there, and for an output.
  const double point = s.nodes > 0 ? 0.005 : 0.05, output = s.cell_fastest ? 0.0085 : 0.0185;
  constexpr double node = 0.014;
  return secondsOfFormPoints(
      work, machine,
      double(rows) * computed * (point + node * double(s.nodes)) + nanosecondsOfOutputs(s, output));
}

}  // namespace Impl
}  // namespace Kontract
