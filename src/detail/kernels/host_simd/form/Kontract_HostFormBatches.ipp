// SPDX-License-Identifier: BSD-3-Clause
//
// Forms of cells that share nodes, unknowns or the output.
//
// Kernels compute cells that have arrays of their own. Here these are buffers for a few cells that
// stay in a near cache: nodes and vectors are gathered into them, a kernel computes, and what it
// leaves is added to where it belongs. So no array of all cells exists, whatever the kernel.
#ifndef KONTRACT_HOSTFORMBATCHES_IPP
#define KONTRACT_HOSTFORMBATCHES_IPP

#include "Kontract_HostFormPoints.ipp"
#include "detail/kernels/host_simd/common/Kontract_HostScatter.ipp"

template <class Real>
constexpr std::int64_t line_reals = 64 / std::int64_t(sizeof(Real));

/// Gives a kernel cells with arrays of their own.
template <class R>
struct FormBatches {
  using Real = R;
  static constexpr std::int64_t simd_width = simd_width_of<Real>;
  static constexpr std::int64_t near_bytes = 96 * 1024;
  static constexpr std::int64_t second_cache_bytes = 768 * 1024;

  const HostForms<Real>& given;
  HostForms<Real> forms;                              ///< as the kernel sees it
  std::int64_t outputs = 0, nodes = 0, unknowns = 0;  ///< reals of a cell; 0: not in a buffer
  std::int64_t cells;                                 ///< of a batch
  Real *out = nullptr, *node_buffer = nullptr, *vector = nullptr;

  explicit FormBatches(const HostForms<Real>& f) : given(f), forms(f), cells(f.cells) {
    if (f.scatter.is_there) placeOutput();
    if (f.node_numbers.is_there) {
      nodes = f.nodes * f.dimension;
      forms.mapping.cell = nodes;
      forms.mapping.field = f.dimension;
      forms.mapping.row = 1;
    }
    if (f.vector_numbers.is_there) {
      unknowns = f.vector_numbers.fields;
      forms.vector.cell = unknowns;
      forms.vector.field = 1;
    }
    if (isShared()) cells = cellsOfBatch();
  }
  FormBatches(const FormBatches&) = delete;
  FormBatches& operator=(const FormBatches&) = delete;

  std::int64_t reals() const {
    return isShared() ? cells * (outputs + nodes + unknowns) + 3 * line_reals<Real> : 0;
  }

  void begin(FormMemory<Real>& memory) {
    out = memory.take(cells * outputs * (isShared() ? 1 : 0));
    node_buffer = memory.take(cells * nodes);
    vector = memory.take(cells * unknowns);
  }

  template <class Kernel>
  void compute(Kernel& kernel, std::int64_t first_cell, std::int64_t last_cell) {
    if (!isShared()) return kernel.compute(first_cell, last_cell);
    for (std::int64_t c = first_cell; c < last_cell; c += cells) {
      const std::int64_t n = last_cell - c < cells ? last_cell - c : cells;
      if (nodes > 0) {
        gather<Real>(given.mapping, given.node_numbers, given.dimension, c, n, node_buffer);
        forms.mapping.data = node_buffer - c * nodes;
      }
      if (unknowns > 0) {
        gather<Real>(given.vector, given.vector_numbers, 1, c, n, vector);
        forms.vector.data = vector - c * unknowns;
      }
      if (outputs > 0) forms.out = out - c * outputs;
      kernel.compute(c, c + n);
      if (outputs > 0) addToShared(c, n);
    }
  }

 private:
  bool isShared() const { return outputs + nodes + unknowns > 0; }

  void placeOutput() {
    const std::int64_t rows = forms.lefts * forms.left_blocks;
    const std::int64_t columns =
        forms.kind == FormKind::Products ? 1 : forms.rights * forms.right_blocks;
    outputs = rows * columns;
    forms.out_cell = outputs;
    forms.out_row = columns;
    forms.out_column = 1;
    forms.sum_into = false;
    forms.stream = false;
  }

  /// As many as stay in a near cache, in whole vectors if it holds one. Kernels that compute a cell
  /// in each lane of a vector get a whole one from the next cache, too: a cell alone would leave
  /// the other lanes idle.
  std::int64_t cellsOfBatch() const {
    const std::int64_t bytes = (outputs + nodes + unknowns) * std::int64_t(sizeof(Real));
    const std::int64_t most = near_bytes / bytes;
    const bool interleaves = forms.kernel == HostFormKernel::InterleavedCells;
    if (interleaves && most < simd_width && simd_width * bytes <= second_cache_bytes)
      return simd_width;
    const std::int64_t unit = most < simd_width       ? 1
                              : most < 4 * simd_width ? simd_width
                                                      : 4 * simd_width;
    return most < 1 ? 1 : most / unit * unit;
  }

  void addToShared(std::int64_t c, std::int64_t n) const {
    const Scatter& to = given.scatter;
    const bool is_atomic = to.way == ScatterWay::Atomic;
    if (to.starts == nullptr) {
      addVectors<Real>(to, given.out, is_atomic, c, n, outputs, out);
    } else {
      addMatrices<Real>(to, given.out, is_atomic, c, n, outputs / to.rows.fields, out);
    }
  }
};

#endif
