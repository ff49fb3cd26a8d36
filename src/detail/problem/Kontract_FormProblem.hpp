// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FORMPROBLEM_HPP
#define KONTRACT_FORMPROBLEM_HPP

#include <cstdint>
#include <type_traits>
#include <utility>

#include "Kontract_BasisFamilies.hpp"
#include "Kontract_FormShape.hpp"
#include "Kontract_Scatter.hpp"
#include "detail/support/Kontract_Scalar.hpp"
#include "detail/view/Kontract_Accessor.hpp"

namespace Kontract {
namespace Impl {

/// An array of a form, that is there.
template <class Access>
struct FormArray {
  using value_type = typename Access::value_type;
  static constexpr bool is_ever_there = true;
  Access elements;
  FormStrides strides;

  KOKKOS_FORCEINLINE_FUNCTION bool isThere() const { return true; }
  KOKKOS_FORCEINLINE_FUNCTION decltype(auto) at(std::int64_t c, std::int64_t f, std::int64_t p,
                                                std::int64_t i = 0, std::int64_t j = 0) const {
    return elements[c * strides.cell + f * strides.field + p * strides.point + i * strides.row +
                    j * strides.column];
  }
};

/// An array that is never there: its value is one.
struct NoFormArray {
  using value_type = char;
  static constexpr bool is_ever_there = false;
  KOKKOS_FORCEINLINE_FUNCTION static bool isThere() { return false; }
};

/// An array of plain scalars, or none.
template <class T>
struct OptionalFormArray : FormArray<Accessor<const T>> {
  KOKKOS_FORCEINLINE_FUNCTION bool isThere() const { return this->elements.data != nullptr; }
};

/// The same, or an array that cells share and read by number; what no number names is 0.
template <class T>
struct NumberedFormArray : FormArray<Accessor<const T>> {
  const std::int32_t* numbers;
  std::int64_t fields;

  KOKKOS_FORCEINLINE_FUNCTION T at(std::int64_t c, std::int64_t f, std::int64_t p,
                                   std::int64_t i = 0, std::int64_t j = 0) const {
    if (numbers == nullptr) return FormArray<Accessor<const T>>::at(c, f, p, i, j);
    const std::int32_t number = numbers[c * fields + f];
    return number < 0 ? T(0) : this->elements[number * this->strides.field + i * this->strides.row];
  }

  /// What a number names, for kernels that have several under way at a time.
  KOKKOS_FORCEINLINE_FUNCTION T ofNumber(std::int32_t number) const {
    return number < 0 ? T(0) : this->elements[number * this->strides.field];
  }
};

/// The same, or none.
template <class T>
struct OptionalNumberedArray : NumberedFormArray<T> {
  KOKKOS_FORCEINLINE_FUNCTION bool isThere() const { return this->elements.data != nullptr; }
};

/// Outputs are those of each cell.
struct NoScatter {
  static constexpr bool is_ever_there = false;
  KOKKOS_FORCEINLINE_FUNCTION static std::int64_t cell(std::int64_t c) { return c; }
};

/// Where a kernel adds what cells share, if they do.
struct ScatterTarget {
  static constexpr bool is_ever_there = true;
  Scatter to;
  const std::int32_t* cells = nullptr;  ///< those of a color, where a launch computes one

  KOKKOS_FORCEINLINE_FUNCTION bool isThere() const { return to.is_there; }

  /// The cell of a work item.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t cell(std::int64_t c) const {
    return cells == nullptr ? c : cells[c] - to.first_cell;
  }

  /// Adds to a vector, or to a matrix.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION void add(T* values, std::int64_t c, std::int64_t row,
                                       std::int64_t column, std::int64_t columns, T x) const {
    const std::int64_t start = startOf(c, row);
    if (start >= 0) addAt(values, start, (c * to.rows.fields + row) * columns + column, x);
  }

  /// Where a row of a cell starts in the matrix, or is in the vector; -1 if it is left out.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t startOf(std::int64_t c, std::int64_t row) const {
    const std::int32_t number = numberOf(c, row);
    return number < 0 ? -1 : startOfNumber(number);
  }

  /// The same in two steps, for kernels that have several rows under way at a time.
  KOKKOS_FORCEINLINE_FUNCTION std::int32_t numberOf(std::int64_t c, std::int64_t row) const {
    return to.rows.data[c * to.rows.fields + row];
  }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t startOfNumber(std::int32_t number) const {
    return to.starts == nullptr ? number * to.stride : to.starts[number];
  }

  /// Adds to a row that is not left out.
  /// \param entry  its place in the matrices of all cells
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION void addAt(T* values, std::int64_t start, std::int64_t entry,
                                         T x) const {
    const std::int64_t offset = to.starts == nullptr ? 0 : offsetAt(entry);
    if (offset >= 0) addTo(values[start + offset], x);
  }

  /// Calls f(offset_of) where offset_of(entry) is the place of an entry in its row; -1 if it is
  /// left out. What f has inside is compiled for each size of offsets.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void withOffsets(const F& f) const {
    if (to.starts == nullptr) {
      f([](std::int64_t) { return 0; });
    } else if (to.offset_bytes == 1) {
      f([&](std::int64_t i) { return offsetIn<std::uint8_t>(i); });
    } else if (to.offset_bytes == 2) {
      f([&](std::int64_t i) { return offsetIn<std::uint16_t>(i); });
    } else {
      f([&](std::int64_t i) { return offsetIn<std::uint32_t>(i); });
    }
  }

  /// Whether cells add to the same element at the same time.
  KOKKOS_FORCEINLINE_FUNCTION bool isAtomic() const { return to.way == ScatterWay::Atomic; }

  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION void addTo(T& value, T x) const {
    if (isAtomic()) {
      Kokkos::atomic_add(&value, x);
    } else {
      value += x;
    }
  }

 private:
  template <class Offset>
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t offsetIn(std::int64_t i) const {
    constexpr Offset nothing = static_cast<Offset>(-1);
    const Offset offset = static_cast<const Offset*>(to.offsets)[i];
    return offset == nothing ? -1 : std::int64_t(offset);
  }

  /// -1 if the entry is left out.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t offsetAt(std::int64_t i) const {
    if (to.offset_bytes == 1) return offsetIn<std::uint8_t>(i);
    return to.offset_bytes == 2 ? offsetIn<std::uint16_t>(i) : offsetIn<std::uint32_t>(i);
  }
};

/// Cells that have as many dimensions as space, and whose points are inside: what others need is
/// not compiled.
struct UsualCells {
  static constexpr bool are_usual = true;
};
/// Any cells.
struct AnyCells {
  static constexpr bool are_usual = false;
};

/// Signs of fields, a function of cell and field.
template <class F>
struct SignFunction {
  using value_type =
      std::decay_t<decltype(std::declval<const F&>()(std::int64_t(), std::int64_t()))>;
  static constexpr bool is_ever_there = true;
  F sign;

  KOKKOS_FORCEINLINE_FUNCTION bool isThere() const { return true; }
  KOKKOS_FORCEINLINE_FUNCTION value_type at(std::int64_t c, std::int64_t f, std::int64_t) const {
    return sign(c, f);
  }
};

/// A table of functions of one coordinate at points.
template <class Access>
struct BasisTable {
  Access elements;
  std::int64_t function, point;  ///< strides
  KOKKOS_FORCEINLINE_FUNCTION decltype(auto) at(std::int64_t f, std::int64_t p) const {
    return elements[f * function + p * point];
  }
};

/// What a side takes of a tensor-product basis: an element is a product of one of each direction.
template <class Values, class Derivatives = Values>
struct FormBasis {
  using value_type = typename Values::value_type;
  static constexpr bool is_ever_there = true;
  int dimension;
  BasisFamilies families;
  int functions[3], open_functions[3], points[3];
  BasisTable<Values> values[3];
  BasisTable<Derivatives> derivatives[3];
  BasisTable<Values> open_values[3];

  KOKKOS_FORCEINLINE_FUNCTION bool isThere() const { return true; }

  /// Makes it one of HGRAD, of which values or gradients are taken.
  KOKKOS_FORCEINLINE_FUNCTION void setOneFamily(bool is_gradient) {
    for (int i = 0; i < (is_gradient ? dimension : 1); ++i) {
      families.sign[0][i] = 1;
      families.derivative[0][i] =
          static_cast<signed char>(is_gradient ? i : BasisFamilies::no_derivative);
    }
  }

  /// Functions of a family in a direction.
  KOKKOS_FORCEINLINE_FUNCTION int functionsOf(int family, int d) const {
    return families.is_open[family][d] ? open_functions[d] : functions[d];
  }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t fieldsOf(int family) const {
    std::int64_t product = 1;
    for (int d = 0; d < dimension; ++d) product *= functionsOf(family, d);
    return product;
  }

  /// A function of its own on devices: kernels that have it in dozens of places take compilers
  /// minutes.
#if defined(__CUDACC__) || defined(__HIPCC__)
  __noinline__
#endif
      KOKKOS_FUNCTION value_type
      at(std::int64_t, std::int64_t f, std::int64_t p, int i = 0, int = 0) const {
    return productAt(f, p, i);
  }

  /// The same inlined, for kernels that have it in a few places: a function of its own takes the
  /// address of a kernel's arguments, which devices then copy for each thread.
  KOKKOS_FORCEINLINE_FUNCTION value_type productAt(std::int64_t f, std::int64_t p, int i) const {
    int m = 0;
    while (m < families.count - 1 && f >= fieldsOf(m)) f -= fieldsOf(m++);
    const int sign = families.sign[m][i], derivative = families.derivative[m][i];
    value_type product(sign);
    for (int d = 0; d < dimension && sign != 0; ++d) {
      const int functions_of = functionsOf(m, d);
      const std::int64_t function = f % functions_of, point = p % points[d];
      f /= functions_of;
      p /= points[d];
      product = product * (d == derivative          ? derivatives[d].at(function, point)
                           : families.is_open[m][d] ? open_values[d].at(function, point)
                                                    : values[d].at(function, point));
    }
    return product;
  }
};

/// Values that are an array, or those of a tensor-product basis.
template <class T>
struct FormValues {
  using value_type = T;
  static constexpr bool is_ever_there = true;
  OptionalFormArray<T> array;
  FormBasis<Accessor<const T>> basis;

  KOKKOS_FORCEINLINE_FUNCTION bool isThere() const { return true; }
  KOKKOS_FORCEINLINE_FUNCTION T at(std::int64_t c, std::int64_t f, std::int64_t p, int i = 0,
                                   int = 0) const {
    return array.isThere() ? array.at(c, f, p, i) : basis.at(c, f, p, i);
  }
  /// Of values that are the same in all cells, inlined.
  KOKKOS_FORCEINLINE_FUNCTION T referenceAt(std::int64_t f, std::int64_t p, int i) const {
    return array.isThere() ? array.at(0, f, p, i) : basis.productAt(f, p, i);
  }
};

/// Whether values are of a tensor-product basis.
template <class T>
inline constexpr bool is_basis = false;
template <class V, class G>
inline constexpr bool is_basis<FormBasis<V, G>> = true;

/// A term of a form, as kernels of any execution space see it.
template <class L, class R, class A, class B, class SL, class SR>
struct FormTerm : FormTermShape {
  using left_type = L;
  using right_type = R;
  using coefficient_type = A;
  using second_type = B;
  using left_signs_type = SL;
  using right_signs_type = SR;
  L left;
  R right;
  A coefficient;
  B second;
  SL left_signs;
  SR right_signs;
};

/// Terms of different types.
template <class... Terms>
struct TermList;
template <>
struct TermList<> {};
template <class First, class... Rest>
struct TermList<First, Rest...> {
  First first;
  TermList<Rest...> rest;
};

template <class First, class... Rest>
TermList<First, Rest...> prepended(const First& first, const TermList<Rest...>& rest) {
  return {first, rest};
}

/// Some terms of one type; one or two are always all there.
template <class Term, int most>
struct TermArray {
  int count;
  Term terms[most];
};

/// Calls f(term) for each.
template <class F>
KOKKOS_FORCEINLINE_FUNCTION void forEachTerm(const TermList<>&, const F&) {}
template <class First, class... Rest, class F>
KOKKOS_FORCEINLINE_FUNCTION void forEachTerm(const TermList<First, Rest...>& terms, const F& f) {
  f(terms.first);
  forEachTerm(terms.rest, f);
}
template <class Term, int most, class F>
KOKKOS_FORCEINLINE_FUNCTION void forEachTerm(const TermArray<Term, most>& terms, const F& f) {
  // Numbers that are known when compiling leave devices more registers.
  if constexpr (most == 1) {
    f(terms.terms[0]);
  } else if constexpr (most == 2) {
    f(terms.terms[0]);
    f(terms.terms[1]);
  } else {
    for (int t = 0; t < terms.count; ++t) f(terms.terms[t]);
  }
}

/// A form as kernels of any execution space see it, with scalars of any types: what calls with Fads
/// or with mixtures of types give to dispatch, and what portable algorithms make of a PlainForm.
/// \tparam Vector  of a matrix-free product, or NoFormArray
/// \tparam LeftSigns, RightSigns  of all terms, which are then without; or NoFormArray
/// \tparam Target  ScatterTarget, or NoScatter
/// \tparam Normals  of a side of the reference cell, or NoFormArray
/// \tparam Cells  AnyCells, or UsualCells
template <FormKind form_kind, class Out, class Mapping, class Gradients, class Weights,
          class Vector, class Terms, class LeftSigns = NoFormArray, class RightSigns = NoFormArray,
          class Target = NoScatter, class Normals = NoFormArray, class Cells = AnyCells>
struct FormProblem {
  using shape_type = FormShape;
  using out_type = Out;
  using left_type = Out;  ///< as those of the output, for who asks for the scalars of a problem
  using right_type = Out;
  using mapping_type = Mapping;
  using gradients_type = Gradients;
  using weights_type = Weights;
  using vector_type = Vector;
  using terms_type = Terms;
  using scatter_type = Target;
  using normals_type = Normals;
  static constexpr bool has_usual_cells = Cells::are_usual;
  static constexpr FormKind kind = form_kind;
  FormShape shape;
  Out out;
  FormStrides out_strides;  ///< fields are rows, right ones columns
  Mapping mapping;
  Gradients gradients;
  Weights weights;
  Vector vector;
  Terms terms;
  LeftSigns left_signs;
  RightSigns right_signs;
  Target scatter;
  Normals normals;

  KOKKOS_FORCEINLINE_FUNCTION bool isScattered() const {
    if constexpr (Target::is_ever_there) {
      return scatter.isThere();
    } else {
      return false;
    }
  }
};

template <class Problem>
inline constexpr bool is_form = std::is_same_v<typename Problem::shape_type, FormShape>;

}  // namespace Impl
}  // namespace Kontract

#endif
