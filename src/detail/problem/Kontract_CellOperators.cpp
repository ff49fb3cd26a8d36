// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_CellOperators.hpp"

#include <algorithm>
#include <cmath>

namespace Kontract {
namespace Impl {

OperatorStore::OperatorStore(const OperatorStore& store, const std::vector<std::int64_t>& cells)
    : OperatorStore(store) {
  _starts.assign(1, 0);
  _cell_blocks.clear();
  for (const std::int64_t c : cells) {
    if (c >= 0) {
      const auto begin = store._cell_blocks.begin();
      _cell_blocks.insert(_cell_blocks.end(), begin + store._starts[static_cast<std::size_t>(c)],
                          begin + store._starts[static_cast<std::size_t>(c) + 1]);
    }
    endCell();
  }
}

std::int32_t OperatorStore::addBlock(const std::vector<std::int32_t>& fields,
                                     const std::vector<double>& weights) {
  const std::size_t count = fields.size();
  bool is_identity = true;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    is_identity = is_identity && weights[i] == (i % (count + 1) == 0 ? 1 : 0);
  }
  if (is_identity) return -1;
  FieldBlock block;
  block.count = static_cast<std::int32_t>(count);
  block.first_field = static_cast<std::int32_t>(_block_fields.size());
  block.first_row = static_cast<std::int64_t>(_rows.size()) - 1;
  _block_fields.insert(_block_fields.end(), fields.begin(), fields.end());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] != 0) {
      _columns.push_back(static_cast<std::int32_t>(i % count));
      _weights.push_back(weights[i]);
    }
    if (i % count + 1 == count) _rows.push_back(static_cast<std::int64_t>(_columns.size()));
  }
  _most_fields = std::max(_most_fields, static_cast<std::int64_t>(count));
  _blocks.push_back(block);
  return static_cast<std::int32_t>(_blocks.size()) - 1;
}

bool OperatorStore::areSigns() const {
  for (const FieldBlock& block : _blocks) {
    for (std::int32_t i = 0; i < block.count; ++i) {
      const std::size_t row = static_cast<std::size_t>(block.first_row + i);
      const std::size_t entry = static_cast<std::size_t>(_rows[row]);
      if (_rows[row + 1] != _rows[row] + 1 || _columns[entry] != i) return false;
      if (std::abs(_weights[entry]) != 1) return false;
    }
  }
  return true;
}

std::int64_t OperatorStore::bytes() const {
  return static_cast<std::int64_t>(
      8 * (_starts.size() + _rows.size() + _weights.size()) + sizeof(FieldBlock) * _blocks.size() +
      4 * (_cell_blocks.size() + _block_fields.size() + _columns.size()));
}

FieldOperators OperatorStore::plain(std::int64_t first_cell) const {
  FieldOperators plain;
  plain.starts = _starts.data() + first_cell;
  plain.cell_blocks = _cell_blocks.data();
  plain.blocks = _blocks.data();
  plain.fields = _block_fields.data();
  plain.rows = _rows.data();
  plain.columns = _columns.data();
  plain.weights = _weights.data();
  plain.most_fields = _most_fields;
  return plain;
}

CellOperators CellOperators::part(std::int64_t first, std::int64_t last) const {
  CellOperators part(*this);
  part._first = _first + first;
  part._cells = last - first;
  return part;
}

FieldOperators CellOperators::plain() const {
  if (!_store || _store->areIdentities()) return {};
  return _store->plain(_first);
}

void signsOf(const FieldOperators& of, std::int64_t cell, std::vector<double>& signs) {
  std::fill(signs.begin(), signs.end(), 1.0);
  if (of.starts == nullptr) return;
  for (std::int64_t i = of.starts[cell]; i < of.starts[cell + 1]; ++i) {
    const FieldBlock& block = of.blocks[of.cell_blocks[i]];
    for (std::int32_t f = 0; f < block.count; ++f) {
      double& sign = signs[static_cast<std::size_t>(of.fields[block.first_field + f])];
      sign *= of.weights[of.rows[block.first_row + f]];
    }
  }
}

}  // namespace Impl
}  // namespace Kontract
