// SPDX-License-Identifier: BSD-3-Clause
//
// Forms: which kernel computes them. Part of Kontract_HostFormSet.ipp.

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

/// Calls f(kernel) with the one that computes such forms.
template <class Real, int D, class F>
auto withFormKernel(const HostForms<Real>& forms, const F& f) {
  const bool is_vector = forms.is_load || forms.vector.is_there;
  if (is_vector && forms.has_values_of_reference) return f(InterleavedVectors<Real, D>(forms));
  if constexpr (D > 1) {
    if (haveTensorBases(forms)) {
      FormSumFactorization<Real, D> kernel(forms);
      if (takesTensorWay(kernel)) return f(kernel);
    }
  }
  if (takesAffineWay(forms)) return f(ReferenceTensors<Real, D>(forms));
  if (takesLanes(forms)) return f(InterleavedMatrices<Real, D>(forms));
  return f(FormPerCell<Real, D>(forms));
}

template <class Real, class F>
auto withFormKernelOf(const HostForms<Real>& forms, const F& f) {
  switch (forms.dimension) {
    case 1: return withFormKernel<Real, 1>(forms, f);
    case 2: return withFormKernel<Real, 2>(forms, f);
    default: return withFormKernel<Real, 3>(forms, f);
  }
}
