// SPDX-License-Identifier: BSD-3-Clause
//
// Sums over the nodes of cells, as Jacobians and physical points are: vectors are of cells, whose
// nodes are interleaved; values on the reference cell, the same for all cells, are broadcast.
#ifndef KONTRACT_HOSTPOINTWISENODES_IPP
#define KONTRACT_HOSTPOINTWISENODES_IPP

#include "Kontract_HostPoints.ipp"
#include "detail/kernels/host_simd/common/Kontract_HostOutputStream.ipp"
#include "detail/kernels/host_simd/contraction/Kontract_HostInterleave.ipp"

/// Items, which are points of some cells or some cells at one point: of each the small tensor
/// sum over n of nodes(n,i) * right(n,j).
template <class Real>
struct NodeRun {
  const Real* nodes;  ///< (n,i), vectors
  const Real* right;
  Real* out;  ///< (i,j), vectors
  std::int64_t node_count, items;
  std::int64_t right_node, right_column;          ///< steps, in reals
  std::int64_t nodes_step, right_step, out_step;  ///< to the next item
  std::int64_t component;                         ///< from one vector of the output to the next
};
template <class Real>
using NodeKernel = void (*)(const NodeRun<Real>&);

template <class S, int rows, int columns>
void sumOverNodes(const NodeRun<typename S::Real>& given) {
  using Real = typename S::Real;
  using Vec = typename S::Vec;
  const NodeRun<Real> run = given;
  const Real *nodes = run.nodes, *right = run.right;
  Real* out = run.out;
  for (std::int64_t item = 0; item < run.items; ++item) {
    Vec sum[rows * columns] = {};
    const Real *node = nodes, *value = right;
    for (std::int64_t n = 0; n < run.node_count; ++n) {
      Vec x[rows];
#pragma GCC unroll 3
      for (int i = 0; i < rows; ++i) {
        x[i] = keptInRegister(load<S::width>(node + i * S::vector_reals));
      }
#pragma GCC unroll 3
      for (int j = 0; j < columns; ++j) {
        const Real g = value[j * run.right_column];
#pragma GCC unroll 3
        for (int i = 0; i < rows; ++i) sum[i * columns + j] += x[i] * g;
      }
      node += rows * S::vector_reals;
      value += run.right_node;
    }
#pragma GCC unroll 9
    for (int k = 0; k < rows * columns; ++k) store<S::width>(out + k * run.component, sum[k]);
    nodes += run.nodes_step;
    right += run.right_step;
    out += run.out_step;
  }
}

/// out(c,p,i,j) = sum over n of left(c,n,i) * right(n,p,j)
template <class S>
class NodeSums {
 public:
  using Real = typename S::Real;
  using Problem = HostPointwise<Real>;

  /// Whether a problem is one of these, small enough for the caches.
  static bool serves(const Problem& p) {
    return !S::is_complex && p.operation == HostOperation::Product && p.fields == 1 &&
           p.rows <= most_rows && p.columns <= most_rows && p.sum[1].extent == 1 &&
           p.left_of.point == 0 && p.left_of.column == 0 && p.right_of.cell == 0 &&
           p.right_of.row == 0 && p.sum[0].extent * p.rows * S::width <= most_node_bytes;
  }

  explicit NodeSums(const Problem& problem)
      : p(problem),
        components(p.rows * p.columns),
        nodes_of_vector(p.sum[0].extent * p.rows * S::vector_reals),
        is_affine(p.right_of.point == 0),
        are_cells_next(p.out_of.cell == 1),
        groups(are_cells_next ? groupsAtOnce() : 1),
        points_at_once(are_cells_next ? 1 : pointsAtOnce()),
        kernel(kernelFor(p.rows, p.columns)) {}

  std::int64_t bytes() const {
    return (groups * nodes_of_vector + outputs()) * real + 2 * vector_bytes +
           (are_cells_next ? 0 : collected_bytes + 64 + outputs() * real);
  }

  /// All cells of the problem.
  void multiply(Real* workspace) const {
    Real* const out_space = workspace + groups * nodes_of_vector;
    OutputStream<Real> collected(out_space + outputs());
    for (std::int64_t cell = 0; cell < p.cells; cell += groups * lanes) {
      const std::int64_t cells = p.cells - cell < groups * lanes ? p.cells - cell : groups * lanes;
      for (std::int64_t g = 0; g * lanes < cells; ++g) {
        interleaveNodes(p.left + (cell + g * lanes) * p.left_of.cell, lanesOf(cells - g * lanes),
                        workspace + g * nodes_of_vector);
      }
      Real* const out = p.out + cell * p.out_of.cell;
      if (are_cells_next) {
        sumInPlanes(workspace, cells, out_space, out);
      } else {
        sumInRows(workspace, int(cells), out_space, out, collected);
      }
    }
    collected.finish();
  }

 private:
  static constexpr int real = sizeof(Real), lanes = S::simd_width;
  static constexpr std::int64_t most_rows = 3, most_node_bytes = 128 * 1024;
  static constexpr std::int64_t plane_cells = 1024 / real, row_bytes = 16 * 1024;

  static int lanesOf(std::int64_t cells) { return cells < lanes ? int(cells) : lanes; }

  /// Vectors of cells that take turns at each point, so that what is stored are long runs.
  std::int64_t groupsAtOnce() const {
    const std::int64_t fitting = most_node_bytes / (nodes_of_vector * real + 1);
    const std::int64_t wanted = plane_cells / lanes;
    return fitting < 1 ? 1 : fitting < wanted ? fitting : wanted;
  }
  std::int64_t pointsAtOnce() const {
    const std::int64_t fitting = row_bytes / (components * S::width);
    return fitting < 1 ? 1 : fitting < p.points ? fitting : p.points;
  }
  /// Reals that are computed before they are written.
  std::int64_t outputs() const { return components * S::vector_reals * groups * points_at_once; }

  template <int rows>
  static NodeKernel<Real> kernelOfRows(std::int64_t columns) {
    return columns == 1   ? &sumOverNodes<S, rows, 1>
           : columns == 2 ? &sumOverNodes<S, rows, 2>
                          : &sumOverNodes<S, rows, 3>;
  }
  static NodeKernel<Real> kernelFor(std::int64_t rows, std::int64_t columns) {
    if constexpr (S::is_complex) {
      return nullptr;
    } else {
      return rows == 1   ? kernelOfRows<1>(columns)
             : rows == 2 ? kernelOfRows<2>(columns)
                         : kernelOfRows<3>(columns);
    }
  }

  void interleaveNodes(const Real* left, int n, Real* to) const {
    const std::int64_t node = p.sum[0].left, row = p.rows == 1 ? node : p.left_of.row;
    const MatrixRows<Real> rows{to, S::vector_reals};
    if (p.rows == 1 || node == p.rows * row) {
      interleaveCells<Real>({left, p.left_of.cell, row, p.sum[0].extent * p.rows}, n, rows);
      return;
    }
    for (std::int64_t k = 0; k < p.sum[0].extent; ++k) {
      interleaveCells<Real>({left + k * node, p.left_of.cell, row, p.rows}, n,
                            {to + k * p.rows * S::vector_reals, S::vector_reals});
    }
  }

  NodeRun<Real> runOf(const Real* nodes, Real* out) const {
    NodeRun<Real> run{};
    run.nodes = nodes;
    run.right = p.right;
    run.out = out;
    run.node_count = p.sum[0].extent;
    run.right_node = p.sum[0].right;
    run.right_column = p.right_of.column;
    return run;
  }

  /// Where cells are neighbours in the output: a row of cells for each component, point by point.
  void sumInPlanes(const Real* nodes, std::int64_t cells, Real* space, Real* out) const {
    const std::int64_t plane = groups * S::vector_reals;
    NodeRun<Real> run = runOf(nodes, space);
    run.items = (cells + lanes - 1) / lanes;
    run.nodes_step = nodes_of_vector;
    run.out_step = S::vector_reals;
    run.component = plane;
    for (std::int64_t point = 0; point < p.points; ++point) {
      if (point == 0 || !is_affine) kernel(run);
      run.right += p.right_of.point;
      for (std::int64_t i = 0; i < p.rows; ++i) {
        for (std::int64_t j = 0; j < p.columns; ++j) {
          Real* const to = out + point * p.out_of.point + i * p.out_of.row + j * p.out_of.column;
          const Real* const from = space + (i * p.columns + j) * plane;
          if (p.stream) {
            copyNonTemporal(to, from, cells);
          } else {
            __builtin_memcpy(to, from, std::size_t(cells) * sizeof(Real));
          }
        }
      }
    }
  }

  /// Elsewhere: points of one vector of cells, which are then cut apart.
  void sumInRows(const Real* nodes, int cells, Real* space, Real* out,
                 OutputStream<Real>& collected) const {
    NodeRun<Real> run = runOf(nodes, space);
    run.right_step = p.right_of.point;
    run.component = S::vector_reals;
    run.out_step = components * S::vector_reals;
    for (std::int64_t point = 0; point < p.points; point += points_at_once) {
      const std::int64_t points =
          p.points - point < points_at_once ? p.points - point : points_at_once;
      if (!is_affine) {
        run.items = points;
        kernel(run);
        run.right += points * p.right_of.point;
      } else if (point == 0) {
        run.items = 1;
        kernel(run);
        for (std::int64_t k = run.out_step; k < points * run.out_step; ++k) {
          space[k] = space[k - run.out_step];
        }
      }
      write(space, cells, points, out + point * p.out_of.point, collected);
    }
  }

  bool arePointsDense() const {
    return (p.columns == 1 || p.out_of.column == 1) && (p.rows == 1 || p.out_of.row == p.columns) &&
           (p.points == 1 || p.out_of.point == components);
  }

  void write(const Real* space, int cells, std::int64_t points, Real* out,
             OutputStream<Real>& collected) const {
    const MatrixRows<const Real> rows{space, S::vector_reals};
    const std::int64_t count = points * components;
    if (!arePointsDense()) {
      scatterComponents(space, cells, points, out);
    } else if (!p.stream) {
      scatterCells<Real>(rows, cells, {out, p.out_of.cell, 1, count}, false);
    } else if (points == p.points && p.out_of.cell == count) {
      collected.moveTo(out);
      scatterCells<Real>(rows, cells, {collected.place(), count, 1, count}, false);
      collected.pass(cells * count);
    } else {
      collected.finish();
      Real* const buffer = collected.place();
      scatterCells<Real>(rows, cells, {buffer, count, 1, count}, false);
      for (int k = 0; k < cells; ++k) {
        copyNonTemporal(out + k * p.out_of.cell, buffer + k * count, count);
      }
    }
  }

  /// One by one, where the output has gaps.
  void scatterComponents(const Real* space, int cells, std::int64_t points, Real* out) const {
    for (std::int64_t q = 0; q < points; ++q) {
      for (std::int64_t i = 0; i < p.rows; ++i) {
        for (std::int64_t j = 0; j < p.columns; ++j, space += S::vector_reals) {
          Real* const to = out + q * p.out_of.point + i * p.out_of.row + j * p.out_of.column;
          for (int k = 0; k < cells; ++k) to[k * p.out_of.cell] = space[k];
        }
      }
    }
  }

  const Problem& p;
  const std::int64_t components, nodes_of_vector;  ///< of a point; reals
  const bool is_affine, are_cells_next;
  const std::int64_t groups, points_at_once;
  const NodeKernel<Real> kernel;
};

#endif
