// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_HOSTFORMS_HPP
#define KONTRACT_HOSTFORMS_HPP

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "Kontract_Scattering.hpp"
#include "detail/kernels/portable/Kontract_HostProblem.hpp"
#include "detail/launch/Kontract_Launch.hpp"
#include "detail/problem/Kontract_PlainForm.hpp"

namespace Kontract {
namespace Impl {

/// Loads as kernels of hosts take them: matrices of a single left field, whose columns are the
/// fields and fill vectors.
template <class Real>
class LoadsAsMatrices {
 public:
  explicit LoadsAsMatrices(HostForms<Real>& forms)
      : _terms(forms.terms, forms.terms + forms.term_count) {
    static constexpr Real one = 1;
    std::swap(forms.lefts, forms.rights);
    std::swap(forms.left_blocks, forms.right_blocks);
    std::swap(forms.out_row, forms.out_column);
    for (PlainTerm<Real>& term : _terms) {
      std::swap(term.left, term.right);
      std::swap(term.left_pullback, term.right_pullback);
      std::swap(term.left_is_vector, term.right_is_vector);
      std::swap(term.left_signs, term.right_signs);
      term.left.data = &one;
      term.left.is_there = true;
    }
    forms.terms = _terms.data();
  }
  LoadsAsMatrices(const LoadsAsMatrices&) = delete;
  LoadsAsMatrices& operator=(const LoadsAsMatrices&) = delete;

 private:
  std::vector<PlainTerm<Real>> _terms;
};

/// Cells of a form, for one thread.
template <class Real>
struct HostFormPiece {
  HostForms<Real> forms;
  const std::int32_t* blocks = nullptr;  ///< of cells with a color, whose pieces these are

  void operator()(std::int64_t i, void* memory) const {
    const std::int64_t cells = forms.cells_at_once;
    const std::int64_t first =
        blocks == nullptr ? i * cells : blocks[i] * cells - forms.scatter.first_cell;
    hostKernelsOf<Real>(hostKernels())
        .integrate(forms, std::max<std::int64_t>(0, first), std::min(forms.cells, first + cells),
                   memory);
  }
};

/// Cells that a thread takes at a time.
inline std::int64_t formCellsAtOnce(std::int64_t cells, std::int64_t threads,
                                    const LaunchSettings& launch) {
  constexpr std::int64_t parts_each = 8;
  if (launch.cells_per_team > 0) return std::min<std::int64_t>(launch.cells_per_team, cells);
  return threads > 1 ? std::max<std::int64_t>(1, cells / (parts_each * threads)) : cells;
}

/// The same for a form: where cells are colored, blocks of them, however many threads there are.
template <class Real>
std::int64_t formCellsAtOnce(const PlainForm<Real>& form, std::int64_t threads,
                             const LaunchSettings& launch) {
  const bool are_colored = form.is_scattered && scatterWayOf(true, threads, form.can_be_colored,
                                                             launch) == ScatterWay::Colored;
  return are_colored ? form.scatter.colors.block_cells
                     : formCellsAtOnce(form.cells, threads, launch);
}

/// Whether a kernel computes such forms; Auto: whether any does.
inline bool isServed(const FormShape& form, HostFormKernel kernel) {
  const bool are_matrices = form.kind == FormKind::Matrices;
  if (form.kind == FormKind::Factors) return false;
  if (!form.have_same_signs || form.has_coefficients_of_space) return false;
  if (form.kind == FormKind::Diagonals) {
    const bool may_sum =
        kernel == HostFormKernel::SumFactorization || kernel == HostFormKernel::Auto;
    return may_sum && form.dimension > 1 && form.has_square_tensor_bases;
  }
  switch (kernel) {
    case HostFormKernel::PerCell: return form.kind != FormKind::Products;
    case HostFormKernel::InterleavedCells:
      return form.has_values_of_reference && (are_matrices || !form.has_tensor_bases_alone);
    case HostFormKernel::ReferenceTensors:
      return are_matrices && form.points > 0 && form.is_affine && form.has_values_of_reference;
    case HostFormKernel::SumFactorization:
      return are_matrices ? form.dimension > 1 && form.has_like_tensor_bases
                          : form.has_tensor_bases_alone;
    case HostFormKernel::Auto:
      return form.has_values_of_reference || form.kind != FormKind::Products;
  }
  return false;
}

/// Why a kernel does not compute such forms, for messages; empty if it does.
inline std::string whyNotHostForm(const FormShape& form, HostFormKernel kernel) {
  if (isServed(form, kernel)) return {};
  if (form.kind == FormKind::Factors) return "it computes no factors";
  if (!form.have_same_signs) return "all terms must have the same signs";
  if (form.has_coefficients_of_space) {
    return "on cells that have fewer dimensions than space, coefficients must be scalars";
  }
  if (form.kind == FormKind::Diagonals && isServed(form, HostFormKernel::Auto)) {
    return "of diagonals it has the Kernel Sum Factorization alone";
  }
  if (form.kind == FormKind::Diagonals) {
    return "of diagonals it has Sum Factorization, which needs tensor-product bases: in all terms "
           "the same functions and points on both sides, in each of two directions or more";
  }
  switch (kernel) {
    case HostFormKernel::PerCell: return "Per Cell is for matrices and vectors, not for products";
    case HostFormKernel::InterleavedCells:
      return "Interleaved Cells needs values on the reference cell, which for vectors and "
             "products are arrays";
    case HostFormKernel::ReferenceTensors:
      return "Reference Tensors needs matrices of affine cells: values on the reference cell, "
             "and Jacobians, measures and coefficients with one point";
    case HostFormKernel::SumFactorization:
      return "Sum Factorization needs tensor-product bases: of matrices all terms with the same "
             "functions and points in each of two directions or more";
    case HostFormKernel::Auto: break;
  }
  return "for products, values must be those of the reference cell";
}

/// The kernel that is expected to be the fastest one for a form.
template <class Real>
HostFormKernel hostFormKernelOf(const PlainForm<Real>& form, std::int64_t threads,
                                const LaunchSettings& launch) {
  HostForms<Real> forms{form};
  forms.cells_at_once = formCellsAtOnce(form, threads, launch);
  return hostKernelsOf<Real>(hostKernels()).form_kernel(forms);
}

/// Forms by register tiles of SIMD vectors: see src/detail/kernels/host_simd/form. Cells are spread
/// over threads.
/// \param kernel  not Auto
template <class Space, class Real>
void runHostForms(const Space& space, const PlainForm<Real>& form, HostFormKernel kernel,
                  const LaunchSettings& settings, const std::string& label) {
  clearScattered(space, form, label);
  if (form.outputs() == 0) return;
  HostForms<Real> forms{form};
  forms.kernel = kernel;
  forms.cells_at_once = formCellsAtOnce(form, space.concurrency(), settings);
  forms.stream = !form.sum_into && exceedsCache(double(form.outputs()) * sizeof(Real));
  forms.scatter.way = scatterWayOf(true, space.concurrency(), form.can_be_colored, settings);
  const bool are_colored = form.is_scattered && forms.scatter.way == ScatterWay::Colored;
  std::optional<LoadsAsMatrices<Real>> loads;
  if (form.kind == FormKind::Vectors) loads.emplace(forms);
  const std::int64_t bytes = hostKernelsOf<Real>(hostKernels()).form_workspace(forms);
  if (are_colored) {
    forEachColor(forms.scatter, forms.cells, [&](std::int64_t first, std::int64_t last) {
      launchInMemory(space, label, last - first, bytes,
                     HostFormPiece<Real>{forms, forms.scatter.colors.blocks + first});
    });
    return;
  }
  const std::int64_t pieces = (forms.cells + forms.cells_at_once - 1) / forms.cells_at_once;
  launchInMemory(space, label, pieces, bytes, HostFormPiece<Real>{forms});
}

}  // namespace Impl
}  // namespace Kontract

#endif
