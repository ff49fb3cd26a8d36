// SPDX-License-Identifier: BSD-3-Clause
//
// Pointwise operations as runs of points or cells.
#ifndef KONTRACT_HOSTPOINTWISE_IPP
#define KONTRACT_HOSTPOINTWISE_IPP

#include "Kontract_HostPointwiseLeft.ipp"
#include "detail/kernels/host_simd/common/Kontract_HostOutputStream.ipp"

/// How many items come before the first whose output is aligned to vectors.
/// \return negative if none ever is
template <class S>
KONTRACT_INLINE std::int64_t headOf(const typename S::Real* out, int outs) {
  const std::uintptr_t at = reinterpret_cast<std::uintptr_t>(out);
  for (int i = 0; i < vector_bytes / int(sizeof(typename S::Real)); ++i) {
    if ((at + std::uintptr_t(i * outs * S::scalar_bytes)) % vector_bytes == 0) return i;
  }
  return -1;
}

/// Pointwise outputs that are collected.
template <class Real>
using PointwiseStream = OutputStream<Real, pointwise_collected_bytes>;

/// Computes items that are contiguous in out and right. Where there is a stream, it takes outputs
/// that are never aligned, or too short for non-temporal stores of their own.
template <class S>
KONTRACT_INLINE void computeItems(const PointwisePlan<S>& plan, PointwiseRun<typename S::Real>& run,
                                  std::int64_t items, PointwiseStream<typename S::Real>* stream) {
  using Real = typename S::Real;
  Real* const out = run.out;
  const Real* const right = run.right;
  const std::int64_t bytes = items * plan.outs * S::scalar_bytes;
  run.phase = 0;
  run.items = items;
  if (stream != nullptr) {
    if (plan.is_copy && bytes > 1024) {
      copyNonTemporal(out, right, items * S::reals);
      return;
    }
    run.head = headOf<S>(out, plan.outs);
    run.stream = (run.head == 0 && bytes % vector_bytes == 0 && items % S::simd_width == 0) ||
                 (run.head >= 0 && bytes >= least_non_temporal_bytes);
  }
  if (stream == nullptr || run.stream) {
    plan.kernel(run);
    return;
  }
  const std::int64_t most =
      roundUp(pointwise_collected_bytes / (plan.outs * S::scalar_bytes), S::simd_width);
  for (std::int64_t item = 0; item < items; item += most) {
    run.items = items - item < most ? items - item : most;
    run.right = right + item * plan.rights * S::reals;
    stream->moveTo(out + item * plan.outs * S::reals);
    run.out = stream->place();
    plan.kernel(run);
    stream->pass(run.items * plan.outs * S::reals);
    run.phase += run.items * S::reals;
    while (run.phase >= run.period) run.phase -= run.period;
  }
}

/// Tensors of neighbouring points are contiguous: runs of points, cell by cell. Where fields are
/// contiguous too, a run goes through all of them, and through the left side again and again.
template <class S>
void multiplyPoints(const HostPointwise<typename S::Real>& p, const PointwisePlan<S>& plan,
                    typename S::Real* workspace) {
  using Real = typename S::Real;
  const LeftSide<S> left(p, plan, workspace);
  PointwiseStream<Real> collected(workspace + lefts_bytes / int(sizeof(Real)));
  PointwiseStream<Real>* const stream = p.stream ? &collected : nullptr;
  PointwiseRun<Real> run;
  run.stream = false;
  run.right_step = 1;
  run.right_at[0] = run.out_at[0] = 0;
  // A work item is an element, or a point with its tensor.
  const bool by_elements = plan.loop_order == LoopOrder::Elements;
  const std::int64_t tensor = by_elements ? p.rows * p.columns : 1;
  std::int64_t chunk = (plane_bytes - 64) / S::scalar_bytes;
  if (by_elements) {
    chunk = chunk_bytes / (tensor * S::scalar_bytes);
    if (chunk > 32) chunk = chunk / 32 * 32;
  }
  const bool wraps = p.fields > 1 && p.points <= chunk &&
                     p.out_of.field == p.points * tensor * plan.outs &&
                     p.right_of.field == p.points * tensor * plan.rights;
  const std::int64_t fields = wraps ? 1 : p.fields, in_run = wraps ? p.fields : 1;
  if (plan.is_copy && !wraps) chunk = p.points;
  // Left and right sides that are used once should take turns in small portions.
  if (!by_elements && p.fields == 1) chunk = 32;
  run.prefetch_distance = p.right_of.cell == 0 ? 0 : prefetch_bytes / int(sizeof(Real));
  for (std::int64_t cell = 0; cell < p.cells; ++cell) {
    for (std::int64_t point = 0; point < p.points; point += chunk) {
      const std::int64_t points = p.points - point < chunk ? p.points - point : chunk;
      left.prepare(p.left + (cell * p.left_of.cell + point * p.left_of.point) * S::reals, points,
                   wraps, run);
      for (std::int64_t field = 0; field < fields; ++field) {
        run.right = p.right + S::reals * (cell * p.right_of.cell + point * p.right_of.point +
                                          field * p.right_of.field);
        run.out = p.out + S::reals * (cell * p.out_of.cell + point * p.out_of.point +
                                      field * p.out_of.field);
        computeItems<S>(plan, run, points * tensor * in_run, stream);
      }
    }
  }
  collected.finish();
}

/// Tensors that a run of cells takes at once: all of a tensor, or one element.
template <class S>
struct RunTensors {
  std::int64_t rows, columns;  ///< of runs for each point
  RunTensors(const HostPointwise<typename S::Real>& p, const PointwisePlan<S>& plan)
      : rows(plan.by_element ? p.rows : 1), columns(plan.by_element ? p.columns : 1) {}
};

/// What all runs of cells have in common.
template <class S>
KONTRACT_INLINE PointwiseRun<typename S::Real> runOfCells(const HostPointwise<typename S::Real>& p,
                                                          const PointwisePlan<S>& plan,
                                                          const RunTensors<S>& tensors) {
  using Real = typename S::Real;
  const auto isAligned = [](std::int64_t reals) {
    return reals * int(sizeof(Real)) % vector_bytes == 0;
  };
  PointwiseRun<Real> run;
  run.period = no_period;
  run.phase = run.head = 0;
  run.right_step = p.right_of.cell;
  run.prefetch_distance = 0;
  run.stream = p.stream && reinterpret_cast<std::uintptr_t>(p.out) % vector_bytes == 0 &&
               (p.points == 1 || isAligned(p.out_of.point * S::reals)) &&
               (p.fields == 1 || isAligned(p.out_of.field * S::reals)) &&
               (tensors.rows == 1 || isAligned(p.out_of.row * S::reals)) &&
               (tensors.columns == 1 || isAligned(p.out_of.column * S::reals));
  for (int i = 0; i < plan.outs; ++i) {
    run.out_at[i] = plan.out_at[i] * S::reals;
    run.stream = run.stream && isAligned(run.out_at[i]);
  }
  for (int i = 0; i < plan.lefts; ++i) run.left_at[i] = plan.left_at[i] * S::reals;
  for (int i = 0; i < plan.rights; ++i) {
    run.right_at[i] = p.right_of.cell == 0 ? i * S::vector_reals : plan.right_at[i] * S::reals;
  }
  return run;
}

/// Interleaved cells: runs of cells, point by point and field by field.
template <class S>
void multiplyInterleaved(const HostPointwise<typename S::Real>& p, const PointwisePlan<S>& plan,
                         typename S::Real* workspace) {
  using Real = typename S::Real;
  const RunTensors<S> tensors(p, plan);
  PointwiseRun<Real> run = runOfCells<S>(p, plan, tensors);
  const auto runAt = [&](const std::int64_t(&at)[5]) KONTRACT_INLINE_LAMBDA {
    const auto start = [&](const typename HostPointwise<Real>::Strides& of) {
      return (at[0] * of.cell + at[1] * of.point + at[2] * of.field + at[3] * of.row +
              at[4] * of.column) *
             S::reals;
    };
    run.out = p.out + start(p.out_of);
    run.left = p.left + start(p.left_of);
    run.right = p.right + start(p.right_of);
    if (p.right_of.cell == 0) {
      for (int k = 0; k < plan.rights; ++k) {
        LeftSide<S>::repeat(run.right + plan.right_at[k] * S::reals, workspace + run.right_at[k]);
      }
      run.right = workspace;
    }
    plan.kernel(run);
  };
  // Long runs, but their left side should stay in cache while fields pass by.
  const std::int64_t fitting = left_cells_bytes / (plan.lefts * S::scalar_bytes) / 64 * 64;
  const std::int64_t at_once = fitting > 256 ? fitting : 256;
  for (std::int64_t cell = 0; cell < p.cells; cell += at_once) {
    run.items = p.cells - cell < at_once ? p.cells - cell : at_once;
    for (std::int64_t point = 0; point < p.points; ++point) {
      for (std::int64_t field = 0; field < p.fields; ++field) {
        for (std::int64_t i = 0; i < tensors.rows; ++i) {
          for (std::int64_t j = 0; j < tensors.columns; ++j) runAt({cell, point, field, i, j});
        }
      }
    }
  }
}

template <class S>
std::int64_t multiplyWorkspace(const HostPointwise<typename S::Real>& p) {
  const PointwisePlan<S> plan(p);
  return plan.loop_order == LoopOrder::None
             ? -1
             : lefts_bytes + 2 * pointwise_collected_bytes + 2 * chunk_bytes;
}

/// Cells whose points follow one another are more points.
template <class Real>
void mergeCells(HostPointwise<Real>& p) {
  const auto follow = [&](const typename HostPointwise<Real>::Strides& of) {
    return of.cell == of.point * p.points;
  };
  const bool is_copy = p.operation == HostOperation::Copy;
  if (p.fields == 1 && p.points > 1 && follow(p.out_of) && follow(p.right_of) &&
      (is_copy || follow(p.left_of))) {
    p.points *= p.cells;
    p.cells = 1;
  }
}

template <class S>
void multiply(const HostPointwise<typename S::Real>& given, std::int64_t first, std::int64_t last,
              void* workspace) {
  using Real = typename S::Real;
  HostPointwise<Real> p = given;
  p.out += first * p.out_of.cell * S::reals;
  p.left += first * p.left_of.cell * S::reals;
  p.right += first * p.right_of.cell * S::reals;
  const PointwisePlan<S> plan(p);
  p.cells = last - first;
  Real* const space = static_cast<Real*>(workspace);
  if (plan.loop_order == LoopOrder::Cells) {
    multiplyInterleaved<S>(p, plan, space);
  } else {
    mergeCells(p);
    multiplyPoints<S>(p, plan, space);
  }
  finishNonTemporal();
}

#endif
