// SPDX-License-Identifier: BSD-3-Clause
//
// Element vectors and matrix-free products: cells are lanes. Part of Kontract_HostKernelSet.ipp.
//
// The field on the right is evaluated at all points, multiplied by the matrix between left and
// right values there, and summed against the left fields; a load begins with its source at the
// points. With bases that are tensor products both sums go direction by direction (S. Orszag,
// 1980), otherwise they are products with the matrix of all values.

/// Evaluates fields of one side of a term at all points, and sums against them.
template <class R, int D>
struct LaneSide {
  using Real = R;
  static constexpr int lanes = vector_bytes / int(sizeof(Real));

  const HostValues<Real>* values = nullptr;
  int components = 1;
  std::int64_t fields = 0, points = 0;
  // Of a tensor-product basis by direction: of functions and of their derivatives.
  LaneTable<Real> to_points[D][2], to_fields[D][2];

  LaneSide() = default;
  LaneSide(const HostValues<Real>& v, int n, std::int64_t f, std::int64_t p)
      : values(&v), components(n), fields(f), points(p) {
    if (!isProduct()) {
      to_points[0][0] = {points * components, fields};
      to_fields[0][0] = {fields, points * components};
      return;
    }
    for (int d = 0; d < D; ++d) {
      for (int kind = 0; kind < kinds(); ++kind) {
        to_points[d][kind] = {v.direction[d].points, v.direction[d].functions};
        to_fields[d][kind] = {v.direction[d].functions, v.direction[d].points};
      }
    }
  }

  bool isProduct() const { return D > 1 && values->directions == D; }
  int kinds() const { return values->is_gradient ? 2 : 1; }

  /// Reals of tables: one direction, to points or to fields.
  std::int64_t tableReals() const {
    std::int64_t sum = 0;
    for (int d = 0; d < D; ++d) {
      for (int kind = 0; kind < 2; ++kind) {
        sum += roundUp(to_points[d][kind].reals(), 64 / std::int64_t(sizeof(Real)));
      }
    }
    return sum;
  }
  /// Reals that evaluate() and integrate() work in.
  std::int64_t workReals(std::int64_t width) const {
    return isProduct() ? (2 * halfWay(1) + (D == 3 ? 3 * halfWay(2) : 0)) * width : 0;
  }

  // Where values at points lie.
  std::int64_t ofPoint(std::int64_t width) const {
    return isProduct() ? width : components * width;
  }
  std::int64_t ofComponent(std::int64_t width) const {
    return isProduct() ? points * width : width;
  }

  void packToPoints(FormMemory<Real>& memory) {
    pack(to_points, memory, [&](std::int64_t row, std::int64_t field) {
      return at(*values, 0, field, row / components, row % components);
    });
  }
  void packToFields(FormMemory<Real>& memory) {
    pack(to_fields, memory, [&](std::int64_t field, std::int64_t term) {
      return at(*values, 0, field, term / components, term % components);
    });
  }

  /// at_points = values of the field with these coefficients
  void evaluate(const Real* coefficients, Real* at_points, std::int64_t width, Real* work) const {
    if (!isProduct()) {
      to_points[0][0].multiply(coefficients, width, at_points, width, width, true);
      return;
    }
    Real* const a = work;
    Real* const b = work + 2 * halfWay(1) * width;
    const std::int64_t a_size = halfWay(1) * width, b_size = halfWay(2) * width;
    const std::int64_t size = points * width;
    const auto along = [&](int d, int kind, const Real* from, Real* to) {
      multiplyAlong(to_points[d][kind], d, from, to, width, true);
    };
    along(0, 0, coefficients, a);
    if (values->is_gradient) along(0, 1, coefficients, a + a_size);
    if constexpr (D == 2) {
      if (!values->is_gradient) return along(1, 0, a, at_points);
      along(1, 0, a + a_size, at_points);
      along(1, 1, a, at_points + size);
    } else if constexpr (D == 3) {
      along(1, 0, a, b);
      if (!values->is_gradient) return along(2, 0, b, at_points);
      along(1, 1, a, b + b_size);
      along(1, 0, a + a_size, b + 2 * b_size);
      along(2, 0, b + 2 * b_size, at_points);
      along(2, 0, b + b_size, at_points + size);
      along(2, 1, b, at_points + 2 * size);
    }
  }

  /// sums (+)= for each field the sum over points and components of at_points times its values
  void integrate(const Real* at_points, Real* sums, std::int64_t width, bool is_first,
                 Real* work) const {
    if (!isProduct()) {
      to_fields[0][0].multiply(at_points, width, sums, width, width, is_first);
      return;
    }
    Real* const a = work;
    Real* const b = work + 2 * halfWay(1) * width;
    const std::int64_t a_size = halfWay(1) * width, b_size = halfWay(2) * width;
    const std::int64_t size = points * width;
    const auto along = [&](int d, int kind, const Real* from, Real* to, bool first = true) {
      multiplyAlong(to_fields[d][kind], d, from, to, width, first);
    };
    if constexpr (D == 2) {
      if (!values->is_gradient) {
        along(1, 0, at_points, a);
      } else {
        along(1, 0, at_points, a + a_size);
        along(1, 1, at_points + size, a);
      }
    } else if constexpr (D == 3) {
      if (!values->is_gradient) {
        along(2, 0, at_points, b);
        along(1, 0, b, a);
      } else {
        along(2, 0, at_points, b + 2 * b_size);
        along(2, 0, at_points + size, b + b_size);
        along(2, 1, at_points + 2 * size, b);
        along(1, 0, b + 2 * b_size, a + a_size);
        along(1, 1, b + b_size, a);
        along(1, 0, b, a, false);
      }
    }
    along(0, 0, a, sums, is_first);
    if (values->is_gradient) along(0, 1, a + a_size, sums, false);
  }

 private:
  std::int64_t pointsOf(int d) const { return values->direction[d].points; }
  std::int64_t functionsOf(int d) const { return values->direction[d].functions; }

  /// Elements when the first directions are of points and the others of functions.
  std::int64_t halfWay(int directions) const {
    std::int64_t product = 1;
    for (int d = 0; d < D; ++d) product *= d < directions ? pointsOf(d) : functionsOf(d);
    return product;
  }

  template <class At>
  void pack(LaneTable<Real> (&tables)[D][2], FormMemory<Real>& memory, const At& all) {
    if (!isProduct()) {
      tables[0][0].pack(memory, all);
      return;
    }
    const bool is_to_points = &tables == &to_points;
    for (int d = 0; d < D; ++d) {
      for (int kind = 0; kind < kinds(); ++kind) {
        tables[d][kind].pack(memory, [&](std::int64_t row, std::int64_t term) {
          return at(values->direction[d], kind == 1, is_to_points ? term : row,
                    is_to_points ? row : term);
        });
      }
    }
  }

  /// Sums along a direction: those before it are of points, those after it of functions.
  void multiplyAlong(const LaneTable<Real>& table, int direction, const Real* from, Real* to,
                     std::int64_t width, bool is_first) const {
    std::int64_t inner = width, outer = 1;
    for (int d = 0; d < direction; ++d) inner *= pointsOf(d);
    for (int d = direction + 1; d < D; ++d) outer *= functionsOf(d);
    for (std::int64_t o = 0; o < outer; ++o) {
      table.multiply(from + o * table.terms * inner, inner, to + o * table.rows * inner, inner,
                     inner, is_first);
    }
  }
};

/// Computes vectors of loads, or of products with a vector.
template <class R, int D>
struct LaneForms {
  using Real = R;
  using Vec = Vector<Real, vector_bytes>;
  static constexpr int lanes = vector_bytes / int(sizeof(Real));
  static constexpr int most_terms = 8;

  const HostForms<Real>& forms;
  LanePoints<Real, D> points;
  LaneSide<Real, D> in[most_terms], out[most_terms];
  bool is_load;
  bool has_arrays = false;  ///< sides that are no tensor-product basis
  int in_blocks, out_blocks;
  std::int64_t widest;  ///< lanes of cells that are computed together
  Real *given, *sums, *work, *signs, *before;
  Real *value[most_terms], *flux[most_terms];

  explicit LaneForms(const HostForms<Real>& f)
      : forms(f), points(f), is_load(f.vector.data == nullptr) {
    in_blocks = is_load ? 0 : f.right_blocks;
    out_blocks = is_load ? f.right_blocks : f.left_blocks;
    for (int t = 0; t < f.term_count; ++t) {
      const HostTerm<Real>& term = f.terms[t];
      const int left = term.left_is_vector ? D : 1, right = term.right_is_vector ? D : 1;
      if (!is_load) in[t] = {term.right, right, f.rights, f.points};
      out[t] = is_load ? LaneSide<Real, D>(term.right, right, f.rights, f.points)
                       : LaneSide<Real, D>(term.left, left, f.lefts, f.points);
      has_arrays = has_arrays || !out[t].isProduct() || (!is_load && !in[t].isProduct());
    }
    // A matrix of all values is read from a cache again for each vector of cells; those of one
    // direction stay in the nearest one, which values at points had better share.
    widest = has_arrays ? 4 * lanes : lanes;
  }

  const char* name() const {
    return has_arrays ? "cells as lanes" : "cells as lanes, sum factorization";
  }

  std::int64_t reals() const {
    std::int64_t sum = points.reals() + givenReals() + 2 * sumReals() + signReals() + workReals();
    for (int t = 0; t < forms.term_count; ++t) {
      sum += valueReals(t) + fluxReals(t) + out[t].tableReals();
      if (!is_load) sum += in[t].tableReals();
    }
    return sum + (6 + 2 * forms.term_count) * (64 / std::int64_t(sizeof(Real)));
  }

  void compute(std::int64_t first_cell, std::int64_t last_cell, void* workspace) {
    FormMemory<Real> memory{static_cast<Real*>(workspace)};
    points.begin(memory);
    given = memory.take(givenReals());
    sums = memory.take(sumReals());
    before = memory.take(sumReals());
    signs = memory.take(signReals());
    work = memory.take(workReals());
    for (int t = 0; t < forms.term_count; ++t) {
      value[t] = memory.take(valueReals(t));
      flux[t] = memory.take(fluxReals(t));
      out[t].packToFields(memory);
      if (!is_load) in[t].packToPoints(memory);
    }
    for (std::int64_t c = first_cell; c < last_cell; c += widest) {
      computeCells(c, last_cell - c < widest ? last_cell - c : widest);
    }
  }

 private:
  std::int64_t fields() const { return is_load ? forms.rights : forms.lefts; }
  std::int64_t givenReals() const { return in_blocks * forms.rights * widest; }
  std::int64_t sumReals() const { return fields() * widest; }
  std::int64_t signReals() const {
    return (forms.lefts > forms.rights ? forms.lefts : forms.rights) * lanes;
  }
  std::int64_t valueReals(int t) const {
    return in_blocks * in[t].components * forms.points * widest;
  }
  std::int64_t fluxReals(int t) const {
    return out_blocks * out[t].components * forms.points * widest;
  }
  std::int64_t workReals() const {
    std::int64_t most = 0;
    for (int t = 0; t < forms.term_count; ++t) {
      std::int64_t reals = out[t].workReals(widest);
      if (reals > most) most = reals;
      reals = is_load ? 0 : in[t].workReals(widest);
      if (reals > most) most = reals;
    }
    return most;
  }

  void computeCells(std::int64_t c, std::int64_t cells) {
    const std::int64_t width = roundUp(cells, lanes);
    forEachVector(c, cells, [&](std::int64_t first, int n, std::int64_t lane) {
      readGiven(first, n, lane, width);
    });
    for (int t = 0; t < forms.term_count; ++t) {
      for (int j = 0; j < in_blocks; ++j) {
        in[t].evaluate(given + j * forms.rights * width,
                       value[t] + j * in[t].components * forms.points * width, width, work);
      }
    }
    forEachVector(c, cells, [&](std::int64_t first, int n, std::int64_t lane) {
      points.take(first, n);
      points.forEachPoint([&](std::int64_t p, const PointGeometry<D, Vec>& g)
                              KONTRACT_INLINE_LAMBDA {
                                for (int t = 0; t < forms.term_count; ++t) {
                                  computeFlux(t, p, g, lane, width);
                                }
                              });
    });
    for (int i = 0; i < out_blocks; ++i) {
      for (int t = 0; t < forms.term_count; ++t) {
        out[t].integrate(flux[t] + i * out[t].components * forms.points * width, sums, width,
                         t == 0, work);
      }
      forEachVector(c, cells, [&](std::int64_t first, int n, std::int64_t lane) {
        write(first, n, lane, width, i);
      });
    }
  }

  /// Calls f(first cell, cells, first lane) for each vector of cells.
  template <class F>
  static void forEachVector(std::int64_t c, std::int64_t cells, const F& f) {
    for (std::int64_t lane = 0; lane < cells; lane += lanes) {
      f(c + lane, cells - lane < lanes ? int(cells - lane) : lanes, lane);
    }
  }

  /// Multiplies fields by their signs.
  void applySigns(const HostTensor<Real>& of, std::int64_t c, int n, std::int64_t count, Real* to,
                  std::int64_t width) {
    if (of.data == nullptr) return;
    lanesFromCells(of.data + c * of.cell, of.cell, of.field, count, n, signs, lanes);
    for (std::int64_t f = 0; f < count; ++f) {
      store<vector_bytes>(to + f * width, load<vector_bytes>(to + f * width) *
                                              load<vector_bytes>(signs + f * lanes));
    }
  }

  void readGiven(std::int64_t c, int n, std::int64_t lane, std::int64_t width) {
    const HostTensor<Real>& vector = forms.vector;
    for (int j = 0; j < in_blocks; ++j) {
      Real* const to = given + j * forms.rights * width + lane;
      lanesFromCells(vector.data + c * vector.cell + j * vector.field, vector.cell,
                     in_blocks * vector.field, forms.rights, n, to, width);
      applySigns(forms.right_signs, c, n, forms.rights, to, width);
    }
  }

  KONTRACT_INLINE void computeFlux(int t, std::int64_t p, const PointGeometry<D, Vec>& g,
                                   std::int64_t lane, std::int64_t width) {
    const HostTerm<Real>& term = forms.terms[t];
    withTermComponents<D>(term, [&](auto nl, auto nr) KONTRACT_INLINE_LAMBDA {
      for (int i = 0; i < out_blocks; ++i) {
        computeFluxOf<decltype(nl)::value, decltype(nr)::value>(t, p, g, lane, width, i);
      }
    });
  }

  template <int NL, int NR>
  KONTRACT_INLINE void computeFluxOf(int t, std::int64_t p, const PointGeometry<D, Vec>& g,
                                     std::int64_t lane, std::int64_t width, int i) {
    const LaneSide<Real, D>& to_side = out[t];
    const std::int64_t to_component = to_side.ofComponent(width);
    Real* const to =
        flux[t] + i * to_side.components * forms.points * width + p * to_side.ofPoint(width) + lane;
    if (is_load) {
      Vec k[NL][NR] = {};
      points.template metric<NL, NR>(t, g, p, 0, i, k);
      for (int b = 0; b < NR; ++b) store<vector_bytes>(to + b * to_component, k[0][b]);
      return;
    }
    Vec sum[NL] = {};
    for (int j = 0; j < in_blocks; ++j) {
      if (!couples(forms.terms[t], i, j)) continue;
      const Real* const from =
          value[t] + j * in[t].components * forms.points * width + p * in[t].ofPoint(width) + lane;
      Vec u[NR];
      for (int b = 0; b < NR; ++b) u[b] = load<vector_bytes>(from + b * in[t].ofComponent(width));
      addFlux(t, p, g, i, j, u, sum);
    }
    for (int a = 0; a < NL; ++a) store<vector_bytes>(to + a * to_component, sum[a]);
  }

  template <int NL, int NR>
  KONTRACT_INLINE void addFlux(int t, std::int64_t p, const PointGeometry<D, Vec>& g, int i, int j,
                               const Vec (&u)[NR], Vec (&sum)[NL]) {
    if (forms.terms[t].kind != CoefficientKind::Elastic) {
      points.flux(t, g, p, i, j, u, sum);
      return;
    }
    Vec k[NL][NR] = {};
    points.template metric<NL, NR>(t, g, p, i, j, k);
    for (int b = 0; b < NR; ++b) {
      for (int a = 0; a < NL; ++a) sum[a] += k[a][b] * u[b];
    }
  }

  void write(std::int64_t c, int n, std::int64_t lane, std::int64_t width, int i) {
    Real* const from = sums + lane;
    applySigns(is_load ? forms.right_signs : forms.left_signs, c, n, fields(), from, width);
    const std::int64_t field = is_load ? forms.out_column : forms.out_row;
    Real* const to = forms.out + c * forms.out_cell + i * field;
    if (forms.sum_into) {
      lanesFromCells<Real>(to, forms.out_cell, out_blocks * field, fields(), n, before, lanes);
      for (std::int64_t f = 0; f < fields(); ++f) {
        store<vector_bytes>(from + f * width, load<vector_bytes>(from + f * width) +
                                                  load<vector_bytes>(before + f * lanes));
      }
    }
    cellsFromLanes(from, width, fields(), n, to, forms.out_cell, out_blocks * field);
  }
};

/// Whether LaneForms computes a problem: a load, or a product with a vector, with the same values
/// in all cells.
template <class Real>
bool haveValuesOfReference(const HostForms<Real>& forms) {
  for (int t = 0; t < forms.term_count; ++t) {
    if (forms.terms[t].left.cell != 0 || forms.terms[t].right.cell != 0) return false;
  }
  return true;
}
