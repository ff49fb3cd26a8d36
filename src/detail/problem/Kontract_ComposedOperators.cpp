// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_ComposedOperators.hpp"

#include <map>

namespace Kontract {
namespace Impl {
namespace {

/// The rows of a matrix of a cell.
using Rows = std::vector<std::map<std::int32_t, double>>;

/// A block times the rows of its fields.
void multiply(const FieldOperators& of, const FieldBlock& block, Rows& rows) {
  const std::int32_t* const fields = of.fields + block.first_field;
  Rows products(static_cast<std::size_t>(block.count));
  for (std::int32_t i = 0; i < block.count; ++i) {
    const std::int64_t row = block.first_row + i;
    for (std::int64_t n = of.rows[row]; n < of.rows[row + 1]; ++n) {
      for (const auto& [field, weight] : rows[std::size_t(fields[of.columns[n]])]) {
        products[std::size_t(i)][field] += of.weights[n] * weight;
      }
    }
  }
  for (std::int32_t i = 0; i < block.count; ++i) {
    rows[std::size_t(fields[i])].swap(products[std::size_t(i)]);
  }
}

Rows transposed(const Rows& rows) {
  Rows columns(rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (const auto& [column, weight] : rows[row]) {
      columns[std::size_t(column)][static_cast<std::int32_t>(row)] = weight;
    }
  }
  return columns;
}

/// The matrix T of cells that have some blocks.
Rows rowsOf(const FieldOperators& of, const std::vector<std::int32_t>& blocks,
            std::int64_t fields) {
  Rows rows(static_cast<std::size_t>(fields));
  for (std::size_t f = 0; f < rows.size(); ++f) rows[f][static_cast<std::int32_t>(f)] = 1;
  for (const std::int32_t block : blocks) multiply(of, of.blocks[block], rows);
  return rows;
}

void append(const Rows& rows, ComposedOperators& to) {
  to.starts.push_back(static_cast<std::int64_t>(to.fields.size()));
  for (const auto& row : rows) {
    for (const auto& [field, weight] : row) {
      if (weight == 0) continue;
      to.fields.push_back(field);
      to.weights.push_back(weight);
    }
    to.starts.push_back(static_cast<std::int64_t>(to.fields.size()));
  }
}

}  // namespace

FieldMatrices ComposedOperators::plain() const {
  return {kinds.data(), starts.data(), fields.data(), weights.data(), rows, 1};
}

ComposedOperators composed(const FieldOperators& of, std::int64_t cells, std::int64_t fields,
                           FieldDirection direction) {
  ComposedOperators all;
  all.rows = fields;
  std::map<std::vector<std::int32_t>, std::int32_t> kinds;
  all.kinds.reserve(static_cast<std::size_t>(cells));
  std::vector<std::int32_t> blocks;
  for (std::int64_t c = 0; c < cells; ++c) {
    blocks.assign(of.cell_blocks + of.starts[c], of.cell_blocks + of.starts[c + 1]);
    const auto found = kinds.find(blocks);
    all.kinds.push_back(found == kinds.end() ? static_cast<std::int32_t>(kinds.size())
                                             : found->second);
    if (found != kinds.end()) continue;
    kinds.emplace(blocks, all.kinds.back());
    const Rows rows = rowsOf(of, blocks, fields);
    append(direction == FieldDirection::Out ? rows : transposed(rows), all);
  }
  return all;
}

}  // namespace Impl
}  // namespace Kontract
