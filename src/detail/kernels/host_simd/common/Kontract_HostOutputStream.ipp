// SPDX-License-Identifier: BSD-3-Clause
//
// Outputs that are collected for non-temporal stores.
#ifndef KONTRACT_HOSTOUTPUTSTREAM_IPP
#define KONTRACT_HOSTOUTPUTSTREAM_IPP

#include "Kontract_HostSimd.ipp"

constexpr int collected_bytes = 2048;  ///< of outputs, before they are written

/// Outputs on their way to memory by non-temporal stores: they are collected until they fill lines.
/// A few lines leave the processor while it computes the next ones; many at once would keep it
/// waiting.
template <class Real, int bytes = collected_bytes>
class OutputStream {
 public:
  static constexpr int line = 64 / int(sizeof(Real));

  /// \param buffer  aligned, for `bytes`, a line and what one pass() takes
  explicit OutputStream(Real* buffer = nullptr) : _buffer(buffer) {}

  /// Outputs belong there from now on.
  KONTRACT_INLINE void moveTo(Real* out) {
    if (out == _to + _kept) return;
    finish();
    _kept = _first = std::int64_t(reinterpret_cast<std::uintptr_t>(out) % 64 / sizeof(Real));
    _to = out - _kept;
  }
  /// Where to write the next outputs.
  KONTRACT_INLINE Real* place() const { return _buffer + _kept; }

  /// Takes outputs that have been written. They do not go at once: what has just been stored in
  /// pieces could not be loaded as whole vectors yet.
  /// \return where to write the next ones
  KONTRACT_INLINE Real* pass(std::int64_t reals) {
    _kept += reals;
    if (_kept >= bytes / int(sizeof(Real))) flush();
    return place();
  }
  /// Writes all that is left; finishNonTemporal() is for the caller.
  void finish() {
    copyNonTemporal(_to + _first, _buffer + _first, _kept - _first);
    _to = nullptr;
    _first = _kept = 0;
  }

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
  Real* _to = nullptr;      ///< where the buffer belongs
  std::int64_t _kept = 0;   ///< reals in the buffer
  std::int64_t _first = 0;  ///< of them, those before the first output
};

#endif
