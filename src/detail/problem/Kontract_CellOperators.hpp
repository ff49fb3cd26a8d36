// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_CELLOPERATORS_HPP
#define KONTRACT_CELLOPERATORS_HPP

#include <memory>
#include <vector>

#include "Kontract_FieldOperators.hpp"

namespace Kontract {
namespace Impl {

/// What FieldOperators points to. Blocks are made first, then the list of those that each cell has.
class OperatorStore {
 public:
  explicit OperatorStore(std::int64_t fields) : _fields(fields) {}
  /// Those of other cells.
  /// \param cells  of the store, negative ones being identities
  OperatorStore(const OperatorStore& store, const std::vector<std::int64_t>& cells);

  /// \param fields   of a cell, without repetition
  /// \param weights  of a square matrix of these, row by row
  /// \return its number; -1 for an identity, which need not be stored
  std::int32_t addBlock(const std::vector<std::int32_t>& fields,
                        const std::vector<double>& weights);

  /// Gives the cell that is being listed a block; negative ones are identities.
  void give(std::int32_t block) {
    if (block >= 0) _cell_blocks.push_back(block);
  }
  /// Ends the list of a cell.
  void endCell() { _starts.push_back(static_cast<std::int64_t>(_cell_blocks.size())); }

  std::int64_t fields() const { return _fields; }
  std::int64_t cells() const { return static_cast<std::int64_t>(_starts.size()) - 1; }
  bool areIdentities() const { return _cell_blocks.empty(); }
  bool areSigns() const;
  std::int64_t bytes() const;
  FieldOperators plain(std::int64_t first_cell) const;

 private:
  std::int64_t _fields, _most_fields = 0;
  std::vector<std::int64_t> _starts{0}, _rows{0};
  std::vector<std::int32_t> _cell_blocks, _block_fields, _columns;
  std::vector<FieldBlock> _blocks;
  std::vector<double> _weights;
};

/// The operators of some cells, one after another. Copies share them.
class CellOperators {
 public:
  CellOperators() = default;
  explicit CellOperators(std::shared_ptr<const OperatorStore> store)
      : _store(std::move(store)), _cells(_store->cells()) {}

  bool isThere() const { return _store != nullptr; }
  std::int64_t cells() const { return _cells; }
  std::int64_t fields() const { return _store ? _store->fields() : 0; }
  const OperatorStore& store() const { return *_store; }
  std::int64_t firstCell() const { return _first; }
  /// Those of cells first to last - 1, which there are.
  CellOperators part(std::int64_t first, std::int64_t last) const;
  /// Nothing where all are identities.
  FieldOperators plain() const;

 private:
  std::shared_ptr<const OperatorStore> _store;
  std::int64_t _first = 0, _cells = 0;
};

/// What a cell multiplies fields by whose operators are signs.
/// \param signs  of as many fields as a cell has
void signsOf(const FieldOperators& of, std::int64_t cell, std::vector<double>& signs);

}  // namespace Impl
}  // namespace Kontract

#endif
