// SPDX-License-Identifier: BSD-3-Clause
//
// Contractions, whatever the strides.
#ifndef KONTRACT_HOSTCONTRACT_IPP
#define KONTRACT_HOSTCONTRACT_IPP

#include "Kontract_HostFieldRows.ipp"
#include "Kontract_HostInterleavedContraction.ipp"
#include "Kontract_HostRows.ipp"

constexpr std::int64_t copied_bytes = 4 * 1024 * 1024;  ///< of a cell that is copied into order

/// What the strides of a contraction allow.
template <class S>
struct ContractionLayout {
  using Real = typename S::Real;
  std::int64_t terms;
  bool left_in_order, right_in_order;  ///< terms are contiguous
  bool is_interleaved;                 ///< cells are contiguous in all arrays
  bool is_single;                      ///< one side has one field
  bool out_in_order;                   ///< the output is contiguous, cell after cell

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
    if (isInOrder() || c.lefts + c.rights == 0) return terms;
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
    const std::int64_t packed = InterleavedBlock<S>(c).bytes();
    if (packed <= most_interleaved_bytes && packed > bytes) bytes = packed;
  }
  return roundUp(bytes, 64);
}

/// Copies some terms of fields so that they are contiguous.
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

/// Memory in which contractByRows() works.
template <class S>
struct RowWorkspace {
  using Real = typename S::Real;
  Real *panel, *left_copy, *right_copy, *collected;

  /// \param copied  terms that are copied into order at a time
  RowWorkspace(const HostContraction<Real>& c, std::int64_t copied, Real* memory) {
    constexpr int line = 64 / int(sizeof(Real));
    panel = memory;
    left_copy = panel + panel_bytes_max / int(sizeof(Real));
    right_copy = left_copy + roundUp(c.lefts * copied * S::reals, line);
    collected = right_copy + roundUp(c.rights * copied * S::reals, line);
  }
};

/// What the rows of all cells have in common.
template <class S>
Rows<typename S::Real> rowsOf(const HostContraction<typename S::Real>& c,
                              const ContractionLayout<S>& layout, const HostPart& part) {
  Rows<typename S::Real> rows;
  rows.lefts = part.last_left - part.first_left;
  rows.all_lefts = c.lefts;
  rows.rights = c.rights;
  rows.left_cell = layout.left_in_order ? c.left_cell * S::reals : 0;
  rows.right_cell = layout.right_in_order ? c.right_cell * S::reals : 0;
  rows.left_field = c.left_field * S::reals;
  rows.right_field = c.right_field * S::reals;
  rows.out_cell = c.out_cell * S::reals;
  rows.out_left = c.out_left * S::reals;
  rows.out_right = c.out_right * S::reals;
  return rows;
}

/// Some cells whose inputs begin at `left` and `right`, some terms at a time.
template <class S>
void contractTerms(const HostContraction<typename S::Real>& c, const ContractionLayout<S>& layout,
                   const RowWorkspace<S>& memory, const typename S::Real* left,
                   const typename S::Real* right, Rows<typename S::Real> rows) {
  const std::int64_t chunk = layout.termsAtOnce(c);
  std::int64_t k = 0;
  do {  // once without terms, too
    rows.terms = layout.terms - k < chunk ? layout.terms - k : chunk;
    rows.add = c.add || k > 0;
    rows.left = left + k * S::reals;
    rows.right = right + k * S::reals;
    if (!layout.left_in_order) {
      copyTerms<S, true>(c, left, rows.lefts, k, k + rows.terms, memory.left_copy);
      rows.left = memory.left_copy;
      rows.left_field = rows.terms * S::reals;
    }
    if (!layout.right_in_order) {
      copyTerms<S, false>(c, right, c.rights, k, k + rows.terms, memory.right_copy);
      rows.right = memory.right_copy;
      rows.right_field = rows.terms * S::reals;
    }
    contractBest<S>(rows, memory.panel);
    k += chunk;
  } while (k < layout.terms);
}

/// Cells whose terms are contiguous, or are copied so; outputs are collected for non-temporal
/// stores.
template <class S>
void contractByRows(const HostContraction<typename S::Real>& c, const ContractionLayout<S>& layout,
                    const HostPart& part, typename S::Real* workspace) {
  using Real = typename S::Real;
  const std::int64_t chunk = layout.termsAtOnce(c);
  const RowWorkspace<S> memory(c, layout.isInOrder() ? 0 : chunk, workspace);
  Rows<Real> rows = rowsOf<S>(c, layout, part);
  const bool is_streamed =
      c.stream && layout.out_in_order && rows.lefts == c.lefts && chunk == layout.terms;
  OutputStream<Real> stream(memory.collected);
  stream.moveTo(c.out + part.first_cell * rows.out_cell);
  rows.stream = is_streamed ? &stream : nullptr;
  rows.cells = layout.isInOrder() ? part.last_cell - part.first_cell : 1;
  for (std::int64_t cell = part.first_cell; cell < part.last_cell; cell += rows.cells) {
    rows.out = c.out + cell * rows.out_cell + part.first_left * rows.out_left;
    const Real* const left =
        c.left + (cell * c.left_cell + part.first_left * c.left_field) * S::reals;
    const Real* const right = c.right + cell * c.right_cell * S::reals;
    contractTerms<S>(c, layout, memory, left, right, rows);
  }
  if (is_streamed) stream.finish();
}

/// Cells by vectors of them, where they are contiguous everywhere. Which cells that are depends on
/// nothing but their number modulo vectors: parts that begin at whole vectors give the same bits.
/// \return the first of those that are left, which take less time one by one; all of them where the
/// fields of a vector of cells are too large
template <class S>
std::int64_t contractByVectors(const HostContraction<typename S::Real>& c,
                               const ContractionLayout<S>& layout, const HostPart& part,
                               typename S::Real* workspace) {
  constexpr int in_vector = InterleavedLimits<S>::cells;
  const std::int64_t rest = (part.last_cell - part.first_cell) % in_vector;
  const auto isAligned = [](std::int64_t reals) {
    return reals * int(sizeof(typename S::Real)) % vector_bytes == 0;
  };
  const bool is_aligned =
      reinterpret_cast<std::uintptr_t>(c.out + part.first_cell * S::reals) % vector_bytes == 0 &&
      isAligned(c.out_left * S::reals) && isAligned(c.out_right * S::reals);
  if (layout.is_single) {
    const std::int64_t end = part.last_cell - rest;
    contractSingleFields<S>(c, part.first_cell, end, c.stream && !c.add && is_aligned);
    return end;
  }
  if (InterleavedBlock<S>(c).bytes() > most_interleaved_bytes) return part.first_cell;
  const std::int64_t end = part.last_cell - (2 * rest < in_vector ? rest : 0);
  contractInterleaved<S>(c, part.first_cell, end, is_aligned, workspace);
  return end;
}

template <class S>
void contract(const HostContraction<typename S::Real>& c, const HostPart& part, void* workspace) {
  // A team of a caller may have more threads than there are left fields.
  if (part.first_left >= part.last_left) return;
  const ContractionLayout<S> layout(c);
  typename S::Real* const memory = static_cast<typename S::Real*>(workspace);
  HostPart rest = part;
  if constexpr (!S::is_complex) {
    if (!layout.isInOrder() && hasFieldRows<S>(c)) return contractByFieldRows<S>(c, part);
  }
  if (layout.is_interleaved && part.first_left == 0 && part.last_left == c.lefts) {
    rest.first_cell = contractByVectors<S>(c, layout, part, memory);
  }
  if (rest.first_cell < rest.last_cell) contractByRows<S>(c, layout, rest, memory);
  finishNonTemporal();
}

#endif
