// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_FormFluxPlan.hpp"

#include <algorithm>
#include <cmath>

#include "Kontract_FormTilePlan.hpp"

namespace Kontract {
namespace Impl {
namespace {

constexpr int fields = FormFluxSizes::register_fields, warp = 32;

/// Numbers of scratch memory, such that another array may follow.
std::int64_t aligned(std::int64_t numbers) { return (numbers + 3) / 4 * 4; }

/// Lays scratch memory out for so many points.
/// \return the numbers that it takes
std::int64_t layOut(const FormShape& s, FormFluxSizes& sizes) {
  const std::int64_t padded = std::int64_t(sizes.field_tiles) * fields;
  const std::int64_t unknowns = s.kind == FormKind::Products ? s.rights * s.right_blocks : 0;
  std::int64_t next = aligned(s.nodes * s.dimension * sizes.cells);
  const auto take = [&](int& at, std::int64_t numbers) {
    at = static_cast<int>(next);
    next += aligned(numbers);
  };
  take(sizes.vector_at, unknowns * sizes.cell_step);
  take(sizes.left_at, s.left_components * padded * sizes.value_points);
  take(sizes.right_at, unknowns > 0 ? s.right_components * s.rights * sizes.value_points : 0);
  take(sizes.gradients_at, s.nodes > 0 ? (s.nodes * s.dimension | 1) * sizes.value_points : 0);
  const std::int64_t fluxes =
      std::int64_t(s.left_components) * s.left_blocks * sizes.points * sizes.cell_step;
  const std::int64_t staged = sizes.cells * (std::int64_t(sizes.tiles) * fields | 1);
  take(sizes.fluxes_at, std::max(fluxes, staged));
  return next;
}

/// Sets how many points are in scratch memory at a time: values of all, if they leave room for the
/// fluxes of a few; chunks of fluxes are of the same size.
/// \return whether one point fits
bool setPoints(const FormShape& s, std::int64_t numbers, FormFluxSizes& sizes) {
  const int all = static_cast<int>(std::max<std::int64_t>(1, s.points));
  const int few = std::min(all, 4);
  const auto fits = [&](int value_points, int points) {
    sizes.value_points = value_points;
    sizes.points = points;
    return layOut(s, sizes) <= numbers;
  };
  const bool keeps_values = fits(all, few);
  const auto has_room = [&](int points) { return fits(keeps_values ? all : points, points); };
  int most = 0;
  for (int chunks = 1; most == 0 && chunks <= all; ++chunks) {
    const int points = static_cast<int>(partsOf(all, chunks));
    if (has_room(points)) most = points;
  }
  return most > 0;
}

/// A power of two, for as many items or the most that there are.
int lanesOf(std::int64_t items, int most) {
  int lanes = 1;
  while (lanes < items && 2 * lanes <= most) lanes *= 2;
  return lanes;
}

/// Bytes that a team may take: a third of a multiprocessor's memory leaves some to caches; what
/// does not fit has all.
struct TeamBytes {
  std::int64_t some, all;
};
TeamBytes bytesOfTeam(const Machine& machine) {
  constexpr std::int64_t most_of_kokkos = 46 << 10, reserve = 1 << 10;
  const std::int64_t of_block = machine.block_shared_bytes;
  if (of_block > 0) return {of_block / 3 - reserve, of_block - reserve};
  const std::int64_t bytes = std::min(most_of_kokkos, machine.scratch_bytes[0] - reserve);
  return {bytes, bytes};
}

/// Cells of a team where none are asked for: warps of them, as long as all tiles have a thread
/// each.
int openCells(const Machine& machine, int threads, int tiles) {
  if (machine.is_host) return 1;
  const int warps = std::max(1, threads / warp);
  return tiles > warps ? std::max(1, threads / tiles) : warp * (warps / std::max(1, tiles));
}

/// Sets how many cells a team has, if that fits so many numbers.
void setCells(const FormShape& s, int asked, int open, std::int64_t numbers, FormFluxPlan& plan) {
  const auto set = [&](int cells) {
    plan.sizes.cells = cells;
    plan.sizes.cell_step = cells | 1;
    plan.fits = setPoints(s, numbers, plan.sizes);
  };
  set(asked > 0 ? asked : open);
  while (asked == 0 && !plan.fits && plan.sizes.cells > 1) set((plan.sizes.cells + 1) / 2);
}

}  // namespace

FormFluxPlan formFluxPlan(const Work& work, const Machine& machine, const LaunchSettings& launch) {
  const FormShape& s = work.form.shape;
  FormFluxPlan plan;
  FormFluxSizes& sizes = plan.sizes;
  sizes.field_tiles = static_cast<int>(partsOf(s.lefts, fields));
  sizes.tiles = sizes.field_tiles * s.left_blocks;
  constexpr int few_tiles = 2;
  const int open_threads = machine.is_host            ? 1
                           : sizes.tiles <= few_tiles ? form_flux_threads / 2
                                                      : form_flux_threads;
  plan.teams.threads = launch.team_size > 0 ? launch.team_size : open_threads;
  const int open_cells = openCells(machine, plan.teams.threads, sizes.tiles);
  const TeamBytes bytes = bytesOfTeam(machine);
  for (const std::int64_t most : {bytes.some, bytes.all}) {
    setCells(s, launch.cells_per_team, open_cells, most / work.scalar_bytes[0], plan);
    if (plan.fits) break;
  }
  if (!plan.fits) return plan;
  sizes.by_cells = FastDivisor(sizes.cells);
  const int most_lanes = std::min(warp, plan.teams.threads);
  // Where a Jacobian is for all points of a cell, a worker computes the geometry of its points
  // once.
  const bool has_jacobians = s.has_mapping && s.nodes == 0 && !s.has_one_jacobian;
  if (has_jacobians && !s.cell_fastest_mapping) {
    sizes.point_lanes = lanesOf(sizes.points, most_lanes);
  }
  sizes.row_lanes = lanesOf(s.lefts * s.left_blocks, most_lanes);
  plan.teams.scratch_bytes = scratchBytes(layOut(s, sizes), work.scalar_bytes[0]);
  return plan;
}

std::string whyNotFormFluxes(const Work& work, const Machine& machine,
                             const LaunchSettings& launch) {
  const FormShape& s = work.form.shape;
  if (s.kind != FormKind::Vectors && s.kind != FormKind::Products) {
    return "of forms it is for matrices, vectors and products with vectors";
  }
  const std::string why = whyNotFormOfReference(s);
  if (!why.empty()) return why;
  const FormFluxPlan plan = formFluxPlan(work, machine, launch);
  if (!plan.fits) {
    return "teams of " + std::to_string(plan.sizes.cells) +
           (plan.sizes.cells == 1 ? " cell" : " cells") + " do not fit scratch memory of " +
           std::to_string(bytesOfTeam(machine).all) + " bytes";
  }
  const int most = machine.is_host ? machine.team_size_max : form_flux_threads;
  if (plan.teams.threads <= most) return {};
  return "Team Size is " + std::to_string(plan.teams.threads) + " but can be at most " +
         std::to_string(most);
}

namespace {

/// Numbers that the geometry of a point comes from.
double mappingOfPoint(const FormShape& s) {
  const double entries = double(s.dimension) * s.dimension;
  return s.nodes > 0 ? double(s.nodes) * s.dimension : s.has_mapping ? entries : 0;
}

}  // namespace

double secondsOfFormFluxes(const Work& work, const Machine& machine) {
  const FormShape& s = work.form.shape;
  if (machine.is_host) {
    constexpr double anew = 4;  // teams of one thread
    return machine.launch_seconds +
           anew * work.flops / (machine.concurrency * machine.flops_per_second);
  }
  // Nanoseconds of an H200, fitted to 180 loads and products by chance (Kontract_measureRandomForms
  // 90 1e9 0.003 1 vectors): of a point of a term, of a product of the right side there, of a tile
  // of the left one, of a node's or a Jacobian's number, of an output, and of a cell besides.
  constexpr double point = 0.0088, right = 0.00044, tile = 0.0023, of_node = 0.0014,
                   of_jacobian = 0.0022, output = 0.0174, cell = 0.021;
  const double points = double(s.points);
  // Of simplices and other affine cells the geometry of a cell is computed once.
  const double mapped_points = s.nodes == s.dimension + 1 || s.has_one_jacobian ? 1 : points;
  const double rights = double(s.rights) * s.right_components * s.right_blocks;
  const double tiles = double(partsOf(s.lefts, fields)) * s.left_components * s.left_blocks;
  const double mapping = mapped_points * mappingOfPoint(s) * (s.nodes > 0 ? of_node : of_jacobian);
  const double fluxes = points * (point * s.term_count + right * rights) + mapping;
  // Teams whose tiles are more than threads compute fluxes again; those with little at a time idle.
  const FormFluxPlan plan = formFluxPlan(work, machine, {});
  const double cells = double(plan.sizes.cells), threads = double(plan.teams.threads);
  const double rounds = std::ceil(cells * plan.sizes.tiles / threads);
  const double idle = std::max(1.0, threads / (cells * plan.sizes.points));
  // Values of tensor-product bases are computed anew by each team.
  const double anew = s.has_tensor_bases_alone ? 8 : 1;
  const double sums = points * tile * tiles + output * double(s.lefts) * s.left_blocks + cell;
  return secondsOfDeviceForm(work, machine, anew * rounds * idle * fluxes + sums);
}

double secondsOfFlatVectors(const Work& work, const Machine& machine) {
  const FormShape& s = work.form.shape;
  const double rows = double(s.lefts) * s.left_blocks, points = double(s.points);
  const double lefts = rows * s.left_components;
  const double rights = double(s.rights) * s.right_components * s.right_blocks;
  // Fitted to the same loads and products.
  if (s.kind == FormKind::Vectors) {
    constexpr double left = 0.0027, of_node = 0.0042, of_jacobian = 0.002, cell = 0.005;
    const double mapping = mappingOfPoint(s) * (s.nodes > 0 ? of_node : of_jacobian);
    return secondsOfDeviceForm(work, machine, points * (left * lefts + mapping) + cell);
  }
  constexpr double right = 0.00245, far = 0.00122, of_node = 0.002, of_jacobian = 0.0028,
                   output = 0.0075;
  const double of_point = right * rights + (s.cell_fastest ? 0 : far * (rights + lefts)) +
                          mappingOfPoint(s) * (s.nodes > 0 ? of_node : of_jacobian);
  // Sums that do not grow in the output wait in registers, those of a few rows at a time.
  constexpr double rows_at_once = 32;
  const double rounds = s.is_scattered ? std::ceil(rows / rows_at_once) : 1;
  return secondsOfDeviceForm(work, machine, rounds * points * of_point + output * rows);
}

}  // namespace Impl
}  // namespace Kontract
