// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_CONSTRAINTROWS_HPP
#define KONTRACT_CONSTRAINTROWS_HPP

#include <cstdint>
#include <utility>
#include <vector>

#include "Kontract_CellOperators.hpp"
#include "Kontract_ExpandedCells.hpp"

namespace Kontract {
namespace Impl {

/// Unknowns that are sums of others, u_i = sum over j of w_ij u_j, until the j are sums no more.
class ConstraintRows {
 public:
  struct Share {
    std::int32_t unknown;
    double weight;
  };
  using Row = std::vector<Share>;

  ConstraintRows() = default;
  /// \param starts, unknowns, weights  compressed rows, as LinearConstraints takes them
  ConstraintRows(const std::vector<std::int64_t>& starts, const std::vector<std::int64_t>& unknowns,
                 const std::vector<double>& weights);

  std::int64_t count() const { return static_cast<std::int64_t>(_place.size()); }
  std::int64_t constrained() const { return static_cast<std::int64_t>(_rows.size()); }
  bool isConstrained(std::int64_t unknown) const {
    return unknown >= 0 && _place[static_cast<std::size_t>(unknown)] >= 0;
  }
  /// Of an unknown that is constrained.
  const Row& row(std::int64_t unknown) const {
    return _rows[static_cast<std::size_t>(_place[static_cast<std::size_t>(unknown)])];
  }

 private:
  /// A row that waits for those that it depends on, and how many of these are done.
  struct OpenRow {
    std::int32_t unknown;
    std::size_t done;
  };

  void resolve();
  bool pushNext(std::vector<OpenRow>& open, const std::vector<char>& state) const;
  Row resolvedRow(const Row& row) const;

  std::vector<std::int32_t> _place;     ///< of unknowns among the constrained ones; -1: it is free
  std::vector<std::int32_t> _unknowns;  ///< that are constrained
  std::vector<Row> _rows;
};

/// Cells that have constrained unknowns, with all that these depend on: see ExpandedCells.
struct ExpandedTable {
  std::vector<std::int32_t> cells;    ///< ascending
  std::int64_t fields = 0;            ///< of each, those that a cell lacks being -1
  std::vector<std::int32_t> numbers;  ///< (cells, fields)
  CellOperators operators;

  std::int64_t count() const { return static_cast<std::int64_t>(cells.size()); }
};

/// Takes cells with constrained unknowns out of a table of numbers (C,F), where theirs become -1.
ExpandedTable expandedTable(const ConstraintRows& constraints, std::int32_t* numbers,
                            std::int64_t cells, std::int64_t fields);

/// Those of the table's cells that are among some cells, and the others.
/// \param cells    ascending
/// \param numbers  (C,F), for those that have no constraints
ExpandedTable amongOthers(const ExpandedTable& table, const std::vector<std::int32_t>& cells,
                          const std::int32_t* numbers, std::int64_t fields);

/// Cells of either table.
std::vector<std::int32_t> unionOf(const ExpandedTable& a, const ExpandedTable& b);

}  // namespace Impl
}  // namespace Kontract

#endif
