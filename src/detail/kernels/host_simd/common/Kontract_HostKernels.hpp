// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_HOSTKERNELS_HPP
#define KONTRACT_HOSTKERNELS_HPP

#include <cstdint>

#include "Kontract_HostFormArguments.hpp"

namespace Kontract {
namespace Impl {

// What follows is compiled once for each instruction set and called through pointers. The sources
// that hold an instruction set see nothing but this file and parts that they include into a
// namespace of their own: an inline function of somebody else that were compiled for AVX-512 there
// could be the copy that the linker keeps for everybody.

/// A level of a sum, as in ContractionShape.
struct HostLevel {
  std::int64_t extent, left, right;
};

/// A contraction on the host: out(c,l,r) (+)= sum over k of left(c,l,k) * right(c,r,k). Strides
/// count scalars; a complex scalar is one.
template <class Real>
struct HostContraction {
  Real* out;
  const Real* left;
  const Real* right;
  std::int64_t lefts, rights;
  HostLevel sum[3];  ///< outermost first
  std::int64_t out_cell, out_left, out_right;
  std::int64_t left_cell, left_field;
  std::int64_t right_cell, right_field;
  bool add;     ///< to what the output holds
  bool stream;  ///< the output is larger than caches: write it without reading it
};

/// A part of a contraction: some cells, and some of their left fields.
struct HostPart {
  std::int64_t first_cell, last_cell, first_left, last_left;
};

/// What a pointwise operation does, as in PointwiseKind; kernels have nothing for others.
enum class HostOperation { Copy, Product, Quotient, Cross2, Cross3, Determinant, Inverse, Other };

/// A pointwise operation on the host, as in PointwiseShape. Strides count scalars; a complex scalar
/// is one.
template <class Real>
struct HostPointwise {
  struct Strides {
    std::int64_t cell, field, point, row, column;
  };
  HostOperation operation;
  Real* out;
  const Real* left;
  const Real* right;
  std::int64_t cells;  ///< of the whole problem, whichever are computed
  std::int64_t fields, points, rows, columns;
  HostLevel sum[2];
  Strides out_of, left_of, right_of;
  bool stream;  ///< the output is larger than caches and no input: write it without reading it
};

/// Which operands of a contraction or of a pointwise operation are Fads, the output always; the
/// others are constants. Pointers are to first derivatives and to constants, and strides count
/// their scalars. The value follows the derivatives, at their stride: 1 where components lie side
/// by side, as contractions have them.
struct HostFads {
  std::int64_t derivatives;
  bool left, right;
  std::int64_t out_stride = 1, left_stride = 1, right_stride = 1;  ///< from one component on
};

/// The kernels of one instruction set.
struct HostKernels {
  const char* name;

  /// Kernels for one type of scalar.
  template <class Real>
  struct Of {
    /// \return bytes of memory, aligned to 64, that contract() wants to work in
    std::int64_t (*workspace)(const HostContraction<Real>&);
    void (*contract)(const HostContraction<Real>&, const HostPart&, void* workspace);

    /// \return bytes of memory, aligned to 64, that multiply() wants to work in; negative if it has
    /// nothing for such a problem
    std::int64_t (*multiply_workspace)(const HostPointwise<Real>&);
    void (*multiply)(const HostPointwise<Real>&, std::int64_t first_cell, std::int64_t last_cell,
                     void* workspace);

    // What there is for Fads is null for complex scalars.

    /// \return bytes of memory, aligned to 64, that contract_fads() works in if it is given them
    std::int64_t (*contract_fads_workspace)(const HostContraction<Real>&, const HostFads&);
    /// Contractions of Fads, of which one factor at least has derivatives. Without a workspace
    /// (null) they may take longer.
    void (*contract_fads)(const HostContraction<Real>&, const HostFads&, const HostPart&,
                          void* workspace);

    /// \return bytes of memory, aligned to 64, that multiply_fads() wants to work in; negative if
    /// it has nothing for such a problem
    std::int64_t (*multiply_fads_workspace)(const HostPointwise<Real>&, const HostFads&);
    void (*multiply_fads)(const HostPointwise<Real>&, const HostFads&, std::int64_t first_cell,
                          std::int64_t last_cell, void* workspace);

    /// \return bytes of memory, aligned to 64, that integrate() wants to work in
    std::int64_t (*form_workspace)(const HostForms<Real>&);
    /// \return the kernel that is expected to be the fastest one, whatever signs there are
    HostFormKernel (*form_kernel)(const HostForms<Real>&);
    /// Forms of real scalars, by the kernel that they name; null for complex ones.
    void (*integrate)(const HostForms<Real>&, std::int64_t first_cell, std::int64_t last_cell,
                      void* workspace);
  };
  Of<double> real_double, complex_double;
  Of<float> real_float, complex_float;
};

/// The fastest kernels that this machine can run. The environment variable KONTRACT_INSTRUCTION_SET
/// may name a lesser set; one that the machine lacks is reported on stderr and ignored.
const HostKernels& hostKernels();

/// The kernels by name, for tests and benchmarks.
/// \return nullptr if this machine cannot run them or they were not compiled
const HostKernels* hostKernels(const char* name);

}  // namespace Impl
}  // namespace Kontract

#endif
