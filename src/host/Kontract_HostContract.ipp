// SPDX-License-Identifier: BSD-3-Clause
//
// Contractions, whatever the strides. Part of Kontract_HostKernelSet.ipp.

/// What a contraction's memory allows.
template <class S>
struct Arrangement {
  using Real = typename S::Real;
  std::int64_t terms;
  bool left_in_order, right_in_order;  ///< terms are side by side
  bool by_cells;                       ///< neighbours are neighbouring cells, everywhere
  bool is_single;                      ///< one side has one field
  bool out_in_order;                   ///< the output is one run of memory, cell after cell

  explicit Arrangement(const HostContraction<Real>& c) {
    terms = c.sum[0].extent * c.sum[1].extent * c.sum[2].extent;
    const HostLevel& inner = c.sum[2];
    const bool is_one_run = inner.extent == terms;
    left_in_order = is_one_run && (inner.left == 1 || terms == 1);
    right_in_order = is_one_run && (inner.right == 1 || terms == 1);
    by_cells = c.left_cell == 1 && c.right_cell == 1 && c.out_cell == 1;
    is_single = c.lefts == 1 || c.rights == 1;
    out_in_order = (c.rights == 1 || c.out_right == 1) &&
                   (c.lefts == 1 || c.out_left == c.rights) && c.out_cell == c.lefts * c.rights;
  }
};

constexpr std::int64_t panel_bytes_max = most_panel_bytes + 4 * 1024;
constexpr std::int64_t most_cells_bytes = 64 * 1024 * 1024;

template <class S>
std::int64_t workspaceOf(const HostContraction<typename S::Real>& c) {
  const Arrangement<S> memory(c);
  constexpr int scalar = S::reals * int(sizeof(typename S::Real));
  std::int64_t bytes = panel_bytes_max;
  bytes += roundedUp(c.lefts * memory.terms * scalar, 64) +
           roundedUp(c.rights * memory.terms * scalar, 64);
  if (c.stream) bytes += 128 + c.lefts * c.rights * scalar;
  if (memory.by_cells && !memory.is_single) {
    const std::int64_t packed = packedCellsBytes<S>(c);
    if (packed <= most_cells_bytes && packed > bytes) bytes = packed;
  }
  return roundedUp(bytes, 64);
}

/// Copies fields so that their terms are side by side.
template <class S, bool of_left>
void copyTerms(const HostContraction<typename S::Real>& c, const typename S::Real* from,
               std::int64_t first, std::int64_t last, typename S::Real* to) {
  const std::int64_t field = (of_left ? c.left_field : c.right_field) * S::reals;
  for (std::int64_t f = first; f < last; ++f) {
    const typename S::Real* const row = from + f * field;
    forEachTerm(c.sum, [&](std::int64_t left, std::int64_t right) KONTRACT_INLINE_LAMBDA {
      const typename S::Real* const at = row + (of_left ? left : right) * S::reals;
      for (int part = 0; part < S::reals; ++part) *to++ = at[part];
    });
  }
}

/// Cells in the manner of rows: inputs are copied into order where they are
/// not, outputs are collected where they stream.
template <class S>
void contractByRows(const HostContraction<typename S::Real>& c, const Arrangement<S>& memory,
                    const HostPart& part, typename S::Real* workspace) {
  using Real = typename S::Real;
  Rows<Real> rows;
  rows.lefts = part.last_left - part.first_left;
  rows.rights = c.rights;
  rows.terms = memory.terms;
  rows.add = c.add;
  Real* const panel = workspace;
  Real* const left_copy = panel + panel_bytes_max / int(sizeof(Real));
  Real* const right_copy =
      left_copy + roundedUp(c.lefts * memory.terms * S::reals, 64 / int(sizeof(Real)));
  Real* const collected =
      right_copy + roundedUp(c.rights * memory.terms * S::reals, 64 / int(sizeof(Real)));
  const std::int64_t left_start = part.first_left * c.left_field * S::reals;
  rows.left_field = (memory.left_in_order ? c.left_field : memory.terms) * S::reals;
  rows.right_field = (memory.right_in_order ? c.right_field : memory.terms) * S::reals;
  rows.left_cell = memory.left_in_order ? c.left_cell * S::reals : 0;
  rows.right_cell = memory.right_in_order ? c.right_cell * S::reals : 0;
  rows.out_cell = c.out_cell * S::reals;
  rows.out_left = c.out_left * S::reals;
  rows.out_right = c.out_right * S::reals;
  const bool is_streamed = c.stream && memory.out_in_order && rows.lefts == c.lefts;
  OutputStream<Real> stream(c.out + part.first_cell * rows.out_cell, collected);
  rows.stream = is_streamed ? &stream : nullptr;
  const bool in_order = memory.left_in_order && memory.right_in_order;
  const std::int64_t at_once = in_order ? part.last_cell - part.first_cell : 1;
  for (std::int64_t cell = part.first_cell; cell < part.last_cell; cell += at_once) {
    rows.cells = at_once;
    rows.left = c.left + cell * c.left_cell * S::reals + left_start;
    rows.right = c.right + cell * c.right_cell * S::reals;
    rows.out = c.out + cell * rows.out_cell + part.first_left * rows.out_left;
    if (!memory.left_in_order) {
      copyTerms<S, true>(c, c.left + cell * c.left_cell * S::reals, part.first_left, part.last_left,
                         left_copy);
      rows.left = left_copy;
    }
    if (!memory.right_in_order) {
      copyTerms<S, false>(c, rows.right, 0, c.rights, right_copy);
      rows.right = right_copy;
    }
    contractBest<S>(rows, panel);
  }
  if (is_streamed) stream.finish();
}

template <class S>
void contract(const HostContraction<typename S::Real>& c, const HostPart& part, void* workspace) {
  using Real = typename S::Real;
  const Arrangement<S> memory(c);
  Real* const space = static_cast<Real*>(workspace);
  HostPart rest = part;
  const bool all_lefts = part.first_left == 0 && part.last_left == c.lefts;
  if (memory.by_cells && all_lefts) {
    constexpr int cells = CellTile<S>::cells;
    const std::int64_t whole = (part.last_cell - part.first_cell) / cells * cells;
    rest.first_cell = part.first_cell + whole;
    const auto isAligned = [](std::int64_t reals) {
      return reals * int(sizeof(Real)) % vector_bytes == 0;
    };
    const bool stream =
        c.stream && !c.add &&
        reinterpret_cast<std::uintptr_t>(c.out + part.first_cell * S::reals) % vector_bytes == 0 &&
        isAligned(c.out_left * S::reals) && isAligned(c.out_right * S::reals);
    if (memory.is_single) {
      contractSingles<S>(c, part.first_cell, rest.first_cell, stream);
    } else if (packedCellsBytes<S>(c) <= most_cells_bytes) {
      contractCells<S>(c, part.first_cell, rest.first_cell, stream, space);
    } else {
      rest = part;
    }
  }
  if (rest.first_cell < rest.last_cell) contractByRows<S>(c, memory, rest, space);
  finishStreaming();
}
