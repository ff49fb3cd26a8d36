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

/// An index of a panel.
struct PanelIndex {
  int extent, filled;  ///< places, and how many of them are not zeros
  std::int64_t from;   ///< stride in memory
  int to;              ///< stride in scratch memory

  /// One of two, member by member, so that it stays in registers.
  KOKKOS_FORCEINLINE_FUNCTION static PanelIndex choose(bool first, const PanelIndex& a,
                                                       const PanelIndex& b) {
    return {first ? a.extent : b.extent, first ? a.filled : b.filled, first ? a.from : b.from,
            first ? a.to : b.to};
  }
};

/// Copies a box to scratch memory, neighbours in the fast index by neighbouring workers: each has
/// a place along it and walks along the other two, and divides nothing on its way. Several elements
/// are under way before the first is stored.
template <class Member, class T, class Accessor>
KOKKOS_INLINE_FUNCTION void copyByNeighbours(const Workers<Member>& workers, T* to,
                                             const Accessor& elements, std::int64_t from,
                                             const PanelIndex& fast, const PanelIndex& middle,
                                             const PanelIndex& slow) {
  constexpr int under_way = 4;
  int shift = 0;  // a power of two of workers along the fast index
  while (1 << shift < fast.extent && 2 << shift <= workers.count()) ++shift;
  const int rows = workers.count() >> shift;  // at a time
  const auto quotient = [](int a, int b) { return a < b ? 0 : a / b; };
  const int slow_step = quotient(rows, middle.extent), step = rows - slow_step * middle.extent;
  workers.each([&](const int worker) {
    const int row = worker >> shift;
    if (row >= rows) return;
    for (int i = worker & ((1 << shift) - 1); i < fast.extent; i += 1 << shift) {
      int k = quotient(row, middle.extent), j = row - k * middle.extent;
      while (k < slow.extent) {
        T values[under_way];
        int places[under_way];
        for (int n = 0; n < under_way; ++n) {
          places[n] = k < slow.extent ? i * fast.to + j * middle.to + k * slow.to : -1;
          values[n] = T(0);
          if (places[n] >= 0 && i < fast.filled && j < middle.filled) {
            values[n] = elements[from + i * fast.from + j * middle.from + k * slow.from];
          }
          j += step, k += slow_step;
          if (j >= middle.extent) j -= middle.extent, ++k;
        }
        for (int n = 0; n < under_way; ++n) {
          if (places[n] >= 0) to[places[n]] = values[n];
        }
      }
    }
  });
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
    const std::int64_t term_step = sum[2].*panel.from_term, term = steps(term_step);
    const std::int64_t in_cell = steps(panel.from_cell), in_field = steps(panel.from_field);
    const bool cell_first = panel.cells > 1 && in_cell < term && in_cell < in_field;
    const bool field_first = panel.fields > 1 && in_field < term;
    const PanelIndex cell{panel.cells, panel.cells, panel.from_cell, panel.to_cell};
    const PanelIndex field{fields, panel.fields, panel.from_field, panel.to_field};
    forEachRun(sum, panel.from_term, panel.first_term, panel.first_term + panel.terms,
               [&](std::int64_t k, std::int64_t at, std::int64_t terms) {
                 const int count = static_cast<int>(terms);
                 const PanelIndex run{count, count, term_step, panel.to_term};
                 T* const first = to + k * panel.to_term;
                 const std::int64_t from = panel.from + at;
                 const bool has_fields_inside = cell_first || !field_first;
                 const PanelIndex inner = PanelIndex::choose(field_first, field, run);
                 copyByNeighbours(workers, first, elements, from,
                                  PanelIndex::choose(cell_first, cell, inner),
                                  PanelIndex::choose(has_fields_inside, field, run),
                                  PanelIndex::choose(cell_first, run, cell));
               });
  }
}

}  // namespace Impl
}  // namespace Kontract

#endif
