// SPDX-License-Identifier: BSD-3-Clause
//
// Where runs of pointwise operations write.
#ifndef KONTRACT_HOSTNONTEMPORALSTORES_IPP
#define KONTRACT_HOSTNONTEMPORALSTORES_IPP

#include "detail/kernels/host_simd/common/Kontract_HostSimd.ipp"

constexpr std::int64_t write_buffer_bytes = 1024;  ///< of outputs, before they are written

/// Where rows of outputs go: to memory, or to a buffer that collects whole cache lines for
/// non-temporal stores. It is flushed soon: a few lines leave the processor while it computes the
/// next ones, but many at once would keep it waiting.
template <class Real>
struct WriteBuffer {
  static constexpr std::int64_t in_line = 64 / int(sizeof(Real));
  Real* memory;  ///< aligned to lines
  bool stream;
  Real* start = nullptr;  ///< of the line that memory begins with
  std::int64_t head = 0;  ///< reals of that line that are not ours
  std::int64_t end = 0;   ///< of what is in memory

  /// \return where to write n reals that are to be at `out`
  KONTRACT_INLINE Real* row(Real* out, std::int64_t n) {
    if (!stream) return out;
    if (out != start + end) {
      flush();
      head = end = std::int64_t(reinterpret_cast<std::uintptr_t>(out) % 64 / sizeof(Real));
      start = out - head;
    }
    Real* const at = memory + end;
    end += n;
    return at;
  }
  /// To be called when rows have been written.
  KONTRACT_INLINE void flushLines() {
    if (end < write_buffer_bytes / int(sizeof(Real))) return;
    const std::int64_t whole = end / in_line * in_line;
    copyNonTemporal(start + head, memory + head, whole - head);
    for (std::int64_t i = whole; i < end; ++i) memory[i - whole] = memory[i];
    start += whole;
    end -= whole;
    head = 0;
  }
  void flush() {
    copyNonTemporal(start + head, memory + head, end - head);
    end = head = 0;
  }
};

#endif
