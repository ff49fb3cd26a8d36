// SPDX-License-Identifier: BSD-3-Clause
//
// Diagonals of element matrices of interleaved cells, of tensor-product bases.
//
// The entry of a field is the sum over points and pairs (a,b) of components of its values of
// k(a,b) left(a) right(b). Both values are products of functions of one coordinate, and so is the
// product of the two: sums go direction by direction, as those of vectors do, with products of
// functions in the place of functions. (S. Orszag, 1980.)
#ifndef KONTRACT_HOSTFORMDIAGONALS_IPP
#define KONTRACT_HOSTFORMDIAGONALS_IPP

#include "Kontract_HostFamilyApply.ipp"
#include "Kontract_HostFieldVectors.ipp"
#include "Kontract_HostFormTensorBases.ipp"

/// Sums of a term for the fields of a family.
template <class R, int D>
struct FamilyDiagonal {
  using Real = R;
  static constexpr int last = D - 1, most_parts = D * D, kinds = 4;

  /// A pair of components of values that both are there.
  struct Part {
    int a, b, sign;
    int left, right;  ///< directions of derivatives
  };

  const PlainTerm<Real>* term = nullptr;
  CellPrefetch<Real>* prefetch = nullptr;
  int family = 0;
  std::int64_t fields = 0, points = 0;
  Part parts[most_parts];
  int part_count = 0;
  DirectionTable<Real> first_sum[most_parts];  ///< of each part, along the last direction
  DirectionTable<Real> other_sums[D][kinds];   ///< along the others, by which sides are derivatives

  FamilyDiagonal() = default;
  FamilyDiagonal(const PlainTerm<Real>& of, int m, std::int64_t p, CellPrefetch<Real>& next)
      : term(&of), prefetch(&next), family(m), fields(fieldsOf(of.left, m)), points(p) {
    const BasisFamilies &left = of.left.families, &right = of.right.families;
    for (int a = 0; a < (of.left_is_vector ? D : 1); ++a) {
      for (int b = 0; b < (of.right_is_vector ? D : 1); ++b) {
        const int sign = left.sign[m][a] * right.sign[m][b];
        if (sign == 0) continue;
        parts[part_count++] = {a, b, sign, left.derivative[m][a], right.derivative[m][b]};
      }
    }
    for (int n = 0; n < part_count; ++n) {
      first_sum[n] = {functionsOf(last), pointsOf(last)};
      for (int d = 0; d < last; ++d) {
        other_sums[d][kindOf(parts[n], d)] = {functionsOf(d), pointsOf(d)};
      }
    }
  }

  std::int64_t tableReals() const {
    std::int64_t sum = 0;
    const auto add = [&sum](const DirectionTable<Real>& table) {
      sum += roundUp(table.reals(), 64 / std::int64_t(sizeof(Real)));
    };
    for (const auto& table : first_sum) add(table);
    for (const auto& tables : other_sums) {
      for (const auto& table : tables) add(table);
    }
    return sum;
  }
  std::int64_t workReals(std::int64_t width) const {
    return (kinds * intermediateSize(0, 1) + intermediateSize(0, last)) * width;
  }

  void pack(FormMemory<Real>& memory) {
    for (int n = 0; n < part_count; ++n) {
      first_sum[n].packWhole(memory, [&](std::int64_t f, std::int64_t p) {
        return Real(parts[n].sign) * productAt(last, kindOf(parts[n], last), f, p);
      });
    }
    for (int d = 0; d < last; ++d) {
      for (int kind = 0; kind < kinds; ++kind) {
        other_sums[d][kind].packWhole(
            memory, [&](std::int64_t f, std::int64_t p) { return productAt(d, kind, f, p); });
      }
    }
  }

  /// sums (+)= what the term adds to the entry of each field
  /// \param k           matrices of points, by pair of components and point
  /// \param components  on the right, of k
  /// \param step        from one vector of cells to the next
  void sum(const Real* k, int components, Real* sums, std::int64_t step, bool is_first,
           Real* work) const {
    const std::int64_t a_size = intermediateSize(0, 1), b_size = intermediateSize(0, last);
    Real* const b = work + kinds * a_size * step;
    bool has[kinds] = {};
    for (int n = 0; n < part_count; ++n) {
      const Part& part = parts[n];
      const Real* const from = k + (part.a * components + part.b) * points * step;
      const int kind = kindOf(part, 0);
      Real* const to = work + kind * a_size * step;
      if constexpr (D == 3) {
        contractAlong(first_sum[n], from, b, b_size, step, true);
        contractAlong(other_sums[1][kindOf(part, 1)], b, to, a_size, step, !has[kind]);
      } else {
        contractAlong(first_sum[n], from, to, a_size, step, !has[kind]);
      }
      has[kind] = true;
    }
    bool is_first_sum = is_first;
    for (int kind = 0; kind < kinds; ++kind) {
      if (!has[kind]) continue;
      contractAlong(other_sums[0][kind], work + kind * a_size * step, sums, fields, step,
                    is_first_sum);
      is_first_sum = false;
    }
    if (is_first_sum) clear(sums, step);
  }

 private:
  std::int64_t pointsOf(int d) const { return term->left.direction[d].points; }
  std::int64_t functionsOf(int d) const { return functionsIn(term->left, family, d); }

  /// Which sides have derivatives in a direction.
  static int kindOf(const Part& part, int d) { return 2 * (part.left == d) + (part.right == d); }

  Real productAt(int d, int kind, std::int64_t f, std::int64_t p) const {
    return at(tableOf(term->left, family, d, kind & 2), f, p) *
           at(tableOf(term->right, family, d, kind & 1), f, p);
  }

  /// Directions from first to end are of points, the others of functions.
  std::int64_t intermediateSize(int first, int end) const {
    std::int64_t product = 1;
    for (int d = 0; d < D; ++d) product *= first <= d && d < end ? pointsOf(d) : functionsOf(d);
    return product;
  }

  void contractAlong(const DirectionTable<Real>& table, const Real* from, Real* to,
                     std::int64_t outputs, std::int64_t step, bool is_first) const {
    if (outputs == 0) return;
    contractDirection<Real>({table, from, to, outputs / table.rows, step, is_first, *prefetch});
  }

  void clear(Real* sums, std::int64_t step) const {
    for (std::int64_t f = 0; f < fields; ++f) {
      store<vector_bytes>(sums + f * step, Vector<Real, vector_bytes>{});
    }
  }
};

/// Computes diagonals, a vector of cells at a time.
template <class R, int D>
struct InterleavedDiagonals {
  using Real = R;
  using Vec = Vector<Real, vector_bytes>;
  static constexpr int simd_width = simd_width_of<Real>, most_families = 3;

  const HostForms<Real>& forms;
  InterleavedPoints<Real, D> points;
  FamilyDiagonal<Real, D> family[max_form_terms][most_families];
  FieldVectors<Real> of_fields;
  Real *sums, *work, *matrices[max_form_terms];

  explicit InterleavedDiagonals(const HostForms<Real>& f) : forms(f), points(f) {
    of_fields.most_fields = f.lefts;
    for (int t = 0; t < f.term_count; ++t) {
      for (int m = 0; m < f.terms[t].left.families.count; ++m) {
        family[t][m] = {f.terms[t], m, f.points, points.prefetch};
      }
    }
  }

  std::int64_t reals() const {
    std::int64_t sum = points.reals() + of_fields.reals() + sumReals() + workReals();
    for (int t = 0; t < forms.term_count; ++t) sum += matrixReals(t);
    forEachFamily([&](int t, int m) { sum += family[t][m].tableReals(); });
    return sum + (2 + forms.term_count) * (64 / std::int64_t(sizeof(Real)));
  }

  void begin(FormMemory<Real>& memory) {
    points.begin(memory);
    of_fields.begin(memory);
    sums = memory.take(sumReals());
    work = memory.take(workReals());
    for (int t = 0; t < forms.term_count; ++t) matrices[t] = memory.take(matrixReals(t));
    forEachFamily([&](int t, int m) { family[t][m].pack(memory); });
  }

  __attribute__((noinline)) void compute(std::int64_t first_cell, std::int64_t last_cell) {
    for (std::int64_t c = first_cell; c < last_cell; c += simd_width) {
      const int n = last_cell - c < simd_width ? int(last_cell - c) : simd_width;
      points.take(c, n);
      for (int i = 0; i < forms.left_blocks; ++i) {
        if (forms.diagonal_columns == 1) {
          computeBlock(c, n, {i, i}, 0);
        } else {
          for (int j = 0; j < forms.right_blocks; ++j) computeBlock(c, n, {i, j}, j);
        }
      }
    }
  }

 private:
  std::int64_t sumReals() const { return forms.lefts * simd_width; }
  std::int64_t matrixReals(int t) const {
    const PlainTerm<Real>& term = forms.terms[t];
    return (term.left_is_vector ? D : 1) * (term.right_is_vector ? D : 1) * forms.points *
           simd_width;
  }
  std::int64_t workReals() const {
    std::int64_t most = 0;
    forEachFamily([&](int t, int m) {
      const std::int64_t reals = family[t][m].workReals(simd_width);
      if (reals > most) most = reals;
    });
    return most;
  }

  /// Calls f(term, family) for each.
  template <class F>
  void forEachFamily(const F& f) const {
    for (int t = 0; t < forms.term_count; ++t) {
      for (int m = 0; m < forms.terms[t].left.families.count; ++m) f(t, m);
    }
  }

  /// \param column  of the output
  void computeBlock(std::int64_t c, int n, Blocks blocks, int column) {
    points.forEachPoint([&](std::int64_t p, const PointGeometry<D, Vec>& g) KONTRACT_INLINE_LAMBDA {
      for (int t = 0; t < forms.term_count; ++t) computeMatrix(t, p, g, blocks);
    });
    bool is_first = true;
    for (int t = 0; t < forms.term_count; ++t) {
      const PlainTerm<Real>& term = forms.terms[t];
      if (!couples(term, blocks.left, blocks.right)) continue;
      Real* to = sums;
      for (int m = 0; m < term.left.families.count; ++m) {
        family[t][m].sum(matrices[t], term.right_is_vector ? D : 1, to, simd_width, is_first, work);
        to += family[t][m].fields * simd_width;
      }
      is_first = false;
    }
    if (is_first) {
      for (std::int64_t i = 0; i < sumReals(); ++i) sums[i] = 0;
    }
    of_fields.applySigns(leftSigns(forms), c, n, forms.lefts, sums, simd_width);
    of_fields.applySigns(rightSigns(forms), c, n, forms.lefts, sums, simd_width);
    of_fields.leave(
        {forms.out + c * forms.out_cell + blocks.left * forms.out_row + column * forms.out_column,
         forms.out_cell, forms.left_blocks * forms.out_row, forms.lefts},
        n, sums, simd_width, forms.sum_into);
  }

  KONTRACT_INLINE void computeMatrix(int t, std::int64_t p, const PointGeometry<D, Vec>& g,
                                     Blocks blocks) {
    const PlainTerm<Real>& term = forms.terms[t];
    if (!couples(term, blocks.left, blocks.right)) return;
    withTermComponents<D>(term, [&](auto nl, auto nr) KONTRACT_INLINE_LAMBDA {
      constexpr int NL = decltype(nl)::value, NR = decltype(nr)::value;
      Vec k[NL][NR] = {};
      points.template pointMatrix<NL, NR>(t, g, p, blocks.left, blocks.right, k);
      for (int a = 0; a < NL; ++a) {
        for (int b = 0; b < NR; ++b) {
          store<vector_bytes>(matrices[t] + ((a * NR + b) * forms.points + p) * simd_width,
                              k[a][b]);
        }
      }
    });
  }
};

#endif
