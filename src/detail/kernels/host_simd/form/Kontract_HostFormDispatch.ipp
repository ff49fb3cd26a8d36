// SPDX-License-Identifier: BSD-3-Clause
//
// Forms: which kernel computes them.
#ifndef KONTRACT_HOSTFORMDISPATCH_IPP
#define KONTRACT_HOSTFORMDISPATCH_IPP

#include "Kontract_HostFormInterleaved.ipp"
#include "Kontract_HostFormPerCell.ipp"
#include "Kontract_HostFormReferenceTensors.ipp"
#include "Kontract_HostFormSumFactorization.ipp"
#include "Kontract_HostFormVectors.ipp"

/// Multiplications that a matrix takes without sum factorization, in units of such as take their
/// values from near caches.
template <class Real>
double plainProducts(const HostForms<Real>& forms) {
  const double entries = double(forms.lefts) * double(forms.rights);
  const int d = forms.dimension;
  const bool is_affine = takesAffineWay(forms);
  double sum = 0;
  for (int t = 0; t < forms.term_count; ++t) {
    const HostTerm<Real>& term = forms.terms[t];
    const int left = term.left_is_vector ? d : 1, right = term.right_is_vector ? d : 1;
    if (is_affine) {
      constexpr double near = 512 * 1024, far = 8;
      const double products = entries * left * right;
      sum += products * (products * sizeof(Real) > near ? far : 1);
    } else {
      sum += entries * left * double(forms.points) / (forms.is_symmetric ? 2 : 1);
    }
  }
  return sum;
}

/// Whether sum factorization is worth while. Its sums are short, and what they leave is moved
/// between them: a multiplication takes twice as long as in a plain sum (`Kontract_measureForms`).
template <class Real, int D>
bool takesTensorWay(const FormSumFactorization<Real, D>& kernel) {
  return 2 * kernel.products() < plainProducts(kernel.forms);
}

/// A constant without the standard library.
template <int d>
struct Dimension {
  static constexpr int value = d;
};

/// Calls f(Dimension<d>) with the dimension of cells.
template <class Real, class F>
auto withDimension(const HostForms<Real>& forms, const F& f) {
  switch (forms.dimension) {
    case 1: return f(Dimension<1>());
    case 2: return f(Dimension<2>());
    default: return f(Dimension<3>());
  }
}

/// Whether what is computed are vectors.
template <class Real>
bool areVectors(const HostForms<Real>& forms) {
  return forms.kind != FormKind::Matrices;
}

/// Whether a kernel computes such forms.
template <class Real, int D>
bool isServed(const HostForms<Real>& forms, HostFormKernel kernel) {
  const bool are_vectors = areVectors(forms), are_products = forms.kind == FormKind::Products;
  switch (kernel) {
    case HostFormKernel::PerCell: return !are_products;
    case HostFormKernel::InterleavedCells:
      return forms.has_values_of_reference && !(are_vectors && forms.has_tensor_bases_alone);
    case HostFormKernel::ReferenceTensors:
      return !are_vectors && forms.points > 0 && isAffine(forms);
    case HostFormKernel::SumFactorization:
      return are_vectors ? forms.has_tensor_bases_alone : D > 1 && haveTensorBases(forms);
    default: return forms.has_values_of_reference || !are_products;
  }
}

/// The kernels that compute such forms, a bit each in the order of HostFormKernel.
template <class Real, int D>
unsigned kernelsServing(const HostForms<Real>& forms) {
  unsigned kernels = 0;
  for (int kernel = 0; kernel <= int(HostFormKernel::SumFactorization); ++kernel) {
    if (isServed<Real, D>(forms, static_cast<HostFormKernel>(kernel))) kernels |= 1u << kernel;
  }
  return kernels;
}

/// The kernel that was asked for, or the one that is expected to be the fastest.
template <class Real, int D>
HostFormKernel kernelFor(const HostForms<Real>& forms) {
  if (forms.kernel != HostFormKernel::Auto) return forms.kernel;
  if (areVectors(forms) && forms.has_values_of_reference) {
    return forms.has_tensor_bases_alone ? HostFormKernel::SumFactorization
                                        : HostFormKernel::InterleavedCells;
  }
  if constexpr (D > 1) {
    if (haveTensorBases(forms) && takesTensorWay(FormSumFactorization<Real, D>(forms))) {
      return HostFormKernel::SumFactorization;
    }
  }
  if (takesAffineWay(forms)) return HostFormKernel::ReferenceTensors;
  return takesLanes(forms) ? HostFormKernel::InterleavedCells : HostFormKernel::PerCell;
}

/// Calls f(kernel) with the one that computes such forms.
template <class Real, int D, class F>
auto withFormKernel(const HostForms<Real>& forms, const F& f) {
  const HostFormKernel kernel = kernelFor<Real, D>(forms);
  if (areVectors(forms) && kernel != HostFormKernel::PerCell) {
    return f(InterleavedVectors<Real, D>(forms));
  }
  switch (kernel) {
    case HostFormKernel::SumFactorization:
      // Matrices in one direction have none: isServed() says so.
      if constexpr (D > 1) return f(FormSumFactorization<Real, D>(forms));
      [[fallthrough]];
    case HostFormKernel::ReferenceTensors: return f(ReferenceTensors<Real, D>(forms));
    case HostFormKernel::InterleavedCells: return f(InterleavedMatrices<Real, D>(forms));
    default: return f(FormPerCell<Real, D>(forms));
  }
}

template <class Real, class F>
auto withFormKernelOf(const HostForms<Real>& forms, const F& f) {
  return withDimension(forms,
                       [&](auto d) { return withFormKernel<Real, decltype(d)::value>(forms, f); });
}

#endif
