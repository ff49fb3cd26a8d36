// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_MATRIXSIDES_HPP
#define KONTRACT_MATRIXSIDES_HPP

#include "Kontract_FormPoint.hpp"
#include "Kontract_FunctionTables.hpp"
#include "Kontract_Unroll.hpp"

namespace Kontract {
namespace Impl {

// Fields of a side of element matrices that are computed by sum factorization: how many functions
// of each direction they are products of, and with which derivatives components of values have
// them.

/// A block of a matrix: a family of fields of either side.
struct FamilyPair {
  int left = 0, right = 0;
};

/// Fields that are products of N functions in each direction, their values or their gradients;
/// all of it is known when a kernel is compiled. \tparam NC  components of values: 1, or D of
/// gradients
template <int dimension, int N, int NC>
struct LikeFunctions {
  static constexpr int D = dimension, functions_at_most = N, components_of_values = NC;
  static constexpr bool is_known = true, has_derivatives = NC > 1;
  static constexpr int numbers_taken = has_derivatives ? 2 : 1;  ///< of a function at a point

  template <class Basis>
  LikeFunctions(const Basis&, bool) {}

  KOKKOS_FORCEINLINE_FUNCTION static constexpr int families() { return 1; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int functions(int, int) { return N; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int firstField(int) { return 0; }
  /// Whether functions of the first direction are taken, and whether their derivatives are.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool takesValues(int) { return true; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool takesDerivatives(int) { return NC > 1; }

  /// \param other  a side that has the same tables, or this one
  template <class Team, class Basis, class Other, class Real>
  KOKKOS_FORCEINLINE_FUNCTION void fill(const Team& team, const Basis& basis,
                                        const int (&points)[3], const Other&,
                                        FunctionAt<Real>* to) const {
    fillTables<N, has_derivatives || Other::has_derivatives>(team, basis, D, points, to);
  }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION const FunctionAt<Real>* table(const FunctionAt<Real>* tables,
                                                            const int (&points)[3], int,
                                                            int direction) const {
    return tableOf<N>(tables, points, direction);
  }
  /// A function, or its derivative if the component is that of the direction.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static Real factor(const FunctionAt<Real>& at, int component,
                                                 int direction) {
    return NC > 1 && component == direction ? at.derivative : at.value;
  }
};

/// Fields of any tensor-product basis, family by family.
template <int dimension>
struct FieldFamilies {
  static constexpr int D = dimension;

  /// A component of values that is there.
  struct Component {
    int place, derivative, sign;
  };
  int count;
  int components_of_values;
  bool has_derivatives = false, has_open = false;
  int functions_of[3][3], first[3];  ///< by family
  bool is_open[3][3];
  int component_count[3];
  Component component_of[3][3];

  template <class Basis>
  FieldFamilies(const Basis& basis, bool is_vector)
      : count(basis.families.count), components_of_values(is_vector ? D : 1) {
    int fields = 0;
    for (int m = 0; m < count; ++m) {
      first[m] = fields;
      fields += static_cast<int>(basis.fieldsOf(m));
      component_count[m] = 0;
      for (int d = 0; d < D; ++d) {
        functions_of[m][d] = basis.functionsOf(m, d);
        is_open[m][d] = basis.families.is_open[m][d];
        has_open = has_open || is_open[m][d];
        const int sign = basis.families.sign[m][d];
        if (sign == 0) continue;
        const int along = basis.families.derivative[m][d];
        component_of[m][component_count[m]++] = {d, along, sign};
        has_derivatives = has_derivatives || along != BasisFamilies::no_derivative;
      }
    }
  }
};

/// The same with up to N functions in each direction.
template <int dimension, int N>
struct FamilyFunctions : FieldFamilies<dimension> {
  using Fields = FieldFamilies<dimension>;
  using Fields::component_count;
  using Fields::component_of;
  using Fields::count;
  using Fields::D;
  using Fields::first;
  using Fields::functions_of;
  using Fields::has_derivatives;
  using Fields::has_open;
  using Fields::is_open;
  using typename Fields::Component;
  static constexpr int functions_at_most = N;
  static constexpr bool is_known = false;
  static constexpr int numbers_taken = 2;

  using Fields::Fields;

  KOKKOS_FORCEINLINE_FUNCTION int families() const { return count; }
  KOKKOS_FORCEINLINE_FUNCTION int functions(int family, int direction) const {
    return functions_of[family][direction];
  }
  KOKKOS_FORCEINLINE_FUNCTION int firstField(int family) const { return first[family]; }
  KOKKOS_FORCEINLINE_FUNCTION bool takesValues(int family) const {
    return component_count[family] > countDerivatives(family);
  }
  KOKKOS_FORCEINLINE_FUNCTION bool takesDerivatives(int family) const {
    return countDerivatives(family) > 0;
  }

  /// Closed functions, then open ones; those that there are not are zero.
  /// \param other  a side that has the same tables, or this one
  template <class Team, class Basis, class Real>
  KOKKOS_FORCEINLINE_FUNCTION void fill(const Team& team, const Basis& basis,
                                        const int (&points)[3], const FamilyFunctions& other,
                                        FunctionAt<Real>* to) const {
    const bool with_derivatives = has_derivatives || other.has_derivatives;
    const bool with_open = has_open || other.has_open;
    for (int d = 0; d < D; ++d) {
      team.share(N * points[d], [&](int n) {
        const int f = n % N, p = n / N;
        const bool is_there = f < basis.functions[d];
        to[n].value = is_there ? Real(basis.values[d].at(f, p)) : Real(0);
        to[n].derivative =
            is_there && with_derivatives ? Real(basis.derivatives[d].at(f, p)) : Real(0);
      });
      to += N * points[d];
    }
    for (int d = 0; d < D && with_open; ++d) {
      team.share(N * points[d], [&](int n) {
        const int f = n % N, p = n / N;
        to[n].value = f < basis.open_functions[d] ? Real(basis.open_values[d].at(f, p)) : Real(0);
        to[n].derivative = Real(0);
      });
      to += N * points[d];
    }
  }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION const FunctionAt<Real>* table(const FunctionAt<Real>* tables,
                                                            const int (&points)[3], int family,
                                                            int direction) const {
    const int all = N * (points[0] + points[1] + (D == 3 ? points[2] : 0));
    return tableOf<N>(tables, points, direction) + (is_open[family][direction] ? all : 0);
  }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static Real factor(const FunctionAt<Real>& at,
                                                 const Component& component, int direction) {
    return component.derivative == direction ? at.derivative : at.value;
  }

 private:
  /// Components with the derivative in the first direction.
  KOKKOS_FORCEINLINE_FUNCTION int countDerivatives(int family) const {
    int derivatives = 0;
    for (int a = 0; a < component_count[family]; ++a) {
      derivatives += component_of[family][a].derivative == 0 ? 1 : 0;
    }
    return derivatives;
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
