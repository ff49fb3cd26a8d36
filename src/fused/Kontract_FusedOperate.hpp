// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FUSEDOPERATE_HPP
#define KONTRACT_FUSEDOPERATE_HPP

#include <string>

#include "Kontract_FusedAction.hpp"
#include "Kontract_FusedCall.hpp"
#include "Kontract_FusedFlat.hpp"
#include "Kontract_FusedHost.hpp"
#include "Kontract_FusedSweeps.hpp"
#include "Kontract_LastCall.hpp"
#include "Kontract_Region.hpp"
#include "Kontract_TensorProduct.hpp"
#include "Kontract_TermShape.hpp"

namespace Kontract {
namespace Impl {

/// What checked terms have in common.
struct TermsSoFar {
  bool all_symmetric = true;
  bool any_elastic = false;
  int block_loads = 0, other_loads = 0;
};

template <class View>
int rankOrZero(const View& view) {
  if constexpr (std::is_same_v<View, NoView>) {
    return 0;
  } else {
    return rankOf(view);
  }
}

template <class T>
inline constexpr bool is_values = is_array<T> || is_tensor_basis<T>;

/// Checks a term and makes tensors of its arrays.
/// \param number  of the term, from 1 on
template <class Space, class L, class R, class A, class B, class SL, class SR>
auto fusedTerm(const Term<L, R, A, B, SL, SR>& term, FusedArrays<Space>& arrays, bool has_mapping,
               int number, TermsSoFar& so_far) {
  constexpr bool is_load = std::is_same_v<R, NoView>;
  static_assert(is_values<L> && (is_load || is_values<R>),
                "Kontract: values are Kokkos::View, Kokkos::DynRankView or a tensorBasis()");
  const Kontract::Form& form = term.form;
  Extents& extents = arrays.extents();
  if (form.is_elastic != !std::is_same_v<B, NoView>) {
    extents.refuseCall("elasticity, and nothing else, has two coefficients: term " +
                       std::to_string(number));
  }
  const SideShape left =
      sideShape(extents, form.left, rankOfValues(term.left, form.left), true, has_mapping, number);
  const SideShape right = is_load
                              ? SideShape{Pullback::Scalar, false, ""}
                              : sideShape(extents, form.right, rankOfValues(term.right, form.right),
                                          false, has_mapping, number);
  const CoefficientShape coefficient =
      coefficientShape(extents, left.is_vector, right.is_vector, is_load, form.is_elastic,
                       rankOrZero(term.coefficient), number);
  auto left_tensor =
      valuesOf(arrays, term.left, {"left values", "directions of left values", number}, form.left,
               left.letters);
  auto right_tensor =
      valuesOf(arrays, term.right, {"right values", "directions of right values", number},
               form.right, right.letters);
  auto a = arrays.input(term.coefficient, is_load ? "source" : "coefficient", number,
                        coefficient.letters);
  auto b = arrays.input(term.second, "second coefficient", number, "Cp");
  auto left_signs = arrays.signs(term.left_signs, "left signs", number, "CL");
  auto right_signs = arrays.signs(term.right_signs, "right signs", number, "CR");
  so_far.any_elastic = so_far.any_elastic || form.is_elastic;
  (coefficient.is_vector_of_blocks ? so_far.block_loads : so_far.other_loads) += is_load ? 1 : 0;
  so_far.all_symmetric = so_far.all_symmetric && left.pullback == right.pullback &&
                         coefficient.kind != CoefficientKind::Full &&
                         isSameTensor(left_tensor, right_tensor) &&
                         isSameTensor(left_signs, right_signs);
  return FusedTerm<decltype(left_tensor), decltype(right_tensor), decltype(a), decltype(b),
                   decltype(left_signs), decltype(right_signs)>{left.pullback,
                                                                right.pullback,
                                                                coefficient.kind,
                                                                left.is_vector,
                                                                right.is_vector,
                                                                coefficient.is_vector_of_blocks,
                                                                left_tensor,
                                                                right_tensor,
                                                                a,
                                                                b,
                                                                left_signs,
                                                                right_signs};
}

template <class First, class... Rest>
TermList<First, Rest...> prepended(const First& first, const TermList<Rest...>& rest) {
  return {first, rest};
}

template <bool are_loads, int i, class Space, class Call>
auto fusedTerms(const Call& call, FusedArrays<Space>& arrays, bool has_mapping,
                TermsSoFar& so_far) {
  if constexpr (i == Call::term_count) {
    return TermList<>();
  } else {
    auto first = fusedTerm(call.template term<i>(), arrays, has_mapping, i + 1, so_far);
    static_assert(are_loads == !decltype(first)::right_type::is_there,
                  "Kontract: vectors() takes load()s, matrices() and apply() take term()s");
    auto rest = fusedTerms<are_loads, i + 1>(call, arrays, has_mapping, so_far);
    return prepended(first, rest);
  }
}

/// Checks a call but for its output, and makes a problem of it; f(problem, arrays) goes on.
/// \param is_load  the terms are to be loads
template <bool is_load, class Call, class F>
void withFusedProblem(const char* function, const Call& call, const F& f) {
  using Space = typename Call::space_type;
  FusedArrays<Space> arrays(function);
  Extents& extents = arrays.extents();
  const auto& geometry = call.geometry();
  using Mapping = std::decay_t<decltype(geometry.mapping)>;
  using Gradients = std::decay_t<decltype(geometry.gradients)>;
  FusedShape shape;
  shape.has_mapping = !std::is_same_v<Mapping, NoView>;
  constexpr bool has_nodes = !std::is_same_v<Gradients, NoView>;
  auto mapping = arrays.input(geometry.mapping, has_nodes ? "nodes" : "jacobians", 0,
                              has_nodes ? "CND" : "CpDD");
  auto gradients = arrays.input(geometry.gradients, "gradients of nodes", 0, "NpD");
  shape.weights_are_measures = rankOf(geometry.weights) == 2 || !shape.has_mapping;
  auto weights = arrays.input(geometry.weights, shape.weights_are_measures ? "measures" : "weights",
                              0, shape.weights_are_measures ? "Cp" : "P");
  TermsSoFar so_far;
  auto terms = fusedTerms<is_load, 0>(call, arrays, shape.has_mapping, so_far);
  shape.nodes = extents['N'];
  shape.dimension = static_cast<int>(extents['D']);
  if (shape.dimension < 1 || shape.dimension > 3) {
    extents.refuseCall("cells have dimension " + std::to_string(shape.dimension) +
                       ", but it must be 1, 2 or 3");
  }
  if (so_far.block_loads > 0 && so_far.other_loads > 0) {
    extents.refuseCall("loads of D components and of one cannot be summed");
  }
  shape.cells = extents['C'];
  shape.lefts = extents['L'];
  shape.rights = is_load ? 1 : extents['R'];
  shape.points = extents['P'];
  shape.left_blocks = so_far.any_elastic || so_far.block_loads > 0 ? shape.dimension : 1;
  shape.right_blocks = so_far.any_elastic ? shape.dimension : 1;
  shape.is_symmetric = so_far.all_symmetric && shape.lefts == shape.rights;
  shape.sum_into = call.sumInto();

  const auto& out = call.out();
  using Out = typename std::decay_t<decltype(out)>::non_const_value_type;
  if (is_of_integers<Out> && shape.has_mapping) {
    extents.refuseCall(std::string("output has elements of an integer type, but integrals on cells "
                                   "with ") +
                       (has_nodes ? "nodes" : "jacobians") +
                       " divide by determinants: it needs a floating-point type");
  }
  const NamedArray described{"output", 0, describe<Space>(out)};
  extents.requireApart(described);
  auto out_tensor = arrays.output(out, described);
  FusedProblem<decltype(out_tensor), decltype(mapping), decltype(gradients), decltype(weights),
               decltype(terms)>
      problem{shape, out_tensor, mapping, gradients, weights, terms};
  f(problem, arrays, described);
}

/// The algorithms of forms.
enum class FusedAlgorithm { Flat, RegisterBlocking, TeamReduction };

/// What serves a call besides Flat.
struct FusedServes {
  bool register_blocking = false;
  bool team_reduction = false;
  bool is_host = false;
};

/// The algorithm that options name; if they name none, Register Blocking where it serves the call,
/// then Team Reduction, on hosts Flat instead.
/// \throws std::invalid_argument if the one they name does not
FusedAlgorithm fusedAlgorithm(const char* function, const Options& options,
                              const FusedServes& serves);

/// \throws std::invalid_argument if teams are larger than the machine has
void requireTeamSize(const char* function, int threads, const Machine& machine);

/// Flops of plain sums over points, of one term.
/// \param left, right  components of values
double formFlops(const FusedShape& shape, bool is_load, bool is_action, int left, int right);

template <class Terms>
double formFlopsOf(const FusedShape&, bool, const Terms&) {
  return 0;
}
template <class First, class... Rest>
double formFlopsOf(const FusedShape& shape, bool is_action, const TermList<First, Rest...>& terms) {
  constexpr bool is_load = !First::right_type::is_there;
  const int left = terms.first.left_is_vector ? shape.dimension : 1;
  const int right = terms.first.right_is_vector ? shape.dimension : 1;
  return formFlops(shape, is_load, is_action, left, right) +
         formFlopsOf(shape, is_action, terms.rest);
}

/// The label of a kernel of that function.
std::string fusedLabel(const char* function, FusedAlgorithm algorithm);

/// Checks the extents of an array whose fields may be components of fields.
void requireFields(const Extents& extents, const NamedArray& given,
                   std::initializer_list<std::int64_t> needed);

/// Whether neighbours in memory are neighbouring cells.
inline bool isCellFastest(const ArrayDescription& out) {
  for (int i = 1; i < out.rank; ++i) {
    if (out.extents[0] > 1 && out.extents[i] > 1 && out.strides[i] > out.strides[0]) return true;
  }
  return false;
}

/// Calls f(constant<D>) with the dimension of cells.
template <class F>
void withDimension(int dimension, const F& f) {
  switch (dimension) {
    case 1: return f(std::integral_constant<int, 1>());
    case 2: return f(std::integral_constant<int, 2>());
    default: return f(std::integral_constant<int, 3>());
  }
}

/// What ran.
struct FusedRun {
  FusedAlgorithm algorithm;
  const char* kernel;
};

/// Keeps what a call ran for explain().
/// \param bytes  of all arrays
void rememberForms(const char* function, const Options& options, const FusedRun& run, double flops,
                   double bytes);

/// Runs a problem by the portable algorithms.
/// \param vector  of a matrix-free product, or NoTensor
template <bool has_vectors, class Space, class Problem, class Vector>
FusedRun runPortable(const char* function, const Space& space, const Problem& problem,
                     const Vector& vector, const Options& options) {
  constexpr bool is_host = is_host_space<Space>;
  FusedRun run{FusedAlgorithm::Flat, ""};
  withDimension(problem.shape.dimension, [&](auto dimension) {
    constexpr int D = decltype(dimension)::value;
    if constexpr (has_vectors && has_sweeps<Problem>) {
      using Sweeps = FusedSweeps<Problem, Vector, D>;
      const Machine machine = machineOf(space);
      const SweepPlan plan = sweepPlan(Sweeps::numbers(problem), sizeof(typename Sweeps::Acc),
                                       options.general().launch, machine);
      const bool serves = plan.teams.pieces > 0;
      run.algorithm = fusedAlgorithm(function, options, {false, serves, is_host});
      if (run.algorithm == FusedAlgorithm::TeamReduction) {
        requireTeamSize(function, plan.teams.threads, machine);
        run.kernel = "sum factorization";
        launch(space, fusedLabel(function, run.algorithm), plan.teams,
               Sweeps{problem, vector, plan});
        return;
      }
    } else {
      run.algorithm = fusedAlgorithm(function, options, {false, false, is_host});
    }
    const std::string label = fusedLabel(function, run.algorithm);
    if constexpr (Vector::is_there) {
      runFusedAction<D>(space, problem, vector, label);
    } else {
      runFusedFlat<D>(space, problem, label);
    }
  });
  return run;
}

/// Chooses an algorithm for element matrices or vectors, and runs it.
template <bool is_load, class Space, class Problem>
FusedRun runForms(const char* function, const Space& space, const Problem& problem,
                  const Options& options) {
  if constexpr (is_host_space<Space> && has_host_forms<Problem>) {
    const auto piece = hostForms(problem);
    const auto algorithm =
        fusedAlgorithm(function, options, {piece.have_same_signs, is_load, true});
    if (algorithm == FusedAlgorithm::RegisterBlocking) {
      return {algorithm, runFusedOnHost(space, piece, fusedLabel(function, algorithm))};
    }
  }
  return runPortable<is_load>(function, space, problem, NoTensor(), options);
}

/// Chooses an algorithm for matrix-free products with a vector (C,R), and runs it.
template <class Space, class Problem, class Vector>
FusedRun runAction(const char* function, const Space& space, const Problem& problem,
                   const Vector& vector, const Options& options) {
  using Real = typename Problem::out_type::value_type;
  if constexpr (is_host_space<Space> && has_host_forms<Problem> && is_host_tensor<Real, Vector>) {
    auto piece = hostForms(problem);
    piece.forms.vector = hostTensor<Real>(vector);
    const bool serves = piece.have_same_signs && piece.forms.has_values_of_reference;
    const auto algorithm = fusedAlgorithm(function, options, {serves, true, true});
    if (algorithm == FusedAlgorithm::RegisterBlocking) {
      return {algorithm, runFusedOnHost(space, piece, fusedLabel(function, algorithm))};
    }
  }
  return runPortable<true>(function, space, problem, vector, options);
}

/// Element matrices, or vectors: (space,) output, geometry, terms (, sumInto) (, options)
template <class DeviceType, bool is_load, class... Arguments>
void integrateForms(const char* function, const Arguments&... arguments) {
  const FusedCall<DeviceType, 1, Arguments...> call(arguments...);
  withFusedProblem<
      is_load>(function, call, [&](auto& problem, auto& arrays, const NamedArray& out) {
    FusedShape& shape = problem.shape;
    const std::int64_t rows = shape.lefts * shape.left_blocks;
    if (is_load) {
      requireFields(arrays.extents(), out, {shape.cells, rows});
    } else {
      requireFields(arrays.extents(), out, {shape.cells, rows, shape.rights * shape.right_blocks});
    }
    shape.cell_fastest = isCellFastest(out.array);
    call.withOptions([&](const Options& options) {
      const Region region(std::string("Kontract::") + function);
      const FusedRun run = runForms<is_load>(function, call.space(), problem, options);
      rememberForms(function, options, run, formFlopsOf(shape, false, problem.terms),
                    arrays.extents().bytes() + out.bytes());
    });
  });
}

/// Matrix-free products: (space,) output, vector, geometry, terms (, sumInto) (, options)
template <class DeviceType, class... Arguments>
void applyForms(const char* function, const Arguments&... arguments) {
  const FusedCall<DeviceType, 2, Arguments...> call(arguments...);
  withFusedProblem<false>(function, call, [&](auto& problem, auto& arrays, const NamedArray& out) {
    using Space = typename decltype(call)::space_type;
    const FusedShape& shape = problem.shape;
    const auto& view = call.template array<1>();
    const NamedArray given{"vector", 0, describe<Space>(view)};
    requireFields(arrays.extents(), given, {shape.cells, shape.rights * shape.right_blocks});
    requireFields(arrays.extents(), out, {shape.cells, shape.lefts * shape.left_blocks});
    auto vector = arrays.checkedInput(view, given);
    arrays.extents().requireApart(out);
    call.withOptions([&](const Options& options) {
      const Region region(std::string("Kontract::") + function);
      const FusedRun run = runAction(function, call.space(), problem, vector, options);
      rememberForms(function, options, run, formFlopsOf(shape, true, problem.terms),
                    arrays.extents().bytes() + out.bytes());
    });
  });
}

}  // namespace Impl
}  // namespace Kontract

#endif
