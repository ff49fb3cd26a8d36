// SPDX-License-Identifier: BSD-3-Clause
//
// The terms of a sum, and the rows of cells that they are where cells are contiguous.
#ifndef KONTRACT_HOSTROWWALK_IPP
#define KONTRACT_HOSTROWWALK_IPP

#include "detail/kernels/host_simd/common/Kontract_HostSimd.ipp"

/// Calls f(left, right) with the offsets of terms from first to last, in order.
template <class F>
KONTRACT_INLINE void forEachTerm(const HostLevel (&sum)[3], std::int64_t first, std::int64_t last,
                                 const F& f) {
  if (first >= last) return;
  const std::int64_t inner = sum[2].extent, middle = sum[1].extent;
  std::int64_t k = first % inner, j = first / inner % middle, i = first / inner / middle;
  while (first < last) {
    const std::int64_t here = last - first < inner - k ? last - first : inner - k;
    std::int64_t left = i * sum[0].left + j * sum[1].left + k * sum[2].left;
    std::int64_t right = i * sum[0].right + j * sum[1].right + k * sum[2].right;
    for (std::int64_t n = 0; n < here; ++n) {
      f(left, right);
      left += sum[2].left;
      right += sum[2].right;
    }
    first += here;
    k = 0;
    if (++j == middle) {
      j = 0;
      ++i;
    }
  }
}
template <class F>
KONTRACT_INLINE void forEachTerm(const HostLevel (&sum)[3], const F& f) {
  forEachTerm(sum, 0, sum[0].extent * sum[1].extent * sum[2].extent, f);
}

/// Walks through the terms of a sum, in order.
class TermWalk {
 public:
  TermWalk(const HostLevel (&sum)[3], bool of_left)
      : extents_{sum[1].extent, sum[2].extent}, step_(of_left ? sum[2].left : sum[2].right) {
    const std::int64_t outer = of_left ? sum[0].left : sum[0].right,
                       middle = of_left ? sum[1].left : sum[1].right;
    jumps_[0] = outer - extents_[0] * middle;
    jumps_[1] = middle - extents_[1] * step_;
  }
  std::int64_t place() const { return at_; }
  KONTRACT_INLINE void advance() {
    at_ += step_;
    if (++inner_ < extents_[1]) return;
    inner_ = 0;
    at_ += jumps_[1];
    if (++middle_ < extents_[0]) return;
    middle_ = 0;
    at_ += jumps_[0];
  }

 private:
  std::int64_t extents_[2];  ///< of the middle and the inner level
  std::int64_t step_, jumps_[2];
  std::int64_t at_ = 0, inner_ = 0, middle_ = 0;
};

/// Walks through the rows of a side where cells are contiguous: a row is what some neighbouring
/// cells have of one term of a field. The order is that in which they are packed: the first so many
/// terms of all fields, then the next terms; then the next cells.
class RowWalk {
 public:
  RowWalk(const HostLevel (&sum)[3], bool of_left, std::int64_t fields, std::int64_t field_step,
          std::int64_t terms_at_once, std::int64_t first_cell, std::int64_t cells)
      : start_(sum, of_left),
        chunk_(start_),
        now_(start_),
        fields_(fields),
        field_step_(field_step),
        terms_(sum[0].extent * sum[1].extent * sum[2].extent),
        terms_at_once_(terms_at_once),
        cells_(cells),
        base_(first_cell) {
    setTerms();
  }
  /// Scalars from the begin of the array.
  KONTRACT_INLINE std::int64_t place() const { return base_ + now_.place(); }
  KONTRACT_INLINE void advance() {
    now_.advance();
    if (--left_over_ > 0) return;
    passField();
  }

 private:
  void setTerms() {
    left_over_ = terms_ - done_ < terms_at_once_ ? terms_ - done_ : terms_at_once_;
  }
  KONTRACT_INLINE void passField() {
    base_ += field_step_;
    if (++field_ < fields_) {
      now_ = chunk_;
    } else {
      base_ -= fields_ * field_step_;
      field_ = 0;
      done_ += terms_at_once_;
      if (done_ >= terms_) {
        done_ = 0;
        now_ = start_;
        base_ += cells_;
      }
      chunk_ = now_;
    }
    setTerms();
  }

  TermWalk start_, chunk_, now_;
  std::int64_t fields_, field_step_, terms_, terms_at_once_, cells_;
  std::int64_t base_, field_ = 0, done_ = 0, left_over_ = 0;
};

/// How far ahead of copying rows are fetched: of a page each, they are too short for the hardware
/// to foresee.
constexpr std::int64_t bytes_ahead = 96 * 64;

#endif
