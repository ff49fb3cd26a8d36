// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_RUNNER_HPP
#define KONTRACT_TEST_RUNNER_HPP

#include <Teuchos_ParameterList.hpp>
#include <cstdlib>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "Kontract_ArrayTools.hpp"
#include "Placed.hpp"
#include "Problem.hpp"
#include "Tally.hpp"
#include "WhatAlgorithmsServe.hpp"

namespace KontractTest {

/// An algorithm by name, as options ready for calls.
struct NamedOptions {
  std::string name;
  Kontract::Options options;
};

/// Every algorithm that there is, and Auto.
inline std::vector<NamedOptions> allAlgorithms() {
  std::vector<std::string> names = Kontract::Options::algorithmNames();
  names.push_back("Auto");
  std::vector<NamedOptions> all;
  for (const std::string& name : names) {
    Teuchos::ParameterList list("Kontract");
    list.set("Algorithm", name);
    all.push_back({name, Kontract::Options(list)});
  }
  return all;
}

/// The same without those that serve matrix products alone.
inline std::vector<NamedOptions> algorithmsForAll() {
  std::vector<NamedOptions> all;
  for (const NamedOptions& algorithm : allAlgorithms()) {
    if (!isOfALibrary(algorithm.name)) all.push_back(algorithm);
  }
  return all;
}

/// For forms, the algorithm that is chosen, and the portable one.
inline NamedOptions optionsOfAlgorithm(const std::string& name) {
  Teuchos::ParameterList list("Kontract");
  list.set("Algorithm", name);
  return {name, Kontract::Options(list)};
}
inline const std::vector<NamedOptions>& algorithmsOfForms() {
  static const std::vector<NamedOptions> algorithms{{"Auto", Kontract::Options()},
                                                    optionsOfAlgorithm("Flat")};
  return algorithms;
}
/// The same for vectors and products of tensor-product bases.
inline const std::vector<NamedOptions>& algorithmsOfTensorBases() {
  static const std::vector<NamedOptions> algorithms{{"Auto", Kontract::Options()},
                                                    optionsOfAlgorithm("Flat"),
                                                    optionsOfAlgorithm("Team Reduction")};
  return algorithms;
}

/// The kernels that hosts have for forms, by name, and Tiling; not each serves each form.
inline const std::vector<NamedOptions>& kernelsOfForms() {
  static const std::vector<NamedOptions> kernels = [] {
    std::vector<NamedOptions> all;
    for (const char* kernel :
         {"Per Cell", "Interleaved Cells", "Reference Tensors", "Sum Factorization"}) {
      Teuchos::ParameterList list("Kontract");
      list.set("Algorithm", "Register Blocking");
      list.sublist("Register Blocking").set("Kernel", kernel);
      all.push_back({kernel, Kontract::Options(list)});
    }
    all.push_back(optionsOfAlgorithm("Tiling"));
    return all;
  }();
  return kernels;
}

/// Whether a refusal tells that an algorithm is not for such calls: many are for contractions
/// alone.
inline bool isUnserved(const std::string& refusal) {
  return refusal.find("was asked for by name") != std::string::npos;
}

template <class... Spaces>
struct SpaceList {};

/// Puts together the execution spaces that Kokkos was built with.
template <class List, class Space>
struct Append;
template <class... Spaces, class Space>
struct Append<SpaceList<Spaces...>, Space> {
  using type = SpaceList<Spaces..., Space>;
};
using Spaces0 = SpaceList<>;
#ifdef KOKKOS_ENABLE_SERIAL
using Spaces1 = Append<Spaces0, Kokkos::Serial>::type;
#else
using Spaces1 = Spaces0;
#endif
#ifdef KOKKOS_ENABLE_OPENMP
using Spaces2 = Append<Spaces1, Kokkos::OpenMP>::type;
#else
using Spaces2 = Spaces1;
#endif
#ifdef KOKKOS_ENABLE_THREADS
using Spaces3 = Append<Spaces2, Kokkos::Threads>::type;
#else
using Spaces3 = Spaces2;
#endif
#if defined(KOKKOS_ENABLE_CUDA)
using AllSpaces = Append<Spaces3, Kokkos::Cuda>::type;
#elif defined(KOKKOS_ENABLE_HIP)
using AllSpaces = Append<Spaces3, Kokkos::HIP>::type;
#else
using AllSpaces = Spaces3;
#endif

/// Whether a space is to be tested: all are, or the one that KONTRACT_TEST_SPACE names.
inline bool isWanted(const std::string& space) {
  const char* const given = std::getenv("KONTRACT_TEST_SPACE");
  return given == nullptr || space == given;
}
template <class F, class... Spaces>
void forEachSpace(F&& f, SpaceList<Spaces...>) {
  const auto call = [&](auto space) {
    if (isWanted(decltype(space)::name())) f(space);
  };
  (call(Spaces()), ...);
}
/// Calls f(space) for every execution space that Kokkos was built with.
template <class F>
void forEachSpace(F&& f) {
  forEachSpace(f, AllSpaces());
}

/// The layouts of output, left and right, and whether they are Views (with const inputs, an
/// instance of the execution space in front) or DynRankViews (neither).
template <class Out, class Left, class Right, bool dyn_rank>
struct Mix {
  using out = Out;
  using left = Left;
  using right = Right;
  static constexpr bool is_dyn_rank = dyn_rank;
  static std::string name() {
    return std::string(is_dyn_rank ? "DynRankView " : "View ") + letter<Out>() + letter<Left>() +
           letter<Right>();
  }

 private:
  template <class Layout>
  static const char* letter() {
    if (std::is_same_v<Layout, Kokkos::LayoutLeft>) return "L";
    return std::is_same_v<Layout, Kokkos::LayoutRight> ? "R" : "S";
  }
};

/// Whether a form's arrays are matrices that every library takes: contiguous, in LayoutRight. Data
/// that has one point for all has no stride along them.
template <class MixType>
bool areMatrices(const Form& form) {
  using R = Kokkos::LayoutRight;
  return std::is_same_v<typename MixType::out, R> && std::is_same_v<typename MixType::left, R> &&
         std::is_same_v<typename MixType::right, R> &&
         form.operation.find("contractFieldField") != std::string_view::npos;
}

/// Calls are made as they are asked for.
struct Faithful {
  template <class Out, class Left, class Right>
  static bool alter(const Form&, Flags&, Out&, Left&, Right&) {
    return true;
  }
};

/// The arrays of a problem in memory, in the layouts of a mix.
template <class Space, class MixType, class Out, class Left, class Right>
struct Arrays {
  using Device = typename Space::device_type;
  Placed<Out, typename MixType::out, Device> out;
  Placed<Left, typename MixType::left, Device> left;
  Placed<Right, typename MixType::right, Device> right;
  explicit Arrays(const Problem<Out, Left, Right>& problem,
                  std::size_t margin = decltype(out)::odd_margin)
      : out(problem.out.extents(), problem.out.values(), margin),
        left(problem.left.extents(), problem.left.values(), margin),
        right(problem.right.extents(), problem.right.values(), margin) {}
};

/// Makes the call of a form on arrays in memory.
template <std::size_t form, class Space, class MixType, class ArraysType>
void makeCall(const Flags& flags, const ArraysType& arrays, const Kontract::Options& options) {
  using Tools = Kontract::ArrayTools<typename Space::device_type>;
  using Operation = OperationOf<form>;
  constexpr Form shape = forms[form];
  if constexpr (MixType::is_dyn_rank) {
    callOperation<Operation, Tools>(std::tuple<>(), flags, arrays.out.dynRankView(),
                                    arrays.left.dynRankView(), arrays.right.dynRankView(), options);
  } else {
    callOperation<Operation, Tools>(
        std::tuple<Space>(), flags, arrays.out.template view<int(shape.out.size())>(),
        arrays.left.template constView<int(shape.left.size())>(),
        arrays.right.template constView<int(shape.right.size())>(), options);
  }
}

/// Makes a call of a problem and compares. Subject::alter may spoil the call before it is made, or
/// prevent it; only the test of this suite itself does.
template <class Space, class MixType, class Subject, class Out, class Left, class Right>
void runCase(const Problem<Out, Left, Right>& problem, const NamedOptions& algorithm, Tally& tally,
             void (*call)(const Flags&, const Arrays<Space, MixType, Out, Left, Right>&,
                          const Kontract::Options&)) {
  // Whether these types on this space are an algorithm's depends on the form alone.
  static std::set<std::pair<const Form*, std::string>> unserved;
  if (tally.leavesOut() || unserved.count({problem.form, algorithm.name}) > 0) return;
  Arrays<Space, MixType, Out, Left, Right> arrays(problem);
  Flags flags = problem.flags;
  std::string wrong;
  try {
    if (Subject::alter(*problem.form, flags, arrays.out, arrays.left, arrays.right)) {
      call(flags, arrays, algorithm.options);
    }
    wrong = compare(problem, arrays.out.values());
    if (wrong.empty() && !arrays.out.guardsAreUntouched()) {
      wrong = "memory next to the output changed";
    }
    if (wrong.empty() && !(arrays.left.isUntouched() && arrays.right.isUntouched())) {
      wrong = "an input changed";
    }
  } catch (const std::invalid_argument& refusal) {
    if (isUnserved(refusal.what()) && algorithm.name != "Auto") {
      unserved.insert({problem.form, algorithm.name});
      return;
    }
    const bool has_terms = problem.left.size() > 0 && problem.right.size() > 0;
    const bool are_matrices = areMatrices<MixType>(*problem.form) && has_terms;
    if (isLimitOf(algorithm.name, refusal.what(), are_matrices)) return;
    wrong = std::string("refused: ") + refusal.what();
  }
  tally.add(wrong.empty() ? ""
                          : problem.text() + ", " + algorithm.name + ", " + MixType::name() + ", " +
                                Space::name(),
            wrong);
}

/// The same for a form, which says what to call.
template <std::size_t form, class Space, class MixType, class Subject = Faithful, class Out,
          class Left, class Right>
void runForm(const Problem<Out, Left, Right>& problem, const NamedOptions& algorithm,
             Tally& tally) {
  using ArraysType = Arrays<Space, MixType, Out, Left, Right>;
  runCase<Space, MixType, Subject>(problem, algorithm, tally,
                                   &makeCall<form, Space, MixType, ArraysType>);
}

}  // namespace KontractTest

#endif
