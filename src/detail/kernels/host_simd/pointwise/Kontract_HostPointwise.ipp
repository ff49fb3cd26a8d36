// SPDX-License-Identifier: BSD-3-Clause
//
// Pointwise operations as runs of points or cells. Part of Kontract_HostKernelSet.ipp.

/// How many places come before the first whose output is aligned to vectors.
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

/// Runs places that are side by side in out and right. Where there is a stream, it takes the
/// outputs that are nowhere aligned or soon end.
template <class S>
KONTRACT_INLINE void runPlaces(const Arrangements<S>& memory, RunOfPoints<typename S::Real>& run,
                               std::int64_t places, PointwiseStream<typename S::Real>* stream) {
  using Real = typename S::Real;
  Real* const out = run.out;
  const Real* const right = run.right;
  const std::int64_t bytes = places * memory.outs * S::scalar_bytes;
  run.phase = 0;
  run.places = places;
  if (stream != nullptr) {
    if (memory.is_copy && bytes > 1024) {
      streamOut(out, right, places * S::reals);
      return;
    }
    run.head = headOf<S>(out, memory.outs);
    run.stream = (run.head == 0 && bytes % vector_bytes == 0 && places % S::lanes == 0) ||
                 (run.head >= 0 && bytes >= soon_bytes);
  }
  if (stream == nullptr || run.stream) {
    memory.kernel(run);
    return;
  }
  const std::int64_t most =
      roundedUp(pointwise_collected_bytes / (memory.outs * S::scalar_bytes), S::lanes);
  for (std::int64_t place = 0; place < places; place += most) {
    run.places = places - place < most ? places - place : most;
    run.right = right + place * memory.rights * S::reals;
    stream->moveTo(out + place * memory.outs * S::reals);
    run.out = stream->place();
    memory.kernel(run);
    stream->pass(run.places * memory.outs * S::reals);
    run.phase += run.places * S::reals;
    while (run.phase >= run.period) run.phase -= run.period;
  }
}

/// Tensors of neighbouring points are side by side: runs of points, cell by cell. Where fields are
/// side by side too, a run goes through all of them, and through the left side again and again.
template <class S>
void multiplyPoints(const HostPointwise<typename S::Real>& p, const Arrangements<S>& memory,
                    typename S::Real* workspace) {
  using Real = typename S::Real;
  const LeftSide<S> left(p, memory, workspace);
  PointwiseStream<Real> collected(workspace + lefts_bytes / int(sizeof(Real)));
  PointwiseStream<Real>* const stream = p.stream ? &collected : nullptr;
  RunOfPoints<Real> run;
  run.stream = false;
  run.right_step = 1;
  run.right_at[0] = run.out_at[0] = 0;
  // Elements are places of their own; tensors share one.
  const bool by_elements = memory.way == Way::Accessor;
  const std::int64_t tensor = by_elements ? p.rows * p.columns : 1;
  std::int64_t chunk = (plane_bytes - 64) / S::scalar_bytes;
  if (by_elements) {
    chunk = chunk_bytes / (tensor * S::scalar_bytes);
    if (chunk > 32) chunk = chunk / 32 * 32;
  }
  const bool wraps = p.fields > 1 && p.points <= chunk &&
                     p.out_of.field == p.points * tensor * memory.outs &&
                     p.right_of.field == p.points * tensor * memory.rights;
  const std::int64_t fields = wraps ? 1 : p.fields, in_run = wraps ? p.fields : 1;
  if (memory.is_copy && !wraps) chunk = p.points;
  // Left and right sides that are used once should take turns in small portions.
  if (!by_elements && p.fields == 1) chunk = 32;
  run.ahead = p.right_of.cell == 0 ? 0 : bytes_ahead / int(sizeof(Real));
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
        runPlaces<S>(memory, run, points * tensor * in_run, stream);
      }
    }
  }
  collected.finish();
}

/// Neighbours in memory are neighbouring cells: runs of cells, point by point and field by field.
template <class S>
void multiplyCells(const HostPointwise<typename S::Real>& p, const Arrangements<S>& memory,
                   typename S::Real* workspace) {
  using Real = typename S::Real;
  const auto isAligned = [](std::int64_t reals) {
    return reals * int(sizeof(Real)) % vector_bytes == 0;
  };
  const std::int64_t rows = memory.by_element ? p.rows : 1;
  const std::int64_t columns = memory.by_element ? p.columns : 1;
  RunOfPoints<Real> run;
  run.period = no_period;
  run.phase = run.head = 0;
  run.right_step = p.right_of.cell;
  run.ahead = 0;
  run.stream = p.stream && reinterpret_cast<std::uintptr_t>(p.out) % vector_bytes == 0 &&
               (p.points == 1 || isAligned(p.out_of.point * S::reals)) &&
               (p.fields == 1 || isAligned(p.out_of.field * S::reals)) &&
               (rows == 1 || isAligned(p.out_of.row * S::reals)) &&
               (columns == 1 || isAligned(p.out_of.column * S::reals));
  for (int i = 0; i < memory.outs; ++i) {
    run.out_at[i] = memory.out_at[i] * S::reals;
    run.stream = run.stream && isAligned(run.out_at[i]);
  }
  for (int i = 0; i < memory.lefts; ++i) run.left_at[i] = memory.left_at[i] * S::reals;
  for (int i = 0; i < memory.rights; ++i) {
    run.right_at[i] = p.right_of.cell == 0 ? i * S::vector_reals : memory.right_at[i] * S::reals;
  }
  // Long runs, but their left side should stay in cache while fields pass by.
  const std::int64_t fitting = left_cells_bytes / (memory.lefts * S::scalar_bytes) / 64 * 64;
  const std::int64_t at_once = fitting > 256 ? fitting : 256;
  for (std::int64_t cell = 0; cell < p.cells; cell += at_once) {
    run.places = p.cells - cell < at_once ? p.cells - cell : at_once;
    for (std::int64_t point = 0; point < p.points; ++point) {
      for (std::int64_t field = 0; field < p.fields; ++field) {
        for (std::int64_t i = 0; i < rows; ++i) {
          for (std::int64_t j = 0; j < columns; ++j) {
            const auto start = [&](const typename HostPointwise<Real>::Strides& of) {
              return (cell * of.cell + point * of.point + field * of.field + i * of.row +
                      j * of.column) *
                     S::reals;
            };
            run.out = p.out + start(p.out_of);
            run.left = p.left + start(p.left_of);
            run.right = p.right + start(p.right_of);
            if (p.right_of.cell == 0) {
              for (int k = 0; k < memory.rights; ++k) {
                LeftSide<S>::repeat(run.right + memory.right_at[k] * S::reals,
                                    workspace + run.right_at[k]);
              }
              run.right = workspace;
            }
            memory.kernel(run);
          }
        }
      }
    }
  }
}

template <class S>
std::int64_t multiplyWorkspace(const HostPointwise<typename S::Real>& p) {
  const Arrangements<S> memory(p);
  return memory.way == Way::None ? -1
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
  const Arrangements<S> memory(p);
  p.cells = last - first;
  Real* const space = static_cast<Real*>(workspace);
  if (memory.way == Way::Cells) {
    multiplyCells<S>(p, memory, space);
  } else {
    mergeCells(p);
    multiplyPoints<S>(p, memory, space);
  }
  finishStreaming();
}
