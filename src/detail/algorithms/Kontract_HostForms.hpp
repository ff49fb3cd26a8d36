// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_HOSTFORMS_HPP
#define KONTRACT_HOSTFORMS_HPP

#include <algorithm>
#include <string>
#include <vector>

#include "detail/kernels/host_simd/common/Kontract_PlainForm.hpp"
#include "detail/kernels/portable/Kontract_HostProblem.hpp"
#include "detail/launch/Kontract_Launch.hpp"

namespace Kontract {
namespace Impl {

/// A form as kernels of hosts take it: all terms have the signs of the first, and the fields of a
/// load are columns, the right ones of a single left field.
template <class Real>
class HostFormArguments {
 public:
  explicit HostFormArguments(const PlainForm<Real>& form) : _forms(form) {
    _forms.left_signs = form.terms[0].left_signs;
    _forms.right_signs = form.terms[0].right_signs;
    _forms.stream = !form.sum_into && exceedsCache(double(form.outputs()) * sizeof(Real));
    if (form.kind == FormKind::Vectors) turnLoads();
  }
  HostFormArguments(const HostFormArguments&) = delete;
  HostFormArguments& operator=(const HostFormArguments&) = delete;

  HostForms<Real>& forms() { return _forms; }

 private:
  void turnLoads() {
    static constexpr Real one = 1;
    _forms.is_load = true;
    std::swap(_forms.lefts, _forms.rights);
    std::swap(_forms.left_blocks, _forms.right_blocks);
    std::swap(_forms.left_signs, _forms.right_signs);
    std::swap(_forms.out_row, _forms.out_column);
    _loads.assign(_forms.terms, _forms.terms + _forms.term_count);
    for (HostTerm<Real>& term : _loads) {
      std::swap(term.left, term.right);
      std::swap(term.left_pullback, term.right_pullback);
      std::swap(term.left_is_vector, term.right_is_vector);
      term.left.data = &one;
      term.left.is_there = true;
    }
    _forms.terms = _loads.data();
  }

  HostForms<Real> _forms;
  std::vector<HostTerm<Real>> _loads;
};

/// Cells of a form, for one thread.
template <class Real>
struct HostFormPiece {
  HostForms<Real> forms;

  void operator()(std::int64_t i, void* memory) const {
    const std::int64_t first = i * forms.cells_at_once;
    hostKernelsOf<Real>(hostKernels())
        .integrate(forms, first, std::min(forms.cells, first + forms.cells_at_once), memory);
  }
};

/// Cells that a thread takes at a time.
inline std::int64_t formCellsAtOnce(std::int64_t cells, std::int64_t threads,
                                    const LaunchSettings& launch) {
  constexpr std::int64_t parts_each = 8;
  if (launch.cells_per_team > 0) return std::min<std::int64_t>(launch.cells_per_team, cells);
  return threads > 1 ? std::max<std::int64_t>(1, cells / (parts_each * threads)) : cells;
}

/// The kernel that runs for a form when the choice is left open.
template <class Real>
HostFormKernel hostFormKernelOf(const PlainForm<Real>& form, std::int64_t threads,
                                const LaunchSettings& launch) {
  HostForms<Real> forms = form;
  forms.cells_at_once = formCellsAtOnce(form.cells, threads, launch);
  return hostKernelsOf<Real>(hostKernels()).form_kernel(forms);
}

/// Forms by register tiles of SIMD vectors: see src/detail/kernels/host_simd/form. Cells are spread
/// over threads.
template <class Space, class Real>
void runHostForms(const Space& space, const PlainForm<Real>& form, HostFormKernel kernel,
                  const LaunchSettings& settings, const std::string& label) {
  HostFormArguments<Real> arguments(form);
  HostForms<Real>& forms = arguments.forms();
  forms.kernel = kernel;
  forms.cells_at_once = formCellsAtOnce(forms.cells, space.concurrency(), settings);
  const std::int64_t pieces = (forms.cells + forms.cells_at_once - 1) / forms.cells_at_once;
  launchInMemory(space, label, pieces, hostKernelsOf<Real>(hostKernels()).form_workspace(forms),
                 HostFormPiece<Real>{forms});
}

}  // namespace Impl
}  // namespace Kontract

#endif
