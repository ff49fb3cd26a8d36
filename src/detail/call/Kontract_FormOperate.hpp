// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FORMOPERATE_HPP
#define KONTRACT_FORMOPERATE_HPP

#include <string>

#include "Kontract_FormCall.hpp"
#include "detail/algorithms/Kontract_FormHost.hpp"
#include "detail/dispatch/Kontract_Decision.hpp"
#include "detail/kernels/portable/Kontract_FormAction.hpp"
#include "detail/kernels/portable/Kontract_FormFlat.hpp"
#include "detail/kernels/portable/Kontract_FormSweeps.hpp"
#include "detail/problem/Kontract_TensorProduct.hpp"
#include "detail/problem/Kontract_TermShape.hpp"
#include "detail/support/Kontract_Region.hpp"

namespace Kontract {
namespace Impl {

/// What checked terms have in common.
struct TermsSoFar {
  bool all_symmetric = true;
  bool any_elastic = false;
  int block_loads = 0, other_loads = 0;
};

template <class View>
int rankOrAbsent(const View& view) {
  if constexpr (std::is_same_v<View, NoView>) {
    return absent;
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
  if (form.is_elastic) requireGradients(extents, left, right, number);
  const CoefficientShape coefficient =
      coefficientShape(extents, left.is_vector, right.is_vector, is_load, form.is_elastic,
                       rankOrAbsent(term.coefficient), number);
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
  extents.checkOutput(described);
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
  std::string why_not_teams;  ///< that serve it but do not fit; empty if they fit
};

/// What a call of Integration was asked for.
class FusedRequest {
 public:
  /// \param are_defaults  the options were not given in the call
  FusedRequest(const char* function, const Options& options, bool are_defaults)
      : _function(function), _wish(options.general()), _are_defaults(are_defaults) {}

  const char* function() const { return _function; }
  const LaunchSettings& launch() const { return _wish.launch; }

  /// The algorithm that options name; if they name none, Register Blocking where it serves the
  /// call, then Team Reduction, on hosts Flat instead. Defaults are for all functions of a program:
  /// those that do not apply to this call are left aside.
  /// \throws std::invalid_argument if options of the call do not apply
  FusedAlgorithm choose(const FusedServes& serves);

  /// Keeps what the call ran for explain().
  /// \param bytes  of all arrays
  void remember(FusedAlgorithm algorithm, const char* kernel, double flops, double bytes) const;
  /// The same of a call without outputs.
  void rememberNothing() const;

 private:
  const char* _function;
  Request _wish;
  bool _are_defaults;
  std::string _why_not_defaults;
};

/// Why teams do not fit a machine; empty if they do.
std::string whyNotTeams(const SweepPlan& plan, const Machine& machine);

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
  FusedAlgorithm algorithm = FusedAlgorithm::Flat;
  const char* kernel = "";
};

template <class Problem>
inline constexpr bool are_loads =
    !decltype(std::declval<typename Problem::terms_type>().first)::right_type::is_there;

/// Whether teams may sum the vectors of a problem, direction by direction.
template <class Problem, class Vector>
inline constexpr bool has_teams =
    (are_loads<Problem> || Vector::is_there) && has_sweeps<Problem, Vector>;

/// How teams would sum a problem.
template <class Problem, class Vector>
SweepPlan planTeams(const Problem& problem, const LaunchSettings& launch, const Machine& machine) {
  SweepPlan plan;
  withDimension(problem.shape.dimension, [&](auto dimension) {
    using Sweeps = FusedSweeps<Problem, Vector, decltype(dimension)::value>;
    plan = sweepPlan(Sweeps::numbers(problem), sizeof(typename Sweeps::Acc), launch, machine);
  });
  return plan;
}

/// Runs a problem by an algorithm for any execution space.
/// \param vector  of a matrix-free product, or NoTensor
template <class Space, class Problem, class Vector>
void runPortable(const FusedRequest& request, const Space& space, const Problem& problem,
                 const Vector& vector, FusedRun& run) {
  const std::string label = fusedLabel(request.function(), run.algorithm);
  withDimension(problem.shape.dimension, [&](auto dimension) {
    constexpr int D = decltype(dimension)::value;
    if constexpr (has_teams<Problem, Vector>) {
      if (run.algorithm == FusedAlgorithm::TeamReduction) {
        const SweepPlan plan =
            planTeams<Problem, Vector>(problem, request.launch(), machineOf(space));
        run.kernel = "sum factorization";
        launch(space, label, plan.teams, FusedSweeps<Problem, Vector, D>{problem, vector, plan});
        return;
      }
    }
    if constexpr (Vector::is_there) {
      runFusedAction<D>(space, problem, vector, label);
    } else {
      runFusedFlat<D>(space, problem, label);
    }
  });
}

/// Chooses an algorithm for element matrices or vectors, or for matrix-free products with a vector
/// (C,R), and runs it.
/// \param vector  of a product, or NoTensor
template <class Space, class Problem, class Vector>
FusedRun runForms(FusedRequest& request, const Space& space, const Problem& problem,
                  const Vector& vector) {
  using Real = typename Problem::out_type::value_type;
  FusedServes serves;
  serves.is_host = is_host_space<Space>;
  if constexpr (has_teams<Problem, Vector>) {
    const Machine machine = machineOf(space);
    const SweepPlan plan = planTeams<Problem, Vector>(problem, request.launch(), machine);
    serves.team_reduction = true;
    serves.why_not_teams = whyNotTeams(plan, machine);
  }
  FusedRun run;
  if constexpr (is_host_space<Space> && has_host_forms<Problem> && is_host_tensor<Real, Vector>) {
    const auto piece = hostForms(problem, vector);
    serves.register_blocking = piece.isServed();
    run.algorithm = request.choose(serves);
    if (run.algorithm == FusedAlgorithm::RegisterBlocking) {
      run.kernel = runFusedOnHost(space, piece, request.launch().cells_per_team,
                                  fusedLabel(request.function(), run.algorithm));
      return run;
    }
  } else {
    run.algorithm = request.choose(serves);
  }
  runPortable(request, space, problem, vector, run);
  return run;
}

/// Runs a checked call, and remembers what it ran.
template <class Call, class Problem, class Vector>
void runCall(const char* function, const Call& call, const Problem& problem, const Vector& vector,
             const Extents& extents, const NamedArray& out) {
  call.withOptions([&](const Options& options) {
    FusedRequest request(function, options, !Call::has_options);
    if (out.array.size() == 0) return request.rememberNothing();
    const Region region(std::string("Kontract::") + function);
    const FusedRun run = runForms(request, call.space(), problem, vector);
    request.remember(run.algorithm, run.kernel,
                     formFlopsOf(problem.shape, Vector::is_there, problem.terms),
                     extents.bytes() + out.bytes());
  });
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
    runCall(function, call, problem, NoTensor(), arrays.extents(), out);
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
    arrays.extents().checkOutput(out);
    runCall(function, call, problem, vector, arrays.extents(), out);
  });
}

}  // namespace Impl
}  // namespace Kontract

#endif
