// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_COMPOSEDOPERATORS_HPP
#define KONTRACT_COMPOSEDOPERATORS_HPP

#include <cstdint>
#include <vector>

#include "Kontract_FieldOperators.hpp"

namespace Kontract {
namespace Impl {

/// What FieldMatrices points to, on hosts.
struct ComposedOperators {
  std::vector<std::int32_t> kinds;
  std::vector<std::int64_t> starts;
  std::vector<std::int32_t> fields;
  std::vector<double> weights;
  std::int64_t rows = 0;

  FieldMatrices plain() const;
};

/// Multiplies the blocks of each cell.
/// \param of      of cells from its first one on, which are not all identities
/// \param fields  of a cell
ComposedOperators composed(const FieldOperators& of, std::int64_t cells, std::int64_t fields,
                           FieldDirection direction);

}  // namespace Impl
}  // namespace Kontract

#endif
