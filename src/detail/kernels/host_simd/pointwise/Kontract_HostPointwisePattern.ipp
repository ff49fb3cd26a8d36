// SPDX-License-Identifier: BSD-3-Clause
//
// Runs through small cells as through one row. Which scalars of a cell's left side a vector of
// items takes repeats after as many cells as fill whole vectors; it is found once for all of them.
#ifndef KONTRACT_HOSTPOINTWISEPATTERN_IPP
#define KONTRACT_HOSTPOINTWISEPATTERN_IPP

#include "Kontract_HostPointwiseLeft.ipp"
#include "detail/kernels/host_simd/common/Kontract_HostOutputStream.ipp"

/// Pointwise outputs that are collected.
template <class Real>
using PointwiseStream = OutputStream<Real, pointwise_collected_bytes>;

/// What that takes of the workspace.
constexpr std::int64_t collecting_bytes =
    2 * pointwise_collected_bytes + (most_components + 2) * 64;

/// How often a problem's items repeat, and whether that is worth it.
template <class S>
struct PointwisePeriod {
  using Problem = HostPointwise<typename S::Real>;
  static constexpr std::int64_t most_vectors = 192, most_vectors_of_tensors = 24;
  static constexpr std::int64_t table_bytes =
      most_vectors * std::int64_t(sizeof(LeftLanes<typename S::Real>));

  std::int64_t in_cell;         ///< items
  std::int64_t cells, vectors;  ///< of a period
  bool applies;

  PointwisePeriod(const Problem& p, const PointwisePlan<S>& plan)
      : in_cell(p.fields * p.points * plan.tensor), cells(1) {
    while (cells < S::simd_width && cells * in_cell % S::simd_width != 0) cells *= 2;
    vectors = cells * in_cell / S::simd_width;
    const auto follow = [&](const typename Problem::Strides& of, int components) {
      const std::int64_t points = p.points * plan.tensor * components;
      return (p.fields == 1 || of.field == points) && of.cell == in_cell * components;
    };
    typename Problem::Strides in_cell_of_right = p.right_of;
    if (p.right_of.cell == 0) in_cell_of_right.cell = in_cell * plan.rights;
    // A table takes longer than some periods.
    const bool are_many = p.cells >= 4 * cells && vectors <= most_vectors;
    // Every vector has its left side permuted; long rows of points share what they make of it.
    const bool is_short = plan.lefts == 1 ? p.points * plan.tensor < 4 * S::simd_width
                                          : p.points < 2 * S::simd_width &&
                                                in_cell < most_vectors_of_tensors * S::simd_width;
    applies = plan.pattern_kernel != nullptr && are_many && is_short && plan.is_right_dense &&
              plan.is_out_dense && follow(p.out_of, plan.outs) &&
              follow(in_cell_of_right, plan.rights) &&
              cells * p.points * plan.tensor * S::scalar_bytes <= plane_bytes - vector_bytes &&
              (in_cell + S::simd_width) * plan.rights * S::scalar_bytes <= block_bytes;
  }
};

/// The table of one period.
/// \param repeats_right  the right side is the same for all cells
/// \return false if two vectors do not hold what a vector takes
template <class S>
bool makePattern(const HostPointwise<typename S::Real>& p, const PointwisePlan<S>& plan,
                 const PointwisePeriod<S>& period, const CellRow& row,
                 LeftLanes<typename S::Real>* table) {
  std::int64_t element = 0, point = 0, field = 0, cell = 0, in_cell = 0;
  for (std::int64_t v = 0; v < period.vectors; ++v) {
    std::int64_t from[S::vector_reals];
    const std::int64_t first = p.right_of.cell == 0 ? in_cell : v * S::simd_width;
    for (int lane = 0; lane < S::simd_width; ++lane) {
      const std::int64_t scalar = cell * row.points * row.elements +
                                  (row.points == 1 ? 0 : point) * row.elements +
                                  (row.elements == 1 ? 0 : element);
      for (int part = 0; part < S::reals; ++part) {
        from[lane * S::reals + part] = scalar * S::reals + part;
      }
      ++in_cell;
      if (++element < plan.tensor) continue;
      element = 0;
      if (++point < p.points) continue;
      point = 0;
      if (++field < p.fields) continue;
      field = in_cell = 0;
      ++cell;
    }
    if (!table[v].set(from)) return false;
    table[v].right = first * plan.rights * S::reals;
  }
  return true;
}

/// Whole periods of some problem's cells, block by block.
template <class S>
class PointwisePeriods {
 public:
  using Real = typename S::Real;
  static constexpr std::int64_t bytes =
      lefts_bytes + collecting_bytes + block_bytes + vector_bytes + PointwisePeriod<S>::table_bytes;

  PointwisePeriods(const HostPointwise<Real>& problem, const PointwisePlan<S>& how, Real* workspace)
      : p(problem),
        plan(how),
        period(p, plan),
        left(p, plan, workspace),
        row(left.cellRow(!left.is_uniform)),
        collected(workspace + lefts_bytes / real) {
    space = workspace;
    right_space = workspace + (lefts_bytes + collecting_bytes) / real;
    table = reinterpret_cast<LeftLanes<Real>*>(right_space + (block_bytes + vector_bytes) / real);
  }

  /// \return how many cells that were
  std::int64_t multiply() {
    if (!period.applies || !makePattern(p, plan, period, row, table)) return 0;
    const bool is_repeated = p.right_of.cell == 0;
    if (is_repeated) repeatRight();
    const std::int64_t row_bytes = period.cells * row.points * row.elements * S::scalar_bytes;
    const std::int64_t out_bytes = period.vectors * plan.outs * S::width;
    const std::int64_t fitting = (plane_bytes - vector_bytes) / row_bytes;
    const std::int64_t wanted = (block_out_bytes + out_bytes - 1) / out_bytes;
    const std::int64_t at_once = fitting < wanted ? fitting : wanted;
    const std::int64_t periods = p.cells / period.cells;
    PointwiseRun<Real> run;
    run.pattern = table;
    run.vectors_of_period = period.vectors;
    run.left_of_period = row_bytes / real;
    run.right_of_period = is_repeated ? 0 : period.vectors * plan.rights * S::vector_reals;
    run.prefetch_distance = is_repeated ? 0 : prefetch_bytes / real;
    const bool is_aligned = reinterpret_cast<std::uintptr_t>(p.out) % vector_bytes == 0;
    run.stream = p.stream && is_aligned;
    for (std::int64_t first = 0; first < periods; first += at_once) {
      const std::int64_t cell = first * period.cells;
      const std::int64_t count = periods - first < at_once ? periods - first : at_once;
      if (plan.has_left)
        left.compact(p.left + cell * p.left_of.cell * S::reals, count * period.cells, row, space);
      run.left = space;
      run.right = is_repeated ? right_space : p.right + cell * p.right_of.cell * S::reals;
      run.out = p.out + cell * p.out_of.cell * S::reals;
      run.phase = 0;
      run.items = count * period.vectors;
      if (p.stream && !is_aligned) {
        collect(run);
      } else {
        plan.pattern_kernel(run);
      }
    }
    collected.finish();
    return periods * period.cells;
  }

 private:
  static constexpr int real = sizeof(Real);
  static constexpr std::int64_t block_out_bytes = 4096;

  /// One cell, which goes on from its beginning for a vector of items.
  void repeatRight() {
    const std::int64_t length = period.in_cell * plan.rights * S::reals;
    const std::int64_t more = plan.rights * S::vector_reals;
    for (std::int64_t k = 0, from = 0; k < length + more; ++k) {
      right_space[k] = p.right[from];
      if (++from == length) from = 0;
    }
  }

  /// Outputs that are not aligned to vectors are collected.
  void collect(PointwiseRun<Real> run) {
    const std::int64_t vectors = run.items, vector = plan.outs * S::vector_reals;
    const std::int64_t most = roundUp(pointwise_collected_bytes, vector * real) / (vector * real);
    collected.moveTo(run.out);
    for (std::int64_t v = 0; v < vectors; v += most) {
      run.items = vectors - v < most ? vectors - v : most;
      run.out = collected.place();
      plan.pattern_kernel(run);
      collected.pass(run.items * vector);
      run.phase += run.items;
      for (; run.phase >= period.vectors; run.phase -= period.vectors) {
        run.left += run.left_of_period;
        run.right += run.right_of_period;
      }
    }
  }

  const HostPointwise<Real>& p;
  const PointwisePlan<S>& plan;
  const PointwisePeriod<S> period;
  const LeftSide<S> left;
  const CellRow row;
  PointwiseStream<Real> collected;
  Real *space, *right_space;
  LeftLanes<Real>* table;
};

#endif
