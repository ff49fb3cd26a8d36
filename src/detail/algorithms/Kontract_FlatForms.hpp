// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FLATFORMS_HPP
#define KONTRACT_FLATFORMS_HPP

#include <string>
#include <type_traits>

#include "Kontract_Scattering.hpp"
#include "detail/kernels/portable/Kontract_FormBlock.hpp"
#include "detail/kernels/portable/Kontract_FormDiagonal.hpp"
#include "detail/kernels/portable/Kontract_FormFactors.hpp"
#include "detail/kernels/portable/Kontract_FormProduct.hpp"
#include "detail/kernels/portable/Kontract_PlainFormKernel.hpp"
#include "detail/launch/Kontract_Launch.hpp"

namespace Kontract {
namespace Impl {

/// Calls f(constant<D>) with the dimension of cells.
template <class F>
void withDimension(int dimension, const F& f) {
  switch (dimension) {
    case 1: return f(std::integral_constant<int, 1>());
    case 2: return f(std::integral_constant<int, 2>());
    default: return f(std::integral_constant<int, 3>());
  }
}

/// Forms of any scalars on any execution space: a block of outputs of matrices and vectors, the
/// product of a cell, the factors of a point, or some entries of a diagonal, for each work item.
template <class Space, class Problem>
struct FlatForms {
  template <int D>
  static void run(const Space& space, const Problem& problem, const std::string& label) {
    if constexpr (Problem::kind == FormKind::Factors) {
      const FormShape& s = problem.shape;
      launch(space, label, s.cells * s.points, FormFactors<Problem, D>{problem});
    } else if constexpr (Problem::kind == FormKind::Products) {
      launch(space, label, problem.shape.cells, FormProduct<Problem, D>{problem});
    } else if constexpr (Problem::kind == FormKind::Diagonals) {
      // Hosts evaluate values of the reference cell once for several cells.
      constexpr bool takes_several =
          is_host_space<Space> && is_plain<typename FormPoint<Problem, D>::Acc>;
      const FormDiagonal<Problem, D, takes_several ? 8 : 1> diagonal(problem);
      launch(space, label, diagonal.count(), diagonal);
    } else if constexpr (Problem::kind == FormKind::Vectors) {
      runBlocks<D, 4, 1>(space, problem, label);
    } else {
      // Threads of a device have registers for more, which halves what they compute again and
      // again.
      using Acc = typename FormPoint<Problem, D>::Acc;
      constexpr bool has_registers = !is_host_space<Space> && is_plain<Acc> && sizeof(Acc) <= 8;
      constexpr std::int64_t many_fields = 16;
      if constexpr (has_registers) {
        if (problem.shape.lefts >= many_fields) return runBlocks<D, 8, 8>(space, problem, label);
      }
      runBlocks<D, 4, 8>(space, problem, label);
    }
  }

 private:
  template <int D, int lefts, int rights>
  static void runBlocks(const Space& space, const Problem& problem, const std::string& label) {
    const FormBlock<Problem, D, lefts, rights> block(problem);
    launch(space, label, block.count(), block);
  }
};

/// Terms of tensor-product bases that the arguments of a kernel have room for, on devices.
inline constexpr int most_terms_of_bases = 3;

template <class Space, class Problem>
void runFlatForms(const Space& space, const Problem& problem, const LaunchSettings&,
                  const std::string& label) {
  withDimension(problem.shape.dimension, [&](auto d) {
    FlatForms<Space, Problem>::template run<decltype(d)::value>(space, problem, label);
  });
}

/// The same for the arrays of a PlainForm.
template <FormKind kind, class Space, class T>
void runPlainFlatForms(const Space& space, const PlainForm<T>& form, const std::string& label) {
  constexpr bool is_host = is_host_space<Space>;
  constexpr int most_of_bases = is_host ? max_form_terms : most_terms_of_bases;
  withDimension(form.dimension, [&](auto d) {
    constexpr int D = decltype(d)::value;
    constexpr bool has_small_ones = !is_host && D > 1 && kind != FormKind::Diagonals;
    const auto run = [&](const auto& problem) {
      forEachLaunch(problem, [&](const auto& part) {
        FlatForms<Space, std::decay_t<decltype(part)>>::template run<D>(space, part, label);
      });
    };
    if (hasBases(form)) {
      // Other algorithms evaluate tensor-product bases direction by direction and are faster; here
      // one kernel serves all forms of them, so that there are fewer to compile.
      forEachSharedKernelForm<kind, FormValues<T>, most_of_bases>(form, run);
    } else {
      forEachKernelForm<kind, OptionalFormArray<T>, max_form_terms, has_small_ones>(form, run);
    }
  });
}

template <class Space, class T>
void runFlatForms(const Space& space, const PlainForm<T>& given, const LaunchSettings& settings,
                  const std::string& label) {
  const PlainForm<T> form = scatteringForm(space, given, settings, label);
  if (form.outputs() == 0) return;
  switch (form.kind) {
    case FormKind::Matrices: return runPlainFlatForms<FormKind::Matrices>(space, form, label);
    case FormKind::Vectors: return runPlainFlatForms<FormKind::Vectors>(space, form, label);
    case FormKind::Products: return runPlainFlatForms<FormKind::Products>(space, form, label);
    case FormKind::Factors: return runPlainFlatForms<FormKind::Factors>(space, form, label);
    case FormKind::Diagonals: return runPlainFlatForms<FormKind::Diagonals>(space, form, label);
  }
}

}  // namespace Impl
}  // namespace Kontract

#endif
