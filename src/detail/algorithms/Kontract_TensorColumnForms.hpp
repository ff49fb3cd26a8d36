// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TENSORCOLUMNFORMS_HPP
#define KONTRACT_TENSORCOLUMNFORMS_HPP

#include <algorithm>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "Kontract_ColumnForms.hpp"
#include "Kontract_TensorColumnPlan.hpp"
#include "detail/kernels/portable/Kontract_TensorColumns.hpp"
#include "detail/launch/Kontract_CudaLaunch.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include "detail/kernels/cuda/Kontract_TensorBlock.hpp"
#endif

namespace Kontract {
namespace Impl {

// Vectors and products of tensor-product bases by matrix instructions: see TensorColumns.

/// Calls f(extents) with functions and points that are known when compiling, if those are.
/// \tparam one, two  arrays after the first direction, and after the second one
/// \return whether they are
template <int one, int two, int... functions, class F>
bool withKnownColumns(std::integer_sequence<int, functions...>, const TensorColumnSizes& sizes,
                      const F& f) {
  const int N = sizes.functions, Q = sizes.points[0];
  if (sizes.points[1] != Q || sizes.points[2] != Q) return false;
  const auto isKnown = [&](auto of) {
    constexpr int M = decltype(of)::value;
    if (N != M || Q < M || Q > M + 1) return false;
    if (Q == M) {
      f(KnownColumns<M, M, one, two>(sizes));
    } else {
      f(KnownColumns<M, M + 1, one, two>(sizes));
    }
    return true;
  };
  return (isKnown(std::integral_constant<int, functions>()) || ...);
}

/// Calls f(extents) with what is known of them at run time.
template <class F>
void withAnyColumns(const TensorColumnPlan& plan, const F& f) {
  const TensorColumnSteps& steps = plan.steps;
  const auto withPoints = [&](auto functions) {
    constexpr int few = decltype(functions)::value;
    if (steps.points == few) return f(AnyColumns<few, few>(plan.sizes));
    if (steps.points == few + 1) return f(AnyColumns<few, few + 1>(plan.sizes));
    throw std::logic_error("Kontract: no kernel for " + std::to_string(steps.points) +
                           " steps of points in a direction");
  };
  switch (steps.functions) {
    case 1: return withPoints(std::integral_constant<int, 1>());
    case 2: return withPoints(std::integral_constant<int, 2>());
    default: return withPoints(std::integral_constant<int, 3>());
  }
}

/// Whether neighbours in memory are neighbouring cells in what a term reads most of.
template <class T>
bool hasCellsFirst(const PlainForm<T>& form, const PlainTerm<T>& term) {
  if (form.gradients.is_there) {
    // Tables of nodes are read for many cells at once.
    if (form.nodes != TrilinearCells::nodes) return true;
  } else if (form.has_mapping) {
    return form.mapping.cell == 1;
  }
  // One number for all points of a cell is not much.
  if (term.coefficient.is_there && term.coefficient.point != 0) return term.coefficient.cell == 1;
  return form.cell_fastest;
}

/// What kernels prefetch of an array of a form.
/// \param cell   how far cells are apart
/// \param count  numbers of a cell, if they lie together
template <class T>
CellBytes cellBytes(const T* data, std::int64_t cell, std::int64_t count) {
  if (cell != count) return {};
  return {reinterpret_cast<const char*>(data), static_cast<int>(count * std::int64_t(sizeof(T)))};
}
template <class Problem>
CellBytes vectorBytes(const Problem& problem) {
  if constexpr (Problem::kind == FormKind::Products) {
    const auto& vector = problem.vector;
    if (vector.numbers != nullptr) return cellBytes(vector.numbers, vector.fields, vector.fields);
    const std::int64_t fields = problem.shape.rights * problem.shape.right_blocks;
    if (vector.strides.field == 1) {
      return cellBytes(vector.elements.data, vector.strides.cell, fields);
    }
  }
  return {};
}
/// Of a coefficient, or of factors.
template <class Term>
CellBytes coefficientBytes(const Term& term, std::int64_t points) {
  if (!term.coefficient.isThere()) return {};
  const FormStrides& s = term.coefficient.strides;
  const std::int64_t entries = term.kind == CoefficientKind::Scalar      ? 1
                               : term.kind == CoefficientKind::Symmetric ? 6
                                                                         : 0;
  const bool are_rows = s.point == 1 && s.row == points;
  const bool are_points = s.row == 1 && s.point == entries;
  if (entries == 0 || !(entries == 1 ? s.point == 1 : are_rows || are_points)) return {};
  return cellBytes(term.coefficient.elements.data, s.cell, entries * points);
}
/// Of Jacobians.
template <class Problem>
CellBytes mappingBytes(const Problem& problem) {
  if constexpr (Problem::mapping_type::is_ever_there && !Problem::gradients_type::is_ever_there) {
    constexpr int D = 3;
    const FormStrides& s = problem.mapping.strides;
    if (s.column == 1 && s.row == D && s.point == D * D) {
      return cellBytes(problem.mapping.elements.data, s.cell, D * D * problem.shape.points);
    }
  }
  return {};
}

/// Starts the kernel of a term. \tparam Flux  what stands between values at points
template <class Left, class Right, class Flux, class Launcher, class Problem, class Extents>
void launchTensorColumns(const Launcher& launcher, const Problem& problem,
                         const TensorColumnPlan& plan, const Extents& extents) {
  const auto& term = problem.terms.terms[0];
  // A load has no right side, and does not ask for it.
  const auto rightSide = [&] {
    if constexpr (Flux::is_load) {
      return Right(extents, term.left);
    } else {
      return Right(extents, term.right);
    }
  };
  TensorColumns<Problem, Extents, Left, Right, Flux, typename Launcher::Block> kernel{
      problem,     plan.sizes,
      extents,     Left(extents, term.left),
      rightSide(), FastDivisor(plan.sizes.cells)};
  if (problem.scatter.cells == nullptr) {  // cells of a color do not follow each other
    kernel.prefetched_vector = vectorBytes(problem);
    kernel.prefetched_points = coefficientBytes(term, problem.shape.points);
    kernel.prefetched_mapping = mappingBytes(problem);
  }
  if (kernel.sharedBytes() > plan.shared_bytes) {
    throw std::logic_error("Kontract: a kernel takes more shared memory than its plan");
  }
  launcher(plan, kernel);
}

/// A term whose sides are values of HGRAD, or gradients. Products whose coefficient is a number, or
/// factors, are asked for over and over: they have kernels of their own for usual functions and
/// points.
/// \tparam Known  numbers of functions of those
/// \tparam has_tensor  the coefficient may have more entries than one
/// \param launcher  has a type Block, and is called with a plan and a kernel
template <class Known, int components, bool has_tensor, class Launcher, class Problem>
void launchLikeColumns(const Launcher& launcher, const Problem& problem,
                       const TensorColumnPlan& plan) {
  constexpr int one = components > 1 ? 2 : 1, two = components;
  const auto run = [&](const auto& extents) {
    using Side = LikeColumns<std::decay_t<decltype(extents)>, components, 1>;
    using Flux = ColumnFlux<Problem, 3, components, has_tensor>;
    launchTensorColumns<Side, Side, Flux>(launcher, problem, plan, extents);
  };
  constexpr bool is_usual =
      Problem::kind == FormKind::Products && (!has_tensor || !Problem::mapping_type::is_ever_there);
  if constexpr (is_usual) {
    if (withKnownColumns<one, two>(Known(), plan.sizes, run)) return;
  }
  withAnyColumns(plan, run);
}

/// Calls f(problem) with one term of a form, for kernels that ask what coefficients there are.
template <FormKind kind, class T, class F>
void forEachFamilyLaunch(const PlainForm<T>& form, const FormTerms& term, const F& f) {
  withMapping(form, [&](auto mapping) {
    using Variant = FormVariant<FormBasis<Accessor<const T>>, 1, decltype(mapping)::value,
                                FormCoefficients::Any, true>;
    forEachLaunch(kernelForm<kind, Variant>(form, term), f);
  });
}

/// Whether families are those of usual values of vectors, in any order and with any signs.
template <VectorValues values, class Basis>
bool areFamiliesOf(const Basis& basis) {
  using Family = VectorFamily<values>;
  const BasisFamilies& families = basis.families;
  bool is_there[3] = {false, false, false};
  for (int m = 0; m < families.count; ++m) {
    const auto isComponent = [&](int component) {
      for (int d = 0; d < 3; ++d) {
        if (families.is_open[m][d] != Family::isOpen(component, d)) return false;
      }
      const int sign =
          families.sign[m][Family::path(component, 0).component] * Family::path(component, 0).sign;
      int paths_there = 0;
      for (int i = 0; i < 3; ++i) paths_there += families.sign[m][i] != 0 ? 1 : 0;
      bool is_it = paths_there == Family::paths;
      for (int l = 0; l < Family::paths; ++l) {
        const ColumnPath path = Family::path(component, l);
        is_it = is_it && families.sign[m][path.component] == sign * path.sign &&
                families.derivative[m][path.component] == path.derivative;
      }
      return is_it;
    };
    for (int component = 0; component < 3; ++component) {
      if (isComponent(component)) is_there[component] = true;
    }
  }
  return families.count == 3 && is_there[0] && is_there[1] && is_there[2];
}

/// A term all of whose sides are such values, if they are. \return whether it was started
template <VectorValues values, class Launcher, class Problem>
bool tryVectorColumns(const Launcher& launcher, const Problem& problem,
                      const TensorColumnPlan& plan) {
  const auto& term = problem.terms.terms[0];
  if (!areFamiliesOf<values>(term.left)) return false;
  if constexpr (Problem::kind != FormKind::Vectors) {
    if (!areFamiliesOf<values>(term.right)) return false;
  }
  constexpr int components = VectorFamily<values>::is_scalar ? 1 : 3;
  constexpr int rights = Problem::kind == FormKind::Vectors ? 1 : components;
  using Flux = FamilyFlux<Problem, 3, components, rights>;
  using Side = VectorColumns<values>;
  withAnyColumns(plan, [&](const auto& extents) {
    launchTensorColumns<Side, Side, Flux>(launcher, problem, plan, extents);
  });
  return true;
}

/// Whether a side has one family, with as many functions in each direction.
template <class Basis>
bool isLike(const Basis& basis, int functions) {
  bool is_it = basis.families.count == 1;
  for (int d = 0; d < 3; ++d) is_it = is_it && basis.functionsOf(0, d) == functions;
  return is_it && !basis.families.is_open[0][0];
}

/// A term of values and gradients of HGRAD, as advection has, if it is one. \return as above
/// \tparam left, right  their components
template <int left, int right, class Launcher, class Problem>
bool tryMixedColumns(const Launcher& launcher, const Problem& problem,
                     const TensorColumnPlan& plan) {
  const auto& term = problem.terms.terms[0];
  const int functions = plan.sizes.functions;
  if (term.left_is_vector != (left > 1) || term.right_is_vector != (right > 1)) return false;
  if (!isLike(term.left, functions) || !isLike(term.right, functions)) return false;
  withAnyColumns(plan, [&](const auto& extents) {
    using Extents = std::decay_t<decltype(extents)>;
    launchTensorColumns<LikeColumns<Extents, left, 1>, LikeColumns<Extents, right, 1>,
                        FamilyFlux<Problem, 3, left, right>>(launcher, problem, plan, extents);
  });
  return true;
}

/// A term of any bases that does not couple components.
template <FormKind kind, class Launcher, class T>
void runFamilyTerm(const Launcher& launcher, const PlainForm<T>& form, const FormTerms& term,
                   const TensorColumnPlan& plan) {
  forEachFamilyLaunch<kind>(form, term, [&](const auto& part) {
    using V = VectorValues;
    if (tryVectorColumns<V::Edges>(launcher, part, plan)) return;
    if (tryVectorColumns<V::Faces>(launcher, part, plan)) return;
    if constexpr (kind == FormKind::Products) {
      if (tryVectorColumns<V::Curls>(launcher, part, plan)) return;
      if (tryVectorColumns<V::Divergences>(launcher, part, plan)) return;
      if (tryMixedColumns<1, 3>(launcher, part, plan)) return;
      if (tryMixedColumns<3, 1>(launcher, part, plan)) return;
    }
    withAnyColumns(plan, [&](const auto& extents) {
      using Flux = FamilyFlux<std::decay_t<decltype(part)>, 3, 0, 0>;
      constexpr int few = 3;
      if (plan.sizes.second_arrays <= few) {
        using Side = FamilyColumnSide<few>;
        launchTensorColumns<Side, Side, Flux>(launcher, part, plan, extents);
      } else {
        using Side = FamilyColumnSide<max_column_paths>;
        launchTensorColumns<Side, Side, Flux>(launcher, part, plan, extents);
      }
    });
  });
}

/// A term of elasticity.
template <class Launcher, class T>
void runElasticTerm(const Launcher& launcher, const PlainForm<T>& form, const FormTerms& term,
                    const TensorColumnPlan& plan) {
  forEachFamilyLaunch<FormKind::Products>(form, term, [&](const auto& part) {
    withAnyColumns(plan, [&](const auto& extents) {
      using Side = LikeColumns<std::decay_t<decltype(extents)>, 3, 3>;
      using Flux = ElasticFlux<std::decay_t<decltype(part)>, 3>;
      launchTensorColumns<Side, Side, Flux>(launcher, part, plan, extents);
    });
  });
}

/// The columns of a term alone.
template <class T>
ColumnSizes columnsOfTerm(const PlainForm<T>& form, int term) {
  PlainForm<T> one = form;
  one.terms = &form.terms[term];
  one.term_count = 1;
  return workOf(one).form.columns;
}

/// A term of HGRAD that does not couple components.
template <FormKind kind, class Known, class Launcher, class T>
void runLikeTerm(const Launcher& launcher, const PlainForm<T>& form, const FormTerms& term,
                 const TensorColumnPlan& plan) {
  withMapping(form, [&](auto mapping) {
    forEachColumnLaunch<3, kind, decltype(mapping)::value>(
        form, term, [&](const auto& part, auto components, auto has_tensor) {
          launchLikeColumns<Known, decltype(components)::value, decltype(has_tensor)::value>(
              launcher, part, plan);
        });
  });
}

/// \tparam Known  numbers of functions in a direction that have kernels of their own
template <FormKind kind, class Known = ColumnFunctions, class Launcher, class T>
void runTensorColumns(const Launcher& launcher, const PlainForm<T>& form, const Machine& machine) {
  forEachTerms(form, 1, [&](const FormTerms& term) {
    const ColumnSizes columns = columnsOfTerm(form, term.first);
    if (columns.is_coupled && columns.has_families) {
      throw std::logic_error("Kontract: no kernel for coupled components of such fields");
    }
    const TensorColumnPlan plan =
        tensorColumnPlan(columns, kind == FormKind::Vectors, form.cells, int(sizeof(T)),
                         hasCellsFirst(form, form.terms[term.first]), machine);
    if (columns.has_families) return runFamilyTerm<kind>(launcher, form, term, plan);
    if constexpr (kind == FormKind::Products) {
      if (columns.is_coupled) return runElasticTerm(launcher, form, term, plan);
    }
    runLikeTerm<kind, Known>(launcher, form, term, plan);
  });
}

#ifdef KOKKOS_ENABLE_CUDA
/// Runs kernels of columns on a device of NVIDIA's.
struct TensorColumnLauncher {
  using Block = TensorBlock;
  const Kokkos::Cuda& space;
  const std::string& label;

  template <class Kernel>
  void operator()(const TensorColumnPlan& plan, const Kernel& kernel) const {
    constexpr int threads = TensorColumnSteps::mostThreads(
        Kernel::function_steps, Kernel::has_families, Kernel::most_paths);
    const int cells = plan.sizes.cells;
    const std::int64_t batches = (kernel.problem.shape.cells + cells - 1) / cells;
    launchBlocks<threads, 1>(
        space, label, {batches, plan.sizes.threads, static_cast<int>(plan.shared_bytes)}, kernel);
  }
};
#endif

/// The same on a device.
template <FormKind kind, class Space, class T>
void runTensorColumnsOf([[maybe_unused]] const Space& space,
                        [[maybe_unused]] const PlainForm<T>& form,
                        [[maybe_unused]] const Machine& machine,
                        [[maybe_unused]] const std::string& label) {
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<Space, Kokkos::Cuda>) {
    runTensorColumns<kind>(TensorColumnLauncher{space, label}, form, machine);
  }
#endif
}

}  // namespace Impl
}  // namespace Kontract

#endif
