// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_SHAREDOPERATORS_HPP
#define KONTRACT_SHAREDOPERATORS_HPP

#include <Kokkos_Core.hpp>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "detail/problem/Kontract_CellOperators.hpp"
#include "detail/problem/Kontract_ComposedOperators.hpp"
#include "detail/support/Kontract_Machine.hpp"

namespace Kontract {
namespace Impl {

/// A copy of numbers where an execution space reads them.
template <class Space, class T>
Kokkos::View<T*, typename Space::memory_space> placedNumbers(const std::string& label,
                                                             const std::vector<T>& numbers) {
  const Kokkos::View<T*, typename Space::memory_space> to(
      Kokkos::view_alloc(label, Kokkos::WithoutInitializing), numbers.size());
  Kokkos::deep_copy(to, Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(
                            numbers.data(), numbers.size()));
  return to;
}

/// What FieldMatrices points to, where an execution space reads it.
template <class Space>
class SharedMatrices {
 public:
  SharedMatrices() = default;
  explicit SharedMatrices(const ComposedOperators& of)
      : _rows(of.rows),
        _kinds(placedNumbers<Space>(label, of.kinds)),
        _fields(placedNumbers<Space>(label, of.fields)),
        _starts(placedNumbers<Space>(label, of.starts)),
        _weights(placedNumbers<Space>(label, of.weights)) {}

  FieldMatrices plain(std::int64_t first_cell) const {
    return {_kinds.data() + first_cell, _starts.data(), _fields.data(), _weights.data(), _rows, 1};
  }

 private:
  static constexpr const char* label = "Kontract::CellOrientations";
  using Memory = typename Space::memory_space;
  std::int64_t _rows = 0;
  Kokkos::View<std::int32_t*, Memory> _kinds, _fields;
  Kokkos::View<std::int64_t*, Memory> _starts;
  Kokkos::View<double*, Memory> _weights;
};

/// The operators of some cells, which devices get as matrices once they need them. Copies share
/// both.
template <class Space>
class SharedOperators {
 public:
  SharedOperators() = default;
  explicit SharedOperators(const CellOperators& of)
      : _of(of), _matrices(std::make_shared<Matrices>()) {}

  bool isThere() const { return _of.isThere(); }
  std::int64_t cells() const { return _of.cells(); }
  std::int64_t fields() const { return _of.fields(); }
  const OperatorStore& store() const { return _of.store(); }
  /// Where hosts read them.
  FieldOperators plain() const { return _of.plain(); }
  /// Where the execution space reads them.
  FieldOperators plain(FieldDirection direction) const {
    FieldOperators plain = _of.plain();
    if constexpr (!is_host_space<Space>) {
      if (plain.starts != nullptr) plain.matrices = matrices(direction).plain(_of.firstCell());
    }
    return plain;
  }
  /// Those of cells first to last - 1, which there are.
  SharedOperators part(std::int64_t first, std::int64_t last) const {
    SharedOperators part(*this);
    part._of = _of.part(first, last);
    return part;
  }

 private:
  /// Of all cells, by direction.
  struct Matrices {
    std::once_flag is_made[2];
    SharedMatrices<Space> of[2];
  };

  const SharedMatrices<Space>& matrices(FieldDirection direction) const {
    const int place = static_cast<int>(direction);
    std::call_once(_matrices->is_made[place], [&] {
      const OperatorStore& all = store();
      _matrices->of[place] =
          SharedMatrices<Space>(composed(all.plain(0), all.cells(), all.fields(), direction));
    });
    return _matrices->of[place];
  }

  CellOperators _of;
  std::shared_ptr<Matrices> _matrices;
};

}  // namespace Impl
}  // namespace Kontract

#endif
