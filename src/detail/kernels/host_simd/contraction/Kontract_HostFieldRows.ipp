// SPDX-License-Identifier: BSD-3-Clause
//
// Contractions where the fields of one side are neighbours in memory, and so are the outputs: a
// basis in LayoutRight that is evaluated at points.
#ifndef KONTRACT_HOSTFIELDROWS_IPP
#define KONTRACT_HOSTFIELDROWS_IPP

#include "Kontract_HostRowWalk.ipp"

/// out(f,s) (+)= sum over k of row(k,f) * other(k,s), for fields f that are neighbours in memory and
/// some fields s of the other side.
template <class Real>
struct FieldRows {
  HostLevel sum[3];  ///< left is of the other side, right of the rows
  const Real* other;
  const Real* row;
  Real* out;
  std::int64_t fields, others;
  std::int64_t other_field, out_other;  ///< steps from one of the others to the next
  bool add;
};

/// So many vectors of the outputs of some others, which registers hold: vector v begins at field
/// v * step, but the last one where the last field is its last. It may overlap the one before, of
/// which it then has the same sums: every output is summed up in the order of terms.
template <class S, int n, int others>
__attribute__((noinline)) void addFieldRows(const FieldRows<typename S::Real>& rows) {
  using Vec = typename S::Vec;
  constexpr int step = S::vector_reals;
  const std::int64_t last = rows.fields - step;
  const auto placeOf = [&](int v) KONTRACT_INLINE_LAMBDA {
    return v == n - 1 ? last : std::int64_t(v * step);
  };
  Vec sums[others][n] = {};
  forEachTerm(rows.sum, [&](std::int64_t other, std::int64_t row) KONTRACT_INLINE_LAMBDA {
    const typename S::Real* const from = rows.row + row;
    // In registers where several others use them.
    Vec fields[n];
#pragma GCC unroll 16
    for (int v = 0; v < n && others > 1; ++v) fields[v] = load<S::width>(from + placeOf(v));
#pragma GCC unroll 4
    for (int s = 0; s < others; ++s) {
      const Vec factor = Vec{} + rows.other[other + s * rows.other_field];
#pragma GCC unroll 16
      for (int v = 0; v < n; ++v) {
        sums[s][v] += factor * (others > 1 ? fields[v] : load<S::width>(from + placeOf(v)));
      }
    }
  });
#pragma GCC unroll 4
  for (int s = 0; s < others; ++s) {
    typename S::Real* const out = rows.out + s * rows.out_other;
    if (rows.add) {
#pragma GCC unroll 16
      for (int v = 0; v < n; ++v) sums[s][v] = load<S::width>(out + placeOf(v)) + sums[s][v];
    }
#pragma GCC unroll 16
    for (int v = 0; v < n; ++v) store<S::width>(out + placeOf(v), sums[s][v]);
  }
}

/// Fewer fields than a vector has, of one of the others.
template <class S>
__attribute__((noinline)) void addFewFieldRows(const FieldRows<typename S::Real>& rows) {
  using Vec = typename S::Vec;
  const int fields = int(rows.fields);
  Vec sum = {};
  forEachTerm(rows.sum, [&](std::int64_t other, std::int64_t row) KONTRACT_INLINE_LAMBDA {
    sum += (Vec{} + rows.other[other]) * loadSomeOf<S::width>(rows.row + row, fields);
  });
  if (rows.add) sum = loadSomeOf<S::width>(rows.out, fields) + sum;
  typename S::Real outputs[S::vector_reals];
  store<S::width>(outputs, sum);
  copySome(rows.out, outputs, rows.fields);
}

/// The kernels by their number of vectors, for so many others at a time.
template <class S, int others>
struct FieldRowsTable {
  static constexpr int most = (registers == 16 ? 12 : others > 1 ? 24 : 16) / others;
  void (*kernels[most])(const FieldRows<typename S::Real>&) = {};

  template <int n>
  constexpr void add() {
    if constexpr (n > 0) {
      kernels[n - 1] = &addFieldRows<S, n, others>;
      add<n - 1>();
    }
  }
  constexpr FieldRowsTable() { add<most>(); }
};
template <class S, int others>
constexpr FieldRowsTable<S, others> field_rows_table;

/// All fields of some others, as many vectors at a time as registers hold, in parts that are about
/// as large as one another.
template <class S, int others>
void contractFieldRows(const FieldRows<typename S::Real>& rows) {
  constexpr std::int64_t step = S::vector_reals, most = FieldRowsTable<S, others>::most;
  const std::int64_t vectors = (rows.fields + step - 1) / step;
  const std::int64_t parts = (vectors + most - 1) / most;
  for (std::int64_t part = 0, first = 0; part < parts; ++part) {
    const std::int64_t next = vectors * (part + 1) / parts;
    FieldRows<typename S::Real> some = rows;
    some.row += first * step;
    some.out += first * step;
    some.fields = (next * step < rows.fields ? next * step : rows.fields) - first * step;
    field_rows_table<S, others>.kernels[next - first - 1](some);
    first = next;
  }
}

/// A cell.
template <class S>
void contractFieldRows(FieldRows<typename S::Real> rows) {
  constexpr std::int64_t at_once = 4;
  const auto pass = [&](std::int64_t others) {
    rows.others -= others;
    rows.other += others * rows.other_field;
    rows.out += others * rows.out_other;
  };
  const bool are_few = rows.fields < S::vector_reals;
  while (!are_few && rows.others >= at_once) {
    contractFieldRows<S, at_once>(rows);
    pass(at_once);
  }
  while (rows.others > 0) {
    if (are_few) {
      addFewFieldRows<S>(rows);
    } else {
      contractFieldRows<S, 1>(rows);
    }
    pass(1);
  }
}

/// Whether fields of a side, of half a cache line or more, are neighbours in memory, and so are the
/// outputs.
template <class S>
bool areFieldRows(std::int64_t fields, std::int64_t field, std::int64_t out_field) {
  return fields * int(sizeof(typename S::Real)) >= 32 && field == 1 && out_field == 1;
}
template <class S>
bool hasFieldRows(const HostContraction<typename S::Real>& c) {
  return areFieldRows<S>(c.rights, c.right_field, c.out_right) ||
         areFieldRows<S>(c.lefts, c.left_field, c.out_left);
}

template <class S>
void contractByFieldRows(const HostContraction<typename S::Real>& c, const HostPart& part) {
  const bool of_right = areFieldRows<S>(c.rights, c.right_field, c.out_right);
  const std::int64_t lefts = part.last_left - part.first_left;
  FieldRows<typename S::Real> rows;
  for (int i = 0; i < 3; ++i) {
    const HostLevel& level = c.sum[i];
    rows.sum[i] = of_right ? level : HostLevel{level.extent, level.right, level.left};
  }
  rows.fields = of_right ? c.rights : lefts;
  rows.others = of_right ? lefts : c.rights;
  rows.other_field = of_right ? c.left_field : c.right_field;
  rows.out_other = of_right ? c.out_left : c.out_right;
  rows.add = c.add;
  for (std::int64_t cell = part.first_cell; cell < part.last_cell; ++cell) {
    const typename S::Real* const left =
        c.left + cell * c.left_cell + part.first_left * c.left_field;
    const typename S::Real* const right = c.right + cell * c.right_cell;
    rows.other = of_right ? left : right;
    rows.row = of_right ? right : left;
    rows.out = c.out + cell * c.out_cell + part.first_left * c.out_left;
    contractFieldRows<S>(rows);
  }
}

#endif
