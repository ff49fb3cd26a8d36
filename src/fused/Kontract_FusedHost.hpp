// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FUSEDHOST_HPP
#define KONTRACT_FUSEDHOST_HPP

#include <algorithm>
#include <string>

#include "Kontract_FusedProblem.hpp"
#include "Kontract_HostKernels.hpp"
#include "Kontract_Launch.hpp"
#include "Kontract_ThreadMemory.hpp"

namespace Kontract {
namespace Impl {

/// Whether an array is one of plain reals of that type, or not there.
template <class Real, class T>
inline constexpr bool is_host_tensor = false;
template <class Real>
inline constexpr bool is_host_tensor<Real, NoTensor> = true;
template <class Real>
inline constexpr bool is_host_tensor<Real, Tensor<Elements<Real>>> = true;
template <class Real>
inline constexpr bool is_host_tensor<Real, Tensor<Elements<const Real>>> = true;

template <class Real, class Terms>
inline constexpr bool are_host_terms = false;
template <class Real>
inline constexpr bool are_host_terms<Real, TermList<>> = true;
template <class Real, class L, class R, class A, class B, class SL, class SR, class... Rest>
inline constexpr bool are_host_terms<Real, TermList<FusedTerm<L, R, A, B, SL, SR>, Rest...>> =
    is_host_tensor<Real, L>&& is_host_tensor<Real, R>&& is_host_tensor<Real, A>&&
        is_host_tensor<Real, B>&& is_host_tensor<Real, SL>&& is_host_tensor<Real, SR>&&
            R::is_there&& are_host_terms<Real, TermList<Rest...>>;

template <class Terms>
inline constexpr int count_of = 0;
template <class... Terms>
inline constexpr int count_of<TermList<Terms...>> = sizeof...(Terms);

/// Whether kernels of hosts take a problem: matrices, all scalars float or all double.
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
  return {t.elements.data, t.cell, t.field, t.point, t.row, t.column};
}
template <class Real>
HostTensor<Real> hostTensor(const NoTensor&) {
  return {};
}

template <class Real>
bool isSameTensor(const HostTensor<Real>& a, const HostTensor<Real>& b) {
  return a.data == b.data && a.cell == b.cell && a.field == b.field;
}

/// A fused problem as kernels of hosts take it, to be computed cells by cells.
template <class Real, int terms>
struct HostFormsPiece {
  HostForms<Real> forms;
  HostTerm<Real> all_terms[terms];
  std::int64_t cells_each;
  bool have_same_signs = true;

  template <class Problem>
  explicit HostFormsPiece(const Problem& problem) {
    const FusedShape& s = problem.shape;
    forms.cells = s.cells;
    forms.lefts = s.lefts;
    forms.rights = s.rights;
    forms.points = s.points;
    forms.nodes = s.nodes;
    forms.dimension = s.dimension;
    forms.left_blocks = s.left_blocks;
    forms.right_blocks = s.right_blocks;
    forms.has_mapping = s.has_mapping;
    forms.weights_are_measures = s.weights_are_measures;
    forms.is_symmetric = s.is_symmetric;
    forms.sum_into = s.sum_into;
    forms.out = problem.out.elements.data;
    forms.out_cell = problem.out.cell;
    forms.out_row = problem.out.row;
    forms.out_column = problem.out.column;
    forms.mapping = hostTensor<Real>(problem.mapping);
    forms.gradients = hostTensor<Real>(problem.gradients);
    forms.weights = hostTensor<Real>(problem.weights);
    forms.left_signs = hostTensor<Real>(problem.terms.first.left_signs);
    forms.right_signs = hostTensor<Real>(problem.terms.first.right_signs);
    forms.term_count = terms;
    take(problem.terms, all_terms);
  }

  void operator()(std::int64_t i) const {
    HostForms<Real> own = forms;
    own.terms = all_terms;
    const std::int64_t first = i * cells_each;
    const auto& kernels = kernelsOf();
    kernels.integrate(own, first, std::min(forms.cells, first + cells_each),
                      threadMemory(kernels.form_workspace(own)));
  }

  static const HostKernels::Of<Real>& kernelsOf() {
    if constexpr (std::is_same_v<Real, double>) {
      return hostKernels().real_double;
    } else {
      return hostKernels().real_float;
    }
  }

 private:
  void take(const TermList<>&, HostTerm<Real>*) {}
  template <class First, class... Rest>
  void take(const TermList<First, Rest...>& list, HostTerm<Real>* to) {
    const First& term = list.first;
    *to = {term.left_pullback,
           term.right_pullback,
           term.kind,
           term.left_is_vector,
           term.right_is_vector,
           term.coefficient_is_vector_of_blocks,
           hostTensor<Real>(term.left),
           hostTensor<Real>(term.right),
           hostTensor<Real>(term.coefficient),
           hostTensor<Real>(term.second)};
    have_same_signs = have_same_signs &&
                      isSameTensor(forms.left_signs, hostTensor<Real>(term.left_signs)) &&
                      isSameTensor(forms.right_signs, hostTensor<Real>(term.right_signs));
    take(list.rest, to + 1);
  }
};

/// Whether the terms of a problem have the same signs, as kernels of hosts want it.
template <class Problem>
bool hostTakesSigns(const Problem& problem) {
  using Real = typename Problem::out_type::value_type;
  return HostFormsPiece<Real, count_of<typename Problem::terms_type>>(problem).have_same_signs;
}

/// Element matrices by register tiles of SIMD vectors: see src/host/Kontract_HostForms.ipp. Cells
/// are spread over threads.
template <class Space, class Problem>
void runFusedOnHost(const Space& space, const Problem& problem, const std::string& label) {
  using Real = typename Problem::out_type::value_type;
  HostFormsPiece<Real, count_of<typename Problem::terms_type>> piece(problem);
  const std::int64_t cells = problem.shape.cells, threads = space.concurrency();
  constexpr std::int64_t parts_each = 8;
  piece.cells_each =
      threads > 1 ? std::max<std::int64_t>(1, cells / (parts_each * threads)) : cells;
  if (cells == 0) return;
  launchUneven(space, label, (cells + piece.cells_each - 1) / piece.cells_each, piece);
}

}  // namespace Impl
}  // namespace Kontract

#endif
