// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_SCATTEREDARRAYS_HPP
#define KONTRACT_SCATTEREDARRAYS_HPP

#include <algorithm>
#include <string>

#include "Kontract_HostForms.hpp"
#include "Kontract_TransformedForms.hpp"

namespace Kontract {
namespace Impl {

/// Element matrices (C,L,R), or vectors (C,L) with one column, that are there.
template <class T>
struct GivenArrays {
  PlainArray<T> array;  ///< rows are its fields
  std::int64_t cells, rows, columns;

  KOKKOS_FORCEINLINE_FUNCTION T at(std::int64_t c, std::int64_t l, std::int64_t r) const {
    return array.data[c * array.cell + l * array.field + r * array.column];
  }
};

/// Gives each entry to its target: neighbours in memory are neighbouring work items.
template <class T, class Target>
struct GiveEntries {
  GivenArrays<T> from;
  CellsOfBuffer cells;
  bool is_cell_fastest;
  FastDivisor by_cells, by_rows, by_columns;
  Target target;

  /// \param i  entries of a launch are fewer than 2^31
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    auto item = static_cast<std::uint32_t>(i);
    std::int64_t place = is_cell_fastest ? by_cells.takeFrom(item) : 0;
    const std::int64_t column = by_columns.takeFrom(item), row = by_rows.takeFrom(item);
    if (!is_cell_fastest) place = item;
    const std::int64_t c = cells.cell(place);
    target.take(c, row, column, from.columns, from.at(c, row, column));
  }
};

template <class Space, class T, class Target>
void giveEntries(const Space& space, const std::string& label, const GivenArrays<T>& from,
                 const CellsOfBuffer& cells, std::int64_t count, const Target& target) {
  const std::int64_t entries = from.rows * from.columns;
  const std::int64_t most = std::max<std::int64_t>(1, (FastDivisor::end - 1) / entries);
  const bool is_cell_fastest = from.array.cell < from.array.field ||
                               (from.columns > 1 && from.array.cell < from.array.column);
  for (std::int64_t first = 0; first < count; first += most) {
    const std::int64_t some = std::min(most, count - first);
    CellsOfBuffer part = cells;
    part.begin += first;
    launch(space, label, some * entries,
           GiveEntries<T, Target>{from, part, is_cell_fastest, FastDivisor(some),
                                  FastDivisor(from.rows), FastDivisor(from.columns), target});
  }
}

/// Adds some cells, one after another, on a thread of a host.
template <class T>
struct AddCells {
  GivenArrays<T> from;
  T* values;
  ScatterTarget target;
  std::int64_t at_once;
  const std::int32_t* blocks = nullptr;  ///< of cells with a color, whose pieces these are

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    const std::int64_t begin =
        blocks == nullptr ? i * at_once : blocks[i] * at_once - target.to.first_cell;
    const std::int64_t first = begin < 0 ? 0 : begin;
    const std::int64_t last = begin + at_once < from.cells ? begin + at_once : from.cells;
    target.withOffsets([&](const auto& offset_of) {
      for (std::int64_t c = first; c < last; ++c) addCell(c, offset_of);
    });
  }

 private:
  template <class OffsetOf>
  KOKKOS_FORCEINLINE_FUNCTION void addCell(std::int64_t c, const OffsetOf& offset_of) const {
    for (std::int64_t l = 0; l < from.rows; ++l) {
      const std::int64_t start = target.startOf(c, l);
      if (start < 0) continue;
      for (std::int64_t r = 0; r < from.columns; ++r) {
        const std::int64_t offset = offset_of((c * from.rows + l) * from.columns + r);
        if (offset >= 0) target.addTo(values[start + offset], from.at(c, l, r));
      }
    }
  }
};

/// Why arrays cannot be added so; empty if they can.
inline std::string whyNotScatteredArrays(const FormShape& shape, bool is_host,
                                         const LaunchSettings& settings) {
  const bool are_colored = static_cast<ScatterWay>(settings.scatter.place) == ScatterWay::Colored;
  if (is_host && are_colored && shape.has_operators) {
    return "on hosts arrays of oriented or constrained unknowns cannot be Colored";
  }
  return whyNotScatter(shape, is_host, true, settings);
}

/// Adds arrays that are in the place of the vector of a form to what cells share, of the form's
/// output. Hosts go through cells, devices through entries; what fields are transformed goes
/// through a buffer.
template <class Space, class T>
void addArrays(const Space& space, const PlainForm<T>& form, const LaunchSettings& settings,
               const std::string& label) {
  const auto givenOf = [](const PlainForm<T>& of) {
    return GivenArrays<T>{of.vector, of.cells, of.lefts * of.left_blocks,
                          of.kind == FormKind::Matrices ? of.rights * of.right_blocks : 1};
  };
  if (form.has_operators) {
    TransformedForms<Space, T>(space, form, settings, label).run([&](const PlainForm<T>& batch) {
      const OwnOutputs<T> to{batch.out, batch.out_cell, batch.out_row, batch.out_column, false};
      giveEntries(space, label, givenOf(batch), {}, batch.cells, to);
    });
    return;
  }
  clearScattered(space, form, label);
  if (form.outputs() == 0) return;
  const GivenArrays<T> from = givenOf(form);
  constexpr bool is_host = is_host_space<Space>;
  const std::int64_t threads = is_host ? space.concurrency() : 0;
  ScatterTarget target{form.scatter};
  target.to.way = scatterWayOf(is_host, threads, form.can_be_colored, settings);
  const bool are_colored = target.to.way == ScatterWay::Colored;
  const BlockColors& colors = target.to.colors;
  if constexpr (is_host) {
    const std::int64_t at_once =
        are_colored ? colors.block_cells : formCellsAtOnce(form.cells, threads, settings);
    AddCells<T> add{from, form.out, target, at_once};
    if (!are_colored) return launchUneven(space, label, (form.cells + at_once - 1) / at_once, add);
    forEachColor(target.to, form.cells, [&](std::int64_t first, std::int64_t last) {
      add.blocks = colors.blocks + first;
      launchUneven(space, label, last - first, add);
    });
  } else {
    const ScatteredOutputs<T> to{form.out, target};
    if (!are_colored) return giveEntries(space, label, from, {}, form.cells, to);
    forEachColor(target.to, form.cells, [&](std::int64_t first, std::int64_t last) {
      const CellsOfBuffer of_color{0, first, colors.device_blocks, target.to.first_cell, false};
      giveEntries(space, label, from, of_color, last - first, to);
    });
  }
}

}  // namespace Impl
}  // namespace Kontract

#endif
