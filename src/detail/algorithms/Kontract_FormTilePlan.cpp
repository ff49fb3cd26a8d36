// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_FormTilePlan.hpp"

#include <algorithm>

namespace Kontract {
namespace Impl {
namespace {

/// Multiply-adds that the geometry of a point and the matrix between two values take, about.
constexpr double products_of_point = 160;

bool hasHalves(const FormShape& s) { return s.is_symmetric && s.left_blocks == 1; }

std::int64_t partsOf(std::int64_t fields, int tile) { return (fields + tile - 1) / tile; }

std::int64_t tilesOf(const FormShape& s, int fields) {
  const std::int64_t rows = partsOf(s.lefts, fields);
  if (s.kind == FormKind::Vectors) return rows;
  return hasHalves(s) ? rows * (rows + 1) / 2 : rows * partsOf(s.rights, fields);
}

/// Multiply-adds of the register tiles of a cell at a point, and what goes with each.
double productsOfTiles(const FormShape& s, int fields) {
  const double d = s.dimension, rights = s.kind == FormKind::Vectors ? 1 : fields;
  constexpr double loads = 12;
  return double(tilesOf(s, fields)) * (loads + rights * d * d + fields * rights * d);
}

int registerFields(const FormShape& s) {
  if (s.kind == FormKind::Vectors) return 4;
  int best = 4;
  for (const int fields : {5, 8}) {
    if (productsOfTiles(s, fields) < productsOfTiles(s, best)) best = fields;
  }
  return best;
}

/// Scalars of scratch memory that teams of some cells need.
struct Needs {
  std::int64_t nodes, point, row;  ///< all nodes; what belongs to a point; a row of a matrix
};

Needs needsOf(const FormShape& s, const FormTileSizes& sizes) {
  const std::int64_t d = s.dimension;
  const bool has_right = s.kind != FormKind::Vectors;
  const std::int64_t values = sizes.padded_lefts + (has_right ? sizes.padded_rights : 0);
  return {s.nodes * d * sizes.cells, values * d + sizes.cells * ((d * d) | 1), s.rights};
}

/// Sets how many points and rows are in scratch memory at a time. Where not all points fit, chunks
/// of them are of the same size.
/// \return whether one of each does
bool setExtents(const FormShape& s, std::int64_t scalars, FormTileSizes& sizes) {
  const Needs needs = needsOf(s, sizes);
  sizes.work_at = (needs.nodes + 1) / 2 * 2;
  const std::int64_t left = scalars - sizes.work_at;
  const std::int64_t points = std::min<std::int64_t>(s.points, left / needs.point);
  const std::int64_t rows =
      std::min<std::int64_t>(sizes.cells * s.lefts, left / std::max<std::int64_t>(1, needs.row));
  if (left < 0 || rows < 1 || (points < 1 && s.points > 0)) return false;
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
  const bool has_right = s.kind != FormKind::Vectors;
  sizes.rows = static_cast<int>(partsOf(s.lefts, fields));
  sizes.columns = has_right ? static_cast<int>(partsOf(s.rights, fields)) : 1;
  sizes.tiles = static_cast<int>(tilesOf(s, fields));
  sizes.padded_lefts = sizes.rows * fields;
  sizes.padded_rights = has_right ? sizes.columns * fields : 1;
  sizes.by_lefts = FastDivisor(std::max<std::int64_t>(1, s.lefts));
  sizes.by_rights = FastDivisor(std::max<std::int64_t>(1, s.rights));
  const std::int64_t warps = (sizes.tiles + 31) / 32;
  plan.teams.threads = launch.team_size > 0 ? launch.team_size
                       : machine.is_host
                           ? 1
                           : static_cast<int>(std::clamp<std::int64_t>(32 * warps, 128, 256));
  const std::int64_t open_cells =
      std::clamp<std::int64_t>(plan.teams.threads / std::max(1, sizes.tiles), 1, 128);
  sizes.cells = static_cast<int>(launch.cells_per_team > 0 ? launch.cells_per_team : open_cells);
  // What two teams of a multiprocessor have beside each other, or what there is.
  constexpr std::int64_t most_bytes = 46 << 10, reserve = 256, few_points = 4;
  const std::int64_t bytes = std::min(most_bytes, machine.scratch_bytes[0] - reserve);
  const std::int64_t scalars = bytes / work.scalar_bytes[0];
  const auto fits = [&] { return setExtents(s, scalars, sizes); };
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
  const Needs needs = needsOf(s, sizes);
  const std::int64_t used = std::max(sizes.points * needs.point, sizes.staged_rows * needs.row);
  plan.teams.scratch_bytes = scratchBytes(sizes.work_at + used, work.scalar_bytes[0]);
  plan.products =
      double(plan.pairs) * s.term_count * double(s.points) *
      (products_of_point + 3.0 * double(s.nodes) * s.dimension + productsOfTiles(s, fields));
  return plan;
}

std::string whyNotFormTiles(const Work& work, const Machine& machine,
                            const LaunchSettings& launch) {
  const FormShape& s = work.form.shape;
  if (s.kind == FormKind::Products) return "of forms it is for matrices and vectors";
  if (!s.has_values_of_reference) {
    return "of forms it is for values that are the same in all cells";
  }
  if (s.dimension == 1) return "of forms it is for cells in two or three dimensions";
  constexpr std::int64_t most_fields = 1 << 14;
  if (std::max(s.lefts, s.rights) > most_fields) {
    return "of forms it is for at most " + std::to_string(most_fields) + " fields";
  }
  const FormTilePlan plan = formTilePlan(work, machine, launch);
  if (!plan.fits) {
    return "teams of " + std::to_string(plan.sizes.cells) +
           (plan.sizes.cells == 1 ? " cell" : " cells") + " do not fit scratch memory of " +
           std::to_string(machine.scratch_bytes[0]) + " bytes";
  }
  if (plan.teams.threads <= machine.team_size_max) return {};
  return "Team Size is " + std::to_string(plan.teams.threads) + " but can be at most " +
         std::to_string(machine.team_size_max);
}

double secondsOfFormTiles(const Work& work, const Machine& machine) {
  const FormTilePlan plan = formTilePlan(work, machine, {});
  const double products = plan.products * double(work.form.shape.cells);
  // Of an H200; others are taken to differ as the bandwidths of their memories do.
  constexpr double h200 = 4.2e12;
  const double of_double = 6e12 * machine.bytes_per_second / h200;
  const double rate = machine.is_host ? 0.5 * machine.concurrency * machine.flops_per_second
                                      : (work.scalar_bytes[0] == 4 ? 1.6 : 1.0) * of_double;
  const double start = machine.is_host ? 0 : 5e-6;
  return machine.launch_seconds + start +
         std::max(products / rate, work.bytes / machine.bytes_per_second);
}

}  // namespace Impl
}  // namespace Kontract
