// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FORMPOINTINPUTS_HPP
#define KONTRACT_FORMPOINTINPUTS_HPP

#include "Kontract_BlockFunction.hpp"
#include "Kontract_FormEntry.hpp"
#include "Kontract_KnownTerms.hpp"
#include "Kontract_TeamCells.hpp"
#include "Kontract_Unroll.hpp"

namespace Kontract {
namespace Impl {

/// Numbers that the coefficient of a term has at a point; those of elasticity are two of one each.
KOKKOS_FORCEINLINE_FUNCTION int coefficientNumbers(const FormTermShape& term, int dimension) {
  if (term.coefficient_is_vector_of_blocks) return dimension;
  const int lefts = term.left_is_vector ? dimension : 1;
  const int rights = term.right_is_vector ? dimension : 1;
  switch (term.kind) {
    case CoefficientKind::None: return 0;
    case CoefficientKind::Diagonal: return lefts;
    case CoefficientKind::Full: return lefts * rights;
    case CoefficientKind::Symmetric: return lefts * (lefts + 1) / 2;
    default: return 1;
  }
}

/// A term without values, whose coefficients may be in shared memory.
template <class Term>
struct CopiedTerm : FormTermShape {
  using left_type = typename Term::left_type;
  using right_type = typename Term::right_type;
  using coefficient_type = typename Term::coefficient_type;
  using second_type = typename Term::second_type;
  using left_signs_type = typename Term::left_signs_type;
  using right_signs_type = typename Term::right_signs_type;
  coefficient_type coefficient;
  second_type second;
  KOKKOS_FORCEINLINE_FUNCTION CopiedTerm(const Term& term)
      : FormTermShape(term), coefficient(term.coefficient), second(term.second) {}
};

/// How a block has in shared memory what points are computed from.
struct PointInputSizes {
  int cells = 1, cell_bits = 0;  ///< of a block, a power of two
  int points = 1;                ///< of a part, whose inputs are there at a time
  int cells_at = 0;    ///< scalars of inputs that cells share, which are before those of cells
  int input_step = 1;  ///< scalars between the inputs of cells: an odd number
  bool has_inverses = true;  ///< of Jacobians, for terms that need more than the determinant

  static constexpr int threads = 256;  ///< of a block
};

/// Some points of all that a launch has.
struct PointPart {
  int first, count;
};

/// What points of the cells of a block are computed from, in shared memory, for some points at a
/// time: gradients of nodes' functions and weights; nodes or Jacobians, and coefficients, which
/// come there by threads that are neighbours from neighbours in memory. Where gradients are the
/// same at all points, as on simplices, a thread computes the geometry of a cell once.
/// \tparam Terms  AnyTerms, or KnownTerms
template <class Problem, int D, class Block, class Terms = AnyTerms>
struct FormPointInputs {
  using Point = FormPoint<Problem, D>;
  using Acc = typename Point::Acc;
  using Real = typename Problem::out_type::value_type;
  using Sizes = PointInputSizes;
  static constexpr bool has_mapping = Problem::mapping_type::is_ever_there;
  static constexpr bool has_nodes = Problem::gradients_type::is_ever_there;

  const Problem& problem;
  const PointInputSizes& sizes;
  Real* inputs;              ///< in shared memory
  std::int64_t first_point;  ///< of a launch
  bool has_weights;          ///< not, where these are elsewhere

  /// Begins to copy the inputs of a part.
  KONTRACT_BLOCK_FUNCTION void copyInputs(const CellBatch& cells, const PointPart& part) const {
    copyShared(part);
    Real* to = inputs + sizes.cells_at;
    if constexpr (has_mapping) copyMapping(cells, part, to);
    forEachTerm(problem.terms, [&](const auto& term) {
      copyCoefficient(term, term.coefficient, cells, part, to);
      copyCoefficient(term, term.second, cells, part, to);
    });
  }

  /// Finds out, by all threads, whether all points of a part have the same Jacobian in each cell.
  KONTRACT_BLOCK_FUNCTION bool findOneJacobian(const PointPart& part) const {
    if constexpr (!has_mapping) {
      return true;
    } else if constexpr (!has_nodes) {
      return problem.mapping.strides.point == 0;
    } else {
      if (problem.shape.nodes > D + 1) return false;  // of simplices alone it is likely
      auto* const are_different = reinterpret_cast<volatile int*>(inputs);
      if (Block::thread() == 0) *are_different = 0;
      Block::wait();
      const Real* const all = gradients();
      const int of_point = gradientNumbers();
      for (int n = Block::thread() + of_point; n < part.count * of_point; n += Sizes::threads) {
        if (all[n] != all[n - of_point]) *are_different = 1;
      }
      Block::wait();
      return *are_different == 0;
    }
  }

  /// Begins to copy the numbers of some cells, those of a cell one after another in memory, to
  /// places that are so far apart. Neighbouring threads have neighbouring numbers.
  /// \param of_cell  how far the numbers of cells are apart
  template <class T>
  KONTRACT_BLOCK_FUNCTION static void copyTogether(const T* from, std::int64_t of_cell, int numbers,
                                                   int cells, T* to, int cell_step,
                                                   int number_step) {
    const int lane_bits = lanesOf(numbers), lanes = 1 << lane_bits;
    const int step = Sizes::threads >> lane_bits, first = Block::thread() >> lane_bits;
    from += first * of_cell;
    to += first * cell_step;
    const std::int64_t from_step = step * of_cell;
    for (int n = Block::thread() & (lanes - 1); n < numbers; n += lanes) {
      const T* next = from + n;
      T* place = to + n * number_step;
      for (int cell = first; cell < cells; cell += step) {
        Block::copyNumber(place, next);
        next += from_step;
        place += step * cell_step;
      }
    }
  }
  /// As many bits as the lanes of a warp need that have neighbours of so many numbers.
  KONTRACT_BLOCK_FUNCTION static int lanesOf(int numbers) {
    int bits = 0;
    while (bits < 5 && 1 << bits < numbers) ++bits;
    return bits;
  }

  /// Calls f(p, cell, c, at, its inputs) for the points of a part, whose inputs are there, that a
  /// thread has: those of one cell.
  template <class F>
  KONTRACT_BLOCK_FUNCTION void forEachPoint(const CellBatch& cells, const PointPart& part,
                                            bool has_one_jacobian, const F& f) const {
    const int cell = Block::thread() & (sizes.cells - 1);
    const int worker = Block::thread() >> sizes.cell_bits;
    const int workers = Sizes::threads >> sizes.cell_bits;
    const std::int64_t c = cells.at(problem, cell);
    const Real* const of_cell = inputs + sizes.cells_at + cell * sizes.input_step;
    PointGeometry<D, Acc> at;
    bool has_jacobian = false;
    for (int p = worker; p < part.count; p += workers) {
      if (!has_jacobian) setJacobian(of_cell, p, at);
      has_jacobian = has_one_jacobian;
      at.measure = weight(c, part, p);
      if constexpr (has_mapping) Point::addMeasure(problem, pointOf(part, p), at);
      f(p, cell, c, at, of_cell);
    }
  }

  /// Calls f(term) for all terms at a point, with coefficients as they are in shared memory.
  template <class F>
  KONTRACT_BLOCK_FUNCTION void forEachTermAt(const PointPart& part, int p, const Real* of_cell,
                                             const F& f) const {
    const Real* from = of_cell;
    if constexpr (has_mapping) from += mappingNumbers(part);
    Terms::forEach(problem.terms, [&](const auto& term, const auto& known) {
      CopiedTerm<std::decay_t<decltype(term)>> copied(term);
      known.set(copied, copied.coefficient.isThere());
      takeCopy(copied, part, p, from, copied.coefficient);
      takeCopy(copied, part, p, from, copied.second);
      f(copied);
    });
  }

 private:
  KONTRACT_BLOCK_FUNCTION std::int64_t pointOf(const PointPart& part, int p) const {
    return first_point + part.first + p;
  }

  // Inputs that cells share: a mark, gradients of nodes' functions, weights.

  static constexpr int mark_size = 8 / sizeof(Real);
  KONTRACT_BLOCK_FUNCTION int gradientNumbers() const {
    return has_nodes ? static_cast<int>(problem.shape.nodes) * D : 0;
  }
  KONTRACT_BLOCK_FUNCTION Real* gradients() const { return inputs + mark_size; }
  KONTRACT_BLOCK_FUNCTION Real* weights() const {
    return gradients() + sizes.points * gradientNumbers();
  }
  KONTRACT_BLOCK_FUNCTION bool hasSharedWeights() const {
    return has_weights && problem.weights.isThere() && problem.weights.strides.cell == 0;
  }

  KONTRACT_BLOCK_FUNCTION void copyShared(const PointPart& part) const {
    if constexpr (has_nodes) {
      const FormStrides& strides = problem.gradients.strides;
      const int of_point = gradientNumbers();
      for (int n = Block::thread(); n < part.count * of_point; n += Sizes::threads) {
        const int p = n / of_point, rest = n - p * of_point, node = rest / D;
        Block::copyNumber(gradients() + n, problem.gradients.elements.data + node * strides.field +
                                               pointOf(part, p) * strides.point +
                                               (rest - node * D) * strides.row);
      }
    }
    if (!hasSharedWeights()) return;
    for (int p = Block::thread(); p < part.count; p += Sizes::threads) {
      Block::copyNumber(weights() + p, problem.weights.elements.data +
                                           pointOf(part, p) * problem.weights.strides.point);
    }
  }

  KONTRACT_BLOCK_FUNCTION Acc weight(std::int64_t c, const PointPart& part, int p) const {
    if (!has_weights) return Acc(1);
    return hasSharedWeights() ? Acc(weights()[p]) : Point::weight(problem, c, pointOf(part, p));
  }

  // Inputs of a cell: nodes or Jacobians, then what each term has.

  /// Numbers of an array that a cell has, of three extents, the last of them 1 or D; from is that
  /// of the first cell.
  struct Numbers {
    const Real* from;
    std::int64_t cell, strides[3];
    int extents[3];
    bool cell_fastest;
    const std::int32_t* names = nullptr;  ///< the first index by cell, if they are numbered
    std::int64_t names_of_cell = 0;

    KONTRACT_BLOCK_FUNCTION int count() const { return extents[0] * extents[1] * extents[2]; }
    /// Whether those of a cell are one after another in memory.
    KONTRACT_BLOCK_FUNCTION bool areTogether() const {
      const auto isStep = [](int extent, std::int64_t stride, int step) {
        return extent == 1 || stride == step;
      };
      return isStep(extents[0], strides[0], extents[1] * extents[2]) &&
             isStep(extents[1], strides[1], extents[2]) && isStep(extents[2], strides[2], 1);
    }
    /// Where those of a first index begin; null: they are zeros.
    KONTRACT_BLOCK_FUNCTION const Real* at(std::int64_t c, int n) const {
      if constexpr (has_nodes) {
        if (names != nullptr) {
          const std::int32_t name = names[c * names_of_cell + n];
          return name < 0 ? nullptr : from + name * strides[0];
        }
      }
      return from + c * cell + n * strides[0];
    }
  };

  /// Begins to copy them, for the cells that there are. \param to  the place for them; the place
  /// behind it
  KONTRACT_BLOCK_FUNCTION void copyNumbers(const CellBatch& cells, const Numbers& numbers,
                                           Real*& to) const {
    if (numbers.cell_fastest) {
      copyByCells(cells, numbers, to);
    } else {
      copyByNumbers(cells, numbers, to);
    }
    to += numbers.count();
  }

  /// Whether cells are one after another, and what they have likewise.
  KONTRACT_BLOCK_FUNCTION bool areInOrder(const Numbers& numbers) const {
    return problem.scatter.cells == nullptr && numbers.names == nullptr;
  }

  /// Neighbouring threads have neighbouring cells.
  KONTRACT_BLOCK_FUNCTION void copyByCells(const CellBatch& cells, const Numbers& numbers,
                                           Real* to) const {
    const int cell = Block::thread() & (sizes.cells - 1);
    if (cell >= cells.count(problem, sizes.cells)) return;
    const int workers = Sizes::threads >> sizes.cell_bits;
    const int inner = numbers.extents[1] * numbers.extents[2];
    const std::int64_t c = cells.at(problem, cell);
    to += cell * sizes.input_step;
    for (int n = Block::thread() >> sizes.cell_bits; n < numbers.extents[0]; n += workers) {
      const Real* row = numbers.at(c, n);
      Real* place = to + n * inner;
      if (row == nullptr) {
        for (int i = 0; i < inner; ++i) place[i] = Real(0);
        continue;
      }
      for (int i = 0; i < numbers.extents[1]; ++i) {
        const Real* from = row;
        for (int j = 0; j < numbers.extents[2]; ++j) {
          Block::copyNumber(place++, from);
          from += numbers.strides[2];
        }
        row += numbers.strides[1];
      }
    }
  }

  /// Neighbouring threads have neighbouring numbers.
  KONTRACT_BLOCK_FUNCTION void copyByNumbers(const CellBatch& cells, const Numbers& numbers,
                                             Real* to) const {
    if (areInOrder(numbers) && numbers.areTogether()) {
      copyTogether(numbers.from + cells.first * numbers.cell, numbers.cell, numbers.count(),
                   cells.count(problem, sizes.cells), to, sizes.input_step, 1);
      return;
    }
    const int count = numbers.count(), inner = numbers.extents[1] * numbers.extents[2];
    const int lane_bits = lanesOf(count);
    const int lanes = 1 << lane_bits, first_cell = Block::thread() >> lane_bits;
    const int cell_step = Sizes::threads >> lane_bits, place_step = cell_step * sizes.input_step;
    const int end = cells.count(problem, sizes.cells);
    const bool are_in_order = areInOrder(numbers);
    for (int n = Block::thread() & (lanes - 1); n < count; n += lanes) {
      int outer = n;
      std::int64_t within = 0;
      if (inner > 1) {
        outer = inner == D * D ? n / (D * D) : n / inner;
        const int rest = n - outer * inner;
        const int i = numbers.extents[2] == D ? rest / D : rest;
        within = i * numbers.strides[1] + (rest - i * numbers.extents[2]) * numbers.strides[2];
      }
      Real* place = to + first_cell * sizes.input_step + n;
      if (are_in_order) {
        const Real* from = numbers.at(cells.first + first_cell, outer) + within;
        const std::int64_t from_step = cell_step * numbers.cell;
        for (int cell = first_cell; cell < end; cell += cell_step) {
          Block::copyNumber(place, from);
          place += place_step;
          from += from_step;
        }
        continue;
      }
      for (int cell = first_cell; cell < end; cell += cell_step) {
        const Real* const from = numbers.at(cells.at(problem, cell), outer);
        if (from == nullptr) {
          *place = Real(0);
        } else {
          Block::copyNumber(place, from + within);
        }
        place += place_step;
      }
    }
  }

  KONTRACT_BLOCK_FUNCTION void copyMapping(const CellBatch& cells, const PointPart& part,
                                           Real*& to) const {
    const auto& mapping = problem.mapping;
    const FormStrides& strides = mapping.strides;
    const Real* const data = mapping.elements.data;
    Numbers numbers;
    if constexpr (has_nodes) {
      numbers = {data,
                 strides.cell,
                 {strides.field, strides.row, 0},
                 {static_cast<int>(problem.shape.nodes), D, 1},
                 strides.cell == 1,
                 mapping.numbers,
                 mapping.fields};
    } else {
      numbers = {data + pointOf(part, 0) * strides.point,
                 strides.cell,
                 {strides.point, strides.row, strides.column},
                 {pointsOf(mapping, part), D, D},
                 strides.cell == 1};
    }
    copyNumbers(cells, numbers, to);
  }

  /// Rows and columns of a coefficient as it is given.
  KONTRACT_BLOCK_FUNCTION static bool isSquare(const FormTermShape& term) {
    return term.kind == CoefficientKind::Full && term.left_is_vector && term.right_is_vector;
  }
  /// Points of an array that are copied.
  template <class Array>
  KONTRACT_BLOCK_FUNCTION static int pointsOf(const Array& array, const PointPart& part) {
    return array.strides.point == 0 ? 1 : part.count;
  }

  template <class Array>
  KONTRACT_BLOCK_FUNCTION void copyCoefficient(const FormTermShape& term, const Array& array,
                                               const CellBatch& cells, const PointPart& part,
                                               Real*& to) const {
    if constexpr (Array::is_ever_there) {
      if (!array.isThere()) return;
      const FormStrides& strides = array.strides;
      const int of_point = coefficientNumbers(term, D), columns = isSquare(term) ? D : 1;
      copyNumbers(cells,
                  {array.elements.data + pointOf(part, 0) * strides.point,
                   strides.cell,
                   {strides.point, strides.row, strides.column},
                   {pointsOf(array, part), of_point / columns, columns},
                   strides.cell == 1},
                  to);
    }
  }

  /// A coefficient as it is in shared memory, if it is there.
  /// \param from  its place, for the cell of a thread; the place behind it
  template <class Array>
  KONTRACT_BLOCK_FUNCTION static void takeCopy(const FormTermShape& term, const PointPart& part,
                                               int p, const Real*& from, Array& array) {
    if constexpr (Array::is_ever_there) {
      if (!array.isThere()) return;
      const int of_point = coefficientNumbers(term, D);
      array.elements.data = from + (pointsOf(array, part) == 1 ? 0 : p * of_point);
      from += pointsOf(array, part) * of_point;
      array.strides = {0, 0, 0, isSquare(term) ? D : 1, 1};
    }
  }

  KONTRACT_BLOCK_FUNCTION int mappingNumbers(const PointPart& part) const {
    if constexpr (has_nodes) {
      return static_cast<int>(problem.shape.nodes) * D;
    } else {
      return pointsOf(problem.mapping, part) * D * D;
    }
  }

  /// Fills in what follows from the Jacobian.
  KONTRACT_BLOCK_FUNCTION void fillIn(PointGeometry<D, Acc>& at) const {
    bool has_inverse = sizes.has_inverses;
    if constexpr (Terms::are_known) has_inverse = Terms::have_gradients;
    if (has_inverse) {
      invertJacobian(at);
    } else {
      at.determinant = determinantOf(at.jacobian);
    }
  }
  KONTRACT_BLOCK_FUNCTION void setJacobian(const Real* of_cell, int p,
                                           PointGeometry<D, Acc>& at) const {
    if constexpr (has_nodes) {
      const int nodes = static_cast<int>(problem.shape.nodes);
      const NodeGradients<Real> of_nodes{gradients() + p * gradientNumbers(), D, 1};
      if (nodes == D + 1) {  // of simplices; compilers see no loop
        Impl::setJacobian(std::integral_constant<int, D + 1>(), of_cell, 1, of_nodes, at.jacobian);
      } else {
        Impl::setJacobian(nodes, of_cell, 1, of_nodes, at.jacobian);
      }
      fillIn(at);
    } else if constexpr (has_mapping) {
      const Real* const from = of_cell + (problem.mapping.strides.point == 0 ? 0 : p * D * D);
      KONTRACT_UNROLL
      for (int i = 0; i < D; ++i) {
        KONTRACT_UNROLL
        for (int j = 0; j < D; ++j) at.jacobian[i][j] = Acc(from[i * D + j]);
      }
      fillIn(at);
    }
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
