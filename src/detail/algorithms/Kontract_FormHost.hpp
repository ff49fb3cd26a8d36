// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FORMHOST_HPP
#define KONTRACT_FORMHOST_HPP

#include <algorithm>
#include <string>

#include "detail/kernels/host_simd/common/Kontract_HostKernels.hpp"
#include "detail/kernels/host_simd/common/Kontract_ThreadMemory.hpp"
#include "detail/launch/Kontract_Launch.hpp"
#include "detail/problem/Kontract_FormProblem.hpp"
#include "detail/problem/Kontract_TensorProduct.hpp"

namespace Kontract {
namespace Impl {

/// Whether an array is one of plain reals of that type, or not there.
template <class Real, class T>
inline constexpr bool is_host_tensor = false;
template <class Real>
inline constexpr bool is_host_tensor<Real, NoTensor> = true;
template <class Real>
inline constexpr bool is_host_tensor<Real, Tensor<Accessor<Real>>> = true;
template <class Real>
inline constexpr bool is_host_tensor<Real, Tensor<Accessor<const Real>>> = true;

template <class Real, class V, class G>
inline constexpr bool is_host_tensor<Real, TensorProduct<V, G>> =
    is_host_tensor<Real, V>&& is_host_tensor<Real, G>;

template <class Real, class Terms>
inline constexpr bool are_host_terms = false;
template <class Real>
inline constexpr bool are_host_terms<Real, TermList<>> = true;
template <class Real, class L, class R, class A, class B, class SL, class SR, class... Rest>
inline constexpr bool are_host_terms<Real, TermList<FusedTerm<L, R, A, B, SL, SR>, Rest...>> =
    is_host_tensor<Real, L>&& is_host_tensor<Real, R>&& is_host_tensor<Real, A>&&
        is_host_tensor<Real, B>&& is_host_tensor<Real, SL>&& is_host_tensor<Real, SR>&&
            are_host_terms<Real, TermList<Rest...>>;

template <class Terms>
inline constexpr int count_of = 0;
template <class... Terms>
inline constexpr int count_of<TermList<Terms...>> = sizeof...(Terms);

/// Whether kernels of hosts take a problem: all scalars are float, or all double.
template <class Problem, class Real = typename Problem::out_type::value_type>
inline constexpr bool has_host_forms =
    (std::is_same_v<Real, float> || std::is_same_v<Real, double>)&&is_host_tensor<Real, typename Problem::mapping_type>&& is_host_tensor<
        Real,
        typename Problem::
            gradients_type>&& is_host_tensor<Real,
                                             typename Problem::
                                                 weights_type>&& are_host_terms<Real,
                                                                                typename Problem::
                                                                                    terms_type>&& count_of<typename Problem::
                                                                                                               terms_type> <=
    8;

template <class Real, class E>
HostTensor<Real> hostTensor(const Tensor<E>& t) {
  return {t.elements.data, t.cell, t.field, t.point, t.row, t.column, true};
}
template <class Real>
HostTensor<Real> hostTensor(const NoTensor&) {
  return {};
}

template <class Real, class T>
HostValues<Real> hostValues(const T& t) {
  HostValues<Real> values;
  static_cast<HostTensor<Real>&>(values) = hostTensor<Real>(t);
  return values;
}
template <class Real, class V, class G>
HostValues<Real> hostValues(const TensorProduct<V, G>& t) {
  HostValues<Real> values;
  values.directions = t.dimension;
  values.is_gradient = t.is_gradient;
  for (int d = 0; d < t.dimension; ++d) {
    values.direction[d] = {t.functions[d], t.points[d], hostTensor<Real>(t.values[d]),
                           hostTensor<Real>(t.derivatives[d])};
  }
  return values;
}

/// A fused problem as kernels of hosts take it, to be computed cells by cells.
template <class Real, int terms, bool is_load>
struct HostFormsPiece {
  using real_type = Real;
  HostForms<Real> forms;
  HostTerm<Real> all_terms[terms];
  bool have_same_signs = true;

  template <class Problem>
  explicit HostFormsPiece(const Problem& problem) {
    const FusedShape& s = problem.shape;
    forms.cells = s.cells;
    forms.points = s.points;
    forms.nodes = s.nodes;
    forms.dimension = s.dimension;
    forms.has_mapping = s.has_mapping;
    forms.weights_are_measures = s.weights_are_measures;
    forms.sum_into = s.sum_into;
    const double outputs =
        double(s.cells) * double(s.lefts) * double(s.rights) * s.left_blocks * s.right_blocks;
    forms.stream = !s.sum_into && exceedsCache(outputs * sizeof(Real));
    forms.out = problem.out.elements.data;
    forms.out_cell = problem.out.cell;
    forms.mapping = hostTensor<Real>(problem.mapping);
    forms.gradients = hostTensor<Real>(problem.gradients);
    forms.weights = hostTensor<Real>(problem.weights);
    forms.is_load = is_load;
    forms.term_count = terms;
    const HostTensor<Real> left_signs = hostTensor<Real>(problem.terms.first.left_signs);
    if constexpr (is_load) {
      // The fields of a load are columns: the right ones of a single left field.
      forms.lefts = 1;
      forms.rights = s.lefts;
      forms.left_blocks = 1;
      forms.right_blocks = s.left_blocks;
      forms.is_symmetric = false;
      forms.out_row = 0;
      forms.out_column = problem.out.row;
      forms.right_signs = left_signs;
    } else {
      forms.lefts = s.lefts;
      forms.rights = s.rights;
      forms.left_blocks = s.left_blocks;
      forms.right_blocks = s.right_blocks;
      forms.is_symmetric = s.is_symmetric;
      forms.out_row = problem.out.row;
      forms.out_column = problem.out.column;
      forms.left_signs = left_signs;
      forms.right_signs = hostTensor<Real>(problem.terms.first.right_signs);
    }
    have_same_signs = haveSigns(problem.terms, problem.terms.first);
    take(problem.terms, all_terms);
    forms.has_values_of_reference = std::all_of(
        all_terms, all_terms + terms,
        [](const HostTerm<Real>& term) { return term.left.cell == 0 && term.right.cell == 0; });
  }

  void operator()(std::int64_t i, void* memory) const {
    const std::int64_t first = i * forms.cells_at_once;
    kernelsOf().integrate(withTerms(), first, std::min(forms.cells, first + forms.cells_at_once),
                          memory);
  }

  /// Whether the kernels serve such forms.
  bool isServed() const {
    return have_same_signs && (!forms.vector.is_there || forms.has_values_of_reference);
  }

  /// The forms with the terms of this copy.
  HostForms<Real> withTerms() const {
    HostForms<Real> own = forms;
    own.terms = all_terms;
    return own;
  }

  static const HostKernels::Of<Real>& kernelsOf() {
    if constexpr (std::is_same_v<Real, double>) {
      return hostKernels().real_double;
    } else {
      return hostKernels().real_float;
    }
  }

 private:
  /// Whether all terms have the signs of that one.
  template <class Term>
  static bool haveSigns(const TermList<>&, const Term&) {
    return true;
  }
  template <class First, class... Rest, class Term>
  static bool haveSigns(const TermList<First, Rest...>& list, const Term& term) {
    return isSameTensor(list.first.left_signs, term.left_signs) &&
           isSameTensor(list.first.right_signs, term.right_signs) && haveSigns(list.rest, term);
  }

  void take(const TermList<>&, HostTerm<Real>*) {}
  template <class First, class... Rest>
  void take(const TermList<First, Rest...>& list, HostTerm<Real>* to) {
    const First& term = list.first;
    const HostValues<Real> left = hostValues<Real>(term.left);
    to->kind = term.kind;
    to->coefficient_is_vector_of_blocks = term.coefficient_is_vector_of_blocks;
    to->coefficient = hostTensor<Real>(term.coefficient);
    to->second = hostTensor<Real>(term.second);
    if constexpr (is_load) {
      static constexpr Real one = 1;
      to->left.data = &one;
      to->left.is_there = true;
      to->left_pullback = Pullback::Scalar;
      to->left_is_vector = false;
      to->right = left;
      to->right_pullback = term.left_pullback;
      to->right_is_vector = term.left_is_vector;
    } else {
      to->left = left;
      to->left_pullback = term.left_pullback;
      to->left_is_vector = term.left_is_vector;
      to->right = hostValues<Real>(term.right);
      to->right_pullback = term.right_pullback;
      to->right_is_vector = term.right_is_vector;
    }
    take(list.rest, to + 1);
  }
};

/// A problem as kernels of hosts take it.
/// \param vector  of a matrix-free product, or NoTensor
template <class Problem, class Vector>
auto hostForms(const Problem& problem, const Vector& vector) {
  using Real = typename Problem::out_type::value_type;
  using Terms = typename Problem::terms_type;
  constexpr bool is_load = !decltype(std::declval<Terms>().first)::right_type::is_there;
  HostFormsPiece<Real, count_of<Terms>, is_load> piece(problem);
  piece.forms.vector = hostTensor<Real>(vector);
  return piece;
}

/// Element matrices, vectors and matrix-free products by register tiles of SIMD vectors: see
/// src/host/Kontract_HostFormsOfCells.ipp. Cells are spread over threads.
/// \param cells_each  cells that a thread takes at a time, or 0
/// \return the name of the kernel
template <class Space, class Piece>
const char* runFusedOnHost(const Space& space, Piece piece, std::int64_t cells_each,
                           const std::string& label) {
  const std::int64_t cells = piece.forms.cells, threads = space.concurrency();
  constexpr std::int64_t parts_each = 8;
  piece.forms.cells_at_once = cells_each > 0 ? std::min(cells_each, cells)
                              : threads > 1
                                  ? std::max<std::int64_t>(1, cells / (parts_each * threads))
                                  : cells;
  const HostForms<typename Piece::real_type> forms = piece.withTerms();
  launchInMemory(space, label, (cells + forms.cells_at_once - 1) / forms.cells_at_once,
                 piece.kernelsOf().form_workspace(forms), piece);
  return piece.kernelsOf().form_kernel(forms);
}

}  // namespace Impl
}  // namespace Kontract

#endif
