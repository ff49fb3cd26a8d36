// SPDX-License-Identifier: BSD-3-Clause
//
// Contractions of a left side of one field with right fields that are neighbours in memory, and so
// are the outputs, as when a basis in LayoutRight is evaluated at points.
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

/// All fields of a cell, as many vectors at a time as registers hold, in parts that are about as
/// large as one another.
template <class S>
void contractFieldRows(FieldRows<typename S::Real> rows) {
  constexpr std::int64_t step = S::vector_reals, most = FieldRowsTable<S>::most;
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

/// Whether a contraction is one of these, of a vector of fields or more. The single field is the left
/// one: threads cut left fields, and where vectors begin must not depend on them.
template <class S>
bool hasFieldRows(const HostContraction<typename S::Real>& c) {
  return c.lefts == 1 && c.rights >= S::vector_reals && c.right_field == 1 && c.out_right == 1;
}

template <class S>
void contractByFieldRows(const HostContraction<typename S::Real>& c, const HostPart& part) {
  FieldRows<typename S::Real> rows;
  for (int i = 0; i < 3; ++i) rows.sum[i] = c.sum[i];
  rows.fields = c.rights;
  rows.add = c.add;
  for (std::int64_t cell = part.first_cell; cell < part.last_cell; ++cell) {
    rows.single = c.left + cell * c.left_cell;
    rows.many = c.right + cell * c.right_cell;
    rows.out = c.out + cell * c.out_cell;
    contractFieldRows<S>(rows);
  }
}

#endif
