// SPDX-License-Identifier: BSD-3-Clause
//
// How runs through neighbouring cells write their outputs, component by component.
#ifndef KONTRACT_HOSTPOINTWISECELLOUTPUTS_IPP
#define KONTRACT_HOSTPOINTWISECELLOUTPUTS_IPP

#include "Kontract_HostPointwisePattern.ipp"

constexpr int cell_chunk_bytes = 2048;  ///< of a component that are expanded or collected at once
/// Of a component that are collected while others are read: longer bursts of stores stop reading.
constexpr int short_cell_chunk_bytes = 1024;
/// Of a component's chunk in the workspace, with a few vectors more, and no power of two.
constexpr int cell_plane_bytes = cell_chunk_bytes + 5 * 64;
constexpr int cell_portion_bytes = 4096;  ///< of a component that are computed without a break

/// Outputs of runs whose components are each in memory as one row: straight there, or collected
/// until they fill lines.
template <class S>
class CellOutputs {
 public:
  using Real = typename S::Real;
  using Run = PointwiseRun<Real>;
  static constexpr int buffer_bytes = short_cell_chunk_bytes + cell_plane_bytes;
  static constexpr std::int64_t bytes = most_components * buffer_bytes;

  /// \param buffers  aligned, for `bytes`
  CellOutputs(const PointwisePlan<S>& how, bool stream, int chunk_bytes, Real* buffers)
      : _plan(how), _streams(stream), _chunk(chunk_bytes / S::scalar_bytes) {
    for (int i = 0; i < _plan.outs; ++i) {
      _collected[i] = Stream(buffers + i * (buffer_bytes / int(sizeof(Real))));
    }
  }

  /// Places the components of a run whose outputs are not collected.
  KONTRACT_INLINE void placeComponents(Run& run) const {
    for (int i = 0; i < _plan.outs; ++i) run.out_at[i] = _plan.out_at[i] * S::reals;
  }

  /// Computes a run by compute(first, count), which stores where the run says.
  /// \param in_chunks     compute() takes no more than a chunk
  /// \param is_unaligned  compute() stores parts that do not begin lines
  template <class Compute>
  KONTRACT_INLINE void write(Run& run, Real* out, std::int64_t items, bool in_chunks,
                             bool is_unaligned, const Compute& compute) {
    const std::int64_t head = _streams ? headOfAll(out) : 0;
    if (_streams && (is_unaligned || head < 0 || items * S::scalar_bytes < least_long_bytes)) {
      collect(run, out, items, compute);
      return;
    }
    const std::int64_t most = in_chunks ? _chunk : cell_portion_bytes / S::scalar_bytes;
    const auto straight = [&](std::int64_t first, std::int64_t last, bool stream) {
      run.stream = stream;
      for (; first < last; first += most) {
        run.out = out + first * S::reals;
        compute(first, last - first < most ? last - first : most);
      }
    };
    const std::int64_t end = _streams ? items - (items - head) % (64 / S::scalar_bytes) : 0;
    straight(0, head, false);
    straight(head, end, true);
    straight(end, items, false);
  }

  /// Fetches the lines that a run will fill in part: a store that waits for one holds up all
  /// others.
  KONTRACT_INLINE void fetchEnds(const Real* out, std::int64_t items) const {
    for (int i = 0; i < _plan.outs; ++i) {
      const Real* const first = out + _plan.out_at[i] * S::reals;
      __builtin_prefetch(first, 1, 3);
      __builtin_prefetch(first + items * S::reals, 1, 3);
    }
  }
  void finish() {
    for (int i = 0; i < _plan.outs; ++i) _collected[i].finish();
  }

 private:
  using Stream = OutputStream<Real, short_cell_chunk_bytes>;

  /// Items before all components begin a line.
  /// \return negative if they never do
  std::int64_t headOfAll(const Real* out) const {
    const std::uintptr_t before = (64 - reinterpret_cast<std::uintptr_t>(out) % 64) % 64;
    for (int i = 0; i < _plan.outs; ++i) {
      if (_plan.out_at[i] * S::scalar_bytes % 64 != 0) return -1;
    }
    return before % S::scalar_bytes == 0 ? std::int64_t(before / S::scalar_bytes) : -1;
  }

  template <class Compute>
  KONTRACT_INLINE void collect(Run& run, Real* out, std::int64_t items, const Compute& compute) {
    run.stream = false;
    for (int i = 0; i < _plan.outs; ++i) _collected[i].moveTo(out + _plan.out_at[i] * S::reals);
    for (std::int64_t first = 0; first < items; first += _chunk) {
      const std::int64_t count = items - first < _chunk ? items - first : _chunk;
      run.out = _collected[0].place();
      for (int i = 0; i < _plan.outs; ++i) run.out_at[i] = _collected[i].place() - run.out;
      compute(first, count);
      for (int i = 0; i < _plan.outs; ++i) _collected[i].pass(count * S::reals);
    }
    placeComponents(run);
  }

  const PointwisePlan<S>& _plan;
  bool _streams;
  std::int64_t _chunk;  ///< items
  Stream _collected[most_components];
};

#endif
