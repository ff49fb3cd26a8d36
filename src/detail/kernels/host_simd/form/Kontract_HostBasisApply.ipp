// SPDX-License-Identifier: BSD-3-Clause
//
// Basis apply for interleaved cells, or for one: from coefficients to values at points, and back.
//
// With tensor-product bases both go family by family of fields; otherwise they are products with
// the matrix of all values.
#ifndef KONTRACT_HOSTBASISAPPLY_IPP
#define KONTRACT_HOSTBASISAPPLY_IPP

#include "Kontract_HostFamilyApply.ipp"

/// Basis apply of one side of a term: values of fields at all points, and sums over points against
/// all fields.
template <class R, int D>
struct BasisApply {
  using Real = R;
  static constexpr int simd_width = simd_width_of<Real>, most_families = 3;

  const PlainValues<Real>* values = nullptr;
  int components = 1;
  std::int64_t fields = 0, points = 0;
  int families = 0;  ///< of a tensor-product basis
  FamilyApply<Real, D> family[most_families];
  TiledMatrix<Real> to_points, to_fields;  ///< of an array

  BasisApply() = default;
  BasisApply(const PlainValues<Real>& v, int n, std::int64_t f, std::int64_t p,
             CellPrefetch<Real>& next)
      : values(&v), components(n), fields(f), points(p) {
    if (D > 1 && v.directions == D) {
      families = v.families.count;
      for (int m = 0; m < families; ++m) family[m] = {v, m, p, next};
    } else {
      to_points = {points * components, fields};
      to_fields = {fields, points * components};
    }
  }

  bool isProduct() const { return families > 0; }

  /// Reals of tables: to points or to fields, whichever are more.
  std::int64_t tableReals() const {
    std::int64_t sum = roundUp(to_fields.reals(), 64 / std::int64_t(sizeof(Real)));
    for (int m = 0; m < families; ++m) sum += family[m].tableReals();
    return sum;
  }
  /// Reals that evaluate() and integrate() work in.
  std::int64_t workReals(std::int64_t width) const {
    std::int64_t most = 0;
    for (int m = 0; m < families; ++m) {
      const std::int64_t reals = family[m].workReals(width);
      if (reals > most) most = reals;
    }
    return most;
  }

  // Where values at points lie.
  std::int64_t ofPoint(std::int64_t width) const {
    return isProduct() ? width : components * width;
  }
  std::int64_t ofComponent(std::int64_t width) const {
    return isProduct() ? componentRealsOf<Real>(points, width) : width;
  }

  std::int64_t realsAtPoints(std::int64_t width) const {
    return components * (isProduct() ? ofComponent(width) : points * width);
  }

  void packToPoints(FormMemory<Real>& memory) {
    for (int m = 0; m < families; ++m) family[m].packToPoints(memory);
    if (isProduct()) return;
    to_points.pack(memory, [&](std::int64_t row, std::int64_t field) {
      return at(*values, 0, field, row / components, row % components);
    });
  }
  void packToFields(FormMemory<Real>& memory) {
    for (int m = 0; m < families; ++m) family[m].packToFields(memory);
    if (isProduct()) return;
    to_fields.pack(memory, [&](std::int64_t field, std::int64_t term) {
      return at(*values, 0, field, term / components, term % components);
    });
  }

  /// at_points = values of the field with these coefficients
  void evaluate(const Real* coefficients, Real* at_points, std::int64_t width, Real* work) const {
    if (!isProduct()) {
      to_points.multiply({coefficients, width}, {at_points, width}, width, true);
      return;
    }
    forEachFamily(width, [&](const FamilyApply<Real, D>& of, std::int64_t field,
                             std::int64_t vector) {
      of.evaluate(coefficients + field * width + vector, at_points + vector, width, work + vector);
    });
  }

  /// sums (+)= for each field the sum over points and components of at_points times its values
  void integrate(const Real* at_points, Real* sums, std::int64_t width, bool is_first,
                 Real* work) const {
    if (!isProduct()) {
      to_fields.multiply({at_points, width}, {sums, width}, width, is_first);
      return;
    }
    forEachFamily(width,
                  [&](const FamilyApply<Real, D>& of, std::int64_t field, std::int64_t vector) {
                    of.integrate(at_points + vector, sums + field * width + vector, width, is_first,
                                 work + vector);
                  });
  }

 private:
  /// Calls f(family, its first field, vector) for each vector of so many cells.
  template <class F>
  void forEachFamily(std::int64_t width, const F& f) const {
    for (std::int64_t vector = 0; vector < width; vector += simd_width) {
      std::int64_t field = 0;
      for (int m = 0; m < families; field += family[m++].fields) f(family[m], field, vector);
    }
  }
};

#endif
