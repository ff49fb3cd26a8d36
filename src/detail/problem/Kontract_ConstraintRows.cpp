// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_ConstraintRows.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <string>

#include "detail/support/Kontract_Error.hpp"

namespace Kontract {
namespace Impl {
namespace {

constexpr const char* function = "LinearConstraints";

enum State : char { not_seen, open_now, is_done };

std::string unknownText(std::int64_t unknown) { return "unknown " + std::to_string(unknown); }

/// A row without zeros.
ConstraintRows::Row checkedRow(std::int64_t i, std::int64_t begin, std::int64_t end,
                               std::int64_t count, const std::vector<std::int64_t>& unknowns,
                               const std::vector<double>& weights) {
  ConstraintRows::Row row;
  for (std::int64_t n = begin; n < end; ++n) {
    const std::int64_t j = unknowns[static_cast<std::size_t>(n)];
    const double weight = weights[static_cast<std::size_t>(n)];
    if (j < 0 || j >= count) {
      refuse(function, unknownText(i) + " depends on unknown " + std::to_string(j) +
                           ", but there are " + std::to_string(count));
    }
    if (!std::isfinite(weight)) {
      refuse(function, "the weight of unknown " + std::to_string(j) + " in " + unknownText(i) +
                           " is no finite number");
    }
    if (weight != 0) row.push_back({static_cast<std::int32_t>(j), weight});
  }
  return row;
}

/// Whether a row says that an unknown is what it is.
bool isIdentity(std::int64_t i, const ConstraintRows::Row& row) {
  return row.size() == 1 && row[0].unknown == i && row[0].weight == 1;
}

}  // namespace

ConstraintRows::ConstraintRows(const std::vector<std::int64_t>& starts,
                               const std::vector<std::int64_t>& unknowns,
                               const std::vector<double>& weights) {
  const std::int64_t count = std::max<std::int64_t>(0, std::int64_t(starts.size()) - 1);
  if (unknowns.size() != weights.size()) {
    refuse(function, "rows have " + std::to_string(unknowns.size()) + " unknowns, but " +
                         std::to_string(weights.size()) + " weights");
  }
  _place.assign(static_cast<std::size_t>(count), -1);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t begin = starts[std::size_t(i)], end = starts[std::size_t(i) + 1];
    if (begin < 0 || end < begin || end > std::int64_t(unknowns.size())) {
      refuse(function, "the row of " + unknownText(i) + " is from " + std::to_string(begin) +
                           " to " + std::to_string(end) + ", but there are " +
                           std::to_string(unknowns.size()) + " entries");
    }
    if (begin == end) continue;
    Row row = checkedRow(i, begin, end, count, unknowns, weights);
    if (isIdentity(i, row)) continue;
    _place[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(_rows.size());
    _unknowns.push_back(static_cast<std::int32_t>(i));
    _rows.push_back(std::move(row));
  }
  resolve();
}

/// Replaces constrained unknowns in rows by what they depend on, the deepest first.
void ConstraintRows::resolve() {
  std::vector<char> state(_rows.size(), not_seen);
  std::vector<OpenRow> open;
  for (const std::int32_t first : _unknowns) {
    open.assign(1, {first, 0});
    while (!open.empty()) {
      const std::size_t place = static_cast<std::size_t>(_place[std::size_t(open.back().unknown)]);
      if (state[place] != is_done) {
        state[place] = open_now;
        if (pushNext(open, state)) continue;
        _rows[place] = resolvedRow(_rows[place]);
        state[place] = is_done;
      }
      open.pop_back();
    }
  }
}

/// Opens a row that the last one needs; false if it needs none.
bool ConstraintRows::pushNext(std::vector<OpenRow>& open, const std::vector<char>& state) const {
  const std::int32_t unknown = open.back().unknown;
  const Row& row = this->row(unknown);
  for (std::size_t& done = open.back().done; done < row.size(); ++done) {
    const std::int32_t next = row[done].unknown;
    if (!isConstrained(next)) continue;
    const char of_next = state[std::size_t(_place[std::size_t(next)])];
    if (of_next == is_done) continue;
    if (of_next == open_now) {
      const std::string by = unknown == next ? "" : ", by way of " + unknownText(unknown);
      refuse(function, unknownText(next) + " depends on itself" + by);
    }
    open.push_back({next, 0});
    return true;
  }
  return false;
}

ConstraintRows::Row ConstraintRows::resolvedRow(const Row& row) const {
  std::map<std::int32_t, double> sums;
  for (const Share& share : row) {
    if (!isConstrained(share.unknown)) {
      sums[share.unknown] += share.weight;
      continue;
    }
    for (const Share& deeper : this->row(share.unknown)) {
      sums[deeper.unknown] += share.weight * deeper.weight;
    }
  }
  Row resolved;
  for (const auto& [unknown, weight] : sums) {
    if (weight != 0) resolved.push_back({unknown, weight});
  }
  return resolved;
}

namespace {

/// The unknowns of a cell: its own, -1 for constrained ones, then others that these depend on.
class CellOfConstraints {
 public:
  CellOfConstraints(const ConstraintRows& constraints, const std::int32_t* numbers,
                    std::int64_t fields)
      : _constraints(constraints), _numbers(numbers, numbers + fields), all(_numbers) {
    for (std::int32_t& number : all) {
      if (constraints.isConstrained(number)) number = -1;
    }
    for (const std::int32_t number : _numbers) {
      if (!constraints.isConstrained(number)) continue;
      for (const auto& share : constraints.row(number)) {
        if (placeOf(share.unknown) == all.size()) all.push_back(share.unknown);
      }
    }
  }

  void addTo(OperatorStore& store) const {
    for (std::size_t f = 0; f < _numbers.size(); ++f) {
      if (_constraints.isConstrained(_numbers[f])) store.give(addBlock(f, store));
    }
    store.endCell();
  }

 private:
  std::size_t placeOf(std::int32_t unknown) const {
    return static_cast<std::size_t>(std::find(all.begin(), all.end(), unknown) - all.begin());
  }

  /// What a constrained field has goes to those that it depends on.
  std::int32_t addBlock(std::size_t field, OperatorStore& store) const {
    const ConstraintRows::Row& row = _constraints.row(_numbers[field]);
    std::vector<std::int32_t> fields{static_cast<std::int32_t>(field)};
    const std::size_t n = row.size() + 1;
    std::vector<double> weights(n * n, 0.0);
    for (std::size_t i = 1; i < n; ++i) {
      fields.push_back(static_cast<std::int32_t>(placeOf(row[i - 1].unknown)));
      weights[i * n] = row[i - 1].weight;
      weights[i * n + i] = 1;
    }
    return store.addBlock(fields, weights);
  }

  const ConstraintRows& _constraints;
  std::vector<std::int32_t> _numbers;

 public:
  std::vector<std::int32_t> all;
};

}  // namespace

ExpandedTable expandedTable(const ConstraintRows& constraints, std::int32_t* numbers,
                            std::int64_t cells, std::int64_t fields) {
  ExpandedTable table;
  std::vector<std::vector<std::int32_t>> all;
  std::vector<CellOfConstraints> kept;
  for (std::int64_t c = 0; c < cells; ++c) {
    std::int32_t* const own = numbers + c * fields;
    const bool has_any = std::any_of(
        own, own + fields, [&](std::int32_t number) { return constraints.isConstrained(number); });
    if (!has_any) continue;
    kept.emplace_back(constraints, own, fields);
    table.cells.push_back(static_cast<std::int32_t>(c));
    table.fields = std::max(table.fields, static_cast<std::int64_t>(kept.back().all.size()));
    std::fill(own, own + fields, -1);
  }
  auto store = std::make_shared<OperatorStore>(table.fields);
  for (const CellOfConstraints& cell : kept) {
    cell.addTo(*store);
    table.numbers.insert(table.numbers.end(), cell.all.begin(), cell.all.end());
    table.numbers.resize(store->cells() * table.fields, -1);
  }
  table.operators = CellOperators(store);
  return table;
}

ExpandedTable amongOthers(const ExpandedTable& table, const std::vector<std::int32_t>& cells,
                          const std::int32_t* numbers, std::int64_t fields) {
  if (table.cells == cells) return table;
  ExpandedTable all;
  all.cells = cells;
  all.fields = std::max(table.fields, fields);
  std::vector<std::int64_t> of_table;  // where cells are in the table; -1: they are not
  for (const std::int32_t c : cells) {
    const auto at = std::lower_bound(table.cells.begin(), table.cells.end(), c);
    const bool is_there = at != table.cells.end() && *at == c;
    const std::int64_t k = at - table.cells.begin();
    of_table.push_back(is_there ? k : -1);
    const std::int32_t* const from =
        is_there ? table.numbers.data() + k * table.fields : numbers + c * fields;
    all.numbers.insert(all.numbers.end(), from, from + (is_there ? table.fields : fields));
    all.numbers.resize(of_table.size() * static_cast<std::size_t>(all.fields), -1);
  }
  all.operators =
      table.operators.isThere()
          ? CellOperators(std::make_shared<OperatorStore>(table.operators.store(), of_table))
          : CellOperators();
  return all;
}

std::vector<std::int32_t> unionOf(const ExpandedTable& a, const ExpandedTable& b) {
  std::vector<std::int32_t> all;
  std::set_union(a.cells.begin(), a.cells.end(), b.cells.begin(), b.cells.end(),
                 std::back_inserter(all));
  return all;
}

}  // namespace Impl
}  // namespace Kontract
