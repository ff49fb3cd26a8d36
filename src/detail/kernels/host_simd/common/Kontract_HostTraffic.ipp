// SPDX-License-Identifier: BSD-3-Clause
//
// What tiles of contractions read soon, and write for good. Part of Kontract_HostKernelSet.ipp.

constexpr int units_between_looks = 4;

/// Memory that will soon be read, fetched line by line while tiles are
/// computed. Tiles read many rows at once, which the processor's own
/// prefetching does not follow; a burst of requests would stall them. Where
/// rows are short, what is read is one run of memory, and better left alone.
struct Ahead {
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

constexpr int collected_bytes = 2048;  ///< of outputs, before they are passed on

/// Outputs on their way to memory by non-temporal stores: they are collected until they fill lines.
/// A few lines leave the processor while it computes the next ones; many at once would keep it
/// waiting.
template <class Real, int bytes = collected_bytes>
class OutputStream {
 public:
  static constexpr int line = 64 / int(sizeof(Real));

  /// \param buffer  aligned, for `bytes`, a line and what one pass() takes
  explicit OutputStream(Real* buffer) : _buffer(buffer) {}

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
  /// Writes all that is left; finishStreaming() is for the caller.
  void finish() {
    streamOut(_to + _first, _buffer + _first, _kept - _first);
    _to = nullptr;
    _first = _kept = 0;
  }

 private:
  void flush() {
    const std::int64_t whole = _kept / line * line;
    if (whole == 0) return;
    streamOut(_to + _first, _buffer + _first, whole - _first);
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
