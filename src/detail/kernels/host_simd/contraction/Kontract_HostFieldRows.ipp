// SPDX-License-Identifier: BSD-3-Clause
//
// Contractions of a side of one field with one whose fields are neighbours in memory, and so are
// the outputs, as when a basis in LayoutRight is evaluated at points.
#ifndef KONTRACT_HOSTFIELDROWS_IPP
#define KONTRACT_HOSTFIELDROWS_IPP

#include "Kontract_HostRowWalk.ipp"

/// out(f) (+)= sum over k of single(k) * many(k,f), for the fields of a cell.
template <class Real>
struct FieldRows {
  HostLevel sum[3];  ///< left is of the single field, right of the many
  const Real* single;
  const Real* many;
  Real* out;
  std::int64_t fields;
  bool add;
};

/// So many vectors of outputs, which registers hold: vector v begins at field v * step, but the
/// last one where the last field is its last. It may overlap the one before, of which it then has
/// the same sums.
template <class S, int n>
__attribute__((noinline)) void addFieldRows(const FieldRows<typename S::Real>& rows) {
  using Vec = typename S::Vec;
  constexpr int step = S::vector_reals;
  const std::int64_t last = rows.fields - step;
  const auto placeOf = [&](int v) KONTRACT_INLINE_LAMBDA {
    return v == n - 1 ? last : std::int64_t(v * step);
  };
  Vec sums[n] = {};
  forEachTerm(rows.sum, [&](std::int64_t left, std::int64_t right) KONTRACT_INLINE_LAMBDA {
    const Vec factor = Vec{} + rows.single[left];
    const typename S::Real* const from = rows.many + right;
#pragma GCC unroll 16
    for (int v = 0; v < n; ++v) sums[v] += factor * load<S::width>(from + placeOf(v));
  });
  if (rows.add) {
#pragma GCC unroll 16
    for (int v = 0; v < n; ++v) sums[v] = load<S::width>(rows.out + placeOf(v)) + sums[v];
  }
#pragma GCC unroll 16
  for (int v = 0; v < n; ++v) store<S::width>(rows.out + placeOf(v), sums[v]);
}

/// The kernels by their number of vectors.
template <class S>
struct FieldRowsTable {
  static constexpr int most = registers == 32 ? 16 : 12;
  void (*kernels[most])(const FieldRows<typename S::Real>&) = {};

  template <int n>
  constexpr void add() {
    if constexpr (n > 0) {
      kernels[n - 1] = &addFieldRows<S, n>;
      add<n - 1>();
    }
  }
  constexpr FieldRowsTable() { add<most>(); }
};
template <class S>
constexpr FieldRowsTable<S> field_rows_table;

/// Fewer fields than a vector has, of a thread's part of them: with the same instructions, so that
/// sums do not depend on parts.
template <class S>
__attribute__((noinline)) void addFewFields(const FieldRows<typename S::Real>& rows) {
  const int fields = int(rows.fields);
  typename S::Vec sums = {};
  forEachTerm(rows.sum, [&](std::int64_t left, std::int64_t right) KONTRACT_INLINE_LAMBDA {
    const typename S::Vec factor = typename S::Vec{} + rows.single[left];
    sums += factor * loadSomeOf<S::width>(rows.many + right, fields);
  });
  for (int f = 0; f < fields; ++f) rows.out[f] = rows.add ? rows.out[f] + sums[f] : sums[f];
}

/// All fields of a cell, as many vectors at a time as registers hold, in parts that are about as
/// large as one another.
template <class S>
void contractFieldRows(FieldRows<typename S::Real> rows) {
  constexpr std::int64_t step = S::vector_reals, most = FieldRowsTable<S>::most;
  if (rows.fields < step) return addFewFields<S>(rows);
  const std::int64_t vectors = (rows.fields + step - 1) / step;
  const std::int64_t parts = (vectors + most - 1) / most;
  const std::int64_t fields = rows.fields;
  for (std::int64_t part = 0, first = 0; part < parts; ++part) {
    const std::int64_t next = vectors * (part + 1) / parts;
    FieldRows<typename S::Real> some = rows;
    some.many += first * step;
    some.out += first * step;
    some.fields = (next * step < fields ? next * step : fields) - first * step;
    field_rows_table<S>.kernels[next - first - 1](some);
    first = next;
  }
}

/// Whether a contraction is one of these, of a vector of fields or more.
template <class S>
bool hasFieldRows(const HostContraction<typename S::Real>& c) {
  const bool is_left_single = c.lefts == 1;
  if (!is_left_single && c.rights != 1) return false;
  const std::int64_t fields = is_left_single ? c.rights : c.lefts;
  const std::int64_t field = is_left_single ? c.right_field : c.left_field;
  const std::int64_t out = is_left_single ? c.out_right : c.out_left;
  return fields >= S::vector_reals && field == 1 && out == 1;
}

template <class S>
void contractByFieldRows(const HostContraction<typename S::Real>& c, const HostPart& part) {
  const bool is_left_single = c.lefts == 1;
  FieldRows<typename S::Real> rows;
  for (int i = 0; i < 3; ++i) {
    const HostLevel& level = c.sum[i];
    rows.sum[i] = is_left_single ? level : HostLevel{level.extent, level.right, level.left};
  }
  const std::int64_t first = is_left_single ? 0 : part.first_left;
  rows.fields = is_left_single ? c.rights : part.last_left - part.first_left;
  rows.add = c.add;
  for (std::int64_t cell = part.first_cell; cell < part.last_cell; ++cell) {
    const auto* const left = c.left + cell * c.left_cell;
    const auto* const right = c.right + cell * c.right_cell;
    rows.single = is_left_single ? left : right;
    rows.many = (is_left_single ? right : left) + first;
    rows.out = c.out + cell * c.out_cell + first;
    contractFieldRows<S>(rows);
  }
}

#endif
