// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TRANSFORMEDFORMS_HPP
#define KONTRACT_TRANSFORMEDFORMS_HPP

#include <algorithm>
#include <string>
#include <utility>

#include "Kontract_Scattering.hpp"
#include "Kontract_SeveralVectors.hpp"
#include "detail/kernels/portable/Kontract_FieldTransforms.hpp"
#include "detail/kernels/portable/Kontract_PlainFormKernel.hpp"
#include "detail/problem/Kontract_ComposedOperators.hpp"
#include "detail/support/Kontract_Workspace.hpp"

namespace Kontract {
namespace Impl {

/// The batches of calls whose algorithms have workspaces of their own.
struct BatchMemory {};

/// Some cells among those that have operators.
struct CellsWithOperators {
  std::int64_t first, count;
};

/// Those of cells of a form that are expanded.
/// \param first  cell of the form
inline CellsWithOperators expandedAmong(const ExpandedCells& of, std::int64_t first,
                                        std::int64_t count) {
  const std::int32_t *const begin = of.cells, *const end = of.cells + of.count;
  const std::int64_t from = std::lower_bound(begin, end, of.first_cell + first) - begin;
  return {from, std::lower_bound(begin, end, of.first_cell + first + count) - begin - from};
}

/// The matrices of operators: those that devices were given, or for hosts made for one call.
class MatricesOfCall {
 public:
  /// \param cells  that the call needs
  MatricesOfCall(const FieldOperators& given, const CellsWithOperators& cells, std::int64_t fields,
                 FieldDirection direction)
      : _matrices(given.matrices) {
    if (given.starts == nullptr || _matrices.kinds != nullptr || cells.count == 0) return;
    FieldOperators of = given;
    of.starts += cells.first;
    _made = composed(of, cells.count, fields, direction);
    _matrices = _made.plain();
    _matrices.kinds -= cells.first;
    _matrices.components = of.components;
  }
  MatricesOfCall(const MatricesOfCall&) = delete;
  MatricesOfCall& operator=(const MatricesOfCall&) = delete;

  const FieldMatrices& plain() const { return _matrices; }

 private:
  ComposedOperators _made;
  FieldMatrices _matrices;
};

/// Forms of cells whose fields are transformed, by algorithms whose kernels know nothing of that:
/// these compute a batch of cells at a time, from vectors that were transformed into a buffer and
/// into a buffer, which then is transformed and added to where it belongs.
template <class Space, class T>
class TransformedForms {
 public:
  TransformedForms(const Space& space, const PlainForm<T>& form, const LaunchSettings& settings,
                   std::string label)
      : _space(space),
        _form(form),
        _settings(settings),
        _label(std::move(label)),
        _rows(form.lefts * form.left_blocks),
        _columns(form.kind == FormKind::Matrices ? form.rights * form.right_blocks : 1),
        _unknowns(form.kind == FormKind::Products ? form.rights * form.right_blocks : 0),
        _left(form.left_operators, {0, form.cells}, form.lefts, FieldDirection::Out),
        _right(form.right_operators, {0, form.cells}, form.rights, FieldDirection::Out),
        _vector(form.vector_operators, {0, form.cells}, form.rights, FieldDirection::In),
        _expanded_left(form.expanded_out.left, expandedAmong(form.expanded_out, 0, form.cells),
                       form.expanded_out.rows.fields, FieldDirection::Out),
        _expanded_right(form.expanded_out.right, expandedAmong(form.expanded_out, 0, form.cells),
                        form.expanded_out.columns, FieldDirection::Out),
        _expanded_vector(form.expanded_vector.left,
                         expandedAmong(form.expanded_vector, 0, form.cells),
                         form.expanded_vector.rows.fields, FieldDirection::In) {}

  /// \param compute  calls an algorithm with a form of a batch
  template <class Compute>
  void run(const Compute& compute) {
    if (_form.outputs() == 0) return clearScattered(_space, _form, _label);
    const std::int64_t numbers = numbersOfCell(), bytes = numbers * std::int64_t(sizeof(T));
    const std::int64_t most =
        std::max<std::int64_t>(1, batch_bytes / std::max<std::int64_t>(1, bytes));
    const std::int64_t cells = std::min(_form.cells, most);
    // All that are beyond the least have one size, so that none is outgrown.
    const std::int64_t needed = cells * bytes;
    const Workspace<Space, BatchMemory> workspace(
        _space, needed <= workspace_bytes ? needed : std::max(needed, batch_bytes));
    T* memory = static_cast<T*>(workspace.data());
    const auto take = [&](bool is_needed, std::int64_t of_cell) {
      T* const taken = memory;
      memory += is_needed ? cells * of_cell : 0;
      return taken;
    };
    _read = take(readsFields(), _unknowns);
    _transformed_read = take(readsTwice(), _unknowns);
    _computed = take(leavesOutputs(), outputs());
    _transformed = take(transformsTwice(), outputs());
    for (std::int64_t c = 0; c < _form.cells; c += cells) {
      const std::int64_t n = std::min(cells, _form.cells - c);
      PlainTerm<T> terms[max_form_terms];
      PlainForm<T> batch = cellsOf(_form, c, n, terms);
      batch.has_operators = false;
      // What all batches share is cleared once an algorithm has what memory it needs: by itself, or
      // where outputs are in a buffer, before these are added.
      batch.sum_into = batch.sum_into || (batch.is_scattered && c > 0);
      if (readsFields()) readVector(c, n, batch);
      if (leavesOutputs()) placeOutput(batch);
      compute(batch);
      if (!leavesOutputs()) continue;
      if (c == 0) _form = scatteringForm(_space, _form, _settings, _label);
      leave(c, n);
    }
  }

 private:
  static constexpr std::int64_t batch_bytes = is_host_space<Space> ? 1 << 20 : 1 << 26;

  std::int64_t outputs() const { return _rows * _columns; }
  bool isExpanded() const { return _form.expanded_out.count > 0; }
  bool isOriented() const {
    return _left.plain().kinds != nullptr || _right.plain().kinds != nullptr;
  }
  bool readsFields() const {
    return _unknowns > 0 && (_vector.plain().kinds != nullptr || _form.expanded_vector.count > 0);
  }
  /// Constraints and orientations, one after the other.
  bool readsTwice() const {
    return readsFields() && _vector.plain().kinds != nullptr && _form.expanded_vector.count > 0;
  }
  bool leavesOutputs() const { return isOriented() || isExpanded(); }
  bool transformsTwice() const { return isOriented() && isExpanded(); }
  std::int64_t numbersOfCell() const {
    return _unknowns * (int(readsFields()) + int(readsTwice())) +
           outputs() * (int(leavesOutputs()) + int(transformsTwice()));
  }

  CellsOfBuffer batchOf(std::int64_t c) const { return {c, c, nullptr, 0, false}; }

  /// The vectors of a batch as the fields of its cells see them.
  void readVector(std::int64_t c, std::int64_t n, PlainForm<T>& batch) const {
    NumberedFormArray<T> given;
    take(_form.vector, _form.vector_numbers, given);
    const bool is_first = readsTwice();
    const FieldMatrices transposed = is_first ? FieldMatrices() : _vector.plain();
    launch(_space, _label, n * _unknowns,
           ReadFields<T>{given, transposed, batchOf(c), _unknowns, FastDivisor(_unknowns), _read});
    const ExpandedCells& expanded = _form.expanded_vector;
    forExpanded(expanded, c, n, [&](const CellsOfBuffer& cells, std::int64_t count) {
      NumberedFormArray<T> all;
      take(_form.vector, expanded.rows, all);
      launch(_space, _label, count * _unknowns,
             ReadFields<T>{all, _expanded_vector.plain(), cells, _unknowns, FastDivisor(_unknowns),
                           _read});
    });
    if (is_first) {
      NumberedFormArray<T> read;
      take(ofBatch(_read, c), NumberTable(), read);
      launch(_space, _label, n * _unknowns,
             ReadFields<T>{read, _vector.plain(), batchOf(c), _unknowns, FastDivisor(_unknowns),
                           _transformed_read});
    }
    batch.vector = ofBatch(is_first ? _transformed_read : _read, 0);
    batch.vector_numbers = {};
    batch.vector_operators = {};
    batch.expanded_vector = {};
  }

  /// Vectors in a buffer whose first cell is c.
  PlainArray<T> ofBatch(const T* buffer, std::int64_t c) const {
    PlainArray<T> array;
    array.data = buffer - c * _unknowns;
    array.cell = _unknowns;
    array.field = 1;
    array.is_there = true;
    return array;
  }

  /// Lets kernels leave what they compute in a buffer.
  void placeOutput(PlainForm<T>& batch) const {
    batch.out = _computed;
    batch.out_cell = outputs();
    batch.out_row = _columns;
    batch.out_column = 1;
    batch.scatter = {};
    batch.left_operators = batch.right_operators = {};
    batch.expanded_out = {};
    batch.is_scattered = batch.can_be_colored = batch.has_constraints = false;
    batch.sum_into = batch.cell_fastest = false;
    batch.shared_outputs = 0;
    batch.cell_with_repeat = -1;
  }

  void leave(std::int64_t c, std::int64_t n) const {
    const T* computed = _computed;
    if (transformsTwice()) {
      const OwnOutputs<T> to{_transformed - c * outputs(), outputs(), _columns, 1, false};
      transform(computed, _left.plain(), _right.plain(), batchOf(c), n, to);
      computed = _transformed;
    }
    const bool is_done = transformsTwice();
    const FieldMatrices left = is_done ? FieldMatrices() : _left.plain(),
                        right = is_done ? FieldMatrices() : _right.plain();
    if (!_form.scatter.is_there) {
      const OwnOutputs<T> to{_form.out, _form.out_cell, _form.out_row, _form.out_column,
                             _form.sum_into};
      return transform(computed, left, right, batchOf(c), n, to);
    }
    const ScatteredOutputs<T> to{_form.out, {_form.scatter}};
    forEachColorOf(c, n, [&](const CellsOfBuffer& cells, std::int64_t count) {
      transform(computed, left, right, cells, count, to);
    });
    if (isExpanded()) addExpanded(computed, c, n);
  }

  template <class Target>
  void transform(const T* from, const FieldMatrices& left, const FieldMatrices& right,
                 const CellsOfBuffer& cells, std::int64_t count, const Target& to) const {
    launchEntries(from, left, right, cells, count, _rows, _columns, to);
  }

  /// \param rows, columns  of the target, in each of so many cells
  template <class Target>
  void launchEntries(const T* from, const FieldMatrices& left, const FieldMatrices& right,
                     const CellsOfBuffer& cells, std::int64_t count, std::int64_t rows,
                     std::int64_t columns, const Target& to) const {
    if (rows * columns == 0) return;
    // Work items are numbered in 31 bits: one cell may have all of them.
    const std::int64_t most = std::max<std::int64_t>(1, (FastDivisor::end - 1) / (rows * columns));
    for (std::int64_t first = 0; first < count; first += most) {
      const std::int64_t some = std::min(most, count - first);
      CellsOfBuffer part = cells;
      part.begin += first;
      launch(_space, _label, some * rows * columns,
             TransformOutputs<T, Target>{from, _rows, _columns, left, right, part, columns,
                                         FastDivisor(rows), FastDivisor(columns), to});
    }
  }

  /// Adds cells of constrained unknowns to all that these depend on.
  void addExpanded(const T* computed, std::int64_t c, std::int64_t n) const {
    const ExpandedCells& expanded = _form.expanded_out;
    ScatteredOutputs<T> to{_form.out, {_form.scatter}};
    to.target.to.rows = expanded.rows;
    to.target.to.offsets = expanded.offsets;
    const std::int64_t rows = expanded.rows.fields;
    const std::int64_t columns = _form.kind == FormKind::Matrices ? expanded.columns : 1;
    forExpanded(expanded, c, n, [&](const CellsOfBuffer& cells, std::int64_t count) {
      launchEntries(computed, _expanded_left.plain(), _expanded_right.plain(), cells, count, rows,
                    columns, to);
    });
  }

  /// Calls f(cells, count) with those of n cells from c on that are expanded.
  template <class F>
  static void forExpanded(const ExpandedCells& of, std::int64_t c, std::int64_t n, const F& f) {
    const CellsWithOperators cells = expandedAmong(of, c, n);
    if (cells.count > 0) {
      f(CellsOfBuffer{c, cells.first, of.device_cells, of.first_cell, true}, cells.count);
    }
  }

  /// Calls f(cells, count) with a batch, or with the cells of a color of it at a time.
  template <class F>
  void forEachColorOf(std::int64_t c, std::int64_t n, const F& f) const {
    const Scatter& scatter = _form.scatter;
    if (scatter.way != ScatterWay::Colored) return f(batchOf(c), n);
    Scatter of_batch = scatter;
    of_batch.first_cell += c;
    forEachColor(of_batch, n, [&](std::int64_t first, std::int64_t last) {
      f(CellsOfBuffer{c, first, scatter.colors.device_blocks, scatter.first_cell, false},
        last - first);
    });
  }

  Space _space;
  PlainForm<T> _form;
  LaunchSettings _settings;
  std::string _label;
  std::int64_t _rows, _columns, _unknowns;  ///< of a cell
  MatricesOfCall _left, _right, _vector, _expanded_left, _expanded_right, _expanded_vector;
  T *_read = nullptr, *_transformed_read = nullptr, *_computed = nullptr, *_transformed = nullptr;
};

/// Whether an algorithm transforms fields itself on a space.
template <class Algorithm, class Space, class = void>
inline constexpr bool transforms_fields = false;
template <class Algorithm, class Space>
inline constexpr bool transforms_fields<
    Algorithm, Space, std::void_t<decltype(Algorithm::template transforms_fields<Space>)>> =
    Algorithm::template transforms_fields<Space>;

/// Runs an algorithm: by itself, vector by vector of several, or, where it does not transform
/// fields that have to be, between kernels that do.
template <class Algorithm, class Space, class Problem>
void runAlgorithm(const Space& space, const Problem& problem,
                  const Plan<typename Algorithm::Settings>& plan, const std::string& label) {
  if constexpr (is_plain_form<Problem>) {
    if (problem.vectors > 1) {
      return forEachVector(space, problem, [&](const Problem& product) {
        runAlgorithm<Algorithm>(space, product, plan, label);
      });
    }
    if (problem.has_operators && !transforms_fields<Algorithm, Space>) {
      using T = typename Problem::out_type::value_type;
      return TransformedForms<Space, T>(space, problem, plan.launch, label)
          .run([&](const Problem& batch) { Algorithm::run(space, batch, plan, label); });
    }
  }
  Algorithm::run(space, problem, plan, label);
}

}  // namespace Impl
}  // namespace Kontract

#endif
