// SPDX-License-Identifier: BSD-3-Clause
//
// Contractions, whatever the strides. Part of Kontract_HostKernelSet.ipp.
#ifndef KONTRACT_HOSTCONTRACT_IPP
#define KONTRACT_HOSTCONTRACT_IPP

#include "Kontract_HostInterleavedContraction.ipp"
#include "Kontract_HostRows.ipp"

constexpr std::int64_t copied_bytes = 4 * 1024 * 1024;  ///< of a cell that is copied into order

/// What a contraction's layout allows.
template <class S>
struct ContractionLayout {
  using Real = typename S::Real;
  std::int64_t terms;
  bool left_in_order, right_in_order;  ///< terms are side by side
  bool is_interleaved;                 ///< neighbours are neighbouring cells, everywhere
  bool is_single;                      ///< one side has one field
  bool out_in_order;                   ///< the output is one run of layout, cell after cell

  explicit ContractionLayout(const HostContraction<Real>& c) {
    terms = c.sum[0].extent * c.sum[1].extent * c.sum[2].extent;
    const HostLevel& inner = c.sum[2];
    const bool is_one_run = inner.extent == terms;
    left_in_order = is_one_run && (inner.left == 1 || terms == 1);
    right_in_order = is_one_run && (inner.right == 1 || terms == 1);
    is_interleaved = c.left_cell == 1 && c.right_cell == 1 && c.out_cell == 1;
    is_single = c.lefts == 1 || c.rights == 1;
    out_in_order = (c.rights == 1 || c.out_right == 1) &&
                   (c.lefts == 1 || c.out_left == c.rights) && c.out_cell == c.lefts * c.rights;
  }

  bool isInOrder() const { return left_in_order && right_in_order; }

  /// Terms that are copied into order at a time; all of them where none are.
  std::int64_t termsAtOnce(const HostContraction<Real>& c) const {
    if (isInOrder()) return terms;
    const std::int64_t most =
        roundUp(copied_bytes / ((c.lefts + c.rights) * S::reals * int(sizeof(Real))), 256);
    return terms < most ? terms : most;
  }
};

constexpr std::int64_t panel_bytes_max = most_panel_bytes + 4 * 1024;
constexpr std::int64_t most_interleaved_bytes = 64 * 1024 * 1024;

template <class S>
std::int64_t workspaceOf(const HostContraction<typename S::Real>& c) {
  const ContractionLayout<S> layout(c);
  constexpr int scalar = S::reals * int(sizeof(typename S::Real));
  std::int64_t bytes = panel_bytes_max;
  const std::int64_t copied = layout.isInOrder() ? 0 : layout.termsAtOnce(c);
  bytes += roundUp(c.lefts * copied * scalar, 64) + roundUp(c.rights * copied * scalar, 64);
  if (c.stream) bytes += 128 + collected_bytes + c.lefts * c.rights * scalar;
  if (layout.is_interleaved && !layout.is_single) {
    const std::int64_t packed = interleavedPanelBytes<S>(c);
    if (packed <= most_interleaved_bytes && packed > bytes) bytes = packed;
  }
  return roundUp(bytes, 64);
}

/// Copies some terms of fields so that they are side by side.
template <class S, bool of_left>
void copyTerms(const HostContraction<typename S::Real>& c, const typename S::Real* from,
               std::int64_t fields, std::int64_t first, std::int64_t last, typename S::Real* to) {
  const std::int64_t field = (of_left ? c.left_field : c.right_field) * S::reals;
  for (std::int64_t f = 0; f < fields; ++f) {
    const typename S::Real* const row = from + f * field;
    forEachTerm(c.sum, first, last,
                [&](std::int64_t left, std::int64_t right) KONTRACT_INLINE_LAMBDA {
                  const typename S::Real* const at = row + (of_left ? left : right) * S::reals;
                  for (int part = 0; part < S::reals; ++part) *to++ = at[part];
                });
  }
}

/// Cells in the manner of rows: inputs are copied into order where they are not, some terms at a
/// time, outputs are collected where they stream.
template <class S>
void contractByRows(const HostContraction<typename S::Real>& c, const ContractionLayout<S>& layout,
                    const HostPart& part, typename S::Real* workspace) {
  using Real = typename S::Real;
  constexpr int line = 64 / int(sizeof(Real));
  Rows<Real> rows;
  rows.lefts = part.last_left - part.first_left;
  rows.rights = c.rights;
  const std::int64_t chunk = layout.termsAtOnce(c);
  Real* const panel = workspace;
  const std::int64_t copied = layout.isInOrder() ? 0 : chunk;
  Real* const left_copy = panel + panel_bytes_max / int(sizeof(Real));
  Real* const right_copy = left_copy + roundUp(c.lefts * copied * S::reals, line);
  Real* const collected = right_copy + roundUp(c.rights * copied * S::reals, line);
  rows.left_cell = layout.left_in_order ? c.left_cell * S::reals : 0;
  rows.right_cell = layout.right_in_order ? c.right_cell * S::reals : 0;
  rows.out_cell = c.out_cell * S::reals;
  rows.out_left = c.out_left * S::reals;
  rows.out_right = c.out_right * S::reals;
  const bool is_streamed =
      c.stream && layout.out_in_order && rows.lefts == c.lefts && chunk == layout.terms;
  OutputStream<Real> stream(c.out + part.first_cell * rows.out_cell, collected);
  rows.stream = is_streamed ? &stream : nullptr;
  const std::int64_t at_once = layout.isInOrder() ? part.last_cell - part.first_cell : 1;
  for (std::int64_t cell = part.first_cell; cell < part.last_cell; cell += at_once) {
    rows.cells = at_once;
    rows.out = c.out + cell * rows.out_cell + part.first_left * rows.out_left;
    const Real* const left =
        c.left + (cell * c.left_cell + part.first_left * c.left_field) * S::reals;
    const Real* const right = c.right + cell * c.right_cell * S::reals;
    std::int64_t k = 0;
    do {  // once without terms, too
      rows.terms = layout.terms - k < chunk ? layout.terms - k : chunk;
      rows.add = c.add || k > 0;
      rows.left = left + k * S::reals;
      rows.right = right + k * S::reals;
      rows.left_field = c.left_field * S::reals;
      rows.right_field = c.right_field * S::reals;
      if (!layout.left_in_order) {
        copyTerms<S, true>(c, left, rows.lefts, k, k + rows.terms, left_copy);
        rows.left = left_copy;
        rows.left_field = rows.terms * S::reals;
      }
      if (!layout.right_in_order) {
        copyTerms<S, false>(c, right, c.rights, k, k + rows.terms, right_copy);
        rows.right = right_copy;
        rows.right_field = rows.terms * S::reals;
      }
      contractBest<S>(rows, panel);
      k += chunk;
    } while (k < layout.terms);
  }
  if (is_streamed) stream.finish();
}

template <class S>
void contract(const HostContraction<typename S::Real>& c, const HostPart& part, void* workspace) {
  using Real = typename S::Real;
  const ContractionLayout<S> layout(c);
  Real* const space = static_cast<Real*>(workspace);
  HostPart rest = part;
  const bool all_lefts = part.first_left == 0 && part.last_left == c.lefts;
  if (layout.is_interleaved && all_lefts) {
    constexpr int cells = InterleavedLimits<S>::cells;
    const std::int64_t whole = (part.last_cell - part.first_cell) / cells * cells;
    rest.first_cell = part.first_cell + whole;
    const auto isAligned = [](std::int64_t reals) {
      return reals * int(sizeof(Real)) % vector_bytes == 0;
    };
    const bool stream =
        c.stream && !c.add &&
        reinterpret_cast<std::uintptr_t>(c.out + part.first_cell * S::reals) % vector_bytes == 0 &&
        isAligned(c.out_left * S::reals) && isAligned(c.out_right * S::reals);
    if (layout.is_single) {
      contractSingleFields<S>(c, part.first_cell, rest.first_cell, stream);
    } else if (interleavedPanelBytes<S>(c) <= most_interleaved_bytes) {
      contractInterleaved<S>(c, part.first_cell, rest.first_cell, stream, space);
    } else {
      rest = part;
    }
  }
  if (rest.first_cell < rest.last_cell) contractByRows<S>(c, layout, rest, space);
  finishNonTemporal();
}

#endif
