// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_SHAREDEXPANDED_HPP
#define KONTRACT_SHAREDEXPANDED_HPP

#include "Kontract_SharedOperators.hpp"
#include "detail/problem/Kontract_ConstraintRows.hpp"

namespace Kontract {
namespace Impl {

/// Cells that have constrained unknowns, where an execution space reads them, too.
template <class Space>
class SharedExpanded {
  using Numbers = Kokkos::View<std::int32_t*, typename Space::memory_space>;
  static constexpr const char* label = "Kontract::LinearConstraints";

 public:
  SharedExpanded() = default;
  explicit SharedExpanded(const ExpandedTable& table)
      : _table(std::make_shared<const ExpandedTable>(table)), _operators(table.operators) {
    if constexpr (!is_host_space<Space>) {
      _cells = placedNumbers<Space>(label, table.cells);
      _numbers = placedNumbers<Space>(label, table.numbers);
    }
  }

  const ExpandedTable& table() const { return *_table; }
  std::int64_t count() const { return _table->count(); }
  std::int64_t fields() const { return _table->fields; }
  /// (count, fields)
  auto numbers() const {
    return Kokkos::View<const std::int32_t**, Kokkos::LayoutRight, typename Space::memory_space,
                        Kokkos::MemoryUnmanaged>(dataOf(_table->numbers, _numbers),
                                                 _table->cells.size(),
                                                 static_cast<std::size_t>(fields()));
  }

  /// All but the addresses of a matrix.
  ExpandedCells plain(std::int64_t first_cell, FieldDirection direction) const {
    ExpandedCells plain;
    plain.cells = _table->cells.data();
    plain.device_cells = dataOf(_table->cells, _cells);
    plain.count = count();
    plain.first_cell = first_cell;
    plain.rows = {dataOf(_table->numbers, _numbers), fields(), true};
    plain.left = operators(direction);
    return plain;
  }
  FieldOperators operators(FieldDirection direction) const { return _operators.plain(direction); }

  std::int64_t bytes() const {
    const std::int64_t of_numbers =
        static_cast<std::int64_t>(4 * (_table->cells.size() + _table->numbers.size()));
    return of_numbers + (_operators.isThere() ? _operators.store().bytes() : 0);
  }

 private:
  static const std::int32_t* dataOf(const std::vector<std::int32_t>& of_host,
                                    const Numbers& of_device) {
    return is_host_space<Space> ? of_host.data() : of_device.data();
  }

  std::shared_ptr<const ExpandedTable> _table = std::make_shared<const ExpandedTable>();
  Numbers _cells, _numbers;  ///< on devices
  SharedOperators<Space> _operators;
};

}  // namespace Impl
}  // namespace Kontract

#endif
