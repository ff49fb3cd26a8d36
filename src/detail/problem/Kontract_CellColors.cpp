// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_CellColors.hpp"

#include <algorithm>

namespace Kontract {
namespace Impl {
namespace {

/// Which colors the blocks around an unknown have: up to 64 of them at a time.
class ColorSearch {
 public:
  ColorSearch(const std::int32_t* numbers, std::int64_t fields, std::int64_t count)
      : _numbers(numbers), _fields(fields), _taken(static_cast<std::size_t>(count)) {}

  void clear() { std::fill(_taken.begin(), _taken.end(), 0); }

  /// The first color that is free around some cells, or -1.
  int firstFree(std::int64_t first_cell, std::int64_t last_cell) const {
    std::uint64_t taken = 0;
    forEachNumber(first_cell, last_cell, [&](std::size_t number) { taken |= _taken[number]; });
    for (int color = 0; color < 64; ++color) {
      if ((taken >> color & 1) == 0) return color;
    }
    return -1;
  }

  void take(std::int64_t first_cell, std::int64_t last_cell, int color) {
    forEachNumber(first_cell, last_cell,
                  [&](std::size_t number) { _taken[number] |= std::uint64_t(1) << color; });
  }

 private:
  template <class F>
  void forEachNumber(std::int64_t first_cell, std::int64_t last_cell, const F& f) const {
    for (std::int64_t i = first_cell * _fields; i < last_cell * _fields; ++i) {
      if (_numbers[i] >= 0) f(static_cast<std::size_t>(_numbers[i]));
    }
  }

  const std::int32_t* _numbers;
  std::int64_t _fields;
  std::vector<std::uint64_t> _taken;
};

/// The first cell that has an unknown twice, or -1.
std::int64_t cellWithRepeat(const std::int32_t* numbers, std::int64_t cells, std::int64_t fields,
                            std::int64_t count) {
  std::vector<std::int64_t> last_cell(static_cast<std::size_t>(count), -1);
  for (std::int64_t i = 0; i < cells * fields; ++i) {
    if (numbers[i] < 0) continue;
    std::int64_t& last = last_cell[static_cast<std::size_t>(numbers[i])];
    if (last == i / fields) return last;
    last = i / fields;
  }
  return -1;
}

}  // namespace

CellColors colorCells(const std::int32_t* numbers, std::int64_t cells, std::int64_t fields,
                      std::int64_t count, std::int64_t block_cells) {
  CellColors result;
  result.block_cells = block_cells;
  result.cell_with_repeat = cellWithRepeat(numbers, cells, fields, count);
  const std::int64_t blocks = (cells + block_cells - 1) / block_cells;
  std::vector<std::int32_t> waiting(static_cast<std::size_t>(blocks));
  for (std::size_t i = 0; i < waiting.size(); ++i) waiting[i] = static_cast<std::int32_t>(i);
  ColorSearch search(numbers, fields, count);
  std::vector<std::vector<std::int32_t>> of_color;
  // Those for which 64 colors are too few wait for the next ones.
  while (!waiting.empty()) {
    const std::size_t first_color = of_color.size();
    std::vector<std::int32_t> left;
    search.clear();
    for (const std::int32_t block : waiting) {
      const std::int64_t first = block * block_cells, last = std::min(cells, first + block_cells);
      const int color = search.firstFree(first, last);
      if (color < 0) {
        left.push_back(block);
        continue;
      }
      search.take(first, last, color);
      const std::size_t place = first_color + static_cast<std::size_t>(color);
      if (place >= of_color.size()) of_color.resize(place + 1);
      of_color[place].push_back(block);
    }
    waiting.swap(left);
  }
  result.starts.push_back(0);
  for (const auto& of : of_color) {
    result.blocks.insert(result.blocks.end(), of.begin(), of.end());
    result.starts.push_back(static_cast<std::int64_t>(result.blocks.size()));
  }
  return result;
}

std::int64_t blockCellsOfHosts(std::int64_t cells, std::int64_t fields) {
  constexpr std::int64_t blocks = 1024, most = 2048;
  // What a block begins with (tables of a kernel) takes the time of a few cells.
  const std::int64_t fewest =
      std::clamp<std::int64_t>(2048 / std::max<std::int64_t>(fields, 1), 16, 512);
  return std::clamp(cells / blocks, fewest, most);
}

}  // namespace Impl
}  // namespace Kontract
