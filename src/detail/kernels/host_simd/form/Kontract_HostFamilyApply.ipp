// SPDX-License-Identifier: BSD-3-Clause
//
// Basis apply for interleaved cells or for one, of fields that are products of functions of one
// coordinate: tensor contractions, direction by direction (S. Orszag, 1980).
#ifndef KONTRACT_HOSTFAMILYAPPLY_IPP
#define KONTRACT_HOSTFAMILYAPPLY_IPP

#include "Kontract_HostDirectionContraction.ipp"
#include "Kontract_HostInterleavedPoints.ipp"

/// Reals of a component at points: of one cell whole vectors of them.
/// \param step  from one point to the next
template <class Real>
std::int64_t componentRealsOf(std::int64_t points, std::int64_t step) {
  return step == 1 ? roundUp(points, simd_width_of<Real>) : points * step;
}

/// Basis apply of a family of fields: from coefficients to components of values at points, and
/// back. A component has the derivative of the function of one direction, or of none; then it is
/// the only one.
template <class R, int D>
struct FamilyApply {
  using Real = R;
  static constexpr int last = D - 1;

  const PlainValues<Real>* values = nullptr;
  CellPrefetch<Real>* prefetch = nullptr;
  int family = 0;
  std::int64_t fields = 0, points = 0;
  static constexpr int none = -1;
  int component[D];  ///< with the derivative in each direction, or none
  int plain = none;  ///< component without a derivative
  int sign[D];       ///< of the component of each direction
  int plain_sign = 1;
  bool adds[3] = {};  ///< to a component: families before have it, too
  // By direction: of functions, of their derivatives, and, to fields, of both after one another.
  static constexpr int tables = 3, functions = 0, derivatives = 1, both = 2;
  DirectionTable<Real> to_points[D][tables], to_fields[D][tables];

  FamilyApply() = default;
  FamilyApply(const PlainValues<Real>& v, int m, std::int64_t p, CellPrefetch<Real>& next)
      : values(&v), prefetch(&next), family(m), fields(fieldsOf(v, m)), points(p) {
    findComponents();
    for (int d = 0; d < D; ++d) {
      const std::int64_t n_d = functionsOf(d), p_d = pointsOf(d);
      to_points[d][functions] = {p_d, n_d};
      to_fields[d][functions] = {n_d, p_d};
      if (component[d] == none) continue;
      to_points[d][derivatives] = {p_d, n_d};
      to_fields[d][derivatives] = {n_d, p_d};
      if (d < last) to_fields[d][both] = {n_d, p_d, 2};
    }
  }

  /// Reals of tables: to points or to fields, whichever are more.
  std::int64_t tableReals() const {
    std::int64_t sum = 0;
    for (int d = 0; d < D; ++d) {
      for (int kind = 0; kind < tables; ++kind) {
        sum += roundUp(to_fields[d][kind].reals(), 64 / std::int64_t(sizeof(Real)));
      }
    }
    return sum;
  }
  /// Reals that evaluate() and integrate() work in.
  std::int64_t workReals(std::int64_t width) const {
    const std::int64_t evaluated = 2 * intermediateSize(last, D) + 3 * intermediateSize(1, D);
    const std::int64_t integrated = 2 * intermediateSize(0, 1) + 3 * intermediateSize(0, last);
    return (evaluated > integrated ? evaluated : integrated) * width;
  }

  void packToPoints(FormMemory<Real>& memory) {
    pack(to_points, memory, [&](int d, int kind, std::int64_t p, std::int64_t f) {
      return tableAt(d, kind == derivatives, f, p);
    });
  }
  void packToFields(FormMemory<Real>& memory) {
    pack(to_fields, memory, [&](int d, int kind, std::int64_t f, std::int64_t p) {
      const bool is_derivative = kind == derivatives || (kind == both && p < pointsOf(d));
      return tableAt(d, is_derivative, f, p % pointsOf(d));
    });
  }

  /// at_points (+)= components of the field with these coefficients, for a vector of cells
  /// \param step  from one element to the next; 1 for one cell
  void evaluate(const Real* coefficients, Real* at_points, std::int64_t step, Real* work) const {
    const std::int64_t a_size = intermediateSize(last, D), b_size = intermediateSize(1, D);
    Real *const a = work, *const b = D == 2 ? work : work + 2 * a_size * step;
    if (hasBefore(last)) contractAlong(to_points[last][functions], coefficients, a, a_size, step);
    if (component[last] != none) {
      contractAlong(to_points[last][derivatives], coefficients, a + a_size * step, a_size, step);
    }
    if constexpr (D == 3) {
      if (hasBefore(1)) contractAlong(to_points[1][functions], a, b, b_size, step);
      if (component[1] != none) {
        contractAlong(to_points[1][derivatives], a, b + b_size * step, b_size, step);
      }
      if (component[2] != none) {
        contractAlong(to_points[1][functions], a + a_size * step, b + 2 * b_size * step, b_size,
                      step);
      }
    }
    const auto end = [&](int to, int kind, const Real* from) {
      if (to == none) return;
      contractAlong(to_points[0][kind], from, at_points + to * componentRealsOf<Real>(points, step),
                    points, step, !adds[to]);
    };
    end(plain, functions, b);
    for (int d = 0; d < D; ++d) {
      end(component[d], d == 0 ? derivatives : functions, b + d * b_size * step);
    }
  }

  /// sums (+)= for each field the sum over points and components of at_points times its values
  void integrate(const Real* at_points, Real* sums, std::int64_t step, bool is_first,
                 Real* work) const {
    const std::int64_t a_size = intermediateSize(0, 1), b_size = intermediateSize(0, last);
    Real *const a = work, *const b = D == 2 ? work : work + 2 * a_size * step;
    const auto begin = [&](int from, int kind, int slot) {
      if (from == none) return;
      contractAlong(to_fields[last][kind], at_points + from * componentRealsOf<Real>(points, step),
                    b + slot * b_size * step, b_size, step);
    };
    begin(plain, functions, last);
    for (int d = 0; d < D; ++d) begin(component[d], d == last ? derivatives : functions, d);
    const bool has_last = plain != none || component[last] != none;
    if constexpr (D == 3) {
      if (component[0] != none) contractAlong(to_fields[1][functions], b, a, a_size, step);
      contractBoth(1, has_last, b + b_size * step, b_size, a + a_size * step, a_size, step, true);
    }
    const bool has_rest = has_last || (D == 3 && component[1] != none);
    contractBoth(0, has_rest, a, a_size, sums, fields, step, is_first);
  }

 private:
  /// Finds where components of the family are, and which directions they have derivatives in.
  void findComponents() {
    const BasisFamilies& of = values->families;
    for (int d = 0; d < D; ++d) component[d] = none;
    for (int i = 0; i < 3; ++i) {
      if (of.sign[family][i] == 0) continue;
      const int d = of.derivative[family][i];
      if (d == BasisFamilies::no_derivative) {
        plain = i;
        plain_sign = of.sign[family][i];
      } else {
        component[d] = i;
        sign[d] = of.sign[family][i];
      }
      for (int m = 0; m < family; ++m) adds[i] = adds[i] || of.sign[m][i] != 0;
    }
  }

  std::int64_t pointsOf(int d) const { return values->direction[d].points; }
  std::int64_t functionsOf(int d) const { return functionsIn(*values, family, d); }

  /// With the signs of components: of a derivative its own, of functions alone in the first
  /// direction.
  Real tableAt(int d, bool is_derivative, std::int64_t f, std::int64_t p) const {
    const int of_table = is_derivative ? sign[d] : d == 0 && plain != none ? plain_sign : 1;
    return Real(of_table) * at(tableOf(*values, family, d, is_derivative), f, p);
  }

  /// Whether some component has no derivative in directions from d on.
  bool hasBefore(int d) const {
    if (plain != none) return true;
    for (int n = 0; n < d; ++n) {
      if (component[n] != none) return true;
    }
    return false;
  }

  /// Elements of an intermediate array: directions from first to end are of points, the others of
  /// functions.
  std::int64_t intermediateSize(int first, int end) const {
    std::int64_t product = 1;
    for (int d = 0; d < D; ++d) product *= first <= d && d < end ? pointsOf(d) : functionsOf(d);
    return product;
  }

  template <class At>
  static void pack(DirectionTable<Real> (&all)[D][tables], FormMemory<Real>& memory,
                   const At& value) {
    for (int d = 0; d < D; ++d) {
      for (int kind = 0; kind < tables; ++kind) {
        all[d][kind].pack(
            memory, [&](std::int64_t row, std::int64_t term) { return value(d, kind, row, term); });
      }
    }
  }

  /// A contraction along a direction: its index, the slowest one, becomes the fastest one.
  void contractAlong(const DirectionTable<Real>& table, const Real* from, Real* to,
                     std::int64_t outputs, std::int64_t step, bool is_first = true) const {
    if (outputs == 0) return;
    contractDirection<Real>({table, from, to, outputs / table.rows, step, is_first, *prefetch});
  }

  /// To fields, the sum of what has a derivative in a direction and the rest, which lies after it.
  void contractBoth(int d, bool has_rest, const Real* from, std::int64_t size, Real* to,
                    std::int64_t outputs, std::int64_t step, bool is_first) const {
    const bool has_derivative = component[d] != none;
    const int kind = !has_rest ? derivatives : has_derivative ? both : functions;
    if (!has_rest && !has_derivative) return;
    contractAlong(to_fields[d][kind], has_derivative ? from : from + size * step, to, outputs, step,
                  is_first);
  }
};

#endif
