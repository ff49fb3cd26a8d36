// SPDX-License-Identifier: BSD-3-Clause
//
// Element matrices and vectors: which kernel computes them. Part of Kontract_HostKernelSet.ipp.

template <class Real, int D>
std::int64_t formReals(const HostForms<Real>& forms) {
  return takesAffineWay(forms) ? AffineCells<Real, D>(forms).reals()
                               : FormPlan<Real>(forms).reals();
}

template <class Real>
std::int64_t formWorkspace(const HostForms<Real>& forms) {
  const std::int64_t reals = forms.dimension == 1   ? formReals<Real, 1>(forms)
                             : forms.dimension == 2 ? formReals<Real, 2>(forms)
                                                    : formReals<Real, 3>(forms);
  return reals * std::int64_t(sizeof(Real));
}

template <class Real, int D>
void integrateCells(const HostForms<Real>& forms, std::int64_t first_cell, std::int64_t last_cell,
                    void* workspace) {
  if (takesAffineWay(forms)) {
    AffineCells<Real, D>(forms).compute(first_cell, last_cell, workspace);
  } else {
    const FormPlan<Real> plan(forms);
    FormCells<FormPlan<Real>, D>(plan, workspace).compute(first_cell, last_cell);
  }
}

template <class Real>
void integrateForms(const HostForms<Real>& forms, std::int64_t first_cell, std::int64_t last_cell,
                    void* workspace) {
  switch (forms.dimension) {
    case 1: integrateCells<Real, 1>(forms, first_cell, last_cell, workspace); break;
    case 2: integrateCells<Real, 2>(forms, first_cell, last_cell, workspace); break;
    default: integrateCells<Real, 3>(forms, first_cell, last_cell, workspace);
  }
}
