// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_CELLCALLS_HPP
#define KONTRACT_CELLCALLS_HPP

#include "Kontract_CellBasis.hpp"
#include "Kontract_CellCheck.hpp"
#include "Kontract_CellContraction.hpp"
#include "Kontract_CellPointwise.hpp"
#include "detail/support/Kontract_Machine.hpp"

// Calls from a caller's kernel: who computes, what is checked, the problem of the cell.

namespace Kontract {
namespace Impl {

/// Calls f(team, arguments...) with those that compute in a mode; a member comes first, unless one
/// thread is alone.
template <class Mode, class F, class First, class... Rest>
KOKKOS_INLINE_FUNCTION void inMode(const F& f, const First& first, const Rest&... rest) {
  if constexpr (std::is_same_v<Mode, team::Serial>) {
    f(OneWorker(), first, rest...);
  } else {
    f(workersOf<Mode>(first), rest...);
  }
}

/// Memory that a caller lends.
struct LentMemory {
  void* data = nullptr;
  std::int64_t bytes = 0;

  KOKKOS_INLINE_FUNCTION LentMemory() {}
  template <class View>
  KOKKOS_INLINE_FUNCTION explicit LentMemory(const View& view)
      : data(const_cast<std::remove_const_t<typename View::value_type>*>(view.data())),
        bytes(static_cast<std::int64_t>(view.extent(0) * sizeof(typename View::value_type))) {}
};

/// A contraction's name and the letters of its arrays.
struct ContractInKernel {
  const char *function, *out_letters, *left_letters, *right_letters;

  template <class Team, class Out, class Left, class Right>
  KOKKOS_INLINE_FUNCTION void operator()(const Team& team, const Out& out_view,
                                         const Left& left_view, const Right& right_view,
                                         bool sum_into = false) const {
    contract(team, out_view, left_view, right_view, LentMemory(), sum_into);
  }
  template <class Team, class Out, class Left, class Right, class Scratch,
            class = typename Scratch::array_layout>
  KOKKOS_INLINE_FUNCTION void operator()(const Team& team, const Out& out_view,
                                         const Left& left_view, const Right& right_view,
                                         const Scratch& scratch, bool sum_into = false) const {
    contract(team, out_view, left_view, right_view, LentMemory(scratch), sum_into);
  }
  /// As ArrayTools has them: the flag, then what else there is.
  template <class Team, class Out, class Left, class Right, class Scratch,
            class = typename Scratch::array_layout>
  KOKKOS_INLINE_FUNCTION void operator()(const Team& team, const Out& out_view,
                                         const Left& left_view, const Right& right_view,
                                         bool sum_into, const Scratch& scratch) const {
    contract(team, out_view, left_view, right_view, LentMemory(scratch), sum_into);
  }

 private:
  template <class Team, class Out, class Left, class Right>
  KOKKOS_INLINE_FUNCTION void contract(const Team& team, const Out& out_view, const Left& left_view,
                                       const Right& right_view, const LentMemory& memory,
                                       bool sum_into) const {
    const auto out = cellArray<false>(out_view);
    const auto left = cellArray<true>(left_view);
    const auto right = cellArray<true>(right_view);
#ifdef KONTRACT_CHECKS_CELLS
    CellCheck check(function, cellOfTeam(team));
    check.takes("the output", out, out_letters);
    check.takes("the right input", right, right_letters);
    check.takes("the left input", left, left_letters);
#endif
    contractCell(team, cellContraction(out, left, right, sum_into), memory.data, memory.bytes);
  }
};

template <class Mode, class... Arguments>
KOKKOS_INLINE_FUNCTION void contractInKernel(const ContractInKernel& call,
                                             const Arguments&... arguments) {
  inMode<Mode>(call, arguments...);
}

/// A pointwise product.
struct MultiplyInKernel {
  const char* function;
  CellProduct product;
  int fields;  ///< indices of fields: 0 or 1

  template <class Team, class Out, class Left, class Right>
  KOKKOS_INLINE_FUNCTION void operator()(const Team& team, const Out& out_view,
                                         const Left& left_view, const Right& right_view,
                                         char transpose = 'N') const {
    const auto out = cellArray<false>(out_view);
    const auto left = cellArray<true>(left_view);
    const auto right = cellArray<true>(right_view);
#ifdef KONTRACT_CHECKS_CELLS
    check(cellOfTeam(team), out, left, right);
#endif
    if (out.extents[0] * out.extents[1] * out.extents[2] * out.extents[3] == 0) return;
    const CellPointwise<decltype(out.elements), decltype(left.elements), decltype(right.elements)>
        pointwise{out, left, right, fields};
    multiplyCell(team, pointwise.problem(product, transpose == 'T' || transpose == 't'));
  }

 private:
#ifdef KONTRACT_CHECKS_CELLS
  template <class Out, class Left, class Right>
  KOKKOS_INLINE_FUNCTION void check(int cell, const CellArray<Out>& out,
                                    const CellArray<Left>& left,
                                    const CellArray<Right>& right) const {
    CellCheck check(function, cell);
    const bool is_plane = product == CellProduct::Cross && out.rank == fields + 1;
    const char *of_out = "FPDE", *of_left = "pDE", *of_right = "FPDE";
    char out_letters[5], left_letters[4], right_letters[5];
    // Points are there at least.
    int out_rank = out.rank > fields ? out.rank - fields : 1;
    int left_rank = left.rank > 0 ? left.rank : 1, right_rank = 0;
    switch (product) {
      case CellProduct::Scalar:
        left_rank = 1;
        right_rank = out_rank;
        break;
      case CellProduct::Dot:
        out_rank = 1;
        right_rank = left_rank;
        break;
      case CellProduct::Cross:
        out_rank = is_plane ? 1 : 2;
        left_rank = right_rank = 2;
        break;
      case CellProduct::Outer:
        out_rank = 3;
        left_rank = right_rank = 2;
        of_right = "FPE";
        break;
      case CellProduct::Matvec:
      case CellProduct::Matmat:
        out_rank = right_rank = product == CellProduct::Matvec ? 2 : 3;
        of_left = "pDD";
        break;
    }
    copyLetters(of_out + 1 - fields, out_rank + fields, out_letters);
    copyLetters(of_left, left_rank < 3 ? left_rank : 3, left_letters);
    copyLetters(of_right + 1 - fields, right_rank + fields, right_letters);
    check.takes("the output", out, out_letters);
    check.takes("the right input", right, right_letters);
    check.takes("the left input", left, left_letters);
  }

  KOKKOS_INLINE_FUNCTION static void copyLetters(const char* from, int count, char* to) {
    int n = 0;
    for (; n < count && n < 4 && from[n] != '\0'; ++n) to[n] = from[n];
    to[n] = '\0';
  }
#endif
};

template <class Mode, class... Arguments>
KOKKOS_INLINE_FUNCTION void multiplyInKernel(const char* function, CellProduct product, int fields,
                                             const Arguments&... arguments) {
  inMode<Mode>(MultiplyInKernel{function, product, fields}, arguments...);
}

/// Whether what is at points goes with gradients of a basis.
template <class Points>
KOKKOS_FORCEINLINE_FUNCTION bool areGradients(const Points& points) {
  return rankInKernel(points) == 2;
}

/// From coefficients of fields to points.
struct EvaluateInKernel {
  template <class Team, class Out, class Coefficients, class Values>
  KOKKOS_INLINE_FUNCTION void operator()(const Team& team, const Out& out_view,
                                         const Coefficients& coefficients_view,
                                         const Values& basis_view, bool sum_into = false) const {
    const auto out = cellArray<false>(out_view);
    const auto coefficients = cellArray<true>(coefficients_view);
    const auto basis = cellArray<true>(basis_view);
#ifdef KONTRACT_CHECKS_CELLS
    CellCheck check("Basis::evaluate", cellOfTeam(team));
    check.takes("the basis", basis, out.rank == 2 ? "FPD" : "FP");
    check.takes("the coefficients", coefficients, "F");
    check.takes("the output", out, out.rank == 2 ? "PD" : "P");
#endif
    evaluateCell(team, out, coefficients, basis, sum_into);
  }

  template <class Team, class Out, class Coefficients, class Values, class Derivatives,
            class Scratch>
  KOKKOS_INLINE_FUNCTION void operator()(const Team& team, const Out& out_view,
                                         const Coefficients& coefficients_view,
                                         const TensorBasis<Values, Derivatives>& basis,
                                         const Scratch& scratch, bool sum_into = false) const {
    withDirections(basis.dimension, [&](auto dimension) {
      constexpr int D = decltype(dimension)::value;
      const auto of_kernel = cellTensorBasis(basis, areGradients(out_view));
      const CellBasis<typename Scratch::non_const_value_type, D> cell(of_kernel, scratch.data());
      const auto out = cellArray<false>(out_view);
      const auto coefficients = cellArray<true>(coefficients_view);
      cell.check("Basis::evaluate", cellOfTeam(team), out, coefficients, scratch);
      cell.begin(team, of_kernel);
      cell.evaluate(team, out, coefficients, sum_into);
    });
  }
};

/// From points to fields.
struct IntegrateInKernel {
  template <class Team, class Out, class Points, class Values>
  KOKKOS_INLINE_FUNCTION void operator()(const Team& team, const Out& out_view,
                                         const Points& values_view, const Values& basis_view,
                                         bool sum_into = false) const {
    const ContractInKernel call = areGradients(values_view)
                                      ? ContractInKernel{"Basis::integrate", "R", "PD", "RPD"}
                                      : ContractInKernel{"Basis::integrate", "R", "P", "RP"};
    call(team, out_view, values_view, basis_view, sum_into);
  }

  template <class Team, class Out, class Points, class Values, class Derivatives, class Scratch>
  KOKKOS_INLINE_FUNCTION void operator()(const Team& team, const Out& out_view,
                                         const Points& values_view,
                                         const TensorBasis<Values, Derivatives>& basis,
                                         const Scratch& scratch, bool sum_into = false) const {
    withDirections(basis.dimension, [&](auto dimension) {
      constexpr int D = decltype(dimension)::value;
      const auto of_kernel = cellTensorBasis(basis, areGradients(values_view));
      const CellBasis<typename Scratch::non_const_value_type, D> cell(of_kernel, scratch.data());
      const auto out = cellArray<false>(out_view);
      const auto values = cellArray<true>(values_view);
      cell.check("Basis::integrate", cellOfTeam(team), values, out, scratch);
      cell.begin(team, of_kernel);
      cell.integrate(team, out, values, sum_into);
    });
  }
};

/// \return elements of the thread's memory that kernels of hosts work in, wherever strides are; 0
///   where the stack suffices
template <class Space, class Scalar>
std::int64_t scratchOfContraction(std::int64_t lefts, std::int64_t rights, std::int64_t terms) {
  if constexpr (is_host_space<Space> && is_plain<Scalar> && has_host_kernels_of<Scalar>) {
    using Array = Accessor<const Scalar>;
    Problem<ContractionShape, Accessor<Scalar>, Array, Array> problem{{}, {}, {}, {}};
    problem.shape.lefts = lefts;
    problem.shape.rights = rights;
    problem.shape.out_left = rights;
    problem.shape.out_right = 1;
    problem.shape.sum[2] = {terms, 2, 2};  // strided: copied
    constexpr std::int64_t alignment = 64;
    const std::int64_t needed = hostKernelsOf<Scalar>(hostKernels()).workspace(hostCell(problem));
    if (needed <= bytes_on_stack) return 0;
    return (needed + alignment) / std::int64_t(sizeof(Scalar)) + 1;
  } else {
    return 0;
  }
}

template <class Values, class Derivatives>
KOKKOS_INLINE_FUNCTION std::int64_t scratchOfBasis(const TensorBasis<Values, Derivatives>& basis) {
  std::int64_t extent = 0;
  withDirections(basis.dimension, [&](auto dimension) {
    const CellBasis<char, decltype(dimension)::value> cell(cellTensorBasis(basis, true), nullptr);
    extent = cell.scratch_extent;
  });
  return extent;
}

}  // namespace Impl
}  // namespace Kontract

#endif
