// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_PANEL_HPP
#define KONTRACT_PANEL_HPP

#include "Kontract_Workers.hpp"
#include "detail/problem/Kontract_SumLevels.hpp"

namespace Kontract {
namespace Impl {

/// A part of an input, (cell, field, term), as it is copied to scratch memory. It is small enough
/// for 32 bits.
struct Panel {
  std::int64_t from;                   ///< offset of the first cell and field
  std::int64_t from_cell, from_field;  ///< strides in memory
  Side from_term;                      ///< stride of a level of terms: that of its side
  std::int64_t first_term;             ///< of all terms counted as one
  int cells, fields, terms;            ///< extents
  int to_cell, to_field, to_term;      ///< strides in scratch memory
  int zero_fields = 0;                 ///< more fields, filled with zeros
};

/// Copies the terms of one field.
template <class T, class Accessor>
KOKKOS_INLINE_FUNCTION void loadTerms(T* to, const Accessor& elements, std::int64_t from,
                                      const Panel& panel, const SumLevels& sum) {
  forEachOffset(
      sum, panel.from_term, panel.first_term, panel.first_term + panel.terms,
      [&](std::int64_t n, std::int64_t at) { to[n * panel.to_term] = elements[from + at]; });
}

/// Copies a panel to scratch memory. Other workers may read it after a wait(). On a device,
/// neighbours in memory are copied by neighbouring workers; on a host, each copies whole fields.
template <bool on_host, class Member, class T, class Accessor>
KOKKOS_INLINE_FUNCTION void loadPanel(const Workers<Member>& workers, T* to,
                                      const Accessor& elements, const Panel& panel,
                                      const SumLevels& sum) {
  const int fields = panel.fields + panel.zero_fields;
  if constexpr (on_host) {
    workers.share(std::int64_t(panel.cells) * fields, [&](const std::int64_t at) {
      const int c = static_cast<int>(at) / fields, f = static_cast<int>(at) % fields;
      T* field = to + c * panel.to_cell + f * panel.to_field;
      if (f < panel.fields) {
        loadTerms(field, elements, panel.from + c * panel.from_cell + f * panel.from_field, panel,
                  sum);
      } else {
        for (int k = 0; k < panel.terms; ++k) field[k * panel.to_term] = T(0);
      }
    });
  } else {
    const auto steps = [](std::int64_t stride) { return stride < 0 ? -stride : stride; };
    const std::int64_t term = steps(sum[2].*panel.from_term);
    const std::int64_t cell = steps(panel.from_cell), field = steps(panel.from_field);
    const bool cell_first = panel.cells > 1 && cell < term && cell < field;
    const bool field_first = panel.fields > 1 && field < term;
    workers.share(std::int64_t(panel.cells) * fields * panel.terms, [&](const std::int64_t at) {
      const int i = static_cast<int>(at);
      int c, f, k;
      if (cell_first) {
        c = i % panel.cells, f = i / panel.cells % fields, k = i / panel.cells / fields;
      } else if (field_first) {
        f = i % fields, k = i / fields % panel.terms, c = i / fields / panel.terms;
      } else {
        k = i % panel.terms, f = i / panel.terms % fields, c = i / panel.terms / fields;
      }
      T& element = to[c * panel.to_cell + f * panel.to_field + k * panel.to_term];
      if (f < panel.fields) {
        element = elements[panel.from + c * panel.from_cell + f * panel.from_field +
                           offsetOfTerm(sum, panel.from_term, panel.first_term + k)];
      } else {
        element = T(0);
      }
    });
  }
}

}  // namespace Impl
}  // namespace Kontract

#endif
