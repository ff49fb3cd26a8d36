// SPDX-License-Identifier: BSD-3-Clause
//
// Forms of cells that share nodes, unknowns or the output, or whose fields are transformed.
//
// Kernels compute cells that have arrays of their own. Here these are buffers for a few cells that
// stay in a near cache: nodes and vectors are gathered into them, a kernel computes, and what it
// leaves is transformed and added to where it belongs. So no array of all cells exists, whatever
// the kernel.
#ifndef KONTRACT_HOSTFORMBATCHES_IPP
#define KONTRACT_HOSTFORMBATCHES_IPP

#include "Kontract_HostFormPoints.ipp"
#include "detail/kernels/host_simd/common/Kontract_HostFieldOperators.ipp"
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
  Real *out = nullptr, *node_buffer = nullptr, *vector = nullptr, *work = nullptr,
       *expanded = nullptr;

  explicit FormBatches(const HostForms<Real>& f) : given(f), forms(f), cells(f.cells) {
    const bool is_transformed =
        f.left_operators.starts != nullptr || f.right_operators.starts != nullptr;
    if (f.scatter.is_there || is_transformed) placeOutput();
    if (f.node_numbers.is_there) {
      nodes = f.nodes * f.space_dimension;
      forms.mapping.cell = nodes;
      forms.mapping.field = f.space_dimension;
      forms.mapping.row = 1;
    }
    if (f.vector_numbers.is_there || f.vector_operators.starts != nullptr) {
      unknowns = f.rights * f.right_blocks;
      forms.vector.cell = unknowns;
      forms.vector.field = 1;
    }
    if (isShared()) cells = cellsOfBatch();
  }
  FormBatches(const FormBatches&) = delete;
  FormBatches& operator=(const FormBatches&) = delete;

  std::int64_t reals() const {
    return isShared() ? cells * (outputs + nodes + unknowns) + workReals() + expandedReals() +
                            5 * line_reals<Real>
                      : 0;
  }

  void begin(FormMemory<Real>& memory) {
    out = memory.take(cells * outputs * (isShared() ? 1 : 0));
    node_buffer = memory.take(cells * nodes);
    vector = memory.take(cells * unknowns);
    work = memory.take(workReals());
    expanded = memory.take(expandedReals());
  }

  template <class Kernel>
  void compute(Kernel& kernel, std::int64_t first_cell, std::int64_t last_cell) {
    if (!isShared()) return kernel.compute(first_cell, last_cell);
    for (std::int64_t c = first_cell; c < last_cell; c += cells) {
      const std::int64_t n = last_cell - c < cells ? last_cell - c : cells;
      if (nodes > 0) {
        gather<Real>(given.mapping, given.node_numbers, given.space_dimension, c, n, node_buffer);
        forms.mapping.data = node_buffer - c * nodes;
      }
      if (unknowns > 0) {
        takeVectors(c, n);
        forms.vector.data = vector - c * unknowns;
      }
      if (outputs > 0) forms.out = out - c * outputs;
      kernel.compute(c, c + n);
      if (outputs > 0) leaveOutputs(c, n);
    }
  }

 private:
  bool isShared() const { return outputs + nodes + unknowns > 0; }

  void placeOutput() {
    const std::int64_t rows = forms.lefts * forms.left_blocks;
    const std::int64_t columns = columnsOfOutput();
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
    if (isInterleaved() && most < simd_width && simd_width * bytes <= second_cache_bytes)
      return simd_width;
    const std::int64_t unit = most < simd_width       ? 1
                              : most < 4 * simd_width ? simd_width
                                                      : 4 * simd_width;
    return most < 1 ? 1 : most / unit * unit;
  }

  /// Whether lanes of a vector are cells.
  bool isInterleaved() const {
    return forms.kernel == HostFormKernel::InterleavedCells ||
           (forms.kernel == HostFormKernel::SumFactorization && forms.kind != FormKind::Matrices);
  }

  /// Room for the fields of a block, times the columns of a matrix.
  std::int64_t workReals() const {
    const bool are_matrices = forms.kind == FormKind::Matrices;
    const ExpandedCells& to = given.expanded_out;
    std::int64_t most = given.left_operators.most_fields * (are_matrices ? columnsOfOutput() : 1);
    const std::int64_t of_others[] = {given.right_operators.most_fields,
                                      given.vector_operators.most_fields,
                                      to.left.most_fields * (are_matrices ? to.columns : 1),
                                      to.right.most_fields, given.expanded_vector.left.most_fields};
    for (const std::int64_t reals : of_others) most = reals > most ? reals : most;
    return most;
  }

  /// Room for a cell that has constrained unknowns.
  std::int64_t expandedReals() const {
    const ExpandedCells &to = given.expanded_out, &from = given.expanded_vector;
    const std::int64_t columns = forms.kind == FormKind::Matrices ? to.columns : 1;
    const std::int64_t out_reals = to.count > 0 ? to.rows.fields * columns : 0;
    const std::int64_t in_reals = from.count > 0 ? from.rows.fields : 0;
    return out_reals > in_reals ? out_reals : in_reals;
  }

  std::int64_t columnsOfOutput() const {
    switch (forms.kind) {
      case FormKind::Products: return 1;
      case FormKind::Diagonals: return forms.diagonal_columns;
      default: return forms.rights * forms.right_blocks;
    }
  }

  void takeVectors(std::int64_t c, std::int64_t n) const {
    if (given.vector_numbers.is_there) {
      gather<Real>(given.vector, given.vector_numbers, 1, c, n, vector);
    } else {
      for (std::int64_t i = 0; i < n * unknowns; ++i) {
        vector[i] =
            given.vector
                .data[(c + i / unknowns) * given.vector.cell + i % unknowns * given.vector.field];
      }
    }
    forEachExpanded(given.expanded_vector, c, n, [&](std::int64_t k, std::int64_t i) {
      const ExpandedCells& of = given.expanded_vector;
      gather<Real>(given.vector, of.rows, 1, k, 1, expanded);
      transformBack<Real>(of.left, k, expanded, work);
      for (std::int64_t f = 0; f < unknowns; ++f) vector[i * unknowns + f] = expanded[f];
    });
    if (given.vector_operators.starts == nullptr) return;
    for (std::int64_t i = 0; i < n; ++i) {
      transformBack<Real>(given.vector_operators, c + i, vector + i * unknowns, work);
    }
  }

  void leaveOutputs(std::int64_t c, std::int64_t n) const {
    for (std::int64_t i = 0; i < n; ++i) transform(c + i, out + i * outputs);
    if (given.scatter.is_there) {
      addToShared(c, n);
      forEachExpanded(given.expanded_out, c, n,
                      [&](std::int64_t k, std::int64_t i) { addExpanded(k, out + i * outputs); });
    } else {
      for (std::int64_t i = 0; i < n; ++i) addToOwn(c + i, out + i * outputs);
    }
  }

  /// Transforms what a kernel left for a cell. Loads are rows of one left field here, and products
  /// have no columns.
  void transform(std::int64_t c, Real* x) const {
    const FieldOperators &left = given.left_operators, &right = given.right_operators;
    if (forms.kind != FormKind::Matrices) {
      if (left.starts != nullptr) transformFields<Real>(left, c, x, 1, outputs, work);
      return;
    }
    const std::int64_t columns = columnsOfOutput();
    if (left.starts != nullptr) transformRows<Real>(left, c, x, columns, work);
    if (right.starts != nullptr) {
      transformFields<Real>(right, c, x, outputs / columns, columns, work);
    }
  }

  /// Calls f(k, i) with those of n cells from c on that are expanded, i the place among the n.
  template <class F>
  static void forEachExpanded(const ExpandedCells& of, std::int64_t c, std::int64_t n, const F& f) {
    const std::int64_t first = of.first_cell + c;
    std::int64_t k = 0;
    for (std::int64_t count = of.count; count > 0;) {
      const std::int64_t half = count / 2;
      const bool is_before = of.cells[k + half] < first;
      k = is_before ? k + half + 1 : k;
      count = is_before ? count - half - 1 : half;
    }
    for (; k < of.count && of.cells[k] < first + n; ++k) f(k, of.cells[k] - first);
  }

  /// Adds a cell to all unknowns that its own depend on.
  void addExpanded(std::int64_t k, const Real* from) const {
    const ExpandedCells& cells = given.expanded_out;
    Scatter to = given.scatter;
    to.rows = cells.rows;
    to.offsets = cells.offsets;
    to.leaves_out = true;
    const bool is_atomic = to.way == ScatterWay::Atomic, is_matrix = to.starts != nullptr;
    const std::int64_t columns = is_matrix ? columnsOfOutput() : 1, rows = outputs / columns;
    const std::int64_t all_columns = is_matrix ? cells.columns : 1;
    for (std::int64_t i = 0; i < cells.rows.fields * all_columns; ++i) expanded[i] = 0;
    for (std::int64_t l = 0; l < rows; ++l) {
      for (std::int64_t r = 0; r < columns; ++r) {
        expanded[l * all_columns + r] = from[l * columns + r];
      }
    }
    if (cells.left.starts != nullptr) {
      transformRows<Real>(cells.left, k, expanded, all_columns, work);
    }
    if (!is_matrix) {
      return addVectors<Real>(to, given.out, is_atomic, k, 1, cells.rows.fields, expanded);
    }
    if (cells.right.starts != nullptr) {
      transformFields<Real>(cells.right, k, expanded, cells.rows.fields, all_columns, work);
    }
    addMatrices<Real>(to, given.out, is_atomic, k, 1, all_columns, expanded);
  }

  /// Brings a cell to where its output is, which it has for itself.
  void addToOwn(std::int64_t c, const Real* from) const {
    const std::int64_t columns = columnsOfOutput();
    Real* const to = given.out + c * given.out_cell;
    for (std::int64_t i = 0; i < outputs; ++i) {
      Real& entry = to[i / columns * given.out_row + i % columns * given.out_column];
      entry = given.sum_into ? entry + from[i] : from[i];
    }
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
