// SPDX-License-Identifier: BSD-3-Clause
//
// Software prefetches of what tiles read, and non-temporal stores of what they write.
#ifndef KONTRACT_HOSTTRAFFIC_IPP
#define KONTRACT_HOSTTRAFFIC_IPP

#include "Kontract_HostSimd.ipp"

constexpr int units_per_prefetch = 4;

/// Software prefetches, line by line while tiles are computed. Tiles read many rows at once, which
/// hardware prefetchers do not follow; a burst of requests would stall them. Where rows are short,
/// what is read is contiguous, and better left to the hardware.
struct Prefetch {
  static constexpr std::int64_t least_row_bytes = 256;
  const char* line = nullptr;   ///< next to be fetched
  const char* until = nullptr;  ///< where that should be by now
  std::int64_t step = 0;        ///< bytes for each unit that is computed

  /// Will fetch so many bytes while so many units are computed.
  KONTRACT_INLINE void start(const void* from, std::int64_t bytes, std::int64_t units) {
    line = until = static_cast<const char*>(from);
    step = (bytes + units - 1) / (units > 0 ? units : 1);
  }
  KONTRACT_INLINE void advance(std::int64_t units) {
    until += units * step;
    for (; line < until; line += 64) __builtin_prefetch(line, 0, 2);
  }
};

constexpr int collected_bytes = 2048;  ///< of outputs, before they are written

/// Outputs that are collected until they fill cache lines, for non-temporal stores.
template <class Real>
class OutputStream {
 public:
  static constexpr int line = 64 / int(sizeof(Real));

  /// \param buffer  aligned, for the outputs of a cell, collected_bytes and a line
  OutputStream(Real* to, Real* buffer) : _buffer(buffer) {
    _kept = std::int64_t(reinterpret_cast<std::uintptr_t>(to) % 64 / sizeof(Real));
    _first = int(_kept);
    _to = to - _kept;
  }
  /// \return where to put the outputs of the next cell
  KONTRACT_INLINE Real* next() const { return _buffer + _kept; }

  /// Takes the outputs of a cell. They are not written at once: what has just been stored in pieces
  /// could not be loaded as whole vectors yet.
  /// \return where to put those of the next one
  KONTRACT_INLINE Real* pass(std::int64_t reals) {
    _kept += reals;
    if (_kept >= collected_bytes / int(sizeof(Real))) flush();
    return next();
  }
  /// Writes all that is left; finishStreaming() is for the caller.
  void finish() { copyNonTemporal(_to + _first, _buffer + _first, _kept - _first); }

 private:
  void flush() {
    const std::int64_t whole = _kept / line * line;
    if (whole == 0) return;
    copyNonTemporal(_to + _first, _buffer + _first, whole - _first);
    _first = 0;
    _to += whole;
    _kept -= whole;
    for (int k = 0; k < _kept; ++k) _buffer[k] = _buffer[whole + k];
  }

  Real* _buffer;
  Real* _to;           ///< where the buffer belongs
  std::int64_t _kept;  ///< reals in the buffer
  int _first;          ///< of them, those before the first output
};

#endif
