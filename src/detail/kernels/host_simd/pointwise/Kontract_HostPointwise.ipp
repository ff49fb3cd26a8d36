// SPDX-License-Identifier: BSD-3-Clause
//
// Pointwise operations as runs of points or cells.
#ifndef KONTRACT_HOSTPOINTWISE_IPP
#define KONTRACT_HOSTPOINTWISE_IPP

#include "Kontract_HostPointwiseCells.ipp"

/// How many items come before the first whose output begins a line.
/// \return negative if none does
template <class S>
KONTRACT_INLINE std::int64_t headOf(const typename S::Real* out, int outs) {
  const std::uintptr_t at = reinterpret_cast<std::uintptr_t>(out);
  for (int i = 0; i < 64 / int(sizeof(typename S::Real)); ++i) {
    if ((at + std::uintptr_t(i * outs * S::scalar_bytes)) % 64 == 0) return i;
  }
  return -1;
}

/// Items that are contiguous in out and right, part by part.
template <class S>
struct ItemParts {
  using Real = typename S::Real;
  const PointwisePlan<S>& plan;
  PointwiseRun<Real> run;
  PointwiseStream<Real>* stream;
  const Real* const right;
  Real* const out;

  ItemParts(const PointwisePlan<S>& how, const PointwiseRun<Real>& all, PointwiseStream<Real>* to)
      : plan(how), run(all), stream(to), right(all.right), out(all.out) {}

  /// Straight to memory: whole vectors from the beginning of a line on.
  void write(std::int64_t first, std::int64_t last) {
    if (first == last) return;
    moveTo(first, last - first);
    run.out = out + first * plan.outs * S::reals;
    run.stream = true;
    plan.kernel(run);
  }
  /// What comes before that, or after: of long parts through the caches, as it is little.
  void writeEdge(std::int64_t first, std::int64_t last, bool is_long) {
    if (!is_long) return collect(first, last);
    if (first == last) return;
    moveTo(first, last - first);
    run.out = out + first * plan.outs * S::reals;
    run.stream = false;
    plan.kernel(run);
  }
  void collect(std::int64_t first, std::int64_t last) {
    const std::int64_t most =
        roundUp(pointwise_collected_bytes / (plan.outs * S::scalar_bytes), S::simd_width);
    run.stream = false;
    for (std::int64_t item = first; item < last; item += most) {
      moveTo(item, last - item < most ? last - item : most);
      stream->moveTo(out + item * plan.outs * S::reals);
      run.out = stream->place();
      plan.kernel(run);
      stream->pass(run.items * plan.outs * S::reals);
    }
  }

 private:
  void moveTo(std::int64_t item, std::int64_t items) {
    run.right = right + item * plan.rights * S::reals;
    run.phase = item * S::reals % run.period;
    run.items = items;
  }
};

constexpr std::int64_t elements_bytes = 4096;  ///< of a block's largest array, by elements
static_assert(elements_bytes + 64 <= lefts_bytes && elements_bytes <= block_bytes,
              "the workspace has room for blocks by elements");
constexpr std::int64_t least_copied_bytes = 1024;  ///< that are not worth a kernel

/// Computes items that are contiguous in out and right. Where there is a stream, it takes lines
/// that are not filled yet, and all of what is short: a line that is stored in part would be read
/// first.
template <class S>
KONTRACT_INLINE void computeItems(const PointwisePlan<S>& plan, PointwiseRun<typename S::Real>& run,
                                  std::int64_t items, PointwiseStream<typename S::Real>* stream) {
  const std::int64_t bytes = items * plan.outs * S::scalar_bytes;
  run.phase = 0;
  run.items = items;
  if (stream == nullptr) {
    plan.kernel(run);
    return;
  }
  if (plan.is_copy && bytes >= least_copied_bytes) {
    copyNonTemporal(run.out, run.right, items * S::reals);
    return;
  }
  ItemParts<S> parts(plan, run, stream);
  const std::int64_t head = headOf<S>(run.out, plan.outs);
  const bool is_whole = head == 0 && bytes % 64 == 0 && items % S::simd_width == 0;
  if (!is_whole && (head < 0 || head > items || bytes < least_non_temporal_bytes)) {
    parts.collect(0, items);
    return;
  }
  const std::int64_t end = items - (items - head) % S::simd_width;
  const bool is_long = bytes >= least_long_bytes;
  parts.writeEdge(0, head, is_long);
  parts.write(head, end);
  parts.writeEdge(end, items, is_long);
}

/// Into what blocks a problem is cut: several small cells, or of one cell all fields or one field,
/// and as many points as the left side's copy has room for.
template <class S>
struct PointwiseBlocks {
  using Problem = HostPointwise<typename S::Real>;
  PointwiseBlock block;
  bool is_right_there, is_out_there;  ///< where a run finds or leaves it: not in a copy

  PointwiseBlocks(const Problem& p, const PointwisePlan<S>& plan)
      : block{1, 1, p.points},
        is_right_there(plan.is_right_dense),
        is_out_there(plan.is_out_dense) {
    const bool by_elements = plan.loop_order == LoopOrder::Elements;
    const std::int64_t rights = plan.tensor * plan.rights, outs = plan.tensor * plan.outs;
    std::int64_t most = mostItems(plan);
    const bool has_fields = follow(p.fields, p.right_of.field, p.points * rights) &&
                            follow(p.fields, p.out_of.field, p.points * outs);
    const std::int64_t in_cell = p.fields * p.points;
    // A cell's left side serves all of its fields; that of several cells is copied for each item.
    const bool is_small = in_cell < 8 * S::simd_width || !(is_right_there && is_out_there);
    if (p.cells > 1 && is_small && 2 * in_cell <= most) {
      block = {most / in_cell < p.cells ? most / in_cell : p.cells, p.fields, p.points};
      if (block.cells > 16) block.cells = block.cells / 16 * 16;  // in whole lines
      is_right_there = is_right_there && has_fields && p.right_of.cell == in_cell * rights;
      is_out_there = is_out_there && has_fields && p.out_of.cell == in_cell * outs;
      return;
    }
    const bool is_there = is_right_there && is_out_there;
    if (p.fields > 1 && p.points <= most && (has_fields || !is_there)) {
      block.fields = is_there || in_cell <= most ? p.fields : most / p.points;
      is_right_there = is_right_there && has_fields;
      is_out_there = is_out_there && has_fields;
      return;
    }
    if (!plan.has_left && is_there) return;
    // Left and right sides that are used once should take turns in small portions.
    if (!by_elements && p.fields == 1 && is_there) most = 64;
    block.points = most < p.points ? most : p.points;
  }

 private:
  /// What is read of the left side and what is computed take turns in small portions.
  static std::int64_t mostItems(const PointwisePlan<S>& plan) {
    // Elements of tensors have one left scalar each, so that one plane takes the room of all.
    const std::int64_t room =
        plan.loop_order == LoopOrder::Elements ? elements_bytes : plane_bytes - vector_bytes;
    const std::int64_t most = room / (plan.tensor * S::scalar_bytes);
    return most > 32 ? most / 32 * 32 : most;
  }

  static bool follow(std::int64_t extent, std::int64_t stride, std::int64_t inner) {
    return extent == 1 || stride == inner;
  }
};

/// The right side of blocks: where it is, or copied in the order of items.
template <class S>
struct RightSide {
  using Real = typename S::Real;
  const HostPointwise<Real>& p;
  const TensorPlaces places;
  Real* space;
  bool is_there, is_repeated;

  RightSide(const HostPointwise<Real>& problem, const PointwisePlan<S>& plan,
            const PointwiseBlocks<S>& blocks, Real* to)
      : p(problem),
        places(plan.rightPlaces(problem)),
        space(to),
        is_there(blocks.is_right_there),
        is_repeated(p.right_of.cell == 0 && blocks.block.cells > 1) {
    if (!is_repeated) return;
    // The same for all blocks: one cell, and then copies of it.
    const PointwiseBlock cell{1, p.fields, p.points};
    const std::int64_t row = cell.items() * places.components * S::reals;
    gatherTensors<S>(p.right, places, cell, space);
    replicateRows<S>(space, 1, row, blocks.block.cells - 1, space + row);
  }

  /// \param right  where the block begins
  KONTRACT_INLINE const Real* prepare(const Real* right, const PointwiseBlock& block) const {
    if (is_repeated) return space;
    if (is_there) return right;
    gatherTensors<S>(right, places, block, space);
    return space;
  }
};

/// Runs over blocks of items whose tensors are contiguous, or are copied so.
template <class S>
void multiplyPoints(const HostPointwise<typename S::Real>& p, const PointwisePlan<S>& plan,
                    typename S::Real* workspace) {
  using Real = typename S::Real;
  constexpr int real = sizeof(Real);
  const PointwiseBlocks<S> blocks(p, plan);
  const LeftSide<S> left(p, plan, workspace);
  workspace += 2 * lefts_bytes / real;
  PointwiseStream<Real> collected(workspace);
  PointwiseStream<Real>* const stream = p.stream && blocks.is_out_there ? &collected : nullptr;
  workspace += collecting_bytes / real;
  const RightSide<S> right(p, plan, blocks, workspace);
  Real* const out_space = workspace + (block_bytes + vector_bytes) / real;
  PointwiseRun<Real> run;
  run.stream = false;
  run.right_step = 1;
  run.right_at[0] = run.out_at[0] = 0;
  run.prefetch_distance =
      p.right_of.cell == 0 || !right.is_there ? 0 : prefetch_bytes / int(sizeof(Real));
  const auto rest = [](std::int64_t all, std::int64_t first, std::int64_t most) {
    return all - first < most ? all - first : most;
  };
  const PointwiseBlock& most = blocks.block;
  for (std::int64_t cell = 0; cell < p.cells; cell += most.cells) {
    for (std::int64_t point = 0; point < p.points; point += most.points) {
      PointwiseBlock block{rest(p.cells, cell, most.cells), most.fields,
                           rest(p.points, point, most.points)};
      left.prepare(p.left + (cell * p.left_of.cell + point * p.left_of.point) * S::reals, block,
                   run);
      for (std::int64_t field = 0; field < p.fields; field += most.fields) {
        block.fields = rest(p.fields, field, most.fields);
        const auto start = [&](const typename HostPointwise<Real>::Strides& of) {
          return (cell * of.cell + point * of.point + field * of.field) * S::reals;
        };
        Real* const out = p.out + start(p.out_of);
        run.right = right.prepare(p.right + start(p.right_of), block);
        run.out = blocks.is_out_there ? out : out_space;
        computeItems<S>(plan, run, block.items() * plan.tensor, stream);
        if (!blocks.is_out_there) scatterTensors<S>(out_space, plan.outPlaces(p), block, out);
      }
    }
  }
  collected.finish();
}

template <class S>
std::int64_t multiplyWorkspace(const HostPointwise<typename S::Real>& p) {
  const PointwisePlan<S> plan(p);
  constexpr std::int64_t bytes =
      2 * lefts_bytes + collecting_bytes + 2 * (block_bytes + vector_bytes);
  static_assert(PointwisePeriods<S>::bytes <= bytes, "one workspace serves all");
  if (plan.loop_order == LoopOrder::Cells) return InterleavedPointwise<S>::bytes;
  if (plan.loop_order == LoopOrder::Nodes) return NodeSums<S>(p).bytes();
  return plan.loop_order == LoopOrder::None ? -1 : bytes;
}

/// Cells whose points follow one another are more points.
template <class Real>
void mergeCells(HostPointwise<Real>& p, bool has_left) {
  const auto follow = [&](const typename HostPointwise<Real>::Strides& of) {
    return of.cell == of.point * p.points;
  };
  if (p.fields == 1 && p.points > 1 && follow(p.out_of) && follow(p.right_of) &&
      (!has_left || follow(p.left_of))) {
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
    InterleavedPointwise<S>(p, plan, space).multiply();
  } else if (plan.loop_order == LoopOrder::Nodes) {
    NodeSums<S>(p).multiply(space);
  } else {
    mergeCells(p, plan.has_left);
    const std::int64_t done = PointwisePeriods<S>(p, plan, space).multiply();
    p.cells -= done;
    p.out += done * p.out_of.cell * S::reals;
    p.left += done * p.left_of.cell * S::reals;
    p.right += done * p.right_of.cell * S::reals;
    if (p.cells > 0) multiplyPoints<S>(p, plan, space);
  }
  finishNonTemporal();
}

#endif
