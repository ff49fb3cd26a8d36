// SPDX-License-Identifier: BSD-3-Clause
//
// Fetches the next left side while runs of cells are computed.
#ifndef KONTRACT_HOSTPOINTWISELEFTFETCH_IPP
#define KONTRACT_HOSTPOINTWISELEFTFETCH_IPP

#include "Kontract_HostPoints.ipp"

/// Fetches rows of memory while items are computed, some lines at a time: all at once would take
/// longer than what is computed meanwhile.
template <class Real>
class LeftFetch {
 public:
  /// \param at     where rows begin
  /// \param row    reals of each
  /// \param items  to be computed meanwhile
  void start(const Real* left, const std::int64_t* at, int rows, std::int64_t row,
             std::int64_t items) {
    _left = left;
    _at = at;
    _rows_left = rows;
    _row_lines = (row + line - 1) / line;
    _line = 0;
    _each = double(_row_lines * rows) / double(items);
    _due = 0;
  }
  KONTRACT_INLINE void advance(std::int64_t items) {
    for (_due += _each * double(items); _due >= 1 && _rows_left > 0; _due -= 1) {
      prefetchLine(_left + *_at + _line * line);
      if (++_line < _row_lines) continue;
      _line = 0;
      ++_at;
      --_rows_left;
    }
  }

 private:
  static constexpr int line = 64 / int(sizeof(Real));
  const Real* _left = nullptr;
  const std::int64_t* _at = nullptr;
  int _rows_left = 0;
  std::int64_t _row_lines = 0, _line = 0;
  double _each = 0, _due = 0;  ///< lines
};

#endif
