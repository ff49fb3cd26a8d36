// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_PackedArray.hpp"

#include <algorithm>

namespace Kontract {
namespace Impl {

std::vector<ArrayIndex> indicesOf(ContractionShape& s, ArrayRole argument) {
  if (argument == ArrayRole::Out) {
    return {{s.cells, &s.out_cell}, {s.lefts, &s.out_left}, {s.rights, &s.out_right}};
  }
  const bool is_left = argument == ArrayRole::Left;
  std::vector<ArrayIndex> indices;
  indices.push_back({s.cells, is_left ? &s.left_cell : &s.right_cell});
  indices.push_back({is_left ? s.lefts : s.rights, is_left ? &s.left_field : &s.right_field});
  for (SumLevel& level : s.sum) {
    indices.push_back({level.extent, is_left ? &level.left : &level.right});
  }
  return indices;
}

std::vector<ArrayIndex> indicesOf(PointwiseShape& s, ArrayRole argument) {
  PointwiseShape::Strides& strides = argument == ArrayRole::Out    ? s.out
                                     : argument == ArrayRole::Left ? s.left
                                                                   : s.right;
  std::vector<ArrayIndex> indices = {{s.cells, &strides.cell},
                                     {s.fields, &strides.field},
                                     {s.points, &strides.point},
                                     {s.rows, &strides.row},
                                     {s.columns, &strides.column}};
  if (argument == ArrayRole::Out) return indices;
  for (SumLevel& level : s.sum) {
    indices.push_back({level.extent, argument == ArrayRole::Left ? &level.left : &level.right});
  }
  return indices;
}

PackedArray::PackedArray(const std::vector<ArrayIndex>& indices, std::int64_t element)
    : _element(element) {
  for (const ArrayIndex& index : indices) {
    const bool is_cell = &index == indices.data();
    if (index.extent == 0) _is_empty = true;
    if (index.extent < 2 || *index.stride == 0) continue;
    const std::int64_t last_at =
        index.last_at != nullptr ? *index.last_at : (index.extent - 1) * *index.stride;
    _levels.push_back({index.extent, *index.stride, index, is_cell, last_at});
    if (is_cell) {
      _has_cells = true;
      _cell_stride = *index.stride;
    }
  }
  std::stable_sort(_levels.begin(), _levels.end(),
                   [](const Level& a, const Level& b) { return a.stride < b.stride; });
}

std::int64_t PackedArray::padded(std::int64_t cells) const {
  if (_has_cells && _levels.back().is_cell) return cells;
  const std::int64_t unit = std::max<std::int64_t>(2, 128 / _element);
  return (cells + unit - 1) / unit * unit;
}

std::vector<PackedArray::Level> PackedArray::levelsFor(std::int64_t capacity,
                                                       std::int64_t cells) const {
  std::vector<Level> levels = _levels;
  std::int64_t next = 1;
  for (Level& level : levels) {
    level.packed = next;
    next *= level.is_cell ? padded(capacity) : level.extent;
    if (level.is_cell) level.extent = cells;
  }
  return levels;
}

std::int64_t PackedArray::elementBytes(std::int64_t cells) const {
  std::int64_t bytes = _is_empty ? 0 : _element;
  for (const Level& level : _levels) bytes *= level.is_cell ? cells : level.extent;
  return bytes;
}

std::int64_t PackedArray::bufferBytes(std::int64_t cells) const {
  return elementBytes(padded(cells));
}

std::int64_t PackedArray::rowBytes(std::int64_t cells) const {
  std::int64_t width = 1;
  for (const Level& level : _levels) {
    if (level.stride != width) break;
    const bool has_one_step = level.is_cell || level.hasOneStep();
    width *= level.is_cell ? cells : level.extent - (has_one_step ? 0 : 1);
    if (!has_one_step || (level.is_cell && cells < level.extent)) break;
  }
  return width * _element;
}

void PackedArray::useBuffer(std::int64_t cells) const {
  for (const Level& level : levelsFor(cells, cells)) {
    *level.target.stride = level.packed;
    if (level.target.last_at != nullptr) *level.target.last_at = (level.extent - 1) * level.packed;
  }
}

void PackedArray::forEachCopy(std::int64_t capacity, std::int64_t cells, const Copy& f) const {
  if (_is_empty) return;
  std::vector<Level> levels = levelsFor(capacity, cells);
  const auto apart = std::find_if(levels.begin(), levels.end(), [](const Level& level) {
    return !level.is_cell && !level.hasOneStep();
  });
  if (apart == levels.end()) return forEachCopy(levels, 0, 0, f);
  const std::int64_t from = apart->last_at, to = (apart->extent - 1) * apart->packed;
  // All but the last of that index, and then that.
  --apart->extent;
  forEachCopy(levels, 0, 0, f);
  apart->extent = 1;
  forEachCopy(levels, from, to, f);
}

void PackedArray::forEachCopy(std::vector<Level> levels, std::int64_t from_first,
                              std::int64_t to_first, const Copy& f) const {
  levels.erase(std::remove_if(levels.begin(), levels.end(),
                              [](const Level& level) { return level.extent == 1; }),
               levels.end());
  std::size_t used = 0;
  PitchedRows rows;
  rows.width = 1;
  for (; used < levels.size(); ++used) {
    const Level& level = levels[used];
    if (level.stride != rows.width || level.packed != rows.width) break;
    rows.width *= level.extent;
  }
  rows.to_pitch = rows.from_pitch = rows.width;
  // Elements may come closer than rows are wide in arrays that repeat themselves.
  if (used < levels.size() && levels[used].stride >= rows.width) {
    rows.from_pitch = levels[used].stride;
    rows.to_pitch = levels[used].packed;
    rows.count = levels[used].extent;
    for (++used; used < levels.size(); ++used) {
      const Level& level = levels[used];
      if (level.stride != rows.from_pitch * rows.count ||
          level.packed != rows.to_pitch * rows.count) {
        break;
      }
      rows.count *= level.extent;
    }
  }
  rows.width *= _element;
  rows.to_pitch *= _element;
  rows.from_pitch *= _element;
  // What is left are loops around that.
  std::vector<std::int64_t> at(levels.size(), 0);
  while (true) {
    std::int64_t from = from_first, to = to_first;
    for (std::size_t i = used; i < levels.size(); ++i) {
      from += at[i] * levels[i].stride;
      to += at[i] * levels[i].packed;
    }
    f(from * _element, to * _element, rows);
    std::size_t i = used;
    while (i < levels.size() && ++at[i] == levels[i].extent) at[i++] = 0;
    if (i == levels.size()) return;
  }
}

}  // namespace Impl
}  // namespace Kontract
