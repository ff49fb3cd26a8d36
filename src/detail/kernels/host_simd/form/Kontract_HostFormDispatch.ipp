// SPDX-License-Identifier: BSD-3-Clause
//
// Forms: which kernel computes them.
#ifndef KONTRACT_HOSTFORMDISPATCH_IPP
#define KONTRACT_HOSTFORMDISPATCH_IPP

#include "Kontract_HostFormBatches.ipp"
#include "Kontract_HostFormDiagonals.ipp"
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
  const bool is_affine = favorsReferenceTensors(forms);
  double sum = 0;
  for (int t = 0; t < forms.term_count; ++t) {
    const PlainTerm<Real>& term = forms.terms[t];
    const int left = term.left_is_vector ? d : 1, right = term.right_is_vector ? d : 1;
    if (is_affine) {
      constexpr double near = 512 * 1024, far = 8;
      const double products = entries * left * right;
      sum += products * (products * sizeof(Real) > near ? far : 1);
    } else if (firstWithLeft(forms, t) == t) {
      sum += entries * left * double(forms.points) / (forms.is_symmetric ? 2 : 1);
    }
  }
  return sum;
}

/// What a multiplication of sum factorization costs in such of plain sums: its sums are short, what
/// they leave is moved between them, and the more lanes a vector has the fewer of them are full
/// (`Kontract_measureForms`).
template <class Real>
constexpr double factorized_cost = simd_width_of<Real> >= 16  ? 4.4
                                   : simd_width_of<Real> >= 8 ? 3
                                                              : 2;

/// Whether sum factorization is worth while.
template <class Real, int D>
bool favorsSumFactorization(const FormSumFactorization<Real, D>& kernel) {
  return factorized_cost<Real> * kernel.products() < plainProducts(kernel.forms);
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

/// The kernel that is expected to be the fastest one.
template <class Real, int D>
HostFormKernel kernelFor(const HostForms<Real>& forms) {
  if (forms.kind == FormKind::Diagonals) return HostFormKernel::SumFactorization;
  if (areVectors(forms)) {
    if (!forms.has_values_of_reference) return HostFormKernel::PerCell;
    return forms.has_tensor_bases_alone ? HostFormKernel::SumFactorization
                                        : HostFormKernel::InterleavedCells;
  }
  if constexpr (D > 1) {
    if (forms.has_like_tensor_bases &&
        favorsSumFactorization(FormSumFactorization<Real, D>(forms))) {
      return HostFormKernel::SumFactorization;
    }
  }
  if (favorsReferenceTensors(forms)) return HostFormKernel::ReferenceTensors;
  return favorsInterleavedCells(forms) ? HostFormKernel::InterleavedCells : HostFormKernel::PerCell;
}

/// Whether an array has one number for all points of a cell, or contiguous ones.
template <class Real>
bool hasContiguousPoints(const PlainArray<Real>& array) {
  return !array.is_there || array.point == 0 || array.point == 1;
}

/// The fewest columns that a sum along a direction of a tensor-product basis has.
template <class Real>
std::int64_t fewestColumns(const PlainValues<Real>& values) {
  std::int64_t fewest = 0;
  for (int m = 0; m < values.families.count; ++m) {
    for (int d = 0; d < values.directions; ++d) {
      const std::int64_t functions = functionsIn(values, m, d);
      const std::int64_t columns = functions > 0 ? fieldsOf(values, m) / functions : 0;
      if (fewest == 0 || columns < fewest) fewest = columns;
    }
  }
  return fewest;
}

/// Whether vectors and products are faster cell by cell, where lanes are elements of a cell: what
/// it has stays in the first cache then, but sums are transposed, and the last vectors of columns
/// have idle lanes. From so many columns on they were, on Zen 5 (`doc/notebook.md`).
template <class Real>
bool favorsLanesOfElements(const HostForms<Real>& forms) {
  constexpr std::int64_t simd_width = simd_width_of<Real>;
  constexpr std::int64_t of_loads = 2 * simd_width;
  constexpr std::int64_t of_products = (sizeof(Real) == 8 ? 3 : 8) * simd_width;
  if (forms.kernel != HostFormKernel::SumFactorization || forms.gradients.is_there) return false;
  if (!hasContiguousPoints(forms.mapping) || !hasContiguousPoints(forms.weights)) return false;
  for (int t = 0; t < forms.term_count; ++t) {
    const PlainTerm<Real>& term = forms.terms[t];
    if (!hasContiguousPoints(term.coefficient) || !hasContiguousPoints(term.second)) return false;
    if (forms.kind == FormKind::Vectors) {
      if (fewestColumns(term.right) < of_loads) return false;
      continue;
    }
    if (!term.left_is_vector || !term.right_is_vector) return false;
    if (fewestColumns(term.left) < of_products || fewestColumns(term.right) < of_products) {
      return false;
    }
  }
  return true;
}

/// Calls f(kernel) with the one that a form names.
template <class Real, int D, class F>
auto withFormKernel(const HostForms<Real>& forms, const F& f) {
  if constexpr (D > 1) {
    if (forms.kind == FormKind::Diagonals) return f(InterleavedDiagonals<Real, D>(forms));
  }
  if (forms.kernel == HostFormKernel::PerCell) return f(FormPerCell<Real, D>(forms));
  if constexpr (D == 3 && vector_bytes > unit_bytes) {
    if (areVectors(forms) && favorsLanesOfElements(forms)) {
      return f(InterleavedVectors<Real, D, Lanes::Elements>(forms));
    }
  }
  // Interleaved cells, whose bases sum direction by direction where they are tensor products.
  if (areVectors(forms)) return f(InterleavedVectors<Real, D>(forms));
  switch (forms.kernel) {
    case HostFormKernel::SumFactorization:
      // Matrices in one direction have none: they are refused.
      if constexpr (D > 1) return f(FormSumFactorization<Real, D>(forms));
      [[fallthrough]];
    case HostFormKernel::ReferenceTensors: return f(ReferenceTensors<Real, D>(forms));
    default: return f(InterleavedMatrices<Real, D>(forms));
  }
}

template <class Real, class F>
auto withFormKernelOf(const HostForms<Real>& forms, const F& f) {
  return withDimension(forms,
                       [&](auto d) { return withFormKernel<Real, decltype(d)::value>(forms, f); });
}

/// Reals of memory that a form's kernel works in.
template <class Real>
std::int64_t realsOf(const HostForms<Real>& forms) {
  const FormBatches<Real> batches(forms);
  return batches.reals() +
         withFormKernelOf(batches.forms, [](auto&& kernel) { return kernel.reals(); });
}

template <class Real>
void computeCells(const HostForms<Real>& forms, std::int64_t first_cell, std::int64_t last_cell,
                  Real* workspace) {
  FormMemory<Real> memory{workspace};
  FormBatches<Real> batches(forms);
  withFormKernelOf(batches.forms, [&](auto&& kernel) {
    kernel.begin(memory);
    batches.begin(memory);
    batches.compute(kernel, first_cell, last_cell);
  });
}

#endif
