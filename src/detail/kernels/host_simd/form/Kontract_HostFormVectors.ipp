// SPDX-License-Identifier: BSD-3-Clause
//
// Element vectors and matrix-free products of interleaved cells, or of one cell after another.
//
// The field on the right is evaluated at all points, multiplied by the matrix between left and
// right values there, and summed against the left fields; a load begins with its source at the
// points.
#ifndef KONTRACT_HOSTFORMVECTORS_IPP
#define KONTRACT_HOSTFORMVECTORS_IPP

#include "Kontract_HostBasisApply.ipp"
#include "Kontract_HostFieldVectors.ipp"

/// Computes vectors of loads, or of products with a vector.
/// \tparam lanes  of one cell, Elements: for tensor-product bases alone
template <class R, int D, Lanes lanes = Lanes::Cells>
struct InterleavedVectors {
  using Real = R;
  using Vec = Vector<Real, vector_bytes>;
  static constexpr int simd_width = simd_width_of<Real>;

  const HostForms<Real>& forms;
  InterleavedPoints<Real, D, lanes> points;
  BasisApply<Real, D> in[max_form_terms], out[max_form_terms];
  bool is_load;
  int in_blocks, out_blocks;
  std::int64_t widest;  ///< cells that are computed together
  FieldVectors<Real, lanes> of_fields;
  Real *given, *sums, *work;
  Real *value[max_form_terms], *flux[max_form_terms];

  explicit InterleavedVectors(const HostForms<Real>& f)
      : forms(f), points(f), is_load(f.kind == FormKind::Vectors) {
    in_blocks = is_load ? 0 : f.right_blocks;
    out_blocks = is_load ? f.right_blocks : f.left_blocks;
    of_fields.most_fields = f.lefts > f.rights ? f.lefts : f.rights;
    bool has_arrays = false;  // sides that are no tensor-product basis
    for (int t = 0; t < f.term_count; ++t) {
      const PlainTerm<Real>& term = f.terms[t];
      const int left = term.left_is_vector ? D : 1, right = term.right_is_vector ? D : 1;
      if (!is_load) in[t] = {term.right, right, f.rights, f.points, points.prefetch};
      out[t] = is_load ? BasisApply<Real, D>(term.right, right, f.rights, f.points, points.prefetch)
                       : BasisApply<Real, D>(term.left, left, f.lefts, f.points, points.prefetch);
      has_arrays = has_arrays || !out[t].isProduct() || (!is_load && !in[t].isProduct());
    }
    // A matrix of all values is read from a cache again for each vector of cells; those of one
    // direction stay in the nearest one, which values at points had better share.
    widest = lanes == Lanes::Elements ? 1 : has_arrays ? 4 * simd_width : simd_width;
  }

  std::int64_t reals() const {
    std::int64_t sum = points.reals() + givenReals() + sumReals() + of_fields.reals() + workReals();
    for (int t = 0; t < forms.term_count; ++t) {
      sum += valueReals(t) + fluxReals(t) + out[t].tableReals();
      if (!is_load) sum += in[t].tableReals();
    }
    return sum + (3 + 2 * forms.term_count) * (64 / std::int64_t(sizeof(Real)));
  }

  void begin(FormMemory<Real>& memory) {
    points.begin(memory);
    given = takeLanes(memory, givenReals());
    sums = takeLanes(memory, sumReals());
    of_fields.begin(memory);
    work = takeLanes(memory, workReals());
    for (int t = 0; t < forms.term_count; ++t) {
      value[t] = takeLanes(memory, valueReals(t));
      flux[t] = memory.take(fluxReals(t));
      out[t].packToFields(memory);
      if (!is_load) in[t].packToPoints(memory);
    }
  }

  __attribute__((noinline)) void compute(std::int64_t first_cell, std::int64_t last_cell) {
    for (std::int64_t c = first_cell; c < last_cell; c += widest) {
      computeCells(c, last_cell - c < widest ? last_cell - c : widest);
    }
  }

 private:
  /// Memory for numbers that vectors are read from; of one cell vectors may reach past them.
  static Real* takeLanes(FormMemory<Real>& memory, std::int64_t reals) {
    return lanes == Lanes::Elements ? memory.takeZeros(reals) : memory.take(reals);
  }
  std::int64_t fields() const { return is_load ? forms.rights : forms.lefts; }
  // Of one cell vectors may reach past the last field.
  std::int64_t givenReals() const { return in_blocks * forms.rights * widest + simd_width; }
  std::int64_t sumReals() const { return fields() * widest + simd_width; }
  std::int64_t valueReals(int t) const { return in_blocks * in[t].realsAtPoints(widest); }
  std::int64_t fluxReals(int t) const { return out_blocks * out[t].realsAtPoints(widest); }
  std::int64_t workReals() const {
    std::int64_t most = 0;
    for (int t = 0; t < forms.term_count; ++t) {
      std::int64_t reals = out[t].workReals(widest);
      if (reals > most) most = reals;
      reals = is_load ? 0 : in[t].workReals(widest);
      if (reals > most) most = reals;
    }
    return most + simd_width;
  }

  void computeCells(std::int64_t c, std::int64_t cells) {
    const std::int64_t width = lanes == Lanes::Elements ? 1 : roundUp(cells, simd_width);
    forEachVector(c, cells, [&](std::int64_t first, int n, std::int64_t offset) {
      readGiven(first, n, offset, width);
    });
    for (int t = 0; t < forms.term_count; ++t) {
      for (int j = 0; j < in_blocks; ++j) {
        in[t].evaluate(given + j * forms.rights * width, value[t] + j * in[t].realsAtPoints(width),
                       width, work);
      }
    }
    forEachVector(c, cells, [&](std::int64_t first, int n, std::int64_t offset) {
      points.take(first, n);
      points.prefetch.add(forms.vector, first);
      computeFluxes(offset, width);
    });
    for (int i = 0; i < out_blocks; ++i) {
      for (int t = 0; t < forms.term_count; ++t) {
        out[t].integrate(flux[t] + i * out[t].realsAtPoints(width), sums, width, t == 0, work);
      }
      forEachVector(c, cells, [&](std::int64_t first, int n, std::int64_t offset) {
        write(first, n, offset, width, i);
      });
    }
  }

  /// Calls f(first cell, cells, offset) for each vector of cells.
  template <class F>
  static void forEachVector(std::int64_t c, std::int64_t cells, const F& f) {
    for (std::int64_t offset = 0; offset < cells; offset += simd_width) {
      f(c + offset, cells - offset < simd_width ? int(cells - offset) : simd_width, offset);
    }
  }

  void readGiven(std::int64_t c, int n, std::int64_t offset, std::int64_t width) {
    const PlainArray<Real>& vector = forms.vector;
    for (int j = 0; j < in_blocks && forms.rights > 0; ++j) {
      Real* const to = given + j * forms.rights * width + offset;
      of_fields.read({vector.data + c * vector.cell + j * vector.field, vector.cell,
                      in_blocks * vector.field, forms.rights},
                     n, to, width);
      of_fields.applySigns(rightSigns(forms), c, n, forms.rights, to, width);
    }
  }

  void computeFluxes(std::int64_t offset, std::int64_t width) {
    const bool is_usual = !is_load && forms.term_count == 1 && in_blocks == 1 && out_blocks == 1 &&
                          withUsualTerm(forms.terms[0], [&](auto term) KONTRACT_INLINE_LAMBDA {
                            computeUsualFluxes<decltype(term)>(offset, width);
                          });
    if (is_usual) return;
    points.forEachPoint([&](std::int64_t p, const PointGeometry<D, Vec>& g) KONTRACT_INLINE_LAMBDA {
      for (int t = 0; t < forms.term_count; ++t) computeFlux(t, p, g, offset, width);
    });
  }

  template <class Term>
  __attribute__((noinline)) void computeUsualFluxes(std::int64_t offset, std::int64_t width) {
    constexpr int N = Term::is_vector ? D : 1;
    const Real* const from = value[0] + offset;
    Real* const to = flux[0] + offset;
    const std::int64_t from_point = in[0].ofPoint(width), from_component = in[0].ofComponent(width);
    const std::int64_t to_point = out[0].ofPoint(width), to_component = out[0].ofComponent(width);
    points.forEachPoint([&](std::int64_t p, const PointGeometry<D, Vec>& g) KONTRACT_INLINE_LAMBDA {
      Vec u[N], f[N], a[9];
      const Real* given_at = from + p * from_point;
      for (int b = 0; b < N; ++b, given_at += from_component) {
        inRegister(given_at);
        u[b] = load<vector_bytes>(given_at);
      }
      points.template coefficientOf<Term, N>(p, a);
      fluxAt<D>(Term::pullback, Term::pullback, Term::kind, g, a, u, f);
      Real* at = to + p * to_point;
      for (int b = 0; b < N; ++b, at += to_component) {
        inRegister(at);
        storeReals<vector_bytes>(at, f[b]);
      }
    });
  }

  KONTRACT_INLINE void computeFlux(int t, std::int64_t p, const PointGeometry<D, Vec>& g,
                                   std::int64_t offset, std::int64_t width) {
    const PlainTerm<Real>& term = forms.terms[t];
    withTermComponents<D>(term, [&](auto nl, auto nr) KONTRACT_INLINE_LAMBDA {
      for (int i = 0; i < out_blocks; ++i) {
        computeFluxOf<decltype(nl)::value, decltype(nr)::value>(t, p, g, offset, width, i);
      }
    });
  }

  template <int NL, int NR>
  KONTRACT_INLINE void computeFluxOf(int t, std::int64_t p, const PointGeometry<D, Vec>& g,
                                     std::int64_t offset, std::int64_t width, int i) {
    const BasisApply<Real, D>& to_side = out[t];
    const std::int64_t to_component = to_side.ofComponent(width);
    Real* const to =
        flux[t] + i * to_side.realsAtPoints(width) + p * to_side.ofPoint(width) + offset;
    if (is_load) {
      Vec k[NL][NR] = {};
      points.template pointMatrix<NL, NR>(t, g, p, 0, i, k);
      for (int b = 0; b < NR; ++b) store<vector_bytes>(to + b * to_component, k[0][b]);
      return;
    }
    Vec sum[NL] = {};
    for (int j = 0; j < in_blocks; ++j) {
      if (!couples(forms.terms[t], i, j)) continue;
      const Real* const from =
          value[t] + j * in[t].realsAtPoints(width) + p * in[t].ofPoint(width) + offset;
      Vec u[NR];
      for (int b = 0; b < NR; ++b) u[b] = load<vector_bytes>(from + b * in[t].ofComponent(width));
      addFlux(t, p, g, {i, j}, u, sum);
    }
    for (int a = 0; a < NL; ++a) store<vector_bytes>(to + a * to_component, sum[a]);
  }

  template <int NL, int NR>
  KONTRACT_INLINE void addFlux(int t, std::int64_t p, const PointGeometry<D, Vec>& g, Blocks blocks,
                               const Vec (&u)[NR], Vec (&sum)[NL]) {
    if (forms.terms[t].kind != CoefficientKind::Elastic) {
      points.flux(t, g, p, blocks, u, sum);
      return;
    }
    Vec k[NL][NR] = {};
    points.template pointMatrix<NL, NR>(t, g, p, blocks.left, blocks.right, k);
    for (int b = 0; b < NR; ++b) {
      for (int a = 0; a < NL; ++a) sum[a] += k[a][b] * u[b];
    }
  }

  void write(std::int64_t c, int n, std::int64_t offset, std::int64_t width, int i) {
    Real* const from = sums + offset;
    of_fields.applySigns(is_load ? rightSigns(forms) : leftSigns(forms), c, n, fields(), from,
                         width);
    const std::int64_t field = is_load ? forms.out_column : forms.out_row;
    of_fields.leave(
        {forms.out + c * forms.out_cell + i * field, forms.out_cell, out_blocks * field, fields()},
        n, from, width, forms.sum_into);
  }
};

#endif
