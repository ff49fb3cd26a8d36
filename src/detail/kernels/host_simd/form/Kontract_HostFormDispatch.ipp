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

/// The fewest columns that a sum along a direction of a tensor-product basis has, which are of
/// functions or of points in the other directions.
template <class Real>
std::int64_t fewestColumns(const PlainValues<Real>& values) {
  std::int64_t fewest = 0;
  for (int d = 0; d < values.directions; ++d) {
    for (int m = 0; m < values.families.count; ++m) {
      std::int64_t columns = 1;
      for (int other = 0; other < values.directions; ++other) {
        const std::int64_t functions = functionsIn(values, m, other);
        const std::int64_t points = values.direction[other].points;
        if (other != d) columns *= functions < points ? functions : points;
      }
      if ((d == 0 && m == 0) || columns < fewest) fewest = columns;
    }
  }
  return fewest;
}

/// Whether several families have a component, whose sums are added then.
inline bool haveCommonComponents(const BasisFamilies& families) {
  for (int i = 0; i < 3; ++i) {
    int count = 0;
    for (int m = 0; m < families.count; ++m) count += families.sign[m][i] != 0 ? 1 : 0;
    if (count > 1) return true;
  }
  return false;
}

/// Whether lanes that are columns of a cell are full enough, and its sums are stored once.
template <class Real>
bool fillsLanes(const PlainValues<Real>& values, std::int64_t least_columns) {
  return fewestColumns(values) >= least_columns && !haveCommonComponents(values.families);
}

/// Whether vectors and products are faster cell by cell, where lanes are elements of a cell: what
/// it has stays in the first cache then, and the numbers of its points are read as they lie, but
/// sums are transposed. Loads gain from two vectors of columns on, products by matrices of points
/// from three or eight on, others not (`doc/notebook.md`, Zen 5).
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
  }
  const PlainTerm<Real>& first = forms.terms[0];
  if (forms.kind == FormKind::Vectors) {
    for (int t = 0; t < forms.term_count; ++t) {
      if (!fillsLanes(forms.terms[t].right, of_loads)) return false;
    }
    return forms.out_column == 1;
  }
  const bool has_matrices =
      (first.kind == CoefficientKind::Symmetric || first.kind == CoefficientKind::Full) &&
      first.coefficient.point == 1;
  return forms.term_count == 1 && first.left_is_vector && first.right_is_vector &&
         (has_matrices || (forms.has_mapping && forms.mapping.point == 1)) && forms.out_row == 1 &&
         forms.vector.field == 1 && fillsLanes(first.left, of_products) &&
         fillsLanes(first.right, of_products);
}

/// Calls f(kernel) with the one that a form names.
template <class Real, int D, class F>
auto withFormKernel(const HostForms<Real>& forms, const F& f) {
  if constexpr (D > 1) {
    if (forms.kind == FormKind::Diagonals) return f(InterleavedDiagonals<Real, D>(forms));
  }
  if (forms.kernel == HostFormKernel::PerCell) return f(FormPerCell<Real, D>(forms));
  if constexpr (D == 3 && has_lanes_of_elements) {
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
